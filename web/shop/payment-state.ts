import type { Document, Order } from 'store-api-client';
import { toUnits } from '../shared/money';

const STATES: Readonly<Record<string, string>> = {
  paid: 'Paid',
  balance_due: 'Payment is due',
  credit_owed: 'A refund is due',
  failed: 'The payment failed',
  void: 'Nothing was charged',
};

/** The payment of an order that waits for its buyer or the provider; undefined if none does. */
export const findWaiting = ({ payments }: Order): Order['payments'][number] | undefined =>
  payments.findLast(({ state }) => state === 'processing');

/**
 * Describes the state of the payments. An authorized payment is captured when the order is shipped. A balance that is due
 * only because of refunds is not asked for.
 * @param documents those of the order; undefined until they are loaded
 * @returns nothing if the documents decide and are not loaded
 */
export function describePayment(order: Order, documents: readonly Document[] | undefined): string {
  const { payment_state, payment_total, payments } = order;
  const hasRefunds = payments.some(({ refunds }) => refunds.length > 0);
  if (payment_state === 'void' && hasRefunds) return 'Refunded';
  if (payment_state !== 'balance_due') return STATES[payment_state ?? ''] ?? '';
  if (payments.some(({ state }) => state === 'pending')) return 'Payment authorized';
  if (!hasRefunds) return 'Payment is due';
  if (documents === undefined) return '';
  if (!isSettled(order, documents)) return 'Payment is due';
  return Number(payment_total) === 0 ? 'Refunded' : 'Partly refunded';
}

/**
 * Whether the payments cover what the documents charge. A refund that is no part of a return or a change of the order has
 * a credit note, but leaves the total of the order as it was.
 */
function isSettled({ currency, payment_total }: Order, documents: readonly Document[]): boolean {
  if (documents.length === 0) return false;
  const charged = documents
    .map(({ kind, total }) => (kind === 'credit_note' ? -1 : 1) * toUnits(total, currency))
    .reduce((sum, units) => sum + units, 0);
  return charged <= toUnits(payment_total, currency);
}
