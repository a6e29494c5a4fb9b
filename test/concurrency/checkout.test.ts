import type { Response } from 'supertest';
import { aCustomer, anAdmin } from '../support/accounts.factory';
import { api } from '../support/api';
import { testDb } from '../support/database';
import { expectNoViolations } from '../support/invariants';
import { waitUntilBlockedBy } from '../support/locks';
import {
  aSellableVariant,
  getTotalOnHand,
  orderInState,
  buildPaymentBody,
  showOrder,
  updateCheckout,
} from '../support/orders.factory';

const INSUFFICIENT = { base: ['Some line items in this order have insufficient quantity.'] };

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const addLine = (order: any, variantId: number): Promise<Response> =>
  api(order.caller).post(`/orders/${order.number}/line_items`, { variant_id: variantId });
const idsOf = (orders: readonly { id: number }[]): { order_ids: number[] } => ({
  order_ids: orders.map(({ id }) => id),
});

/** How often a gateway was asked about the payments of an order, by what it was asked. */
async function questions(order: { id: number }): Promise<string[]> {
  return testDb()('payment_operations')
    .join('payments', 'payments.id', 'payment_operations.payment_id')
    .where({ order_id: order.id })
    .orderBy('payment_operations.id')
    .pluck('payment_operations.kind');
}

/** Orders in confirm for these goods, one after another. */
async function ordersFor(
  count: number,
  lines: (index: number) => { variant_id: number; quantity?: number }[],
) {
  const orders: any[] = [];
  for (let made = 0; made < count; made++) orders.push(await orderInState('confirm', { lines: lines(made) }));
  return orders;
}

