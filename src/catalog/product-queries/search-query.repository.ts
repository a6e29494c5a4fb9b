import type { Db } from '../../platform/database/knex';
import { queryPrepared } from '../../platform/database/prepared';
import { buildPartsQuery, findNearWords, joinLexemes, SHORTEST_CORRECTED, stripMarks } from './search-words';

/** A word of a search, as PostgreSQL reads it. */
interface ReadWord {
  word: string;
  /** The tsquery of its stems, of the word as it is, and of words that begin with it; empty if it has no letters. */
  query: string;
  /** Whether it is a word such as "the", in the language of the store. */
  isNoise: boolean;
  /** The lexemes of option values, and of taxons and their descendants, whose names contain it. */
  names: string[];
  /** Whether any product contains it, by itself or by such a name. */
  isKnown: boolean;
}

/** The tsqueries of one word of a search, of which a text must match one. */
export interface SearchedWord {
  texts: string[];
  /** The lexemes of names, which documents of products contain instead of the names. */
  names: string[];
}

/** The number of documents in which a word is searched first, because the index finds all documents with a common word. */
const FIRST_DOCUMENTS = 200;

/** Planning takes longer than execution. The words are JSON, because PostgreSQL would replan for short arrays. */
const READ_WORDS = {
  name: 'search_words',
  sql: `
  SELECT given.word, CAST(given.query AS text) AS query, given.is_noise AS "isNoise", named.names,
    named.names <> '{}' OR EXISTS (
        SELECT FROM (SELECT words FROM search_documents ORDER BY product_id LIMIT ${FIRST_DOCUMENTS}) AS first
        WHERE first.words @@ given.query)
      OR EXISTS (SELECT FROM search_documents WHERE words @@ given.query) AS "isKnown"
  FROM (
    SELECT n, word, COALESCE(CAST(parts AS tsquery), to_search_query(store_language(), word, is_beginning)) AS query,
      parts IS NULL AND numnode(plainto_tsquery(CAST(store_language() AS regconfig), word)) = 0 AS is_noise
    FROM ROWS FROM (json_to_recordset(CAST(? AS json)) AS (word text, parts text, is_beginning boolean))
      WITH ORDINALITY AS words (word, parts, is_beginning, n)
  ) AS given
  CROSS JOIN LATERAL (
    SELECT ARRAY(
      SELECT lexeme FROM search_names WHERE words @@ given.query AND lexeme LIKE 'o:%'
      UNION
      SELECT 't:' || below.id FROM search_names
      JOIN taxons ON taxons.id = CAST(substr(lexeme, 3) AS integer)
      JOIN taxons AS below ON below.taxonomy_id = taxons.taxonomy_id AND below.lft BETWEEN taxons.lft AND taxons.rgt
      WHERE words @@ given.query AND lexeme LIKE 't:%'
    ) AS names
  ) AS named
  ORDER BY given.n`,
};

/**
 * Trigrams find words with an error in the middle or at one end; the first and last letters find those with swapped
 * ones.
 */
const CANDIDATES = `
  SELECT word FROM search_vocabulary
  WHERE (word % :word OR word LIKE :start OR word LIKE :end) AND length(word) BETWEEN :shortest AND :longest
  ORDER BY similarity(word, :word) DESC, word LIMIT 500`;

/** Builds the tsquery that finds the products with all words; null if no product has one of them. As `readSearch`. */
export async function buildSearchQuery(db: Db, words: readonly string[]): Promise<string | null> {
  const read = await readSearch(db, words);
  return read === null ? null : buildProductsQuery(read);
}

/** Builds the tsquery that finds the products with all words. */
export function buildProductsQuery(words: readonly SearchedWord[]): string {
  return words.map(({ texts, names }) => `(${[...texts, ...names.map(quoteName)].join(' | ')})`).join(' & ');
}

const quoteName = (name: string): string => joinLexemes([name]);

/** Builds the tsquery that finds the names with all words. */
export function buildNamesQuery(words: readonly SearchedWord[]): string | null {
  if (words.some(({ texts }) => texts.length === 0)) return null;
  return words.map(({ texts }) => `(${texts.join(' | ')})`).join(' & ');
}

/**
 * Reads the words of a search, the last of which may be the beginning of a word; null if no product has one of them. A word
 * that no product has stands for the words of the catalog that it may be a misspelling of. Words such as "the" are
 * ignored, unless the search has no others. At most one query, and two for each misspelled word.
 */
export async function readSearch(db: Db, words: readonly string[]): Promise<SearchedWord[] | null> {
  const rows = await readWords(db, words, { isTyped: true });
  const nontrivial = rows.filter(({ isNoise }) => !isNoise);
  const searched: SearchedWord[] = [];
  for (const read of nontrivial.length > 0 ? nontrivial : rows) {
    const word = read.isKnown ? toSearched([read]) : await findCorrections(db, read.word);
    if (word === null) return null;
    searched.push(word);
  }
  return searched.length === 0 ? null : searched;
}

/** @param isTyped whether the last word may be a beginning */
function readWords(db: Db, words: readonly string[], { isTyped }: { isTyped: boolean }): Promise<ReadWord[]> {
  const given = words.map((word, index) => ({
    word,
    parts: buildPartsQuery(word),
    is_beginning: isTyped && index === words.length - 1,
  }));
  return queryPrepared(db, READ_WORDS, [JSON.stringify(given)]);
}

function toSearched(read: readonly ReadWord[]): SearchedWord {
  return {
    texts: read.flatMap(({ query }) => (query === '' ? [] : [`(${query})`])),
    names: read.flatMap(({ names }) => names),
  };
}

async function findCorrections(db: Db, typed: string): Promise<SearchedWord | null> {
  const word = stripMarks(typed);
  if ([...word].length < SHORTEST_CORRECTED || /\d/.test(word) || buildPartsQuery(word) !== null) return null;
  const { rows } = await db.raw<{ rows: { word: string }[] }>(CANDIDATES, {
    word,
    start: `${word.slice(0, 2)}%`,
    end: `%${word.slice(-3)}`,
    shortest: word.length - 2,
    longest: word.length + 2,
  });
  const near = findNearWords(
    word,
    rows.map((row) => row.word),
  );
  if (near.length === 0) return null;
  // A near word is in the vocabulary as it is or as a stem; it may be of a name.
  const { texts, names } = toSearched(await readWords(db, near, { isTyped: false }));
  return { texts: [joinLexemes(near), ...texts], names };
}
