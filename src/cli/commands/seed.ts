import { Argument, Option, type Command } from 'commander';
import { loadDemoOrders } from '../../../seeds/demo/orders';
import { loadLargeCatalogue } from '../../../seeds/load/load-catalogue';
import { createProgressBar } from '../../../seeds/load/progress-bar';
import { ensureSharedPictures } from '../../../seeds/load/shared-pictures';
import type { SeedMode } from '../../config';
import type { Deps } from '../../access/context';
import { createDeps } from '../../boot/deps';
import { migrate } from '../../boot/migrate';
import { fillStore } from '../../boot/prepare-store';
import { addCommand, type Cli, type Io, type Report } from '../cli';
import { parseWholeNumber } from '../input';
import { withStore } from '../open-store';

const MAX_PRODUCTS = 5_000_000;
const MAX_IMAGES = 8;

interface SeedOptions {
  json?: boolean;
  /** Total number of load-test products. */
  products?: number;
  /** Number of images of each load-test product. */
  images?: number;
}

/** Adds `store seed`, which loads seed data or load-test products. */
export function addSeed(program: Command, cli: Cli): void {
  const command: Command = addCommand(program, 'seed', {
    summary: 'Fill an empty store, or add load-test products to any store',
    about:
      'Runs pending migrations first. All modes load countries and states. reference also loads settings such as zones, shipping methods and payment methods; demo also loads a catalog, customers and orders. Existing data is never changed.',
  })
    .addArgument(
      new Argument('[mode]', 'defaults to SEED; with --products, to reference').choices([
        'none',
        'reference',
        'demo',
      ]),
    )
    .addOption(
      new Option('--products <n>', `total number of load-test products, up to ${MAX_PRODUCTS}`).argParser(
        parseWholeNumber(MAX_PRODUCTS),
      ),
    )
    .addOption(
      new Option('--images <n>', `images per load-test product, up to ${MAX_IMAGES}`).argParser(
        parseWholeNumber(MAX_IMAGES),
      ),
    )
    .action((mode: SeedMode | undefined, options: SeedOptions) => {
      if (options.images !== undefined && options.products === undefined)
        command.error('error: --images requires --products');
      return cli.run(options, () => seed(cli.io, mode, options));
    });
}

async function seed(
  io: Io,
  mode: SeedMode | undefined,
  { products, images = 0 }: SeedOptions,
): Promise<Report> {
  return withStore(io, 'created', async ({ config, db, log }) => {
    const migrations = await migrate(db);
    const deps = await createDeps(config, db, log);
    const wanted = mode ?? (products === undefined ? config.seed : 'reference');
    const { reference, demo } = await fillStore(deps, wanted);
    const orders = wanted === 'demo' ? await loadDemoOrders(deps) : null;
    if (products !== undefined) await loadProducts(deps, io, { products, images });
    const lines = [
      ...(migrations.length > 0 ? [`Migrations run: ${migrations.length}.`] : []),
      'Countries and states are up to date.',
      ...(wanted === 'none' ? [] : [reference ? 'Reference data loaded.' : formatSkipped('Reference data')]),
      ...(wanted === 'demo' ? [demo ? 'Demo store loaded.' : formatSkipped('Demo store')] : []),
      ...(orders === null ? [] : [`Demo orders created: ${orders}.`]),
      ...(products === undefined ? [] : [`Load-test products: at least ${products}.`]),
    ];
    const json = { mode: wanted, migrations, reference, demo, demo_orders: orders, products: products ?? 0 };
    return { json, text: lines.join('\n') };
  });
}

function formatSkipped(what: string): string {
  return `${what} not loaded: the store is not empty.`;
}

async function loadProducts(
  deps: Deps,
  io: Io,
  { products, images }: { products: number; images: number },
): Promise<void> {
  await loadLargeCatalogue(deps.db, {
    products,
    images: { each: images, storage_keys: images > 0 ? await ensureSharedPictures(deps) : [] },
    onProgress: createProgressBar('products', io.stderr),
  });
}
