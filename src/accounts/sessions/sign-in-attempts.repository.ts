import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';

export interface BucketRow {
  bucket: Buffer;
  /** When all counted failures have expired; in the past if there are none. */
  clear_at: Date;
  /** Until when the address counts as familiar for the account. */
  familiar_until: Date | null;
}

/** Returns the rows of these buckets, in no order; a bucket without failures may have none. */
export async function findBuckets(db: Db, buckets: readonly Buffer[]): Promise<BucketRow[]> {
  return db<BucketRow>('sign_in_attempts').whereIn('bucket', buckets).select('*');
}

/** Counts one failure in each bucket, which expires `stepMs` later. Callers must pass buckets in a fixed order. */
export async function addFailure(
  db: Db,
  buckets: readonly Buffer[],
  { now, stepMs }: { now: Date; stepMs: number },
): Promise<void> {
  await db.raw(
    `INSERT INTO sign_in_attempts AS known (bucket, clear_at)
     SELECT bucket, :now::timestamptz + :step::interval FROM unnest(:buckets::bytea[]) AS bucket
     ON CONFLICT (bucket) DO UPDATE SET clear_at = greatest(known.clear_at, :now) + :step::interval`,
    { buckets, now, step: `${stepMs} milliseconds` },
  );
}

/** Clears the failures of both buckets, and marks the first one as familiar. */
export async function clearFailures(
  tx: Tx,
  { familiar, cleared }: { familiar: Buffer; cleared: Buffer },
  { now, familiarUntil }: { now: Date; familiarUntil: Date },
): Promise<void> {
  await tx('sign_in_attempts')
    .insert({ bucket: familiar, clear_at: now, familiar_until: familiarUntil })
    .onConflict('bucket')
    .merge(['clear_at', 'familiar_until']);
  await tx('sign_in_attempts').where({ bucket: cleared }).delete();
}

/** Deletes up to `limit` expired rows. Returns how many were deleted. */
export async function deleteExpiredBuckets(db: Db, now: Date, limit = 20): Promise<number> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `DELETE FROM sign_in_attempts WHERE bucket IN (
       SELECT bucket FROM sign_in_attempts WHERE forget_at < ? ORDER BY forget_at LIMIT ? FOR UPDATE SKIP LOCKED)`,
    [now, limit],
  );
  return rowCount;
}
