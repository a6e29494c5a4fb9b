import fc from 'fast-check';
import { loadAvailability, loadStockByLocation } from '../../src/inventory/availability.repository';
import { adjustStock, removeStock, rewriteMovement, setStock } from '../../src/inventory/item-stock';
import {
  buildUnstock,
  lockStockAt,
  restock,
  sumIncreases,
  type PlacedChange,
} from '../../src/inventory/stock-ledger';
import { lockStockItems, lockStockItemsAt } from '../../src/inventory/stock-ledger.repository';
import { listOrderIds, type OnBackordersFilled } from '../../src/inventory/backorders';
import { fillBackorders } from '../../src/sales/fulfilment/fill-backorders';
import { sendAll, withTransaction, type Tx } from '../../src/platform/database/transaction';
import { InvalidResource, NotFound } from '../../src/platform/errors';
import { testDb } from '../support/database';
import { countQueries } from '../support/queries';
import {
  aStockedVariant,
  aStockItem,
  aStockLocation,
  aWaitingOrder,
  getStockCounts,
  getFillState,
  type TestStockItem,
} from '../support/stock.factory';

const inTransaction = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
  withTransaction({ db: testDb() }, work);
const failOnFilledBackorders = Object.assign(
  (): Promise<void> => Promise.reject(new Error('no backorders should be filled')),
  { user_id: null },
);
const SHIPMENT = { type: 'Store::Shipment', id: 77 } as const;

function buildChange(item: TestStockItem, quantity: number): PlacedChange {
  const { stock_location_id, variant_id } = item;
  return { stock_location_id, variant_id, quantity, action: 'sold', originator: SHIPMENT };
}

async function lockAndUnstock(taken: readonly PlacedChange[]): Promise<void> {
  await inTransaction(async (tx) => sendAll(tx, buildUnstock(await lockStockAt(tx, taken), taken, null)));
}

async function deleteItem(item: TestStockItem): Promise<void> {
  const by = { user_id: null, now: new Date() };
  await inTransaction((tx) => removeStock(tx, { id: item.id, stock_location_id: null }, by));
}

test('backorders are filled by what arrives less what leaves, without units that were never on hand', () => {
  const changes = [
    { stock_item_id: 1, quantity: 3 },
    { stock_item_id: 1, quantity: -2 },
    { stock_item_id: 1, quantity: 50, fills_backorders: false },
    { stock_item_id: 1, quantity: -1, fills_backorders: false },
    { stock_item_id: 2, quantity: 7, fills_backorders: true },
  ];
  expect([...sumIncreases(changes)]).toEqual([
    [1, 0],
    [2, 7],
  ]);
});

test('a change of a stock item that does not exist changes none', async () => {
  const item = await aStockItem({ count_on_hand: 5 });
  const changes = [
    { stock_item_id: item.id, quantity: 1 },
    { stock_item_id: 2_000_000_000, quantity: 1 },
  ];
  const adjusted = inTransaction((tx) => adjustStock(tx, changes, failOnFilledBackorders));
  await expect(adjusted).rejects.toThrow(NotFound);
  expect(await getStockCounts(item)).toEqual({ count_on_hand: 5, ledger: 5 });
});