describe('the last units, bought by many at once', () => {
  test('leave others a connection while the crowd waits for them', async () => {
    const tote = await aSellableVariant();
    const order = await orderInState('confirm', { lines: [{ variant_id: tote.id }] });
    const crowd = await testDb().transaction(async (holder) => {
      await holder('stock_items').where({ variant_id: tote.id }).forUpdate();
      const answered: number[] = [];
      const replies = times(30, async () => answered.push((await updateCheckout(order)).status));
      await waitUntilBlockedBy(holder);
      expect((await api().get('/countries?per_page=1')).status).toBe(200);
      expect(answered).toEqual([]);
      return { replies, answered };
    });
    await Promise.all(crowd.replies);
    expect(crowd.answered).toEqual(times(30, () => 200));
  });

  test('go to exactly as many as there are; the others are told so and not charged', async () => {
    const tote = await aSellableVariant({ stock: 24 });
    const orders = await ordersFor(24, () => [{ variant_id: tote.id }]);
    const { count_on_hand } = await shrinkTo(tote.id, 9);
    expect(count_on_hand).toBe(9);

    const replies = await Promise.all(orders.map((order) => updateCheckout(order)));

    expect(replies.map(({ status }) => status).sort()).toEqual([
      ...times(9, () => 200),
      ...times(15, () => 422),
    ]);
    expect(await getTotalOnHand(tote.id)).toBe(0);
    for (const [index, reply] of replies.entries()) {
      if (reply.status === 200) {
        expect(await questions(orders[index])).toEqual(['authorize']);
        continue;
      }
      expect(reply.body.errors).toEqual(INSUFFICIENT);
      expect(await questions(orders[index])).toEqual([]);
      expect(await showOrder(orders[index])).toMatchObject({
        state: 'address',
        completed_at: null,
        payments: [{ state: 'checkout' }],
      });
    }
    await expectNoViolations(idsOf(orders));
  });

  test('of two variants bought crosswise leave no deadlock behind', async () => {
    const [tote, mug] = [await aSellableVariant({ stock: 20 }), await aSellableVariant({ stock: 20 })];
    const orders = await ordersFor(20, (index) => {
      const lines = [{ variant_id: tote.id }, { variant_id: mug.id }];
      return index % 2 === 0 ? lines : lines.reverse();
    });
    await shrinkTo(tote.id, 12);
    await shrinkTo(mug.id, 7);
    const replies = await Promise.all(orders.map((order) => updateCheckout(order)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(7);
    expect(replies.filter(({ status }) => status === 422)).toHaveLength(13);
    expect([await getTotalOnHand(tote.id), await getTotalOnHand(mug.id)]).toEqual([5, 0]);
    await expectNoViolations(idsOf(orders));
  });

  async function shrinkTo(variantId: number, count: number): Promise<{ count_on_hand: number }> {
    const item = await testDb()('stock_items').where({ variant_id: variantId }).first('id');
    const reply = await api(await anAdmin()).put(`/stock_items/${item.id}`, {
      stock_item: { count_on_hand: count, force: true },
    });
    return reply.body;
  }
});

describe('one order, completed by several calls at once', () => {
  test.each(['Credit Card', 'Check'] as const)('is one sale, and all are told of it (%s)', async (method) => {
    const tote = await aSellableVariant({ stock: 10 });
    const order = await orderInState('confirm', { lines: [{ variant_id: tote.id, quantity: 2 }], method });
    const replies = await Promise.all(times(12, () => updateCheckout(order)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ body }) => `${body.state} ${body.completed_at}`)).size).toBe(1);
    expect(await getTotalOnHand(tote.id)).toBe(8);
    expect(await questions(order)).toEqual(method === 'Check' ? [] : ['authorize']);
    await expectNoViolations(idsOf([order]));
  });

  test('by next: one 200, the others are told that it is complete', async () => {
    const order = await orderInState('confirm');
    const next = () => api(order.caller).put(`/checkouts/${order.number}/next`);
    const replies = await Promise.all(times(6, next));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422, 422]);
    expect(await questions(order)).toEqual(['authorize']);
  });

  test('with a declined card is declined once, its goods back once', async () => {
    const tote = await aSellableVariant({ stock: 3 });
    const card = { number: '4000000000000002', month: '1', year: '2035', verification_value: '1', name: 'A' };
    const order = await orderInState('confirm', { lines: [{ variant_id: tote.id }], card });
    const replies = await Promise.all(times(6, () => updateCheckout(order)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([422]));
    expect(await questions(order)).toEqual(['authorize']);
    expect(await getTotalOnHand(tote.id)).toBe(3);
    expect(await showOrder(order)).toMatchObject({ state: 'confirm', payments: [{ state: 'failed' }] });
    await expectNoViolations(idsOf([order]));
  });

  test('and canceled at once ends whole: sold or taken back', async () => {
    const tote = await aSellableVariant({ stock: 10 });
    const order = await orderInState('confirm', { lines: [{ variant_id: tote.id, quantity: 3 }] });
    const cancel = () => api(order.caller).put(`/orders/${order.number}/cancel`);
    await Promise.all([updateCheckout(order), cancel(), cancel(), updateCheckout(order), cancel()]);
    await cancel();
    expect((await showOrder(order)).state).toBe('canceled');
    expect(await getTotalOnHand(tote.id)).toBe(10);
    await expectNoViolations(idsOf([order]));
  });

  test('emptied by many at once gives its goods back once', async () => {
    const tote = await aSellableVariant({ stock: 10 });
    const order = await orderInState('complete', { lines: [{ variant_id: tote.id, quantity: 4 }] });
    const replies = await Promise.all(times(8, () => api(order.caller).put(`/orders/${order.number}/empty`)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([204]));
    expect(await getTotalOnHand(tote.id)).toBe(10);
    await expectNoViolations(idsOf([order]));
  });
});

