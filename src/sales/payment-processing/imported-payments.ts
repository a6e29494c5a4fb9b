import { InvalidResource } from '../../platform/errors';
import { roundMoney } from '../../platform/money';
import { newId } from '../order/new-id';
import type { CreditCardRow, PaymentGraph } from '../order/order-graph';
import type { LockedOrder } from '../order/order-lock';
import type { PaymentState } from '../order/payment.machine';
import type { Cause } from '../order/state-changes.repository';
import { addToDraft, type OrderDraft } from '../order-updater/order-draft';
import { buildPayment } from './added-payments';
import type { CardInput } from './card-input.schema';
import { readImportedCard } from './card-rules';
import { buildPastOperation, type PastCall } from './imported-payments.repository';
import type { PaymentMethodRow } from './payment-methods.repository';

/** The states of an imported payment. None has a running gateway call. */
export type ImportedState = Exclude<PaymentState, 'processing'>;

/** A payment of an imported order, its method found. */
export interface PaymentToImport {
  method: PaymentMethodRow;
  /** A decimal string. */
  amount: string;
  state: ImportedState;
  response_code: string | null;
  /** What is known of the card; undefined for checks and for cards of which nothing is known. */
  card: CardInput | undefined;
}

/**
 * What the payment went through: its states in order, and the gateway call that was made elsewhere, if there was one.
 */
const PASTS: Record<
  ImportedState,
  {
    states: readonly PaymentState[];
    call: { kind: 'purchase' | 'authorize'; state: 'approved' | 'declined' } | null;
  }
> = {
  checkout: { states: ['checkout'], call: null },
  pending: {
    states: ['checkout', 'processing', 'pending'],
    call: { kind: 'authorize', state: 'approved' },
  },
  completed: {
    states: ['checkout', 'processing', 'completed'],
    call: { kind: 'purchase', state: 'approved' },
  },
  failed: { states: ['checkout', 'processing', 'failed'], call: { kind: 'purchase', state: 'declined' } },
  void: { states: ['checkout', 'void'], call: null },
  invalid: { states: ['checkout', 'invalid'], call: null },
};

/**
 * Adds payments that were made elsewhere to a draft, with their cards. Calls no gateway. Cards belong to the order's user.
 * @throws InvalidResource `payments.Credit Card`
 */
export function importPayments(
  before: OrderDraft,
  payments: readonly PaymentToImport[],
  cause: Cause,
): OrderDraft {
  let draft = before;
  for (const { method, amount, state, response_code, card: input } of payments) {
    const { order } = draft;
    const card = input === undefined ? null : buildCard(order, method, input);
    const amounts = { amount: roundMoney(amount, order.currency), amount_is_explicit: true };
    const payment = { ...buildPayment(order, { method, card }, amounts), response_code };
    draft = addPastPayment(draft, { payment, state, event: 'import' }, cause);
  }
  return draft;
}

/**
 * Adds a payment to a draft with an opening history: the states that it went through, and an operation for the call that
 * was made elsewhere.
 * @param past with an `idempotency_key` if the operation has not one of its own
 */
export function addPastPayment(
  draft: OrderDraft,
  past: {
    payment: PaymentGraph;
    state: ImportedState;
    event: PastCall['event'];
    idempotency_key?: string;
  },
  cause: Cause,
): OrderDraft {
  const { payment, state, event } = past;
  const { order } = draft;
  const { states, call } = PASTS[state];
  const { id, number, amount, response_code } = payment;
  const authorized_amount = call?.state === 'approved' ? amount : null;
  const subject = { order_id: order.id, subject_type: 'payment', subject_id: id, ...cause } as const;
  const history = states.map((to_state, place) => ({
    ...subject,
    from_state: states[place - 1] ?? null,
    to_state,
  }));
  const commands =
    call === null
      ? []
      : [
          buildPastOperation(payment, {
            ...call,
            event,
            response_code,
            user_id: cause.user_id,
            idempotency_key: past.idempotency_key ?? `${number}-${call.kind}-1`,
          }),
        ];
  const call_count = commands.length;
  const added = { ...payment, state, settled_state: state, authorized_amount, call_count };
  return {
    ...addToDraft(draft, { history, commands }),
    cause,
    order: { ...order, payments: [...order.payments, added] },
  };
}

function buildCard(
  { user_id }: LockedOrder,
  { id: payment_method_id, method_type }: PaymentMethodRow,
  input: CardInput,
): CreditCardRow {
  if (method_type === 'check') throw new InvalidResource({ 'payments.source': ['must be blank'] });
  const read = readImportedCard(input);
  if ('errors' in read) throw new InvalidResource({ 'payments.Credit Card': read.errors });
  const { month, year, ...card } = read.card;
  const expiry = { month: String(month), year: String(year) };
  return { ...card, ...expiry, id: newId(), user_id, payment_method_id, is_default: false };
}
