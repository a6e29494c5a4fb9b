import { DEMO_ORDERS, loadDemoOrders } from '../../../seeds/demo/orders';
import { writeCatalogue } from '../../../seeds/demo/write-catalogue';
import { apiRouters } from '../../../src/routers';
import { asAdmin } from '../../support/accounts.factory';
import { testApp } from '../../support/api';
import { importCsv } from '../../support/csv';
import { testDb } from '../../support/database';
import { stopAfterOrders } from '../../support/demo-shop';
import { countQueries } from '../../support/queries';
import { unique } from '../../support/unique';

/**
 * Every list of the API takes as many statements for twenty records as for two. The records have all their
 * nested records, so that a query for each of them would be counted.
 */
const FEW = 2;
const MANY = 20;

let admin: Awaited<ReturnType<typeof asAdmin>>;
/** The path parameters of the lists. */
const ids: Record<string, number | string> = {};

beforeAll(async () => {
  admin = await asAdmin();
  await testDb().transaction(async (tx) => {
    await writeCatalogue(tx, new Date());
    await tx('seeds').insert({ name: DEMO_ORDERS });
  });
  expect(await loadDemoOrders(testApp().deps, stopAfterOrders(40))).toBe(40);
  await createSettings();
  await createCatalog();
  await createUsers();
  await createSales();
  await createFailedImport();
});

async function post(path: string, body: object): Promise<any> {
  const reply = await admin.post(path, body);
  if (reply.status >= 300) throw new Error(`POST ${path}: ${reply.status} ${reply.text}`);
  return reply.body;
}

async function createMany(make: (name: string, index: number) => Promise<unknown>): Promise<void> {
  for (let index = 0; index < MANY; index += 1) await make(unique('Listed'), index);
}

/** Creates zones with members and the other settings of a store. */
async function createSettings(): Promise<void> {
  const { countries } = (await admin.get('/countries?per_page=3')).body;
  const zone_members = countries.map(({ id }: any) => ({ zoneable_type: 'Store::Country', zoneable_id: id }));
  const category = (await admin.get('/shipping_categories')).body.shipping_categories[0];
  await createMany(async (name) => {
    const zone = await post('/zones', { name, zone_members });
    const tax = await post('/tax_categories', { name });
    await post('/tax_rates', { name, amount: '0.07', tax_category_id: tax.id, zone_id: zone.id });
    await post('/shipping_categories', { name });
    await post('/shipping_methods', {
      name,
      calculator_type: 'flat_rate',
      calculator_preferences: { amount: '4', currency: 'USD' },
      shipping_category_ids: [category.id],
      zone_ids: [zone.id],
      tax_category_id: tax.id,
    });
    await post('/payment_methods', { name, gateway: 'check' });
    await post('/return_authorization_reasons', { name });
    await post('/roles', { name });
    const webhook = await post('/webhooks', { url: `https://${name}.example/`, events: ['*'] });
    ids['webhook'] ??= webhook.id;
    await post(`/webhooks/${ids['webhook']}/test`, {});
    await post('/stock_locations', { name, country_id: countries[0].id, propagate_all_variants: false });
    await post('/stores', { name, url: `${name}.example`, code: name, mail_from_address: 'a@example.com' });
    await post('/promotions', {
      promotion: {
        name,
        code: name,
        usage_limit: 3,
        rules: [{ type: 'item_total', amount_min: '5' }],
        actions: [{ type: 'order_percent', percent: '5' }],
      },
    });
  });
}

