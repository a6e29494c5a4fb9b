import type { Knex } from 'knex';

/** The function had `$1` for its question mark, so that the digit 1 and the dollar sign separated words, and `?` did not. */
export async function up(knex: Knex): Promise<void> {
  await replaceFunction(knex, '\\?');
  await knex.raw(`
    SELECT rebuild_search_names();

    DO $$
    DECLARE batch integer[];
    BEGIN
      FOR batch IN SELECT array_agg(id ORDER BY id) FROM products GROUP BY id / 5000 ORDER BY min(id) LOOP
        PERFORM rebuild_search_documents(batch);
      END LOOP;
    END $$;

    INSERT INTO catalog_revisions (kind) VALUES ('product');
  `);
}

/** Keeps the documents: each is rebuilt with the next change of its product. */
export async function down(knex: Knex): Promise<void> {
  await replaceFunction(knex, '$1');
}

/** `mark` stands for the question mark, which knex would replace by a binding. */
async function replaceFunction(knex: Knex, mark: string): Promise<void> {
  await knex.raw(`
    CREATE OR REPLACE FUNCTION to_search_words(language text, content text) RETURNS tsvector LANGUAGE sql STABLE AS $$
      SELECT to_tsvector(language::regconfig, cleaned) || to_tsvector('simple', cleaned)
      FROM (SELECT translate(COALESCE(content, ''), '!"#$%&''()*+,-./:;<=>${mark}@[]^_\`{|}~' || E'\\\\', repeat(' ', 33)) AS cleaned) AS text
    $$;
  `);
}
