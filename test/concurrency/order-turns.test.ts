import { createOrderTurns } from '../../src/sales/order/order-turns';
import { api, makeTestApp } from '../support/api';
import { testDb } from '../support/database';
import { waitUntilWaiting } from '../support/locks';
import { orderInState } from '../support/orders.factory';

test('requests for one order leave slots and connections to other orders', async () => {
  const [held, calm] = [await orderInState('cart'), await orderInState('address')];
  const holder = await testDb().transaction();
  await holder('orders').where({ id: held.id }).forUpdate();
  const store = makeTestApp({ orderTurns: createOrderTurns() });
  const client = api(held.caller, store);
  const waiting = Array.from({ length: 40 }, (_, n) =>
    n % 2 === 0
      ? client.put(`/checkouts/${held.number}/next`)
      : client.put(`/orders/${held.number}`, { order: { special_instructions: `ring ${n} times` } }),
  );
  try {
    await waitUntilWaiting(1);
    const step = await api(calm.caller, store).put(`/checkouts/${calm.number}`, { order: {} });
    expect(step.status).toBeLessThan(500);
  } finally {
    await holder.rollback();
  }
  for (const { status } of await Promise.all(waiting)) expect([200, 422]).toContain(status);
});
