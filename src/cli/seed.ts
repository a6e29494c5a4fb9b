import path from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { loadDemo } from '../../seeds/demo';
import { loadLargeCatalogue } from '../../seeds/load/load-catalogue';
import { progressBar } from '../../seeds/load/progress-bar';
import { sharedPictures } from '../../seeds/load/shared-pictures';
import { loadFacts, loadReference } from '../../seeds/reference';
import { loadConfig } from '../config';
import type { Deps } from '../context';
import { closeDatabase, connectDatabase } from '../platform/database/knex';
import { migrate } from '../platform/database/migrate';
import { openDatabase } from '../platform/database/open-database';
import { reportStartFailure, StartupError } from '../platform/startup-error';
import { localDisk } from '../platform/storage/local-disk';

const USAGE = 'npm run seed -- [--demo | --reference] [--products N [--images N]]';
const MOST_PRODUCTS = 5_000_000;
const MOST_IMAGES = 8;

interface SeedOrder {
  readonly demo: boolean;
  /** How many load-test products there shall be; 0 for none. */
  readonly products: number;
  /** Images of each load-test product. */
  readonly images: number;
}

/** @throws StartupError with the usage when an argument cannot be used. */
function readOrder(argv: readonly string[]): SeedOrder {
  const { demo, reference, products, images } = parse(argv);
  if (demo && reference) throw misuse('--demo includes --reference: give one of them');
  if (!demo && !reference && products === undefined) throw misuse('There is nothing to do');
  return {
    demo,
    products: wholeNumber('--products', products, MOST_PRODUCTS),
    images: wholeNumber('--images', images, MOST_IMAGES),
  };
}

function parse(argv: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        demo: { type: 'boolean', default: false },
        reference: { type: 'boolean', default: false },
        products: { type: 'string' },
        images: { type: 'string' },
      },
    });
    return values;
  } catch (error) {
    throw misuse(error instanceof Error ? error.message : String(error));
  }
}

function wholeNumber(option: string, value: string | undefined, most: number): number {
  if (value === undefined) return 0;
  if (!/^\d{1,9}$/.test(value) || Number(value) > most)
    throw misuse(`${option} must be a whole number up to ${most}`);
  return Number(value);
}

function misuse(problem: string): StartupError {
  return new StartupError(`${problem}. Usage: ${USAGE}`);
}

type SeedDeps = Pick<Deps, 'db' | 'storage' | 'now' | 'log'>;

async function fill(deps: SeedDeps, order: SeedOrder): Promise<void> {
  await migrate(deps.db);
  await loadFacts(deps.db);
  const isNew = await loadReference(deps.db);
  say(isNew ? 'Reference data loaded.' : 'Reference data left as it is: the store is in use.');
  if (order.demo) {
    say((await loadDemo(deps)) ? 'Demo store loaded.' : 'Demo store not loaded: the store is in use.');
  }
  if (order.products > 0) await fillLarge(deps, order);
}

async function fillLarge(deps: SeedDeps, { products, images }: SeedOrder): Promise<void> {
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
  const order = readOrder(process.argv.slice(2));
  const config = loadConfig();
  const log = pino({ level: 'warn' }, pino.destination(2));
  const database = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir }, log);
  const db = connectDatabase({ url: database.url, poolSize: 4, log, patience: 'maintenance' });
  try {
    const storage = localDisk(path.join(config.dataDir, 'files'));
    await fill({ db, storage, log, now: () => new Date() }, order);
  } finally {
    await closeDatabase(db);
    await database.stop();
  }
}

main().catch(reportStartFailure);
