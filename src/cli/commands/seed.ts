import { Argument, Option, type Command } from 'commander';
import { loadDemoOrders } from '../../../seeds/demo/orders';
import { loadLargeCatalogue } from '../../../seeds/load/load-catalogue';
import { progressBar } from '../../../seeds/load/progress-bar';
import { sharedPictures } from '../../../seeds/load/shared-pictures';
import type { SeedMode } from '../../config';
import type { Deps } from '../../access/context';
import { realDeps } from '../../boot/deps';
import { fillStore } from '../../boot/prepare-store';
import { leaf, type Cli, type Io, type Report } from '../cli';
import { wholeNumber } from '../input';
import { withStore } from '../open-store';

const MOST_PRODUCTS = 5_000_000;
const MOST_IMAGES = 8;

interface SeedOptions {
  json?: boolean;
  /** How many load-test products there shall be. */
  products?: number;
  /** Images of each load-test product. */
  images?: number;
}

/** `store seed`: fills a store as its first start does, or with load-test products. */
export function addSeed(program: Command, cli: Cli): void {
  const command: Command = leaf(program, 'seed', {
    summary: 'Fill an empty store, or any with load-test products',
    about:
      'Migrates first. Countries and states come in every mode; reference adds zones, shipping and payment methods and the like, demo a catalog, customers and orders too. What an owner has set up is left as it is.',
  })
    .addArgument(
      new Argument('[mode]', 'unless said: what SEED says; with --products reference').choices([
        'none',
        'reference',
        'demo',
      ]),
    )
    .addOption(
      new Option('--products <n>', `have this many load-test products, up to ${MOST_PRODUCTS}`).argParser(
        wholeNumber(MOST_PRODUCTS),
      ),
    )
    .addOption(
      new Option('--images <n>', `images of each of them, up to ${MOST_IMAGES}`).argParser(
        wholeNumber(MOST_IMAGES),
      ),
    )
    .action((mode: SeedMode | undefined, options: SeedOptions) => {
      if (options.images !== undefined && options.products === undefined)
        command.error('error: --images needs --products');
      return cli.report(options, () => seed(cli.io, mode, options));
    });
}

async function seed(
  io: Io,
  mode: SeedMode | undefined,
  { products, images = 0 }: SeedOptions,
): Promise<Report> {
  return withStore(io, 'made', async ({ config, db, log }) => {
    const deps = await realDeps(config, db, log);
    const wanted = mode ?? (products === undefined ? config.seed : 'reference');
    const { migrations, reference, demo } = await fillStore(deps, wanted);
    const orders = wanted === 'demo' ? await loadDemoOrders(deps) : null;
    if (products !== undefined) await loadProducts(deps, io, { products, images });
    const told = [
      ...(migrations.length > 0 ? [`${migrations.length} migrations run.`] : []),
      'Countries and states are there.',
      ...(wanted === 'none' ? [] : [reference ? 'Reference data loaded.' : kept('Reference data')]),
      ...(wanted === 'demo' ? [demo ? 'Demo store loaded.' : kept('Demo store')] : []),
      ...(orders === null ? [] : [`${orders} demo orders made.`]),
      ...(products === undefined ? [] : [`There are ${products} load-test products or more.`]),
    ];
    const json = { mode: wanted, migrations, reference, demo, demo_orders: orders, products: products ?? 0 };
    return { json, text: told.join('\n') };
  });
}

function kept(what: string): string {
  return `${what} not loaded: the store is in use.`;
}

async function loadProducts(
  deps: Deps,
  io: Io,
  { products, images }: { products: number; images: number },
): Promise<void> {
  await loadLargeCatalogue(deps.db, {
    products,
    images: { each: images, storage_keys: images > 0 ? await sharedPictures(deps) : [] },
    onProgress: progressBar('products', io.stderr),
  });
}
