import { listFeeds, readFeed, readFeedPage } from '../../support/feeds';
import { api } from '../../support/api';
import { aCustomer, asAdmin } from '../../support/accounts.factory';
import { testDb } from '../../support/database';
import { aSellableVariant, orderInState } from '../../support/orders.factory';
import { aProduct } from '../../support/products.factory';
import { aShippedOrder, getDefaultLocationId } from '../../support/shipments.factory';

let location: number;
/** The lists that are feeds, and how their tables name them. */
let lists: [path: string, table: string][];

beforeAll(async () => {
  location = await getDefaultLocationId();
  lists = await listFeeds();
  for (let count = 0; count < 3; count += 1) {
    await aCustomer();
    await aReturn(await aShippedOrder());
  }
});

async function aReturn(order: any): Promise<any> {
  const admin = await asAdmin();
  const reason = await testDb()('return_authorization_reasons').first('id');
  const reply = await admin.post(`/orders/${order.number}/return_authorizations`, {
    return_authorization: { stock_location_id: location, return_authorization_reason_id: reason.id },
  });
  expect(reply.status).toBe(201);
  return reply.body;
}

describe('every feed', () => {
  test('has each record once, by the time of its last change, in pages of any size', async () => {
    for (const [path, table] of lists) {
      const { records } = await readFeed(`${path}?per_page=2`);
      const expected = await testDb()(table)
        .modify((query) => {
          if (['products', 'variants', 'stock_items'].includes(table)) void query.where({ deleted_at: null });
          if (table === 'orders') void query.whereNotNull('completed_at');
          if (table === 'stock_items') void query.where({ stock_location_id: location });
        })
        .orderBy(['updated_at', 'id'])
        .pluck('id');
      expect([path, records.map(({ id }) => id)]).toEqual([path, expected]);
      expect(expected.length).toBeGreaterThan(2);
    }
  });

  test('has a cursor on every page, also on an empty one, that finds what changes later', async () => {
    for (const [path, table] of lists) {
      const end = await readFeed(path);
      const empty = await readFeedPage(path, end.cursor);
      expect([path, empty]).toEqual([path, { records: [], next_cursor: expect.any(String), more: false }]);

      // Not any row: a cart of another test is in no feed.
      const [{ id }] = end.records;
      await testDb()(table)
        .where({ id })
        .update({ updated_at: new Date(0) });
      const { records } = await readFeed(path, empty.next_cursor);
      expect([path, records.map((record) => record.id)]).toEqual([path, [id]]);
    }
  });

  test('says whether there is more', async () => {
    const first = await readFeedPage('/products?per_page=1', '');
    expect(first).toMatchObject({ records: [expect.anything()], more: true });
  });

  test('begins at a time with updated_since, and a cursor of a page takes precedence', async () => {
    const admin = await asAdmin();
    await aProduct();
    const last = await aProduct();
    const { updated_at } = (await admin.get(`/products/${last.id}`)).body;
    const since = await admin.get(`/products?updated_since=${updated_at}`);
    expect(since.body.products.map(({ id }: any) => id)).toEqual([last.id]);
    expect(since.body).toMatchObject({ more: false, next_cursor: expect.any(String) });

    const begun = await admin.get(`/products?cursor=&updated_since=${updated_at}`);
    expect(begun.body.products.map(({ id }: any) => id)).toEqual([last.id]);
    const later = await admin.get(`/products?cursor=${since.body.next_cursor}&updated_since=2020-01-01`);
    expect(later.body.products).toEqual([]);
  });

  test('combines with q, which limits the records and not the progress', async () => {
    const wanted = await aProduct();
    await aProduct();
    const path = `/products?per_page=2&q[id_eq]=${wanted.id}`;
    const { records, cursor } = await readFeed(path);
    expect(records.map(({ id }) => id)).toEqual([wanted.id]);
    const whole = await readFeed('/products', cursor);
    expect(whole.records).toEqual([]);
  });

  test('combines with filters and the search of products', async () => {
    const wanted = await aProduct({ name: 'Zanzibar lantern', price: '41' });
    await aProduct({ name: 'Zanzibar lamp', price: '4' });
    const { records } = await readFeed('/products?search=zanzibar&price_min=40&q[id_gt]=0');
    expect(records.map(({ id }) => id)).toEqual([wanted.id]);
  });

  test('ignores the sort and the page, and counts only its page', async () => {
    const admin = await asAdmin();
    const reply = await admin.get('/orders?cursor=&page=7&per_page=2&q[s]=id desc');
    expect(reply.headers['x-ignored-conditions']).toBe('s');
    expect(reply.body).toMatchObject({ count: 2, total_count: 2, current_page: 1, pages: 1 });
    expect(reply.headers).not.toHaveProperty('x-total-count');
    expect(reply.headers.link).toMatch(/cursor=[\w-]+.*>; rel="next"$/);
  });

  test.each(['nonsense', 'bm9uZQ', '%00', 'x'.repeat(200), '[]=a'])(
    'refuses the cursor %s',
    async (cursor) => {
      const reply = await (await asAdmin()).get(`/orders?cursor${cursor === '[]=a' ? cursor : `=${cursor}`}`);
      expect(reply.status).toBe(422);
      expect(reply.body.errors).toEqual({ cursor: ['is invalid'] });
    },
  );

  test('refuses an unreadable updated_since', async () => {
    const reply = await (await asAdmin()).get('/orders?updated_since=yesterday');
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toEqual({ updated_since: ['is invalid'] });
  });

  test('is only where it is documented: elsewhere its parameters are ignored', async () => {
    const reply = await (await asAdmin()).get('/taxons?cursor=nonsense');
    expect(reply.status).toBe(200);
    expect(reply.headers['x-ignored-parameters']).toBe('cursor');
    expect(reply.body).not.toHaveProperty('next_cursor');
  });

  test('lists by page have no cursor', async () => {
    const reply = await (await asAdmin()).get('/orders');
    expect(reply.body).not.toHaveProperty('next_cursor');
    expect(reply.body).not.toHaveProperty('more');
  });
});

