import type { Db } from '../../platform/database/knex';
import { queryPrepared } from '../../platform/database/prepared';
import { findNearWords, joinLexemes, SHORTEST_CORRECTED } from './search-words';

/** A word of a search, as PostgreSQL reads it. */
interface ReadWord {
  word: string;
  /** In the language of the store; empty for words such as "the". */
  stems: string[];
  /** As it is. */
  plain: string[];
  /** The lexemes of option values, and of taxons and their descendants, whose names contain it. */
  names: string[];
  /** Whether any product contains it, by itself or by such a name. */
  isKnown: boolean;
}

/** The number of documents in which a word is searched first, because the index finds all documents with a common word. */
const FIRST_DOCUMENTS = 200;

/** Planning takes longer than execution. The words are JSON, because PostgreSQL would replan for short arrays. */
const READ_WORDS = {
  name: 'search_words',
  sql: `
  SELECT given.word, tsvector_to_array(given.stems) AS stems, tsvector_to_array(given.plain) AS plain, named.names,
    named.names <> '{}' OR EXISTS (
        SELECT FROM (SELECT words FROM search_documents ORDER BY product_id LIMIT ${FIRST_DOCUMENTS}) AS first
        WHERE first.words @@ given.query)
      OR EXISTS (SELECT FROM search_documents WHERE words @@ given.query) AS "isKnown"
  FROM (
    SELECT n, word, to_tsvector(CAST(store_language() AS regconfig), word) AS stems, to_tsvector('simple', word) AS plain,
      plainto_tsquery(CAST(store_language() AS regconfig), word) || plainto_tsquery('simple', word) AS query
    FROM json_array_elements_text(CAST(? AS json)) WITH ORDINALITY AS words (word, n)
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

/**
 * Builds the tsquery that finds the products with all words, by their stems; null if no product has one of them. A word
 * that no product has stands for the words of the catalog that it may be a misspelling of. Words such as "the" are
 * ignored, unless the search has no others. At most one query, and one for each misspelled word.
 */
export async function buildSearchQuery(db: Db, words: readonly string[]): Promise<string | null> {
  const rows = await readWords(db, words);
  const telling = rows.filter(({ stems }) => stems.length > 0);
  const parts: string[] = [];
  for (const read of telling.length > 0 ? telling : rows) {
    const alternatives = read.isKnown ? buildAlternatives(read) : await findCorrections(db, read.word);
    if (alternatives.length === 0) return null;
    parts.push(`(${alternatives.join(' | ')})`);
  }
  return parts.length === 0 ? null : parts.join(' & ');
}

function readWords(db: Db, words: readonly string[]): Promise<ReadWord[]> {
  return queryPrepared(db, READ_WORDS, [JSON.stringify(words)]);
}

function buildAlternatives({ stems, plain, names }: ReadWord): string[] {
  const ways = [stems, plain].filter((lexemes) => lexemes.length > 0);
  return [
    ...ways.map((lexemes) => joinLexemes(lexemes, '&')),
    ...names.map((name) => joinLexemes([name], '|')),
  ];
}

async function findCorrections(db: Db, word: string): Promise<string[]> {
  if ([...word].length < SHORTEST_CORRECTED || /\d/.test(word)) return [];
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
  if (near.length === 0) return [];
  // A near word is in the vocabulary as it is or as a stem; it may be of a name.
  const read = await readWords(db, near);
  return [joinLexemes(near, '|'), ...read.flatMap(buildAlternatives)];
}
