import type { Knex } from 'knex';
import { api } from '../../support/api';
import { anAdmin, asAdmin } from '../../support/accounts.factory';
import { testDb } from '../../support/database';
import { uploadImage } from '../../support/images.factory';
import { aSellableVariant, orderInState, setStock } from '../../support/orders.factory';
import { anOptionType, aProduct, aVariant } from '../../support/products.factory';
import { countQueries } from '../../support/queries';
import { unique } from '../../support/unique';

interface ProductRow {
  version: string;
  updated_at: Date;
  master_price: string | null;
  lowest_price: string | null;
  highest_price: string | null;
}

async function readProduct(id: number, db: Knex = testDb()): Promise<ProductRow> {
  return db('products').where({ id }).first();
}

/** Runs `work` and returns whether the version of the product changed. `updated_at` must have moved with it. */
async function changesVersion(id: number, work: () => Promise<unknown>): Promise<boolean> {
  const before = await readProduct(id);
  await work();
  const after = await readProduct(id);
  expect(after.updated_at > before.updated_at).toBe(after.version !== before.version);
  return after.version !== before.version;
}

describe('the version of a product', () => {
  test('changes with each request that changes its JSON', async () => {
    const admin = await asAdmin();
    const type = await anOptionType('Colour', 'navy', 'red');
    const product = await aProduct({
      option_type_ids: [type.id],
      product_properties_attributes: [{ property_name: unique('material'), value: 'wool' }],
    });
    const variant = await aVariant(product, { option_value_ids: [type.option_values[0].id] });
    const taxonomy = (await admin.post('/taxonomies', { taxonomy: { name: unique('Maker') } })).body;
    const [property] = (await admin.get(`/products/${product.id}/product_properties`)).body
      .product_properties;
    const path = `/products/${product.id}`;
    const changes: [string, () => Promise<unknown>][] = [
      ['name and price', () => admin.put(path, { product: { name: unique('Mug'), price: '21' } })],
      ['price of a variant', () => admin.put(`${path}/variants/${variant.id}`, { variant: { price: '31' } })],
      [
        'option of a variant',
        () =>
          admin.put(`${path}/variants/${variant.id}`, {
            variant: { option_value_ids: [type.option_values[1].id] },
          }),
      ],
      [
        'property',
        () =>
          admin.put(`${path}/product_properties/${property.id}`, { product_property: { value: 'cotton' } }),
      ],
      ['image', () => uploadImage(`${path}/images`)],
      ['category', () => admin.put(path, { product: { taxon_ids: [taxonomy.root.id] } })],
      ['no category', () => admin.put(path, { product: { taxon_ids: [] } })],
      ['deleted variant', () => admin.delete(`${path}/variants/${variant.id}`)],
      ['deletion', () => admin.delete(path)],
    ];
    for (const [name, change] of changes) {
      expect([name, await changesVersion(product.id, change)]).toEqual([name, true]);
    }
  });

  test('is not changed by stock, sales and the names of shared records', async () => {
    const admin = await asAdmin();
    const type = await anOptionType('Size', 'S');
    const { id: variantId, product_id: id } = await aSellableVariant({
      product: { option_type_ids: [type.id] },
    });
    const changes = [
      () => setStock(variantId, { stock: 7 }),
      () => orderInState('complete', { lines: [{ variant_id: variantId, quantity: 1 }] }),
      () => admin.put(`/option_types/${type.id}`, { option_type: { presentation: 'Sizes' } }),
    ];
    for (const change of changes) expect(await changesVersion(id, change)).toBe(false);
    const { body } = await api().get(`/products/${id}`);
    expect(body.option_types[0].presentation).toBe('Sizes');
  });

  test('changes for both products of a row that moves', async () => {
    const [one, two] = [await aProduct(), await aProduct()];
    await uploadImage(`/products/${one.id}/images`);
    const before = await readProduct(two.id);
    const moved = await changesVersion(one.id, () =>
      testDb()('images').where({ variant_id: one.master.id }).update({ variant_id: two.master.id }),
    );
    expect([moved, (await readProduct(two.id)).version !== before.version]).toEqual([true, true]);
  });

  test('of a rolled back change is not given again, and nothing of it is shown', async () => {
    const { id, slug } = await aProduct({ name: unique('Kept') });
    const transaction = await testDb().transaction();
    await transaction('products').where({ id }).update({ name: 'never' });
    const seenInside = await readProduct(id, transaction);
    await transaction.rollback();
    await api().get(`/products/${slug}`);
    await (await asAdmin()).put(`/products/${id}`, { product: { name: 'real' } });

    expect((await readProduct(id)).version).not.toBe(seenInside.version);
    expect((await api().get(`/products/${slug}`)).body.name).toBe('real');
  });

  test('a changed precondition reads inside the transaction and keeps nothing of it', async () => {
    const admin = api(await anAdmin());
    const { id } = await aProduct();
    const { headers } = await admin.get(`/products/${id}`);
    const ifMatch = api({ token: (await anAdmin()).token, headers: { 'If-Match': headers['etag'] ?? '' } });
    expect((await ifMatch.put(`/products/${id}`, { product: { name: 'first' } })).status).toBe(200);
    expect((await ifMatch.put(`/products/${id}`, { product: { name: 'second' } })).status).toBe(412);
    expect((await admin.get(`/products/${id}`)).body.name).toBe('first');
  });
});

