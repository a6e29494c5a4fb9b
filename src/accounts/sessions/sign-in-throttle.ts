import { createHash } from 'node:crypto';
import { TooManyAttempts } from '../../platform/errors';
import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import { addFailure, deleteExpiredBuckets, findBuckets, clearFailures } from './sign-in-attempts.repository';

/** Who is to be signed in, and from where. `account` need not exist: guesses at nobody are counted alike. */
export interface Attempt {
  account: string;
  address: string;
}

/** One wrong password is forgiven every half minute; so nobody is ever kept waiting longer than that. */
const STEP_MS = 30_000;
/** Wrong passwords at once from one address, which by then cannot do the account's owner elsewhere any harm. */
const FAILURES_FROM_ONE_ADDRESS = 10;
/** Wrong passwords at once from all addresses that the account was never signed in from. */
const FAILURES_FROM_STRANGERS = 30;
const FAMILIAR_MS = 90 * 24 * 3_600_000;

/**
 * Lets an attempt pass to the password check, or refuses it. An account takes 10 failures from one address and 30
 * from all unfamiliar ones together; an address it was signed in from within 90 days answers for itself alone, so
 * that not even a crowd of guessers locks the owner out. The count lives in the database: all instances share it.
 * @returns the buckets that a failure of this attempt counts in
 * @throws TooManyAttempts
 */
export async function admitAttempt(db: Db, attempt: Attempt, now: Date): Promise<Buffer[]> {
  const buckets = buildBuckets(attempt);
  const rows = await findBuckets(db, [buckets.own, buckets.strangers]);
  const own = rows.find((row) => row.bucket.equals(buckets.own));
  const strangers = rows.find((row) => row.bucket.equals(buckets.strangers));
  const isFamiliar = (own?.familiar_until ?? now) > now;
  const waitMs = Math.max(
    calculateWaitMs(own?.clear_at, FAILURES_FROM_ONE_ADDRESS, now),
    isFamiliar ? 0 : calculateWaitMs(strangers?.clear_at, FAILURES_FROM_STRANGERS, now),
  );
  if (waitMs > 0) throw new TooManyAttempts(Math.ceil(waitMs / 1000));
  return isFamiliar ? [buckets.own] : [buckets.own, buckets.strangers];
}

/** How long until one more failure fits below the limit; the next is allowed while at most `limit - 1` are unforgiven. */
function calculateWaitMs(clearAt: Date | undefined, limit: number, now: Date): number {
  return clearAt === undefined ? 0 : clearAt.getTime() - (limit - 1) * STEP_MS - now.getTime();
}

/** Counts a wrong password in the buckets `admitAttempt` named. */
export async function recordFailure(db: Db, buckets: readonly Buffer[], now: Date): Promise<void> {
  await addFailure(db, buckets, { now, stepMs: STEP_MS });
  await deleteExpiredBuckets(db, now);
}

/** The owner is here: all is forgiven, and the address is familiar from now on. */
export async function recordSuccess(tx: Tx, attempt: Attempt, now: Date): Promise<void> {
  const { own, strangers } = buildBuckets(attempt);
  const familiarUntil = new Date(now.getTime() + FAMILIAR_MS);
  await clearFailures(tx, { familiar: own, cleared: strangers }, { now, familiarUntil });
}

function buildBuckets({ account, address }: Attempt): { own: Buffer; strangers: Buffer } {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return { own: digest(`${account}\n${address}`), strangers: digest(account) };
}
