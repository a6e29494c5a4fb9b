import type { Knex } from 'knex';

/** The languages whose words PostgreSQL can reduce to stems. `simple` compares whole words. */
const LANGUAGES = [
  ...['simple', 'arabic', 'armenian', 'basque', 'catalan', 'danish', 'dutch', 'english', 'finnish', 'french'],
  ...['german', 'greek', 'hindi', 'hungarian', 'indonesian', 'irish', 'italian', 'lithuanian', 'nepali'],
  ...['norwegian', 'portuguese', 'romanian', 'russian', 'serbian', 'spanish', 'swedish', 'tamil', 'turkish'],
  'yiddish',
];

/** Tables with names that many products show, and the prefix of the lexemes that stand for their rows. */
const NAMES: Record<string, { prefix: string; text: string }> = {
  option_values: { prefix: 'o', text: `name || ' ' || presentation` },
  taxons: { prefix: 't', text: 'name' },
};

/**
 * A search document holds the words of a product: name, skus, property values and description, as stems in the language of the
 * store and as they are. Its option values and taxons are lexemes of ids (`o:17`, `t:3`), and their names are in
 * `search_names`: a new name changes no document. No word of a text contains a colon. `search_vocabulary` holds every lexeme
 * that was ever used, to find the words that a misspelled one resembles.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE stores ADD COLUMN language text NOT NULL DEFAULT 'english'
      CONSTRAINT stores_language_known CHECK (language IN (${LANGUAGES.map((name) => `'${name}'`).join(', ')}));

    CREATE TABLE search_documents (
      product_id integer CONSTRAINT search_documents_pkey PRIMARY KEY
        CONSTRAINT search_documents_product_id_fkey REFERENCES products ON DELETE CASCADE,
      language text NOT NULL,
      words tsvector NOT NULL
    );
    CREATE INDEX search_documents_words_index ON search_documents USING gin (words);
    CREATE INDEX search_documents_language_index ON search_documents (language, product_id);
    CREATE TABLE search_names (
      lexeme text CONSTRAINT search_names_pkey PRIMARY KEY,
      language text NOT NULL,
      words tsvector NOT NULL
    );
    CREATE INDEX search_names_words_index ON search_names USING gin (words);
    CREATE TABLE search_vocabulary (word text CONSTRAINT search_vocabulary_pkey PRIMARY KEY);
    CREATE INDEX search_vocabulary_word_trigram ON search_vocabulary USING gin (word gin_trgm_ops);

    CREATE FUNCTION store_language() RETURNS text LANGUAGE sql STABLE AS $$
      SELECT COALESCE((SELECT language FROM stores WHERE is_default), 'english')
    $$;

    -- Punctuation separates words: the parser of PostgreSQL would keep hyphens, numbers, hosts and paths together.
    CREATE FUNCTION to_search_words(language text, content text) RETURNS tsvector LANGUAGE sql STABLE AS $$
      SELECT to_tsvector(language::regconfig, cleaned) || to_tsvector('simple', cleaned)
      FROM (SELECT translate(COALESCE(content, ''), '!"#$%&''()*+,-./:;<=>\\?@[]^_\`{|}~' || E'\\\\', repeat(' ', 33)) AS cleaned) AS text
    $$;

    CREATE FUNCTION note_vocabulary(lexemes text[]) RETURNS void LANGUAGE sql AS $$
      INSERT INTO search_vocabulary (word)
      SELECT DISTINCT lexeme FROM unnest(lexemes) AS lexeme WHERE lexeme ~ '^[^0-9:]{4,40}$' ORDER BY 1
      ON CONFLICT DO NOTHING
    $$;

    CREATE FUNCTION rebuild_search_documents(ids integer[]) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE lexemes text[];
    BEGIN
      -- The lock comes first, so that the next statement sees what other transactions have changed meanwhile.
      PERFORM FROM search_documents WHERE product_id = ANY (ids) ORDER BY product_id FOR UPDATE;
      WITH written AS (
        INSERT INTO search_documents AS document (product_id, language, words)
        SELECT products.id, store.language,
          setweight(to_search_words(store.language, products.name), 'A')
            || setweight(to_search_words(store.language, articles.skus), 'A')
            || array_to_tsvector(COALESCE(articles.lexemes, '{}') || ARRAY(
                 SELECT 't:' || taxon_id FROM classifications WHERE product_id = products.id))
            || setweight(to_search_words(store.language, (
                 SELECT string_agg(value, ' ') FROM product_properties WHERE product_id = products.id)), 'C')
            || setweight(to_search_words(store.language, products.description), 'D')
        FROM products
        CROSS JOIN (SELECT store_language() AS language) AS store
        LEFT JOIN (
          SELECT variants.product_id, string_agg(DISTINCT variants.sku, ' ') AS skus,
            array_agg(DISTINCT 'o:' || used.option_value_id) FILTER (WHERE used.option_value_id IS NOT NULL) AS lexemes
          FROM variants LEFT JOIN variant_option_values AS used ON used.variant_id = variants.id
          WHERE variants.product_id = ANY (ids) AND variants.deleted_at IS NULL
          GROUP BY variants.product_id
        ) AS articles ON articles.product_id = products.id
        WHERE products.id = ANY (ids) ORDER BY products.id
        ON CONFLICT (product_id) DO UPDATE SET language = EXCLUDED.language, words = EXCLUDED.words
        WHERE document.language <> EXCLUDED.language OR document.words <> EXCLUDED.words
        RETURNING words
      )
      SELECT array_agg(DISTINCT lexeme) INTO lexemes FROM written, unnest(tsvector_to_array(written.words)) AS lexeme;
      PERFORM note_vocabulary(lexemes);
    END $$;
  `);
  await knex.raw(`
    CREATE FUNCTION write_search_names(lexemes text[], names text[]) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE found text[];
    BEGIN
      WITH written AS (
        INSERT INTO search_names (lexeme, language, words)
        SELECT given.lexeme, store.language, to_search_words(store.language, given.name)
        FROM unnest(lexemes, names) AS given (lexeme, name), (SELECT store_language() AS language) AS store
        ORDER BY given.lexeme
        ON CONFLICT (lexeme) DO UPDATE SET language = EXCLUDED.language, words = EXCLUDED.words
        RETURNING words
      )
      SELECT array_agg(DISTINCT word) INTO found FROM written, unnest(tsvector_to_array(written.words)) AS word;
      PERFORM note_vocabulary(found);
    END $$;

    CREATE FUNCTION rebuild_search_names() RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      ${Object.keys(NAMES)
        .map((table) => `PERFORM ${writeNames(table, table)};`)
        .join('\n')}
    END $$;
    SELECT rebuild_search_names();

    DO $$
    DECLARE batch integer[];
    BEGIN
      FOR batch IN SELECT array_agg(id ORDER BY id) FROM products GROUP BY id / 5000 ORDER BY min(id) LOOP
        PERFORM rebuild_search_documents(batch);
      END LOOP;
    END $$;
  `);
  for (const table of Object.keys(NAMES)) await createNameTriggers(knex, table);
}

/** Builds the call that writes the names of these rows of `table`. */
function writeNames(table: string, rows: string): string {
  const { prefix, text } = NAMES[table] ?? { prefix: '', text: '' };
  return `write_search_names(array_agg('${prefix}:' || id), array_agg(${text})) FROM ${rows} HAVING count(*) > 0`;
}

