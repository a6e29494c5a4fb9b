import type { Deps } from '../context';
import { createDraft } from '../order-updater/order-draft';
import { saveRecalculated } from '../order-updater/order-updater';
import { newId } from '../order/new-id';
import { generatePaymentNumber } from '../order/numbers';
import type { PaymentGraph } from '../order/order-graph';
import { lockOrder, type LockedOrderGraph } from '../order/order-lock';
import type { NamedPayment } from '../payment-processing/gateway-events.repository';
import { addPastPayment } from '../payment-processing/imported-payments';
import { findRefundToReturn } from '../payment-processing/refunds.repository';
import { withTransactionAfterPayments } from '../payment-processing/retry-after-payments';

/**
 * Corrects the books when a refund fails after the provider had approved it: the money is back, so a completed payment of its
 * amount is added to the order, whose balance shows again what is owed. It can be credited like any other. The refund and
 * its credit note stay, because they have been reported. Repeatable.
 * @returns false if no refund of the payment has this reference
 * @throws PaymentInProgress while a call to the gateway is running for the order
 */
export async function returnFailedRefund(
  deps: Deps,
  { id, order_id }: NamedPayment,
  reference: string,
): Promise<boolean> {
  const found = await withTransactionAfterPayments(deps, async (tx) => {
    const order = await lockOrder(tx, { id: order_id });
    const refund = await findRefundToReturn(tx, id, reference);
    if (refund === undefined) return 'unknown';
    const { is_returned, idempotency_key, amount } = refund;
    if (is_returned) return 'returned';
    const refunded = order.payments.find((payment) => payment.id === id);
    if (refunded === undefined) throw new Error(`payment ${id} does not exist`);
    const cause = { user_id: null, reason: `refund ${reference} failed at the provider` };
    const payment = buildReturned(order, refunded, amount);
    const past = { payment, state: 'completed', event: 'refund_failed', idempotency_key } as const;
    await saveRecalculated(tx, addPastPayment(createDraft(order), past, cause), cause);
    return 'added';
  });
  if (found === 'added')
    deps.log.warn(
      { order: order_id, refund: reference },
      'a refund failed at the provider; its amount is a payment of the order again',
    );
  return found !== 'unknown';
}

/** Builds the payment of what a failed refund leaves with the store: by the same card, and under the same reference. */
function buildReturned(
  { transaction_time }: LockedOrderGraph,
  refunded: PaymentGraph,
  amount: string,
): PaymentGraph {
  return {
    ...refunded,
    id: newId(),
    number: generatePaymentNumber(),
    amount,
    amount_is_explicit: true,
    avs_response: null,
    cvv_response_code: null,
    authorized_payment_id: null,
    refunds: [],
    refunded: '0',
    waiting: null,
    has_foreign_card: false,
    created_at: transaction_time,
    updated_at: transaction_time,
  };
}
