import { CURRENCY_BINDINGS, selectRoundingDigits, type Invariant } from './invariant';

/** The amounts that are charged, paid or refunded, by table, with the SQL of their order's id. */
const AMOUNTS = [
  { table: 'line_items', column: 'price', order: 'a.order_id' },
  { table: 'shipments', column: 'cost', order: 'a.order_id' },
  { table: 'adjustments', column: 'amount', order: 'a.order_id' },
  { table: 'payments', column: 'amount', order: 'a.order_id' },
  { table: 'refunds', column: 'amount', order: '(SELECT order_id FROM payments WHERE id = a.payment_id)' },
  { table: 'return_authorizations', column: 'amount', order: 'a.order_id' },
  { table: 'released_freights', column: 'cost', order: 'a.order_id' },
] as const;

/** Amounts have no fraction of the smallest unit of their currency. Their sums have none either. */
export const amountInvariants: readonly Invariant[] = AMOUNTS.map(({ table, column, order }) => ({
  name: `${table}_have_whole_units`,
  rule: `The ${column} of ${table.replaceAll('_', ' ')} is a multiple of the smallest unit of its currency`,
  table,
  sql: `
    SELECT a.id, o.id AS order_id, format('%s %s', a.${column}, o.currency) AS detail
      FROM ${table} a JOIN orders o ON o.id = ${order}
     WHERE a.${column} <> round(a.${column}, ${selectRoundingDigits('o.currency')})`,
  bindings: CURRENCY_BINDINGS,
}));
