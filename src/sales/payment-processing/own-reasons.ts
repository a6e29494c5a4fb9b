/** The reason of payments that end because their order is canceled. */
export const CANCELLATION = 'order cancel';

/** The reason of a refund that was made at the provider, without the store. */
export const MADE_AT_PROVIDER = 'Refund at the provider';

/** Why a payment is captured or void that the store has not captured or voided. */
export const CAPTURED_AT_PROVIDER = 'Captured at the provider';
export const VOIDED_AT_PROVIDER = 'Voided at the provider';

/** The reason of a refund for a return. */
export function describeReturn(number: string): string {
  return `Return ${number}`;
}

/** Matches the reasons of refunds for returns, in JavaScript and in SQL. */
export const OF_RETURN = '^Return RA[0-9]+$';

/** Returns whether the program has written the reason of a refund, in words that are for staff. */
export function isOwnReason(reason: string): boolean {
  return reason === CANCELLATION || reason === MADE_AT_PROVIDER || new RegExp(OF_RETURN).test(reason);
}

/** How messages of operations begin whose outcome staff have recorded. */
export const SETTLED_BY_STAFF = 'Settled by staff: ';
