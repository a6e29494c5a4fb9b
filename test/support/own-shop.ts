import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { loadConfig } from '../../src/config';
import { closeDatabase, connectDatabase } from '../../src/platform/database/knex';
import { prepareStore } from '../../src/boot/prepare-store';
import { testDatabaseUrl } from '../setup/test-server';
import { anAdmin } from './accounts.factory';
import { api, makeTestApp, type TestApp } from './api';
import { cloneTemplate, createEmptyDatabase, dropClone } from './database';

/** A store with its own database, separate from that of the test file. */
export interface OwnShop {
  db: Knex;
  app: TestApp;
  /** The API with the token of this store's admin. */
  admin: ReturnType<typeof api>;
  close(): Promise<void>;
}

const log = pino({ level: 'error' });

/** Creates a store with the reference data, as SEED=reference does. Close it in afterAll. */
export async function createOwnShop(): Promise<OwnShop> {
  const name = buildDatabaseName();
  await cloneTemplate(name);
  const shop = openShop(name);
  return { ...shop, admin: api(await anAdmin(shop.db), shop.app) };
}

/**
 * Creates a store as the first start with SEED=none does: countries, states and an admin. Close it in
 * afterAll.
 */
export async function createEmptyShop(): Promise<OwnShop> {
  const name = buildDatabaseName();
  await createEmptyDatabase(name);
  const token = randomBytes(32).toString('hex');
  const config = loadConfig({ SEED: 'none', ADMIN_TOKEN: token });
  await prepareStore(config, testDatabaseUrl(name), log);
  const shop = openShop(name);
  return { ...shop, admin: api({ token }, shop.app) };
}

function buildDatabaseName(): string {
  return `store_own_${randomBytes(6).toString('hex')}`;
}

function openShop(name: string): Omit<OwnShop, 'admin'> {
  const db = connectDatabase({ url: testDatabaseUrl(name), poolSize: 5, log, timeouts: 'maintenance' });
  return {
    db,
    app: makeTestApp({ db }),
    close: async () => {
      await closeDatabase(db);
      await dropClone(name);
    },
  };
}
