import { asAdmin } from '../../support/accounts.factory';
import { api, testApp } from '../../support/api';
import { testDb } from '../../support/database';
import { aSellableVariant, orderInState } from '../../support/orders.factory';
import { anOptionType, aProduct, aVariant } from '../../support/products.factory';
import { aTaxon, aTaxonomy } from '../../support/taxons.factory';
import { uploadImage } from '../../support/images.factory';
import { unique } from '../../support/unique';
import { countUnitsSold, startSalesCount } from '../../../src/sales/orders/count-units-sold.job';

/** A word that no other record has. */
const aWord = () =>
  unique('zs')
    .replace(/[^a-z]/gi, '')
    .toLowerCase() + [...Array(6)].map(() => 'abcdefgh'[Math.floor(Math.random() * 8)]).join('');

async function find(query: string): Promise<number[]> {
  const { status, body } = await api().get(`/products?${query}`);
  expect(status).toBe(200);
  return body.products.map(({ id }: { id: number }) => id);
}

describe('suggestions', () => {
  const suggest = async (search: string, more = '') =>
    (await api().get(`/products/suggest?search=${encodeURIComponent(search)}${more}`)).body;

  test('are products and taxons with words that begin like the search, names before other texts', async () => {
    const word = aWord();
    const taxonomy = await aTaxonomy();
    const taxon = await aTaxon(taxonomy, { name: `Möbel ${word}` });
    const mentioned = await aProduct({ name: 'Lamp', description: `Matches the ${word} chair.` });
    const chair = await aProduct({ name: `${word} Armchair`, price: '1249.5', sku: unique('SEAT-9') });
    await aProduct({ name: `${word} soon`, available_on: '2999-01-01' });
    await uploadImage(`/products/${chair.slug}/images`, { name: 'a.png' });
    const found = await suggest(word.slice(0, -1));
    expect(found).toEqual({
      products: [
        {
          id: chair.id,
          name: `${word} Armchair`,
          slug: chair.slug,
          display_price: '$1,249.50',
          image_url: expect.stringMatching(/^\/store\/products\/\d+\/small\/a\.png\?\d+$/),
        },
        { id: mentioned.id, name: 'Lamp', slug: mentioned.slug, display_price: '$19.99', image_url: null },
      ],
      taxons: [{ id: taxon.id, name: `Möbel ${word}`, permalink: taxon.permalink }],
    });
    const ids = async (search: string, more?: string) =>
      (await suggest(search, more)).products.map(({ id }: { id: number }) => id);
    expect(await ids(`${word} armc`)).toEqual([chair.id]);
    expect(await ids(`${word} seat-9`)).toEqual([chair.id]);
    expect(await ids(word, '&limit=1')).toEqual([chair.id]);
    expect(await ids(word, '&limit=none')).toEqual([chair.id, mentioned.id]);
    expect((await suggest(`mobel ${word}`)).taxons).toEqual([expect.objectContaining({ id: taxon.id })]);
    for (const nothing of ['', '  ', `${word} nothing`])
      expect(await suggest(nothing)).toEqual({ products: [], taxons: [] });
    // Found by the next request, without a job.
    const added = await aProduct({ name: `${word} Armchair two` });
    expect(await ids(`${word} armc`)).toEqual([chair.id, added.id]);
  });

  test('take the same number of statements for many matches as for one', async () => {
    const word = aWord();
    const statements: string[] = [];
    const note = ({ sql }: { sql: string }) => void statements.push(sql);
    const count = async () => {
      statements.length = 0;
      testDb().on('query', note);
      await suggest(word, `&n=${Math.random()}`);
      testDb().removeListener('query', note);
      return statements.length;
    };
    await aProduct({ name: word });
    const one = await count();
    for (let n = 0; n < 5; n += 1) await aProduct({ name: `${word} ${n}` });
    expect(await count()).toBe(one);
  });
});

