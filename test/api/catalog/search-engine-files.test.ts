import request, { type Response } from 'supertest';
import { setPublicUrl } from '../../../src/platform/public-url';
import { asAdmin } from '../../support/accounts.factory';
import { api, makeTestApp, testApp } from '../../support/api';
import { testDb } from '../../support/database';
import { uploadImage } from '../../support/images.factory';
import { setStock } from '../../support/orders.factory';
import { anOptionType, aProduct, aVariant } from '../../support/products.factory';
import { aTaxon, aTaxonomy } from '../../support/taxons.factory';
import { unique } from '../../support/unique';

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  request(testApp().app)
    .get(path)
    .set({ Host: 'files.example', ...headers })
    .buffer(true)
    .parse((res, done) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => done(null, Buffer.concat(chunks).toString('utf8')));
    });

const FILES = ['/feeds/google.xml', '/sitemap.xml'];
const ROBOTS = '/robots.txt';

let storeId: number;

const setStore = async (store: object): Promise<Response> =>
  (await asAdmin()).put(`/stores/${storeId}`, { store });

beforeAll(async () => {
  storeId = (await testDb()('stores').where({ is_default: true }).first()).id;
});

beforeEach(async () => {
  const reply = await setStore({
    feeds: true,
    product_url: 'https://shop.example/p/{slug}?from=feed',
    url: 'shop.example',
  });
  expect(reply.status).toBe(200);
});

/** Returns the items of a feed with this text, as elements by name. */
function readItems(xml: string, text: string): Record<string, string>[] {
  const items = [...xml.matchAll(/<item>(.*?)<\/item>/gs)].map(([, inner = '']) => inner);
  return items
    .filter((inner) => inner.includes(text))
    .map((inner) =>
      Object.fromEntries(
        [...inner.matchAll(/<([\w:]+)>(.*?)<\/\1>/gs)].map(([, name = '', value = '']) => [name, value]),
      ),
    );
}

test('are off by default, and settings of the store', async () => {
  expect((await setStore({ feeds: false })).body.feeds).toBe(false);
  for (const file of [...FILES, ROBOTS]) expect((await get(file)).status).toBe(404);
  expect((await setStore({ product_url: 'ftp://x/{slug}' })).body.errors).toEqual({
    product_url: ['is invalid'],
  });
  expect((await setStore({ product_url: 'https://x/slug' })).body.errors).toEqual({
    product_url: ['must contain {slug}'],
  });
  await setStore({ feeds: true, product_url: null });
  const product = await aProduct();
  expect((await get('/sitemap.xml')).body).toContain(
    `<loc>https://shop.example/products/${product.slug}</loc>`,
  );
});

test('the feed has an item for each variant on sale, with what Google reads', async () => {
  const name = `${unique('Tee')} <"R&D">\u0001`;
  const taxonomy = await aTaxonomy();
  const taxon = await aTaxon(taxonomy, { name: 'Shirts' });
  const color = await anOptionType('Color', 'navy');
  await testDb()('option_types')
    .where({ id: color.id })
    .update({ name: unique('Color') });
  await testDb()('option_types')
    .where({ name: 'color' })
    .update({ name: unique('other') });
  await testDb()('option_types').where({ id: color.id }).update({ name: 'color' });
  const product = await aProduct({
    name,
    price: '19.5',
    description: 'Soft & light',
    sku: unique('TEE'),
    taxon_ids: [taxon.id],
    option_type_ids: [color.id],
    product_properties_attributes: [{ property_name: 'brand', value: 'Harbour' }],
  });
  await uploadImage(`/products/${product.slug}/images`, { name: 'tee.png' });
  await setStock(product.master.id, { stock: 0, backorderable: false });
  const alone = await get('/feeds/google.xml');
  expect(alone.headers['content-type']).toBe('application/xml; charset=utf-8');
  const [master] = readItems(alone.body, product.slug);
  expect(master).toEqual({
    'g:id': product.master.sku,
    title: `${name.replace('\u0001', '').replace('<', '&lt;').replace('>', '&gt;').replaceAll('"', '&quot;').replace('&D', '&amp;D')}`,
    description: 'Soft &amp; light',
    link: `https://shop.example/p/${product.slug}?from=feed`,
    'g:image_link': expect.stringMatching(
      /^http:\/\/files\.example\/store\/products\/\d+\/xlarge\/tee\.png\?\d+$/,
    ),
    'g:availability': 'out_of_stock',
    'g:price': '19.5 USD',
    'g:condition': 'new',
    'g:brand': 'Harbour',
    'g:mpn': product.master.sku,
    'g:product_type': `${taxonomy.name} &gt; Shirts`,
  });
  const variant = await aVariant(product, {
    sku: unique('TEE'),
    barcode: '4006381333931',
    price: '21',
    option_value_ids: [color.option_values[0].id],
  });
  await setStock(variant.id, { stock: 3 });
  const items = readItems((await get('/feeds/google.xml')).body, product.slug);
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject({
    'g:id': variant.sku,
    'g:gtin': '4006381333931',
    'g:price': '21.0 USD',
    'g:color': 'navy',
    'g:availability': 'in_stock',
    'g:item_group_id': String(product.id),
    title: expect.stringMatching(/ navy$/),
  });
  expect(items[0]?.['g:image_link']).toBe(master?.['g:image_link']);
});

