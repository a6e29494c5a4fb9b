import type { Deps } from '../context';
import { withTransaction } from '../../platform/database/transaction';
import { lockOrder } from '../order/order-lock';
import { isWaiting, type GatewayAnswer } from './gateways/gateway';
import type { GatewayRequest } from './payment-operations.repository';
import { lockPayments } from './payments.repository';
import { callAndRecord } from './process-operation';
import { performOnPayment } from './start-payment';
import { findGivenUpRequest } from './waiting-operations.repository';

/**
 * Gives back a charge that the provider has approved although it was given up, also during `confirm` or `abandon`:
 * the stock is no longer held. Call it after `recordAndContinue`. Repeatable.
 * @returns whether the charge was given up
 */
export async function returnLateCharge(
  deps: Deps,
  { payment_id, order_id, payment_number }: GatewayRequest,
  answer: GatewayAnswer,
): Promise<boolean> {
  if (isWaiting(answer) || !answer.approved) return false;
  if ((await findGivenUpRequest(deps.db, payment_id)) === undefined) return false;
  const ending = await withTransaction(
    deps,
    async (tx) => {
      const order = await lockOrder(tx, { id: order_id });
      const payment = (await lockPayments(tx, order)).find(({ id }) => id === payment_id);
      const cause = { user_id: null, reason: 'approved after it was given up', purpose: 'payment' } as const;
      return payment === undefined ? null : performOnPayment(tx, 'return', { payment, order }, cause);
    },
    { isRepeatable: true },
  );
  if (ending?.ended === 'calls') {
    deps.log.warn(
      { payment: payment_number },
      'a payment was approved after it was given up; it is returned',
    );
    await callAndRecord(deps, ending.request);
  }
  return true;
}
