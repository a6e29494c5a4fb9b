import type { Response } from 'supertest';
import { testDb } from '../support/database';
import { expectNoViolations } from '../support/invariants';
import { aSellableVariant, orderInState } from '../support/orders.factory';
import {
  aPaidOrder,
  aShippedOrder,
  getCountOnHand,
  getDefaultLocationId,
  listHistory,
  readOrder,
  withStoreSetting,
} from '../support/shipments.factory';
import { aStockLocation } from '../support/stock.factory';
import { asAdmin } from '../support/accounts.factory';

const atOnce = <T>(count: number, send: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => send(index)));

/** Counts the replies by status. */
function countByStatus(replies: readonly Response[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const countOccurrences = (rows: readonly string[], row: string): number =>
  rows.filter((candidate) => candidate === row).length;

async function aReturnOf(order: any, variantId: number, quantity: number): Promise<string> {
  const admin = await asAdmin();
  const reason = await testDb()('return_authorization_reasons').first('id');
  const path = `/orders/${order.number}/return_authorizations`;
  const made = await admin.post(path, {
    return_authorization: {
      stock_location_id: await getDefaultLocationId(),
      return_authorization_reason_id: reason.id,
    },
  });
  await admin.put(`${path}/${made.body.id}/add`, { variant_id: variantId, quantity });
  return `${path}/${made.body.id}`;
}

/** Creates two complete orders of two variants; each has all units of one and is backordered for the other. */
async function createCrossedOrders() {
  const [one, two] = [
    await aSellableVariant({ stock: 6, backorderable: true }),
    await aSellableVariant({ stock: 6, backorderable: true }),
  ];
  const first = await aPaidOrder({ lines: [{ variant_id: one.id, quantity: 6 }] });
  const second = await aPaidOrder({ lines: [{ variant_id: two.id, quantity: 6 }] });
  const admin = await asAdmin();
  const stock_location_id = await getDefaultLocationId();
  for (const [order, variant] of [
    [first, two],
    [second, one],
  ] as const) {
    const body = { order_id: order.number, stock_location_id, variant_id: variant.id, quantity: 6 };
    expect((await admin.post('/shipments', body)).status).toBe(200);
  }
  return { first, second, one, two };
}

/** Sends concurrent requests and returns the replies and the number of deadlocks that PostgreSQL detected. */
async function sendAndCountDeadlocks(requests: () => Promise<Response[]>) {
  let deadlocks = 0;
  const note = (error: Error & { code?: string }): void => {
    if (error.code === '40P01') deadlocks += 1;
  };
  testDb().on('query-error', note);
  try {
    const replies = await requests();
    return { replies, deadlocks };
  } finally {
    testDb().off('query-error', note);
  }
}

describe('shipping', () => {
  test('twenty concurrent requests ship once', async () => {
    const order = await aPaidOrder();
    const admin = await asAdmin();
    const [{ number }] = order.shipments;
    const replies = await atOnce(20, (index) =>
      admin.put(`/shipments/${number}/ship`, { shipment: { tracking: `T${index}` } }),
    );
    expect(countByStatus(replies)).toEqual({ 200: 20 });
    expect(countOccurrences(await listHistory(order.id), 'shipment: ready > shipped')).toBe(1);
    expect(new Set(replies.map(({ body }) => body.shipped_at)).size).toBe(1);
    const units = await testDb()('inventory_units').where({ order_id: order.id }).pluck('lock_version');
    expect(units).toEqual([1, 1]);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('with capture on dispatch captures once', async () => {
    const order = await orderInState('complete');
    const admin = await asAdmin();
    const [{ number }] = order.shipments;
    await withStoreSetting({ auto_capture_on_dispatch: true }, async () => {
      const replies = await atOnce(20, () => admin.put(`/shipments/${number}/ship`));
      expect(countByStatus(replies)).toEqual({ 200: 20 });
    });
    const operations = await testDb()('payment_operations')
      .join('payments', 'payments.id', 'payment_operations.payment_id')
      .where({ 'payments.order_id': order.id, kind: 'capture' });
    expect(operations).toHaveLength(1);
    expect(await readOrder(order.number)).toMatchObject({
      payment_total: order.total,
      payment_state: 'paid',
      shipment_state: 'shipped',
    });
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('and removing units concurrently never does both for a unit', async () => {
    const variant = await aSellableVariant({ stock: 10 });
    const order = await aPaidOrder({ lines: [{ variant_id: variant.id, quantity: 4 }] });
    const admin = await asAdmin();
    const path = `/shipments/${order.shipments[0].number}`;
    const [removals, shipments] = await Promise.all([
      atOnce(10, () => admin.put(`${path}/remove`, { variant_id: variant.id, quantity: 1 })),
      atOnce(10, () => admin.put(`${path}/ship`)),
    ]);
    const after = await readOrder(order.number);
    const removed = removals.filter(({ status }) => status === 200).length;
    // Removed units lower the total, so the order stays paid and the rest ships. Without units the shipment is deleted.
    expect(after.total_quantity).toBe(4 - removed);
    expect(await getCountOnHand(variant.id)).toBe(6 + removed);
    expect(after.shipments).toHaveLength(removed === 4 ? 0 : 1);
    for (const { status } of [...removals, ...shipments]) expect([200, 404, 422]).toContain(status);
    await expectNoViolations({ order_ids: [order.id] });
  });
});

describe('contents', () => {
  test('of twenty requests that remove one of six units, six succeed', async () => {
    const variant = await aSellableVariant({ stock: 6 });
    const order = await aPaidOrder({ lines: [{ variant_id: variant.id, quantity: 6 }] });
    const admin = await asAdmin();
    const path = `/shipments/${order.shipments[0].number}/remove`;
    const replies = await atOnce(20, () => admin.put(path, { variant_id: variant.id, quantity: 1 }));
    expect(countByStatus(replies)).toEqual({ 200: 6, 404: 14 });
    expect(await getCountOnHand(variant.id)).toBe(6);
    expect(await readOrder(order.number)).toMatchObject({ total: '0.0', shipments: [], line_items: [] });
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('the last five units added to ten orders concurrently are added five times', async () => {
    const variant = await aSellableVariant({ stock: 5 });
    const other = await aSellableVariant({ stock: 20 });
    const orders = await atOnce(10, () => orderInState('complete', { lines: [{ variant_id: other.id }] }));
    const admin = await asAdmin();
    const replies = await atOnce(20, (index) =>
      admin.put(`/shipments/${orders[index % 10].shipments[0].number}/add`, { variant_id: variant.id }),
    );
    expect(countByStatus(replies)).toEqual({ 200: 5, 422: 15 });
    expect(await getCountOnHand(variant.id)).toBe(0);
    await expectNoViolations({ order_ids: orders.map((order) => order.id) });
  });

  test('concurrent additions to and removals from one shipment add up', async () => {
    const variant = await aSellableVariant({ stock: 100 });
    const order = await aPaidOrder({ lines: [{ variant_id: variant.id, quantity: 20 }] });
    const admin = await asAdmin();
    const path = `/shipments/${order.shipments[0].number}`;
    const replies = await atOnce(24, (index) =>
      admin.put(`${path}/${index % 3 === 0 ? 'add' : 'remove'}`, { variant_id: variant.id, quantity: 1 }),
    );
    expect(countByStatus(replies)).toEqual({ 200: 24 });
    expect((await readOrder(order.number)).total_quantity).toBe(12);
    expect(await getCountOnHand(variant.id)).toBe(88);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('orders whose removed units fill each other’s backorders do not deadlock', async () => {
    const { first, second, one, two } = await createCrossedOrders();
    const admin = await asAdmin();
    const { replies, deadlocks } = await sendAndCountDeadlocks(() =>
      atOnce(12, (index) => {
        const [order, variant] = index % 2 === 0 ? [first, one] : [second, two];
        const path = `/shipments/${order.shipments[0].number}/remove`;
        return admin.put(path, { variant_id: variant.id, quantity: 1 });
      }),
    );
    expect(countByStatus(replies)).toEqual({ 200: 12 });
    expect(deadlocks).toBe(0);
    for (const order of [first, second]) {
      const { shipments } = await readOrder(order.number);
      expect(shipments).toMatchObject([{ manifest: [{ quantity: 6, states: { on_hand: 6 } }] }]);
    }
    expect([await getCountOnHand(one.id), await getCountOnHand(two.id)]).toEqual([0, 0]);
    await expectNoViolations({ order_ids: [first.id, second.id] });
  });

  test('orders whose deleted line items fill each other’s backorders do not deadlock', async () => {
    const pairs = [await createCrossedOrders(), await createCrossedOrders(), await createCrossedOrders()];
    const admin = await asAdmin();
    const { replies, deadlocks } = await sendAndCountDeadlocks(() =>
      atOnce(6, (index) => {
        const order = pairs.flatMap(({ first, second }) => [first, second])[index];
        return admin.delete(`/orders/${order.number}/line_items/${order.line_items[0].id}`);
      }),
    );
    expect(countByStatus(replies)).toEqual({ 204: 6 });
    expect(deadlocks).toBe(0);
    const orders = pairs.flatMap(({ first, second }) => [first, second]);
    for (const { number } of orders) {
      const { shipments } = await readOrder(number);
      expect(shipments).toMatchObject([{ manifest: [{ quantity: 6, states: { on_hand: 6 } }] }]);
    }
    await expectNoViolations({ order_ids: orders.map(({ id }) => id) });
  });

  test('concurrent transfers of one shipment move each unit once', async () => {
    const variant = await aSellableVariant({ stock: 8 });
    const order = await aPaidOrder({ lines: [{ variant_id: variant.id, quantity: 8 }] });
    const depot = await aStockLocation();
    const admin = await asAdmin();
    await admin.post(`/stock_locations/${depot.id}/stock_items`, {
      stock_item: { variant_id: variant.id, count_on_hand: 5 },
    });
    const replies = await atOnce(20, () =>
      admin.post('/shipments/transfer_to_location', {
        original_shipment_number: order.shipments[0].number,
        variant_id: variant.id,
        quantity: 1,
        stock_location_id: depot.id,
      }),
    );
    expect(countByStatus(replies)).toEqual({ 201: 5, 422: 15 });
    expect([await getCountOnHand(variant.id), await getCountOnHand(variant.id, depot.id)]).toEqual([5, 0]);
    expect((await readOrder(order.number)).shipments).toHaveLength(6);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('a number set by concurrent requests belongs to one shipment', async () => {
    const orders = await atOnce(6, () => orderInState('complete'));
    const admin = await asAdmin();
    const replies = await atOnce(12, (index) =>
      admin.put(`/shipments/${orders[index % 6].shipments[0].number}`, { shipment: { number: 'H-THE-ONE' } }),
    );
    // Each shipment gets two requests; setting the same number again succeeds.
    expect(countByStatus(replies)).toEqual({ 200: 2, 422: 10 });
    expect(await testDb()('shipments').where({ number: 'H-THE-ONE' })).toHaveLength(1);
  });
});

describe('returns', () => {
  test('received by twenty concurrent requests are restocked and credited once', async () => {
    const variant = await aSellableVariant({ stock: 10 });
    const order = await aShippedOrder({ lines: [{ variant_id: variant.id, quantity: 2 }] });
    const path = await aReturnOf(order, variant.id, 2);
    const admin = await asAdmin();
    const replies = await atOnce(20, () => admin.put(`${path}/receive`));
    expect(countByStatus(replies)).toEqual({ 200: 1, 422: 19 });
    expect(await getCountOnHand(variant.id)).toBe(10);
    const after = await readOrder(order.number);
    expect(after).toMatchObject({ state: 'returned', adjustment_total: '-31.98' });
    expect(after.adjustments).toHaveLength(1);
    expect(countOccurrences(await listHistory(order.id), 'return_authorization: authorized > received')).toBe(
      1,
    );
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('received, canceled, deleted and changed concurrently stay consistent', async () => {
    const variant = await aSellableVariant({ stock: 10 });
    const order = await aShippedOrder({ lines: [{ variant_id: variant.id, quantity: 3 }] });
    const path = await aReturnOf(order, variant.id, 1);
    const admin = await asAdmin();
    const replies = await atOnce(20, (index) => {
      if (index % 4 === 0) return admin.put(`${path}/receive`);
      if (index % 4 === 1) return admin.put(`${path}/cancel`);
      if (index % 4 === 2) return admin.put(`${path}/add`, { variant_id: variant.id, quantity: 2 });
      return admin.delete(path);
    });
    for (const { status } of replies) expect([200, 204, 404, 422]).toContain(status);
    const received = replies.filter((reply, index) => index % 4 === 0 && reply.status === 200).length;
    const after = await readOrder(order.number);
    expect(received).toBeLessThanOrEqual(1);
    expect(after.adjustments).toHaveLength(received);
    // No open return is left, and a unit has stayed with the buyer.
    expect(after.state).toBe('complete');
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('two returns cannot hold the same unit', async () => {
    const variant = await aSellableVariant({ stock: 10 });
    const order = await aShippedOrder({ lines: [{ variant_id: variant.id, quantity: 5 }] });
    const paths = await atOnce(4, () => aReturnOf(order, variant.id, 0));
    const admin = await asAdmin();
    const replies = await atOnce(20, (index) =>
      admin.put(`${paths[index % 4]}/add`, { variant_id: variant.id, quantity: 2 }),
    );
    // Two of the four returns hold two units each; one unit is left.
    expect(countByStatus(replies)).toEqual({ 200: 10, 422: 10 });
    await expectNoViolations({ order_ids: [order.id] });
  });
});
