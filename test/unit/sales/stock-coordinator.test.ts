import fc from 'fast-check';
import {
  type DesiredItem,
  calculateFill,
  type LocationFacts,
  packOrder,
  type ProposedUnit,
  planRefill,
  type StockCount,
} from '../../../src/sales/fulfilment/stock-coordinator';
import { listSupplyUnits } from '../../../src/sales/fulfilment/supply';

const main: LocationFacts = { id: 1, name: 'zzz', is_default: true };
const berlin: LocationFacts = { id: 2, name: 'Berlin', is_default: false };
const aachen: LocationFacts = { id: 3, name: 'Aachen', is_default: false };

const want = (variant_id: number, quantity: number, changes: Partial<DesiredItem> = {}): DesiredItem => ({
  line_item_id: variant_id * 10,
  variant_id,
  quantity,
  shipping_category_id: 1,
  tracks_inventory: true,
  ...changes,
});
const has = (
  stock_location_id: number,
  variant_id: number,
  count_on_hand: number,
  backorderable = false,
): StockCount => ({
  stock_location_id,
  variant_id,
  count_on_hand,
  backorderable,
});
/** `location/category/state: variant x quantity` */
const shown = (plan: ReturnType<typeof packOrder>): string[] =>
  plan.packages.map(
    (box) =>
      `${box.stock_location_id}/${box.shipping_category_id}/${box.state}: ` +
      box.contents.map((content) => `${content.variant_id}x${content.quantity}`).join(' '),
  );

