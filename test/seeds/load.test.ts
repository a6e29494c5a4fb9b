import type { Knex } from 'knex';
import { loadLargeCatalogue } from '../../seeds/load/load-catalogue';
import { progressBar } from '../../seeds/load/progress-bar';
import { brokenRules } from './invariants';
import { closeDatabase, digestOf, ownDatabase } from './own-database';

/** What tells products apart, without ids and times. */
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

  test('makes products of three variants that keep every rule of the catalogue', async () => {
    expect(await db('products').count().first()).toEqual({ count: '120' });
    expect(await db('variants').count().first()).toEqual({ count: '480' });
    expect(await db('classifications').count().first()).toEqual({ count: '240' });
    expect(await brokenRules(db)).toEqual({});
  });

  test('has twenty taxons of each kind, and products a search tells apart', async () => {
    expect(await db('taxons').where({ depth: 1 }).count().first()).toEqual({ count: '40' });
    const names: string[] = await db('products').pluck('name');
    expect(new Set(names).size).toBe(120);
    expect(names.every((name) => /^([A-Z][a-z]+ ){3}[A-Z][a-z]+$/.test(name))).toBe(true);
  });

  test('changes nothing when as many are there already', async () => {
    const before = await digestOf(db);
    await loadLargeCatalogue(db, { products: 100 });
    expect(await digestOf(db)).toEqual(before);
  });

  test('goes on where it stopped, with the same products as in one go', async () => {
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

describe('progressBar', () => {
  const streamOf = (isTTY: boolean) => {
    const written: string[] = [];
    return { stream: { isTTY, write: (text: string) => written.push(text) }, written };
  };

  test('redraws one line in a terminal and ends it', () => {
    const { stream, written } = streamOf(true);
    let time = 0;
    const draw = progressBar('products', stream, () => time);
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
    const draw = progressBar('products', stream, () => 0);
    for (const done of [5, 9, 10, 15, 55, 58, 100]) draw(done, 100);
    expect(written.map((line) => /\((\d+) %\)/.exec(line)?.[1])).toEqual(['10', '55', '100']);
  });
});
