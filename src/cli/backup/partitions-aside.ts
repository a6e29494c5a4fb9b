import type { Knex } from 'knex';

const ASIDE = 'replaced_by_restore';

/**
 * Runs a restore that drops the tables of the store. pg_restore cannot drop the primary keys that partitions inherit, so
 * partitioned tables are in another schema meanwhile. They are deleted afterwards, or moved back if the restore fails.
 */
export async function withPartitionsAside<T>(db: Knex, restore: () => Promise<T>): Promise<T> {
  const { rows } = await db.raw<{ rows: { schema: string; name: string }[] }>(
    `SELECT nspname AS schema, relname AS name
       FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE nspname = current_schema() AND (relkind = 'p' OR relkind = 'r' AND relispartition)`,
  );
  await db.transaction(async (tx) => {
    await tx.raw('CREATE SCHEMA ??', [ASIDE]);
    for (const { schema, name } of rows)
      await tx.raw('ALTER TABLE ??.?? SET SCHEMA ??', [schema, name, ASIDE]);
  });
  try {
    const restored = await restore();
    await db.raw('DROP SCHEMA ?? CASCADE', [ASIDE]);
    return restored;
  } catch (error) {
    await db.transaction(async (tx) => {
      for (const { schema, name } of rows)
        await tx.raw('ALTER TABLE ??.?? SET SCHEMA ??', [ASIDE, name, schema]);
      await tx.raw('DROP SCHEMA ??', [ASIDE]);
    });
    throw error;
  }
}