describe('buildUnstock', () => {
  test('records one movement per change, with its originator, and sums changes of one item', async () => {
    const item = await aStockItem({ count_on_hand: 5 });
    await lockAndUnstock([buildChange(item, 2), buildChange(item, 3)]);
    expect(await getStockCounts(item)).toEqual({ count_on_hand: 0, ledger: 0 });
    const movements = await testDb()('stock_movements')
      .where({ stock_item_id: item.id })
      .orderBy('id')
      .offset(1);
    expect(movements).toMatchObject([
      { quantity: -2, action: 'sold', originator_type: 'Store::Shipment', originator_id: 77, counted: true },
      { quantity: -3, action: 'sold', originator_type: 'Store::Shipment', originator_id: 77, counted: true },
    ]);
  });

  test('two changes that exceed the count together change nothing', async () => {
    const item = await aStockItem({ count_on_hand: 4 });
    const other = await aStockItem({ count_on_hand: 4 });
    const error = await lockAndUnstock([
      buildChange(other, 1),
      buildChange(item, 2),
      buildChange(item, 3),
    ]).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(InvalidResource);
    expect(error.errors).toEqual({ count_on_hand: ['must be greater than or equal to 0'] });
    expect(await getStockCounts(item)).toEqual({ count_on_hand: 4, ledger: 4 });
    expect(await getStockCounts(other)).toEqual({ count_on_hand: 4, ledger: 4 });
  });

  test('backorderable items go below zero; untracked variants are only recorded', async () => {
    const owing = await aStockItem({ count_on_hand: 1, backorderable: true });
    const variant = await aStockedVariant({ track_inventory: false });
    const endless = await aStockItem({ variant_id: variant.id });
    await lockAndUnstock([buildChange(owing, 3), buildChange(endless, 50)]);
    expect(await getStockCounts(owing)).toEqual({ count_on_hand: -2, ledger: -2 });
    expect(await getStockCounts(endless)).toEqual({ count_on_hand: 0, ledger: 0 });
    expect(await testDb()('stock_movements').where({ stock_item_id: endless.id }).pluck('quantity')).toEqual([
      -50,
    ]);
  });

  test('locked rows are ordered by id, without duplicates and deleted items', async () => {
    const [first, second, deleted] = [
      await aStockItem(),
      await aStockItem({ backorderable: true }),
      await aStockItem(),
    ];
    await deleteItem(deleted);
    const locked = await inTransaction((tx) => lockStockAt(tx, [second, deleted, first, second]));
    expect(locked).toEqual(
      [first, second].map(({ id, stock_location_id, variant_id, backorderable }) => {
        const counted = { count_on_hand: 0, tracks_inventory: true, is_at_active_location: true };
        return { id, stock_location_id, variant_id, backorderable, ...counted };
      }),
    );
  });

  test('rows are locked by id, in whatever order they are named', async () => {
    const items: TestStockItem[] = [];
    for (let count = 0; count < 7; count += 1) items.push(await aStockItem());
    const named = [5, 1, 6, 0, 3, 2, 4].flatMap((index) => items.at(index) ?? []);
    const ids = items.map(({ id }) => id).sort((one, other) => one - other);
    const byPlace = await inTransaction((tx) => lockStockItemsAt(tx, named));
    expect(byPlace.map(({ id }) => id)).toEqual(ids);
    const byId = await inTransaction((tx) =>
      lockStockItems(
        tx,
        named.map(({ id }) => id),
      ),
    );
    expect(byId.map(({ id }) => id)).toEqual(ids);
  });

  test('the number of statements does not depend on the number of items', async () => {
    const location = await aStockLocation();
    const items: TestStockItem[] = [];
    for (let made = 0; made < 8; made++) {
      items.push(await aStockItem({ stock_location_id: location.id, count_on_hand: 9 }));
    }
    const cost = (taken: PlacedChange[]) => countQueries(() => lockAndUnstock(taken));
    const one = await cost(items.slice(0, 1).map((item) => buildChange(item, 1)));
    expect(await cost(items.map((item) => buildChange(item, 1)))).toBe(one);
    // BEGIN, lock, counts with movements, COMMIT
    expect(one).toBe(4);
    const back = (returned: PlacedChange[]) =>
      countQueries(() => inTransaction((tx) => restock(tx, returned, failOnFilledBackorders)));
    expect(await back(items.map((item) => buildChange(item, 1)))).toBe(
      await back(items.slice(0, 1).map((item) => buildChange(item, 1))),
    );
  });
});

