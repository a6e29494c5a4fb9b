import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Knex } from 'knex';
import { pino } from 'pino';
import sharp from 'sharp';
import { loadDemo } from '../../seeds/demo';
import { CATALOGUE } from '../../seeds/demo/products/catalogue';
import { planVariants } from '../../seeds/demo/variants';
import { writeCatalogue } from '../../seeds/demo/write-catalogue';
import { SHIPPING_METHODS, STOCK_LOCATION } from '../../seeds/reference/settings';
import { buildFileKey } from '../../src/catalog/images/image-storage';
import { createLocalDisk } from '../../src/platform/storage/local-disk';
import type { FileStorage } from '../../src/platform/storage/storage';
import { brokenRules } from './invariants';
import { closeDatabase, digestOf, ownDatabase } from './own-database';

const NOW = new Date('2026-06-01T12:00:00Z');
const STORED_SIZES = ['original', 'mini', 'small', 'product', 'large', 'xlarge'];
const folders: string[] = [];

function temporaryStorage(): FileStorage {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'store-demo-'));
  folders.push(folder);
  return createLocalDisk(folder);
}

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const depsOf = (db: Knex, storage: FileStorage) => ({
  db,
  storage,
  now: () => NOW,
  log: pino({ level: 'fatal' }),
});

async function filesIn(storage: FileStorage): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list('images')) keys.push(key);
  return keys.sort();
}

async function bytesOf(storage: FileStorage, key: string): Promise<Buffer> {
  const file = await storage.open(key);
  if (file === null) throw new Error(`${key} is not in storage.`);
  return Buffer.concat((await file.stream.toArray()) as Buffer[]); // a file's stream gives nothing else
}

describe('the demo store, loaded by two instances that start at once', () => {
  let db: Knex;
  const storage = temporaryStorage();
  let outcomes: boolean[];

  beforeAll(async () => {
    db = await ownDatabase();
    outcomes = await Promise.all([loadDemo(depsOf(db, storage)), loadDemo(depsOf(db, storage))]);
  });
  afterAll(() => closeDatabase(db));

  test('is loaded by one of them, and only its files are kept', async () => {
    expect(outcomes.sort()).toEqual([false, true]);
    const named: string[] = await db('images').distinct('storage_key').pluck('storage_key');
    const expected = named.flatMap((key) => STORED_SIZES.map((size) => `${key}/${size}`));
    expect(await filesIn(storage)).toEqual(expected.sort());
  });

  test('keeps the names of the reference data, by which clients find its settings', async () => {
    expect(await db('stock_locations').pluck('name')).toEqual([STOCK_LOCATION.name]);
    expect(await db('shipping_methods').orderBy('id').pluck('name')).toEqual(
      SHIPPING_METHODS.map(({ name }) => name),
    );
  });

  test('meets all rules of the catalogue', async () => {
    expect(await brokenRules(db)).toEqual({});
  });

  test('has at least 40 available products, each in both taxonomies and with an image', async () => {
    const products = await db('products')
      .where('available_on', '<=', NOW)
      .where((open) => void open.whereNull('discontinue_on').orWhere('discontinue_on', '>', NOW))
      .select<{ id: number; description: string }[]>('id', 'description');
    expect(products.length).toBeGreaterThanOrEqual(40);
    expect(products.filter(({ description }) => description.length < 40)).toEqual([]);

    for (const taxonomy of ['Categories', 'Brands']) {
      const placed: number[] = await db('classifications')
        .join('taxons', 'taxons.id', 'classifications.taxon_id')
        .join('taxonomies', 'taxonomies.id', 'taxons.taxonomy_id')
        .where('taxonomies.name', taxonomy)
        .distinct('product_id')
        .pluck('product_id');
      const missing = await db('products').whereNotIn('id', placed).pluck('name');
      // Gift cards have no brand.
      expect(missing).toEqual(taxonomy === 'Brands' ? ['Store Gift Card'] : []);
    }
    const pictured = db('variants')
      .join('images', 'images.variant_id', 'variants.id')
      .where('is_master', true);
    expect(await pictured.countDistinct('product_id as count').first()).toEqual({
      count: String(CATALOGUE.length),
    });
  });

  test('has no empty category or brand', async () => {
    const empty = await db('taxons')
      .whereNotNull('parent_id')
      .whereNotExists(db('classifications').whereRaw('taxon_id = taxons.id'))
      .pluck('name');
    expect(empty).toEqual([]);
  });

  test('has stock of every kind, a future product and a discontinued one', async () => {
    const stock = await db('stock_items')
      .join('variants', 'variants.id', 'stock_items.variant_id')
      .where('is_master', false)
      .select<{ count_on_hand: number; backorderable: boolean; track_inventory: boolean }[]>(
        'count_on_hand',
        'backorderable',
        'track_inventory',
      );
    expect(stock.filter((item) => item.count_on_hand > 0 && item.backorderable).length).toBeGreaterThan(50);
    expect(stock.filter((item) => item.count_on_hand > 0 && !item.backorderable).length).toBeGreaterThan(10);
    expect(
      stock.filter((item) => item.count_on_hand === 0 && !item.backorderable && item.track_inventory).length,
    ).toBeGreaterThan(5);
    expect(stock.filter((item) => !item.track_inventory)).toHaveLength(3);
    expect(await db('products').where('available_on', '>', NOW).pluck('name')).toEqual([
      'Winter Solstice Candle',
    ]);
    expect(await db('products').where('discontinue_on', '<=', NOW).pluck('name')).toEqual(['Harvest Mug']);
  });

  test('has three kinds of promotions: a percentage and free shipping by code, an amount without one', async () => {
    const promotions = await db('promotions')
      .join('promotion_actions', 'promotion_actions.promotion_id', 'promotions.id')
      .orderBy('promotions.id')
      .select('promotions.code', 'promotion_actions.type');
    expect(promotions).toEqual([
      { code: 'WELCOME10', type: 'order_percent' },
      { code: 'SHIPFREE', type: 'free_shipping' },
      { code: null, type: 'order_amount' },
    ]);
    const readme = readFileSync(path.resolve(__dirname, '../../README.md'), 'utf8');
    for (const { code } of promotions) if (code !== null) expect(readme).toContain(`\`${code}\``);
  });

  test('prices a variant by its option values', async () => {
    const prices = await db('variants')
      .join('prices', 'prices.variant_id', 'variants.id')
      .whereIn('sku', ['NF-TEE', 'NF-TEE-NAVY-M', 'NF-TEE-NAVY-XXL'])
      .orderBy('sku')
      .pluck('amount');
    expect(prices).toEqual(['24.00', '24.00', '26.00']);
  });

  test('has every image in all sizes; variants of one colour share images', async () => {
    const tee: { sku: string; storage_key: string }[] = await db('images')
      .join('variants', 'variants.id', 'images.variant_id')
      .whereLike('sku', 'NF-TEE-%')
      .select('sku', 'storage_key');
    expect(tee).toHaveLength(24);
    expect(new Set(tee.map((image) => image.storage_key)).size).toBe(4);

    const [image] = await db('images').where('position', 2).limit(1);
    expect(image).toMatchObject({
      attachment_content_type: 'image/jpeg',
      attachment_width: 1200,
      attachment_height: 1200,
    });
    for (const [size, pixels] of [
      ['mini', 48],
      ['small', 100],
      ['product', 240],
      ['large', 600],
      ['xlarge', 1200],
    ] as const) {
      const { format, width, height } = await sharp(
        await bytesToFile(storage, buildFileKey(image.storage_key, size)),
      ).metadata();
      expect({ format, width, height }).toEqual({ format: 'jpeg', width: pixels, height: pixels });
    }
  });

  test('changes nothing when it is loaded again', async () => {
    const [rows, files] = [await digestOf(db), await filesIn(storage)];
    expect(await loadDemo(depsOf(db, storage))).toBe(false);
    expect(await digestOf(db)).toEqual(rows);
    expect(await filesIn(storage)).toEqual(files);
  });

  test('is the same in every database', async () => {
    const other = await ownDatabase();
    try {
      await other.transaction((tx) => writeCatalogue(tx, NOW));
      const content = (of: Knex) =>
        of('variants')
          .join('products', 'products.id', 'variants.product_id')
          .join('prices', 'prices.variant_id', 'variants.id')
          .join('stock_items', 'stock_items.variant_id', 'variants.id')
          .orderBy('variants.id')
          .select(
            'variants.id',
            'sku',
            'products.name',
            'slug',
            'available_on',
            'amount',
            'count_on_hand',
            'backorderable',
          );
      expect(await content(other)).toEqual(await content(db));
    } finally {
      await closeDatabase(other);
    }
  });
});

