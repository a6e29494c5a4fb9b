import type { Report } from './report';
import { isInPeriod, isPeriod, selectGroups, selectPeriod } from './report-sql';

export const refundsReport: Report = {
  name: 'refunds',
  summary: 'Refunds by day, month or reason',
  description:
    'Refunds by their own date, whenever their order was completed, also those of canceled orders. The group of refunds without a reason is null.',
  groups: ['day', 'month', 'reason'],
  has_period: true,
  columns: () => ({ group: 'text', count: 'count', total: 'money' }),
  sql(group) {
    const key = isPeriod(group) ? selectPeriod(group, 'r.created_at') : 'r.reason';
    const refunds = `
      SELECT ${key} AS "group", r.amount
        FROM refunds r
        JOIN payments p ON p.id = r.payment_id
        JOIN orders o ON o.id = p.order_id
       WHERE ${isInPeriod('r.created_at')} AND o.currency = :currency`;
    return selectGroups(refunds, ['group'], { count: 'count(*)', total: 'sum(amount)' });
  },
};
