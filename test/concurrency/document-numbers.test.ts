import { withTransaction } from '../../src/platform/database/transaction';
import { asAdmin } from '../support/accounts.factory';
import { api } from '../support/api';
import { testDb } from '../support/database';
import { expectNoViolations } from '../support/invariants';
import { aSellableVariant, orderInState } from '../support/orders.factory';

const readNumbers = async (kind: string): Promise<string[]> =>
  testDb()('documents').where({ kind }).orderBy('sequence').pluck('number');

const countUp = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${String(index + 1).padStart(6, '0')}`);

test('completions that race for the last units get numbers without gaps, those that fail get none', async () => {
  const before = (await readNumbers('invoice')).length;
  const variant = await aSellableVariant({ stock: 4 });
  const lines = [{ variant_id: variant.id, quantity: 1 }];
  const orders: any[] = [];
  for (let count = 0; count < 7; count++) orders.push(await orderInState('confirm', { lines }));
  const replies = await Promise.all(
    // Each twice, as a double click sends it.
    [...orders, ...orders].map((order) => api(order.caller).put(`/checkouts/${order.number}/advance`)),
  );
  expect(replies.filter(({ status }) => status >= 500)).toEqual([]);
  const ids = orders.map(({ id }) => id);
  const sold = await testDb()('orders').whereNotNull('completed_at').whereIn('id', ids).pluck('id');
  expect(sold).toHaveLength(4);
  expect(await readNumbers('invoice')).toEqual(countUp('INV', before + 4));
  await expectNoViolations({ order_ids: orders.map(({ id }) => id) });
});

test('a completion that is rolled back at its end leaves its number to the next', async () => {
  const before = (await readNumbers('invoice')).length;
  const order = await orderInState('confirm');
  const complete = (fails: boolean) =>
    withTransaction({ db: testDb() }, async (tx) => {
      await tx('orders').where({ id: order.id }).update({ state: 'complete', completed_at: new Date() });
      // The trigger runs here as it does at the commit.
      await tx.raw('SET CONSTRAINTS ALL IMMEDIATE');
      if (fails) throw new Error('too late');
    });
  await expect(complete(true)).rejects.toThrow('too late');
  expect(await readNumbers('invoice')).toHaveLength(before);
  await orderInState('complete');
  expect(await readNumbers('invoice')).toEqual(countUp('INV', before + 1));
});

test('refunds that race get numbers without gaps', async () => {
  const admin = await asAdmin();
  const paid: any[] = [];
  for (let count = 0; count < 3; count++) {
    const order = await orderInState('complete');
    await admin.put(`/orders/${order.number}/payments/${order.payments[0].id}/capture`);
    paid.push(order);
  }
  const replies = await Promise.all(
    [1, 2, 3].flatMap((amount) =>
      paid.map((order) =>
        admin.put(`/orders/${order.number}/payments/${order.payments[0].id}/credit?amount=${amount * 9}`),
      ),
    ),
  );
  expect(replies.filter(({ status }) => status >= 500)).toEqual([]);
  const refunds = await testDb()('refunds').count({ count: '*' }).first();
  expect(await readNumbers('credit_note')).toEqual(countUp('CN', Number(refunds?.['count'])));
  await expectNoViolations({ order_ids: paid.map(({ id }) => id) });
});
