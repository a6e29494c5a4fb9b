import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { loadLargeCatalogue } from '../seeds/load/load-catalogue';
import { progressBar } from '../seeds/load/progress-bar';
import { sharedPictures } from '../seeds/load/shared-pictures';
import { loadFacts, loadReference } from '../seeds/reference';
import { filesFolder } from '../src/config';
import { startEmbeddedPostgres } from '../src/platform/database/embedded';
import { closeDatabase, connectDatabase } from '../src/platform/database/knex';
import { migrate } from '../src/boot/migrate';
import { localDisk } from '../src/platform/storage/local-disk';

const IMAGES_EACH = 2;
export const log = pino({ level: 'warn' }, pino.destination(2));

/** A PostgreSQL of its own in a temporary folder, set up as the store sets up its embedded one. */
export interface BenchPostgres {
  folder: string;
  /** Makes a database with the reference data and a catalog of `products`. @returns its URL */
  createStore: (products: number) => Promise<string>;
  /** Stops it and removes its folder. */
  stop: () => Promise<void>;
}

/** Starts one; its folder is made, and gone after `stop`. */
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

/** Lends a small pool that waits as long as it takes. */
export async function withDb<T>(url: string, work: (db: Knex) => Promise<T>): Promise<T> {
  const db = connectDatabase({ url, poolSize: 4, log, patience: 'maintenance' });
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
  const storage = localDisk(filesFolder({ dataDir: folder }));
  await loadLargeCatalogue(db, {
    products,
    images: { each: IMAGES_EACH, storage_keys: await sharedPictures({ db, storage, log }) },
    onProgress: progressBar('products', process.stderr),
  });
  // As autovacuum leaves a catalog that is at rest.
  await db.raw('VACUUM ANALYZE');
}
