import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { inBatches } from '../in-batches';
import { deleteExpiredKeys } from './idempotency-keys.repository';
import { calculateKeyExpiry } from './run-once';

const BATCH = 1_000;

/** Deletes expired idempotency keys. Safe to run at any time, on several instances at once. */
export async function removeExpiredKeys(
  deps: { db: Knex; log: Logger; now: () => Date },
  goesOn?: () => boolean,
): Promise<number> {
  const before = calculateKeyExpiry(deps.now());
  const deleted = await inBatches(BATCH, (size) => deleteExpiredKeys(deps.db, before, size), goesOn);
  if (deleted > 0) deps.log.info({ deleted }, 'expired idempotency keys were deleted');
  return deleted;
}