test('the kept JSON of a product is that of its records, whatever its stock and texts', async () => {
  const admin = await asAdmin();
  const text = 'a "quoted" \\ "in_stock":true,"total_on_hand":0 text </script> \u2028';
  const product = await aProduct({ name: text, description: text });
  const variant = await aVariant(product, { sku: unique('S') });
  const path = `/products/${product.id}`;
  for (const [stock, tracked] of [
    [0, true],
    [3, true],
    [3, false],
    [12, true],
  ] as const) {
    // Stock of variants that are not tracked does not change.
    await admin.put(`${path}/variants/${variant.id}`, { variant: { track_inventory: true } });
    await setStock(variant.id, { stock, backorderable: stock === 3 });
    await admin.put(`${path}/variants/${variant.id}`, { variant: { track_inventory: tracked } });
    for (const client of [api(), admin]) {
      const [kept, again] = [await client.get(path), await client.get(path)];
      const before = await readProduct(product.id);
      // A change of the product without another value makes the next reply from its records, with another time.
      await testDb()('products').where({ id: product.id }).update({ name: text });
      const after = await readProduct(product.id);
      expect(kept.body.updated_at).toBe(before.updated_at.toISOString());
      const timeAtEnd = (product: { updated_at: Date }) =>
        `"updated_at":"${product.updated_at.toISOString()}"}`;
      expect(kept.text.endsWith(timeAtEnd(before))).toBe(true);
      expect((await client.get(path)).text).toBe(
        kept.text.slice(0, -timeAtEnd(before).length) + timeAtEnd(after),
      );
      expect(again.text).toBe(kept.text);
      expect(kept.body.variants[0]).toMatchObject({
        total_on_hand: tracked ? stock : null,
        in_stock: !tracked || stock > 0,
        is_backorderable: stock === 3,
      });
    }
  }
});

