import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { closeDatabase, connectDatabase } from '../../src/platform/database/knex';
import { testDatabaseUrl } from '../setup/test-server';
import { cloneTemplate } from '../support/database';

/**
 * Creates a database for one test, migrated and with the reference data, because tests of seeds check whole tables. It
 * is removed with the test server; close the pool with `closeDatabase`.
 */
export async function ownDatabase(): Promise<Knex> {
  return connectDatabase({
    url: await ownDatabaseUrl(),
    poolSize: 2,
    log: pino({ level: 'error' }),
    timeouts: 'maintenance',
  });
}

/** Creates the same for a program that opens its own connection. */
export async function ownDatabaseUrl(): Promise<string> {
  const name = `store_seeds_${randomBytes(6).toString('hex')}`;
  await cloneTemplate(name);
  return testDatabaseUrl(name);
}

export { closeDatabase };

const DATA_TABLES = `
  SELECT tablename FROM pg_tables
  WHERE schemaname = 'public' AND tablename NOT LIKE 'knex_%' AND tablename NOT IN ('catalog_revisions', 'reference_revisions')
  ORDER BY tablename`;

/** Returns a digest of the rows of each table, including ids and timestamps. Equal digests mean no change. */
export async function digestOf(db: Knex): Promise<Record<string, string>> {
  const tables = await db.raw<{ rows: { tablename: string }[] }>(DATA_TABLES);
  // One statement, and a sum instead of a sorted text, which takes long.
  const parts = tables.rows.map(
    ({ tablename }) =>
      `SELECT '${tablename}' AS name, count(*) || ':' || COALESCE(sum(hashtextextended(t::text, 0)), 0) AS digest
         FROM "${tablename}" AS t`,
  );
  const { rows } = await db.raw<{ rows: { name: string; digest: string }[] }>(parts.join(' UNION ALL '));
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}