describe('the feed of orders', () => {
  test('has orders since their completion, and open ones with carts', async () => {
    const cart = await orderInState('cart');
    const sold = await orderInState('complete');
    const ids = async (path: string) => (await readFeed(path)).records.map(({ id }) => id);
    expect(await ids('/orders')).toContain(sold.id);
    expect(await ids('/orders')).not.toContain(cart.id);
    expect(await ids('/orders?carts=true&per_page=2')).toEqual(expect.arrayContaining([cart.id, sold.id]));
  });

  test('shipments come again with another address, also in place, and with the erasure of the buyer', async () => {
    const customer = await aCustomer();
    const order = await aShippedOrder({ caller: customer });
    const admin = await asAdmin();
    const { cursor } = await readFeed('/shipments');
    const address = `/orders/${order.number}/addresses/${order.ship_address.id}`;
    expect((await admin.put(address, { address: { city: 'Salem' } })).status).toBe(200);
    const placed = await readFeed('/shipments', cursor);
    expect(placed.records).toMatchObject([{ id: order.shipments[0].id, ship_address: { city: 'Salem' } }]);
    const { body } = await admin.get(`/orders/${order.number}`);
    const ship_address = { ...body.ship_address, id: undefined, city: 'Bend' };
    const changed = await admin.put(`/orders/${order.number}`, { order: { ship_address } });
    expect(changed.body.shipments).toMatchObject([{ updated_at: changed.body.updated_at }]);
    const replaced = await readFeed('/shipments', placed.cursor);
    expect(replaced.records).toMatchObject([{ ship_address: { city: 'Bend' } }]);
    await admin.put(`/orders/${order.number}`, { order: { special_instructions: 'Ring twice' } });
    const unchanged = await readFeed('/shipments', replaced.cursor);
    expect(unchanged.records).toEqual([]);

    expect((await admin.put(`/users/${customer.id}/erase?force=true`)).status).toBe(200);
    const erased = await readFeed('/shipments', unchanged.cursor);
    expect(erased.records).toMatchObject([{ ship_address: { city: 'erased' } }]);
  });

  test('has a cart when it completes', async () => {
    const { cursor } = await readFeed('/orders');
    const order = await orderInState('confirm');
    expect((await readFeed('/orders', cursor)).records).toEqual([]);
    await api(order.caller).put(`/checkouts/${order.number}/next`);
    expect((await readFeed('/orders', cursor)).records.map(({ id }) => id)).toEqual([order.id]);
  });
});

