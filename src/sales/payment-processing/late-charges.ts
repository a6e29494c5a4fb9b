import type { Deps } from '../context';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import { lockOrder } from '../order/order-lock';
import { isWaiting, type GatewayAnswer } from './gateways/gateway';
import { createDraft, saveDraft } from '../order-updater/order-draft';
import type { GatewayRequest } from './gateway-request';
import { findGivenUpRequest } from './gateway-requests.repository';
import { callAndRecord } from './process-operation';
import { retryAfterPayments } from './retry-after-payments';
import { performOnPayment, type PaymentEnding } from './start-payment';

/**
 * Gives back a charge that the provider has approved although it was given up, also during `confirm` or `abandon`:
 * the stock is no longer held. Call it after `recordAndContinue`. Repeatable.
 * @returns whether the charge was given up
 * @throws PaymentInProgress while another call to the gateway is running for the order
 */
export async function returnLateCharge(
  deps: Deps,
  { payment_id, order_id, payment_number }: GatewayRequest,
  answer: GatewayAnswer,
): Promise<boolean> {
  if (isWaiting(answer) || !answer.approved) return false;
  if ((await findGivenUpRequest(deps.db, payment_id)) === undefined) return false;
  const start = async (tx: Tx): Promise<PaymentEnding | null> => {
    const order = await lockOrder(tx, { id: order_id });
    const payment = order.payments.find(({ id }) => id === payment_id);
    if (payment === undefined) return null;
    const cause = { user_id: null, reason: 'approved after it was given up' };
    const act = { event: 'return', purpose: 'payment', cause } as const;
    const { draft, ending } = await performOnPayment(tx, createDraft(order), act, { payment });
    await saveDraft(tx, draft);
    return ending;
  };
  // The buyer may be paying another way by now.
  const ending = await retryAfterPayments(deps, () => withTransaction(deps, start, { isRepeatable: true }));
  if (ending?.ended === 'calls') {
    deps.log.warn(
      { payment: payment_number },
      'a payment was approved after it was given up; it is returned',
    );
    await callAndRecord(deps, ending.request);
  }
  return true;
}
