import type { Response } from 'supertest';
import { api, makeTestApp } from '../support/api';
import { testDb } from '../support/database';
import { buildBogusGateway } from '../support/gateways';
import { expectNoViolations } from '../support/invariants';
import { waitUntilBlockedBy } from '../support/locks';
import { aSellableVariant, getTotalOnHand, orderInState, showOrder } from '../support/orders.factory';
import { listHistory } from '../support/shipments.factory';

/*
 * A refused completion undoes its changes under the order's lock. The order cannot change between taking its stock and
 * the end of the completion; other requests for it wait until then.
 */

const DECLINED = {
  approved: false,
  response_code: null,
  avs_response: null,
  cvv_response: null,
  message: 'Declined',
};

function createSignal(): { resolved: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const resolved = new Promise<void>((fulfil) => {
    resolve = fulfil;
  });
  return { resolved, resolve };
}

/**
 * Returns an app whose gateway declines only after `decline` is called; `called` resolves when the gateway is called.
 */
function createWaitingGateway() {
  const [call, reply] = [createSignal(), createSignal()];
  const authorize = async () => {
    call.resolve();
    await reply.resolved;
    return DECLINED;
  };
  return {
    app: makeTestApp({ gateways: buildBogusGateway({ authorize }) }),
    called: call.resolved,
    decline: reply.resolve,
  };
}

/** Resolves when requests have checked `count` times whether the payment is still processing, so they are waiting. */
function waitForPolls(count: number): Promise<void> {
  const enough = createSignal();
  let polls = 0;
  const listener = (_rows: unknown, { sql }: { sql: string }): void => {
    if (sql.includes("p.state = 'processing'") && ++polls >= count) enough.resolve();
  };
  testDb().on('query-response', listener);
  return enough.resolved.finally(() => testDb().off('query-response', listener));
}

/** Returns the reply and a function that returns whether it has arrived. */
function trackReply(reply: Promise<Response>): { reply: Promise<Response>; hasArrived: () => boolean } {
  let isArrived = false;
  const tracked = reply.then((response) => {
    isArrived = true;
    return response;
  });
  return { reply: tracked, hasArrived: () => isArrived };
}

