import type { Deps } from '../../access/context';
import { DAY_MS } from '../../platform/calendar';
import { withTransaction } from '../../platform/database/transaction';
import { inBatches } from '../../platform/in-batches';
import { deleteCarts, lockAbandonedCarts } from './abandoned-carts.repository';

const BATCH = 100;

/**
 * Deletes carts that are unchanged for `maxAgeDays`, with everything that belongs to them. Keeps carts with an
 * authorized or running payment. Safe to run at any time, on several instances at once.
 * @returns how many were deleted
 */
export async function deleteAbandonedCarts(
  deps: Pick<Deps, 'db' | 'log' | 'now'>,
  maxAgeDays: number,
  isRunning?: () => boolean,
): Promise<number> {
  const before = new Date(deps.now().getTime() - maxAgeDays * DAY_MS);
  let deleted = 0;
  await inBatches(
    BATCH,
    (size) =>
      withTransaction(deps, async (tx) => {
        const { ids, found } = await lockAbandonedCarts(tx, before, size);
        await deleteCarts(tx, ids);
        deleted += ids.length;
        return found;
      }),
    isRunning,
  );
  if (deleted > 0) deps.log.info({ deleted, max_age_days: maxAgeDays }, 'abandoned carts were deleted');
  return deleted;
}
