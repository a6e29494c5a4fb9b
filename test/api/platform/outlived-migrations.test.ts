import { pino } from 'pino';
import { closeDatabase, connectDatabase } from '../../../src/platform/database/knex';
import { queryPrepared } from '../../../src/platform/database/prepared';
import { withTransaction } from '../../../src/platform/database/transaction';
import { api, makeTestApp } from '../../support/api';
import { ensureTestDatabase, testDb } from '../../support/database';
import { orderInState } from '../../support/orders.factory';
import { aProduct } from '../../support/products.factory';
import { unique } from '../../support/unique';

/** Changes the type of columns that nearly every request reads, without a change of their values. */
const changeTypes = (type: string): Promise<unknown> =>
  testDb().raw(`
    ALTER TABLE products ALTER meta_title TYPE ${type}, ALTER meta_keywords TYPE ${type};
    ALTER TABLE variants ALTER cost_currency TYPE ${type};
    ALTER TABLE orders ALTER special_instructions TYPE ${type}, ALTER channel TYPE ${type}`);

const aPool = async (poolSize: number) =>
  connectDatabase({ url: await ensureTestDatabase(), poolSize, log: pino({ level: 'silent' }) });

test('statements that connections have prepared go on working when a migration changes their columns', async () => {
  const db = await aPool(4);
  const table = unique('outlived').toLowerCase().replaceAll(/\W/g, '_');
  await testDb().raw(`CREATE TABLE ${table} (n integer); INSERT INTO ${table} VALUES (1)`);
  const statement = { name: `read_${table}`, sql: `SELECT n, pg_sleep(0) FROM ${table} WHERE n = ?` };
  const readAll = () =>
    Promise.all(Array.from({ length: 8 }, async () => (await queryPrepared(db, statement, [1])).length));
  try {
    for (const type of ['integer', 'bigint', 'numeric', 'integer']) {
      await testDb().raw(`ALTER TABLE ${table} ALTER n TYPE ${type}`);
      expect(await readAll()).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
      const [row] = await withTransaction({ db }, (tx) => queryPrepared<{ n: number }>(tx, statement, [1]));
      expect(Number(row?.n)).toBe(1);
    }
  } finally {
    await closeDatabase(db);
  }
});

test('no request fails because of a migration while the program runs', async () => {
  const db = await aPool(4);
  const app = makeTestApp({ db });
  const product = await aProduct();
  const order = await orderInState('cart');
  const shopper = api(order.caller, app);
  const use = async (): Promise<number[]> => {
    const line = `/orders/${order.number}/line_items/${order.line_items[0].id}`;
    const replies = await Promise.all([
      ...Array.from({ length: 4 }, () => shopper.get(`/orders/${order.number}`)),
      ...[api({}, app).get(`/products/${product.id}`), api({}, app).get('/products?per_page=3')],
      shopper.put(line, { line_item: { quantity: 1 + Math.floor(Math.random() * 5) } }),
    ]);
    return replies.map(({ status }) => status);
  };
  const fine = [200, 200, 200, 200, 200, 200, 200];
  try {
    for (let time = 0; time < 4; time += 1) expect(await use()).toEqual(fine);
    await changeTypes('varchar(9000)');
    expect(await use()).toEqual(fine);
    await changeTypes('text');
    expect(await use()).toEqual(fine);
  } finally {
    await closeDatabase(db);
  }
});