describe('packOrder', () => {
  test('one location with all items makes one package', () => {
    const plan = packOrder([want(1, 2), want(2, 1)], [has(1, 1, 5), has(1, 2, 5)], [main]);
    expect(shown(plan)).toEqual(['1/1/on_hand: 1x2 2x1']);
    expect(plan.shortages).toEqual([]);
  });

  test('the default location is used first, then the others by name', () => {
    const stock = [has(2, 1, 2), has(3, 1, 2), has(1, 1, 2)];
    expect(shown(packOrder([want(1, 5)], stock, [berlin, aachen, main]))).toEqual([
      '1/1/on_hand: 1x2',
      '3/1/on_hand: 1x2',
      '2/1/on_hand: 1x1',
    ]);
  });

  test('no unit is backordered while a location has it on hand', () => {
    const stock = [has(1, 1, 3, true), has(2, 1, 4)];
    expect(shown(packOrder([want(1, 5)], stock, [main, berlin]))).toEqual([
      '1/1/on_hand: 1x3',
      '2/1/on_hand: 1x2',
    ]);
  });

  test('the rest is backordered at the first backorderable location, in a separate package', () => {
    const stock = [has(1, 1, 1), has(2, 1, 1, true)];
    expect(shown(packOrder([want(1, 5)], stock, [main, berlin]))).toEqual([
      '1/1/on_hand: 1x1',
      '2/1/on_hand: 1x1',
      '2/1/backordered: 1x3',
    ]);
  });

  test('a backordered package follows the on-hand package of its location', () => {
    const stock = [has(1, 1, 0, true), has(1, 2, 5)];
    expect(shown(packOrder([want(1, 1), want(2, 1)], stock, [main]))).toEqual([
      '1/1/on_hand: 2x1',
      '1/1/backordered: 1x1',
    ]);
  });

  test('shipping categories have separate packages', () => {
    const items = [want(1, 1, { shipping_category_id: 9 }), want(2, 1, { shipping_category_id: 4 })];
    expect(shown(packOrder(items, [has(1, 1, 1), has(1, 2, 1)], [main]))).toEqual([
      '1/9/on_hand: 1x1',
      '1/4/on_hand: 2x1',
    ]);
  });

  test('two line items of one variant share its stock', () => {
    const items = [want(1, 2), want(1, 2, { line_item_id: 99 })];
    const plan = packOrder(items, [has(1, 1, 3)], [main]);
    expect(plan.packages[0]?.contents).toEqual([
      { line_item_id: 10, variant_id: 1, quantity: 2 },
      { line_item_id: 99, variant_id: 1, quantity: 1 },
    ]);
    expect(plan.shortages).toEqual([{ line_item_id: 99, variant_id: 1, quantity: 1 }]);
  });

  test('a negative count on hand counts as zero', () => {
    expect(packOrder([want(1, 1)], [has(1, 1, -3)], [main]).shortages).toHaveLength(1);
    expect(shown(packOrder([want(1, 1)], [has(1, 1, -3, true)], [main]))).toEqual(['1/1/backordered: 1x1']);
  });

  test('untracked variants ship from the first location that has another item of the order', () => {
    const items = [want(1, 1), want(2, 7, { tracks_inventory: false })];
    expect(shown(packOrder(items, [has(2, 1, 1)], [main, berlin]))).toEqual(['2/1/on_hand: 1x1 2x7']);
    expect(shown(packOrder([want(2, 7, { tracks_inventory: false })], [], [main, berlin]))).toEqual([
      '1/1/on_hand: 2x7',
    ]);
  });

  test('stock of unknown locations is ignored, and without locations nothing ships', () => {
    expect(packOrder([want(1, 1)], [has(5, 1, 9, true)], [main]).shortages).toHaveLength(1);
    expect(packOrder([want(1, 1, { tracks_inventory: false })], [], []).shortages).toHaveLength(1);
  });

  const variants = fc.integer({ min: 1, max: 4 });
  const items = fc.array(
    fc.record({
      line_item_id: fc.nat(),
      variant_id: variants,
      quantity: fc.nat(9),
      shipping_category_id: fc.constantFrom(1, 2),
      tracks_inventory: fc.constant(true),
    }),
    { maxLength: 6 },
  );
  const stock = fc.uniqueArray(
    fc.record({
      stock_location_id: fc.integer({ min: 1, max: 3 }),
      variant_id: variants,
      count_on_hand: fc.integer({ min: -5, max: 12 }),
      backorderable: fc.boolean(),
    }),
    { selector: (count) => `${count.stock_location_id}/${count.variant_id}`, maxLength: 12 },
  );
  const sumBy = <T>(list: readonly T[], numberOf: (entry: T) => number): number =>
    list.reduce((all, entry) => all + numberOf(entry), 0);

  test('for any order and stock: units are packed or short, never more than in stock', () => {
    fc.assert(
      fc.property(items, stock, (wanted, counts) => {
        const before = structuredClone(counts);
        const plan = packOrder(wanted, counts, [main, berlin, aachen]);
        expect(counts).toEqual(before);

        const pieces = plan.packages.flatMap((box) =>
          box.contents.map((content) => ({ ...box, ...content })),
        );
        expect(pieces.every((piece) => piece.quantity > 0)).toBe(true);
        for (const variant_id of [1, 2, 3, 4]) {
          const of = <T extends { variant_id: number }>(list: readonly T[]): T[] =>
            list.filter((entry) => entry.variant_id === variant_id);
          const missing = sumBy(of(plan.shortages), (shortage) => shortage.quantity);
          const onHand = of(pieces).filter((piece) => piece.state === 'on_hand');
          const backordered = of(pieces).filter((piece) => piece.state === 'backordered');
          const demand = sumBy(of(wanted), (item) => item.quantity);
          expect(sumBy(of(pieces), (piece) => piece.quantity) + missing).toBe(demand);

          const available = sumBy(of(counts), (count) => Math.max(0, count.count_on_hand));
          const mayBackorder = of(counts).some((count) => count.backorderable);
          expect(sumBy(onHand, (piece) => piece.quantity)).toBe(Math.min(demand, available));
          expect(missing).toBe(mayBackorder ? 0 : Math.max(0, demand - available));
          for (const count of of(counts)) {
            const here = (piece: { stock_location_id: number }): boolean =>
              piece.stock_location_id === count.stock_location_id;
            const taken = sumBy(onHand.filter(here), (piece) => piece.quantity);
            expect(taken).toBeLessThanOrEqual(Math.max(0, count.count_on_hand));
            if (!count.backorderable) expect(backordered.filter(here)).toEqual([]);
          }
        }
        const kinds = plan.packages.map(
          (box) => `${box.stock_location_id}/${box.shipping_category_id}/${box.state}`,
        );
        expect(new Set(kinds).size).toBe(kinds.length);
      }),
    );
  });

  test('the order of the rows does not matter', () => {
    fc.assert(
      fc.property(items, stock, (wanted, counts) => {
        const there = packOrder(wanted, counts, [main, berlin, aachen]);
        const back = packOrder(wanted, counts.toReversed(), [aachen, berlin, main]);
        expect(back).toEqual(there);
      }),
    );
  });
});

