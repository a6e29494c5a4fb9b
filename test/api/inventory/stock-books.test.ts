import { withTransaction } from '../../../src/platform/database/transaction';
import { lockStockAt } from '../../../src/inventory/stock-ledger';
import { anAdmin, aCustomer, asAdmin } from '../../support/accounts.factory';
import { api, makeTestApp, testApp } from '../../support/api';
import { testDb } from '../../support/database';
import { invalid } from '../../support/error-bodies';
import { buildBogusGateway } from '../../support/gateways';
import { expectNoViolations } from '../../support/invariants';
import { waitUntilBlockedBy } from '../../support/locks';
import { aSellableVariant, orderInState, setStock } from '../../support/orders.factory';
import { expireClaims } from '../../support/payments.factory';
import {
  aPaidOrder,
  aShippedOrder,
  getCountOnHand,
  getDefaultLocationId,
} from '../../support/shipments.factory';
import { aStockItem, aStockLocation, getStockCounts, type TestStockItem } from '../../support/stock.factory';
import { settleInterruptedPayments } from '../../../src/sales/payment-processing/settle-interrupted-payments.job';
import { recorders } from '../../../src/sales/payments/recorders';

interface Moved {
  quantity: number;
  counted: boolean;
  action: string | null;
  user_id: number | null;
  originator_type: string | null;
}

/** Returns the movements of a variant, oldest first. */
async function listMovements(variantId: number): Promise<Moved[]> {
  return testDb()('stock_movements')
    .join('stock_items', 'stock_items.id', 'stock_movements.stock_item_id')
    .where('stock_items.variant_id', variantId)
    .orderBy('stock_movements.id')
    .select('quantity', 'counted', 'action', 'user_id', 'originator_type');
}

async function getItemPath(variantId: number): Promise<string> {
  const stock_location_id = await getDefaultLocationId();
  const item = await testDb()('stock_items')
    .where({ variant_id: variantId, stock_location_id, deleted_at: null })
    .first('id');
  return `/stock_locations/${stock_location_id}/stock_items/${item.id}`;
}

async function createItem(variantId: number, attributes: object = {}) {
  const admin = await asAdmin();
  const path = `/stock_locations/${await getDefaultLocationId()}/stock_items`;
  return admin.post(path, { stock_item: { variant_id: variantId, ...attributes } });
}

async function setTracking(variantId: number, track_inventory: boolean): Promise<void> {
  const reply = await (await asAdmin()).put(`/variants/${variantId}`, { variant: { track_inventory } });
  expect(reply.status).toBe(200);
}

const listUnitStates = (orderId: number): Promise<string[]> =>
  testDb()('inventory_units').where({ order_id: orderId }).orderBy('id').pluck('state');

const buyAll = (variant_id: number, quantity: number) => ({ lines: [{ variant_id, quantity }] });

