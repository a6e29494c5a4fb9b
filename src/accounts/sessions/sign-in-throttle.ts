import { createHash } from 'node:crypto';
import { TooManyAttempts } from '../../platform/errors';
import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import { addFailure, deleteExpiredBuckets, findBuckets, clearFailures } from './sign-in-attempts.repository';

/** The account and the client address of a sign-in. The account need not exist: its failures count as well. */
export interface Attempt {
  account: string;
  address: string;
}

/** One failure expires every 30 seconds, which is also the longest wait. */
const STEP_MS = 30_000;
/** The limit of unexpired failures from one address. It does not affect the owner at another address. */
const MAX_FAILURES_PER_ADDRESS = 10;
/** The limit of unexpired failures from all unfamiliar addresses together. */
const MAX_FAILURES_UNFAMILIAR = 30;
const FAMILIAR_MS = 90 * 24 * 3_600_000;

/**
 * Admits an attempt to the password check, or rejects it. An account is limited to 10 failures from one address and 30
 * from all unfamiliar addresses together. An address from which the account signed in within 90 days is familiar and
 * has only its own limit, so distributed guessing does not lock out the owner. All instances share the counts.
 * @returns the buckets that a failure of this attempt counts in
 * @throws TooManyAttempts
 */
export async function admitAttempt(db: Db, attempt: Attempt, now: Date): Promise<Buffer[]> {
  const buckets = buildBuckets(attempt);
  const rows = await findBuckets(db, [buckets.own, buckets.unfamiliar]);
  const own = rows.find((row) => row.bucket.equals(buckets.own));
  const unfamiliar = rows.find((row) => row.bucket.equals(buckets.unfamiliar));
  const isFamiliar = (own?.familiar_until ?? now) > now;
  const waitMs = Math.max(
    calculateWaitMs(own?.clear_at, MAX_FAILURES_PER_ADDRESS, now),
    isFamiliar ? 0 : calculateWaitMs(unfamiliar?.clear_at, MAX_FAILURES_UNFAMILIAR, now),
  );
  if (waitMs > 0) throw new TooManyAttempts(Math.ceil(waitMs / 1000));
  return isFamiliar ? [buckets.own] : [buckets.own, buckets.unfamiliar];
}

/** Returns the milliseconds until fewer than `limit` failures are unexpired; zero or less if that is so now. */
function calculateWaitMs(clearAt: Date | undefined, limit: number, now: Date): number {
  return clearAt === undefined ? 0 : clearAt.getTime() - (limit - 1) * STEP_MS - now.getTime();
}

/** Counts a wrong password in the buckets that `admitAttempt` returned. */
export async function recordFailure(db: Db, buckets: readonly Buffer[], now: Date): Promise<void> {
  await addFailure(db, buckets, { now, stepMs: STEP_MS });
  await deleteExpiredBuckets(db, now);
}

/** Clears the failures of the account after a sign-in, and marks the address as familiar. */
export async function recordSuccess(tx: Tx, attempt: Attempt, now: Date): Promise<void> {
  const { own, unfamiliar } = buildBuckets(attempt);
  const familiarUntil = new Date(now.getTime() + FAMILIAR_MS);
  await clearFailures(tx, { familiar: own, cleared: unfamiliar }, { now, familiarUntil });
}

function buildBuckets({ account, address }: Attempt): { own: Buffer; unfamiliar: Buffer } {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return { own: digest(`${account}\n${address}`), unfamiliar: digest(account) };
}
