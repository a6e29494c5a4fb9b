import { Client } from 'pg';
import {
  findViolatingRows,
  findViolations,
  INVARIANTS,
  type Violation,
  type Scope,
} from '../../src/sales/verify/find-violations';
import { ensureTestDatabase, testDb } from './database';

/**
 * Fails with a list of violations of the shop's invariants. A scope limits the check to these orders and the
 * stock of their variants, because other tests of the file may have inserted rows directly.
 */
export async function expectNoViolations(scope?: Scope, db = testDb()): Promise<void> {
  isDatabaseUnchecked ||= scope !== undefined && db === testDb();
  if (scope !== undefined && db === testDb() && !(await mayHaveViolations(scope))) return;
  const breaches = await findViolations(db, scope);
  const relevant =
    scope === undefined || breaches.length === 0 ? breaches : await filterByOrders(scope, breaches, db);
  if (relevant.length > 0) throw new Error(formatViolations(relevant));
}

/** Whether a check with a scope has left out the invariants of the database as a whole. */
let isDatabaseUnchecked = false;

let connecting: Promise<Client> | undefined;

/** Connects once for each file, so that PostgreSQL plans the statement of `mayHaveViolations` once. */
async function connect(): Promise<Client> {
  const client = new Client({ connectionString: await ensureTestDatabase() });
  client.on('error', () => {
    connecting = undefined; // A test has ended the connections of the database.
  });
  await client.connect();
  await client.query('SET plan_cache_mode = force_generic_plan');
  return client;
}

/**
 * Returns whether any invariant that a scope checks has a violating row. One prepared statement takes a quarter of the time of
 * one statement for each invariant. Sees only committed rows.
 */
async function mayHaveViolations({ order_ids }: Scope): Promise<boolean> {
  const client = await (connecting ??= connect());
  const { text, values } = buildScopedCheck();
  const { rowCount } = await client.query({ name: 'scoped', text, values: [...values, order_ids] });
  return rowCount !== 0;
}

/** Builds the statement that returns a row if an invariant is violated within the orders of its last value. */
function buildScopedCheck(): { text: string; values: unknown[] } {
  const checked = INVARIANTS.filter(
    ({ isOfDatabase, table }) => isOfDatabase !== true && !TABLES_WITHOUT_ANY_ORDER.has(table),
  );
  const parts = checked.map(({ sql }) => `SELECT order_id::integer FROM (${String(sql)}) AS violating`);
  const bindings = Object.fromEntries(checked.flatMap(({ bindings = {} }) => Object.entries(bindings)));
  const { sql, bindings: values } = testDb().raw(parts.join(' UNION ALL '), bindings).toSQL().toNative();
  const order = `$${values.length + 1}::integer[]`;
  return {
    text: `SELECT FROM (${sql}) AS violating WHERE order_id IS NULL OR order_id = ANY(${order}) LIMIT 1`,
    values: [...values],
  };
}

/** Checks what scopes have left out, once for each test file. Called by each-file.ts. */
export async function checkDatabase(): Promise<void> {
  await (await connecting)?.end();
  if (!isDatabaseUnchecked) return;
  for (const invariant of INVARIANTS.filter(({ isOfDatabase }) => isOfDatabase === true)) {
    const rows = await findViolatingRows(testDb(), invariant);
    expect([invariant.name, rows]).toEqual([invariant.name, []]);
  }
}

/** Tables whose violating rows never have an order; a scope excludes them. */
const TABLES_WITHOUT_ANY_ORDER = new Set(['stock_movements', 'products']);

/** Tables whose rows may belong to no order; a scope excludes those. */
const TABLES_WITHOUT_ORDER = new Set([...TABLES_WITHOUT_ANY_ORDER, 'addresses', 'the column named']);

/** Keeps the violations of the orders in scope and of the stock items of their variants. */
async function filterByOrders(
  scope: Scope,
  breaches: readonly Violation[],
  db = testDb(),
): Promise<Violation[]> {
  const own = await db('stock_items')
    .whereIn('variant_id', db('inventory_units').select('variant_id').whereIn('order_id', scope.order_ids))
    .pluck('id');
  const items = new Set<number>(own);
  const isRelevant = ({ table }: Violation, { id, order_id }: Violation['rows'][number]): boolean =>
    order_id !== null || (table === 'stock_items' ? items.has(id) : !TABLES_WITHOUT_ORDER.has(table));
  return breaches
    .map((breach) => ({ ...breach, rows: breach.rows.filter((row) => isRelevant(breach, row)) }))
    .filter(({ rows }) => rows.length > 0);
}

function formatViolations(breaches: readonly Violation[]): string {
  return breaches
    .map(({ invariant, total, rows }) => {
      const named = rows.slice(0, 5).map(({ id, detail }) => `  ${id}: ${detail}`);
      return [`${invariant} is broken ${total} times`, ...named].join('\n');
    })
    .join('\n');
}
