import fc from 'fast-check';
import {
  multiply,
  negate,
  sum,
  sumOf,
  toAmount,
  toDecimal,
  ZERO,
  type Amount,
} from '../../../src/platform/money';
import type { LineItemRow, OrderGraph, ShipmentGraph } from '../../../src/sales/order/order-graph';
import { closeDiscounts, isTaxable, recalculateKept } from '../../../src/sales/pricing/kept-adjustments';
import { buildAdjustment } from '../../../src/sales/pricing/new-adjustment';
import { listReturnedLines } from '../../../src/sales/pricing/returned-lines';
import { calculateDiscounts, type DiscountOffer } from '../../../src/sales/pricing/promotion-amounts';
import { calculateTax } from '../../../src/sales/pricing/tax-rules';

type PricedOrder = Pick<OrderGraph, 'currency' | 'line_items' | 'shipments' | 'adjustments'>;

interface Sold {
  currency?: string;
  lines: { price: string; quantity: number }[];
  costs?: string[];
  offers?: Partial<DiscountOffer>[];
  taxes?: { rate: string; included_rates: string; included?: boolean }[];
}

/** What adjustments take from their order. */
const SOLD = { id: 1, completed_at: new Date(0), transaction_time: new Date(0) };

/** Builds an order with the discounts and taxes of its completion, as the checkout calculates them. */
function sell({ currency = 'USD', lines, costs = [], offers = [], taxes = [] }: Sold): PricedOrder {
  // The calculation reads only these columns.
  const line_items = lines.map((line, index) => ({ id: index + 1, ...line }) as LineItemRow);
  const shipments = costs.map((cost, index) => ({ id: index + 1, cost }) as ShipmentGraph);
  const discounts = calculateDiscounts(
    {
      currency,
      lines: line_items.map(({ id, price, quantity }) => ({
        id,
        amount: multiply(toAmount(price), quantity),
      })),
      shipments: shipments.map(({ id, cost }) => ({ id, cost: toAmount(cost) })),
    },
    offers.map((offer, index) => ({
      action_id: index + 1,
      type: 'order_percent',
      percent: null,
      amount: null,
      currency,
      label: 'Sale',
      is_eligible: true,
      needs_code: false,
      line_ids: new Set(line_items.map(({ id }) => id)),
      ...offer,
    })),
  );
  const rows = discounts.map(({ amount, ...discount }) =>
    buildAdjustment(SOLD, {
      ...discount,
      source_type: 'Store::PromotionAction',
      amount: toDecimal(amount),
    }),
  );
  for (const part of [
    ...line_items.map(({ id }) => ({ line_item_id: id, shipment_id: null })),
    ...shipments.map(({ id }) => ({ line_item_id: null, shipment_id: id })),
  ]) {
    for (const tax of taxes) {
      const unset = { source_type: 'Store::TaxRate', source_id: null, amount: '0.0', label: 'Tax' } as const;
      rows.push(buildAdjustment(SOLD, { ...part, ...tax, ...unset }));
    }
  }
  const adjustments = rows.map((row, index) => ({ ...row, id: index + 1 }));
  const order = { currency, line_items, shipments, adjustments };
  const kept = new Map(closeDiscounts(order).map((row) => [row.id, row]));
  return follow({ ...order, adjustments: adjustments.map((row) => ({ ...row, ...kept.get(row.id) })) });
}

/** Recalculates the order. */
function follow(order: PricedOrder): PricedOrder {
  const changed = new Map(recalculateKept(order).map((row) => [row.id, row]));
  return { ...order, adjustments: order.adjustments.map((row) => changed.get(row.id) ?? row) };
}

/** Changes one line item of the order. */
function change(order: PricedOrder, values: { price?: string; quantity?: number }, index = 0): PricedOrder {
  const line_items = order.line_items.map((line, place) => (place === index ? { ...line, ...values } : line));
  return follow({ ...order, line_items });
}

const amountsOf = (order: PricedOrder): string[] => order.adjustments.map(({ amount }) => amount);
const one = [{ price: '15.99', quantity: 1 }];

