import type { Deps } from '../context';
import { PaymentInProgress } from '../../errors/errors';
import { smaller, subtract, toAmount, toDecimal, ZERO, type Amount } from '../../platform/money';
import type { PaymentGraph } from '../order/order-graph';
import { lockOrder } from '../order/order-lock';
import type { NamedPayment } from '../payment-processing/gateway-events.repository';
import type { GatewayEvent } from '../payment-processing/gateways/gateway';
import { MADE_AT_PROVIDER } from '../payment-processing/own-reasons';
import { isOwnRefund } from '../payment-processing/refunds.repository';
import { withTransactionAfterPayments } from '../payment-processing/retry-after-payments';
import type { PaymentSubject } from '../payment-processing/start-payment';
import { recordProviderAct } from './provider-acts';

/**
 * Records a refund that was made at the provider without the store, such as in its dashboard, as a refund of the payment, or of
 * several that have its transaction. Calls no gateway. Repeatable.
 * @returns false if the store has made the refund itself
 * @throws PaymentInProgress while a call to the gateway is running for the order, which may be that of the refund, or for a payment
 *   that the refund belongs to
 */
export async function recordOutsideRefund(
  deps: Deps,
  { id, order_id }: NamedPayment,
  refund: NonNullable<GatewayEvent['refund']>,
): Promise<boolean> {
  const found = await withTransactionAfterPayments(deps, async (tx) => {
    const order = await lockOrder(tx, { id: order_id });
    if (await isOwnRefund(tx, order_id, refund)) return 'own';
    const subjects = refund.currency === order.currency ? shareOut(order.payments, id, refund.amount) : null;
    if (subjects === null) return 'unknown';
    const act = { event: 'credit', reason: MADE_AT_PROVIDER, response_code: refund.id } as const;
    return (await recordProviderAct(tx, order, act, subjects)) ? 'recorded' : 'unknown';
  });
  const about = { order: order_id, refund: refund.id };
  if (found === 'recorded') deps.log.info(about, 'recorded a refund that was made at the provider');
  if (found === 'unknown')
    deps.log.error(
      about,
      'a refund that was made at the provider is none of the recorded payments; compare them there',
    );
  return found !== 'own';
}

/**
 * Shares a refund out to the payments of one transaction of the provider, the named one first.
 * @returns null if it is more than they have left
 * @throws PaymentInProgress if one of them is being refunded
 */
function shareOut(payments: readonly PaymentGraph[], id: number, amount: Amount): PaymentSubject[] | null {
  const named = payments.find((payment) => payment.id === id);
  if (named === undefined) return null;
  const parts = payments.filter(({ response_code }) => response_code === named.response_code);
  if (parts.some(({ state }) => state === 'processing')) throw new PaymentInProgress(named.order_id);
  const subjects: PaymentSubject[] = [];
  let left = amount;
  for (const payment of [named, ...parts.filter((part) => part !== named)]) {
    const rest = subtract(toAmount(payment.amount), toAmount(payment.refunded));
    const share = payment.state === 'completed' ? smaller(left, rest) : ZERO;
    if (share === ZERO) continue;
    subjects.push({ payment, amount: toDecimal(share), reason: MADE_AT_PROVIDER });
    left = subtract(left, share);
  }
  return left > ZERO ? null : subjects;
}