describe('deleting what holds stock', () => {
  test('a stock item leaves a movement of minus its count, which names the admin', async () => {
    const item = await aStockItem({ count_on_hand: 7 });
    const admin = await anAdmin();
    const path = `/stock_locations/${item.stock_location_id}`;
    expect((await api(admin).delete(`${path}/stock_items/${item.id}`)).status).toBe(204);
    expect(await getStockCounts(item)).toEqual({ count_on_hand: 0, ledger: 0 });
    expect((await listMovements(item.variant_id)).at(-1)).toEqual({
      quantity: -7,
      counted: true,
      action: 'removed',
      user_id: admin.id,
      originator_type: null,
    });
    const listed = (await api(admin).get(`${path}/stock_movements`)).body.stock_movements;
    expect(listed.map((one: any) => [one.quantity, one.action])).toEqual([
      [7, null],
      [-7, 'removed'],
    ]);
  });

  test('an empty stock item leaves none', async () => {
    const item = await aStockItem();
    await (await asAdmin()).delete(`/stock_items/${item.id}`);
    expect(await listMovements(item.variant_id)).toEqual([]);
  });

  test('a location leaves one for each of its stock items', async () => {
    const location = await aStockLocation();
    const items = [
      await aStockItem({ stock_location_id: location.id, count_on_hand: 2 }),
      await aStockItem({ stock_location_id: location.id }),
      await aStockItem({ stock_location_id: location.id, count_on_hand: 5 }),
    ];
    expect((await (await asAdmin()).delete(`/stock_locations/${location.id}`)).status).toBe(204);
    const removed = await Promise.all(items.map(({ variant_id }) => listMovements(variant_id)));
    expect(removed.map((movements) => movements.map(({ quantity }) => quantity))).toEqual([
      [2, -2],
      [],
      [5, -5],
    ]);
    await expectNoViolations();
  });

  test.each(['variant', 'product'])('a deleted %s leaves one', async (deleted) => {
    const { id, product_id } = await aSellableVariant({ stock: 4 });
    const admin = await anAdmin();
    const caller = api(admin);
    let sold = id;
    if (deleted === 'variant') {
      sold = (await caller.post(`/products/${product_id}/variants`, { variant: {} })).body.id;
      await setStock(sold, { stock: 4 });
      expect((await caller.delete(`/products/${product_id}/variants/${sold}`)).status).toBe(204);
    } else {
      expect((await caller.delete(`/products/${product_id}`)).status).toBe(204);
    }
    expect((await listMovements(sold)).at(-1)).toMatchObject({
      quantity: -4,
      action: 'removed',
      user_id: admin.id,
    });
    await expectNoViolations();
  });

  test('the stock of a master goes with a movement that names the admin', async () => {
    const { id, product_id } = await aSellableVariant({ stock: 4 });
    const admin = await anAdmin();
    await api(admin).post(`/products/${product_id}/variants`, { variant: {} });
    expect((await listMovements(id)).at(-1)).toMatchObject({
      quantity: -4,
      counted: true,
      originator_type: 'Store::Variant',
      user_id: admin.id,
    });
    expect(await getCountOnHand(id)).toBe(0);
  });
});

test('a master without stock stays backorderable beside its first variant', async () => {
  const { id, product_id } = await aSellableVariant({ stock: 0, backorderable: true });
  const reply = await (await asAdmin()).post(`/products/${product_id}/variants`, { variant: {} });
  expect(reply.status).toBe(201);
  const items = await testDb()('stock_items').where({ variant_id: id, deleted_at: null });
  expect(items.some(({ backorderable }) => backorderable)).toBe(true);
  expect(await listMovements(id)).toEqual([]);
});

describe('a stock item that is deleted while it owes units', () => {
  test('of 5 units that arrive at its successor, 3 fill the backorders and 2 are for sale', async () => {
    const { id } = await aSellableVariant({ stock: 0, backorderable: true });
    const order = await aPaidOrder(buyAll(id, 3));
    await (await asAdmin()).delete(await getItemPath(id));

    const made = await createItem(id, { count_on_hand: 5, backorderable: false });

    expect(made.body).toMatchObject({ count_on_hand: 2, backorderable: false });
    expect(await listUnitStates(order.id)).toEqual(['on_hand', 'on_hand', 'on_hand']);
    expect((await listMovements(id)).map(({ quantity, action }) => [quantity, action])).toEqual([
      [-3, 'sold'],
      [3, 'removed'],
      [-3, 'owed'],
      [5, null],
    ]);
    const tooMany = await orderInState('cart', buyAll(id, 2));
    const raise = { line_item: { variant_id: id, quantity: 1 } };
    expect((await api(tooMany.caller).post(`/orders/${tooMany.number}/line_items`, raise)).status).toBe(422);
    await expectNoViolations();
  });

  test('its successor owes what is not canceled before it is created', async () => {
    const { id } = await aSellableVariant({ stock: 0, backorderable: true });
    const [kept, canceled] = [await aPaidOrder(buyAll(id, 2)), await aPaidOrder(buyAll(id, 3))];
    const admin = await asAdmin();
    await admin.delete(await getItemPath(id));
    expect((await admin.put(`/orders/${canceled.number}/cancel`)).status).toBe(200);

    const made = await createItem(id, { backorderable: false });
    expect(made.body).toMatchObject({ count_on_hand: -2, backorderable: false });
    expect((await admin.put(`/orders/${kept.number}/cancel`)).status).toBe(200);
    expect(await getCountOnHand(id)).toBe(0);
    await expectNoViolations();
  });

  test('units on hand that are canceled after its successor was created return to it', async () => {
    const { id } = await aSellableVariant({ stock: 5 });
    const order = await aPaidOrder(buyAll(id, 3));
    const admin = await asAdmin();
    await admin.delete(await getItemPath(id));
    expect((await createItem(id, { count_on_hand: 1 })).body.count_on_hand).toBe(1);
    await admin.put(`/orders/${order.number}/cancel`);
    expect(await getCountOnHand(id)).toBe(4);
    await expectNoViolations();
  });
});

