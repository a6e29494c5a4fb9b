import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { closeDatabase, connectDatabase } from '../../src/platform/database/knex';
import { testDatabaseUrl } from '../setup/test-server';
import { anAdmin } from './accounts.factory';
import { api, makeTestApp, type TestApp } from './api';
import { cloneTemplate, dropClone } from './database';

/** A store on a database of its own: what it offers concerns no other test. */
export interface OwnShop {
  db: Knex;
  app: TestApp;
  /** The API as this store's admin uses it. */
  admin: ReturnType<typeof api>;
  close(): Promise<void>;
}

/** A store with the reference data, as SEED=reference leaves it. Close it in afterAll. */
export async function ownShop(): Promise<OwnShop> {
  const name = `store_own_${randomBytes(6).toString('hex')}`;
  await cloneTemplate(name);
  const url = testDatabaseUrl(name);
  const db = connectDatabase({ url, poolSize: 5, log: pino({ level: 'error' }), patience: 'maintenance' });
  const app = makeTestApp({ db });
  return {
    db,
    app,
    admin: api(await anAdmin(db), app),
    close: async () => {
      await closeDatabase(db);
      await dropClone(name);
    },
  };
}