describe('a cart that is changed while it is completed', () => {
  test('the change comes first: the completion sees it, and is no completion any more', async () => {
    const mug = await aSellableVariant();
    const order = await orderInState('confirm');
    // The change waits behind the lock, the completion behind the change: in this order they go on.
    const [added, completed] = await behindTheOrder(order, [
      () => addLine(order, mug.id),
      () => updateCheckout(order),
    ]);
    expect(added.status).toBe(201);
    // The cart began again at `address`, from where the update took it one step on.
    expect([completed.status, completed.body]).toMatchObject([
      200,
      { state: 'delivery', completed_at: null },
    ]);
    expect(completed.body.line_items).toHaveLength(2);
    expect(await questions(order)).toEqual([]);
    await expectNoViolations(idsOf([order]));
  });

  test('the completion comes first: the goods join a complete order and leave the shelf', async () => {
    const mug = await aSellableVariant({ stock: 5 });
    const order = await orderInState('confirm');
    const [completed, added] = await behindTheOrder(order, [
      () => updateCheckout(order),
      () => addLine(order, mug.id),
    ]);
    expect([completed.status, completed.body.state]).toEqual([200, 'complete']);
    expect(completed.body.line_items).toHaveLength(1);
    expect(added.status).toBe(201);
    expect(await getTotalOnHand(mug.id)).toBe(4);
    expect(await showOrder(order)).toMatchObject({
      state: 'complete',
      line_items: [{}, { variant_id: mug.id }],
    });
    await expectNoViolations(idsOf([order]));
  });

  test('whatever comes of a crowd of both, it adds up', async () => {
    const [tote, mug] = [await aSellableVariant({ stock: 40 }), await aSellableVariant({ stock: 40 })];
    const order = await orderInState('confirm', { lines: [{ variant_id: tote.id }] });
    const replies = await Promise.all(
      times(20, (index) =>
        index % 4 === 3 ? updateCheckout(order) : addLine(order, index % 2 === 0 ? mug.id : tote.id),
      ),
    );
    expect(replies.filter(({ status }) => status >= 500)).toEqual([]);
    await api(order.caller).put(`/checkouts/${order.number}/advance`);
    const shown = await showOrder(order);
    const bought = (id: number): number =>
      shown.line_items.find((line: any) => line.variant_id === id).quantity;
    expect(shown.state).toBe('complete');
    expect([await getTotalOnHand(tote.id), await getTotalOnHand(mug.id)]).toEqual([
      40 - bought(tote.id),
      40 - bought(mug.id),
    ]);
    expect(bought(tote.id) + bought(mug.id)).toBe(1 + 15);
    await expectNoViolations(idsOf([order]));
  });

  /** Lets the requests queue up behind the order's lock, one after the other, and then lets them go. */
  async function behindTheOrder(
    order: { id: number },
    requests: [() => Promise<Response>, () => Promise<Response>],
  ): Promise<[Response, Response]> {
    const sent = await testDb().transaction(async (tx) => {
      await tx('orders').where({ id: order.id }).forUpdate().first('id');
      const first = requests[0]();
      await waitUntilBlockedBy(tx);
      const second = requests[1]();
      await untilWaiting(order, 2);
      return [first, second] as const;
    });
    return [await sent[0], await sent[1]];
  }

  async function untilWaiting(order: { id: number }, count: number): Promise<void> {
    const deadline = Date.now() + 10_000;
    while (Date.now() < deadline) {
      const { rows } = await testDb().raw<{ rows: unknown[] }>(
        `SELECT pid FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ILIKE '%orders%for update%'`,
      );
      if (rows.length >= count) return;
    }
    throw new Error(`fewer than ${count} requests wait for order ${order.id}`);
  }
});

describe('changes of a cart at once', () => {
  test('of the same line add up', async () => {
    const tote = await aSellableVariant({ stock: 100, price: '3' });
    const order = await orderInState('cart', { lines: [{ variant_id: tote.id, quantity: 1 }] });
    const replies = await Promise.all(times(20, () => addLine(order, tote.id)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await showOrder(order)).toMatchObject({
      total: '63.0',
      total_quantity: 21,
      line_items: [{ quantity: 21 }],
    });
    await expectNoViolations(idsOf([order]));
  });

  test('of two lines both count', async () => {
    const [tote, mug] = [await aSellableVariant({ price: '3' }), await aSellableVariant({ price: '5' })];
    const order = await orderInState('payment', { lines: [{ variant_id: tote.id }, { variant_id: mug.id }] });
    const put = (index: number, quantity: number) =>
      api(order.caller).put(`/orders/${order.number}/line_items/${order.line_items[index].id}`, {
        line_item: { quantity },
      });
    const replies = await Promise.all([
      put(0, 4),
      put(1, 2),
      updateCheckout(order, { order: { email: 'b@example.com' } }),
    ]);
    expect(replies.filter(({ status }) => status >= 500)).toEqual([]);
    const shown = await showOrder(order);
    expect(shown).toMatchObject({ item_total: '22.0', total_quantity: 6, email: 'b@example.com' });
    await expectNoViolations(idsOf([order]));
  });

  test('the same checkout update sent many times gives one set of shipments and one payment to ask for', async () => {
    const ann = await aCustomer();
    const order = await orderInState('payment', { caller: ann });
    const body = await buildPaymentBody();
    const replies = await Promise.all(times(8, () => updateCheckout(order, body)));
    expect(replies.filter(({ status }) => status >= 500)).toEqual([]);
    const shown = await showOrder(order);
    expect(shown.state).toBe('complete');
    expect(shown.shipments).toHaveLength(1);
    expect(shown.payments.filter(({ state }: any) => state === 'pending')).toHaveLength(1);
    expect(await questions(order)).toEqual(['authorize']);
    await expectNoViolations(idsOf([order]));
  });
});
