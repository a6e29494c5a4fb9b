import type { OrderDraft } from '../order-updater/order-draft';
import { newId } from '../order/new-id';
import { generatePaymentNumber } from '../order/numbers';
import type { PaymentGraph } from '../order/order-graph';
import type { LockedOrderGraph } from '../order/order-lock';
import type { Cause } from '../order/state-changes.repository';
import { addPastPayment } from './imported-payments';

/** A credit that the provider has not carried out. */
export interface FailedCredit {
  amount: string;
  /** Of the operation of the credit. */
  idempotency_key: string;
}

/**
 * Adds a completed payment of what the provider has not given back to a draft: by the same card, and under the same reference,
 * so that it can be credited. Its operation has a key that follows from the credit, so a second one violates a constraint.
 */
export function addUnreturned(
  draft: OrderDraft,
  { refunded, refund }: { refunded: PaymentGraph; refund: FailedCredit },
  cause: Cause,
): OrderDraft {
  const payment = buildUnreturned(draft.order, refunded, refund.amount);
  const idempotency_key = `${refund.idempotency_key}-failed`;
  return addPastPayment(
    draft,
    { payment, state: 'completed', event: 'refund_failed', idempotency_key },
    cause,
  );
}

function buildUnreturned(
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
