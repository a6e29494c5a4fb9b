import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Knex } from 'knex';
import { withDb } from './databases';
import { withCountedStore } from './in-process-store';
import { measureGet, measureGets } from './load';
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

/**
 * Builds the requests to measure for a catalog, including one product and a search for a word that one of forty products
 * contains. `[<id>]` makes every request unique, so that no cached response matches.
 */
async function buildReads(db: Knex): Promise<Read[]> {
  const { slug, name } = await db('products')
    .orderBy('id')
    .offset(500)
    .first<{ slug: string; name: string }>();
  const show = `/api/v1/products/${slug}`;
  const search = `/api/v1/products?q[name_cont]=${name.split(' ')[2] ?? ''}`;
  return [
    { name: 'product list (25, full details)', path: '/api/v1/products', limit: 'bytes', target: 0.3 },
    { name: 'one product', path: show, limit: 'row', target: 0.5 },
    { name: 'search by name', path: search, limit: 'row', target: 0.15 },
    { name: 'product list, uncached', path: '/api/v1/products?n=[<id>]', limit: 'bytes' },
    { name: 'one product, uncached', path: `${show}?n=[<id>]`, limit: 'row' },
    { name: 'search by name, uncached', path: `${search}&n=[<id>]`, limit: 'row' },
  ];
}

/** Measures each read alternately with its baseline and with the same read of the smaller catalog, if there is one. */
export async function measureCatalog(bench: CatalogBench, section: Section): Promise<void> {
  const reads = await withDb(bench.databaseUrl, buildReads);
  const smallerReads = bench.smallerUrl === undefined ? [] : await withDb(bench.smallerUrl, buildReads);
  const statements = await countStatements(bench, reads);
  await withServers(bench, async (servers) => {
    for (const [at, read] of reads.entries()) {
      const { line, times } = await measureRead(bench, [read, smallerReads[at] ?? read], servers);
      section.addMeasurement({ ...line, statements: statements.get(read.name) ?? 0 });
      if (times !== null)
        section.addFinding('  mean time', `${times.toFixed(2)} times that of the small catalog`);
    }
    await measureDuringWrites(bench, servers.store, section);
  });
}

async function withServers(bench: CatalogBench, work: (servers: Servers) => Promise<void>): Promise<void> {
  const { databaseUrl, smallerUrl, folder } = bench;
  const started: ServerProcess[] = [];
  const start = async (starting: Promise<ServerProcess>): Promise<ServerProcess> => {
    const server = await starting;
    started.push(server);
    return server;
  };
  const open = (url: string, dataDir: string) =>
    start(startStore({ DATABASE_URL: url, DATA_DIR: path.join(folder, dataDir), SEED: 'none' }));
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
  { seconds }: CatalogBench,
  [read, smallerRead]: readonly [Read, Read],
  { store, limits, smaller }: Servers,
): Promise<{ line: Measured; times: number | null }> {
  const [figures, limit, small] = await measureGets(
    [
      { url: store.url + read.path },
      { url: `${limits.url}/${read.limit}` },
      ...(smaller === null ? [] : [{ url: smaller.url + smallerRead.path }]),
    ],
    seconds,
  );
  const line = {
    ...{ name: read.name, unit: 'req', ...figures },
    compared: {
      with: `${read.limit === 'bytes' ? '(a)' : '(b)'} at ${Math.round(limit.rate)}`,
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

/** Measures the product list during 20 writes per second, each of which invalidates the reply cache. */
async function measureDuringWrites(
  { databaseUrl, seconds }: CatalogBench,
  store: ServerProcess,
  section: Section,
): Promise<void> {
  await withDb(databaseUrl, async (db) => {
    let writing = Promise.resolve();
    const timer = setInterval(() => {
      writing = writing.then(async () => {
        await db.raw('UPDATE stock_items SET backorderable = true WHERE id = 1');
      });
    }, 50);
    try {
      const figures = await measureGet({ url: `${store.url}/api/v1/products` }, seconds);
      const name = 'product list during 20 stock changes per second';
      section.addMeasurement({ name, unit: 'req', ...figures, memory: await store.memory() });
    } finally {
      clearInterval(timer);
      await writing;
    }
  });
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
