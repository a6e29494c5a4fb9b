import { inBatches, run, type Steps } from '../src/platform/database/migrations/steps';

/**
 * The characters of Chinese, Japanese and Korean, which are found by two neighboring ones. The same as in
 * `src/catalog/product/search-words.ts`, like the two classes below.
 */
const CJK =
  '[\\u3005\\u3040-\\u309f\\u30a1-\\u30fa\\u30fc-\\u30ff\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3\\uf900-\\ufaff\\U00020000-\\U0003ffff]';

/** Punctuation besides that of ASCII. */
const PUNCTUATION =
  '[\\u00a1\\u00a6-\\u00a9\\u00ab-\\u00af\\u00b4-\\u00b8\\u00bb\\u00bf\\u00d7\\u00f7\\u2000-\\u200b\\u2010-\\u206f\\u3000-\\u3004\\u3008-\\u3020\\u3030\\u303d\\u30a0\\u30fb]';

/** Marks of Latin, Greek, Cyrillic, Hebrew and Arabic letters. */
const MARKS =
  '[\\u0300-\\u036f\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u064b-\\u065f\\u0670]';

/** Escaped for a statement of knex, which reads a question mark as a binding. */
const cleaned = (text: string): string =>
  `translate(${text}, '!"#$%&''()*+,-./:;<=>\\?@[]^_\`{|}~' || E'\\\\', repeat(' ', 33))`;

const STRIP_MARKS = `
  CREATE FUNCTION strip_marks(content text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN octet_length(content) = char_length(content) THEN content
      ELSE normalize(
        replace(replace(replace(replace(
          translate(regexp_replace(normalize(content, NFD), '${MARKS}', '', 'g'), 'øđħıłðØĐĦŁÐ', 'odhildODHLD'),
          'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
        NFC) END
  $$;`;

/** A text in ASCII, as most are, has neither marks nor parts of words. */
const TO_SEARCH_WORDS = `
  CREATE OR REPLACE FUNCTION to_search_words(language text, content text) RETURNS tsvector LANGUAGE plpgsql STABLE AS $$
  DECLARE
    given text := COALESCE(content, '');
    plain text;
    parts tsvector := '';
  BEGIN
    IF octet_length(given) = char_length(given) THEN
      given := ${cleaned('given')};
      RETURN to_tsvector(language::regconfig, given) || to_tsvector('simple', given);
    END IF;
    given := ${cleaned(`regexp_replace(normalize(given, NFKC), '${PUNCTUATION}', ' ', 'g')`)};
    IF given ~ '${CJK}' THEN
      SELECT CAST(string_agg('''' || part || ''':' || least(n, 16383), ' ') AS tsvector) INTO parts
      FROM (
        SELECT substr(run[1], start, 2) AS part, row_number() OVER (ORDER BY place, start) AS n
        FROM regexp_matches(given, '${CJK}+', 'g') WITH ORDINALITY AS runs (run, place),
          generate_series(1, char_length(run[1])) AS start
      ) AS parts_of_words;
      given := regexp_replace(given, '${CJK}+', ' ', 'g');
    END IF;
    plain := strip_marks(given);
    RETURN CAST(strip_marks(CAST(to_tsvector(language::regconfig, given) AS text)) AS tsvector)
      || to_tsvector(language::regconfig, plain) || to_tsvector('simple', plain) || parts;
  END $$;`;

/** As in 20261122_2200_search_documents. */
const WORDS_WITH_MARKS = `
  CREATE OR REPLACE FUNCTION to_search_words(language text, content text) RETURNS tsvector LANGUAGE sql STABLE AS $$
    SELECT to_tsvector(language::regconfig, cleaned) || to_tsvector('simple', cleaned)
    FROM (SELECT ${cleaned(`COALESCE(content, '')`)} AS cleaned) AS text
  $$;`;

/** A word of a search by its stems, as it is, and as the beginning of a word. */
const TO_SEARCH_QUERY = `
  CREATE FUNCTION to_search_query(language text, word text, is_beginning boolean) RETURNS tsquery LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN plain = word THEN '' ELSE
        CAST(strip_marks(CAST(plainto_tsquery(language::regconfig, word) AS text)) AS tsquery) END
      || plainto_tsquery(language::regconfig, plain) || plainto_tsquery('simple', plain)
      || CASE WHEN is_beginning
           THEN to_tsquery('simple', '''' || replace(replace(plain, E'\\\\', E'\\\\\\\\'), '''', '''''') || ''':*')
           ELSE '' END
    FROM (SELECT strip_marks(word) AS plain) AS stripped
  $$;`;

const rebuildDocuments = inBatches(
  'products',
  async (knex, { after, upTo }) =>
    void (await knex.raw(
      'SELECT rebuild_search_documents(ARRAY(SELECT id FROM products WHERE id > ? AND id <= ? ORDER BY id))',
      [after, upTo],
    )),
  { size: 250 },
);

/**
 * Letters are compared without their marks, and Chinese, Japanese and Korean by pairs of characters. Documents with ASCII only
 * stay as they are.
 */
export const up: Steps = [
  run(`${STRIP_MARKS}${TO_SEARCH_WORDS}${TO_SEARCH_QUERY}`),
  run('SELECT rebuild_search_names()'),
  rebuildDocuments,
  run('DELETE FROM search_vocabulary WHERE word <> strip_marks(word)'),
];

export const down: Steps = [
  run(`${WORDS_WITH_MARKS} DROP FUNCTION to_search_query(text, text, boolean);`),
  run('SELECT rebuild_search_names()'),
  rebuildDocuments,
  run('DROP FUNCTION strip_marks(text)'),
];
