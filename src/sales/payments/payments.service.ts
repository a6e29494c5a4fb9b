import type { Ctx } from '../context';
import type { Actor } from '../../access/actor';
import { isAdmin, findUserId } from '../../access/actor';
import { PaymentNotUpdatable } from '../../errors/errors';
import { InvalidResource, type FieldErrors, requireFound } from '../../platform/errors';
import type { Tx } from '../../platform/database/transaction';
import { toAmount, toDecimal, ZERO } from '../../platform/money';
import { pickDisplay } from '../../platform/money-format';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { getAuthorizedOrder } from '../order/order-access';
import type { OrderGraph, PaymentGraph, RefundRow } from '../order/order-graph';
import { lockOrder, type LockedOrderGraph } from '../order/order-lock';
import { addToDraft, createDraft } from '../order-updater/order-draft';
import { saveRecalculated } from '../order-updater/order-updater';
import { isMissing, listLimitErrors, readPaymentAmount } from '../payment-processing/amount-rules';
import { addPayment, pickMethod } from '../payment-processing/added-payments';
import { checkPaymentEntry, storeCard } from '../payment-processing/payment-entry';
import {
  findOfferedPaymentMethod,
  findOfferedPaymentMethods,
  type PaymentMethodRow,
} from '../payment-processing/payment-methods.repository';
import { openCredentials } from '../payment-processing/gateways/credentials';
import { findGateway } from '../payment-processing/gateways/registry';
import { performOnPayment } from '../payment-processing/start-payment';
import {
  findPayment,
  findPaymentPage,
  hasKey,
  type ListedPayment,
} from '../payment-processing/payments.repository';
import { findRefundPage } from '../payment-processing/refunds.repository';
import type { PaymentAttributes, PaymentChanges } from './payments.schema';
import { withOrderTransaction } from '../payment-processing/retry-after-payments';
import type { OrderCredentials } from '../../access/context';

/** A payment in a path: the number of its order, and its id or number. */
export interface PaymentPath {
  number: string;
  id: string;
}

/** Returns one page of the payments of all orders. */
export async function listPayments(ctx: Ctx, list: ListQuery): Promise<Page<ListedPayment>> {
  return findPaymentPage(ctx.db, list, null);
}

/** Returns one page of the payments of an order. @throws NotFound, NotAuthorized */
export async function listOrderPayments(
  ctx: Ctx,
  number: string,
  list: ListQuery,
): Promise<Page<ListedPayment>> {
  const order = await getAuthorizedOrder(ctx, number);
  return findPaymentPage(ctx.db, list, order.id);
}

/** Returns one page of the refunds of an order. @throws NotFound, NotAuthorized */
export async function listOrderRefunds(ctx: Ctx, number: string, list: ListQuery): Promise<Page<RefundRow>> {
  const order = await getAuthorizedOrder(ctx, number);
  return findRefundPage(ctx.db, list, order.id);
}

/** Returns a payment of an order. @throws NotFound, also for a payment of another order; NotAuthorized */
export async function getPayment(ctx: Ctx, path: PaymentPath): Promise<ListedPayment> {
  const order = await getAuthorizedOrder(ctx, path.number);
  const payment = requireFound(await findPayment(ctx.db, order.id, path.id));
  return { ...payment, ...pickDisplay(order) };
}

/** Returns the payment methods that the actor may use for this order. @throws NotFound, NotAuthorized */
export async function listOfferedMethods(ctx: Ctx, number: string): Promise<OfferedMethod[]> {
  await getAuthorizedOrder(ctx, number);
  const methods = await findOfferedPaymentMethods(ctx.db, ctx.actor);
  return methods.map((method) => ({ ...method, public_preferences: pickPublished(ctx, method) }));
}

/** A payment method with what the page script of its gateway needs. */
interface OfferedMethod extends PaymentMethodRow {
  public_preferences: Record<string, string>;
}

