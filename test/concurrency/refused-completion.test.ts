import type { Response } from 'supertest';
import { api, makeTestApp } from '../support/api';
import { testDb } from '../support/database';
import { buildBogusGateway } from '../support/gateways';
import { expectNoViolations } from '../support/invariants';
import { waitUntilBlockedBy } from '../support/locks';
import { aSellableVariant, getTotalOnHand, orderInState, showOrder } from '../support/orders.factory';
import { listHistory } from '../support/shipments.factory';

/*
 * A completion that is refused undoes what it has done: under the order's lock, and with the order standing still from
 * the moment its goods are taken. What others ask of it meanwhile waits and sees how it ended.
 */

const DECLINED = {
  approved: false,
  response_code: null,
  avs_response: null,
  cvv_response: null,
  message: 'Declined',
};

function aSignal(): { given: Promise<void>; give: () => void } {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

/** A gateway that has been asked, and declines once it is told to. */
function hesitantGateway() {
  const [asked, answer] = [aSignal(), aSignal()];
  const authorize = async () => {
    asked.give();
    await answer.given;
    return DECLINED;
  };
  return {
    app: makeTestApp({ gateways: buildBogusGateway({ authorize }) }),
    asked: asked.given,
    decline: answer.give,
  };
}

/** Resolves once requests have looked so often whether the gateway has answered: they wait for it. */
function untilLooked(often: number): Promise<void> {
  const enough = aSignal();
  let looks = 0;
  const listener = (_rows: unknown, { sql }: { sql: string }): void => {
    if (sql.includes("p.state = 'processing'") && ++looks >= often) enough.give();
  };
  testDb().on('query-response', listener);
  return enough.given.finally(() => testDb().off('query-response', listener));
}

/** Tells whether a reply has come, without waiting for it. */
function watched(reply: Promise<Response>): { reply: Promise<Response>; hasCome: () => boolean } {
  let come = false;
  const noted = reply.then((response) => {
    come = true;
    return response;
  });
  return { reply: noted, hasCome: () => come };
}

describe('a completion whose payment is declined', () => {
  test('gives back what it took, though the cart is to change meanwhile; the change comes after it', async () => {
    const [tote, mug] = [await aSellableVariant({ stock: 5 }), await aSellableVariant({ stock: 5 })];
    const order = await orderInState('confirm', { lines: [{ variant_id: tote.id, quantity: 2 }] });
    const gateway = hesitantGateway();

    const completed = api(order.caller, gateway.app).put(`/checkouts/${order.number}`);
    await gateway.asked;
    expect(await getTotalOnHand(tote.id)).toBe(3);
    const { caller, number, line_items } = order;
    const turnedAway = untilLooked(6);
    const changes = [
      api(caller).post(`/orders/${number}/line_items`, { variant_id: mug.id, quantity: 3 }),
      api(caller).put(`/orders/${number}/line_items/${line_items[0].id}`, { line_item: { quantity: 1 } }),
    ].map(watched);
    await turnedAway;
    expect(changes.map(({ hasCome }) => hasCome())).toEqual([false, false]);
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

  test('is undone under the order’s lock, which comes before all others', async () => {
    const tote = await aSellableVariant({ stock: 5 });
    const order = await orderInState('confirm', { lines: [{ variant_id: tote.id, quantity: 2 }] });
    const gateway = hesitantGateway();
    const completed = api(order.caller, gateway.app).put(`/checkouts/${order.number}`);
    await gateway.asked;

    await testDb().transaction(async (holder) => {
      await holder('orders').where({ id: order.id }).forUpdate().first('id');
      gateway.decline();
      await waitUntilBlockedBy(holder);
      // Whoever waits for the order holds nothing that its holder will want: it would be a deadlock.
      const payments = await holder('payments')
        .where({ order_id: order.id })
        .forUpdate()
        .noWait()
        .select('state');
      expect(payments).toEqual([{ state: 'processing' }]);
      const shelf = await holder('stock_items').where({ variant_id: tote.id }).forUpdate().noWait();
      expect(shelf).toMatchObject([{ count_on_hand: 3 }]);
    });

    expect((await completed).status).toBe(422);
    expect(await getTotalOnHand(tote.id)).toBe(5);
    await expectNoViolations({ order_ids: [order.id] });
  });
});

describe('a completion whose goods are gone', () => {
  test('begins the checkout again before the cart can change', async () => {
    const [tote, mug] = [await aSellableVariant({ stock: 2 }), await aSellableVariant({ stock: 5 })];
    const order = await orderInState('confirm', { lines: [{ variant_id: tote.id, quantity: 2 }] });
    const requests = await testDb().transaction(async (buyer) => {
      // Somebody else is buying the last two: the completion holds its order and waits for the shelf.
      await buyer('stock_items').where({ variant_id: tote.id }).forUpdate().select('id');
      const completed = api(order.caller).put(`/checkouts/${order.number}`);
      await waitUntilBlockedBy(buyer);
      const added = watched(
        api(order.caller).post(`/orders/${order.number}/line_items`, { variant_id: mug.id, quantity: 3 }),
      );
      await untilWaitingForOrders(1);
      expect(added.hasCome()).toBe(false);
      await buyer('stock_items').where({ variant_id: tote.id }).update({ count_on_hand: 1 });
      await buyer('stock_movements').insert({
        stock_item_id: buyer('stock_items').where({ variant_id: tote.id }).select('id').first(),
        quantity: -1,
      });
      return { completed, added };
    });

    const refused = await requests.completed;
    expect([refused.status, refused.body.errors]).toEqual([
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
    // Once by the completion; the change found an order without shipments, and left it where it was.
    expect((await listHistory(order.id)).filter((step) => step === 'order: confirm > address')).toHaveLength(1);
    await expectNoViolations({ order_ids: [order.id] });
  });

  async function untilWaitingForOrders(count: number): Promise<void> {
    const deadline = Date.now() + 10_000;
    while (Date.now() < deadline) {
      const { rows } = await testDb().raw<{ rows: unknown[] }>(
        `SELECT pid FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ILIKE '%orders%for update%'`,
      );
      if (rows.length >= count) return;
    }
    throw new Error('nobody waits for an order');
  }
});
