import type { Ctx } from '../context';
import type { OrderCredentials } from '../../access/context';
import { findUserId } from '../../access/actor';
import { CreditOverLimit, GatewayFailed } from '../../errors/errors';
import { InvalidResource, type DomainError, type FieldErrors } from '../../platform/errors';
import type { Tx } from '../../platform/database/transaction';
import { toAmount, toDecimal, type Amount } from '../../platform/money';
import { pickDisplay } from '../../platform/money-format';
import type { PaymentGraph } from '../order/order-graph';
import type { LockedOrder } from '../order/order-lock';
import { calculateOutstandingBalance } from '../order/order-totals';
import { isCompleteState } from '../order/order.machine';
import { createDraft, saveDraft } from '../order-updater/order-draft';
import { saveRecalculated } from '../order-updater/order-updater';
import { decideCapture, decideCredit, listLimitErrors } from '../payment-processing/amount-rules';
import type { GatewayRequest } from '../payment-processing/gateway-request';
import type { ListedPayment } from '../payment-processing/payments.repository';
import { callAndRecord } from '../payment-processing/process-operation';
import { withOrderTransaction } from '../payment-processing/retry-after-payments';
import { performOnPayment, type PaymentSubject } from '../payment-processing/start-payment';
import { getPaymentIn, lockPayment, type PaymentPath } from './payments.service';

const REFUNDED = 'The payment has refunds. A credit gives back what is left of it.';

/** An action on a payment. `amount` is the unchecked parameter of capture and credit, `reason` one of credit. */
export interface PaymentAction {
  event: 'authorize' | 'capture' | 'purchase' | 'void' | 'credit';
  amount?: unknown;
  reason?: string | null | undefined;
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
  credentials: OrderCredentials,
  path: PaymentPath,
  action: PaymentAction,
): Promise<{ payment: ListedPayment } | { request: GatewayRequest }> {
  const { order, payment } = await lockPayment(tx, credentials, path);
  const { event } = action;
  const subject = { payment, ...readActionAmount(order, payment, action), ...readReason(action) };
  const cause = { user_id: findUserId(credentials.actor), reason: `payment ${event}` };
  const act = { event, purpose: 'payment', cause } as const;
  const { draft, ending } = await performOnPayment(tx, createDraft(order), act, subject);
  switch (ending.ended) {
    case 'refused':
      throw buildRefusal(ending.errors, payment, action);
    case 'unchanged':
      return { payment: { ...payment, ...pickDisplay(order) } };
    case 'moved':
      return { payment: getPaymentIn(await saveRecalculated(tx, draft, cause), payment.id) };
    case 'calls':
      await saveDraft(tx, draft);
      return { request: ending.request };
  }
}

/** The message names the state only, so a hint says why a completed payment, which can be voided, is not. */
function buildRefusal(errors: FieldErrors, payment: PaymentGraph, { event }: PaymentAction): DomainError {
  const refusal = new GatewayFailed(errors['base']?.join(' ') ?? '');
  return event === 'void' && payment.state === 'completed' ? refusal.withHint(REFUNDED) : refusal;
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