describe('the one statement of buildUnstock', () => {
  test('records movements and counts, for items of one or many places', async () => {
    const items = [await aStockItem({ count_on_hand: 5 }), await aStockItem({ backorderable: true })];
    const taken = items.flatMap((item) => [buildChange(item, 2), buildChange(item, 1)]);
    await inTransaction(async (tx) => sendAll(tx, buildUnstock(await lockStockAt(tx, taken), taken, null)));
    expect(await Promise.all(items.map(getStockCounts))).toEqual([
      { count_on_hand: 2, ledger: 2 },
      { count_on_hand: -3, ledger: -3 },
    ]);
    const movements = await testDb()('stock_movements')
      .where({ stock_item_id: items[1]?.id ?? 0 })
      .orderBy('id');
    expect(movements.slice(-2)).toMatchObject([
      { quantity: -2, action: 'sold', originator_type: 'Store::Shipment', originator_id: 77, counted: true },
      { quantity: -1, action: 'sold', originator_type: 'Store::Shipment', originator_id: 77, counted: true },
    ]);
  });

  test('refuses more than a locked count before it sends a statement', async () => {
    const item = await aStockItem({ count_on_hand: 4 });
    const taken = [buildChange(item, 2), buildChange(item, 3)];
    await inTransaction(async (tx) => {
      const locked = await lockStockAt(tx, taken);
      const sent = await countQueries(() => {
        expect(() => buildUnstock(locked, taken, null)).toThrow(InvalidResource);
        return Promise.resolve();
      });
      expect(sent).toBe(0);
    });
  });

  test('fails in the database if a count has changed since it was locked', async () => {
    const item = await aStockItem({ count_on_hand: 4 });
    const taken = [buildChange(item, 3)];
    const twice = inTransaction(async (tx) => {
      const locked = await lockStockAt(tx, taken);
      sendAll(tx, buildUnstock(locked, taken, null));
      sendAll(tx, buildUnstock(locked, taken, null));
    });
    await expect(twice).rejects.toMatchObject({ code: '23514' });
    expect(await getStockCounts(item)).toEqual({ count_on_hand: 4, ledger: 4 });
  });

  test('records movements of untracked variants without changing their count', async () => {
    const item = await aStockItem({ count_on_hand: 1 });
    await testDb()('variants').where({ id: item.variant_id }).update({ track_inventory: false });
    const taken = [buildChange(item, 3)];
    await inTransaction(async (tx) => sendAll(tx, buildUnstock(await lockStockAt(tx, taken), taken, null)));
    expect(await getStockCounts(item)).toEqual({ count_on_hand: 1, ledger: 1 });
    const last = await testDb()('stock_movements')
      .where({ stock_item_id: item.id })
      .orderBy('id', 'desc')
      .first();
    expect(last).toMatchObject({ quantity: -3, counted: false });
  });
});

describe('restock', () => {
  test('fills backorders of other orders and reports their units', async () => {
    const item = await aStockItem({ backorderable: true });
    const waiting = await aWaitingOrder(item, { quantity: 2 });
    const filled: number[] = [];
    await inTransaction((tx) =>
      restock(
        tx,
        [buildChange(item, 1)],
        Object.assign(
          async (units: Parameters<OnBackordersFilled>[0]) => {
            filled.push(...listOrderIds(units));
            await fillBackorders(tx, { units, order_ids: [], user_id: null });
          },
          { user_id: null },
        ),
      ),
    );
    expect(filled).toEqual([waiting.id]);
    expect((await getFillState(waiting)).units).toEqual(['on_hand', 'backordered']);
    expect(await getStockCounts(item)).toEqual({ count_on_hand: -1, ledger: -1 });
  });

  test('units that were never on hand fill no backorders', async () => {
    const item = await aStockItem({ backorderable: true });
    const waiting = await aWaitingOrder(item);
    const canceled = { ...buildChange(item, 3), fills_backorders: false };
    await inTransaction((tx) => restock(tx, [canceled], failOnFilledBackorders));
    expect((await getFillState(waiting)).units).toEqual(['backordered']);
    expect((await getStockCounts(item)).count_on_hand).toBe(2);
    // Stock on hand next to a backorder is a violation for `verify`, so the waiting order is canceled.
    await testDb()('orders').where({ id: waiting.id }).update({ state: 'canceled' });
  });

  test('records units that return to a deleted stock item, but does not count them', async () => {
    const item = await aStockItem({ count_on_hand: 1 });
    const deleted = await aStockItem({ count_on_hand: 1 });
    await deleteItem(deleted);
    await inTransaction((tx) =>
      restock(tx, [buildChange(deleted, 4), buildChange(item, 4)], failOnFilledBackorders),
    );
    expect((await getStockCounts(item)).count_on_hand).toBe(5);
    expect(await getStockCounts(deleted)).toEqual({ count_on_hand: 0, ledger: 0 });
    const movements = await testDb()('stock_movements').where({ stock_item_id: deleted.id }).orderBy('id');
    expect(movements.map(({ quantity, counted, action }) => [quantity, counted, action])).toEqual([
      [1, true, null],
      [-1, true, 'removed'],
      [4, false, 'sold'],
    ]);
  });

  test('a change of a deleted stock item by id is refused', async () => {
    const item = await aStockItem({ count_on_hand: 1 });
    await deleteItem(item);
    const change = { stock_item_id: item.id, quantity: 1 };
    await expect(
      inTransaction((tx) => adjustStock(tx, [change], failOnFilledBackorders)),
    ).rejects.toBeInstanceOf(NotFound);
  });
});

