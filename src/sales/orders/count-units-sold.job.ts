import type { Deps } from '../../access/context';
import { DAY_MS } from '../../platform/calendar';
import { withTransaction } from '../../platform/database/transaction';
import { readFeedHorizon } from '../../platform/query-builder/feed-page';
import { countDailySales, lockCounting, writeUnitsSold } from './units-sold.repository';

const DAYS = 30;

/** What the runs of a process remember. */
export interface SalesCount {
  /** Before it, all changes of orders are counted; null before the first run. */
  horizon: Date | null;
  /** The first day that counts. */
  from: number;
}

/** Returns what the first run, which counts all days, begins with. */
export function startSalesCount(): SalesCount {
  return { horizon: null, from: 0 };
}

/**
 * Counts what each product has sold in the last 30 days, today included, for `q[s]=best_selling`: all days in the first run, and
 * then the days of orders that have changed. Repeatable, and safe on several instances at once.
 */
export async function countUnitsSold(
  deps: Pick<Deps, 'db' | 'log' | 'now'>,
  count: SalesCount,
): Promise<void> {
  const today = Math.floor(deps.now().getTime() / DAY_MS);
  const from = (today - DAYS + 1) * DAY_MS;
  const horizon = await readFeedHorizon(deps.db);
  const isCounted = await withTransaction(deps, async (tx) => {
    if (!(await lockCounting(tx))) return false;
    const changed = await countDailySales(tx, new Date(from), count.from === from ? count.horizon : null);
    if (changed.length > 0) await writeUnitsSold(tx, changed);
    return true;
  });
  if (isCounted) Object.assign(count, { horizon, from });
}