describe('the prices of a product', () => {
  const pricesOf = async (id: number) => {
    const { master_price, lowest_price, highest_price } = await readProduct(id);
    return [master_price, lowest_price, highest_price].map((price) =>
      price === null ? null : Number(price),
    );
  };

  test('are those of its master, and the range of its variants', async () => {
    const admin = await asAdmin();
    const product = await aProduct({ price: '10' });
    expect(await pricesOf(product.id)).toEqual([10, 10, 10]);
    const cheap = await aVariant(product, { price: '5' });
    const dear = await aVariant(product, { price: '20' });
    expect(await pricesOf(product.id)).toEqual([10, 5, 20]);
    await admin.put(`/products/${product.id}`, { product: { price: '11' } });
    await admin.put(`/products/${product.id}/variants/${dear.id}`, { variant: { price: '30' } });
    expect(await pricesOf(product.id)).toEqual([11, 5, 30]);
    await admin.delete(`/products/${product.id}/variants/${cheap.id}`);
    expect(await pricesOf(product.id)).toEqual([11, 30, 30]);
  });

  test('are calculated for many new products in one pass, without statistics', async () => {
    await aProduct({ price: '10' });
    const statements = testDb().transaction(async (tx) => {
      // Only the calculation is measured, so no trigger runs.
      await tx.raw('SET LOCAL session_replication_role = replica; SET LOCAL statement_timeout = 2000');
      await tx.raw(
        `INSERT INTO products (name, slug, shipping_category_id)
         SELECT 'Copy ' || n, 'copied-' || n, (SELECT min(id) FROM shipping_categories) FROM generate_series(1, 4000) AS n`,
      );
      await tx.raw(
        `INSERT INTO variants (product_id, sku, is_master, position)
         SELECT id, slug, true, 1 FROM products WHERE slug LIKE 'copied-%'`,
      );
      await tx.raw(
        `INSERT INTO prices (variant_id, currency, amount) SELECT id, 'USD', id FROM variants WHERE sku LIKE 'copied-%'`,
      );
      await tx.raw(`SELECT update_product_prices(ARRAY(SELECT id FROM products WHERE slug LIKE 'copied-%'))`);
      const { rows } = await tx.raw(
        `SELECT count(*)::integer AS count FROM products JOIN variants ON variants.product_id = products.id
          WHERE slug LIKE 'copied-%' AND (master_price, lowest_price, highest_price) = (variants.id, variants.id, variants.id)`,
      );
      expect(rows).toEqual([{ count: 4000 }]);
      throw new Error('leave nothing behind');
    });
    await expect(statements).rejects.toThrow('leave nothing behind');
  });

  test('follow the currency of the default store', async () => {
    const admin = await asAdmin();
    const product = await aProduct({ price: '10' });
    await testDb()('prices').insert({ variant_id: product.master.id, currency: 'EUR', amount: '9' });
    const store = testDb()('stores').where({ is_default: true });
    await store.clone().update({ currency: 'EUR' });
    try {
      expect(await pricesOf(product.id)).toEqual([9, 9, 9]);
      expect((await admin.get(`/products?q[price_eq]=9&ids=`)).body.total_count).toBeGreaterThan(0);
    } finally {
      await store.clone().update({ currency: 'USD' });
    }
    expect(await pricesOf(product.id)).toEqual([10, 10, 10]);
  });
});

describe('the total of a list without conditions', () => {
  const countStatements = async (path: string): Promise<[number, number]> => {
    let total = 0;
    const statements = await countQueries(async () => {
      total = (await api().get(path)).body.total_count;
    });
    return [statements, total];
  };

  test('is counted again only when the visibility of a product has changed', async () => {
    const admin = await asAdmin();
    const product = await aProduct();
    const [, before] = await countStatements('/products?per_page=500');
    // No reply is cached: revision, page and states. Neither its end by time is read, nor are products counted.
    await setStock(product.master.id, { stock: 3 });
    expect(await countStatements('/products?per_page=2')).toEqual([3, before]);
    // The page and its states are kept until the next change.
    expect(await countStatements('/products?per_page=2&page=1')).toEqual([1, before]);
    await admin.put(`/products/${product.id}`, { product: { price: '77' } });
    const [, afterPrice] = await countStatements('/products?per_page=3');
    expect(afterPrice).toBe(before);
    await admin.put(`/products/${product.id}`, { product: { available_on: '2100-01-01T00:00:00Z' } });
    expect((await countStatements('/products?per_page=4'))[1]).toBe(before - 1);
    await admin.delete(`/products/${product.id}`);
    expect((await countStatements('/products?per_page=5'))[1]).toBe(before - 1);
    await aProduct();
    expect((await countStatements('/products?per_page=6'))[1]).toBe(before);
  });
});

test('the JSON of a product is built once when it is read for the first time', async () => {
  const name = unique('Teapot');
  const product = await aProduct({ name });
  const stringify = jest.spyOn(JSON, 'stringify');
  try {
    expect((await api().get(`/products/${product.id}`)).body.name).toBe(name);
    const built = stringify.mock.results.filter(({ value }) => String(value).includes(name));
    expect(built).toHaveLength(1);
  } finally {
    stringify.mockRestore();
  }
});
