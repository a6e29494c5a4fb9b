import type { Db } from '../../platform/database/knex';
import { CURRENCY_BINDINGS, DIGITS, type Invariant } from './invariant';

/** Selects the sums of eligible adjustments that meet a condition. Credits of returns reduce the taxes. */
const ADJUSTMENT_SUMS = (whose: string): string => `
  SELECT coalesce(sum(amount) FILTER (WHERE NOT included), 0) AS adjustment_total,
         coalesce(sum(amount) FILTER (WHERE NOT included AND source_type = 'Store::PromotionAction'), 0) AS promo_total,
         coalesce(sum(amount) FILTER (WHERE included AND source_type = 'Store::TaxRate'), 0)
           - coalesce(sum(included_tax), 0) AS included_tax_total,
         coalesce(sum(amount) FILTER (WHERE NOT included AND source_type = 'Store::TaxRate'), 0)
           - coalesce(sum(additional_tax), 0) AS additional_tax_total
    FROM adjustments WHERE eligible AND ${whose}`;

const SUMS = ['adjustment_total', 'promo_total', 'included_tax_total', 'additional_tax_total'];

/** Builds `(stored, …) IS DISTINCT FROM (real, …)`. */
const compareColumns = (stored: string, columns: readonly string[]): string =>
  `(${columns.map((column) => `${stored}.${column}`).join(', ')})
     IS DISTINCT FROM (${columns.map((column) => `real.${column}`).join(', ')})`;
/** Builds the SQL of a text that lists the columns that differ. */
const describeDifferences = (stored: string, columns: readonly string[]): string =>
  `concat_ws(', ', ${columns
    .map(
      (column) =>
        `CASE WHEN ${stored}.${column} IS DISTINCT FROM real.${column}
              THEN format('${column} is %s instead of %s', ${stored}.${column}, real.${column}) END`,
    )
    .join(', ')})`;

const ORDER_SUMS = [...SUMS, 'item_total', 'ship_total', 'total', 'total_quantity'];

/** Invariants of the totals of orders and their line items. */
export const totalInvariants: readonly Invariant[] = [
  {
    name: 'order_totals_are_sums',
    rule: 'The totals of an order are the sums of its line items, shipments and adjustments',
    table: 'orders',
    sql: `
      SELECT o.id, o.id AS order_id, o.number || ': ' || ${describeDifferences('o', ORDER_SUMS)} AS detail
        FROM orders o
        CROSS JOIN LATERAL (${ADJUSTMENT_SUMS('adjustments.order_id = o.id')}) adjusted
        CROSS JOIN LATERAL (
          SELECT coalesce(sum(price * quantity), 0) AS item_total, coalesce(sum(quantity), 0) AS total_quantity
            FROM line_items WHERE line_items.order_id = o.id) lines
        CROSS JOIN LATERAL (
          SELECT coalesce(sum(cost), 0) AS ship_total FROM shipments WHERE shipments.order_id = o.id) parcels
        CROSS JOIN LATERAL (
          SELECT adjusted.*, lines.*, parcels.*,
                 lines.item_total + parcels.ship_total + adjusted.adjustment_total AS total) real
       WHERE ${compareColumns('o', ORDER_SUMS)}`,
  },
  {
    name: 'line_totals_are_sums',
    rule: 'The totals of a line item are the sums of its adjustments',
    table: 'line_items',
    sql: `
      SELECT line.id, line.order_id, ${describeDifferences('line', SUMS)} AS detail
        FROM line_items line
        CROSS JOIN LATERAL (${ADJUSTMENT_SUMS('adjustments.line_item_id = line.id')}) real
       WHERE ${compareColumns('line', SUMS)}`,
  },
];

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
     WHERE a.${column} <> round(a.${column}, ${DIGITS})`,
  bindings: CURRENCY_BINDINGS,
}));

/** Foreign keys ensure it, unless rows were restored without their checks. */
export const orphanInvariant: Invariant = {
  name: 'references_lead_somewhere',
  rule: 'The row that a foreign key references exists',
  table: 'the column named',
  isOfDatabase: true,
  sql: buildOrphansSql,
};

/** Builds a query with one part for each foreign key. */
async function buildOrphansSql(db: Db): Promise<string> {
  const { rows } = await db.raw<{ rows: { child: string; fk: string; parent: string; pk: string }[] }>(`
    SELECT con.conrelid::regclass::text AS child, quote_ident(child.attname) AS fk,
           con.confrelid::regclass::text AS parent, quote_ident(parent.attname) AS pk
      FROM pg_constraint con
      JOIN pg_attribute child ON child.attrelid = con.conrelid AND child.attnum = con.conkey[1]
      JOIN pg_attribute parent ON parent.attrelid = con.confrelid AND parent.attnum = con.confkey[1]
     WHERE con.contype = 'f' AND con.connamespace = current_schema()::regnamespace
     ORDER BY con.conname`);
  return rows
    .map(
      ({ child, fk, parent, pk }) => `
        SELECT coalesce((to_jsonb(c) ->> 'id')::bigint, 0) AS id, NULL::integer AS order_id,
               format('${child}.${fk}: ${parent} %s does not exist', c.${fk}) AS detail
          FROM ${child} c
         WHERE c.${fk} IS NOT NULL AND NOT EXISTS (SELECT FROM ${parent} p WHERE p.${pk} = c.${fk})`,
    )
    .join(' UNION ALL ');
}

export const sequenceInvariant: Invariant = {
  name: 'sequences_are_ahead',
  rule: 'No sequence returns an id that a row already has',
  table: 'pg_sequences',
  isOfDatabase: true,
  sql: buildSequencesSql,
};

async function buildSequencesSql(db: Db): Promise<string> {
  const { rows } = await db.raw<{ rows: { name: string; column: string; sequence: string }[] }>(`
    SELECT quote_ident(table_name) AS name, quote_ident(column_name) AS column,
           pg_get_serial_sequence(quote_ident(table_name), column_name) AS sequence
      FROM information_schema.columns
     WHERE table_schema = current_schema() AND is_identity = 'YES' ORDER BY table_name`);
  return rows
    .map(
      ({ name, column, sequence }) => `
        SELECT 0 AS id, NULL::integer AS order_id,
               format('${sequence} is at %s, the last row is %s', last.given, last.used) AS detail
          FROM (SELECT coalesce(pg_sequence_last_value('${sequence}'::regclass), 0) AS given,
                       (SELECT max(${column}) FROM ${name}) AS used) last
         WHERE last.used > last.given`,
    )
    .join(' UNION ALL ');
}
