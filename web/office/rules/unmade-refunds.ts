import type { ReturnAuthorization } from 'store-api-client';

/** Says why the provider has not refunded a received return; empty if it has. */
export function describeUnmadeRefunds({ refunds = [] }: Pick<ReturnAuthorization, 'refunds'>): string {
  const reasons = refunds.flatMap(({ approved, message }) =>
    approved ? [] : [message ?? 'no reason given'],
  );
  if (reasons.length === 0) return '';
  return ` The provider has not made the refund (${[...new Set(reasons)].join('; ')}): the store owes it to the buyer.`;
}