describe('orders by name', () => {
  test('best_selling: units of 30 days without canceled orders, newest: by available_on', async () => {
    const { deps } = testApp();
    const word = aWord();
    const variants: { id: number; product_id: number }[] = [];
    for (const n of [1, 2, 3])
      variants.push(
        await aSellableVariant({
          product: { name: `${word} ${n}`, available_on: `2020-01-0${n}T00:00:00Z` },
        }),
      );
    const [a = 0, b = 0, c = 0] = variants.map(({ product_id }) => product_id);
    const sell = (at: number, quantity: number) =>
      orderInState('complete', { lines: [{ variant_id: variants[at]?.id ?? 0, quantity }] });
    const listed = () => find(`search=${word}&q[s]=best_selling`);
    const count = startSalesCount();
    await countUnitsSold(deps, count);
    expect(await listed()).toEqual([a, b, c]);
    await sell(2, 2);
    const many = await sell(1, 3);
    await countUnitsSold(deps, count);
    expect(await listed()).toEqual([b, c, a]);
    expect(await find(`search=${word}&q[s]=best_selling+asc`)).toEqual([a, c, b]);
    expect(await find(`q[name_cont]=${word}&q[s]=best_selling`)).toEqual([b, c, a]);
    // All products, by the index of the listings.
    const all = await find('q[s]=best_selling&per_page=500');
    expect(all.filter((id) => [a, b, c].includes(id))).toEqual([b, c, a]);
    await (await asAdmin()).put(`/orders/${many.number}/cancel`);
    await countUnitsSold(deps, count);
    expect(await listed()).toEqual([c, a, b]);
    // The days of former sales end.
    const later = { ...deps, now: () => new Date(Date.now() + 31 * 24 * 3_600_000) };
    await countUnitsSold(later, count);
    expect(await listed()).toEqual([a, b, c]);
    expect(await testDb()('product_sales').whereRaw('product_id = ANY(?)', [[a, b, c]])).toEqual([]);
    expect(await find(`search=${word}&q[s]=newest`)).toEqual([c, b, a]);
    expect(await find(`q[name_cont]=${word}&q[s]=newest`)).toEqual([c, b, a]);
    const newest = await find('q[s]=newest&per_page=500');
    expect(newest.filter((id) => [a, b, c].includes(id))).toEqual([c, b, a]);
  });

  test('relevance: the best matches; position: in the taxon of the list, the rest after them', async () => {
    const word = aWord();
    const taxonomy = await aTaxonomy();
    const parent = await aTaxon(taxonomy, { name: 'Parent' });
    const child = await aTaxon(taxonomy, { parent_id: parent.id });
    const mentioned = await aProduct({ name: 'B', description: word, taxon_ids: [child.id] });
    const named = await aProduct({ name: `A ${word}`, taxon_ids: [parent.id] });
    const second = await aProduct({ name: `C ${word}`, taxon_ids: [parent.id] });
    await (
      await asAdmin()
    ).put('/classifications', { product_id: second.id, taxon_id: parent.id, position: 0 });
    expect(await find(`search=${word}&q[s]=relevance`)).toEqual([named.id, second.id, mentioned.id]);
    expect(await find(`taxon=${parent.permalink}&q[s]=position`)).toEqual([
      second.id,
      named.id,
      mentioned.id,
    ]);
    expect(await find(`taxon=${parent.permalink}&q[s]=position,name&search=${word}`)).toEqual([
      second.id,
      named.id,
      mentioned.id,
    ]);
    const inTaxon = await api().get(`/taxons/products?id=${parent.id}&q[s]=position`);
    expect(inTaxon.body.products.map(({ id }: { id: number }) => id)).toEqual([second.id, named.id]);
    // Without a search or a taxon they mean nothing.
    for (const order of ['relevance', 'position'])
      expect(await find(`q[name_cont]=${word}&q[s]=${order}`)).toEqual([named.id, second.id]);
    const { headers } = await api().get('/products?q[s]=best_selling,bogus&q[best_selling_eq]=1');
    expect(headers['x-ignored-conditions']).toBe('best_selling_eq, bogus');
  });
});

