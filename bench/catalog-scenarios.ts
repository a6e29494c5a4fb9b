import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import { withDb } from './databases';
import { withCountedStore } from './in-process-store';
import { createPostgresClock } from './cpu';
import { measureFacets } from './facet-scenarios';
import { measureGet, measureGetBeside, measureGets, type Figures } from './load';
import { startLimits, startStore, type ServerProcess } from './processes';
import type { Measured, Section } from './report';

/** A catalog to measure. */
export interface CatalogBench {
  databaseUrl: string;
  /** A smaller catalog; each read is measured alternately with the same read there. */
  smallerUrl?: string;
  /** The folder of the database server; the store's DATA_DIR is a subfolder. */
  folder: string;
  seconds: number;
  /** Processes of the store. */
  workers: number;
}

/** The servers of one section. */
interface Servers {
  store: ServerProcess;
  limits: ServerProcess;
  smaller: ServerProcess | null;
}

interface Read {
  name: string;
  path: string;
  /** The baseline to compare with, and the target share of it. */
  limit: 'bytes' | 'row';
  target?: number;
}

/** Filters of a shop; `[noun]` stands for a word that one of forty products has. */
const FILTERS: Record<string, string> = {
  'price filter': 'price_min=50&price_max=100',
  'sorted by price': 'q[s]=price%20asc',
  'one taxon of twenty': 'taxon=load-categories/kids',
  'common search': 'search=[noun]',
  // A category page: the products of a size up to a price, with the counts of every facet.
  'two filters and facets':
    'option[load-size]=medium&price_max=50&facets=options,properties,taxons,price,in_stock',
};

/**
 * Builds the requests to measure for a catalog, including one product and a search for a word that one of forty
 * products contains. `[<id>]` makes every request unique, so that no cached response matches.
 */
async function buildReads(db: Knex): Promise<Read[]> {
  const { slug, name } = await db('products')
    .orderBy('id')
    .offset(500)
    .first<{ slug: string; name: string }>();
  const show = `/api/v1/products/${slug}`;
  const noun = name.split(' ')[2] ?? '';
  const search = `/api/v1/products?q[name_cont]=${noun}`;
  return [
    { name: 'product list (25, full details)', path: '/api/v1/products', limit: 'bytes', target: 0.3 },
    { name: 'one product', path: show, limit: 'row', target: 0.5 },
    { name: 'search by name', path: search, limit: 'row', target: 0.15 },
    { name: 'product list, uncached', path: '/api/v1/products?n=[<id>]', limit: 'bytes' },
    { name: 'one product, uncached', path: `${show}?n=[<id>]`, limit: 'row' },
    { name: 'search by name, uncached', path: `${search}&n=[<id>]`, limit: 'row' },
    ...Object.entries(FILTERS).map(([what, query]): Read => {
      const path = `/api/v1/products?${query.replace('[noun]', noun)}&n=[<id>]`;
      return { name: `${what}, uncached`, path, limit: 'row' };
    }),
    {
      name: 'suggestions for the beginning of a word, uncached',
      path: `/api/v1/products/suggest?search=${noun.slice(0, 3)}&n=[<id>]`,
      limit: 'row',
    },
  ];
}

/** Measures each read alternately with its baseline and with the same read of the smaller catalog, if there is one. */
export async function measureCatalog(bench: CatalogBench, section: Section): Promise<void> {
  const reads = await withDb(bench.databaseUrl, buildReads);
  const smallerReads = bench.smallerUrl === undefined ? [] : await withDb(bench.smallerUrl, buildReads);
  const statements = await countStatements(bench, reads);
  if (bench.smallerUrl !== undefined)
    await withDb(bench.databaseUrl, (db) => measureFacets(db, createPostgresClock(bench.folder), section));
  await withServers(bench, async (servers) => {
    for (const [at, read] of reads.entries()) {
      const { line, times } = await measureRead(bench, [read, smallerReads[at] ?? read], servers);
      section.addMeasurement({ ...line, statements: statements.get(read.name) ?? 0 });
      if (read.path.includes('facets='))
        section.addFinding('  facets', await describeFacets(servers.store.url + read.path));
      if (times !== null)
        section.addFinding('  mean time', `${times.toFixed(2)} times that of the small catalog`);
    }
    await measureDuringWrites(bench, servers.store, section);
    await measureBesideHostileFilters(bench, servers.store, { show: reads[1], section });
  });
}

/** Returns which facets of a list are estimated. */
async function describeFacets(url: string): Promise<string> {
  const list = (await (await fetch(url)).json()) as { facets: { approximate?: string[] } }; // the reply of a list
  const { approximate = [] } = list.facets;
  return approximate.length === 0 ? 'all exact' : `estimated: ${approximate.join(', ')}`;
}

async function withServers(bench: CatalogBench, work: (servers: Servers) => Promise<void>): Promise<void> {
  const { databaseUrl, smallerUrl, folder, workers } = bench;
  const started: ServerProcess[] = [];
  const start = async (starting: Promise<ServerProcess>): Promise<ServerProcess> => {
    const server = await starting;
    started.push(server);
    return server;
  };
  const open = (url: string, dataDir: string) =>
    start(
      startStore({
        DATABASE_URL: url,
        DATA_DIR: path.join(folder, dataDir),
        SEED: 'none',
        WORKERS: String(workers),
      }),
    );
  try {
    const store = await open(databaseUrl, 'store');
    const smaller = smallerUrl === undefined ? null : await open(smallerUrl, 'smaller-store');
    const BYTES = await saveList(folder, store);
    const limits = await start(startLimits({ DATABASE_URL: databaseUrl, BYTES }));
    await work({ store, smaller, limits });
  } finally {
    for (const server of started) await server.stop();
  }
}

