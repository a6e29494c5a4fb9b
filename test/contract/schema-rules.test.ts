import { ACTION_TYPES, listActionTypes } from '../../src/sales/order/action-types';
import { MIXED_SHIPMENT_STATES, ORDER_PAYMENT_STATES } from '../../src/sales/order/order-totals';
import {
  INVENTORY_UNIT_STATES,
  ORDER_STATES,
  PAYMENT_STATES,
  RETURN_AUTHORIZATION_STATES,
  SHIPMENT_STATES,
} from '../../src/sales/order/states';
import { testDb } from '../support/database';

/* What a migration must not forget when it adds a table or a value, because the program would only fail when it is used. */

/** Tables whose statements set `updated_at` themselves: the one row of the key, and the feed of stock items. */
const SET_BY_STATEMENTS = ['secret_keys', 'stock_item_changes'];

test('every table with updated_at has the trigger that sets it', async () => {
  const { rows } = await testDb().raw<{ rows: { table: string }[] }>(`
    SELECT columns.table_name AS table FROM information_schema.columns
      JOIN information_schema.tables USING (table_schema, table_name)
     WHERE columns.table_schema = 'public' AND columns.column_name = 'updated_at' AND tables.table_type = 'BASE TABLE'
       AND NOT EXISTS (
         SELECT FROM pg_trigger
           JOIN pg_proc ON pg_proc.oid = pg_trigger.tgfoid
          WHERE pg_trigger.tgrelid = format('%I', columns.table_name)::regclass AND pg_proc.proname LIKE 'touch%')
     ORDER BY 1`);
  expect(rows.map(({ table }) => table)).toEqual(SET_BY_STATEMENTS);
});

/** Returns the words that a CHECK constraint accepts. The folded ones, which are quicker to check, hold an array. */
async function readAcceptedWords(constraint: string): Promise<string[]> {
  const { rows } = await testDb().raw<{ rows: { definition: string }[] }>(
    'SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE conname = ?',
    [constraint],
  );
  const [, array] = /'\{([\w,]+)\}'::text\[\]/.exec(rows[0]?.definition ?? '') ?? [];
  if (array !== undefined) return array.split(',').sort();
  return [...(rows[0]?.definition ?? '').matchAll(/'(\w+)'::text/g)].map(([, word]) => word ?? '').sort();
}

test.each([
  ['adjustments_action_type_known', ACTION_TYPES],
  ['promotion_actions_type_known', ACTION_TYPES],
  ['promotion_actions_percent_of_type', listActionTypes({ parameter: 'percent' })],
  ['promotion_actions_amount_of_type', listActionTypes({ parameter: 'amount' })],
  ['orders_state_known', ORDER_STATES],
  ['orders_payment_state_known', ORDER_PAYMENT_STATES],
  ['orders_shipment_state_known', [...SHIPMENT_STATES, ...MIXED_SHIPMENT_STATES]],
  ['payments_state_known', PAYMENT_STATES],
  ['shipments_state_known', SHIPMENT_STATES],
  ['inventory_units_state_known', INVENTORY_UNIT_STATES],
  ['return_authorizations_state_known', RETURN_AUTHORIZATION_STATES],
])('%s accepts what the program writes, and nothing else', async (constraint, words) => {
  expect(await readAcceptedWords(constraint)).toEqual([...words].sort());
});

test('triggers of units run once for each statement, because a large order has a row for each of its units', async () => {
  const { rows } = await testDb().raw<{ rows: object[] }>(`
    SELECT tgname AS name, tgqual IS NOT NULL AS is_conditional FROM pg_trigger
     WHERE tgrelid = 'inventory_units'::regclass AND NOT tgisinternal AND tgtype & 1 = 1 ORDER BY 1`);
  // Their conditions hold for no statement of this version: deleted units that left, finer times, times that are not named.
  expect(rows).toEqual([
    { name: 'inventory_units_kept', is_conditional: true },
    { name: 'inventory_units_milliseconds', is_conditional: true },
    { name: 'inventory_units_touch', is_conditional: true },
  ]);
});