describe('random histories', () => {
  type Step =
    | { kind: 'adjust'; on: number; quantity: number }
    | { kind: 'set'; on: number; quantity: number }
    | { kind: 'take'; on: number; quantity: number }
    | { kind: 'return'; on: number; quantity: number }
    | { kind: 'correct'; on: number; quantity: number; which: number };

  const on = fc.nat(1);
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ kind: fc.constant('adjust' as const), on, quantity: fc.integer({ min: -9, max: 9 }) }),
    fc.record({ kind: fc.constant('set' as const), on, quantity: fc.integer({ min: -5, max: 9 }) }),
    fc.record({ kind: fc.constant('take' as const), on, quantity: fc.integer({ min: 1, max: 6 }) }),
    fc.record({ kind: fc.constant('return' as const), on, quantity: fc.integer({ min: 1, max: 6 }) }),
    fc.record({
      kind: fc.constant('correct' as const),
      on,
      quantity: fc.integer({ min: -9, max: 9 }),
      which: fc.nat(20),
    }),
  );

  interface Model {
    item: TestStockItem;
    movements: { id: number; quantity: number; originator_type: string | null }[];
  }

  const sum = (model: Model): number => model.movements.reduce((all, { quantity }) => all + quantity, 0);

  /** Returns the expected change of the count and of a corrected movement; null if the step must be refused. */
  function predictOutcome(
    model: Model,
    step: Step,
  ): { change: number; correct?: { id: number; quantity: number } } | null {
    const quantity = step.kind === 'take' ? -step.quantity : step.quantity;
    const correct =
      step.kind === 'correct' ? model.movements[step.which % model.movements.length] : undefined;
    if (step.kind === 'correct' && correct === undefined) return { change: 0 };
    if (correct?.originator_type != null) return null;
    const change =
      step.kind === 'set'
        ? quantity - sum(model)
        : correct === undefined
          ? quantity
          : quantity - correct.quantity;
    if (change < 0 && sum(model) + change < 0 && !model.item.backorderable) return null;
    return correct === undefined ? { change } : { change, correct: { id: correct.id, quantity } };
  }

  async function run({ item, movements }: Model, step: Step): Promise<void> {
    const { quantity } = step;
    await inTransaction(async (tx) => {
      if (step.kind === 'adjust') {
        await adjustStock(tx, [{ stock_item_id: item.id, quantity }], failOnFilledBackorders);
      } else if (step.kind === 'set') {
        await setStock(tx, { stock_item_id: item.id, count: quantity }, failOnFilledBackorders);
      } else if (step.kind === 'take') {
        const taken = [buildChange(item, quantity)];
        sendAll(tx, buildUnstock(await lockStockAt(tx, taken), taken, null));
      } else if (step.kind === 'return') {
        await restock(tx, [buildChange(item, quantity)], failOnFilledBackorders);
      } else {
        const movement = movements[step.which % movements.length];
        if (movement !== undefined) {
          await rewriteMovement(tx, { movement_id: movement.id, quantity }, failOnFilledBackorders);
        }
      }
    });
  }

  test('the count is always the sum of the movements, and below zero only if the item is backorderable', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
        const models: Model[] = [
          { item: await aStockItem({ backorderable: false }), movements: [] },
          { item: await aStockItem({ backorderable: true }), movements: [] },
        ];
        for (const step of steps) {
          const model = models[step.on];
          if (model === undefined) throw new Error('two items');
          const outcome = predictOutcome(model, step);
          const refused = await run(model, step).then(
            () => false,
            (error: unknown) => {
              expect(error).toBeInstanceOf(InvalidResource);
              return true;
            },
          );
          expect(refused).toBe(outcome === null);
          const before = sum(model);
          model.movements = await testDb()('stock_movements')
            .where({ stock_item_id: model.item.id })
            .orderBy('id')
            .select('id', 'quantity', 'originator_type');
          expect(sum(model)).toBe(before + (outcome?.change ?? 0));
          expect(await getStockCounts(model.item)).toEqual({ count_on_hand: sum(model), ledger: sum(model) });
          if (outcome?.correct !== undefined) {
            expect(model.movements).toContainEqual({ ...outcome.correct, originator_type: null });
          }
        }
      }),
      { numRuns: 25 },
    );
  });
});

