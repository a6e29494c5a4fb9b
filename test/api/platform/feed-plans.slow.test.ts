import type { Knex } from 'knex';
import { asAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { readFeed, readFeedPage } from '../../support/feeds';
import { orderInState } from '../../support/orders.factory';
import { aShippedOrder, getDefaultLocationId } from '../../support/shipments.factory';

/**
 * With many rows in every table, a page of a feed reads as many rows as it has, wherever it begins. Rows are copies of
 * a few records.
 */
const COPIES = 30_000;
const TABLES = ['products', 'variants', 'orders', 'shipments', 'payments', 'stock_items', 'stock_movements'];
TABLES.push('users', 'return_authorizations');

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

let location: number;

/** Copies the newest row of a table, with other values in columns that must be unique. */
async function copy(table: string, changes: Record<string, string>): Promise<void> {
  const db = testDb();
  const { rows } = await db.raw(
    `SELECT column_name FROM information_schema.columns
      WHERE table_name = ? AND is_generated = 'NEVER' AND column_name NOT IN ('id', 'updated_at')`,
    [table],
  );
  const names = rows.map(({ column_name }: { column_name: string }) => column_name) as string[];
  const values = names.map((name) => changes[name] ?? `original."${name}"`);
  await db.raw(
    `INSERT INTO ${table} (${names.map((name) => `"${name}"`).join(', ')}, updated_at)
     SELECT ${values.join(', ')}, timestamptz '2026-01-01' + make_interval(mins => n)
       FROM (SELECT * FROM ${table} ORDER BY id DESC LIMIT 1) AS original, generate_series(1, ?) AS n`,
    [COPIES],
  );
}

beforeAll(async () => {
  location = await getDefaultLocationId();
  await aShippedOrder();
  await orderInState('cart');
  await orderInState('complete');
  const db: Knex = testDb();
  for (const table of [...TABLES, 'inventory_units'])
    await db.raw(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  await copy('users', { email: `'copy' || n || '@example.com'` });
  await copy('products', { slug: `'copy-' || n` });
  await db.raw(`
    INSERT INTO variants (product_id, sku, is_master, position, updated_at)
    SELECT id, slug, true, 1, updated_at FROM products WHERE slug LIKE 'copy-%';
    INSERT INTO stock_items (stock_location_id, variant_id, updated_at)
    SELECT ${location}, id, updated_at FROM variants WHERE sku LIKE 'copy-%';
    INSERT INTO stock_item_changes SELECT id, stock_location_id, updated_at FROM stock_items ON CONFLICT DO NOTHING;
  `);
  await copy('stock_movements', {});
  await copy('orders', { number: `'C' || n`, token_hash: `sha256(n::text::bytea)` });
  const [{ first }] = (await db.raw(`SELECT min(id) AS first FROM orders WHERE number LIKE 'C%'`)).rows;
  await copy('payments', { number: `'P' || n`, order_id: `${first} + n - 1` });
  await copy('shipments', { number: `'H' || n`, state: `'ready'`, order_id: `${first} + n - 1` });
  await db.raw(
    `INSERT INTO return_authorizations (number, order_id, stock_location_id, return_authorization_reason_id, updated_at)
     SELECT 'RA' || id, id, ?, (SELECT min(id) FROM return_authorization_reasons), updated_at FROM orders`,
    [location],
  );
  // The triggers that set it were disabled.
  await db.raw('UPDATE shipments SET feed_at = updated_at');
  for (const table of [...TABLES, 'inventory_units'])
    await db.raw(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
  await db.raw('VACUUM ANALYZE');
});

/** Returns the plans of the statements that a request sends for a page of a feed. */
async function explain(path: string, cursor: string): Promise<PlanNode[]> {
  const statements: { sql: string; bindings: readonly never[] }[] = [];
  const note = (statement: { sql: string; bindings: readonly never[] }) => statements.push(statement);
  testDb().on('query', note);
  await readFeedPage(path, cursor);
  testDb().removeListener('query', note);
  const pages = statements.filter(({ sql }) => sql.includes('> (CAST('));
  expect(pages).toHaveLength(1);
  const nodes: PlanNode[] = [];
  const visit = (node: PlanNode) => {
    nodes.push(node);
    node.Plans?.forEach(visit);
  };
  for (const { sql, bindings } of pages) {
    const { rows } = await testDb().raw(
      `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${sql.replace(/\$\d+/g, '?')}`,
      bindings,
    );
    visit(rows[0]['QUERY PLAN'][0].Plan);
  }
  return nodes;
}

const countRead = (nodes: readonly PlanNode[]) =>
  Math.max(
    ...nodes.map(
      (node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    ),
  );

describe('a page of a feed', () => {
  test.each([
    '/products?show_deleted=true',
    '/products',
    '/variants',
    '/orders',
    '/shipments',
    '/payments',
    '/stock_items?stock_location_id=:location',
    '/stock_locations/:location/stock_movements',
    '/users',
    '/return_authorizations',
  ])('of %s reads an index, from the begin, in the middle and at the end', async (route) => {
    const path = route.replace(':location', String(location));
    const middle = await (
      await asAdmin()
    ).get(`${path}${path.includes('?') ? '&' : '?'}updated_since=2026-01-10`);
    expect(middle.body.more).toBe(true);
    for (const cursor of ['', middle.body.next_cursor]) {
      const nodes = await explain(path, cursor);
      expect(
        nodes.filter(
          (node) => node['Node Type'] === 'Seq Scan' && TABLES.includes(node['Relation Name'] ?? ''),
        ),
      ).toEqual([]);
      expect(countRead(nodes)).toBeLessThan(200);
    }
    const end = await readFeed(
      `${path}${path.includes('?') ? '&' : '?'}per_page=500&updated_since=2026-01-20`,
    );
    const nodes = await explain(path, end.cursor);
    expect(countRead(nodes)).toBeLessThan(200);
  });
});

test('a guest reads the feed of products by the same index', async () => {
  const page = await readFeedPage('/products', '', (path) => api().get(path));
  expect(page.records).toHaveLength(25);
});
