import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { loadLargeCatalogue } from '../seeds/load/load-catalogue';
import { createProgressBar } from '../seeds/load/progress-bar';
import { ensureSharedPictures } from '../seeds/load/shared-pictures';
import { loadFacts, loadReference } from '../seeds/reference';
import { buildFilesPath } from '../src/config';
import { startEmbeddedPostgres } from '../src/platform/database/embedded';
import { closeDatabase, connectDatabase } from '../src/platform/database/knex';
import { migrate } from '../src/boot/migrate';
import { createLocalDisk } from '../src/platform/storage/local-disk';

const IMAGES_EACH = 2;
export const log = pino({ level: 'warn' }, pino.destination(2));

/** A separate PostgreSQL in a temporary folder, configured like the store's embedded one. */
export interface BenchPostgres {
  folder: string;
  /** Creates a database with the reference data and a catalog of `products` products. @returns its URL */
  createStore: (products: number) => Promise<string>;
  /** Copies a database to which nothing is connected. @returns the URL of the copy */
  copyStore: (url: string, name: string) => Promise<string>;
  /** Stops it and removes its folder. */
  stop: () => Promise<void>;
}

/** Starts a PostgreSQL in a new temporary folder; `stop` removes the folder. */
export async function startPostgres(): Promise<BenchPostgres> {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'store-bench-')));
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: folder, log });
    return {
      folder,
      createStore: async (products) => {
        const url = new URL(postgres.url);
        url.pathname = `/bench_${products}`;
        await withDb(postgres.url, (db) => db.raw('CREATE DATABASE ??', [url.pathname.slice(1)]));
        await withDb(url.href, (db) => fill(db, folder, products));
        return url.href;
      },
      copyStore: async (original, name) => {
        const template = new URL(original).pathname.slice(1);
        await withDb(postgres.url, (db) => db.raw('CREATE DATABASE ?? TEMPLATE ??', [name, template]));
        return Object.assign(new URL(original), { pathname: `/${name}` }).href;
      },
      stop: async () => {
        await postgres.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Runs `work` with a small connection pool without timeouts. */
export async function withDb<T>(url: string, work: (db: Knex) => Promise<T>): Promise<T> {
  const db = connectDatabase({ url, poolSize: 4, log, timeouts: 'maintenance' });
  try {
    return await work(db);
  } finally {
    await closeDatabase(db, 10_000);
  }
}

async function fill(db: Knex, folder: string, products: number): Promise<void> {
  await migrate(db);
  await loadFacts(db);
  await loadReference(db);
  const storage = createLocalDisk(buildFilesPath({ dataDir: folder }));
  await loadLargeCatalogue(db, {
    products,
    images: { each: IMAGES_EACH, storage_keys: await ensureSharedPictures({ db, storage, log }) },
    onProgress: createProgressBar('products', process.stderr),
    isUnused: true,
  });
}
