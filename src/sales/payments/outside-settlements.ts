import type { Deps } from '../context';
import { PaymentInProgress } from '../../errors/errors';
import { smaller, subtract, sum, toAmount, toDecimal, ZERO, type Amount } from '../../platform/money';
import type { PaymentGraph } from '../order/order-graph';
import { lockOrder } from '../order/order-lock';
import type { NamedPayment } from '../payment-processing/gateway-events.repository';
import type { GatewayEvent } from '../payment-processing/gateways/gateway';
import { CAPTURED_AT_PROVIDER, VOIDED_AT_PROVIDER } from '../payment-processing/own-reasons';
import { withTransactionAfterPayments } from '../payment-processing/retry-after-payments';
import type { PaymentSubject } from '../payment-processing/start-payment';
import { recordProviderAct } from './provider-acts';

/**
 * Records that an authorization was captured or has ended at the provider without the store, such as in its dashboard or
 * because it has expired. Calls no gateway. Repeatable.
 * @returns whether it was recorded: false if the store has asked for it itself, and if no payment is authorized by it
 * @throws PaymentInProgress while a call to the gateway is running for the order
 */
export async function recordOutsideSettlement(
  deps: Deps,
  { order_id }: NamedPayment,
  { authorization, captured }: NonNullable<GatewayEvent['settlement']>,
): Promise<boolean> {
  const found = await withTransactionAfterPayments(deps, async (tx) => {
    const order = await lockOrder(tx, { id: order_id });
    if (order.payments.some(({ state }) => state === 'processing')) throw new PaymentInProgress(order_id);
    const open = order.payments.filter(
      ({ state, response_code }) => state === 'pending' && response_code === authorization,
    );
    if (open.length === 0) return 'nothing';
    if (captured === null) {
      const act = { event: 'void', reason: VOIDED_AT_PROVIDER, response_code: null } as const;
      const subjects = open.map((payment) => ({ payment }));
      return (await recordProviderAct(tx, order, act, subjects)) ? 'recorded' : 'impossible';
    }
    const left = subtract(captured.amount, sumCaptured(order.payments, captured.reference));
    if (left <= ZERO) return 'nothing';
    const subjects = captured.currency === order.currency ? shareOut(open, left) : null;
    const act = {
      event: 'capture',
      reason: CAPTURED_AT_PROVIDER,
      response_code: captured.reference,
    } as const;
    const isRecorded = subjects !== null && (await recordProviderAct(tx, order, act, subjects));
    return isRecorded ? 'recorded' : 'impossible';
  });
  const about = { order: order_id, authorization };
  const what = captured === null ? 'void' : 'capture';
  if (found === 'recorded') deps.log.info(about, `recorded a ${what} that was made at the provider`);
  if (found === 'impossible')
    deps.log.error(about, `a ${what} that was made at the provider fits no payment; compare them there`);
  return found === 'recorded';
}

/** What the store knows to be captured by a transaction of the provider. */
function sumCaptured(payments: readonly PaymentGraph[], reference: string): Amount {
  const captures = payments.filter(
    ({ state, response_code }) => state === 'completed' && response_code === reference,
  );
  return sum(...captures.map(({ amount }) => toAmount(amount)));
}

/** Shares a capture out to the payments of one authorization. @returns null if it is more than they have */
function shareOut(open: readonly PaymentGraph[], amount: Amount): PaymentSubject[] | null {
  const subjects: PaymentSubject[] = [];
  let left = amount;
  for (const payment of open) {
    const share = smaller(left, toAmount(payment.amount));
    if (share === ZERO) continue;
    subjects.push({ payment, amount: toDecimal(share) });
    left = subtract(left, share);
  }
  return left > ZERO ? null : subjects;
}
