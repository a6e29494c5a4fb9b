import { findBreaches, type Breach, type Scope } from '../../src/sales/verify/find-breaches';
import { testDb } from './database';

/**
 * Fails with a list when stock, money, shipments or history of the shop do not add up. With orders named, only theirs
 * are looked at (and all stock): files that share a worker's database may have left orders made by hand.
 */
export async function expectNoBreaches(scope?: Scope, db = testDb()): Promise<void> {
  const breaches = await findBreaches(db, scope);
  if (breaches.length > 0) throw new Error(describeBreaches(breaches));
}

function describeBreaches(breaches: readonly Breach[]): string {
  return breaches
    .map(({ invariant, total, rows }) => {
      const named = rows.slice(0, 5).map(({ id, detail }) => `  ${id}: ${detail}`);
      return [`${invariant} is broken ${total} times`, ...named].join('\n');
    })
    .join('\n');
}
