import type { Ctx } from '../context';
import { INVALID, InvalidResource } from '../../platform/errors';
import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import { isRecord } from '../../platform/parameters';
import { getAuthorizedOrder } from '../order/order-access';
import type { LockedOrderGraph } from '../order/order-lock';
import type { ReadOrder } from '../order/orders.repository';
import { findOwner } from './order-claim';
import type { PaymentSource } from '../payment-processing/added-payments';
import {
  buildOrderErrors,
  buildSource,
  checkPaymentEntry,
  needsGateway,
  storeCard,
  type CheckedEntry,
  type PaymentEntry,
} from '../payment-processing/payment-entry';
import { readSource } from '../payment-processing/card-input.schema';
import type { CheckoutInput } from './checkout.schema';

/** Returns the payment of a request for its order, which is locked; null if there is none. @throws InvalidResource */
export type FindPayment = (tx: Tx, order: LockedOrderGraph) => Promise<PaymentSource | null>;

/**
 * Prepares the payment of a checkout body, in any of its forms, for the transaction that stores it. The returned function
 * checks the payment with the locked order. A card number is checked here instead, with an order that is not locked,
 * because its gateway stores the card: call it before the transaction. There is no payment if the body has none or the
 * order is complete; `allowed.completed` also accepts complete orders that are not canceled.
 * @throws for a card number: NotFound, NotAuthorized; InvalidResource `payments.…`, `payment_source` or `base`;
 *   Unavailable if the gateway does not respond
 */
export async function preparePayment(
  ctx: Ctx,
  number: string,
  input: CheckoutInput,
  allowed = { completed: false },
): Promise<FindPayment> {
  const entry = findPaymentEntry(input);
  const problem = findSourceProblem(input);
  if (entry === null && problem === null) return () => Promise.resolve(null);
  const check = async (db: Db, order: PayableOrder): Promise<CheckedEntry | null> => {
    if (order.completed_at !== null && (!allowed.completed || order.state === 'canceled')) return null;
    if (problem !== null) throw new InvalidResource({ payment_source: [problem] });
    if (entry === null) return null;
    const payer = { user_id: findOwner(ctx, order), revisions: order.revisions };
    const checked = await checkPaymentEntry({ ...ctx, db }, payer, entry);
    if ('errors' in checked) throw new InvalidResource(buildOrderErrors(checked.errors));
    return checked.entry;
  };
  if (entry === null || !needsGateway(entry)) {
    return async (tx, order) => {
      const checked = await check(tx, order);
      if (checked?.source === 'new_card') throw new Error('the card must be stored at its gateway first');
      return checked === null ? null : buildSource(checked);
    };
  }
  const checked = await check(ctx.db, await getAuthorizedOrder(ctx, number));
  const source = checked === null ? null : await storeCard(ctx, checked);
  return () => Promise.resolve(source);
}

/** The columns of an order that the check of its payment uses. */
type PayableOrder = Pick<
  ReadOrder,
  'user_id' | 'email' | 'token_hash' | 'state' | 'completed_at' | 'revisions'
>;

/** Only the last of several payments is read, because it would invalidate those before it. */
function findPaymentEntry(input: CheckoutInput): PaymentEntry | null {
  const { order } = input;
  if (order.existing_card != null) return { existing_card: order.existing_card };
  const row = listPayments(input).at(-1);
  if (row === undefined) return null;
  const keyed = findSource(input, row.payment_method_id);
  const card = row.source_attributes ?? (isRecord(keyed) ? keyed : undefined);
  return { payment_method_id: row.payment_method_id, card };
}

/**
 * Returns what is wrong with `payment_source`: it has cards, but for none of the methods of the request, or what it has
 * is no card. Its payment would be stored without the card. A saved card needs no source, and a payment without a method
 * has an error of its own.
 */
function findSourceProblem(input: CheckoutInput): string | null {
  const keys = Object.keys(readSources(input));
  if (keys.length === 0 || input.order.existing_card != null) return null;
  const methods = listPayments(input).map((row) => row.payment_method_id ?? null);
  if (methods.includes(null)) return null;
  const chosen = methods.filter((id) => keys.includes(String(id)));
  if (chosen.length === 0) return 'names no payment method of this request';
  const areCards = chosen.every((id) => {
    const source = findSource(input, id);
    return source === undefined || isRecord(source);
  });
  return areCards ? null : INVALID;
}

/** Returns what `payment_source` has for a payment method; undefined if nothing. */
function findSource(input: CheckoutInput, methodId: number | null | undefined): unknown {
  return readSource(readSources(input)[String(methodId ?? '')]);
}

/** Lists the payments to create. Those that replies have shown, which are sent back with their ids and without a card, are none. */
function listPayments(input: CheckoutInput) {
  const rows = input.order.payments_attributes ?? input.order.payments ?? [];
  return rows.filter(
    ({ id, source_attributes, payment_method_id }) =>
      id == null || source_attributes !== undefined || findSource(input, payment_method_id) !== undefined,
  );
}

function readSources({ order, payment_source }: CheckoutInput): Record<string, unknown> {
  return order.payment_source ?? payment_source ?? {};
}