describe('the adjustments of a completed order', () => {
  test.each<[string, Sold, { price?: string; quantity?: number }, string[], string[]]>([
    [
      'an added tax follows from 1 to 10',
      { lines: [{ price: '15.99', quantity: 1 }], taxes: [{ rate: '0.0906', included_rates: '0' }] },
      { quantity: 10 },
      ['1.45'],
      ['14.49'],
    ],
    [
      'an added tax follows from 10 to 1',
      { lines: [{ price: '15.99', quantity: 10 }], taxes: [{ rate: '0.0906', included_rates: '0' }] },
      { quantity: 1 },
      ['14.49'],
      ['1.45'],
    ],
    [
      'an included tax follows',
      {
        lines: [{ price: '119', quantity: 1 }],
        taxes: [{ rate: '0.19', included_rates: '0.19', included: true }],
      },
      { quantity: 3 },
      ['19.0'],
      ['57.0'],
    ],
    [
      'the refund of an included tax follows',
      { lines: [{ price: '119', quantity: 2 }], taxes: [{ rate: '-0.19', included_rates: '0.19' }] },
      { quantity: 1 },
      ['-38.0'],
      ['-19.0'],
    ],
    [
      'a percentage of the order and the tax after it follow',
      {
        lines: one,
        offers: [{ type: 'order_percent', percent: '10' }],
        taxes: [{ rate: '0.1', included_rates: '0' }],
      },
      { quantity: 10 },
      ['-1.6', '1.44'],
      ['-15.99', '14.39'],
    ],
    [
      'a percentage of a line item follows its price',
      { lines: one, offers: [{ type: 'line_percent', percent: '25' }] },
      { price: '100' },
      ['-4.0'],
      ['-25.0'],
    ],
    [
      'a flat amount shrinks in proportion',
      { lines: [{ price: '10', quantity: 2 }], offers: [{ type: 'order_amount', amount: '4' }] },
      { quantity: 1 },
      ['-4.0'],
      ['-2.0'],
    ],
    [
      'a flat amount does not grow',
      { lines: one, offers: [{ type: 'line_amount', amount: '4' }] },
      { quantity: 10 },
      ['-4.0'],
      ['-4.0'],
    ],
    [
      'a tax that was rounded to zero follows',
      { lines: [{ price: '0.01', quantity: 1 }], taxes: [{ rate: '0.05', included_rates: '0' }] },
      { quantity: 1000 },
      ['0.0'],
      ['0.5'],
    ],
    [
      'yen stay whole',
      {
        currency: 'JPY',
        lines: [{ price: '333', quantity: 1 }],
        offers: [{ type: 'order_percent', percent: '10' }],
        taxes: [{ rate: '0.1', included_rates: '0.1', included: true }],
      },
      { quantity: 2 },
      ['-33.0', '27.0'],
      ['-67.0', '54.0'],
    ],
  ])('%s', (_name, sold, values, before, after) => {
    const order = sell(sold);
    expect(amountsOf(order)).toEqual(before);
    expect(amountsOf(change(order, values))).toEqual(after);
  });

  test('free shipping follows the cost', () => {
    const order = sell({ lines: one, costs: ['5'], offers: [{ type: 'free_shipping' }] });
    expect(amountsOf(order)).toEqual(['-5.0']);
    const shipments = order.shipments.map((shipment) => ({ ...shipment, cost: '12' }));
    expect(amountsOf(follow({ ...order, shipments }))).toEqual(['-12.0']);
  });

  test('the share of a percentage after discounts of line items stays in proportion', () => {
    const lines = [
      { price: '50', quantity: 1 },
      { price: '50', quantity: 1 },
    ];
    const order = sell({
      lines,
      offers: [
        { type: 'line_percent', percent: '50', line_ids: new Set([1]) },
        { type: 'order_percent', percent: '10' },
      ],
    });
    expect(amountsOf(order)).toEqual(['-25.0', '-3.33', '-6.67']);
    expect(amountsOf(change(order, { quantity: 3 }))).toEqual(['-75.0', '-10.0', '-6.67']);
  });

  test('discounts together take no more than the price', () => {
    const order = sell({
      lines: one,
      offers: [
        { type: 'line_amount', amount: '15' },
        { type: 'order_amount', amount: '10' },
      ],
    });
    expect(amountsOf(order)).toEqual(['-15.0', '-0.99']);
    expect(amountsOf(change(order, { price: '0' }))).toEqual(['0.0', '0.0']);
  });

  test('discounts that are rounded up together take no more than the price', () => {
    const order = sell({
      lines: [{ price: '10', quantity: 1 }],
      offers: [
        { type: 'line_amount', amount: '5' },
        { type: 'order_amount', amount: '5' },
      ],
    });
    expect(amountsOf(order)).toEqual(['-5.0', '-5.0']);
    expect(amountsOf(change(order, { price: '0.01' }))).toEqual(['-0.01', '0.0']);
  });

  test('discounts of a line item come before those of the order, and each kind in the order of their ids', () => {
    const order = sell({
      lines: [{ price: '10', quantity: 1 }],
      offers: [
        { type: 'line_amount', amount: '6' },
        { type: 'order_amount', amount: '4' },
      ],
    });
    const [ofLine, ofOrder] = order.adjustments;
    if (ofLine === undefined || ofOrder === undefined) throw new Error('a discount is missing');
    const reduce = (...adjustments: OrderGraph['adjustments']) =>
      change({ ...order, adjustments }, { price: '5' })
        .adjustments.toSorted((left, right) => left.id - right.id)
        .map(({ amount }) => amount);
    // Half of each, unless the first ones leave less: the terms of each were changed to more than half.
    const large = { ...ofLine, sold_amount: '-8.0' };
    expect(reduce({ ...ofOrder, id: 1 }, { ...large, id: 2 })).toEqual(['-1.0', '-4.0']);
    expect(reduce({ ...large, id: 5 }, { ...large, id: 4 })).toEqual(['-4.0', '-1.0']);
  });

  test('a share that was rounded up is the same while the line item costs the same', () => {
    const lines = Array.from({ length: 3 }, () => ({ price: '0.99', quantity: 1 }));
    const order = sell({ lines, offers: [{ type: 'order_percent', percent: '5' }] });
    const sold = amountsOf(order);
    expect(sold).toEqual(['-0.05', '-0.05', '-0.05']);
    const rounded = order.adjustments.map((row, at) => (at === 0 ? { ...row, sold_amount: '-0.06' } : row));
    expect(amountsOf(follow({ ...order, adjustments: rounded }))).toEqual(['-0.06', '-0.05', '-0.05']);
  });

  test('a shipment that took over another one keeps the sum of their taxes while it costs the same', () => {
    const order = sell({
      lines: one,
      costs: ['4.90'],
      taxes: [{ rate: '0.19', included_rates: '0.19', included: true }],
    });
    const keep = (terms: object): PricedOrder => ({
      ...order,
      adjustments: order.adjustments.map((row) => (row.shipment_id === null ? row : { ...row, ...terms })),
    });
    expect(amountsOf(order)).toEqual(['2.55', '0.78']);
    const merged = keep({ amount: '0.79', sold_amount: '0.79', sold_base: '4.90' });
    expect(amountsOf(follow(merged))).toEqual(['2.55', '0.79']);
    const shipments = order.shipments.map((shipment) => ({ ...shipment, cost: '9.80' }));
    expect(amountsOf(follow({ ...merged, shipments }))).toEqual(['2.55', '1.56']);
    expect(amountsOf(follow(keep({ sold_amount: null, sold_base: '4.90' })))).toEqual(['2.55', '0.78']);
  });

  test('a discount of an unknown base keeps its amount', () => {
    const order = sell({ lines: one, offers: [{ type: 'line_amount', amount: '5' }] });
    const adjustments = order.adjustments.map((row) => ({ ...row, sold_base: null }));
    expect(amountsOf(change({ ...order, adjustments }, { price: '8' }))).toEqual(['-5.0']);
  });

  test('eligible discounts and adjustments that staff want taxed change what is taxed', () => {
    const [row] = sell({ lines: one, offers: [{ type: 'line_amount', amount: '5' }] }).adjustments;
    if (row === undefined) throw new Error('no discount');
    const manual = { ...row, source_type: null };
    expect(
      [row, { ...row, eligible: false }, manual, { ...manual, taxed: true }].map((given) => isTaxable(given)),
    ).toEqual([true, false, false, true]);
  });

  test('ineligible, manual and open adjustments stay', () => {
    const order = sell({ lines: one, taxes: [{ rate: '0.1', included_rates: '0' }] });
    const [tax] = order.adjustments;
    if (tax === undefined) throw new Error('no tax');
    const adjustments = [
      { ...tax, eligible: false },
      { ...tax, closed: false },
      { ...tax, source_type: null },
    ];
    expect(recalculateKept({ ...change(order, { quantity: 7 }), adjustments })).toEqual([]);
  });
});

