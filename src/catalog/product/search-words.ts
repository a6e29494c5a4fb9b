import { distance } from 'fastest-levenshtein';

/** Limits of a search: words beyond them are not read. */
const MOST_WORDS = 12;
const LONGEST_WORD = 60;

/** Words of fewer letters must be spelled as in the catalog. */
export const SHORTEST_CORRECTED = 5;
/** Words from this length may have two wrong letters. */
const LONG_WORD = 8;

/** ASCII punctuation and white space, as in the SQL function to_search_words. */
const SEPARATORS = /[\s!-/:-@[-`{-~]+/u;

/** Splits the text of a search into its words, each once, in lower case. */
export function splitSearch(text: string): string[] {
  const words = text
    .toLowerCase()
    .split(SEPARATORS)
    .filter((word) => word !== '')
    // By letters: half of one could not be sent as JSON.
    .map((word) => [...word].slice(0, LONGEST_WORD).join(''));
  return [...new Set(words)].slice(0, MOST_WORDS);
}

/**
 * Returns the candidates that the word may be a misspelling of: one wrong, missing, additional or swapped letter, or
 * two in a long word. Only those with the fewest errors.
 */
export function findNearWords(word: string, candidates: readonly string[]): string[] {
  const most = word.length >= LONG_WORD ? 2 : 1;
  const near = candidates
    .map((candidate) => ({ candidate, errors: countErrors(word, candidate) }))
    .filter(({ errors }) => errors <= most);
  const fewest = Math.min(...near.map(({ errors }) => errors));
  return near.filter(({ errors }) => errors === fewest).map(({ candidate }) => candidate);
}

function countErrors(one: string, other: string): number {
  return isSwapped(one, other) ? 1 : distance(one, other);
}

/** Returns whether the words differ in one pair of neighboring letters. */
function isSwapped(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  const at = [...one].findIndex((letter, index) => letter !== other[index]);
  return at >= 0 && one.slice(0, at) + (one[at + 1] ?? '') + (one[at] ?? '') + one.slice(at + 2) === other;
}

/** Builds the text of a tsquery from lexemes, of which a document must contain one. */
export function joinLexemes(lexemes: readonly string[], operator: '|' | '&'): string {
  return `(${lexemes.map(quoteLexeme).join(` ${operator} `)})`;
}

function quoteLexeme(lexeme: string): string {
  return `'${lexeme.replace(/\\/g, '\\\\').replace(/'/g, "''")}'`;
}
