import request from 'supertest';
import { apiRouters } from '../../src/app';
import { anAdmin } from '../support/accounts.factory';
import { placeIds } from '../support/addresses.factory';
import { api, testApp } from '../support/api';
import { testDb } from '../support/database';
import { orderInState } from '../support/orders.factory';
import { anOptionType, aProduct } from '../support/products.factory';
import { aTaxonomy } from '../support/taxons.factory';
import { unique } from '../support/unique';

/* What holds of every path alike, tried on all of them. */

const NOT_FOUND = { error: 'The resource you were looking for could not be found.' };
const ODD_IDS = ['abc', '99999999999999', '2147483648', '0', '-1', '1.5', '%00', '1%20or%201=1'];

let admin: ReturnType<typeof api>;
/** By the name of a parameter in the middle of a path: a record that is there. */
let parents: Record<string, string | number>;
/** The same for `:id` in the middle, by what stands before it. */
let owners: Record<string, string | number>;
let root: number;

beforeAll(async () => {
  const caller = await anAdmin();
  admin = api(caller);
  const [product, taxonomy, type] = [await aProduct(), await aTaxonomy(), await anOptionType('Size', 'S')];
  const { country_id } = await placeIds('US', 'MD');
  const location = await testDb()('stock_locations').where({ name: 'default' }).first('id');
  parents = {
    number: (await orderInState('delivery')).number,
    product_id: product.id,
    variant_id: product.master.id,
    option_type_id: type.id,
    taxonomy_id: taxonomy.id,
    country_id,
    stock_location_id: location.id,
    user_id: caller.id,
  };
  root = taxonomy.root.id;
  owners = { taxonomies: taxonomy.id, users: caller.id };
});

/** The path with its parameters filled; the last one, when told so, with something odd. */
function filled(path: string, odd: string | null): string {
  const parts = path.split('/');
  const last = parts.findLastIndex((part) => part.startsWith(':'));
  return parts
    .map((part, index) => {
      if (!part.startsWith(':')) return part;
      if (odd !== null && index === last) return odd;
      const record = part === ':id' ? owners[parts[index - 1] ?? ''] : parents[part.slice(1)];
      if (record === undefined) throw new Error(`nothing known for ${part} in ${path}`);
      return record;
    })
    .join('/');
}

const routes = apiRouters().flatMap(({ endpoints }) =>
  endpoints.map(({ method, path }): ['get' | 'put' | 'delete' | 'post', string] => [method, path]),
);

// A coupon's code is no id: which codes there are is told in the coupon's own words.
const naming = routes.filter(([, path]) => /:(id|number)(\/[a-z_]+)?$/.test(path) && !path.includes(':code'));

test('there are paths to try', () => {
  expect(naming.length).toBeGreaterThan(100);
});

test.each(naming)('%s %s with an id that is none is 404 (trap 3)', async (verb, path) => {
  for (const odd of ODD_IDS) {
    const reply = await admin[verb](filled(path, odd));
    expect([odd, reply.status, reply.body]).toEqual([odd, 404, NOT_FOUND]);
  }
});

describe('lists', () => {
  const LISTS = ['/countries', '/products', '/variants', '/zones', '/properties', '/orders', '/payments'];

  test.each(LISTS)(
    '%s: a page that is none is the first, a size that is none the usual (trap 5)',
    async (path) => {
      const plain = (await admin.get(path)).body;
      expect(plain).toMatchObject({ current_page: 1, per_page: 25 });
      for (const query of [
        'page=abc',
        'page=-1',
        'page=0',
        'page[]=2',
        'per_page=0',
        'per_page=-5',
        'per_page=x',
      ]) {
        expect([query, (await admin.get(`${path}?${query}`)).body]).toEqual([query, plain]);
      }
    },
  );

  test.each(LISTS)('%s: of nothing there are no pages', async (path) => {
    const reply = await admin.get(`${path}?q[id_eq]=2147483647`);
    expect(reply.body).toMatchObject({ count: 0, total_count: 0, pages: 0 });
  });

  test('count is of the page: one of two, on two pages (trap 4)', async () => {
    const name = unique('Pair');
    for (const end of ['A', 'B']) await aProduct({ name: `${name} ${end}` });
    const reply = await api().get(`/products?q[name_start]=${name}&per_page=1`);
    expect(reply.body).toMatchObject({ count: 1, total_count: 2, pages: 2 });
  });
});

describe('.json (trap 43)', () => {
  /** What some cannot do without. */
  const asked: Record<string, () => string> = {
    '/stock_items': () => `?stock_location_id=${parents['stock_location_id'] ?? ''}`,
    '/taxons/products': () => `?id=${root}`,
  };
  const reading = routes.filter(([verb, path]) => verb === 'get' && !path.includes(':id'));

  test.each(reading)('%s %s', async (_verb, path) => {
    const query = asked[path]?.() ?? '';
    const plain = await admin.get(`${filled(path, null)}${query}`);
    const suffixed = await admin.get(`${filled(path, null)}.json${query}`);
    expect([200, 204]).toContain(plain.status);
    expect([suffixed.status, suffixed.body]).toEqual([plain.status, plain.body]);
  });

  test.each([
    undefined,
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    'application/xml',
    'application/octet-stream',
    'nonsense',
  ])('an order is opened with nothing in it, called %s', async (type) => {
    const test = request(testApp().app).post('/api/v1/orders.json');
    if (type !== undefined) void test.set('Content-Type', type);
    const reply = await test;
    expect([reply.status, reply.body.state]).toEqual([201, 'cart']);
  });
});