/** Writes a file, because the image pipeline enables decoders of files only. */
async function bytesToFile(storage: FileStorage, key: string): Promise<string> {
  const file = path.join(folders[0] ?? os.tmpdir(), 'looked-at');
  writeFileSync(file, await bytesOf(storage, key));
  return file;
}

test('a failing disk leaves neither rows nor files', async () => {
  const db = await ownDatabase();
  const disk = temporaryStorage();
  let puts = 0;
  const failing: FileStorage = {
    ...disk,
    put: (key, content) => {
      puts += 1;
      return puts > 12 ? Promise.reject(new Error('no space left on the device')) : disk.put(key, content);
    },
  };
  try {
    await expect(loadDemo(depsOf(db, failing))).rejects.toThrow('no space left');
    expect(await filesIn(disk)).toEqual([]);
    expect(await db('products').count().first()).toEqual({ count: '0' });
  } finally {
    await closeDatabase(db);
  }
});

test.each([
  ['a catalogue', (db: Knex) => db('properties').insert({ name: 'material', presentation: 'Material' })],
  ['another shipping category', (db: Knex) => db('shipping_categories').update({ name: 'Parcels' })],
])('a store in which the owner has %s is not changed', async (_what, change) => {
  const db = await ownDatabase();
  try {
    await change(db);
    const before = await digestOf(db);
    expect(await loadDemo(depsOf(db, temporaryStorage()))).toBe(false);
    expect(await digestOf(db)).toEqual(before);
  } finally {
    await closeDatabase(db);
  }
});

describe('planVariants', () => {
  const tee = CATALOGUE.find((product) => product.sku === 'NF-TEE');
  if (tee === undefined) throw new Error('The tests need the tee.');

  test('plans one variant per combination, with the master first and without stock', () => {
    const [master, ...variants] = planVariants(tee);
    expect(master).toMatchObject({
      sku: 'NF-TEE',
      is_master: true,
      choices: [],
      count_on_hand: 0,
      backorderable: false,
    });
    expect(variants).toHaveLength(24);
    expect(variants.slice(0, 2).map(({ sku }) => sku)).toEqual(['NF-TEE-NAVY-XS', 'NF-TEE-NAVY-S']);
    expect(variants.find(({ sku }) => sku === 'NF-TEE-WHITE-XS')).toMatchObject({
      color: 'white',
      count_on_hand: 0,
      backorderable: false,
    });
  });

  test('rejects content with unknown references', () => {
    expect(() => planVariants({ ...tee, sold_out: ['PINK-M'] })).toThrow(
      'Organic Cotton Tee has no variant PINK-M',
    );
    expect(() => planVariants({ ...tee, options: { 'apparel-size': ['huge'] } })).toThrow(
      'option type apparel-size has no value huge',
    );
  });
});