describe('backorderable', () => {
  test('may be switched off while units are owed; units that arrive still fill them', async () => {
    const { id } = await aSellableVariant({ stock: 1, backorderable: true });
    const order = await aPaidOrder(buyAll(id, 3));
    const admin = await asAdmin();
    const path = await getItemPath(id);
    const closed = await admin.put(path, { stock_item: { backorderable: false } });
    expect([closed.status, closed.body]).toMatchObject([200, { count_on_hand: -2, backorderable: false }]);
    const refused = await admin.put(path, { stock_item: { count_on_hand: -1 } });
    expect(refused.body).toEqual(invalid({ count_on_hand: ['must be greater than or equal to 0'] }));
    const arrived = await admin.put(path, { stock_item: { count_on_hand: 1 } });
    expect([arrived.status, arrived.body.count_on_hand]).toEqual([200, -1]);
    expect((await listUnitStates(order.id)).sort()).toEqual(['backordered', 'on_hand', 'on_hand']);
    const line = { line_item: { variant_id: id, quantity: 1 } };
    expect((await admin.post(`/orders/${order.number}/line_items`, line)).status).toBe(422);
    await admin.put(`/orders/${order.number}/cancel`);
    expect(await getCountOnHand(id)).toBe(2);
    await expectNoViolations();
  });
});

describe('units count when they return if and only if their sale counted', () => {
  test('sold untracked, canceled tracked', async () => {
    const { id } = await aSellableVariant({ stock: 6 });
    await setTracking(id, false);
    const order = await aPaidOrder(buyAll(id, 4));
    await setTracking(id, true);
    await (await asAdmin()).put(`/orders/${order.number}/cancel`);
    expect(await getCountOnHand(id)).toBe(6);
    await expectNoViolations();
  });

  test('sold tracked, canceled untracked', async () => {
    const { id } = await aSellableVariant({ stock: 6 });
    const order = await aPaidOrder(buyAll(id, 4));
    await setTracking(id, false);
    await (await asAdmin()).put(`/orders/${order.number}/cancel`);
    await setTracking(id, true);
    expect(await getCountOnHand(id)).toBe(6);
    await expectNoViolations();
  });

  test('a line that was sold half untracked, half tracked, gives up what it took', async () => {
    const { id } = await aSellableVariant({ stock: 6 });
    await setTracking(id, false);
    const order = await aPaidOrder(buyAll(id, 2));
    await setTracking(id, true);
    const admin = await asAdmin();
    const path = `/orders/${order.number}/line_items/${order.line_items[0].id}`;
    expect((await admin.put(path, { line_item: { quantity: 5 } })).status).toBe(200);
    expect(await getCountOnHand(id)).toBe(3);
    await setTracking(id, false);
    // Units leave newest first: the three tracked ones, then an untracked one.
    expect((await admin.put(path, { line_item: { quantity: 1 } })).status).toBe(200);
    await setTracking(id, true);
    expect(await getCountOnHand(id)).toBe(6);
    await expectNoViolations();
  });

  test.each([
    [false, true],
    [true, false],
  ])('shipped with tracking %s, returned with tracking %s', async (sold, returned) => {
    const { id } = await aSellableVariant({ stock: 6 });
    await setTracking(id, sold);
    const order = await aShippedOrder(buyAll(id, 2));
    await setTracking(id, returned);
    const admin = await asAdmin();
    const reason = await testDb()('return_authorization_reasons').first('id');
    const base = `/orders/${order.number}/return_authorizations`;
    const made = await admin.post(base, {
      return_authorization: {
        stock_location_id: await getDefaultLocationId(),
        return_authorization_reason_id: reason.id,
      },
    });
    await admin.put(`${base}/${made.body.id}/add`, { variant_id: id, quantity: 2 });
    expect((await admin.put(`${base}/${made.body.id}/receive`)).status).toBe(200);
    await setTracking(id, true);
    expect(await getCountOnHand(id)).toBe(6);
    await expectNoViolations();
  });

  test('a shipment that moves counts at its new location as things are then', async () => {
    const { id } = await aSellableVariant({ stock: 6 });
    await setTracking(id, false);
    const order = await aPaidOrder(buyAll(id, 2));
    await setTracking(id, true);
    const depot = await aStockItem({ variant_id: id, count_on_hand: 9 });
    const { stock_location_id } = depot;
    const admin = await asAdmin();
    const shipment = { stock_location_id };
    const moved = await admin.put(`/shipments/${order.shipments[0].number}`, { shipment });
    expect(moved.status).toBe(200);
    expect([await getCountOnHand(id), await getCountOnHand(id, stock_location_id)]).toEqual([6, 7]);
    await admin.put(`/orders/${order.number}/cancel`);
    expect([await getCountOnHand(id), await getCountOnHand(id, stock_location_id)]).toEqual([6, 9]);
    await expectNoViolations();
  });
});

