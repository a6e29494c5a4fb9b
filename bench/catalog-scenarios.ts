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
  /** Of the database server; the store's DATA_DIR lies in it too. */
  folder: string;
  seconds: number;
}

interface Read {
  name: string;
  path: string;
  /** Which limit it is compared with, and the share of it that is aimed at. */
  limit: 'bytes' | 'row';
  aim?: number;
}

/** `[<id>]` makes each request one that nobody has sent before, so that nothing kept can answer it. */
function readsOf(slug: string, word: string): Read[] {
  const search = `/api/v1/products?q[name_cont]=${word}`;
  return [
    { name: 'product list (25, full detail)', path: '/api/v1/products', limit: 'bytes', aim: 0.3 },
    { name: 'product show', path: `/api/v1/products/${slug}`, limit: 'row', aim: 0.5 },
    { name: 'search by name', path: search, limit: 'row', aim: 0.15 },
    { name: 'product list, each for the first time', path: '/api/v1/products?n=[<id>]', limit: 'bytes' },
    {
      name: 'product show, each for the first time',
      path: `/api/v1/products/${slug}?n=[<id>]`,
      limit: 'row',
    },
    { name: 'search by name, each for the first time', path: `${search}&n=[<id>]`, limit: 'row' },
  ];
}

/** Measures each read in turns with its limit. @returns the mean time of each read, by its name */
export async function measureCatalog(bench: CatalogBench, section: Section): Promise<Map<string, number>> {
  const { slug, word } = await withDb(bench.databaseUrl, sample);
  const reads = readsOf(slug, word);
  const statements = await countStatements(bench, reads);
  const store = await startStore({
    DATABASE_URL: bench.databaseUrl,
    DATA_DIR: path.join(bench.folder, 'store'),
    SEED: 'none',
  });
  try {
    const limits = await startLimits({
      DATABASE_URL: bench.databaseUrl,
      BYTES: await keepList(bench, store),
    });
    const means = new Map<string, number>();
    try {
      for (const read of reads) {
        const line = await measureRead(bench, read, { store, limits });
        section.measured({ ...line, statements: statements.get(read.name) ?? 0 });
        means.set(read.name, line.mean);
      }
    } finally {
      await limits.stop();
    }
    await measureBesideWrites(bench, store, section);
    return means;
  } finally {
    await store.stop();
  }
}

async function measureRead(
  { seconds }: CatalogBench,
  read: Read,
  { store, limits }: { store: ServerProcess; limits: ServerProcess },
): Promise<Measured> {
  const target = { url: store.url + read.path };
  const [figures, limit] = await measureGets([target, { url: `${limits.url}/${read.limit}` }], seconds);
  return {
    ...{ name: read.name, unit: 'req', ...figures },
    compared: {
      with: `${read.limit === 'bytes' ? '(a)' : '(b)'} at ${Math.round(limit.rate)}`,
      ratio: figures.rate / limit.rate,
      ...(read.aim !== undefined && { aim: read.aim }),
    },
    memory: await store.memory(),
  };
}

/** @returns a file with the bytes of the product list, for limit (a) to send */
async function keepList({ folder }: CatalogBench, store: ServerProcess): Promise<string> {
  const list = await fetch(`${store.url}/api/v1/products`);
  const file = path.join(folder, 'list.json');
  writeFileSync(file, Buffer.from(await list.arrayBuffer()));
  return file;
}

/** Any product, and a word that one product in forty has in its name. */
async function sample(db: Knex): Promise<{ slug: string; word: string }> {
  const product = await db('products').orderBy('id').offset(500).first<{ slug: string; name: string }>();
  return { slug: product.slug, word: product.name.split(' ')[2] ?? '' };
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
