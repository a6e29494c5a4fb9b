import type { Db } from '../../platform/database/knex';
import type { Invariant } from './invariant';

/** The triggers that prevent deleting sold records. */
const GUARDS = [
  'orders',
  'payments',
  'payment_operations',
  'refunds',
  'shipments',
  'inventory_units',
  'state_changes',
  'stock_movements',
  'return_authorizations',
  'adjustments',
  'users',
]
  .map((table) => `${table}_kept`)
  .join(',');

/** Invariants of the database itself. A partial restore or manipulation violates them. */
export const databaseInvariants: readonly Invariant[] = [
  {
    name: 'triggers_are_enabled',
    rule: 'Every trigger is enabled, and the triggers that protect sold records exist',
    table: 'pg_trigger',
    isOfDatabase: true,
    sql: `
      SELECT row_number() OVER ()::integer AS id, NULL::integer AS order_id, broken.detail
        FROM (SELECT format('%s on %s is disabled', t.tgname, t.tgrelid::regclass) AS detail
                FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
               WHERE c.relnamespace = current_schema()::regnamespace AND t.tgenabled NOT IN ('O', 'A')
              UNION ALL
              SELECT guard || ' is missing' FROM unnest(string_to_array(:guards, ',')) AS guard
               WHERE NOT EXISTS (SELECT FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
                                  WHERE c.relnamespace = current_schema()::regnamespace AND t.tgname = guard)) broken`,
    bindings: { guards: GUARDS },
  },
  {
    name: 'sequences_are_ahead',
    rule: 'No sequence returns an id that a row already has',
    table: 'pg_sequences',
    isOfDatabase: true,
    sql: buildSequencesSql,
  },
];

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
