import type { Knex } from 'knex';

/** Finds out which tables requests have changed. What is rolled back does not count. */
export interface ChangeWatch {
  /** Returns the tables that were changed since the last call, and how: `orders UPDATE`. */
  take: () => Promise<string[]>;
}

/**
 * What refused requests may change: counters of attempts, recorded replies, the time at which a token was used, and what
 * readers fill for later readers.
 */
const BOOKKEEPING = [
  'rate_limits',
  'idempotency_keys',
  'idempotency_replies',
  'api_tokens',
  'search_vocabulary',
  'catalog_revisions',
];

const FUNCTION = `
  CREATE FUNCTION note_fuzz_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'UPDATE' AND to_jsonb(OLD) = to_jsonb(NEW) THEN RETURN NULL; END IF;
    INSERT INTO fuzz_changes (change) VALUES (TG_TABLE_NAME || ' ' || TG_OP);
    RETURN NULL;
  END $$`;

/** Watches every table of the database by triggers. Call it once. */
export async function watchChanges(db: Knex): Promise<ChangeWatch> {
  await db.raw('CREATE UNLOGGED TABLE fuzz_changes (change text NOT NULL)');
  await db.raw(FUNCTION);
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `SELECT relname AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
        AND relname <> 'fuzz_changes' AND relname <> ALL (?)`,
    [BOOKKEEPING],
  );
  for (const { name } of rows)
    await db.raw(
      `CREATE TRIGGER fuzz_changed AFTER INSERT OR UPDATE OR DELETE ON ??
         FOR EACH ROW EXECUTE FUNCTION note_fuzz_change()`,
      [name],
    );
  return {
    take: async () => {
      const { rows: found } = await db.raw<{ rows: { change: string }[] }>(
        'WITH taken AS (DELETE FROM fuzz_changes RETURNING change) SELECT DISTINCT change FROM taken ORDER BY 1',
      );
      return found.map(({ change }) => change);
    },
  };
}