test.each([
  ['Farbe', 'Größe', 'Marke'],
  ['couleur', 'taille', 'marque'],
  ['カラー', 'サイズ', 'ブランド'],
])('the feed knows color, size and brand as %s, %s and %s', async (color, size, brand) => {
  const types = await Promise.all([anOptionType('color', 'navy'), anOptionType('size', 'M')]);
  const names = [color, size];
  await Promise.all(
    types.map(({ id }, index) => testDb()('option_types').where({ id }).update({ name: names[index] })),
  );
  const product = await aProduct({
    option_type_ids: types.map(({ id }) => id),
    product_properties_attributes: [{ property_name: brand, value: 'Harbour' }],
  });
  await aVariant(product, { option_value_ids: types.map(({ option_values }) => option_values[0].id) });
  const [item] = readItems((await get('/feeds/google.xml')).body, product.slug);
  expect(item).toMatchObject({ 'g:color': 'navy', 'g:size': 'M', 'g:brand': 'Harbour' });
});

test('the sitemap has the address and the change of each product that shoppers see', async () => {
  const [seen, future] = [await aProduct(), await aProduct({ available_on: '2999-01-01' })];
  const { body } = await get('/sitemap.xml');
  expect(body).toContain(
    `<url><loc>https://shop.example/p/${seen.slug}?from=feed</loc><lastmod>${seen.updated_at}</lastmod></url>`,
  );
  expect(body).not.toContain(future.slug);
  expect((await get('/sitemap.xml?page=1')).body).toBe(body);
  expect((await get('/sitemap.xml?page=2')).body).not.toContain('<url>');
  for (const page of ['0', '-1', 'x', '1e9'])
    expect((await get(`/sitemap.xml?page=${page}`)).status).toBe(404);
});

test('robots.txt names the sitemap, and closes only the API to search engines', async () => {
  const { status, headers, body } = await get(ROBOTS);
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(body).toBe('User-agent: *\nDisallow: /api/\n\nSitemap: http://files.example/sitemap.xml\n');
});

test('are sent while the catalog is read', async () => {
  for (const file of FILES) {
    const { status, headers } = await get(file, { 'Accept-Encoding': 'identity' });
    expect([status, headers['transfer-encoding'], headers['content-length']]).toEqual([
      200,
      'chunked',
      undefined,
    ]);
  }
});

test('an ETag lasts until the catalog or the settings change', async () => {
  const product = await aProduct();
  for (const file of FILES) {
    const first = await get(file);
    const etag = first.headers['etag'] ?? '';
    const unchanged = await get(file, { 'If-None-Match': etag });
    expect([unchanged.status, unchanged.body]).toEqual([304, '']);
    expect((await request(testApp().app).head(file)).headers['etag']).toMatch(/^W\/".{27}"$/);
    await (await asAdmin()).put(`/products/${product.slug}`, { product: { name: unique('Renamed') } });
    const changed = await get(file, { 'If-None-Match': etag });
    expect(changed.status).toBe(200);
    await setStore({ product_url: `https://${unique('shop').toLowerCase()}.example/{slug}` });
    expect((await get(file, { 'If-None-Match': changed.headers['etag'] ?? '' })).status).toBe(200);
  }
});

test('images have the public address of the server', async () => {
  const product = await aProduct();
  await uploadImage(`/products/${product.slug}/images`, { name: 'p.png' });
  try {
    const { app } = makeTestApp({}, { publicUrl: 'https://api.shop.example' });
    const { text, body } = await request(app).get('/feeds/google.xml').buffer(true);
    const [item] = readItems(text ?? String(body), product.slug);
    expect(item?.['g:image_link']).toMatch(/^https:\/\/api\.shop\.example\/store\/products\//);
  } finally {
    setPublicUrl('');
  }
  expect((await api().get('/products?per_page=1')).status).toBe(200);
});