describe('planRefill', () => {
  const unit = (id: number, changes: Partial<ProposedUnit> = {}): ProposedUnit => ({
    id,
    variant_id: 1,
    stock_location_id: 1,
    tracks_inventory: true,
    state: 'on_hand',
    ...changes,
  });
  const place = { stock_location_id: 1, variant_id: 1 };

  test('a unit no longer in stock becomes backordered if the stock item is backorderable', () => {
    expect(planRefill([unit(1), unit(2)], [has(1, 1, 1, true)])).toEqual({
      units: [
        { id: 1, state: 'on_hand' },
        { id: 2, state: 'backordered' },
      ],
      taken: [{ ...place, quantity: 2 }],
      shortages: [],
    });
  });

  test('else it is short, even if another location has it', () => {
    const plan = planRefill([unit(1), unit(2)], [has(1, 1, 1), has(2, 1, 50)]);
    expect(plan.shortages).toEqual([{ ...place, quantity: 1 }]);
  });

  test('a backordered unit becomes on hand if stock has arrived, after units that were on hand before', () => {
    const units = [unit(1, { state: 'backordered' }), unit(2)];
    expect(planRefill(units, [has(1, 1, 1, true)]).units).toEqual([
      { id: 2, state: 'on_hand' },
      { id: 1, state: 'backordered' },
    ]);
    expect(planRefill(units, [has(1, 1, 2)]).units.map(({ state }) => state)).toEqual(['on_hand', 'on_hand']);
  });

  test('untracked units are on hand and need no stock', () => {
    expect(planRefill([unit(1, { tracks_inventory: false })], [])).toEqual({
      units: [{ id: 1, state: 'on_hand' }],
      taken: [],
      shortages: [],
    });
  });

  test('a deleted stock item has no stock', () => {
    expect(planRefill([unit(1)], []).shortages).toEqual([{ ...place, quantity: 1 }]);
  });

  test('every unit with a state is unstocked, and only backorderable counts go below zero', () => {
    const units = fc.array(
      fc.record({
        variant_id: fc.constantFrom(1, 2),
        stock_location_id: fc.constantFrom(1, 2),
        tracks_inventory: fc.constant(true),
        state: fc.constantFrom('on_hand' as const, 'backordered' as const),
      }),
      { maxLength: 20 },
    );
    const counts = fc.tuple(fc.integer({ min: -3, max: 8 }), fc.boolean());
    fc.assert(
      fc.property(units, counts, counts, (loose, [one, oneMay], [other, otherMay]) => {
        const all = loose.map((facts, id) => ({ ...facts, id }));
        const stock = [has(1, 1, one, oneMay), has(2, 2, other, otherMay)];
        const plan = planRefill(all, stock);
        const taken = plan.taken.reduce((sum, entry) => sum + entry.quantity, 0);
        const missing = plan.shortages.reduce((sum, entry) => sum + entry.quantity, 0);
        expect(plan.units).toHaveLength(taken);
        expect(taken + missing).toBe(all.length);
        for (const entry of plan.taken) {
          const item = stock.find((count) => count.stock_location_id === entry.stock_location_id);
          expect(item?.backorderable || entry.quantity <= (item?.count_on_hand ?? 0)).toBe(true);
        }
      }),
    );
  });
});

test('calculateFill of one stock item', () => {
  expect(calculateFill({ count_on_hand: 2, backorderable: false }, 5)).toEqual({
    on_hand: 2,
    backordered: 0,
    missing: 3,
  });
  expect(calculateFill({ count_on_hand: 2, backorderable: true }, 5)).toEqual({
    on_hand: 2,
    backordered: 3,
    missing: 0,
  });
  expect(calculateFill({ count_on_hand: 9, backorderable: true }, 5)).toEqual({
    on_hand: 5,
    backordered: 0,
    missing: 0,
  });
  expect(calculateFill(null, 5)).toEqual({ on_hand: 0, backordered: 0, missing: 5 });
});

test('of locations with the same name, the older one ships', () => {
  const count = { variant_id: 7, count_on_hand: 5, backorderable: false };
  const twin = { ...berlin, id: 9 };
  const stock = [twin, berlin].map(({ id }) => ({ ...count, stock_location_id: id }));
  for (const locations of [
    [twin, berlin],
    [berlin, twin],
  ]) {
    const { packages } = packOrder([want(7, 3)], stock, locations);
    expect(packages.map(({ stock_location_id }) => stock_location_id)).toEqual([berlin.id]);
  }
});

test('a supply has no groups without units', () => {
  const fills = new Map([
    [7, { on_hand: 2, backordered: 0 }],
    [8, { on_hand: 1, backordered: 3 }],
  ]);
  const supply = { stock_location_id: 1, demands: [], fills, locked: [] };
  const list = (variant_id: number) => listSupplyUnits(supply, { variant_id, quantity: 2 });
  expect(list(7)).toEqual([{ state: 'on_hand', quantity: 2 }]);
  expect(list(8)).toEqual([
    { state: 'on_hand', quantity: 1 },
    { state: 'backordered', quantity: 3 },
  ]);
  expect(list(9)).toEqual([]);
});
