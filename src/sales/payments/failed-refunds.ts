import type { Deps } from '../context';
import { createDraft } from '../order-updater/order-draft';
import { saveRecalculated } from '../order-updater/order-updater';
import { lockOrder } from '../order/order-lock';
import type { NamedPayment } from '../payment-processing/gateway-events.repository';
import { findRefundToReturn } from '../payment-processing/refunds.repository';
import { withTransactionAfterPayments } from '../payment-processing/retry-after-payments';
import { addUnreturned } from '../payment-processing/unreturned-payments';

/**
 * Corrects the books when a refund fails after the provider had approved it: the money is back, so a completed payment of its
 * amount is added to the order, whose balance shows again what is owed. It can be credited like any other. The refund and
 * its credit note stay, because they have been reported. What a late charge has returned was no refund, and is treated in the
 * same way. Repeatable.
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
    if (refund.is_returned) return 'returned';
    const refunded = order.payments.find((payment) => payment.id === id);
    if (refunded === undefined) throw new Error(`payment ${id} does not exist`);
    const cause = { user_id: null, reason: `refund ${reference} failed at the provider` };
    await saveRecalculated(tx, addUnreturned(createDraft(order), { refunded, refund }, cause), cause);
    return 'added';
  });
  if (found === 'added')
    deps.log.warn(
      { order: order_id, refund: reference },
      'a refund failed at the provider; its amount is a payment of the order again',
    );
  return found !== 'unknown';
}
