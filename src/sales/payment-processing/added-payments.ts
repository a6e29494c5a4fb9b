import { InvalidResource, type FieldErrors } from '../../platform/errors';
import { larger, subtract, sumOf, toAmount, toDecimal, ZERO, type Amount } from '../../platform/money';
import { deriveState } from '../../platform/perform';
import { newId } from '../order/new-id';
import { generatePaymentNumber } from '../order/numbers';
import type { CreditCardRow, PaymentGraph, PaymentRow } from '../order/order-graph';
import type { LockedOrder, LockedOrderGraph } from '../order/order-lock';
import { calculateOutstandingBalance } from '../order/order-totals';
import type { OrderRow } from '../order/orders.repository';
import { paymentMachine } from '../order/payment.machine';
import type { Cause, StateChange } from '../order/state-changes.repository';
import type { TokenizedCard } from './card-rules';
import type { CardProfile } from './gateways/gateway';
import type { PaymentMethodRow } from './payment-methods.repository';
import { buildFacts } from './start-payment';

/*
 * The payments of an order with an added or withdrawn one, and with current amounts. All of it is calculated; `saveOrder`
 * writes it.
 */

export const INVALID_CARD: FieldErrors = { base: ['Invalid credit card.'] };

/** Of an order, in all states: every reply with the order lists them, and declined attempts remain. */
const MOST_PAYMENTS = 100;

/** A payment method and source that can be stored. */
export type PaymentSource =
  | { source: 'none'; method: PaymentMethodRow }
  | NewCardSource
  | { source: 'existing_card'; method: PaymentMethodRow; card: CreditCardRow };

interface NewCardSource {
  source: 'new_card';
  method: PaymentMethodRow;
  card: TokenizedCard['card'];
  profile: CardProfile | null;
  /** The user of the order if the card becomes theirs; null for a card that belongs to no account. */
  card_user_id: number | null;
}

/** A payment that is added to an order, with all payments of the order and the history of what changes. */
export interface AddedPayment {
  payment: PaymentGraph;
  payments: PaymentGraph[];
  history: StateChange[];
}

/**
 * Adds a payment in state `checkout`; older ones in that state become `invalid`. If `amount` is null, the amount is
 * what is still to be paid, and is updated when the order is confirmed and completed. Pure.
 * @throws InvalidResource when the card's user no longer owns the order, or the order has 100 payments
 */
export function addPayment(
  order: LockedOrderGraph,
  entry: PaymentSource,
  { amount, cause }: { amount: Amount | null; cause: Cause },
): AddedPayment {
  if (order.payments.length >= MOST_PAYMENTS)
    throw new InvalidResource({ base: [`An order has at most ${MOST_PAYMENTS} payments.`] });
  const older = invalidate(order, () => true, cause);
  const source = { method: entry.method, card: buildCard(order, entry) };
  const payment = buildPayment(order, source, {
    amount: toDecimal(amount ?? calculateAmountToPay(order, order.payments)),
    amount_is_explicit: amount !== null,
  });
  const subject = { order_id: order.id, subject_type: 'payment', subject_id: payment.id, ...cause } as const;
  return {
    payment,
    payments: [...older.payments, payment],
    history: [...older.history, { ...subject, from_state: null, to_state: payment.state }],
  };
}

/** The payments of an order after a change of their states, with its history. */
type ChangedPayments = Pick<AddedPayment, 'payments' | 'history'>;

/**
 * Invalidates the payments in state `checkout` by cards of the order's user, whose ship address somebody else has set.
 */
export function withdrawOwnersCards(order: LockedOrderGraph, cause: Cause): ChangedPayments {
  return invalidate(order, ({ card }) => card?.user_id != null && card.user_id === order.user_id, cause);
}

