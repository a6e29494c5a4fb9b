import type { FieldErrors } from '../../platform/errors';
import type { Tx } from '../../platform/database/transaction';
import { sum, sumOf, toAmount, type Amount } from '../../platform/money';
import type { OrderGraph } from '../order/order-graph';
import { calculatePaymentTotal } from '../order/order-totals';
import type { Cause } from '../order/state-changes.repository';
import type { OrderDraft } from '../order-updater/order-draft';
import type { GatewayRequest } from './gateway-request';
import { performOnPayment } from './start-payment';

/** The next step in paying for an order that is being completed. */
export type NextPayment =
  | { request: GatewayRequest; draft: OrderDraft }
  /** The total is captured or authorized, or no payment is left that a gateway could charge. */
  | { done: true }
  /** The payment cannot be charged; nothing was written. */
  | { refused: FieldErrors };

/**
 * Starts the next payment of an order that is being completed: authorizes the oldest payment in `checkout` that has a
 * gateway, or purchases it if `auto_capture` is set, unless the order is covered. Record its result, under the purpose
 * `complete_order`, before calling this again. Checks stay in `checkout`. Expects the total and payments up to date.
 */
export async function startNextPayment(tx: Tx, draft: OrderDraft, cause: Cause): Promise<NextPayment> {
  const { payments, total } = draft.order;
  const next = payments.find(({ state, method_type }) => state === 'checkout' && method_type === 'gateway');
  if (next === undefined || calculateCoveredAmount(payments) >= toAmount(total)) return { done: true };
  const act = {
    event: next.auto_capture ? ('purchase' as const) : ('authorize' as const),
    ...({ purpose: 'complete_order', cause } as const),
  };
  const { draft: started, ending } = await performOnPayment(tx, draft, act, { payment: next });
  if (ending.ended === 'refused') return { refused: ending.errors };
  if (ending.ended !== 'calls') throw new Error(`${act.event} calls no gateway`);
  return { request: ending.request, draft: started };
}

/** Returns the captured amounts less their refunds, plus the authorized amounts. */
function calculateCoveredAmount(payments: OrderGraph['payments']): Amount {
  const money = payments.map(({ state, amount, refunded }) => ({
    state,
    amount: toAmount(amount),
    refunded: toAmount(refunded),
  }));
  const authorized = money.filter(({ state }) => state === 'pending');
  return sum(
    calculatePaymentTotal(money),
    sumOf(authorized, ({ amount }) => amount),
  );
}