test('option_facets are the options with what a page shows of their types', async () => {
  const word = aWord();
  const size = await anOptionType('Size', 'S', 'M');
  const product = await aProduct({ name: word, option_type_ids: [size.id] });
  await aVariant(product, { option_value_ids: [size.option_values[1].id] });
  const { body } = await api().get(`/products?search=${word}&facets=options`);
  expect(body.facets).toEqual({
    options: { [size.name]: [{ value: 'M', presentation: 'M', count: 1 }] },
    option_facets: [
      {
        name: size.name,
        presentation: 'Size',
        position: size.position,
        values: [{ value: 'M', presentation: 'M', count: 1 }],
      },
    ],
  });
});

test('a taxon is found by its permalink, with its ancestors', async () => {
  const taxonomy = await aTaxonomy();
  const parent = await aTaxon(taxonomy, { name: 'Kitchen' });
  const child = await aTaxon(taxonomy, { name: 'Mugs', parent_id: parent.id });
  const pick = ({ id, name, permalink }: { id: number; name: string; permalink: string }) => ({
    id,
    name,
    permalink,
  });
  const { status, body } = await api().get(`/taxons/by_permalink/${child.permalink}`);
  expect(status).toBe(200);
  expect(body).toEqual({ ...child, ancestors: [pick(taxonomy.root), pick(parent)] });
  const encoded = await api().get(`/taxons/by_permalink/${encodeURIComponent(parent.permalink)}?x=1`);
  expect(encoded.body).toMatchObject({ id: parent.id, taxons: [{ id: child.id }] });
  expect((await api().get(`/taxons/by_permalink/${taxonomy.root.permalink}/`)).body.ancestors).toEqual([]);
  expect((await api().get(`/taxons/by_permalink/${child.permalink}/nothing`)).status).toBe(404);
  expect((await api().get('/taxons/by_permalink/%00')).status).toBe(404);
});

describe('fields', () => {
  test('name fields of nested records, on lists and single records', async () => {
    const product = await aProduct();
    const variant = await aVariant(product, { price: '5' });
    const path = `/products/${product.slug}`;
    const single = await api().get(`${path}?fields=id,master.sku,variants.price,variants.option_values.name`);
    expect(single.body).toEqual({
      id: product.id,
      master: { sku: product.master.sku },
      variants: [{ price: '5.0', option_values: [] }],
    });
    expect(single.headers['x-ignored-parameters']).toBeUndefined();
    const list = await api().get(
      `/products?ids=${product.id}&fields=slug,master,master.sku,master.bogus,nothing.id`,
    );
    expect(list.body).toMatchObject({ count: 1, total_count: 1 });
    expect(Object.keys(list.body.products[0])).toEqual(['slug', 'master']);
    expect(list.body.products[0].master.id).toBe(product.master.id);
    expect(list.headers['x-ignored-parameters']).toBe('fields.master.bogus, fields.nothing.id');
    for (const place of [`/variants/${variant.id}`, `${path}/variants/${variant.id}`])
      expect((await api().get(`${place}?fields=id,stock_items.count_on_hand`)).body).toEqual({
        id: variant.id,
        stock_items: [{ count_on_hand: 0 }],
      });
  });

  test('a name of thousands of levels selects nothing', async () => {
    const product = await aProduct();
    const reply = await api().get(`/products/${product.id}?fields=id,${'a.'.repeat(7_800)}`);
    expect(reply.body).toEqual({ id: product.id });
  });

  test('of an order', async () => {
    const order = await orderInState('cart');
    const reply = await api(order.caller).get(
      `/orders/${order.number}?fields=number,line_items.quantity,line_items.variant.sku`,
    );
    expect(reply.body).toEqual({
      number: order.number,
      line_items: [{ quantity: 2, variant: { sku: expect.any(String) } }],
    });
  });
});
