import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { loadLargeCatalogue } from '../../seeds/load/load-catalogue';
import { createProgressBar } from '../../seeds/load/progress-bar';
import { ensureSharedPictures } from '../../seeds/load/shared-pictures';
import { createLocalDisk } from '../../src/platform/storage/local-disk';
import { findViolations } from '../../src/sales/verify/find-violations';
import { brokenRules } from './invariants';
import { closeDatabase, digestOf, ownDatabase } from './own-database';

/** Returns the content of products without ids and times. */
function contentOf(db: Knex): Promise<unknown[]> {
  return db('variants')
    .join('products', 'products.id', 'variants.product_id')
    .join('prices', 'prices.variant_id', 'variants.id')
    .join('stock_items', 'stock_items.variant_id', 'variants.id')
    .orderBy('variants.sku')
    .select(
      'variants.sku',
      'products.name',
      'description',
      'slug',
      'available_on',
      'amount',
      'count_on_hand',
      'backorderable',
    );
}

describe('loadLargeCatalogue', () => {
  let db: Knex;

  beforeAll(async () => {
    db = await ownDatabase();
    await loadLargeCatalogue(db, { products: 120 });
  });
  afterAll(() => closeDatabase(db));

  test('writes no events of invented products', async () => {
    expect(await db('event_notes').whereIn('kind', ['product', 'variant', 'stock'])).toEqual([]);
  });

  test('creates products with three variants that meet all rules of the catalogue', async () => {
    expect(await db('products').count().first()).toEqual({ count: '120' });
    expect(await db('variants').count().first()).toEqual({ count: '480' });
    expect(await db('classifications').count().first()).toEqual({ count: '240' });
    expect(await brokenRules(db)).toEqual({});
  });

  test('analyzes only tables with rows', async () => {
    const rows = await db('pg_class')
      .whereIn('relname', ['orders', 'payments', 'products'])
      .orderBy('relname')
      .pluck<number[]>('reltuples');
    // -1: without statistics.
    expect(rows).toEqual([-1, -1, 120]);
  });

  test('is checked by rules that detect violations', async () => {
    const tx = await db.transaction();
    try {
      const first = await tx('stock_items').where('count_on_hand', '>', 0).first('id');
      await tx('stock_items').where({ id: first.id }).increment('count_on_hand');
      await tx('classifications').where({ position: 1 }).delete();
      await tx('taxons').where({ depth: 1 }).update({ pretty_name: 'Elsewhere' });
      expect(Object.keys(await brokenRules(tx))).toEqual([
        'count_on_hand is the sum of the movements',
        'classifications are numbered without gaps in each taxon',
        'a taxon lies within its parent, and its names continue the parent’s',
      ]);
    } finally {
      await tx.rollback();
    }
  });

  test('has twenty taxons of each kind, and products that a search can distinguish', async () => {
    expect(await db('taxons').where({ depth: 1 }).count().first()).toEqual({ count: '40' });
    const names: string[] = await db('products').pluck('name');
    expect(new Set(names).size).toBe(120);
    expect(names.every((name) => /^([A-Z][a-z]+ ){3}[A-Z][a-z]+$/.test(name))).toBe(true);
  });

  test('changes nothing if there are enough products', async () => {
    const before = await digestOf(db);
    await loadLargeCatalogue(db, { products: 100 });
    expect(await digestOf(db)).toEqual(before);
  });

  test('continues where it stopped, with the same products as in one run', async () => {
    const other = await ownDatabase();
    try {
      const progress: number[][] = [];
      await loadLargeCatalogue(other, { products: 50 });
      await loadLargeCatalogue(other, { products: 120, onProgress: (...figures) => progress.push(figures) });
      expect(await contentOf(other)).toEqual(await contentOf(db));
      expect(await brokenRules(other)).toEqual({});
      expect(progress.at(-1)).toEqual([120, 120]);
    } finally {
      await closeDatabase(other);
    }
  });
});

test('loading a database that nothing else uses writes the same, without triggers', async () => {
  const [db, other] = [await ownDatabase(), await ownDatabase()];
  try {
    await loadLargeCatalogue(db, { products: 120 });
    await loadLargeCatalogue(other, { products: 50, isUnused: true });
    await loadLargeCatalogue(other, { products: 120, isUnused: true });
    const derived = async (one: Knex) => ({
      content: await contentOf(one),
      products: await one('products')
        .orderBy('id')
        .select('id', 'priced_in', 'master_price', 'lowest_price', 'highest_price'),
      listings: await one('product_listings').orderBy('product_id'),
      offers: await one('listing_offers').orderBy(['set_id', 'position']),
      taxons: await one('listing_taxons').orderBy(['set_id', 'taxon_id']),
      documents: await one('search_documents').orderBy('product_id'),
      vocabulary: await one('search_vocabulary').orderBy('word'),
      changes: await one('stock_item_changes')
        .orderBy('stock_item_id')
        .select('stock_item_id', 'stock_location_id'),
      indexes: await one('pg_indexes')
        .where({ schemaname: 'public' })
        .orderBy('indexname')
        .select('indexdef'),
    });
    expect(await derived(other)).toEqual(await derived(db));
    expect(await brokenRules(other)).toEqual({});
    expect(await findViolations(other)).toEqual([]);
  } finally {
    await closeDatabase(db);
    await closeDatabase(other);
  }
});

describe('images of load-test products', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'store-load-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('share the files of eight images, which later runs reuse', async () => {
    const db = await ownDatabase();
    const deps = { db, storage: createLocalDisk(folder), log: pino({ level: 'fatal' }) };
    try {
      const storage_keys = await ensureSharedPictures(deps);
      expect(storage_keys).toHaveLength(8);
      await loadLargeCatalogue(db, { products: 60, images: { each: 2, storage_keys } });

      expect(await db('images').count().first()).toEqual({ count: '120' });
      expect(await brokenRules(db)).toEqual({});
      const used: string[] = await db('images').distinct('storage_key').pluck('storage_key');
      expect(used.sort()).toEqual([...storage_keys].sort());
      const picture = await deps.storage.open(`${storage_keys[0]}/mini`);
      expect(picture).toMatchObject({ size: expect.any(Number) });
      picture?.stream.destroy();
      expect((await ensureSharedPictures(deps)).sort()).toEqual(used);
    } finally {
      await closeDatabase(db);
    }
  });
});

describe('createProgressBar', () => {
  const streamOf = (isTTY: boolean) => {
    const written: string[] = [];
    return { stream: { isTTY, write: (text: string) => written.push(text) }, written };
  };

  test('redraws one line in a terminal and ends it', () => {
    const { stream, written } = streamOf(true);
    let time = 0;
    const draw = createProgressBar('products', stream, () => time);
    time = 3_000;
    draw(25, 100);
    time = 12_000;
    draw(100, 100);
    expect(written[0]).toContain('products 25 of 100 (25 %) 3 s, 9 s left');
    expect(written.map((text) => text.startsWith('\r'))).toEqual([true, true]);
    expect(written.map((text) => text.endsWith('\n'))).toEqual([false, true]);
  });

  test('writes a line for each tenth elsewhere', () => {
    const { stream, written } = streamOf(false);
    const draw = createProgressBar('products', stream, () => 0);
    for (const done of [5, 9, 10, 15, 55, 58, 100]) draw(done, 100);
    expect(written.map((line) => /\((\d+) %\)/.exec(line)?.[1])).toEqual(['10', '55', '100']);
  });
});