describe('availability', () => {
  test('sums active locations that are not deleted', async () => {
    const variant = await aStockedVariant();
    const [open, also, inactive, closed] = [
      await aStockLocation(),
      await aStockLocation(),
      await aStockLocation({ active: false }),
      await aStockLocation(),
    ];
    const stock = { variant_id: variant.id, count_on_hand: 4 };
    await aStockItem({ ...stock, stock_location_id: open.id });
    await aStockItem({ ...stock, stock_location_id: also.id, count_on_hand: 3 });
    await aStockItem({ ...stock, stock_location_id: inactive.id, backorderable: true });
    await aStockItem({ ...stock, stock_location_id: closed.id, backorderable: true });
    await deleteItem(
      await aStockItem({ ...stock, stock_location_id: (await aStockLocation()).id, backorderable: true }),
    );
    await testDb()('stock_locations').where({ id: closed.id }).update({ deleted_at: new Date() });
    const nowhere = await aStockedVariant({ track_inventory: false });

    const found = await loadAvailability(testDb(), [variant.id, nowhere.id, 2147483647]);

    expect([...found.values()]).toEqual(
      expect.arrayContaining([
        { variant_id: variant.id, tracks_inventory: true, total_on_hand: 7, backorderable: false },
        { variant_id: nowhere.id, tracks_inventory: false, total_on_hand: 0, backorderable: false },
      ]),
    );
    expect(found.size).toBe(2);

    const byLocation = await loadStockByLocation(testDb(), [variant.id]);
    expect(byLocation.stock).toEqual([
      { stock_location_id: open.id, variant_id: variant.id, count_on_hand: 4, backorderable: false },
      { stock_location_id: also.id, variant_id: variant.id, count_on_hand: 3, backorderable: false },
    ]);
  });

  test('one backorderable item at an active location suffices', async () => {
    const item = await aStockItem({ count_on_hand: 1 });
    await aStockItem({ variant_id: item.variant_id, count_on_hand: -5, backorderable: true });
    expect((await loadAvailability(testDb(), [item.variant_id])).get(item.variant_id)).toMatchObject({
      total_on_hand: -4,
      backorderable: true,
    });
  });

  test('locations are ordered default first, then by name, without inactive ones', async () => {
    const [zebra, apple, hidden] = [
      await aStockLocation({ name: 'zebra' }),
      await aStockLocation({ name: 'Apple' }),
      await aStockLocation({ name: 'hidden', active: false }),
    ];
    const { locations } = await loadStockByLocation(testDb(), []);
    expect(locations[0]).toMatchObject({ is_default: true });
    const ids = locations.map(({ id }) => id);
    expect(ids.indexOf(apple.id)).toBeGreaterThan(0);
    expect(ids.indexOf(apple.id)).toBeLessThan(ids.indexOf(zebra.id));
    expect(ids).not.toContain(hidden.id);
  });

  test('both loaders use the same number of statements for one variant and for many', async () => {
    const ids: number[] = [];
    for (let made = 0; made < 4; made++) ids.push((await aStockItem({ count_on_hand: 1 })).variant_id);
    for (const load of [loadAvailability, loadStockByLocation]) {
      const one = await countQueries(() => load(testDb(), ids.slice(0, 1)));
      expect(await countQueries(() => load(testDb(), ids))).toBe(one);
    }
  });
});
