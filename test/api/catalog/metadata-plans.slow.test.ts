import type { Knex } from 'knex';
import { pino } from 'pino';
import { closeDatabase, connectDatabase } from '../../../src/platform/database/knex';
import { testDatabaseUrl } from '../../setup/test-server';
import { anAdmin } from '../../support/accounts.factory';
import { api, makeTestApp } from '../../support/api';
import { cloneTemplate, dropClone } from '../../support/database';

const ROWS = 30_000;
const DATABASE = `store_metadata_plans_${process.env['JEST_WORKER_ID'] ?? '1'}`;

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

/** Inserts records of which every second one has metadata, each with an id of its own. */
async function fill(): Promise<void> {
  for (const table of ['products', 'variants', 'prices'])
    await db.raw('ALTER TABLE ?? DISABLE TRIGGER USER', [table]);
  const metadata = `CASE WHEN n % 2 = 0 THEN jsonb_build_object('erp_id', n::text, 'source', 'erp') ELSE '{}' END`;
  await db.raw(
    `INSERT INTO products (name, slug, available_on, shipping_category_id, priced_in, metadata)
     SELECT 'Product ' || n, 'product-' || n, timestamptz '2026-01-01', (SELECT min(id) FROM shipping_categories), '{USD}',
       ${metadata} FROM generate_series(1, ?) AS n`,
    [ROWS],
  );
  await db.raw(`INSERT INTO variants (product_id, sku, is_master, position, metadata)
                SELECT id, 'SKU-' || id, true, 1, metadata FROM products ORDER BY id`);
  await db.raw(
    `INSERT INTO users (email, password_digest, metadata)
     SELECT 'user-' || n || '@example.com', 'none', ${metadata} FROM generate_series(1, ?) AS n`,
    [ROWS],
  );
  await db.raw(
    `INSERT INTO orders (number, token_seed, token_hash, currency, email, metadata)
     SELECT 'R' || n, substr(sha256(n::text::bytea), 1, 16), sha256(n::text::bytea), 'USD', 'a@example.com', ${metadata}
       FROM generate_series(1, ?) AS n`,
    [ROWS],
  );
  for (const table of ['products', 'variants', 'users', 'orders']) await db.raw('VACUUM ANALYZE ??', [table]);
}

/** Sends the request and returns its reply, and the plans of its statements that search metadata. */
async function explain(path: string) {
  const statements: { sql: string; bindings: readonly Knex.RawBinding[] }[] = [];
  const note = (statement: (typeof statements)[number]) => statements.push(statement);
  db.on('query', note);
  const reply = await admin.get(path);
  db.removeListener('query', note);
  const searches = statements.filter(({ sql }) => sql.includes('@>'));
  const nodes: PlanNode[] = [];
  const visit = (node: PlanNode) => {
    nodes.push(node);
    node.Plans?.forEach(visit);
  };
  for (const { sql, bindings } of searches) {
    const found = await db.raw<{ rows: { 'QUERY PLAN': { Plan: PlanNode }[] }[] }>(
      `EXPLAIN (FORMAT JSON) ${sql.replace(/\$\d+/g, '?')}`,
      [...bindings],
    );
    found.rows[0]?.['QUERY PLAN'].forEach(({ Plan }) => visit(Plan));
  }
  return { reply, nodes };
}

test.each(['products', 'variants', 'users', 'orders'])(
  'the list of %s reads its index of metadata',
  async (list) => {
    const { reply, nodes } = await explain(`/${list}?q[metadata_contains]={"erp_id":"4712"}`);
    expect([reply.status, reply.body.count]).toEqual([200, 1]);
    expect(reply.body[list]).toMatchObject([{ metadata: { erp_id: '4712', source: 'erp' } }]);
    expect(nodes.map((node) => node['Index Name'])).toContain(`${list}_metadata_index`);
    expect(
      nodes.filter((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === list),
    ).toEqual([]);
  },
);

test('an update of an order writes no index, whether it has metadata or not', async () => {
  await db.transaction(async (tx) => {
    // Pages of orders have room for new versions of their rows (fillfactor), but not for those of all rows.
    await tx.raw(`UPDATE orders SET item_total = 1, total = 1, updated_at = now() WHERE id % 50 < 2`);
    const { rows } = await tx.raw(
      `SELECT pg_stat_get_xact_tuples_updated('orders'::regclass)::integer AS updates,
              pg_stat_get_xact_tuples_hot_updated('orders'::regclass)::integer AS hot`,
    );
    const [{ updates, hot }] = rows;
    expect(updates).toBeGreaterThan(1_000);
    expect(hot).toBe(updates);
  });
});
