import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { closeDatabase, connectDatabase } from '../../src/platform/database/knex';
import { SERVER_URL, TEMPLATE, testDatabaseUrl } from '../setup/test-server';

const TEMPLATE_IN_USE = '55006';

let pool: Knex | undefined;
/** The name of the file's database, once it has been used. */
let cloned: Promise<string> | undefined;

/**
 * Returns this test file's database: migrated, with the reference data only. It is cloned at the first query
 * and dropped after the file. The tests of the file share it.
 */
export function testDb(): Knex {
  pool ??= connectDatabase({
    url: ensureTestDatabase,
    poolSize: 10,
    log: pino({ level: 'error' }),
    timeouts: 'maintenance',
  });
  return pool;
}

/**
 * Returns the URL of this test file's database, for tests that start the program. Clones it if it does not
 * exist.
 */
export async function ensureTestDatabase(): Promise<string> {
  cloned ??= cloneUnderNewName();
  return testDatabaseUrl(await cloned);
}

async function cloneUnderNewName(): Promise<string> {
  const name = `store_file_${randomBytes(6).toString('hex')}`;
  await cloneTemplate(name);
  return name;
}

/**
 * Creates the database `name` as a copy of a template, by default the migrated one with the reference data.
 */
export async function cloneTemplate(name: string, template = TEMPLATE): Promise<void> {
  await onServer(async (client) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        // Copying the files costs about half as much as writing each page to the WAL, which is the default.
        await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
        return;
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? error.code : undefined;
        if (code !== TEMPLATE_IN_USE || attempt >= 5) throw error;
      }
    }
  });
}

/** Creates an empty database. */
export async function createEmptyDatabase(name: string): Promise<void> {
  await onServer(async (client) => {
    await client.query(`CREATE DATABASE ${name}`);
  });
}

/** Drops a clone and closes its open connections. */
export async function dropClone(name: string): Promise<void> {
  await onServer(async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
}

/** Runs `work` with a connection to the server's default database. */
export async function onServer(work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: process.env[SERVER_URL] });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** Closes the file's pool and drops its database, if they exist. Called by each-file.ts. */
export async function closeTestDb(): Promise<void> {
  const open = pool;
  pool = undefined;
  if (open !== undefined) await closeDatabase(open, 5_000);
  if (cloned !== undefined) await dropClone(await cloned);
}
