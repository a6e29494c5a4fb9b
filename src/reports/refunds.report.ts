import { OF_RETURN } from '../sales/payment-processing/own-reasons';
import type { Report } from './report';
import { isInPeriod, isPeriod, selectGroups, selectPeriod } from './report-sql';

/** Refunds of all returns have one reason, without the numbers of the returns. */
const REASON = `CASE WHEN r.reason ~ '${OF_RETURN}' THEN 'Return' ELSE r.reason END`;

/** Refunds, and those that failed later, by the time of the failure. */
const REFUNDS = `(
  SELECT payment_id, amount, reason, created_at FROM refunds
  UNION ALL
  SELECT r.payment_id, -r.amount, r.reason, failed.finished_at
    FROM refunds r
    JOIN payment_operations op ON op.id = r.payment_operation_id
    JOIN payment_operations failed ON failed.idempotency_key = op.idempotency_key || '-failed')`;

export const refundsReport: Report = {
  name: 'refunds',
  summary: 'Refunds by day, month or reason',
  description:
    'Refunds by their own date, whenever their order was completed, also refunds of canceled orders. One that failed later is taken off at the time of its failure. Refunds for returns are the group Return; that of refunds without a reason is null.',
  groups: ['day', 'month', 'reason'],
  has_period: true,
  columns: () => ({ group: 'text', count: 'count', total: 'money' }),
  sql(group) {
    const key = isPeriod(group) ? selectPeriod(group, 'r.created_at') : REASON;
    const refunds = `
      SELECT ${key} AS "group", r.amount
        FROM ${REFUNDS} r
        JOIN payments p ON p.id = r.payment_id
        JOIN orders o ON o.id = p.order_id
       WHERE ${isInPeriod('r.created_at')} AND o.currency = :currency`;
    return selectGroups(refunds, ['group'], { count: 'sum(sign(amount))::bigint', total: 'sum(amount)' });
  },
};