describe('a completion whose payment is declined', () => {
  test('restocks the units it took; concurrent changes of the order wait until then', async () => {
    const [tote, mug] = [await aSellableVariant({ stock: 5 }), await aSellableVariant({ stock: 5 })];
    const order = await orderInState('confirm', { lines: [{ variant_id: tote.id, quantity: 2 }] });
    const gateway = createWaitingGateway();

    const completed = api(order.caller, gateway.app).put(`/checkouts/${order.number}`);
    await gateway.called;
    expect(await getTotalOnHand(tote.id)).toBe(3);
    const { caller, number, line_items } = order;
    const polled = waitForPolls(6);
    const changes = [
      api(caller).post(`/orders/${number}/line_items`, { variant_id: mug.id, quantity: 3 }),
      api(caller).put(`/orders/${number}/line_items/${line_items[0].id}`, { line_item: { quantity: 1 } }),
    ].map(trackReply);
    await polled;
    expect(changes.map(({ hasArrived }) => hasArrived())).toEqual([false, false]);
    expect((await showOrder(order)).line_items).toMatchObject([{ quantity: 2 }]);
    gateway.decline();

    const refused = await completed;
    expect([refused.status, refused.body.errors]).toEqual([422, { base: ['Declined'] }]);
    expect((await Promise.all(changes.map(({ reply }) => reply))).map(({ status }) => status)).toEqual([
      201, 200,
    ]);
    expect([await getTotalOnHand(tote.id), await getTotalOnHand(mug.id)]).toEqual([5, 5]);
    expect(await showOrder(order)).toMatchObject({
      state: 'address',
      completed_at: null,
      shipments: [],
      payments: [{ state: 'failed' }],
      line_items: [{ quantity: 1 }, { quantity: 3 }],
    });
    const history = await listHistory(order.id);
    expect(history.indexOf('payment: processing > failed')).toBeLessThan(
      history.indexOf('order: confirm > address'),
    );
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('is undone under the order’s lock, which is taken before all others', async () => {
    const tote = await aSellableVariant({ stock: 5 });
    const order = await orderInState('confirm', { lines: [{ variant_id: tote.id, quantity: 2 }] });
    const gateway = createWaitingGateway();
    const completed = api(order.caller, gateway.app).put(`/checkouts/${order.number}`);
    await gateway.called;

    await testDb().transaction(async (holder) => {
      await holder('orders').where({ id: order.id }).forUpdate().first('id');
      gateway.decline();
      await waitUntilBlockedBy(holder);
      // A transaction that waits for the order must hold no other locks, or the two would deadlock.
      const payments = await holder('payments')
        .where({ order_id: order.id })
        .forUpdate()
        .noWait()
        .select('state');
      expect(payments).toEqual([{ state: 'processing' }]);
      const stockItems = await holder('stock_items').where({ variant_id: tote.id }).forUpdate().noWait();
      expect(stockItems).toMatchObject([{ count_on_hand: 3 }]);
    });

    expect((await completed).status).toBe(422);
    expect(await getTotalOnHand(tote.id)).toBe(5);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('locks the orders whose backorders its units fill before its own, by id', async () => {
    const tote = await aSellableVariant({ stock: 2, backorderable: true });
    const filled = await orderInState('confirm', { lines: [{ variant_id: tote.id, quantity: 1 }] });
    const order = await orderInState('confirm', { lines: [{ variant_id: tote.id, quantity: 2 }] });
    const gateway = createWaitingGateway();
    const completed = api(order.caller, gateway.app).put(`/checkouts/${order.number}`);
    await gateway.called;
    expect((await api(filled.caller).put(`/checkouts/${filled.number}`)).body.state).toBe('complete');

    await testDb().transaction(async (holder) => {
      await holder('orders').where({ id: filled.id }).forUpdate().first('id');
      gateway.decline();
      await waitUntilBlockedBy(holder);
      // While it waits for the order with the lower id, the own order must be free, or the two would deadlock.
      const own = await holder('orders').where({ id: order.id }).forUpdate().noWait().first('id');
      expect(own).toEqual({ id: order.id });
    });

    expect((await completed).status).toBe(422);
    expect((await showOrder(filled)).shipments[0].manifest).toMatchObject([{ states: { on_hand: 1 } }]);
    await expectNoViolations({ order_ids: [order.id, filled.id] });
  });
});

describe('a completion without enough stock', () => {
  test('restarts the checkout before the order can change', async () => {
    const [tote, mug] = [await aSellableVariant({ stock: 2 }), await aSellableVariant({ stock: 5 })];
    const order = await orderInState('confirm', { lines: [{ variant_id: tote.id, quantity: 2 }] });
    const requests = await testDb().transaction(async (buyer) => {
      // Another transaction takes the last units: the completion holds its order and waits for the stock item.
      await buyer('stock_items').where({ variant_id: tote.id }).forUpdate().select('id');
      const completed = api(order.caller).put(`/checkouts/${order.number}`);
      await waitUntilBlockedBy(buyer);
      const added = trackReply(
        api(order.caller).post(`/orders/${order.number}/line_items`, { variant_id: mug.id, quantity: 3 }),
      );
      await untilWaitingForOrders(1);
      expect(added.hasArrived()).toBe(false);
      await buyer('stock_items').where({ variant_id: tote.id }).update({ count_on_hand: 1 });
      await buyer('stock_movements').insert({
        stock_item_id: buyer('stock_items').where({ variant_id: tote.id }).select('id').first(),
        quantity: -1,
      });
      return { completed, added };
    });

    const refused = await requests.completed;
    expect([refused.status, refused.body.errors]).toMatchObject([
      422,
      { base: ['Some line items in this order have insufficient quantity.'] },
    ]);
    expect((await requests.added.reply).status).toBe(201);
    expect([await getTotalOnHand(tote.id), await getTotalOnHand(mug.id)]).toEqual([1, 5]);
    expect(await showOrder(order)).toMatchObject({
      state: 'address',
      shipments: [],
      ship_total: '0.0',
      payments: [{ state: 'checkout' }],
      line_items: [{ quantity: 2 }, { quantity: 3 }],
    });
    // Once by the completion; the added line item found an order without shipments and did not restart it.
    expect((await listHistory(order.id)).filter((step) => step === 'order: confirm > address')).toHaveLength(
      1,
    );
    await expectNoViolations({ order_ids: [order.id] });
  });

  async function untilWaitingForOrders(count: number): Promise<void> {
    const deadline = Date.now() + 60_000;
    while (Date.now() < deadline) {
      const { rows } = await testDb().raw<{ rows: unknown[] }>(
        `SELECT pid FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ILIKE '%orders%for update%'`,
      );
      if (rows.length >= count) return;
    }
    throw new Error('no transaction waits for an order');
  }
});
