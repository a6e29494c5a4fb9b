import type { Knex } from 'knex';
import { pino } from 'pino';
import { closeDatabase, connectDatabase } from '../../../src/platform/database/knex';
import { queryPrepared } from '../../../src/platform/database/prepared';
import { withTransaction } from '../../../src/platform/database/transaction';
import { loadOrderGraph, loadOrderGraphs } from '../../../src/sales/order/load-order-graph';
import { api } from '../../support/api';
import { ensureTestDatabase, testDb } from '../../support/database';
import { orderInState } from '../../support/orders.factory';
import { aProduct } from '../../support/products.factory';

test('a prepared statement returns the current order every time', async () => {
  const order = await orderInState('confirm');
  await testDb().transaction(async (tx) => {
    // From the sixth execution on PostgreSQL may use a cached plan.
    for (let time = 0; time < 8; time += 1) {
      const loaded = await loadOrderGraph(tx, order.id);
      const read_at = expect.any(Date) as Date;
      expect([{ ...loaded, read_at }]).toEqual(await loadOrderGraphs(tx, [order.id]));
      expect(loaded).toMatchObject({
        number: order.number,
        state: 'confirm',
        payments: [{ state: 'checkout' }],
      });
    }
    await tx('orders').where({ id: order.id }).update({ channel: 'phone' });
    expect(await loadOrderGraph(tx, order.id)).toMatchObject({ channel: 'phone' });
  });
});

test('it returns every column of the table but the one that lists of changes are read by', async () => {
  const columns = await testDb()('information_schema.columns')
    .where({ table_schema: 'public', table_name: 'orders' })
    .whereNot({ column_name: 'feed_at' })
    .pluck('column_name');
  const order = await orderInState('cart');
  expect(Object.keys(await loadOrderGraph(testDb(), order.id))).toEqual(expect.arrayContaining(columns));
});

test('it works after a migration adds a column while the program runs', async () => {
  const order = await orderInState('cart');
  await testDb()
    .transaction(async (tx) => {
      await loadOrderGraph(tx, order.id);
      await tx.raw('ALTER TABLE orders ADD COLUMN added text');
      expect(await loadOrderGraph(tx, order.id)).toMatchObject({ number: order.number });
      throw new Error('undo');
    })
    .catch((error: Error) => expect(error.message).toBe('undo'));
});

test('it runs again on a new connection after a migration has changed the type of a column', async () => {
  const log = pino({ level: 'silent' });
  const db = connectDatabase({ url: await ensureTestDatabase(), poolSize: 2, log });
  const read = (connection: Knex) =>
    queryPrepared(connection, { name: 'test_changed', sql: 'SELECT value FROM test_changed' }, []);
  try {
    await db.raw('CREATE TABLE test_changed AS SELECT 1 AS value');
    expect(await read(db)).toEqual([{ value: 1 }]);
    await testDb().raw('ALTER TABLE test_changed ALTER COLUMN value TYPE text');
    expect(await read(db)).toEqual([{ value: '1' }]);
    await testDb().raw('ALTER TABLE test_changed ALTER COLUMN value TYPE integer USING value::integer');
    expect(await withTransaction({ db }, read)).toEqual([{ value: 1 }]);
  } finally {
    await db.raw('DROP TABLE test_changed');
    await closeDatabase(db);
  }
});

test('a prepared statement is refused after the end of its transaction', async () => {
  const tx = await testDb().transaction();
  await tx.commit();
  await expect(queryPrepared(tx, { name: 'test_late', sql: 'SELECT 1' }, [])).rejects.toThrow('ended');
});

test('one statement name has one text', async () => {
  await testDb().transaction(async (tx) => {
    const one = { name: 'test_number', sql: 'SELECT CAST(? AS integer) AS n' };
    expect(await queryPrepared(tx, one, [1])).toEqual([{ n: 1 }]);
    expect(await queryPrepared(tx, one, [2])).toEqual([{ n: 2 }]);
    await expect(
      queryPrepared(tx, { ...one, sql: 'SELECT 3 AS n, CAST(? AS integer)' }, [3]),
    ).rejects.toThrow('must be unique');
  });
});

test('the statement of one product is prepared', async () => {
  const product = await aProduct();
  for (let time = 0; time < 2; time += 1) await api().get(`/products/${product.id}`);
  const { rows } = await testDb().raw<{ rows: unknown[] }>(
    "SELECT 1 FROM pg_prepared_statements WHERE name LIKE 'product_state_%'",
  );
  expect(rows).toHaveLength(1);
});

test.each([
  [
    'request',
    [
      { name: 'jit', setting: 'off' },
      { name: 'random_page_cost', setting: '1.1' },
    ],
  ],
  ['maintenance', [{ name: 'jit', setting: 'off' }]],
] as const)(
  '%s: connections compile nothing, and those of requests plan for disks without seek times, also in small tables',
  async (timeouts, settings) => {
    const db = connectDatabase({
      url: await ensureTestDatabase(),
      poolSize: 1,
      log: pino({ level: 'silent' }),
      timeouts,
    });
    try {
      // The embedded server itself has jit off.
      const { rows } = await db.raw<{ rows: unknown[] }>(
        `SELECT name, setting FROM pg_settings WHERE source = 'session' AND name IN ('jit', 'random_page_cost') ORDER BY name`,
      );
      expect(rows).toEqual(settings);
    } finally {
      await closeDatabase(db);
    }
  },
);