describe('deletions', () => {
  test('appear with show_deleted', async () => {
    const admin = await asAdmin();
    const variant = await aSellableVariant();
    const paths = ['/products', '/variants', `/stock_locations/${location}/stock_items`];
    const cursors = await Promise.all(paths.map(async (path) => (await readFeed(path)).cursor));
    expect((await admin.delete(`/products/${variant.product_id}`)).status).toBe(204);
    const [products, variants, items] = await Promise.all(
      paths.map(async (path, index) => (await readFeed(`${path}?show_deleted=true`, cursors[index])).records),
    );
    expect(products).toMatchObject([{ id: variant.product_id }]);
    expect(variants).toMatchObject([{ id: variant.id, is_destroyed: true }]);
    expect(items).toMatchObject([{ variant_id: variant.id, deleted_at: expect.any(String) }]);
    for (const [index, path] of paths.entries()) {
      expect((await readFeed(path, cursors[index])).records).toEqual([]);
    }
  });
});

describe('the cost of a sale', () => {
  test('no index of a table that a sale changes contains its updated_at, so that updates stay heap-only', async () => {
    const { rows } = await testDb().raw(
      `SELECT i.indexname FROM pg_indexes AS i
        WHERE i.tablename = ANY(?) AND i.indexdef LIKE '%updated_at%' AND i.indexdef NOT LIKE '%USING brin%'`,
      [['orders', 'payments', 'shipments', 'stock_items', 'line_items', 'inventory_units']],
    );
    expect(rows).toEqual([]);
  });

  test('the indexed time of orders and payments is null in a checkout', async () => {
    const order = await orderInState('confirm');
    const timesOf = async () => ({
      order: (await testDb()('orders').where({ id: order.id }).first('feed_at')).feed_at,
      payments: await testDb()('payments').where({ order_id: order.id }).pluck('feed_at'),
    });
    expect(await timesOf()).toEqual({ order: null, payments: [null] });
    await api(order.caller).put(`/checkouts/${order.number}/next`);
    expect(await timesOf()).toEqual({ order: expect.any(Date), payments: [expect.any(Date)] });
  });
});

describe('the columns of times', () => {
  /** Counters and leases, which no JSON shows. */
  const INTERNAL = ['rate_limits', 'knex_migrations'];

  test('hold milliseconds, and so do their defaults', async () => {
    const columns = await testDb()('information_schema.columns')
      .where({ table_schema: 'public', data_type: 'timestamp with time zone' })
      .whereNotIn('table_name', INTERNAL)
      .select('table_name', 'column_name', 'datetime_precision', 'column_default');
    expect(columns.length).toBeGreaterThan(80);
    const cut = await testDb()('pg_trigger').whereLike('tgname', '%\\_milliseconds').pluck('tgname');
    const finer = columns.filter(
      ({ table_name, datetime_precision }) =>
        datetime_precision !== 3 && !cut.includes(`${table_name}_milliseconds`),
    );
    expect(finer.map(({ table_name, column_name }) => `${table_name}.${column_name}`)).toEqual([]);
    const rounded = columns.filter(({ column_default: value }) => /^(now|clock_timestamp)\(\)/.test(value));
    expect(rounded).toEqual([]);
  });

  test('are cut to milliseconds in tables that grow', async () => {
    const order = await orderInState('cart');
    const times = await testDb()('orders')
      .where({ id: order.id })
      .update({
        approved_at: testDb().raw(`'2026-01-01 00:00:00.123999Z'`),
        canceled_at: testDb().raw(`'2026-01-01 00:00:00.123Z'`),
      })
      .returning(testDb().raw('approved_at::text, canceled_at::text, completed_at'));
    expect(times).toEqual([
      {
        approved_at: expect.stringMatching(/00\.123\+/),
        canceled_at: expect.stringMatching(/00\.123\+/),
        completed_at: null,
      },
    ]);
  });

  test('are found by the value that the API returns', async () => {
    const admin = await asAdmin();
    for (const [path] of lists) {
      const [record] = (await readFeed(path)).records;
      const shown = path === '/variants' ? ['updated_at'] : ['updated_at', 'created_at'];
      for (const column of shown.filter((name) => name in record)) {
        const reply = await admin.get(`${path}?q[${column}_eq]=${record[column]}`);
        expect([path, column, reply.text]).toEqual([
          path,
          column,
          expect.stringContaining(`"id":${record.id},`),
        ]);
        expect(reply.headers).not.toHaveProperty('x-ignored-conditions');
      }
    }
  });
});
