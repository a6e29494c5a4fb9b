import type { Db } from '../../platform/database/knex';
import { CURRENCY_BINDINGS, DIGITS, type Invariant } from './invariant';

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