describe('a line item of which only returned units are left', () => {
  const nothing = { line_item_id: 1, included_tax: '0', additional_tax: '0' };
  const relief = { rate: '-0.08', included_rates: '0.08' };
  const state = { rate: '0.04', included_rates: '0' };
  const city = { rate: '0.04875', included_rates: '0' };
  const flat = { type: 'line_amount', amount: '2' } as const;

  test.each<[string, Sold, object, string[]]>([
    // Of two: (1554 - 115) / 2 = 719.5 and -115 / 2 = -57.5, both away from zero.
    [
      'the refund of an included tax takes the yen',
      { currency: 'JPY', lines: [{ price: '777', quantity: 1 }], taxes: [relief] },
      { price: '777', amount: '720', additional_tax: '-58' },
      ['-57.0'],
    ],
    [
      'taxes are those credited, by their rates',
      { lines: [{ price: '3.33', quantity: 1 }], taxes: [state, city] },
      { price: '3.33', amount: '3.63', additional_tax: '0.30' },
      ['0.14', '0.16'],
    ],
    [
      'what another price explains stays',
      { lines: [{ price: '3.33', quantity: 1 }], taxes: [state, city] },
      { price: '3.34', amount: '3.63', additional_tax: '0.30' },
      ['0.13', '0.16'],
    ],
    [
      'what several prices explain stays',
      { lines: [{ price: '3.33', quantity: 1 }], taxes: [state, city] },
      { price: null, amount: '3.63', additional_tax: '0.30' },
      ['0.13', '0.16'],
    ],
    [
      'a tax of 0 percent takes no cent, such as of an adjustment that is gone',
      { lines: [{ price: '3.33', quantity: 1 }], taxes: [{ rate: '0', included_rates: '0' }] },
      { price: '3.33', amount: '3.34' },
      ['0.0'],
    ],
    [
      'taxes that cancel out have no proportion',
      {
        currency: 'JPY',
        lines: [{ price: '777', quantity: 1 }],
        taxes: [relief, { rate: '0.08', included_rates: '0' }],
      },
      { price: '777', amount: '782', additional_tax: '5' },
      ['-58.0', '62.0'],
    ],
    // Of five: (50 - 2) / 5.
    [
      'a flat discount of a line item that had been raised is the credited part of it',
      { lines: [{ price: '10', quantity: 1 }], offers: [flat] },
      { price: '10', amount: '9.60' },
      ['-0.4'],
    ],
    [
      'a flat discount never becomes a surcharge',
      { lines: [{ price: '10', quantity: 1 }], offers: [flat] },
      { price: '10', amount: '10.01' },
      ['-2.0'],
    ],
    [
      'the larger one of two discounts takes the cent',
      {
        lines: [{ price: '10', quantity: 1 }],
        offers: [
          { type: 'line_amount', amount: '2' },
          { type: 'order_amount', amount: '3' },
        ],
      },
      { price: '10', amount: '5.01' },
      ['-2.0', '-2.99'],
    ],
    [
      'the older one of two equal discounts takes the cent',
      { lines: [{ price: '10', quantity: 1 }], offers: [flat, { type: 'order_amount', amount: '2' }] },
      { price: '10', amount: '6.01' },
      ['-1.99', '-2.0'],
    ],
    [
      'of equal rates, the later tax takes the cent',
      { lines: [{ price: '3.33', quantity: 1 }], taxes: [state, state] },
      { price: '3.33', amount: '3.60', additional_tax: '0.27' },
      ['0.14', '0.13'],
    ],
    [
      'a discount takes the cent',
      { lines: [{ price: '10', quantity: 1 }], offers: [flat], taxes: [state] },
      { price: '10', amount: '8.33', additional_tax: '0.32' },
      ['-1.99', '0.32'],
    ],
  ])('%s', (_, sold, credited, amounts) => {
    const order = sell(sold);
    const changes = recalculateKept(order, [{ ...nothing, price: null, amount: '0', ...credited }]);
    const changed = new Map(changes.map((row) => [row.id, row]));
    expect(order.adjustments.map((row) => (changed.get(row.id) ?? row).amount)).toEqual(amounts);
  });

  test('is one whose units are all returned', () => {
    const line_items = [1, 2, 3].map((id) => ({ id, quantity: 2 }) as LineItemRow);
    const units = [
      { line_item_id: 1, state: 'returned', quantity: 1 },
      { line_item_id: 1, state: 'shipped', quantity: 1 },
      { line_item_id: 2, state: 'returned', quantity: 1 },
      { line_item_id: 2, state: 'returned', quantity: 1 },
      { line_item_id: 3, state: 'shipped', quantity: 2 },
    ];
    const shipments = units.map((unit) => ({ units: [unit] }) as ShipmentGraph);
    expect(listReturnedLines({ line_items, shipments })).toEqual([2]);
  });

  test('manual adjustments are shares of what was credited, more than rounding', () => {
    const order = sell({ lines: [{ price: '3.33', quantity: 1 }], taxes: [state, city] });
    const [tax] = order.adjustments;
    if (tax === undefined) throw new Error('no tax');
    const manual = { ...tax, id: 9, source_type: null, amount: '0.01' };
    const worth = { ...nothing, price: '3.33', amount: '3.64', additional_tax: '0.30' };
    expect(recalculateKept({ ...order, adjustments: [...order.adjustments, manual] }, [worth])).toEqual([]);
  });

  test('taxed and other manual adjustments do not cancel out', () => {
    const order = sell({ lines: [{ price: '10', quantity: 1 }], offers: [flat] });
    const [discount] = order.adjustments;
    if (discount === undefined) throw new Error('no discount');
    const manual = { ...discount, source_type: null };
    const adjustments = [
      discount,
      { ...manual, id: 8, amount: '0.01', taxed: false },
      { ...manual, id: 9, amount: '-0.01', taxed: true },
    ];
    const worth = { ...nothing, price: '10', amount: '7.99' };
    expect(recalculateKept({ ...order, adjustments }, [worth])).toEqual([]);
  });
});