async function createNameTriggers(knex: Knex, table: string): Promise<void> {
  await knex.raw(`
    CREATE FUNCTION note_${table}_names() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'DELETE' THEN
        DELETE FROM search_names USING former WHERE lexeme = '${NAMES[table]?.prefix ?? ''}:' || former.id;
      ELSE
        PERFORM ${writeNames(table, 'changed')};
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER ${table}_insert_names AFTER INSERT ON ${table} REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION note_${table}_names();
    CREATE TRIGGER ${table}_update_names AFTER UPDATE ON ${table} REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION note_${table}_names();
    CREATE TRIGGER ${table}_delete_names AFTER DELETE ON ${table} REFERENCING OLD TABLE AS former
      FOR EACH STATEMENT EXECUTE FUNCTION note_${table}_names();
  `);
}

export async function down(knex: Knex): Promise<void> {
  for (const table of Object.keys(NAMES)) {
    for (const event of ['insert', 'update', 'delete'])
      await knex.raw(`DROP TRIGGER ${table}_${event}_names ON ${table};`);
    await knex.raw(`DROP FUNCTION note_${table}_names();`);
  }
  await knex.raw(`
    DROP FUNCTION rebuild_search_names(), write_search_names(text[], text[]), rebuild_search_documents(integer[]),
      note_vocabulary(text[]), to_search_words(text, text);
    DROP TABLE search_documents, search_names, search_vocabulary;
    DROP FUNCTION store_language();
    ALTER TABLE stores DROP COLUMN language;
  `);
}
