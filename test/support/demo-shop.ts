import path from 'node:path';
import type { Client } from 'pg';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { loadDemo } from '../../seeds/demo';
import { loadDemoOrders } from '../../seeds/demo/orders';
import { ensureAdmin } from '../../src/accounts/ensure-admin';
import { closeDatabase, connectDatabase } from '../../src/platform/database/knex';
import { createLocalDisk } from '../../src/platform/storage/local-disk';
import { getRunFolder, testDatabaseUrl } from '../setup/test-server';
import { makeTestApp } from './api';
import { cloneTemplate } from './database';
import { makeOncePerRun } from './once-per-run';
import { unique } from './unique';

const log = pino({ level: 'error' });

/** A database that is filled once per test run and then cloned. */
interface Template {
  name: string;
  fill: (db: Knex) => Promise<void>;
}

const CATALOGUE: Template = {
  name: 'store_demo',
  fill: async (db) => {
    const storage = createLocalDisk(path.join(getRunFolder(), 'demo-files'));
    await loadDemo({ db, storage, log: pino({ level: 'fatal' }), now: () => new Date() });
  },
};

/** The token of the administrator of a demo store with orders. */
export const OWNER_TOKEN = 'the-token-of-the-owner';

const ORDERS: Template = {
  name: 'store_demo_orders',
  fill: async (db) => {
    const { deps } = makeTestApp({ db });
    await ensureAdmin(db, {
      email: 'admin@example.com',
      password: 'correct horse battery',
      token: OWNER_TOKEN,
    });
    await loadDemoOrders(deps, stopAfterOrders(110));
  },
};

/**
 * Creates a database with the demo catalogue. Its pictures are drawn once per test run. Close the pool with
 * `closeDatabase`.
 */
export async function createDemoDatabase(): Promise<Knex> {
  await ensureTemplates([CATALOGUE]);
  return cloneDemo(CATALOGUE);
}

/**
 * Creates a database with the demo catalogue, its first 110 orders and an administrator (`OWNER_TOKEN`). Close the pool with
 * `closeDatabase`.
 */
export async function createDemoDatabaseWithOrders(): Promise<Knex> {
  await ensureTemplates([CATALOGUE, ORDERS]);
  return cloneDemo(ORDERS);
}

async function cloneDemo({ name: template }: Template): Promise<Knex> {
  const name = unique(template).replaceAll('-', '_');
  await cloneTemplate(name, template);
  return connectDatabase({ url: testDatabaseUrl(name), poolSize: 4, log, timeouts: 'maintenance' });
}

/** Fills the templates that do not exist yet, each from the one before. */
async function ensureTemplates(templates: readonly Template[]): Promise<void> {
  await makeOncePerRun('demo databases', async (client) => {
    let base: string | undefined;
    for (const template of templates) {
      if (!(await exists(client, template))) await create(client, template, base);
      base = template.name;
    }
  });
}

async function exists(client: Client, { name }: Template): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  return rowCount === 1;
}

async function create(client: Client, { name, fill }: Template, base?: string): Promise<void> {
  const draft = `${name}_draft`;
  await client.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
  await cloneTemplate(draft, base);
  const db = connectDatabase({ url: testDatabaseUrl(draft), poolSize: 4, log, timeouts: 'maintenance' });
  try {
    await fill(db);
  } finally {
    await closeDatabase(db);
  }
  await client.query(`ALTER DATABASE ${draft} RENAME TO ${name}`);
}

/**
 * Builds an `isRunning` for `loadDemoOrders` that stops after `orders` orders; those of the documented
 * examples come first.
 */
export function stopAfterOrders(orders: number): () => boolean {
  let left = orders;
  return () => left-- > 0;
}
