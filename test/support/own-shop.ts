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

/** A store on a database of its own: what it offers concerns no other test. */
export interface OwnShop {
  db: Knex;
  app: TestApp;
  /** The API as this store's admin uses it. */
  admin: ReturnType<typeof api>;
  close(): Promise<void>;
}

const log = pino({ level: 'error' });

/** A store with the reference data, as SEED=reference leaves it. Close it in afterAll. */
export async function createOwnShop(): Promise<OwnShop> {
  const name = buildDatabaseName();
  await cloneTemplate(name);
  const shop = openShop(name);
  return { ...shop, admin: api(await anAdmin(shop.db), shop.app) };
}

/** A store as its first start with SEED=none leaves it: countries, states, and an admin. Close it in afterAll. */
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
