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

/** Returns the kinds of the gateway operations of an order, oldest first. */
async function listOperationKinds(order: { id: number }): Promise<string[]> {
  return testDb()('payment_operations')
    .join('payments', 'payments.id', 'payment_operations.payment_id')
    .where({ order_id: order.id })
    .orderBy('payment_operations.id')
    .pluck('payment_operations.kind');
}

/** Creates orders in `confirm` with these line items. */
async function createOrders(
  count: number,
  lines: (index: number) => { variant_id: number; quantity?: number }[],
) {
  const orders: any[] = [];
  for (let made = 0; made < count; made++) orders.push(await orderInState('confirm', { lines: lines(made) }));
  return orders;
}

describe('the last units, bought by concurrent requests', () => {
  test('leave a connection for other requests while they are locked', async () => {
    const tote = await aSellableVariant();
    const order = await orderInState('confirm', { lines: [{ variant_id: tote.id }] });
    const waiting = await testDb().transaction(async (holder) => {
      await holder('stock_items').where({ variant_id: tote.id }).forUpdate();
      const statuses: number[] = [];
      const replies = times(30, async () => statuses.push((await updateCheckout(order)).status));
      await waitUntilBlockedBy(holder);
      expect((await api().get('/countries?per_page=1')).status).toBe(200);
      expect(statuses).toEqual([]);
      return { replies, statuses };
    });
    await Promise.all(waiting.replies);
    expect(waiting.statuses).toEqual(times(30, () => 200));
  });

  test('are sold exactly once; the other orders are refused and not charged', async () => {
    const tote = await aSellableVariant({ stock: 24 });
    const orders = await createOrders(24, () => [{ variant_id: tote.id }]);
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
        expect(await listOperationKinds(orders[index])).toEqual(['authorize']);
        continue;
      }
      expect(reply.body.errors).toMatchObject(INSUFFICIENT);
      expect(await listOperationKinds(orders[index])).toEqual([]);
      expect(await showOrder(orders[index])).toMatchObject({
        state: 'address',
        completed_at: null,
        payments: [{ state: 'checkout' }],
      });
    }
    await expectNoViolations(idsOf(orders));
  });

  test('of two variants, bought in opposite order, cause no deadlock', async () => {
    const [tote, mug] = [await aSellableVariant({ stock: 20 }), await aSellableVariant({ stock: 20 })];
    const orders = await createOrders(20, (index) => {
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

test('a completion that waits for the lock of its order locks no stock meanwhile, and then reads the current stock', async () => {
  const tote = await aSellableVariant({ stock: 5 });
  const order = await orderInState('confirm', { lines: [{ variant_id: tote.id, quantity: 2 }] });
  const completion = await testDb().transaction(async (holder) => {
    await holder('orders').where({ id: order.id }).forUpdate();
    const waiting = updateCheckout(order).then((reply) => reply);
    await waitUntilBlockedBy(holder);
    const items = await holder('stock_items').where({ variant_id: tote.id }).forUpdate().noWait();
    expect(items.length).toBeGreaterThan(0);
    await holder('stock_items').where({ variant_id: tote.id }).update({ count_on_hand: 1 });
    await holder('stock_movements').insert({ stock_item_id: items[0].id, quantity: -4 });
    return { reply: waiting };
  });
  const reply = await completion.reply;
  expect([reply.status, reply.body.errors]).toMatchObject([422, INSUFFICIENT]);
  expect(await getTotalOnHand(tote.id)).toBe(1);
  await expectNoViolations(idsOf([order]));
});

describe('one order, completed by concurrent requests', () => {
  test.each(['Credit Card', 'Check'] as const)(
    'completes once, and all requests return the complete order (%s)',
    async (method) => {
      const tote = await aSellableVariant({ stock: 10 });
      const order = await orderInState('confirm', { lines: [{ variant_id: tote.id, quantity: 2 }], method });
      const replies = await Promise.all(times(12, () => updateCheckout(order)));
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
      expect(new Set(replies.map(({ body }) => `${body.state} ${body.completed_at}`)).size).toBe(1);
      expect(await getTotalOnHand(tote.id)).toBe(8);
      expect(await listOperationKinds(order)).toEqual(method === 'Check' ? [] : ['authorize']);
      await expectNoViolations(idsOf([order]));
    },
  );

  test('by next: one returns 200, the others are refused because it is complete', async () => {
    const order = await orderInState('confirm');
    const next = () => api(order.caller).put(`/checkouts/${order.number}/next`);
    const replies = await Promise.all(times(6, next));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422, 422]);
    expect(await listOperationKinds(order)).toEqual(['authorize']);
  });

  test('with a declined card is declined once and restocked once', async () => {
    const tote = await aSellableVariant({ stock: 3 });
    const card = { number: '4000000000000002', month: '1', year: '2035', verification_value: '1', name: 'A' };
    const order = await orderInState('confirm', { lines: [{ variant_id: tote.id }], card });
    const replies = await Promise.all(times(6, () => updateCheckout(order)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([422]));
    expect(await listOperationKinds(order)).toEqual(['authorize']);
    expect(await getTotalOnHand(tote.id)).toBe(3);
    expect(await showOrder(order)).toMatchObject({ state: 'confirm', payments: [{ state: 'failed' }] });
    await expectNoViolations(idsOf([order]));
  });

  test('and canceled concurrently ends consistent', async () => {
    const tote = await aSellableVariant({ stock: 10 });
    const order = await orderInState('confirm', { lines: [{ variant_id: tote.id, quantity: 3 }] });
    const cancel = () => api(order.caller).put(`/orders/${order.number}/cancel`);
    await Promise.all([updateCheckout(order), cancel(), cancel(), updateCheckout(order), cancel()]);
    await cancel();
    expect((await showOrder(order)).state).toBe('canceled');
    expect(await getTotalOnHand(tote.id)).toBe(10);
    await expectNoViolations(idsOf([order]));
  });

  test('emptied by concurrent requests is restocked once', async () => {
    const tote = await aSellableVariant({ stock: 10 });
    const order = await orderInState('complete', { lines: [{ variant_id: tote.id, quantity: 4 }] });
    const replies = await Promise.all(times(8, () => api(order.caller).put(`/orders/${order.number}/empty`)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([204]));
    expect(await getTotalOnHand(tote.id)).toBe(10);
    await expectNoViolations(idsOf([order]));
  });
});

describe('an order that is changed while it is completed', () => {
  test('the change runs first: the completion sees it and does not complete the order', async () => {
    const mug = await aSellableVariant();
    const order = await orderInState('confirm');
    // The change waits for the lock, the completion waits for the change.
    const [added, completed] = await behindTheOrder(order, [
      () => addLine(order, mug.id),
      () => updateCheckout(order),
    ]);
    expect(added.status).toBe(201);
    // The change restarted the checkout at `address`; the update then advanced it by one step.
    expect([completed.status, completed.body]).toMatchObject([
      200,
      { state: 'delivery', completed_at: null },
    ]);
    expect(completed.body.line_items).toHaveLength(2);
    expect(await listOperationKinds(order)).toEqual([]);
    await expectNoViolations(idsOf([order]));
  });

  test('the completion runs first: the units join a complete order and are unstocked', async () => {
    const mug = await aSellableVariant({ stock: 5 });
    const order = await orderInState('confirm');
    const [completed, added] = await behindTheOrder(order, [
      () => updateCheckout(order),
      // Only admins change complete orders.
      async () => addLine({ ...order, caller: await anAdmin() }, mug.id),
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

  test('many changes and completions leave consistent quantities', async () => {
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
    // A completion that comes first leaves the order without some of the additions.
    const bought = (id: number): number =>
      shown.line_items.find((line: any) => line.variant_id === id)?.quantity ?? 0;
    expect(shown.state).toBe('complete');
    expect([await getTotalOnHand(tote.id), await getTotalOnHand(mug.id)]).toEqual([
      40 - bought(tote.id),
      40 - bought(mug.id),
    ]);
    // Only admins add to a complete order.
    const added = replies.filter(({ status }) => status === 201).length;
    expect(bought(tote.id) + bought(mug.id)).toBe(1 + added);
    await expectNoViolations(idsOf([order]));
  });

  /** Sends the requests one after the other while the order is locked, then unlocks it. */
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
    const deadline = Date.now() + 60_000;
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

describe('concurrent changes of a cart', () => {
  test('of the same line item add up', async () => {
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

  test('of two line items are both applied', async () => {
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

  test('by the same checkout update create one set of shipments and one payment', async () => {
    const ann = await aCustomer();
    const order = await orderInState('payment', { caller: ann });
    const body = await buildPaymentBody();
    const replies = await Promise.all(times(8, () => updateCheckout(order, body)));
    expect(replies.filter(({ status }) => status >= 500)).toEqual([]);
    const shown = await showOrder(order);
    expect(shown.state).toBe('complete');
    expect(shown.shipments).toHaveLength(1);
    expect(shown.payments.filter(({ state }: any) => state === 'pending')).toHaveLength(1);
    expect(await listOperationKinds(order)).toEqual(['authorize']);
    await expectNoViolations(idsOf([order]));
  });
});
