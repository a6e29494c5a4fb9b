import type { Db } from '../../platform/database/knex';
import { toAmount } from '../../platform/money';
import type { Movement, Period } from './gateways/gateway';
import { MOVED_AMOUNT } from './moved-amount-sql';
import type { NamedPayment } from './reconcile-rules';

/** A payment method whose gateway may list movements. Never log its preferences. */
export interface ListedMethod {
  id: number;
  name: string;
  gateway: string;
  preferences: unknown;
}

/** Returns all payment methods, also inactive and deleted ones: their payments can still change. */
export async function findMethods(db: Db): Promise<ListedMethod[]> {
  return db('payment_methods').orderBy('id').select<ListedMethod[]>('id', 'name', 'gateway', 'preferences');
}

/**
 * Returns the money that a payment method has moved, by the time of the answers. A credit that returns a late charge means that the
 * charge was taken too, and so does one that was declined. Imported payments went through no gateway.
 */
export async function findOwnMovements(db: Db, methodId: number, period: Period): Promise<Movement[]> {
  const { rows } = await db.raw<{ rows: (Omit<Movement, 'amount'> & { amount: string })[] }>(
    `SELECT moved.kind, coalesce(root.number, p.number) AS payment_number, coalesce(refund.response_code, op.response_code, p.number) AS reference,
            ${MOVED_AMOUNT}::text AS amount, o.currency, op.finished_at AS moved_at
       FROM payment_operations op
       -- A refund that has failed is recorded with the payment that takes its amount.
       LEFT JOIN payment_operations refund ON op.event = 'refund_failed' AND refund.idempotency_key || '-failed' = op.idempotency_key
       JOIN payments p ON p.id = coalesce(refund.payment_id, op.payment_id)
       JOIN orders o ON o.id = p.order_id
       LEFT JOIN payments root ON root.id = p.authorized_payment_id
      CROSS JOIN LATERAL unnest(CASE
              WHEN refund.state = 'declined' THEN '{capture}'::text[]
              WHEN op.event = 'refund_failed' THEN '{failed_refund}'
              WHEN op.kind IN ('purchase', 'capture') THEN '{capture}'
              WHEN op.kind = 'credit' AND op.state_before = 'failed' THEN '{capture,refund}'
              WHEN op.kind = 'credit' OR op.kind = 'void' AND op.state_before = 'completed' THEN '{refund}'
              ELSE '{}' END) AS moved(kind)
      WHERE op.state = 'approved' AND op.event <> 'import' AND p.payment_method_id = ?
        AND op.finished_at >= ? AND op.finished_at < ?`,
    [methodId, period.from, period.to],
  );
  return rows.map((row) => ({ ...row, amount: toAmount(row.amount) }));
}

/** Returns the payments with these numbers, whatever their method. */
export async function findNamedPayments(
  db: Db,
  numbers: readonly string[],
): Promise<(NamedPayment & { payment_method_id: number })[]> {
  if (numbers.length === 0) return [];
  const { rows } = await db.raw<{ rows: (NamedPayment & { payment_method_id: number })[] }>(
    `SELECT p.number, coalesce(root.number, p.number) AS root, p.state, p.payment_method_id
       FROM payments p LEFT JOIN payments root ON root.id = p.authorized_payment_id
      WHERE p.number = ANY (?)`,
    [[...numbers]],
  );
  return rows;
}
