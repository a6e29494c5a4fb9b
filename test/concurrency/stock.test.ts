import type { Response } from 'supertest';
import { fillBackorders } from '../../src/sales/fulfilment/fill-backorders';
import { removeStock } from '../../src/inventory/item-stock';
import { buildUnstock, findOrdersToFill, lockStockAt, restock } from '../../src/inventory/stock-ledger';
import { notifyOrdersAs } from '../../src/inventory/backorders';
import { sendAll, withTransaction, type Tx } from '../../src/platform/database/transaction';
import { InvalidResource } from '../../src/platform/errors';
import { anAdmin } from '../support/accounts.factory';
import { api } from '../support/api';
import { testDb } from '../support/database';
import { waitUntilBlockedBy } from '../support/locks';
import {
  aStockedVariant,
  aStockItem,
  aWaitingOrder,
  getStockCounts,
  getFillState,
  type TestStockItem,
  type WaitingOrder,
} from '../support/stock.factory';
import { unique } from '../support/unique';

const SHIPMENT = { type: 'Store::Shipment', id: 1 } as const;
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const inTransaction = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
  withTransaction({ db: testDb() }, work);

async function createMover(item: TestStockItem): Promise<(quantity: number) => Promise<Response>> {
  const admin = api(await anAdmin());
  return (quantity) =>
    admin.post(`/stock_locations/${item.stock_location_id}/stock_movements`, {
      stock_movement: { stock_item_id: item.id, quantity },
    });
}

function take(items: readonly TestStockItem[]): Promise<void> {
  const taken = items.map(({ stock_location_id, variant_id }) => {
    return { stock_location_id, variant_id, quantity: 1, originator: SHIPMENT };
  });
  return inTransaction(async (tx) => sendAll(tx, buildUnstock(await lockStockAt(tx, taken), taken, null)));
}

/** Runs `work` and returns the number of deadlocks that PostgreSQL detected in it. */
async function countDeadlocks(work: () => Promise<unknown>): Promise<number> {
  let deadlocks = 0;
  const note = (error: Error & { code?: string }): void => {
    if (error.code === '40P01') deadlocks++;
  };
  testDb().on('query-error', note);
  try {
    await work();
  } finally {
    testDb().off('query-error', note);
  }
  return deadlocks;
}

