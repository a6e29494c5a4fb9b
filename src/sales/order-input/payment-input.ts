import type { Ctx } from '../context';
import { InvalidResource } from '../../platform/errors';
import { isRecord } from '../../platform/parameters';
import { getAuthorizedOrder } from '../order/order-access';
import { buildClaim } from './order-claim';
import {
  checkPaymentEntry,
  storeCard,
  buildOrderErrors,
  type PaymentEntry,
  type PaymentSource,
} from '../payment-processing/payment-entry';
import type { CheckoutInput } from './checkout.schema';

/**
 * Reads the payment of a checkout body, in any of its forms, and stores a new card at its gateway. Calls
 * the gateway, so it must run before the transaction. Returns null if the body has no payment or the order is complete;
 * `allowed.completed` also accepts complete orders that are not canceled.
 * @throws NotFound, NotAuthorized; InvalidResource `payments.…` or `base`; Unavailable if the gateway does not respond
 */
export async function preparePayment(
  ctx: Ctx,
  number: string,
  input: CheckoutInput,
  allowed = { completed: false },
): Promise<PaymentSource | null> {
  const entry = findPaymentEntry(input);
  if (entry === null) return null;
  const order = await getAuthorizedOrder(ctx, number);
  if (order.completed_at !== null && (!allowed.completed || order.state === 'canceled')) return null;
  const checked = await checkPaymentEntry(ctx, { user_id: order.user_id, ...buildClaim(ctx, order) }, entry);
  if ('errors' in checked) throw new InvalidResource(buildOrderErrors(checked.errors));
  return storeCard(ctx, checked.entry);
}

/** Only the last of several payments is read, because it would invalidate those before it. */
function findPaymentEntry({ order, payment_source }: CheckoutInput): PaymentEntry | null {
  if (order.existing_card != null) return { existing_card: order.existing_card };
  const row = (order.payments_attributes ?? order.payments)?.at(-1);
  if (row === undefined) return null;
  const sources = order.payment_source ?? payment_source ?? {};
  const keyed = sources[String(row.payment_method_id ?? '')];
  const card = row.source_attributes ?? (isRecord(keyed) ? keyed : undefined);
  return { payment_method_id: row.payment_method_id, card };
}
