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
 * @throws NotFound, NotAuthorized; InvalidResource `payments.…`, `payment_source` or `base`; Unavailable if the gateway
 *   does not respond
 */
export async function preparePayment(
  ctx: Ctx,
  number: string,
  input: CheckoutInput,
  allowed = { completed: false },
): Promise<PaymentSource | null> {
  const entry = findPaymentEntry(input);
  const isMisnamed = hasMisnamedSource(input);
  if (entry === null && !isMisnamed) return null;
  const order = await getAuthorizedOrder(ctx, number);
  if (order.completed_at !== null && (!allowed.completed || order.state === 'canceled')) return null;
  if (entry === null || isMisnamed) {
    throw new InvalidResource({ payment_source: ['names no payment method of this request'] });
  }
  const payer = { user_id: order.user_id, revisions: order.revisions, ...buildClaim(ctx, order) };
  const checked = await checkPaymentEntry(ctx, payer, entry);
  if ('errors' in checked) throw new InvalidResource(buildOrderErrors(checked.errors));
  return storeCard(ctx, checked.entry);
}

/** Only the last of several payments is read, because it would invalidate those before it. */
function findPaymentEntry(input: CheckoutInput): PaymentEntry | null {
  const { order } = input;
  if (order.existing_card != null) return { existing_card: order.existing_card };
  const row = listPayments(input).at(-1);
  if (row === undefined) return null;
  const keyed = readSources(input)[String(row.payment_method_id ?? '')];
  const card = row.source_attributes ?? (isRecord(keyed) ? keyed : undefined);
  return { payment_method_id: row.payment_method_id, card };
}

/**
 * Whether `payment_source` has cards, but for none of the methods of the request. Their payment would be stored without
 * its card. A saved card needs no source, and a payment without a method has an error of its own.
 */
function hasMisnamedSource(input: CheckoutInput): boolean {
  const keys = Object.keys(readSources(input));
  if (keys.length === 0 || input.order.existing_card != null) return false;
  const methods = listPayments(input).map((row) => row.payment_method_id ?? null);
  return !methods.includes(null) && !methods.some((id) => keys.includes(String(id)));
}

function listPayments({ order }: CheckoutInput) {
  return order.payments_attributes ?? order.payments ?? [];
}

function readSources({ order, payment_source }: CheckoutInput): Record<string, unknown> {
  return order.payment_source ?? payment_source ?? {};
}