/** Creates a product with many nested records, taxons, option types and stock movements. */
async function createCatalog(): Promise<void> {
  const word = unique('listed');
  const taxonomy = await post('/taxonomies', { name: word });
  const root = taxonomy.root.id;
  await createMany(async (name) => {
    await post('/taxonomies', { name });
    const { id } = await post(`/taxonomies/${taxonomy.id}/taxons`, { name, parent_id: root });
    await post(`/taxonomies/${taxonomy.id}/taxons`, { name, parent_id: id });
    const option_values_attributes = ['S', 'M'].map((value) => ({ name: value, presentation: value }));
    await post('/option_types', { name, presentation: name, option_values_attributes });
    await post('/properties', { name, presentation: name });
  });
  const product = await post('/products', {
    name: word,
    price: '5',
    shipping_category: 'Default',
    taxon_ids: [root],
    variants: Array.from({ length: MANY }, (_none, index) => ({
      options: [{ name: word, value: `v${index}` }],
    })),
    product_properties_attributes: Array.from({ length: MANY }, (_none, index) => ({
      property_name: `${word} ${index}`,
      value: 'x',
    })),
  });
  const location = (await admin.get('/stock_locations?q[name_eq]=default')).body.stock_locations[0];
  const items = (
    await admin.get(`/stock_locations/${location.id}/stock_items?q[variant_id_eq]=${product.variants[0].id}`)
  ).body.stock_items;
  await createMany(() =>
    post(`/stock_locations/${location.id}/stock_movements`, { stock_item_id: items[0].id, quantity: 1 }),
  );
  await testDb().raw(
    `INSERT INTO images (variant_id, position, attachment_content_type, attachment_file_name, attachment_width,
       attachment_height, attachment_updated_at, storage_key)
     SELECT ?, n, 'image/png', 'a.png', 1, 1, now(), gen_random_uuid() FROM generate_series(1, ?) AS n`,
    [product.master.id, MANY],
  );
  const classified = await testDb()('taxons').where({ name: 'Clothing' }).first('id');
  await testDb().raw(
    `INSERT INTO classifications (taxon_id, product_id, position)
     SELECT :taxon, id, 100 + row_number() OVER (ORDER BY id) FROM products
     WHERE NOT EXISTS (SELECT FROM classifications c WHERE c.product_id = products.id AND c.taxon_id = :taxon)`,
    { taxon: classified.id },
  );
  await testDb().raw(
    `INSERT INTO product_relations (product_id, related_id, kind, position)
     SELECT :product, id, 'related', row_number() OVER (ORDER BY id DESC) FROM products WHERE id <> :product`,
    { product: product.id },
  );
  Object.assign(ids, {
    product: product.slug,
    variant: product.master.id,
    taxonomy: taxonomy.id,
    taxon: classified.id,
    option_type: product.option_types[0].id,
    location: location.id,
    country: (await admin.get('/countries?q[iso_eq]=US')).body.countries[0].id,
  });
}

/** Creates users with addresses; one of them has tokens and cards. */
async function createUsers(): Promise<void> {
  const { country_id, id: state_id } = (await admin.get('/states?q[abbr_eq]=MD')).body.states[0];
  const address = {
    firstname: 'A',
    lastname: 'B',
    address1: 'C',
    city: 'D',
    zipcode: '20814',
    phone: '1',
    country_id,
    state_id,
  };
  const method = await testDb()('payment_methods').where({ name: 'Credit Card' }).first('id');
  await createMany(async (name, index) => {
    const user = await post('/users', {
      email: `${name}@example.com`,
      password: 'secret12',
      bill_address_attributes: address,
      ship_address_attributes: address,
    });
    if (index === 0) ids['user'] = user.id;
  });
  // Users with addresses come first in the feed.
  await testDb().raw('UPDATE users SET updated_at = updated_at WHERE bill_address_id IS NULL');
  await createMany(() => post(`/users/${ids['user']}/tokens`, { api_token: { name: unique('token') } }));
  const { id: own } = (await admin.get('/users/me')).body;
  await testDb().raw(
    `INSERT INTO credit_cards (user_id, payment_method_id, month, year, last_digits, name, gateway_customer_profile_id)
     SELECT owner, ?, '1', '2035', '1111', 'Ann Lee', 'BGS-' || n
       FROM unnest(?::int[]) AS owner, generate_series(1, ?) AS n`,
    [method.id, [ids['user'], own], MANY],
  );
}

