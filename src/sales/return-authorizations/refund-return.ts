import { findUserId, type Actor } from '../../access/actor';
import type { Tx } from '../../platform/database/transaction';
import { InvalidResource } from '../../platform/errors';
import { negate, smaller, subtract, sum, toAmount, toDecimal, ZERO, type Amount } from '../../platform/money';
import type { PaymentGraph } from '../order/order-graph';
import type { LockedOrderGraph } from '../order/order-lock';
import { calculateOutstandingBalance } from '../order/order-totals';
import { createDraft } from '../order-updater/order-draft';
import { saveRecalculated } from '../order-updater/order-updater';
import { calculateCreditLimit } from '../payment-processing/amount-rules';
import type { GatewayRequest } from '../payment-processing/gateway-request';
import { describeReturn } from '../payment-processing/own-reasons';
import { performOnPayments } from '../payment-processing/start-payment';
import type { ReturnAuthorizationRow } from './return-authorizations.repository';

/** What a request with `refund` gives back through one payment. */
export interface StartedRefund {
  payment_id: number;
  amount: string;
  /** The gateway call that follows the commit; null for a payment without gateway, which is refunded already. */
  request: GatewayRequest | null;
}

/**
 * Starts refunding what a received return has credited, at most what the order owes the customer, from the oldest payments
 * first.
 * @param order read after the return was received
 * @throws InvalidResource `refund` if the order owes nothing for the return, or its payments cannot give back as much
 */
export async function startRefund(
  tx: Tx,
  order: LockedOrderGraph,
  authorization: Pick<ReturnAuthorizationRow, 'amount' | 'number'>,
  actor: Actor,
): Promise<StartedRefund[]> {
  const { state, total, payment_total } = order;
  const owed = negate(calculateOutstandingBalance(state, toAmount(total), toAmount(payment_total)));
  const amount = smaller(toAmount(authorization.amount), owed);
  if (amount <= ZERO) throw new InvalidResource({ refund: ['the order owes the customer nothing'] });
  const reason = describeReturn(authorization.number);
  const parts = divide(amount, order.payments);
  const subjects = parts.map((part) => ({ ...part, reason }));
  const cause = { user_id: findUserId(actor), reason: 'payment credit' };
  const act = { event: 'credit', purpose: 'payment', cause } as const;
  const { draft, endings } = await performOnPayments(tx, createDraft(order), act, subjects);
  await saveRecalculated(tx, draft, cause);
  return parts.map(({ payment, amount: part }, index) => {
    const ending = endings[index];
    if (ending?.ended === 'refused') throw new InvalidResource({ refund: ending.errors['base'] ?? [] });
    return {
      payment_id: payment.id,
      amount: part,
      request: ending?.ended === 'calls' ? ending.request : null,
    };
  });
}

/** Divides an amount among payments, each up to its limit. @throws InvalidResource if they have less */
function divide(amount: Amount, payments: readonly PaymentGraph[]) {
  const parts: { payment: PaymentGraph; amount: string }[] = [];
  let rest = amount;
  for (const payment of payments) {
    const limit = calculateCreditLimit({
      state: payment.state,
      amount: toAmount(payment.amount),
      refunded: toAmount(payment.refunded),
    });
    const part = smaller(rest, limit);
    if (part <= ZERO) continue;
    parts.push({ payment, amount: toDecimal(part) });
    rest = subtract(rest, part);
  }
  if (rest > ZERO) {
    const available = toDecimal(sum(amount, negate(rest)));
    throw new InvalidResource({ refund: [`must be less than or equal to ${available}`] });
  }
  return parts;
}
