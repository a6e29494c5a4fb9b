import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Knex } from 'knex';
import { withDb } from './databases';
import { withCountedStore } from './in-process-store';
import { measureGet, measureGets } from './load';
import { startLimits, startStore, type ServerProcess } from './processes';
import type { Measured, Section } from './report';

/** A catalog, and what is measured in it. */
export interface CatalogBench {
  databaseUrl: string;
  /** A smaller catalog: each read is measured in turns with the same one there. */
  smallerUrl?: string;
  /** Of the database server; the store's DATA_DIR lies in it too. */
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
  /** Which limit it is compared with, and the share of it that is aimed at. */
  limit: 'bytes' | 'row';
  aim?: number;
}

/**
 * The same questions of any catalog: of a product in it, and for a word that one product in forty has in its name.
 * `[<id>]` makes each request one that nobody has sent before, so that nothing kept can answer it.
 */
async function readsOf(db: Knex): Promise<Read[]> {
  const { slug, name } = await db('products')
    .orderBy('id')
    .offset(500)
    .first<{ slug: string; name: string }>();
  const show = `/api/v1/products/${slug}`;
  const search = `/api/v1/products?q[name_cont]=${name.split(' ')[2] ?? ''}`;
  return [
    { name: 'product list (25, full detail)', path: '/api/v1/products', limit: 'bytes', aim: 0.3 },
    { name: 'product show', path: show, limit: 'row', aim: 0.5 },
    { name: 'search by name', path: search, limit: 'row', aim: 0.15 },
    { name: 'product list, each for the first time', path: '/api/v1/products?n=[<id>]', limit: 'bytes' },
    { name: 'product show, each for the first time', path: `${show}?n=[<id>]`, limit: 'row' },
    { name: 'search by name, each for the first time', path: `${search}&n=[<id>]`, limit: 'row' },
  ];
}

/** Measures each read in turns with its limit, and with the same read of the smaller catalog where there is one. */
export async function measureCatalog(bench: CatalogBench, section: Section): Promise<void> {
  const reads = await withDb(bench.databaseUrl, readsOf);
  const smallerReads = bench.smallerUrl === undefined ? [] : await withDb(bench.smallerUrl, readsOf);
  const statements = await countStatements(bench, reads);
  await withServers(bench, async (servers) => {
    for (const [at, read] of reads.entries()) {
      const { line, times } = await measureRead(bench, [read, smallerReads[at] ?? read], servers);
      section.measured({ ...line, statements: statements.get(read.name) ?? 0 });
      if (times !== null) section.found('  its mean time', `${times.toFixed(2)} times that in the small one`);
    }
    await measureBesideWrites(bench, servers.store, section);
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
    const BYTES = await keepList(folder, store);
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
      ...(read.aim !== undefined && { aim: read.aim }),
    },
    memory: await store.memory(),
  };
  return { line, times: small === undefined ? null : figures.mean / small.mean };
}

/** @returns a file with the bytes of the product list, for limit (a) to send */
async function keepList(folder: string, store: ServerProcess): Promise<string> {
  const list = await fetch(`${store.url}/api/v1/products`);
  const file = path.join(folder, 'list.json');
  writeFileSync(file, Buffer.from(await list.arrayBuffer()));
  return file;
}

/** A write 20 times a second makes everything kept worthless 20 times a second. */
async function measureBesideWrites(
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
      const name = 'product list beside 20 changes of stock a second';
      section.measured({ name, unit: 'req', ...figures, memory: await store.memory() });
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
