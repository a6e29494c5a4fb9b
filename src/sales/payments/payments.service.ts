import type { Ctx } from '../context';
import type { Actor } from '../../access/actor';
import { isAdmin, findUserId } from '../../access/actor';
import { CreditOverLimit, GatewayFailed, PaymentNotUpdatable } from '../../errors/errors';
import { InvalidResource, NotFound, type FieldErrors } from '../../platform/errors';
import type { Tx } from '../../platform/database/transaction';
import { pickDisplay, toAmount, toDecimal, ZERO, type Amount } from '../../platform/money';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { getAuthorizedOrder } from '../order/order-access';
import type { OrderGraph, PaymentGraph, RefundRow } from '../order/order-graph';
import { lockOrder, type LockedOrder, type LockedOrderGraph } from '../order/order-lock';
import { calculateOutstandingBalance } from '../order/order-totals';
import { isCompleteState } from '../order/order.machine';
import { addToDraft, createDraft, saveDraft } from '../order-updater/order-draft';
import { saveRecalculated } from '../order-updater/order-updater';
import {
  decideCapture,
  decideCredit,
  isMissing,
  listLimitErrors,
  readPaymentAmount,
} from '../payment-processing/amount-rules';
import { addPayment, pickMethod } from '../payment-processing/added-payments';
import { checkPaymentEntry, storeCard } from '../payment-processing/payment-entry';
import {
  findOfferedPaymentMethod,
  findOfferedPaymentMethods,
  type PaymentMethodRow,
} from '../payment-processing/payment-methods.repository';
import { openCredentials } from '../payment-processing/gateways/credentials';
import { findGateway } from '../payment-processing/gateways/registry';
import type { GatewayRequest } from '../payment-processing/gateway-request';
import { callAndRecord } from '../payment-processing/process-operation';
import { performOnPayment, type PaymentSubject } from '../payment-processing/start-payment';
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

/** An action on a payment. `amount` is the unchecked parameter of capture and credit, `reason` one of credit. */
export interface PaymentAction {
  event: 'authorize' | 'capture' | 'purchase' | 'void' | 'credit';
  amount?: unknown;
  reason?: string | null | undefined;
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
  const payment = await findPayment(ctx.db, order.id, path.id);
  if (payment === undefined) throw new NotFound();
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
    const locked = await lockOrder(tx, { number, caller: ctx });
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

function getPaymentIn(order: OrderGraph, id: number): ListedPayment {
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
async function lockPayment(
  tx: Tx,
  caller: OrderCredentials,
  path: PaymentPath,
): Promise<{ order: LockedOrderGraph; payment: PaymentGraph }> {
  const order = await lockOrder(tx, { number: path.number, caller });
  const payment = order.payments.find((candidate) => hasKey(candidate, path.id));
  if (payment === undefined) throw new NotFound();
  return { order, payment };
}

/**
 * Performs an action on a payment and updates its order: `payment_state`, and shipments that become ready. While a
 * gateway call for the order is running, other requests wait for its result. Repeatable, except for a credit: each
 * credit refunds more.
 * @throws NotFound, NotAuthorized, InvalidResource (the amount), CreditOverLimit; GatewayFailed when the payment's
 *   state does not allow the action, or when the gateway declines, which is recorded; Unavailable when the gateway does
 *   not respond: the payment stays `processing` until the job settles it; PaymentInProgress when one call takes longer
 *   than two seconds
 */
export async function performPaymentAction(
  ctx: Ctx,
  path: PaymentPath,
  action: PaymentAction,
): Promise<ListedPayment> {
  const started = await withOrderTransaction(ctx, path.number, (tx) => startAction(tx, ctx, path, action));
  if ('payment' in started) return started.payment;
  const { outcome, order } = await callAndRecord(ctx, started.request);
  if (!outcome.approved && outcome.waits !== true) throw new GatewayFailed(outcome.message);
  return getPaymentIn(order, started.request.payment_id);
}

/** Starts an action. Returns the payment if no gateway call is needed, otherwise the request. */
async function startAction(
  tx: Tx,
  caller: OrderCredentials,
  path: PaymentPath,
  action: PaymentAction,
): Promise<{ payment: ListedPayment } | { request: GatewayRequest }> {
  const { order, payment } = await lockPayment(tx, caller, path);
  const { event } = action;
  const subject = { payment, ...readActionAmount(order, payment, action), ...readReason(action) };
  const cause = { user_id: findUserId(caller.actor), reason: `payment ${event}` };
  const act = { event, purpose: 'payment', cause } as const;
  const { draft, ending } = await performOnPayment(tx, createDraft(order), act, subject);
  switch (ending.ended) {
    case 'refused':
      throw new GatewayFailed(ending.errors['base']?.join(' ') ?? '');
    case 'unchanged':
      return { payment: { ...payment, ...pickDisplay(order) } };
    case 'moved':
      return { payment: getPaymentIn(await saveRecalculated(tx, draft, cause), payment.id) };
    case 'calls':
      await saveDraft(tx, draft);
      return { request: ending.request };
  }
}

function readReason({ reason }: PaymentAction): Pick<PaymentSubject, 'reason'> {
  return reason === undefined || reason === null || reason === '' ? {} : { reason };
}

/** Reads the amount of an action. The limit of a credit is checked before the payment's state. */
function readActionAmount(
  order: LockedOrder,
  payment: PaymentGraph,
  { event, amount }: PaymentAction,
): Pick<PaymentSubject, 'amount' | 'amountRefusal'> {
  const money = {
    ...pickDisplay(order),
    state: payment.state,
    amount: toAmount(payment.amount),
    refunded: toAmount(payment.refunded),
  };
  if (event === 'purchase') rejectPurchaseAboveBalance(order, payment);
  if (event !== 'credit' && event !== 'capture') return {};
  const read =
    event === 'capture'
      ? decideCapture(money, amount, calculateOwed(order, payment))
      : decideCredit(money, amount, calculateOutstanding(order));
  if ('errors' in read) throw new InvalidResource(read.errors);
  if ('over_limit' in read) throw new CreditOverLimit(read.over_limit);
  return 'refused' in read ? { amountRefusal: read.refused } : { amount: toDecimal(read.amount) };
}

/**
 * Returns what a capture without an amount takes: what a complete order owes, if the payment was made for its total.
 * Null for the whole payment.
 */
function calculateOwed(order: LockedOrder, payment: PaymentGraph): Amount | null {
  const isMadeForTotal = isCompleteState(order.state) && !payment.amount_is_explicit;
  return isMadeForTotal && canBeCharged(payment, 'check') ? calculateOutstanding(order) : null;
}

/** @throws InvalidResource for a card payment that is more than its complete order owes */
function rejectPurchaseAboveBalance(order: LockedOrder, payment: PaymentGraph): void {
  if (payment.method_type !== 'gateway' || !isCompleteState(order.state)) return;
  if (!canBeCharged(payment, 'gateway')) return;
  const errors = listLimitErrors(toAmount(payment.amount), calculateOutstanding(order));
  if ('amount' in errors) throw new InvalidResource(errors);
}

/** Returns whether a payment is authorized, or entered with a method of this type, which needs no authorization. */
function canBeCharged({ state, method_type }: PaymentGraph, unauthorized: 'gateway' | 'check'): boolean {
  return state === 'pending' || (state === 'checkout' && method_type === unauthorized);
}

function calculateOutstanding(order: LockedOrder) {
  return calculateOutstandingBalance(order.state, toAmount(order.total), toAmount(order.payment_total));
}