describe('movements', () => {
  test('those of orders cannot be changed; those made by hand can', async () => {
    const { id } = await aSellableVariant({ stock: 5 });
    await aPaidOrder(buyAll(id, 2));
    const path = `/stock_locations/${await getDefaultLocationId()}/stock_movements`;
    const admin = await asAdmin();
    const rows = await testDb()('stock_movements')
      .whereIn('stock_item_id', testDb()('stock_items').select('id').where({ variant_id: id }))
      .orderBy('id')
      .select('id', 'quantity');
    const [byHand, sale] = rows.map((row) => row.id);
    const stock_movement = { quantity: 9 };
    const refused = await admin.put(`${path}/${sale}`, { stock_movement });
    expect([refused.status, refused.body]).toEqual([
      422,
      invalid({ base: ['Only movements made by hand can be changed'] }),
    ]);
    expect(await getCountOnHand(id)).toBe(3);
    expect((await admin.put(`${path}/${byHand}`, { stock_movement })).status).toBe(200);
    expect(await getCountOnHand(id)).toBe(7);
    await expectNoViolations();
  });

  test('name the account that caused them', async () => {
    const { id } = await aSellableVariant({ stock: 5 });
    const customer = await aCustomer();
    const order = await aPaidOrder({ ...buyAll(id, 2), caller: customer });
    const admin = await anAdmin();
    const clerk = api(admin);
    const path = `/orders/${order.number}/line_items/${order.line_items[0].id}`;
    await clerk.put(path, { line_item: { quantity: 3 } });
    await clerk.put(path, { line_item: { quantity: 1 } });
    await clerk.put(`/shipments/${order.shipments[0].number}/add`, { variant_id: id, quantity: 1 });
    await api(order.caller).put(`/orders/${order.number}/cancel`);
    const guests = await aPaidOrder(buyAll(id, 1));
    expect(guests.user_id).toBeNull();
    const location = await getDefaultLocationId();
    const listed = await clerk.get(
      `/stock_locations/${location}/stock_movements?q[stock_item_variant_id_eq]=${id}&per_page=50`,
    );
    expect(listed.body.stock_movements.slice(1).map((one: any) => [one.quantity, one.user_id])).toEqual([
      [-2, customer.id],
      [-1, admin.id],
      [2, admin.id],
      [-1, admin.id],
      [2, customer.id],
      [-1, null],
    ]);
  });
});