function pickPublished(ctx: Ctx, method: PaymentMethodRow): Record<string, string> {
  const { published = [] } = findGateway(ctx.gateways, method).credentials ?? {};
  if (published.length === 0) return {};
  const credentials = openCredentials(ctx.secret, method.preferences);
  return Object.fromEntries(
    published.flatMap((name) => {
      const value = credentials[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

/**
 * Adds a payment to an order; older ones in `checkout` become `invalid`. No money moves yet. Only admins may set the
 * amount; otherwise it is what is still to be paid. An invalid amount is an error for every actor.
 * @throws NotFound, NotAuthorized, InvalidResource; Unavailable when the gateway does not respond
 */
export async function createPayment(
  ctx: Ctx,
  number: string,
  attributes: PaymentAttributes,
): Promise<ListedPayment> {
  const { payment_method_id, existing_card, source_attributes, amount } = attributes;
  const order = await getAuthorizedOrder(ctx, number);
  const checked = await checkPaymentEntry(ctx, order, {
    payment_method_id,
    existing_card,
    card: source_attributes,
  });
  const read = isMissing(amount) ? { amount: null } : readPaymentAmount(amount, ZERO, order.currency);
  if ('errors' in checked || 'errors' in read) {
    throw new InvalidResource({
      ...('errors' in checked && checked.errors),
      ...('errors' in read && read.errors),
    });
  }
  const source = await storeCard(ctx, checked.entry);
  return withOrderTransaction(ctx, number, async (tx) => {
    const locked = await lockOrder(tx, { number, credentials: ctx });
    const cause = { user_id: findUserId(ctx.actor), reason: 'payment create' };
    const { payments, history } = addPayment(locked, source, {
      amount: isAdmin(ctx.actor) ? read.amount : null,
      cause,
    });
    const draft = addToDraft({ ...createDraft(locked), cause }, { history });
    const order = { ...locked, payments };
    const saved = await saveRecalculated(tx, { ...draft, order }, cause);
    return getPaymentIn(saved, saved.payments.at(-1)?.id ?? 0);
  });
}

/** Returns a payment of the order. @throws Error if the order has none with this id, which is a bug */
export function getPaymentIn(order: OrderGraph, id: number): ListedPayment {
  const payment = order.payments.find((candidate) => candidate.id === id);
  if (payment === undefined) throw new Error(`payment ${id} does not exist`);
  return { ...payment, ...pickDisplay(order) };
}

/**
 * Changes the amount or the method of a payment in `checkout`, or lowers the amount of an authorized one.
 * @throws NotFound, NotAuthorized, InvalidResource, PaymentNotUpdatable
 */
export async function changePayment(
  ctx: Ctx,
  path: PaymentPath,
  changes: PaymentChanges,
): Promise<ListedPayment> {
  return withOrderTransaction(ctx, path.number, async (tx) => {
    const { order, payment } = await lockPayment(tx, ctx, path);
    const patch = await readChanges(tx, { order, payment, changes }, ctx.actor);
    const cause = { user_id: findUserId(ctx.actor), reason: 'payment update' };
    const act = { event: 'update', purpose: 'payment', cause } as const;
    const subject = { payment, changes: patch };
    const { draft, ending } = await performOnPayment(tx, createDraft(order), act, subject);
    if (ending.ended === 'refused') throw new PaymentNotUpdatable(payment.state);
    return getPaymentIn(await saveRecalculated(tx, draft, cause), payment.id);
  });
}

/** Reads the changes of a payment. A card belongs to its method, so a new method removes the card. */
async function readChanges(
  tx: Tx,
  { order, payment, changes }: { order: LockedOrderGraph; payment: PaymentGraph; changes: PaymentChanges },
  actor: Actor,
): Promise<Partial<PaymentGraph>> {
  const { amount, payment_method_id } = changes;
  const read = isMissing(amount) ? null : readChangedAmount({ ...payment, ...pickDisplay(order) }, amount);
  const newMethodId = payment_method_id ?? payment.payment_method_id;
  const hasNewMethod = newMethodId !== payment.payment_method_id;
  const method = hasNewMethod ? await findOfferedPaymentMethod(tx, actor, newMethodId) : undefined;
  const methodErrors = hasNewMethod ? findMethodErrors(payment, method) : {};
  if ((read !== null && 'errors' in read) || Object.keys(methodErrors).length > 0) {
    throw new InvalidResource({ ...methodErrors, ...(read !== null && 'errors' in read && read.errors) });
  }
  return {
    ...(read !== null && {
      amount: toDecimal(read.amount),
      amount_is_explicit: true,
      ...(payment.state === 'pending' && { authorized_amount: toDecimal(read.amount) }),
    }),
    ...(method !== undefined && { ...pickMethod(order, method), credit_card_id: null, card: null }),
  };
}

/** Reads a new amount. The amount of an authorized payment can only be lowered, which lowers what can be captured. */
function readChangedAmount(payment: ListedPayment, requested: unknown): ReturnType<typeof readPaymentAmount> {
  const read = readPaymentAmount(requested, ZERO, payment.currency);
  if ('errors' in read || payment.state !== 'pending') return read;
  const errors = listLimitErrors(read.amount, toAmount(payment.amount));
  return 'amount' in errors ? { errors } : read;
}

function findMethodErrors({ state }: PaymentGraph, method: PaymentMethodRow | undefined): FieldErrors {
  // Another gateway cannot capture an authorization.
  if (state === 'pending') return { payment_method: ['cannot be changed once authorized'] };
  return method === undefined ? { payment_method: ["can't be blank"] } : {};
}

/** Locks the order in the path, and returns it with the payment in the path. @throws as `lockOrder` */
export async function lockPayment(
  tx: Tx,
  credentials: OrderCredentials,
  path: PaymentPath,
): Promise<{ order: LockedOrderGraph; payment: PaymentGraph }> {
  const order = await lockOrder(tx, { number: path.number, credentials });
  const payment = requireFound(order.payments.find((candidate) => hasKey(candidate, path.id)));
  return { order, payment };
}
