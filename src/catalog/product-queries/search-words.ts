import { distance } from 'fastest-levenshtein';

/** Limits of a search: words beyond them are not read. */
const MOST_WORDS = 12;
const LONGEST_WORD = 60;

/** Words of fewer letters must be spelled as in the catalog. */
export const SHORTEST_CORRECTED = 5;
/** Words from this length may have two wrong letters. */
const LONG_WORD = 8;

/** White space and punctuation, as in the SQL function to_search_words. */
const SEPARATORS =
  /[\s!-/:-@[-`{-~\u00a1\u00a6-\u00a9\u00ab-\u00af\u00b4-\u00b8\u00bb\u00bf\u00d7\u00f7\u2000-\u200b\u2010-\u206f\u3000-\u3004\u3008-\u3020\u3030\u303d\u30a0\u30fb]+/u;

/** Chinese, Japanese and Korean, whose words are not separated; as in the SQL function to_search_words. */
const CJK =
  /([\u3005\u3040-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\u{20000}-\u{3ffff}]+)/u;

/** The marks and letters that the SQL function strip_marks replaces. */
const MARKS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670]/gu;
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ø: 'o',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ð: 'd',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
};

/**
 * Splits the text of a search into its words in lower case, each once and where it is last. Chinese, Japanese and Korean
 * characters in a row are one word.
 */
export function splitSearch(text: string): string[] {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .split(SEPARATORS)
    .flatMap((word) => word.split(CJK))
    .filter((word) => word !== '')
    .slice(0, MOST_WORDS)
    // By letters: half of one could not be sent as JSON.
    .map((word) => [...word].slice(0, LONGEST_WORD).join(''));
  return words.filter((word, index) => words.lastIndexOf(word) === index);
}

/** Returns a word in lower case without the marks of its letters: `brulee` for `brûlée`. */
export function stripMarks(word: string): string {
  const bare = word.normalize('NFD').replace(MARKS, '').normalize('NFC');
  return bare.replace(/[øđħıłðßæœþ]/gu, (letter) => PLAIN_LETTERS[letter] ?? letter);
}

/**
 * Returns the tsquery that finds a word of Chinese, Japanese or Korean as a part of a text, by its pairs of neighboring
 * characters; null for a word of other letters.
 */
export function buildPartsQuery(word: string): string | null {
  if (!CJK.test(word)) return null;
  const letters = [...word];
  if (letters.length === 1) return `'${word}':*`;
  return letters
    .slice(1)
    .map((letter, index) => `'${letters[index] ?? ''}${letter}'`)
    .join(' <-> ');
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
export function joinLexemes(lexemes: readonly string[]): string {
  return `(${lexemes.map(quoteLexeme).join(' | ')})`;
}

function quoteLexeme(lexeme: string): string {
  return `'${lexeme.replace(/\\/g, '\\\\').replace(/'/g, "''")}'`;
}
