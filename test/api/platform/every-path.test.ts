import request from 'supertest';
import { apiRouters } from '../../../src/routers';
import { anAdmin } from '../../support/accounts.factory';
import { getPlaceIds } from '../../support/addresses.factory';
import { api, testApp } from '../../support/api';
import { testDb } from '../../support/database';
import { orderInState } from '../../support/orders.factory';
import { anOptionType, aProduct } from '../../support/products.factory';
import { aTaxonomy } from '../../support/taxons.factory';
import { unique } from '../../support/unique';
import { NOT_FOUND } from '../../support/error-bodies';

/* Rules that every path follows. */

const ODD_IDS = ['abc', '99999999999999', '2147483648', '0', '-1', '1.5', '%00', '1%20or%201=1'];

let admin: ReturnType<typeof api>;
/** Existing records by the name of the path parameter. */
let parents: Record<string, string | number>;
/** Existing records for `:id`, by the resource before it. */
let owners: Record<string, string | number>;
let root: number;
/** The number of a complete order, which has documents. */
let sold: string;
let soldShipment: string;

beforeAll(async () => {
  const caller = await anAdmin();
  admin = api(caller);
  const [product, taxonomy, type] = [await aProduct(), await aTaxonomy(), await anOptionType('Size', 'S')];
  const { country_id } = await getPlaceIds('US', 'MD');
  const location = await testDb()('stock_locations').where({ name: 'default' }).first('id');
  const order = await orderInState('delivery');
  const complete = await orderInState('complete');
  sold = complete.number;
  soldShipment = complete.shipments[0].number;
  parents = {
    number: order.number,
    product_id: product.id,
    variant_id: product.master.id,
    option_type_id: type.id,
    taxonomy_id: taxonomy.id,
    country_id,
    stock_location_id: location.id,
    user_id: caller.id,
    permalink: taxonomy.root.permalink,
    name: 'order_confirmed',
  };
  parents['permalink'] = taxonomy.root.permalink;
  root = taxonomy.root.id;
  owners = { taxonomies: taxonomy.id, users: caller.id, shipments: order.shipments[0].number };
});

/** Fills the parameters of a path; the last one with `odd` unless that is null. */
function fillPath(path: string, odd: string | null): string {
  const parts = path.split('/');
  const last = parts.findLastIndex((part) => part.startsWith(':'));
  return parts
    .map((part, index) => {
      if (!part.startsWith(':')) return part;
      if (odd !== null && index === last) return odd;
      if (part === ':number' && /\/(documents|invoice\.pdf)$/.test(path)) return sold;
      if (path.endsWith('/packing_slip.pdf')) return soldShipment;
      const record = owners[parts[index - 1] ?? ''] ?? parents[part.slice(1)];
      if (record === undefined) throw new Error(`nothing known for ${part} in ${path}`);
      return record;
    })
    .join('/');
}

const routes = apiRouters().flatMap(({ endpoints }) =>
  endpoints.map(({ method, path }): ['get' | 'put' | 'delete' | 'post', string] => [method, path]),
);

// Unknown coupon codes return an error of the coupon.
const routesWithIds = routes.filter(
  ([, path]) => /:(id|number)(\/[a-z_]+)?$/.test(path) && !path.includes(':code'),
);

test('more than 100 paths contain ids', () => {
  expect(routesWithIds.length).toBeGreaterThan(100);
});

test.each(routesWithIds)('%s %s returns 404 for an invalid id', async (verb, path) => {
  for (const odd of ODD_IDS) {
    const reply = await admin[verb](fillPath(path, odd));
    expect([odd, reply.status, reply.body]).toEqual([odd, 404, NOT_FOUND]);
  }
});

describe('lists', () => {
  const LISTS = ['/countries', '/products', '/variants', '/zones', '/properties', '/orders', '/payments'];

  test.each(LISTS)(
    '%s: an invalid page counts as the first page, an invalid per_page as the default',
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

  test.each(LISTS)('%s: an empty list has 0 pages', async (path) => {
    const reply = await admin.get(`${path}?q[id_eq]=2147483647`);
    expect(reply.body).toMatchObject({ count: 0, total_count: 0, pages: 0 });
  });

  test('count is the number of records on the page', async () => {
    const name = unique('Pair');
    for (const end of ['A', 'B']) await aProduct({ name: `${name} ${end}` });
    const reply = await api().get(`/products?q[name_start]=${name}&per_page=1`);
    expect(reply.body).toMatchObject({ count: 1, total_count: 2, pages: 2 });
  });
});

describe('the suffix .json', () => {
  /** Required query parameters. */
  const requiredQueries: Record<string, () => string> = {
    '/stock_items': () => `?stock_location_id=${parents['stock_location_id'] ?? ''}`,
    '/taxons/products': () => `?id=${root}`,
  };
  const reading = routes.filter(([verb, path]) => verb === 'get' && !path.includes(':id'));

  test.each(reading)('%s %s works with it', async (_verb, path) => {
    const query = requiredQueries[path]?.() ?? '';
    const plain = await admin.get(`${fillPath(path, null)}${query}`);
    const suffixed = await admin.get(`${fillPath(path, null)}.json${query}`);
    expect([200, 204]).toContain(plain.status);
    // A PDF that is not kept has the time at which it was made.
    const contentOf = ({ headers, body }: typeof plain): unknown =>
      path.includes('packing_slip') ? headers['content-type'] : body;
    expect([suffixed.status, contentOf(suffixed)]).toEqual([plain.status, contentOf(plain)]);
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
  ])('POST /orders.json without a body creates a cart with Content-Type %s', async (type) => {
    const test = request(testApp().app).post('/api/v1/orders.json');
    if (type !== undefined) void test.set('Content-Type', type);
    const reply = await test;
    expect([reply.status, reply.body.state]).toEqual([201, 'cart']);
  });
});