/** Invalidates the selected payments that are in state `checkout`. One that waits for its provider goes on. */
function invalidate(
  order: LockedOrderGraph,
  isSelected: (payment: PaymentGraph) => boolean,
  cause: Cause,
): ChangedPayments {
  const history: StateChange[] = [];
  const payments = order.payments.map((payment) => {
    if (!isSelected(payment) || payment.state === 'processing') return payment;
    const facts = buildFacts(payment, { order, amountRefusal: null });
    const state = deriveState(paymentMachine, 'invalidate', payment.state, facts);
    if (state === payment.state) return payment;
    history.push({
      order_id: order.id,
      subject_type: 'payment',
      subject_id: payment.id,
      from_state: payment.state,
      to_state: state,
      ...cause,
    });
    return { ...payment, state, settled_state: state };
  });
  return { payments, history };
}

/** Builds a payment in state `checkout` that is not stored yet. */
export function buildPayment(
  order: LockedOrderGraph,
  { method, card }: { method: PaymentMethodRow; card: CreditCardRow | null },
  amounts: Pick<PaymentRow, 'amount' | 'amount_is_explicit'>,
): PaymentGraph {
  return {
    ...amounts,
    id: newId(),
    number: generatePaymentNumber(),
    order_id: order.id,
    ...pickMethod(order, method),
    credit_card_id: card?.id ?? null,
    authorized_amount: null,
    authorized_payment_id: null,
    state: 'checkout',
    settled_state: 'checkout',
    response_code: null,
    avs_response: null,
    cvv_response_code: null,
    refunded: '0',
    refunds: [],
    waiting: null,
    call_count: 0,
    has_foreign_card: card === null ? false : null,
    created_at: order.transaction_time,
    updated_at: order.transaction_time,
    card,
  };
}

/** Returns what a payment of the order shows of its method. */
export function pickMethod(
  { captures_at_once }: Pick<LockedOrderGraph, 'captures_at_once'>,
  { id, name, method_type, active, auto_capture }: PaymentMethodRow,
) {
  return {
    payment_method_id: id,
    payment_method_name: name,
    method_type,
    method_is_active: active,
    auto_capture: auto_capture ?? captures_at_once,
  };
}

/** @throws InvalidResource when the card's user no longer owns the order */
function buildCard(order: LockedOrder, entry: PaymentSource): CreditCardRow | null {
  if (entry.source === 'none') return null;
  if (entry.source === 'existing_card') {
    if (entry.card.user_id !== order.user_id) throw new InvalidResource(INVALID_CARD);
    return entry.card;
  }
  const { card, profile, method, card_user_id } = entry;
  return {
    id: newId(),
    user_id: card_user_id === order.user_id ? card_user_id : null,
    payment_method_id: method.id,
    month: String(card.month ?? ''),
    year: String(card.year ?? ''),
    cc_type: card.cc_type,
    last_digits: card.last_digits,
    name: card.name,
    gateway_customer_profile_id: profile?.gateway_customer_profile_id ?? null,
    gateway_payment_profile_id: profile?.gateway_payment_profile_id ?? null,
    is_default: false,
  };
}

/**
 * Returns the amount of a payment without an explicit one: the outstanding balance, minus the authorized payments of an
 * incomplete order. Never negative.
 */
function calculateAmountToPay(
  order: Pick<OrderRow, 'state' | 'total' | 'payment_total' | 'completed_at'>,
  payments: readonly Pick<PaymentRow, 'state' | 'amount'>[],
): Amount {
  const outstanding = calculateOutstandingBalance(
    order.state,
    toAmount(order.total),
    toAmount(order.payment_total),
  );
  const authorized = payments.filter(({ state }) => state === 'pending' && order.completed_at === null);
  return larger(
    ZERO,
    subtract(
      outstanding,
      sumOf(authorized, ({ amount }) => toAmount(amount)),
    ),
  );
}

/** Updates the amounts of payments in `checkout` without an explicit amount. Pure. */
export function refreshPaymentAmounts(order: LockedOrderGraph): PaymentGraph[] {
  const amount = calculateAmountToPay(order, order.payments);
  const isStale = (payment: PaymentGraph): boolean =>
    payment.state === 'checkout' && !payment.amount_is_explicit && toAmount(payment.amount) !== amount;
  return order.payments.some(isStale)
    ? order.payments.map((payment) =>
        isStale(payment) ? { ...payment, amount: toDecimal(amount) } : payment,
      )
    : order.payments;
}
