import { anAdmin } from '../../support/accounts.factory';
import { api, testApp } from '../../support/api';
import { aProduct } from '../../support/products.factory';
import { testDb } from '../../support/database';
import { unique } from '../../support/unique';

/**
 * Returns the number of statements of a GET. The second of two requests is counted, because only the first
 * one fills caches.
 */
async function countStatements(path: string): Promise<number> {
  const { db } = testApp().deps;
  await api().get(path);
  let statements = 0;
  const count = () => (statements += 1);
  db.on('query', count);
  try {
    const reply = await api().get(`${path}${path.includes('?') ? '&' : '?'}again=${unique('x')}`);
    expect(reply.status).toBe(200);
  } finally {
    db.removeListener('query', count);
  }
  return statements;
}

/** Creates 100 products like the first one, which has three variants, options, a property and taxons. */
async function createHundredProducts(word: string): Promise<any> {
  const admin = api(await anAdmin());
  const taxonomy = await admin.post('/taxonomies', { taxonomy: { name: unique('Taxonomy') } });
  const taxon = await admin.post(`/taxonomies/${taxonomy.body.id}/taxons`, { taxon: { name: 'Leaf' } });
  const size = unique('size');
  const first = await aProduct({
    name: word,
    taxon_ids: [taxonomy.body.root.id, taxon.body.id],
    product_properties_attributes: [{ property_name: unique('property'), value: 'cotton' }],
    variants: ['S', 'M', 'L'].map((value) => ({ options: [{ name: size, value }] })),
  });
  await testDb().raw(
    `WITH original AS (SELECT * FROM products WHERE id = ?),
     made AS (
       INSERT INTO products (name, slug, available_on, shipping_category_id)
       SELECT name, slug || '-' || n, available_on, shipping_category_id FROM original, generate_series(2, 100) AS n
       RETURNING id
     ),
     made_variants AS (
       INSERT INTO variants (product_id, is_master, position)
       SELECT made.id, variants.is_master, variants.position FROM made, variants, original
       WHERE variants.product_id = original.id
       RETURNING id, product_id, position
     ),
     copies AS (
       SELECT made_variants.id, variants.id AS original_id FROM original
       JOIN variants ON variants.product_id = original.id
       JOIN made_variants ON made_variants.position = variants.position
     ),
     made_prices AS (
       INSERT INTO prices (variant_id, currency, amount)
       SELECT copies.id, currency, amount FROM prices JOIN copies ON copies.original_id = prices.variant_id
     ),
     made_values AS (
       INSERT INTO variant_option_values (variant_id, option_value_id)
       SELECT copies.id, option_value_id FROM variant_option_values JOIN copies ON copies.original_id = variant_id
     ),
     made_types AS (
       INSERT INTO product_option_types (product_id, option_type_id, position)
       SELECT made.id, option_type_id, position FROM made, product_option_types, original WHERE product_id = original.id
     ),
     made_properties AS (
       INSERT INTO product_properties (product_id, property_id, value, position)
       SELECT made.id, property_id, value, position FROM made, product_properties, original
       WHERE product_id = original.id
     )
     INSERT INTO classifications (product_id, taxon_id, position)
     SELECT made.id, taxon_id, 2 FROM made, classifications, original WHERE product_id = original.id`,
    [first.id],
  );
  await testDb().raw(
    `INSERT INTO images (variant_id, position, attachment_content_type, attachment_file_name, attachment_width,
       attachment_height, attachment_updated_at, storage_key)
     SELECT variants.id, 1, 'image/png', 'a.png', 1, 1, now(), gen_random_uuid()
     FROM variants JOIN products ON products.id = variants.product_id WHERE is_master AND name = ?`,
    [word],
  );
  return first;
}

test('a page of 100 products takes as many statements as a page of one', async () => {
  const word = unique('Counted');
  const first = await createHundredProducts(word);
  const path = `/products?q[name_cont]=${word}`;
  const whole = await api().get(`${path}&per_page=100`);
  expect(whole.body).toMatchObject({ count: 100, total_count: 100 });
  for (const product of whole.body.products) {
    expect(product).toMatchObject({
      variants: [{ options_text: expect.stringContaining(': S') }, {}, {}],
      master: { images: [{ attachment_file_name: 'a.png' }] },
      option_types: [{ option_values: [{}, {}, {}] }],
      product_properties: [{}],
      classifications: [{ taxon: { taxons: [{ name: 'Leaf' }] } }, { taxon: { name: 'Leaf', taxons: [] } }],
    });
  }

  const one = await countStatements(`${path}&per_page=1`);
  expect(one).toBeLessThanOrEqual(10);
  expect(await countStatements(`${path}&per_page=100`)).toBe(one);
  const sorted = await countStatements('/products?q[s]=id desc&per_page=1');
  expect(sorted).toBeLessThanOrEqual(one);
  expect(await countStatements('/products?q[s]=id desc&per_page=100')).toBe(sorted);
  expect(await countStatements(`/products/${first.slug}`)).toBeLessThanOrEqual(one);

  const variants = await countStatements('/variants?q[s]=id desc&per_page=1');
  expect(variants).toBeLessThanOrEqual(8);
  expect(await countStatements('/variants?q[s]=id desc&per_page=400')).toBe(variants);
  expect(await countStatements(`/products/${first.slug}/variants`)).toBeLessThanOrEqual(variants + 1);
});

test('a search that was not asked before takes one statement besides the revision and the states', async () => {
  const word = unique('Sought');
  await aProduct({ name: word });
  for (const search of [
    `q[name_cont]=${word}`,
    `q[name_cont]=${word}&q[s]=name desc`,
    'q[s]=price asc&per_page=1',
    'q[price_gteq]=1&per_page=1',
  ])
    // The states were read by the request before.
    expect([search, await countStatements(`/products?${search}`)]).toEqual([search, 2]);
});
