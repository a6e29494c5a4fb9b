import type { BoundStatement } from '../../platform/database/prepared';
import type { PaymentGraph } from '../order/order-graph';
import type { PaymentOperationRow } from './payment-operations.repository';

/** A call of a gateway that was made elsewhere. */
export interface PastCall extends Pick<
  PaymentOperationRow,
  'kind' | 'state' | 'user_id' | 'response_code' | 'idempotency_key'
> {
  event: 'import' | 'refund_failed';
}

const INSERT_PAST_OPERATION = {
  name: 'insert_past_operation',
  sql: `INSERT INTO payment_operations (payment_id, kind, event, purpose, amount, idempotency_key, state_before, state,
                                        user_id, response_code, claimed_until, finished_at)
        SELECT id, ?, ?, 'payment', amount, ?, 'checkout', ?, ?::integer, ?, clock_timestamp(), clock_timestamp()
          FROM payments WHERE number = ?`,
};

/** Builds the insert of the operation of a payment that is stored before. An operation with the same key violates a constraint. */
export function buildPastOperation({ number }: Pick<PaymentGraph, 'number'>, call: PastCall): BoundStatement {
  const { kind, event, idempotency_key, state, user_id, response_code } = call;
  return {
    statement: INSERT_PAST_OPERATION,
    bindings: [kind, event, idempotency_key, state, user_id, response_code, number],
  };
}