describe('stock under concurrent requests', () => {
  test('twenty concurrent movements of 5 add 100', async () => {
    const item = await aStockItem();
    const move = await createMover(item);
    const replies = await Promise.all(times(20, () => move(5)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await getStockCounts(item)).toEqual({ count_on_hand: 100, ledger: 100 });
  });

  test('of thirty concurrent requests for ten units, ten succeed and twenty are refused', async () => {
    const item = await aStockItem({ count_on_hand: 10 });
    const outcomes = await Promise.allSettled(times(30, () => take([item])));
    const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refusals).toHaveLength(20);
    for (const reason of refusals) expect(reason).toBeInstanceOf(InvalidResource);
    expect(await getStockCounts(item)).toEqual({ count_on_hand: 0, ledger: 0 });
  });

  test('concurrent unstocking, movements, corrections and forced counts leave correct sums', async () => {
    const admin = api(await anAdmin());
    const a = await aStockItem({ count_on_hand: 50 });
    const b = await aStockItem({ count_on_hand: 50 });
    const [moveA, moveB] = [await createMover(a), await createMover(b)];
    const first = (await moveA(1)).body.id;
    const correct = (quantity: number) =>
      admin.put(`/stock_locations/${a.stock_location_id}/stock_movements/${first}`, {
        stock_movement: { quantity },
      });
    const force = (count_on_hand: number) =>
      admin.put(`/stock_items/${b.id}`, { stock_item: { count_on_hand, force: true } });

    const deadlocks = await countDeadlocks(async () => {
      const replies = await Promise.all([
        ...times(10, (i) => take(i % 2 === 0 ? [a, b] : [b, a]).then(() => null)),
        ...times(8, () => moveA(3)),
        ...times(8, () => moveB(-1)),
        ...times(8, correct),
        ...times(4, (i) => force(40 + i)),
      ]);
      expect(replies.every((reply) => reply === null || reply.status < 300)).toBe(true);
    });

    expect(deadlocks).toBe(0);
    for (const item of [a, b]) {
      const { count_on_hand, ledger } = await getStockCounts(item);
      expect(count_on_hand).toBe(ledger);
    }
    const correction = await testDb()('stock_movements').where({ id: first }).first('quantity');
    expect((await getStockCounts(a)).count_on_hand).toBe(50 - 10 + 24 + correction.quantity);
  });

  test('a corrected movement whose item is deleted meanwhile is missing, and stays as it was', async () => {
    const item = await aStockItem();
    const { id } = (await (await createMover(item))(5)).body;
    const admin = api(await anAdmin());
    const { reply } = await inTransaction(async (tx) => {
      await removeStock(tx, item, { user_id: null, now: new Date() });
      const path = `/stock_locations/${item.stock_location_id}/stock_movements/${id}`;
      const reply = admin.put(path, { stock_movement: { quantity: 7 } });
      await waitUntilBlockedBy(tx);
      return { reply };
    });
    expect((await reply).status).toBe(404);
    expect(await testDb()('stock_movements').where({ id }).first('quantity')).toEqual({ quantity: 5 });
  });

  test('units that arrive one by one fill each backorder once', async () => {
    const item = await aStockItem({ backorderable: true });
    const orders = [];
    for (let made = 0; made < 12; made++) orders.push(await aWaitingOrder(item));
    const move = await createMover(item);

    const deadlocks = await countDeadlocks(async () => {
      const replies = await Promise.all(times(10, () => move(1)));
      expect(replies.map(({ status }) => status)).toEqual(times(10, () => 201));
    });

    expect(deadlocks).toBe(0);
    expect(await getStockCounts(item)).toEqual({ count_on_hand: -2, ledger: -2 });
    const fills = await Promise.all(orders.map(getFillState));
    expect(fills.map(({ units }) => units[0])).toEqual([
      ...times(10, () => 'on_hand'),
      'backordered',
      'backordered',
    ]);
    expect(fills.map(({ shipment }) => shipment)).toEqual([
      ...times(10, () => 'ready'),
      'pending',
      'pending',
    ]);
  });

  test('concurrent movements and restocks of two items with backorders all succeed', async () => {
    const a = await aStockItem({ backorderable: true });
    const b = await aStockItem({ backorderable: true });
    const waiting = [];
    for (let made = 0; made < 6; made++) waiting.push(await aWaitingOrder(made % 2 === 0 ? a : b));
    const [moveA, moveB] = [await createMover(a), await createMover(b)];
    const restockFor = ({ id }: WaitingOrder, { stock_location_id, variant_id }: TestStockItem) =>
      inTransaction(async (tx) => {
        const returned = [{ stock_location_id, variant_id, quantity: 1, originator: SHIPMENT }];
        const ids = [id, ...(await findOrdersToFill(tx, returned))];
        await tx('orders').whereIn('id', ids).orderBy('id').forUpdate().pluck('id');
        await restock(tx, returned, notifyOrdersAs({ onBackordersFilled: fillBackorders }, tx, null));
      });

    await Promise.all([
      ...times(5, () => moveA(1)),
      ...times(5, () => moveB(1)),
      ...waiting.map((order, index) => restockFor(order, index % 2 === 0 ? b : a)),
    ]);

    // Each item had three backorders, five arrivals and three restocked units.
    for (const item of [a, b]) expect(await getStockCounts(item)).toEqual({ count_on_hand: 5, ledger: 5 });
    for (const order of waiting) expect((await getFillState(order)).units).toEqual(['on_hand']);
  });

  test('a location created while a variant is created gets a stock item for it', async () => {
    const { id: made } = await aStockedVariant();
    const { product_id } = await testDb()('variants').where({ id: made }).first('product_id');
    const admin = api(await anAdmin());

    const { reply, variantId } = await inTransaction(async (tx) => {
      const columns = { product_id, is_master: false, position: 2 };
      const [variant] = await tx('variants').insert(columns).returning('id');
      const reply = admin.post('/stock_locations', { stock_location: { name: unique('Depot') } });
      await waitUntilBlockedBy(tx);
      return { reply, variantId: variant.id };
    });

    const location = (await reply).body;
    const items = await testDb()('stock_items').where({
      stock_location_id: location.id,
      variant_id: variantId,
    });
    expect(items).toHaveLength(1);
  });
});

describe('an order that becomes complete after the backordered orders were estimated', () => {
  /**
   * Sends a movement of +1 that waits for the locked item, runs `meanwhile`, unlocks the item and returns the reply.
   */
  async function moveBehindLock(
    item: TestStockItem,
    meanwhile: () => Promise<unknown>,
  ): Promise<{ reply: Promise<Response> }> {
    const move = await createMover(item);
    return inTransaction(async (tx) => {
      await lockStockAt(tx, [item]);
      const reply = move(1);
      await waitUntilBlockedBy(tx);
      await meanwhile();
      return { reply };
    });
  }

  async function createBackorderedCart(item: TestStockItem): Promise<WaitingOrder> {
    return aWaitingOrder(item, { state: 'confirm', completed_at: null });
  }

  function complete(order: WaitingOrder): Promise<number> {
    return testDb()('orders').where({ id: order.id }).update({ state: 'complete', completed_at: new Date() });
  }

  test('its backorder is filled if no transaction holds it', async () => {
    const item = await aStockItem({ backorderable: true });
    const order = await createBackorderedCart(item);

    const { reply } = await moveBehindLock(item, () => complete(order));

    expect((await reply).status).toBe(201);
    expect((await getFillState(order)).units).toEqual(['on_hand']);
  });

  test('the movement restarts and waits for the order if another transaction holds it', async () => {
    const item = await aStockItem({ backorderable: true });
    const order = await createBackorderedCart(item);

    const moved = await inTransaction(async (holder) => {
      const { reply } = await moveBehindLock(item, async () => {
        await complete(order);
        await holder('orders').where({ id: order.id }).forUpdate().first('id');
      });
      // The movement had locked the stock item, rolled back, and now waits for the order first.
      await waitUntilBlockedBy(holder);
      expect(await holder('stock_items').where({ id: item.id }).forUpdate().noWait()).toHaveLength(1);
      expect((await getFillState(order)).units).toEqual(['backordered']);
      return { reply };
    });

    expect((await moved.reply).status).toBe(201);
    expect((await getFillState(order)).units).toEqual(['on_hand']);
    expect(await getStockCounts(item)).toEqual({ count_on_hand: 1, ledger: 1 });
  });
});
