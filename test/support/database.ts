import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { closeDatabase, connectDatabase } from '../../src/platform/database/knex';
import { SERVER_URL, TEMPLATE, testDatabaseUrl } from '../setup/test-server';

const DUPLICATE_DATABASE = '42P04';
/** What PostgreSQL says instead when two connections make the same database at the same moment. */
const DUPLICATE_NAME = '23505';
const TEMPLATE_IN_USE = '55006';

let pool: Knex | undefined;
/** Set by `useOwnDatabase`. */
let ownName: string | undefined;

/**
 * The worker's own database, migrated and holding the reference data: one pool per test file. It is cloned at the
 * first query of the worker, so a file that asks for none pays nothing; earlier files of the worker have left
 * their rows in it.
 */
export function testDb(): Knex {
  pool ??= connectDatabase({
    url: ensureWorkerDatabase,
    poolSize: 10,
    log: pino({ level: 'error' }),
    patience: 'maintenance',
  });
  return pool;
}

/**
 * Gives this test file a clone of its own in place of the worker's: for tests that change what everybody sells by, such as
 * taxes, or need to be alone. Called at the top of the file; the clone is removed after it.
 */
export function useOwnDatabase(): void {
  ownName = `store_file_${randomBytes(6).toString('hex')}`;
}

/** The URL of the worker's database, for tests that start the program; clones it when it is not there. */
export async function ensureWorkerDatabase(): Promise<string> {
  const name = ownName ?? `store_worker_${process.env.JEST_WORKER_ID ?? '1'}`;
  await cloneTemplate(name);
  return testDatabaseUrl(name);
}

/** Clones the migrated template under a name of the caller's; keeps a clone that is there. */
export async function cloneTemplate(name: string): Promise<void> {
  await onServer(async (client) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await client.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
        return;
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? error.code : undefined;
        if (code === DUPLICATE_DATABASE || code === DUPLICATE_NAME) return;
        if (code !== TEMPLATE_IN_USE || attempt >= 5) throw error;
      }
    }
  });
}

/** Makes a database with nothing in it. */
export async function createEmptyDatabase(name: string): Promise<void> {
  await onServer(async (client) => {
    await client.query(`CREATE DATABASE ${name}`);
  });
}

/** Removes a clone; whoever is still connected to it is cut off. */
export async function dropClone(name: string): Promise<void> {
  await onServer(async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
}

async function onServer(work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: process.env[SERVER_URL] });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** For worker-database.ts: closes the file's pool, if it has one, and removes its own database. */
export async function closeTestDb(): Promise<void> {
  const open = pool;
  pool = undefined;
  if (open !== undefined) await closeDatabase(open, 5_000);
  if (ownName !== undefined) await dropClone(ownName);
}
