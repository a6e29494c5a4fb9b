import { anAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { expectNoViolations } from '../../support/invariants';
import { getTotalOnHand, orderInState } from '../../support/orders.factory';
import { aShippedOrder, getDefaultLocationId, listHistory } from '../../support/shipments.factory';

let staff: { id: number; email: string };
let admin: ReturnType<typeof api>;

beforeAll(async () => {
  const caller = await anAdmin();
  staff = caller;
  admin = api(caller);
});

/** Creates a return of one unit of a shipped order. */
async function aReturn() {
  const order = await aShippedOrder();
  const reason = await testDb()('return_authorization_reasons').where({ active: true }).first('id');
  const { body } = await admin.post(`/orders/${order.number}/return_authorizations`, {
    return_authorization: {
      stock_location_id: await getDefaultLocationId(),
      return_authorization_reason_id: reason.id,
    },
  });
  const path = `/orders/${order.number}/return_authorizations/${body.id}`;
  const { variant_id } = order.line_items[0];
  expect((await admin.put(`${path}/add`, { variant_id, quantity: 1 })).status).toBe(200);
  return { order, number: body.number as string, path, variant_id: variant_id as number };
}

const listHistoryOfType = async (order: { number: string }, type: string): Promise<any[]> =>
  (await admin.get(`/orders/${order.number}/history?q[subject_type_eq]=${type}`)).body.state_changes;

test('returns are in the history with from, to, time, actor and reason', async () => {
  const [received, canceled] = [await aReturn(), await aReturn()];
  await admin.put(`${received.path}/receive`);
  await admin.put(`${canceled.path}/cancel`);

  const step = (from_state: string | null, to_state: string) =>
    expect.objectContaining({
      subject_type: 'return_authorization',
      from_state,
      to_state,
      reason: expect.any(String),
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      user: { id: staff.id, email: staff.email },
    });
  const changes = await listHistoryOfType(received.order, 'return_authorization');
  expect(changes).toEqual([step(null, 'authorized'), step('authorized', 'received')]);
  expect(new Set(changes.map(({ number }) => number))).toEqual(new Set([received.number]));
  expect(await listHistoryOfType(canceled.order, 'return_authorization')).toEqual([
    step(null, 'authorized'),
    step('authorized', 'canceled'),
  ]);
  const orderSteps = (await listHistoryOfType(canceled.order, 'order')).map(({ to_state }) => to_state);
  expect(orderSteps.slice(-3)).toEqual(['complete', 'awaiting_return', 'complete']);
});

test('failed and repeated events are not in the history', async () => {
  const { order, path } = await aReturn();
  await admin.put(`${path}/receive`);
  const before = await listHistory(order.id);
  const [payment] = order.payments;
  const [shipment] = order.shipments;
  for (const [request, status] of [
    [`${path}/receive`, 422],
    [`${path}/cancel`, 422],
    [`/orders/${order.number}/cancel`, 422],
    [`/orders/${order.number}/empty`, 422],
    [`/checkouts/${order.number}/next`, 422],
    [`/orders/${order.number}/payments/${payment.id}/capture`, 200],
    [`/orders/${order.number}/payments/${payment.id}/authorize`, 422],
    [`/shipments/${shipment.number}/ship`, 200],
    [`/shipments/${shipment.number}/ready`, 200],
  ] as const) {
    expect([request, (await admin.put(request)).status]).toEqual([request, status]);
  }
  expect(await listHistory(order.id)).toEqual(before);
});

describe('every state change is written together with its history row', () => {
  /** Runs `work` while history rows of this order cannot be inserted. */
  async function withoutHistory(orderId: number, work: () => Promise<void>): Promise<void> {
    await testDb().raw(`
      CREATE FUNCTION refuse_history() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'no history today'; END $$;
      CREATE TRIGGER refuse_history BEFORE INSERT ON state_changes FOR EACH ROW
        WHEN (NEW.order_id = ${orderId}) EXECUTE FUNCTION refuse_history();`);
    try {
      await work();
    } finally {
      await testDb().raw('DROP FUNCTION refuse_history CASCADE');
    }
  }

  test('for an order and its stock', async () => {
    const order = await orderInState('confirm', { method: 'Check' });
    const stock = await getTotalOnHand(order.line_items[0].variant_id);
    await withoutHistory(order.id, async () => {
      expect((await api(order.caller).put(`/checkouts/${order.number}`)).status).toBe(500);
    });
    expect((await admin.get(`/orders/${order.number}`)).body).toMatchObject({
      state: 'confirm',
      completed_at: null,
    });
    expect(await getTotalOnHand(order.line_items[0].variant_id)).toBe(stock);
    await expectNoViolations({ order_ids: [order.id] });
    expect((await api(order.caller).put(`/checkouts/${order.number}`)).body.state).toBe('complete');
  });

  test('for a return and its units', async () => {
    const { order, path, variant_id } = await aReturn();
    const stock = await getTotalOnHand(variant_id);
    await withoutHistory(order.id, async () => {
      expect((await admin.put(`${path}/receive`)).status).toBe(500);
    });
    expect((await admin.get(path)).body.state).toBe('authorized');
    expect(await getTotalOnHand(variant_id)).toBe(stock);
    await expectNoViolations({ order_ids: [order.id] });
    expect((await admin.put(`${path}/receive`)).body.state).toBe('received');
    expect(await getTotalOnHand(variant_id)).toBe(stock + 1);
  });

  test('for a payment: the gateway is not called if its operation cannot be stored', async () => {
    const order = await orderInState('complete');
    const path = `/orders/${order.number}/payments/${order.payments[0].id}`;
    await withoutHistory(order.id, async () => {
      expect((await admin.put(`${path}/capture`)).status).toBe(500);
    });
    expect((await admin.get(path)).body.state).toBe('pending');
    await expectNoViolations({ order_ids: [order.id] });
    expect((await admin.put(`${path}/capture`)).body.state).toBe('completed');
  });
});
