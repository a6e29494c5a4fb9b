import { ACTION_TYPES } from '../../src/sales/order/action-types';
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

test.each(['adjustments_action_type_known', 'promotion_actions_type_known'])(
  '%s accepts the types of promotion actions, and no others',
  async (name) => {
    const { rows } = await testDb().raw<{ rows: { definition: string }[] }>(
      'SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE conname = ?',
      [name],
    );
    const accepted = [...(rows[0]?.definition ?? '').matchAll(/'(\w+)'::text/g)].map(([, type]) => type);
    expect(accepted.sort()).toEqual([...ACTION_TYPES].sort());
  },
);