async function measureRead(
  { seconds, folder }: CatalogBench,
  [read, smallerRead]: readonly [Read, Read],
  { store, limits, smaller }: Servers,
): Promise<{ line: Measured; times: number | null }> {
  const postgres = createPostgresClock(folder);
  const [figures, limit, small] = await measureGets(
    [
      { url: store.url + read.path, clocks: { server: store.cpu, postgres } },
      { url: `${limits.url}/${read.limit}`, clocks: { server: limits.cpu, postgres } },
      ...(smaller === null ? [] : [{ url: smaller.url + smallerRead.path }]),
    ],
    seconds,
  );
  const line = {
    name: read.name,
    unit: 'req',
    ...figures,
    compared: {
      with: `${read.limit === 'bytes' ? '(a)' : '(b)'} at ${Math.round(limit.rate)}, CPU ${formatCpu(limit)}`,
      ratio: figures.rate / limit.rate,
      ...(read.target !== undefined && { target: read.target }),
    },
    memory: await store.memory(),
  };
  return { line, times: small === undefined ? null : figures.mean / small.mean };
}

/** Saves the bytes of the product list for baseline (a). @returns the path of the file */
async function saveList(folder: string, store: ServerProcess): Promise<string> {
  const list = await fetch(`${store.url}/api/v1/products`);
  const file = path.join(folder, 'list.json');
  writeFileSync(file, Buffer.from(await list.arrayBuffer()));
  return file;
}

function formatCpu({ cpu }: Figures): string {
  return `${cpu?.server?.toFixed(2) ?? '?'} + ${cpu?.postgres?.toFixed(2) ?? '?'} ms`;
}

/** The writes per second during which the product list is measured. */
const STOCK_CHANGES = [20, 100];

/**
 * Measures the product list during stock changes, each in its own transaction with a stock movement, as a sale makes
 * them.
 */
async function measureDuringWrites(
  { databaseUrl, seconds }: CatalogBench,
  store: ServerProcess,
  section: Section,
): Promise<void> {
  const url = `${store.url}/api/v1/products`;
  await withDb(databaseUrl, async (db) => {
    const items = db('stock_items').whereNull('deleted_at').orderBy('id').limit(2_000);
    const ids = await items.pluck<number[]>('id');
    for (const rate of STOCK_CHANGES) {
      const quiet = await measureGet({ url }, seconds);
      const stopWriting = startWriting(rate, (count) => changeStock(db, ids[count % ids.length] ?? 0));
      const figures = await measureGet({ url }, seconds);
      const { written, elapsed } = await stopWriting();
      section.addMeasurement({
        name: `product list during ${rate} stock changes per second`,
        unit: 'req',
        ...figures,
        compared: { with: `the quiet list at ${Math.round(quiet.rate)}`, ratio: figures.rate / quiet.rate },
        memory: await store.memory(),
      });
      section.addFinding('  stock changes', `${(written / elapsed).toFixed(0)} per second`);
    }
  });
}

/** Runs `write` `rate` times a second, one after another. The returned function stops it. Elapsed seconds. */
function startWriting(
  rate: number,
  write: (count: number) => Promise<void>,
): () => Promise<{ written: number; elapsed: number }> {
  const started = performance.now();
  let written = 0;
  let isStopped = false;
  const run = async (): Promise<void> => {
    while (!isStopped) {
      await write(written);
      written += 1;
      const ahead = (written * 1000) / rate - (performance.now() - started);
      if (ahead > 0) await wait(ahead);
    }
  };
  const running = run();
  return async () => {
    isStopped = true;
    await running;
    return { written, elapsed: (performance.now() - started) / 1000 };
  };
}

async function changeStock(db: Knex, id: number): Promise<void> {
  await db.raw(
    `WITH moved AS (INSERT INTO stock_movements (stock_item_id, quantity) VALUES (:id, 1))
     UPDATE stock_items SET count_on_hand = count_on_hand + 1 WHERE id = :id`,
    { id },
  );
}

/** Searches and sorts that any guest may request, and that read much of the catalog. */
const HOSTILE = ['q[price_gteq]=10&q[price_lteq]=20', 'q[s]=price%20asc', 'q[name_cont]=e&q[s]=name%20desc'];

const HOSTILE_CLIENTS = 16;

/** Measures one product while sixteen other clients repeat expensive searches. */
async function measureBesideHostileFilters(
  { seconds }: CatalogBench,
  store: ServerProcess,
  { show, section }: { show: Read | undefined; section: Section },
): Promise<void> {
  if (show === undefined) throw new Error('there is no product to show');
  const url = store.url + show.path;
  const quiet = await measureGet({ url }, seconds);
  // The id is different in every request, so that no cached response matches.
  const urls = HOSTILE.map((query) => `${store.url}/api/v1/products?${query}&n=[<id>]`);
  const figures = await measureGetBeside({ url }, { urls, connections: HOSTILE_CLIENTS, seconds });
  const name = `one product during ${HOSTILE_CLIENTS} hostile filters`;
  section.addMeasurement({ name, unit: 'req', ...figures });
  const times = figures.mean / quiet.mean;
  section.addFinding('  mean time', `${times.toFixed(1)} times that of a quiet store`);
}

async function countStatements(bench: CatalogBench, reads: readonly Read[]): Promise<Map<string, number>> {
  return withCountedStore(bench, async ({ url, statements }) => {
    const counts = new Map<string, number>();
    await fetch(`${url}/api/v1/products`);
    for (const read of reads) {
      const get = () => fetch(url + read.path).then((reply) => reply.arrayBuffer());
      if (!read.path.includes('[<id>]')) await get();
      const before = statements();
      await get();
      counts.set(read.name, statements() - before);
    }
    return counts;
  });
}
