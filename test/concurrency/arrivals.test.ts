import { asAdmin } from '../support/accounts.factory';
import { api } from '../support/api';
import { testDb } from '../support/database';
import { aSellableVariant, orderInState } from '../support/orders.factory';
import { countQueries } from '../support/queries';
import { aStockItem, aWaitingOrder, getFillState, getStockCounts } from '../support/stock.factory';
import type { TestStockItem, WaitingOrder } from '../support/stock.factory';

async function createWaitingOrders(item: TestStockItem, count: number): Promise<WaitingOrder[]> {
  const orders: WaitingOrder[] = [];
  for (let made = 0; made < count; made++) {
    orders.push(await aWaitingOrder(item, { completed_at: new Date(Date.UTC(2026, 0, 1, 0, 0, made)) }));
  }
  return orders;
}

async function receive(item: TestStockItem, quantity: number): Promise<void> {
  const admin = await asAdmin();
  const reply = await admin.put(`/stock_items/${item.id}`, { stock_item: { count_on_hand: quantity } });
  expect(reply.status).toBe(200);
}

async function expectReady(orders: readonly WaitingOrder[]): Promise<void> {
  for (const order of orders) {
    expect(await getFillState(order)).toEqual({
      units: ['on_hand'],
      shipment: 'ready',
      shipment_state: 'ready',
    });
  }
}

const countReadied = (orders: readonly WaitingOrder[]) =>
  testDb()('state_changes')
    .whereIn(
      'order_id',
      orders.map(({ id }) => id),
    )
    .where({ subject_type: 'shipment', from_state: 'pending', to_state: 'ready' })
    .count<{ count: string }[]>();

describe('units that arrive for many waiting orders', () => {
  test('take the same number of statements for 120 orders as for 2', async () => {
    const [few, many] = [
      await aStockItem({ backorderable: true }),
      await aStockItem({ backorderable: true }),
    ];
    const [two, all] = [await createWaitingOrders(few, 2), await createWaitingOrders(many, 121)];
    const [last] = all.splice(-1);

    const statements = await countQueries(() => receive(few, 2));
    expect(await countQueries(() => receive(many, 120))).toBe(statements);

    expect(statements).toBeLessThan(35);
    await expectReady([...two, ...all]);
    expect(await countReadied(all)).toEqual([{ count: '120' }]);
    if (last === undefined) throw new Error('121 orders');
    expect((await getFillState(last)).units).toEqual(['backordered']);
    expect(await getStockCounts(many)).toEqual({ count_on_hand: -1, ledger: -1 });
  });

  test('keep no shopper waiting: orders of the same variant complete meanwhile', async () => {
    const { id } = await aSellableVariant({ stock: 0, backorderable: true });
    const row = await testDb()('stock_items').where({ variant_id: id }).first();
    const waiting = await createWaitingOrders(row, 120);
    const carts = await Promise.all(
      Array.from({ length: 4 }, () => orderInState('confirm', { lines: [{ variant_id: id, quantity: 1 }] })),
    );
    const [, ...replies] = await Promise.all([
      receive(row, 120),
      ...carts.map((cart) => api(cart.caller).put(`/checkouts/${cart.number}`)),
    ]);
    expect(replies.map(({ status, body }) => [status, body.state])).toEqual(
      carts.map(() => [200, 'complete']),
    );
    await expectReady(waiting);
    expect(await getStockCounts(row)).toEqual({ count_on_hand: -4, ledger: -4 });
  });
});