describe('a completion that waits at the gateway', () => {
  const settleAll = async (): Promise<void> => {
    await expireClaims();
    await settleInterruptedPayments(testApp().deps, recorders);
  };
  beforeEach(settleAll);
  afterEach(settleAll);

  test('keeps its stock location; its stock item may go and still gets its units back', async () => {
    const { id } = await aSellableVariant({ stock: 5 });
    const depot = await aStockItem({ variant_id: id, count_on_hand: 5 });
    await (await asAdmin()).delete(await getItemPath(id));
    const order = await orderInState('confirm', buyAll(id, 2));
    const failConnection = () => Promise.reject(new Error('socket hang up'));
    const unreachable = makeTestApp({ gateways: buildBogusGateway({ authorize: failConnection }) });
    const waiting = await api(order.caller, unreachable).put(`/checkouts/${order.number}`);
    expect(waiting.status).toBe(503);

    const admin = await asAdmin();
    const refused = await admin.delete(`/stock_locations/${depot.stock_location_id}`);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['base']]);
    expect((await admin.delete(`/stock_items/${depot.id}`)).status).toBe(204);
    await expireClaims();
    const declined = { approved: false, message: 'Declined', response_code: null };
    const answer = { ...declined, avs_response: null, cvv_response: null };
    const declining = buildBogusGateway({ authorize: () => Promise.resolve(answer) });
    await settleInterruptedPayments(makeTestApp({ gateways: declining }).deps, recorders);

    expect((await listMovements(id)).slice(-3).map(({ quantity, counted }) => [quantity, counted])).toEqual([
      [-2, true],
      [-3, true],
      [2, false],
    ]);
    expect((await admin.delete(`/stock_locations/${depot.stock_location_id}`)).status).toBe(204);
    await expectNoViolations();
  });
});

describe('empty', () => {
  test('is refused while units are returned, although nothing is shipped any more', async () => {
    const order = await aShippedOrder();
    const admin = await asAdmin();
    const units = await testDb()('inventory_units').where({ order_id: order.id }).pluck('id');
    const reason = await testDb()('return_authorization_reasons').first('id');
    const returns = `/orders/${order.number}/return_authorizations`;
    const made = await admin.post(returns, {
      return_authorization: {
        stock_location_id: await getDefaultLocationId(),
        return_authorization_reason_id: reason.id,
      },
    });
    const { variant_id } = order.line_items[0];
    await admin.put(`${returns}/${made.body.id}/add`, { variant_id, quantity: units.length });
    expect((await admin.put(`${returns}/${made.body.id}/receive`)).status).toBe(200);
    expect(await listUnitStates(order.id)).toEqual(units.map(() => 'returned'));
    expect((await admin.put(`/orders/${order.number}/empty`)).status).toBe(422);
    expect(await listUnitStates(order.id)).toEqual(units.map(() => 'returned'));
  });
});

describe('locks', () => {
  test('stock items are locked by id, so that a waiting transaction holds none with a higher id', async () => {
    const items: TestStockItem[] = [];
    for (let made = 0; made < 5; made++) items.push(await aStockItem({ count_on_hand: 1 }));
    const [lowest, ...others] = items;
    if (lowest === undefined) throw new Error('five items');
    // Repeated, because a random order is right now and then.
    for (let round = 0; round < 6; round++) {
      const waiting = await testDb().transaction(async (holder) => {
        await holder('stock_items').where({ id: lowest.id }).forUpdate().first('id');
        const locking = withTransaction({ db: testDb() }, (tx) => lockStockAt(tx, items.toReversed()));
        await waitUntilBlockedBy(holder);
        const ids = others.map(({ id }) => id);
        const free = await holder('stock_items').whereIn('id', ids).forUpdate().skipLocked().pluck('id');
        expect(free).toHaveLength(others.length);
        return { locking };
      });
      expect(await waiting.locking).toHaveLength(items.length);
    }
  });

  test.each(['40P01', '40001'])('a transaction that fails with %s runs again', async (code) => {
    const attempts: number[] = [];
    const item = await aStockItem();
    const done = await withTransaction({ db: testDb() }, async (tx) => {
      attempts.push(attempts.length);
      await tx('stock_items').where({ id: item.id }).update({ backorderable: true });
      if (attempts.length < 3) {
        await tx.raw(`DO $$ BEGIN RAISE EXCEPTION 'conflict' USING ERRCODE = '${code}'; END $$`);
      }
      return 'done';
    });
    expect([done, attempts]).toEqual(['done', [0, 1, 2]]);
  });
});
