import { findBreaches, type Breach, type Scope } from '../../src/sales/verify/find-breaches';
import { testDb } from './database';

/**
 * Fails with a list when stock, money, shipments or history of the shop do not add up. With orders named, only they
 * and the stock of what they hold are looked at: other tests of the file may have left rows made by hand.
 */
export async function expectNoBreaches(scope?: Scope, db = testDb()): Promise<void> {
  const breaches = await findBreaches(db, scope);
  const relevant =
    scope === undefined || breaches.length === 0 ? breaches : await withinStockOf(scope, breaches, db);
  if (relevant.length > 0) throw new Error(describeBreaches(relevant));
}

/** Tables whose rows belong to no order: with some orders named, what is wrong there is another test's doing. */
const OF_NO_ORDER = new Set(['stock_movements', 'products', 'addresses', 'the column named']);

/** Stock belongs to no order; what these orders hold tells whose stock is meant. */
async function withinStockOf(scope: Scope, breaches: readonly Breach[], db = testDb()): Promise<Breach[]> {
  const own = await db('stock_items')
    .whereIn('variant_id', db('inventory_units').select('variant_id').whereIn('order_id', scope.order_ids))
    .pluck('id');
  const items = new Set<number>(own);
  const concerns = ({ table }: Breach, { id, order_id }: Breach['rows'][number]): boolean =>
    order_id !== null || (table === 'stock_items' ? items.has(id) : !OF_NO_ORDER.has(table));
  return breaches
    .map((breach) => ({ ...breach, rows: breach.rows.filter((row) => concerns(breach, row)) }))
    .filter(({ rows }) => rows.length > 0);
}

function describeBreaches(breaches: readonly Breach[]): string {
  return breaches
    .map(({ invariant, total, rows }) => {
      const named = rows.slice(0, 5).map(({ id, detail }) => `  ${id}: ${detail}`);
      return [`${invariant} is broken ${total} times`, ...named].join('\n');
    })
    .join('\n');
}
