import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';

export interface BucketRow {
  bucket: Buffer;
  /** When the failures counted so far are all forgiven; in the past when there is nothing to forgive. */
  clear_at: Date;
  /** Until then this account is known to be used from this address. */
  familiar_until: Date | null;
}

/** Those of these buckets that count anything, in no order. */
export async function findBuckets(db: Db, buckets: readonly Buffer[]): Promise<BucketRow[]> {
  return db<BucketRow>('sign_in_attempts').whereIn('bucket', buckets).select('*');
}

/** Counts one failure in each bucket: it takes `stepMs` longer until it is clear. Callers name buckets in one order. */
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

/** Forgives all failures of these buckets; the first becomes familiar. */
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

/** Removes a few of the rows that mean nothing any more, so that the table stays as small as the trouble is. */
export async function deleteExpiredBuckets(db: Db, now: Date): Promise<void> {
  await db.raw(
    `DELETE FROM sign_in_attempts WHERE bucket IN (
       SELECT bucket FROM sign_in_attempts WHERE forget_at < ? ORDER BY forget_at LIMIT 20 FOR UPDATE SKIP LOCKED)`,
    [now],
  );
}
