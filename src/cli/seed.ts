import path from 'node:path';
import { pino } from 'pino';
import { loadDemo } from '../../seeds/demo';
import { loadDemoOrders } from '../../seeds/demo/orders';
import { loadLargeCatalogue } from '../../seeds/load/load-catalogue';
import { progressBar } from '../../seeds/load/progress-bar';
import { sharedPictures } from '../../seeds/load/shared-pictures';
import { loadFacts, loadReference } from '../../seeds/reference';
import { loadConfig } from '../config';
import type { Deps } from '../context';
import { closeDatabase, connectDatabase } from '../platform/database/knex';
import { migrate } from '../platform/database/migrate';
import { openDatabase } from '../platform/database/open-database';
import { reportStartFailure } from '../platform/startup-error';
import { localDisk } from '../platform/storage/local-disk';
import { updateFilledOrders } from '../sales/orders/filled-backorders';
import { builtInGateways } from '../sales/payments/gateways/registry';
import { loadSecretKey } from '../secret-key';
import { readSeedOrder, type SeedOrder } from './seed-order';

async function fill(deps: Deps, order: SeedOrder): Promise<void> {
  await migrate(deps.db);
  await loadFacts(deps.db);
  const isNew = await loadReference(deps.db);
  say(isNew ? 'Reference data loaded.' : 'Reference data left as it is: the store is in use.');
  if (order.demo) {
    say((await loadDemo(deps)) ? 'Demo store loaded.' : 'Demo store not loaded: the store is in use.');
    const orders = await loadDemoOrders(deps);
    if (orders !== null) say(`${orders} demo orders made.`);
  }
  if (order.products > 0) await fillLarge(deps, order);
}

async function fillLarge(deps: Deps, { products, images }: SeedOrder): Promise<void> {
  const storage_keys = images > 0 ? await sharedPictures(deps) : [];
  await loadLargeCatalogue(deps.db, {
    products,
    images: { each: images, storage_keys },
    onProgress: progressBar('products', process.stderr),
  });
  say(`There are ${products} load-test products or more.`);
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/**
 * Fills a store from the command line: the reference data and the demo store where there is nothing yet, load-test products
 * in any. With the embedded database the store itself must not be running: its folder belongs to one process.
 */
async function main(): Promise<void> {
  const order = readSeedOrder(process.argv.slice(2));
  const config = loadConfig();
  const log = pino({ level: 'warn' }, pino.destination(2));
  const database = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir }, log);
  const db = connectDatabase({ url: database.url, poolSize: 4, log, patience: 'maintenance' });
  try {
    const storage = localDisk(path.join(config.dataDir, 'files'));
    const deps: Deps = {
      ...{ db, storage, log, now: () => new Date() },
      onBackordersFilled: updateFilledOrders,
      gateways: builtInGateways,
      secret: await loadSecretKey(config),
    };
    await fill(deps, order);
  } finally {
    await closeDatabase(db);
    await database.stop();
  }
}

main().catch(reportStartFailure);
