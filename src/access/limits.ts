import ipaddr from 'ipaddr.js';
import type { LimitedKey, RateLimits } from '../platform/rate-limits';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MEGABYTE = 1024 * 1024;

/** The limits. Failures count; of sign-ups and new carts every one does. `RATE_LIMIT_SCALE` multiplies them. */
export const LIMITS = {
  signInOfAccount: { name: 'sign-in account', attempts: 10, seconds: 15 * MINUTE },
  signInFromAddress: { name: 'sign-in address', attempts: 30, seconds: 15 * MINUTE },
  twoFactorOfAccount: { name: 'two-factor account', attempts: 10, seconds: 15 * MINUTE },
  /** Not a limit of attempts: how long an address is known from which an account has signed in. */
  familiarAddress: { name: 'familiar address', attempts: 1, seconds: 90 * DAY },
  signUpFromAddress: { name: 'sign-up address', attempts: 200, seconds: HOUR },
  resetOfAccount: { name: 'reset account', attempts: 5, seconds: HOUR },
  resetFromAddress: { name: 'reset address', attempts: 100, seconds: HOUR },
  lookupOfEmail: { name: 'lookup email', attempts: 5, seconds: HOUR },
  lookupFromAddress: { name: 'lookup address', attempts: 100, seconds: HOUR },
  couponOfOrder: { name: 'coupon order', attempts: 20, seconds: HOUR },
  couponFromAddress: { name: 'coupon address', attempts: 150, seconds: HOUR },
  orderTokenFromAddress: { name: 'order token address', attempts: 250, seconds: HOUR },
  /** Of events of payment providers that are asked whether they are genuine. */
  wrongEventFromAddress: { name: 'wrong event address', attempts: 100, seconds: HOUR },
  /** How often a provider is asked how a payment stands that waits for the buyer. Every request counts. */
  actionOfPayment: { name: 'action payment', attempts: 200, seconds: HOUR },
  actionFromAddress: { name: 'action address', attempts: 2_000, seconds: HOUR },
  guestCartFromAddress: { name: 'guest cart address', attempts: 300, seconds: HOUR },
  /** In bytes: what is kept for requests with an `Idempotency-Key`. */
  repliesOfUser: { name: 'replies user', attempts: 192 * MEGABYTE, seconds: DAY },
  repliesOfOrder: { name: 'replies order', attempts: 8 * MEGABYTE, seconds: DAY },
  /** Of the customers and the holders of order tokens, of which an address may have any number. */
  repliesOfShoppersFromAddress: { name: 'replies shoppers address', attempts: 64 * MEGABYTE, seconds: DAY },
  repliesFromAddress: { name: 'replies address', attempts: 16 * MEGABYTE, seconds: DAY },
  /**
   * What the requests of guests may cost (`calculateCost`). A hundred visitors of one address who buy without a pause need less than a
   * quarter.
   */
  costFromAddress: { name: 'cost address', attempts: 100_000, seconds: MINUTE },
} as const;

/** Returns the name of the client of an address for limits. A client of IPv6 usually has a whole /64 network. */
export function clientOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return Buffer.from(parsed.toByteArray().slice(0, 8)).toString('hex');
}

/**
 * Runs `work`, of which only failures count.
 * @throws TooManyAttempts before it runs, also if it would succeed; any error of `work`
 */
export async function limitFailures<T>(
  limits: RateLimits,
  keys: readonly LimitedKey[],
  { isFailure, work }: { isFailure: (error: unknown) => boolean; work: () => Promise<T> },
): Promise<T> {
  const giveBack = await limits.take(keys);
  let isCounted = false;
  try {
    return await work();
  } catch (error) {
    isCounted = isFailure(error);
    throw error;
  } finally {
    if (!isCounted) await giveBack();
  }
}
