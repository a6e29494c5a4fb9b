import { clientOf, LIMITS } from '../access/limits';
import type { LimitedKey, RateLimits } from '../platform/rate-limits';

/** Builds the attempt of an existing account, which is limited by its id: only PostgreSQL decides which e-mails are equal. */
export function attemptOf(userId: number, address: string): Attempt {
  return { account: `user:${userId}`, address };
}

/** The account and the client address of a sign-in. The account need not exist: its failures count as well. */
export interface Attempt {
  account: string;
  address: string;
}

/**
 * Returns what limits an attempt: the account, and the address. An address from which the account signed in within 90 days is
 * familiar: failures there count separately, so guessing elsewhere does not lock out the owner.
 */
export async function findSignInKeys(
  limits: RateLimits,
  attempt: Attempt,
): Promise<[account: LimitedKey, address: LimitedKey]> {
  const familiar = familiarKey(attempt);
  const isFamiliar = await limits.isRemembered(familiar);
  const account = isFamiliar ? familiar.key : attempt.account;
  return [
    { limit: LIMITS.signInOfAccount, key: account },
    { limit: LIMITS.signInFromAddress, key: clientOf(attempt.address) },
  ];
}

/** Forgets the failures of the account, and marks the address as familiar. */
export async function recordSuccess(
  limits: RateLimits,
  attempt: Attempt,
  account: LimitedKey,
): Promise<void> {
  await limits.clear(account);
  await limits.remember(familiarKey(attempt));
}

/** Forgets the failures of the account, for a user who has proved to own it in another way. */
export async function clearFailures(limits: RateLimits, userId: number): Promise<void> {
  await limits.clear({ limit: LIMITS.signInOfAccount, key: attemptOf(userId, '').account });
}

function familiarKey({ account, address }: Attempt): LimitedKey {
  return { limit: LIMITS.familiarAddress, key: `${account}\n${clientOf(address)}` };
}
