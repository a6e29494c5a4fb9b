import path from 'node:path';
import type { Client } from 'pg';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { loadDemo } from '../../seeds/demo';
import { closeDatabase, connectDatabase } from '../../src/platform/database/knex';
import { createLocalDisk } from '../../src/platform/storage/local-disk';
import { getRunFolder, testDatabaseUrl } from '../setup/test-server';
import { cloneTemplate, onServer } from './database';
import { unique } from './unique';

const DEMO = 'store_demo';
const DRAFT = 'store_demo_draft';
/** An advisory lock that no other test uses. */
const LOCK = 77_001;

const log = pino({ level: 'error' });

/**
 * Creates a database with the demo catalogue. Its pictures are drawn once per test run. Close the pool with
 * `closeDatabase`.
 */
export async function createDemoDatabase(): Promise<Knex> {
  await onServer(async (client) => {
    // Closing the connection releases the lock.
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    if (!(await isLoaded(client))) await loadTemplate(client);
  });
  const name = unique('store_demo').replaceAll('-', '_');
  await cloneTemplate(name, DEMO);
  return connectDatabase({ url: testDatabaseUrl(name), poolSize: 4, log, timeouts: 'maintenance' });
}

async function isLoaded(client: Client): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DEMO]);
  return rowCount === 1;
}

async function loadTemplate(client: Client): Promise<void> {
  await client.query(`DROP DATABASE IF EXISTS ${DRAFT} WITH (FORCE)`);
  await cloneTemplate(DRAFT);
  const db = connectDatabase({
    url: testDatabaseUrl(DRAFT),
    poolSize: 2,
    log,
    timeouts: 'maintenance',
  });
  try {
    const storage = createLocalDisk(path.join(getRunFolder(), 'demo-files'));
    await loadDemo({ db, storage, log: pino({ level: 'fatal' }), now: () => new Date() });
  } finally {
    await closeDatabase(db);
  }
  await client.query(`ALTER DATABASE ${DRAFT} RENAME TO ${DEMO}`);
}

/**
 * Builds an `isRunning` for `loadDemoOrders` that stops after `orders` orders; those of the documented
 * examples come first.
 */
export function stopAfterOrders(orders: number): () => boolean {
  let left = orders;
  return () => left-- > 0;
}