/** Imports a file of which every row is wrong. */
async function createFailedImport(): Promise<void> {
  const rows = Array.from({ length: MANY }, () => 'no-such-sku,1\n');
  const failed = await importCsv('prices', `sku,price\n${rows.join('')}`);
  expect(failed.errors).toHaveLength(MANY);
  ids['import'] = failed.id;
}

/** Creates orders of one admin, and one shipped order with returns and payments. */
async function createSales(): Promise<void> {
  const shipped = await testDb()('orders').where({ shipment_state: 'shipped' }).orderBy('id').first();
  const location = ids['location'];
  const reason = await testDb()('return_authorization_reasons').orderBy('id').first('id');
  const check = await testDb()('payment_methods').where({ name: 'Check' }).first('id');
  await createMany((label) =>
    post(`/orders/${shipped.number}/adjustments`, { adjustment: { label, amount: '1' } }),
  );
  await createMany(() =>
    post(`/orders/${shipped.number}/return_authorizations`, {
      return_authorization: { stock_location_id: location, return_authorization_reason_id: reason.id },
    }),
  );
  const { user_id } = await post('/orders', {});
  const variant = await testDb()('stock_items').where('count_on_hand', '>', 50).first('variant_id');
  const cart = await post('/orders', {
    order: { line_items: [{ variant_id: variant.variant_id, quantity: 2 }] },
  });
  await createMany(() =>
    post(`/orders/${cart.number}/payments`, { payment: { payment_method_id: check.id, amount: '1' } }),
  );
  await testDb()('orders').whereNotNull('completed_at').update({ user_id });
  // Directly, because no gateway has to answer for this.
  await testDb().raw(
    `INSERT INTO refunds (payment_id, amount)
     SELECT (SELECT min(p.id) FROM payments p JOIN orders o ON o.id = p.order_id WHERE o.number = ?), 0.01
       FROM generate_series(1, ?)`,
    [cart.number, MANY],
  );
  Object.assign(ids, { shipped: shipped.number, paid: cart.number });
}

type Paths = Record<string, () => string>;

/** The path of each list; lists that are not paged are limited by a condition on `position`. */
const LISTS: Paths = {
  'get /products/:product_id/variants': () => `/products/${ids['product']}/variants`,
  'get /products/:product_id/images': () => `/products/${ids['product']}/images`,
  'get /variants/:variant_id/images': () => `/variants/${ids['variant']}/images`,
  'get /products/:product_id/product_properties': () => `/products/${ids['product']}/product_properties`,
  'get /option_types/:option_type_id/option_values': () =>
    `/option_types/${ids['option_type']}/option_values`,
  'get /taxonomies/:taxonomy_id/taxons': () => `/taxonomies/${ids['taxonomy']}/taxons`,
  'get /products/:product_id/related': () => `/products/${ids['product']}/related`,
  'get /products/:product_id/relations': () => `/products/${ids['product']}/relations`,
  'get /taxons/products': () => `/taxons/products?id=${ids['taxon']}`,
  'get /countries/:country_id/states': () => `/countries/${ids['country']}/states`,
  'get /stock_items': () => `/stock_items?stock_location_id=${ids['location']}`,
  'get /stock_locations/:stock_location_id/stock_items': () =>
    `/stock_locations/${ids['location']}/stock_items`,
  'get /stock_locations/:stock_location_id/stock_movements': () =>
    `/stock_locations/${ids['location']}/stock_movements`,
  'get /webhooks/:id/deliveries': () => `/webhooks/${ids['webhook']}/deliveries`,
  'get /imports/:id/errors': () => `/imports/${ids['import']}/errors`,
  'get /users/:id/credit_cards': () => `/users/${ids['user']}/credit_cards`,
  'get /users/:id/tokens': () => `/users/${ids['user']}/tokens`,
  'get /orders/:number/payments': () => `/orders/${ids['paid']}/payments`,
  'get /checkouts/:number/payments': () => `/checkouts/${ids['paid']}/payments`,
  'get /orders/:number/adjustments': () => `/orders/${ids['shipped']}/adjustments`,
  'get /checkouts/:number/adjustments': () => `/checkouts/${ids['shipped']}/adjustments`,
  'get /orders/:number/refunds': () => `/orders/${ids['paid']}/refunds`,
  'get /checkouts/:number/refunds': () => `/checkouts/${ids['paid']}/refunds`,
  'get /orders/:number/history': () => `/orders/${ids['shipped']}/history`,
  'get /checkouts/:number/history': () => `/checkouts/${ids['shipped']}/history`,
  'get /orders/:number/return_authorizations': () => `/orders/${ids['shipped']}/return_authorizations`,
  'get /checkouts/:number/return_authorizations': () => `/checkouts/${ids['shipped']}/return_authorizations`,
};

