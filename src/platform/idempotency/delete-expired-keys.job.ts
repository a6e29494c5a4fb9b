import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { inBatches } from '../in-batches';
import { deleteExpiredKeys, emptyExpiredReplies } from './idempotency-keys.repository';
import { calculateKeyExpiry } from './run-once';

const BATCH = 1_000;

/** Deletes expired idempotency keys and their replies. Safe to run at any time, on several instances at once. */
export async function removeExpiredKeys(
  deps: { db: Knex; log: Logger; now: () => Date },
  isRunning?: () => boolean,
): Promise<number> {
  const before = calculateKeyExpiry(deps.now());
  const deleted = await inBatches(BATCH, (size) => deleteExpiredKeys(deps.db, before, size), isRunning);
  if (deleted > 0) deps.log.info({ deleted }, 'expired idempotency keys were deleted');
  const freed = await emptyExpiredReplies(deps.db);
  if (freed > 0) deps.log.info({ bytes: freed }, 'expired replies were deleted');
  return deleted;
}
