import { addStock, createPastOrders, readShop } from '../../bench/sales-data';
import { testDb } from '../support/database';
import { expectNoViolations } from '../support/invariants';
import { aSellableVariant } from '../support/orders.factory';

test('the past orders of the bench break no rule of the store and are no events', async () => {
  for (let count = 0; count < 3; count += 1) await aSellableVariant();
  await addStock(testDb(), 1_000);
  await createPastOrders(testDb(), { orders: 2, shop: await readShop(testDb()) });
  expect(await testDb()('orders').whereNotNull('completed_at')).toHaveLength(2);
  expect(await testDb()('event_notes').where({ kind: 'order' })).toEqual([]);
  await expectNoViolations();
});
