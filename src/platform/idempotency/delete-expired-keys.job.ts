import type { Deps } from '../../access/context';
import { inBatches } from '../in-batches';
import { deleteExpiredKeys } from './idempotency-keys.repository';
import { expiryOfKeys } from './run-once';

const BATCH = 1_000;

/** Deletes the idempotency keys whose replies are not kept any more. Safe at any time, on several instances at once. */
export async function removeExpiredKeys(
  deps: Pick<Deps, 'db' | 'log' | 'now'>,
  goesOn?: () => boolean,
): Promise<number> {
  const before = expiryOfKeys(deps.now());
  const deleted = await inBatches(BATCH, (size) => deleteExpiredKeys(deps.db, before, size), goesOn);
  if (deleted > 0) deps.log.info({ deleted }, 'expired idempotency keys were deleted');
  return deleted;
}
