import type { Stripe } from 'stripe' with { 'resolution-mode': 'import' };
import type { Movement, MovementList, Period } from '../gateway';
import { fromStripeAmount } from './amounts';

/** The types of balance transactions that are money of buyers. Fees, payouts and disputes are not. */
const KINDS: Readonly<Record<string, Movement['kind']>> = {
  charge: 'capture',
  payment: 'capture',
  refund: 'refund',
  payment_refund: 'refund',
  payment_failure_refund: 'refund',
  refund_failure: 'failed_refund',
};

/** Lists the captures and refunds of a period from the balance of the account. */
export async function listStripeMovements(stripe: Stripe, { from, to }: Period): Promise<MovementList> {
  const movements: Movement[] = [];
  const created = { gte: toSeconds(from), lt: toSeconds(to) };
  for await (const one of stripe.balanceTransactions.list({ created, limit: 100, expand: ['data.source'] })) {
    const movement = readMovement(one);
    if (movement !== null) movements.push(movement);
  }
  return { movements };
}

const toSeconds = (time: Date): number => Math.floor(time.getTime() / 1000);

function readMovement(one: Stripe.BalanceTransaction): Movement | null {
  const kind = Object.hasOwn(KINDS, one.type) ? KINDS[one.type] : undefined;
  const { source } = one;
  if (kind === undefined || source === null || typeof source === 'string') return null;
  // The types of movements have sources of these kinds, which copy the metadata of their request.
  const { id, metadata, amount, currency } = source as Stripe.Charge | Stripe.Refund;
  // An account that is paid out in another currency has its balance in that.
  const units = one.currency === currency ? Math.abs(one.amount) : amount;
  return {
    kind,
    payment_number: metadata?.['payment'] ?? null,
    reference: id,
    amount: fromStripeAmount(units, currency),
    currency: currency.toUpperCase(),
    moved_at: new Date(one.created * 1000),
  };
}
