import { testDb } from '../../support/database';

/** Foreign keys whose index lacks some rows: deleted stock items, which are few. */
const PARTLY_SERVED = ['stock_items_stock_location_id_fkey'];

const ORDERS = 5_000;

beforeAll(async () => {
  // What autovacuum does at the same time, VACUUM leaves out.
  await testDb().raw('ALTER TABLE orders SET (autovacuum_enabled = off)');
  await testDb().raw(
    `INSERT INTO orders (number, token_seed, token_hash, currency, email)
     SELECT 'R' || n, substr(sha256(n::text::bytea), 1, 16), sha256(n::text::bytea), 'USD', 'user' || n || '@example.com'
       FROM generate_series(100000000, 100000000 + ?) AS n`,
    [ORDERS],
  );
  await testDb().raw('VACUUM ANALYZE orders');
  await testDb().raw("SELECT gin_clean_pending_list('orders_texts_trigram')");
});

test('every foreign key has an index that begins with its columns and contains every row with a reference', async () => {
  const { rows } = await testDb().raw(`
    SELECT key.conname AS name FROM pg_constraint AS key
     WHERE key.contype = 'f' AND key.connamespace = 'public'::regnamespace
       AND NOT EXISTS (
         SELECT FROM pg_index AS index
          WHERE index.indrelid = key.conrelid AND index.indisvalid
            AND (index.indkey::smallint[])[0:cardinality(key.conkey) - 1] @> key.conkey
            AND (index.indpred IS NULL OR cardinality(key.conkey) = 1 AND pg_get_expr(index.indpred, index.indrelid) = (
              SELECT format('(%I IS NOT NULL)', attname) FROM pg_attribute
               WHERE attrelid = key.conrelid AND attnum = key.conkey[1])))
     ORDER BY 1`);
  expect(rows.map(({ name }: { name: string }) => name)).toEqual(PARTLY_SERVED);
});

/** Returns the indexes that PostgreSQL uses if it avoids reading whole tables. */
async function findUsedIndexes(sql: string): Promise<string[]> {
  return testDb().transaction(async (tx) => {
    await tx.raw('SET LOCAL enable_seqscan = off');
    const { rows } = await tx.raw(`EXPLAIN (FORMAT JSON) ${sql}`);
    return [...JSON.stringify(rows).matchAll(/"Index Name":"(\w+)"/g)].map(([, name]) => name ?? '');
  });
}

test.each([
  ['orders_texts_trigram', `SELECT id FROM orders WHERE number ILIKE '%0001234%'`],
  ['orders_texts_trigram', `SELECT id FROM orders WHERE email ILIKE '%user100001234@%'`],
  ['orders_buyer_email_index', `SELECT id FROM orders WHERE lower(email) = lower('Ann@example.com')`],
  [
    'orders_buyer_email_index',
    `SELECT id FROM orders WHERE lower(email) IN (SELECT lower(one) FROM unnest('{a,b}'::text[]) AS one)`,
  ],
  ['payments_response_code_index', `SELECT id FROM payments WHERE response_code = '12345'`],
  ['shipments_tracking_index', `SELECT id FROM shipments WHERE tracking = '1Z999'`],
  ['shipments_state_index', `SELECT id FROM shipments WHERE state = 'pending'`],
  [
    'shipping_rates_pkey',
    `SELECT id FROM shipping_rates WHERE shipment_id = ANY ('{1,2}') AND id = ANY ('{3,4}')`,
  ],
  ['state_changes_pkey', `SELECT id FROM state_changes WHERE order_id = 1 ORDER BY id`],
  ['order_changes_pkey', `SELECT id FROM order_changes WHERE order_id = 1 ORDER BY id`],
  [
    'payment_operations_one_running',
    `SELECT id FROM payment_operations WHERE state = 'started' AND claimed_until < clock_timestamp()`,
  ],
  [
    'credit_cards_customer_profile_index',
    `SELECT FROM credit_cards WHERE gateway_customer_profile_id = 'BGS-1' AND user_id <> coalesce(NULL, 0)`,
  ],
  [
    'credit_cards_payment_profile_index',
    `SELECT FROM credit_cards WHERE gateway_payment_profile_id = 'BGS-1' AND user_id <> coalesce(NULL, 0)`,
  ],
])('%s is used by its search: %#', async (index, sql) => {
  expect(await findUsedIndexes(sql)).toEqual([index]);
});