describe('for any order', () => {
  const cents = (most: number) =>
    fc.integer({ min: 1, max: most }).map((amount) => (amount / 100).toFixed(2));
  const line = fc.record({ price: cents(30_000), quantity: fc.integer({ min: 1, max: 12 }) });
  const percent = fc.integer({ min: 1, max: 100 }).map(String);
  const offer = fc.oneof(
    fc.record({ type: fc.constantFrom('order_percent' as const, 'line_percent' as const), percent }),
    fc.record({
      type: fc.constantFrom('order_amount' as const, 'line_amount' as const),
      amount: cents(9_000),
    }),
  );
  const rate = fc.integer({ min: 0, max: 3_000 }).map((points) => (points / 10_000).toFixed(4));
  const tax = fc.oneof(
    rate.map((one) => ({ rate: one, included_rates: '0' })),
    rate.map((one) => ({ rate: one, included_rates: one, included: true })),
    rate.map((one) => ({ rate: `-${one}`, included_rates: one })),
  );
  const sold: fc.Arbitrary<Sold> = fc.record({
    currency: fc.constantFrom('USD', 'EUR'),
    lines: fc.array(line, { minLength: 1, maxLength: 4 }),
    offers: fc.array(offer, { maxLength: 3 }),
    taxes: fc.array(tax, { maxLength: 2 }),
  });
  const changes = fc.array(fc.record({ index: fc.nat(3), quantity: fc.integer({ min: 1, max: 20 }) }), {
    maxLength: 6,
  });

  test('changes and their reversal restore every amount to the cent', () => {
    fc.assert(
      fc.property(sold, changes, (terms, steps) => {
        const before = sell(terms);
        const changed = steps.reduce(
          (order, { index, quantity }) => change(order, { quantity }, index),
          before,
        );
        const restored = before.line_items.reduce(
          (order, { price, quantity }, index) => change(order, { price, quantity }, index),
          changed,
        );
        expect(amountsOf(restored)).toEqual(amountsOf(before));
      }),
    );
  });

  test('no line item becomes negative, discounts stay discounts, and taxes are their rate of the rest', () => {
    fc.assert(
      fc.property(sold, changes, (terms, steps) => {
        const order = steps.reduce(
          (now, { index, quantity }) => change(now, { quantity }, index),
          sell(terms),
        );
        for (const { id, price, quantity } of order.line_items) {
          const own = order.adjustments.filter(
            ({ line_item_id, eligible }) => line_item_id === id && eligible,
          );
          const discounts = own.filter(({ source_type }) => source_type === 'Store::PromotionAction');
          expect(discounts.every(({ amount }) => toAmount(amount) <= ZERO)).toBe(true);
          const rest = sum(
            multiply(toAmount(price), quantity),
            sumOf(discounts, ({ amount }) => toAmount(amount)),
          );
          expect(rest >= ZERO).toBe(true);
          for (const row of own) {
            if (row.rate === null || row.included_rates === null) continue;
            const due = calculateTax(rest, { rate: row.rate, included_rates: row.included_rates }, 'USD');
            expect(toAmount(row.amount)).toBe(due);
          }
        }
      }),
    );
  });

  test('a flat discount is never more than at completion', () => {
    const flat = fc.record({ type: fc.constantFrom('order_amount' as const), amount: cents(9_000) });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 4 }), flat, changes, (lines, one, steps) => {
        const before = sell({ lines, offers: [one] });
        const after = steps.reduce(
          (order, { index, quantity }) => change(order, { quantity }, index),
          before,
        );
        const off = (order: PricedOrder): Amount[] =>
          order.adjustments.map(({ amount }) => negate(toAmount(amount)));
        off(after).forEach((amount, index) => expect(amount <= (off(before)[index] ?? ZERO)).toBe(true));
      }),
    );
  });
});