const NOT_PAGED = new Set(['get /products/:product_id/images', 'get /variants/:variant_id/images']);

// Exports read pages by id; test/exchange tests them.
const lists = apiRouters()
  .flatMap((router) => router.endpoints)
  .filter(({ method, paged, search }) => method === 'get' && (paged !== undefined || search !== undefined))
  .filter(({ isStreamed }) => isStreamed !== true);

/** Whether the list is one PDF or one ZIP file, whose records cannot be counted here. */
const isDocument = (path: string): boolean => /\.(pdf|zip)$/.test(path);

function getRows(body: any): unknown[] {
  return Array.isArray(body) ? body : (Object.values(body).find(Array.isArray) ?? []);
}

const feeds = lists.filter(({ feed }) => feed === true);
const cases = [
  ...lists.map(({ route, path }) => ({ name: route, route, path, parameters: '' })),
  ...feeds.map(({ route, path }) => ({
    name: `${route} by cursor`,
    route,
    path,
    parameters: 'cursor=',
  })),
];

describe('a list takes as many statements for many records as for few', () => {
  test('nine resources have feeds, stock items and variants at two paths', () => {
    expect(feeds).toHaveLength(11);
  });

  test.each(cases)('$name', async ({ route, path, parameters }) => {
    const bare = LISTS[route]?.() ?? path;
    expect(bare).not.toContain(':');
    const place = parameters === '' ? bare : `${bare}${bare.includes('?') ? '&' : '?'}${parameters}`;
    const buildLimitedUrl = (count: number): string => {
      const limit = NOT_PAGED.has(route) ? `q[position_lteq]=${count}` : `per_page=${count}`;
      return `${place}${place.includes('?') ? '&' : '?'}${limit}`;
    };
    const countRowsAndStatements = async (count: number): Promise<{ rows: number; statements: number }> => {
      await admin.get(buildLimitedUrl(count)); // The first request fills caches.
      let rows = 0;
      const countStatements = await countQueries(async () => {
        // Another URL, so that the reply is not cached.
        const reply = await admin.get(`${buildLimitedUrl(count)}&_=${unique('x')}`);
        expect(reply.status).toBe(200);
        rows = getRows(reply.body).length;
      });
      return { rows, statements: countStatements };
    };
    const few = await countRowsAndStatements(FEW);
    const rowsOf = (count: number): number => (isDocument(path) ? 0 : count);
    expect(few).toEqual({ rows: rowsOf(FEW), statements: few.statements });
    expect(few.statements).toBeLessThanOrEqual(12);
    expect(await countRowsAndStatements(MANY)).toEqual({ rows: rowsOf(MANY), statements: few.statements });
  });

  test('get /stores, which is not paged', async () => {
    const statements = () => countQueries(() => admin.get('/stores'));
    const all = await statements();
    expect(getRows((await admin.get('/stores')).body).length).toBeGreaterThan(MANY);
    await testDb()('stores').where({ is_default: false }).delete();
    expect(await statements()).toBe(all);
  });
});
