import type { Knex } from 'knex';
import { pino } from 'pino';
import { closeDatabase, connectDatabase } from '../../../src/platform/database/knex';
import { testDatabaseUrl } from '../../setup/test-server';
import { anAdmin } from '../../support/accounts.factory';
import { api, makeTestApp } from '../../support/api';
import { cloneTemplate, dropClone } from '../../support/database';

const ROWS = 60_000;
const DATABASE = `store_order_search_plans_${process.env['JEST_WORKER_ID'] ?? '1'}`;

interface PlanNode {
  'Node Type': string;
  'Index Name'?: string;
  'Relation Name'?: string;
  Plans?: PlanNode[];
}

let db: Knex;
let admin: ReturnType<typeof api>;

beforeAll(async () => {
  await cloneTemplate(DATABASE);
  db = connectDatabase({
    url: testDatabaseUrl(DATABASE),
    poolSize: 4,
    log: pino({ level: 'error' }),
    timeouts: 'maintenance',
  });
  await fill();
  admin = api(await anAdmin(db), makeTestApp({ db }));
});

afterAll(async () => {
  await closeDatabase(db, 5_000);
  await dropClone(DATABASE);
});

/** Inserts orders with an address, a line, a shipment and an invoice each. */
async function fill(): Promise<void> {
  const tables = ['products', 'variants', 'addresses', 'orders', 'line_items', 'shipments', 'documents'];
  for (const table of tables) await db.raw('ALTER TABLE ?? DISABLE TRIGGER USER', [table]);
  await db.raw(
    `INSERT INTO products (name, slug, available_on, shipping_category_id, priced_in)
     SELECT 'Product ' || n, 'product-' || n, timestamptz '2026-01-01', (SELECT min(id) FROM shipping_categories), '{USD}'
       FROM generate_series(1, 30000) AS n`,
  );
  await db.raw(`INSERT INTO variants (product_id, sku, is_master, position)
                SELECT id, 'SKU-' || lpad(id::text, 7, '0'), true, 1 FROM products ORDER BY id`);
  const each = `FROM generate_series(1, ${ROWS}) AS n`;
  await db.raw(
    `INSERT INTO addresses (id, firstname, lastname, company, address1, city, zipcode, phone, country_id)
     SELECT n, 'First' || n % 100, CASE n WHEN 7 THEN 'Müller' ELSE 'Family' || n END, 'Company ' || n, 'Street', 'Town', lpad(n::text, 5, '0'),
            '+1 301 ' || lpad(n::text, 7, '0'), (SELECT min(id) FROM countries) ${each}`,
  );
  await db.raw(
    `INSERT INTO orders (id, number, token_seed, token_hash, currency, email, bill_address_id, ship_address_id)
     SELECT n, 'R' || (100000000 + n), substr(sha256(n::text::bytea), 1, 16), sha256(n::text::bytea), 'USD',
            'user' || n || '@example.com', n, n ${each}`,
  );
  await db.raw(
    `INSERT INTO line_items (order_id, variant_id, quantity, price)
     SELECT n, (SELECT min(id) FROM variants WHERE sku LIKE 'SKU-%') + n % 30000, 1, 1 ${each}`,
  );
  await db.raw(
    `INSERT INTO shipments (number, order_id, stock_location_id, tracking)
     SELECT 'H' || n, n, (SELECT min(id) FROM stock_locations), '1Z' || (100000000 + n) ${each}`,
  );
  await db.raw(
    `INSERT INTO documents (order_id, kind, series, sequence, number, currency, total, snapshot)
     SELECT n, 'invoice', 'invoice', n, 'INV-' || lpad(n::text, 6, '0'), 'USD', 1, '{}' ${each}`,
  );
  // Statistics of all 60,000 rows instead of a random half, so that the plans are the same each time.
  await db.raw('ALTER TABLE addresses ALTER COLUMN lastname SET STATISTICS 200');
  for (const table of tables) await db.raw('VACUUM ANALYZE ??', [table]);
}

/** Sends the search and returns its reply, and the plan of its statement. */
async function explain(text: string) {
  const statements: { sql: string; bindings: readonly Knex.RawBinding[] }[] = [];
  const note = (statement: (typeof statements)[number]) => statements.push(statement);
  db.on('query', note);
  const reply = await admin.get(`/orders?search=${encodeURIComponent(text)}`);
  db.removeListener('query', note);
  const nodes: PlanNode[] = [];
  const visit = (node: PlanNode) => {
    nodes.push(node);
    node.Plans?.forEach(visit);
  };
  for (const { sql, bindings } of statements.filter((statement) => statement.sql.includes('searched'))) {
    const plain = sql.replace(/\$\d+/g, '?');
    const found = await db.raw<{ rows: { 'QUERY PLAN': { Plan: PlanNode }[] }[] }>(
      `EXPLAIN (FORMAT JSON) ${plain}`,
      [...bindings],
    );
    found.rows[0]?.['QUERY PLAN'].forEach(({ Plan }) => visit(Plan));
  }
  const whole = nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']);
  return { reply, whole, indexes: nodes.flatMap((node) => node['Index Name'] ?? []) };
}

test.each([
  ['number', 'R100012345', 'orders_texts_trigram'],
  ['e-mail address', 'user12345@example.com', 'orders_texts_trigram'],
  ['name', 'first45 family12345', 'addresses_name_index'],
  ['family name', 'Family12345', 'addresses_family_name_index'],
  ['family name with an umlaut', 'Müller', 'addresses_family_name_index'],
  ['family name without its umlaut', 'muller', 'addresses_plain_family_name_index'],
  ['company', 'company 12345', 'addresses_company_index'],
  ['phone', '(301) 001-2345', 'addresses_phone_index'],
  ['zip code', '12345', 'addresses_zipcode_index'],
  ['sku', 'sku-0000045', 'line_items_variant_id_index'],
  ['tracking number', '1z100012345', 'shipments_tracking_index'],
  ['invoice number', 'inv-012345', 'documents_number_index'],
])('a search for a %s reads indexes only', async (_kind, text, index) => {
  const { reply, whole, indexes } = await explain(text);
  expect(reply.status).toBe(200);
  expect(reply.body.total_count).toBeGreaterThan(0);
  expect(whole).toEqual([]);
  expect(indexes).toContain(index);
});

test.each(['user', 'F', 'example.com', 'R1000', '100'])(
  'a text that matches most orders finds bounded numbers: %s',
  async (text) => {
    const { reply, whole } = await explain(text);
    expect(reply.status).toBe(200);
    expect(reply.body.total_count).toBeGreaterThanOrEqual(1000);
    expect(reply.body.total_count).toBeLessThanOrEqual(8000);
    expect(reply.body.orders).toHaveLength(25);
    expect(whole.filter((table) => table !== 'orders' && table !== 'addresses')).toEqual([]);
  },
);
