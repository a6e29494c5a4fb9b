import {
  findViolatingRows,
  findViolations,
  INVARIANTS,
  type Violation,
  type Scope,
} from '../../src/sales/verify/find-violations';
import { testDb } from './database';

/**
 * Fails with a list of violations of the shop's invariants. A scope limits the check to these orders and the
 * stock of their variants, because other tests of the file may have inserted rows directly.
 */
export async function expectNoViolations(scope?: Scope, db = testDb()): Promise<void> {
  isDatabaseUnchecked ||= scope !== undefined && db === testDb();
  const breaches = await findViolations(db, scope);
  const relevant =
    scope === undefined || breaches.length === 0 ? breaches : await filterByOrders(scope, breaches, db);
  if (relevant.length > 0) throw new Error(formatViolations(relevant));
}

/** Whether a check with a scope has left out the invariants of the database as a whole. */
let isDatabaseUnchecked = false;

/** Checks what scopes have left out, once for each test file. Called by each-file.ts. */
export async function checkDatabase(): Promise<void> {
  if (!isDatabaseUnchecked) return;
  for (const invariant of INVARIANTS.filter(({ isOfDatabase }) => isOfDatabase === true)) {
    const rows = await findViolatingRows(testDb(), invariant);
    expect([invariant.name, rows]).toEqual([invariant.name, []]);
  }
}

/** Tables whose rows belong to no order; a scope excludes them. */
const TABLES_WITHOUT_ORDER = new Set(['stock_movements', 'products', 'addresses', 'the column named']);

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
