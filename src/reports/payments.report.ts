import { MOVED_AMOUNT } from '../sales/payment-processing/moved-amount-sql';
import type { Report } from './report';
import { isInPeriod, isPeriod, selectGroups, selectPeriod } from './report-sql';

/** A charge was approved after it was given up, and could not be returned. Neither of both is counted otherwise. */
const KEEPS = `(op.event = 'refund_failed' AND EXISTS (SELECT FROM payment_operations returned
  WHERE returned.idempotency_key = left(op.idempotency_key, -length('-failed')) AND returned.state_before = 'failed'))`;
/** What a gateway approved takes money, or gives captured money back. Imported payments passed through no gateway. */
const TAKES = `(op.kind IN ('purchase', 'capture') AND op.event NOT IN ('import', 'refund_failed') OR ${KEEPS})`;
const GIVES = `(op.kind IN ('credit', 'void') AND op.state_before = 'completed' OR op.event = 'refund_failed')`;
/** A refund that failed later is taken off. */
const AMOUNT = `CASE WHEN op.event = 'refund_failed' AND NOT ${KEEPS} THEN -op.amount ELSE ${MOVED_AMOUNT} END`;

export const paymentsReport: Report = {
  name: 'payments',
  summary: 'Captured and refunded amounts by day and gateway',
  description:
    'What the payment gateways have approved, by the time of their answer, for comparison with their statements: captures, and refunds with voids of captured payments, less refunds that failed later. A charge that was approved too late counts if it could not be returned. Imported payments are not counted. Each group has a row for each gateway.',
  groups: ['day', 'month', 'gateway'],
  has_period: true,
  columns: () => ({
    group: 'text',
    gateway: 'text',
    captures: 'count',
    captured: 'money',
    refunds: 'count',
    refunded: 'money',
    net: 'money',
  }),
  sql(group) {
    const key = isPeriod(group) ? selectPeriod(group, 'op.finished_at') : 'm.gateway';
    const operations = `
      SELECT ${key} AS "group", m.gateway, ${TAKES} AS takes, ${AMOUNT} AS amount
        FROM payment_operations op
        JOIN payments p ON p.id = op.payment_id
        JOIN payment_methods m ON m.id = p.payment_method_id
        JOIN orders o ON o.id = p.order_id
       WHERE op.state = 'approved' AND (${TAKES} OR ${GIVES}) AND ${isInPeriod('op.finished_at')}
         AND o.currency = :currency`;
    return selectGroups(operations, ['group', 'gateway'], {
      captures: 'count(*) FILTER (WHERE takes)',
      captured: 'sum(amount) FILTER (WHERE takes)',
      refunds: 'count(*) FILTER (WHERE NOT takes AND amount >= 0) - count(*) FILTER (WHERE amount < 0)',
      refunded: 'sum(amount) FILTER (WHERE NOT takes)',
      net: 'sum(CASE WHEN takes THEN amount ELSE -amount END)',
    });
  },
};
