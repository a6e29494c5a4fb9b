import fc from 'fast-check';
import { multiply, toAmount, toDecimal } from '../../../src/platform/money';
import { buildCalculator, calculateShippingCost } from '../../../src/sales/fulfilment/calculators';
import {
  displayCost,
  estimateRates,
  type ShippingMethodFacts,
} from '../../../src/sales/fulfilment/shipping-estimator';
import type { ShipmentGraph } from '../../../src/sales/order/order-graph';
import { buildRestockEstimate } from '../../../src/sales/shipments/shipment-attributes';

function costOf(
  type: string,
  preferences: unknown,
  quantity: number,
  value: string,
  currency = 'USD',
): string | null {
  const calculator = buildCalculator(type, preferences);
  if ('errors' in calculator) throw new Error(JSON.stringify(calculator.errors));
  const cost = calculateShippingCost(calculator, { quantity, value: toAmount(value) }, currency);
  return cost === null ? null : toDecimal(cost);
}

describe('calculators', () => {
  test('flat rate', () => {
    expect(costOf('flat_rate', { amount: '5.00' }, 12, '500')).toBe('5.0');
    expect(costOf('flat_rate', { amount: 5 }, 1, '1')).toBe('5.0');
    expect(costOf('flat_rate', {}, 1, '1')).toBe('0.0');
  });

  test('per item', () => {
    expect(costOf('per_item', { amount: '1.50' }, 3, '1')).toBe('4.5');
  });

  test('flat percent, rounded half up', () => {
    expect(costOf('flat_percent', { flat_percent: '12.5' }, 1, '19.99')).toBe('2.5'); // 2.49875
    expect(costOf('flat_percent', { flat_percent: '5' }, 1, '0.10')).toBe('0.01'); // 0.005
    expect(costOf('flat_percent', { flat_percent: '8.25' }, 1, '1234', 'JPY')).toBe('102.0');
  });

  test('price sack: the minimal amount has the discount', () => {
    const preferences = { minimal_amount: '50', normal_amount: '10', discount_amount: '0' };
    expect(costOf('price_sack', preferences, 1, '49.99')).toBe('10.0');
    expect(costOf('price_sack', preferences, 1, '50.00')).toBe('0.0');
  });

  test.each([
    [0, 0, '0.0'],
    [0, 1, '10.0'],
    [0, 5, '18.0'],
    [3, 3, '14.0'],
    [3, 4, '24.0'],
    [3, 7, '38.0'],
    [1, 2, '20.0'],
  ])('flexi rate in groups of %i: %i items cost %s', (max_items, quantity, cost) => {
    expect(costOf('flexi_rate', { first_item: '10', additional_item: '2', max_items }, quantity, '1')).toBe(
      cost,
    );
  });

  test('flexi rate is the sum of the costs of all items', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(12), (quantity, max_items) => {
        const eachItem = Array.from({ length: quantity }, (_, index) => {
          const startsGroup = max_items > 0 ? index % max_items === 0 : index === 0;
          return startsGroup ? 7 : 3;
        });
        const expected = eachItem.reduce((all, cost) => all + cost, 0);
        const cost = costOf(
          'flexi_rate',
          { first_item: '7', additional_item: '3', max_items },
          quantity,
          '1',
        );
        expect(cost).toBe(toDecimal(multiply(toAmount('1'), expected)));
      }),
    );
  });

  test('a calculator applies to its currency, or to any', () => {
    expect(costOf('flat_rate', { amount: '5', currency: 'EUR' }, 1, '1', 'USD')).toBeNull();
    expect(costOf('flat_rate', { amount: '5', currency: 'EUR' }, 1, '1', 'EUR')).toBe('5.0');
    expect(costOf('flat_rate', { amount: '5', currency: '' }, 1, '1', 'EUR')).toBe('5.0');
    expect(costOf('flat_rate', { amount: '5.50' }, 1, '1', 'JPY')).toBe('6.0');
  });

  test.each<[string, unknown, Record<string, string[]>]>([
    ['magic', {}, { calculator_type: ['is invalid'] }],
    ['toString', {}, { calculator_type: ['is invalid'] }],
    ['flat_rate', { amount: 'ten' }, { amount: ['is not a number'] }],
    ['flat_rate', { amount: '-1' }, { amount: ['must be greater than or equal to 0'] }],
    ['flexi_rate', { max_items: '1.5' }, { max_items: ['must be an integer'] }],
    ['flat_rate', { currency: 'dollars' }, { currency: ['is invalid'] }],
  ])('%s with %j is refused', (type, preferences, errors) => {
    expect(buildCalculator(type, preferences)).toEqual({ errors });
  });
});

describe('estimateRates', () => {
  const usa = {
    id: 1,
    default_tax: false,
    members: [{ country_id: 840, state_id: null, state_country_id: null }],
  };
  const method = (
    id: number,
    amount: string,
    changes: Partial<ShippingMethodFacts> = {},
  ): ShippingMethodFacts => ({
    id,
    name: `Method ${id}`,
    code: null,
    display_on: 'both',
    is_deleted: false,
    shipping_category_ids: [1, 2],
    zones: [usa],
    calculator_type: 'flat_rate',
    calculator_preferences: { amount },
    ...changes,
  });
  const contents = { quantity: 2, value: toAmount('20'), shipping_category_ids: [1] };
  const wish = { destination: { country_id: 840, state_id: 5 }, currency: 'USD', chosen_method_id: null };
  const idsOf = (methods: ShippingMethodFacts[], changes: Partial<typeof contents> = {}) =>
    estimateRates({ ...contents, ...changes }, methods, wish).map((rate) => rate.shipping_method_id);

  test('are sorted by cost, ties by method, the cheapest selected', () => {
    const rates = estimateRates(
      contents,
      [method(3, '15'), method(2, '5', { code: 'GROUND' }), method(1, '15')],
      wish,
    );
    expect(rates).toEqual([
      { shipping_method_id: 2, name: 'Method 2', shipping_method_code: 'GROUND', cost: 500n, selected: true },
      { shipping_method_id: 1, name: 'Method 1', shipping_method_code: null, cost: 1500n, selected: false },
      { shipping_method_id: 3, name: 'Method 3', shipping_method_code: null, cost: 1500n, selected: false },
    ]);
  });

  test('keep the chosen method while it is offered', () => {
    const methods = [method(1, '5'), method(2, '15')];
    const chosen = (chosen_method_id: number) =>
      estimateRates(contents, methods, { ...wish, chosen_method_id }).find((rate) => rate.selected)
        ?.shipping_method_id;
    expect(chosen(2)).toBe(2);
    expect(chosen(9)).toBe(1);
  });

  test.each<[string, Partial<ShippingMethodFacts>]>([
    ['deleted', { is_deleted: true }],
    ['for admins only', { display_on: 'back_end' }],
    ['of another category', { shipping_category_ids: [2] }],
    [
      'of another country',
      { zones: [{ ...usa, members: [{ country_id: 250, state_id: null, state_country_id: null }] }] },
    ],
    ['without zones', { zones: [] }],
    ['of another currency', { calculator_preferences: { amount: '1', currency: 'EUR' } }],
    ['with unreadable preferences', { calculator_preferences: { amount: 'x' } }],
  ])('leave out a method %s', (_name, changes) => {
    expect(idsOf([method(1, '5'), method(2, '1', changes)])).toEqual([1]);
  });

  test('a method must support every shipping category of the package', () => {
    expect(
      idsOf([method(1, '5', { shipping_category_ids: [1] })], { shipping_category_ids: [1, 2] }),
    ).toEqual([]);
  });
});

test('display_cost names the taxes of the method', () => {
  const tax = { name: 'VAT', amount: toAmount('1'), included: true };
  expect(displayCost(toAmount('5'), [], { currency: 'USD', money_format: null })).toBe('$5.00');
  expect(displayCost(toAmount('5'), [tax], { currency: 'USD', money_format: null })).toBe(
    '$5.00 (incl. $1.00 VAT)',
  );
  expect(
    displayCost(toAmount('5'), [{ ...tax, included: false }], { currency: 'USD', money_format: null }),
  ).toBe('$5.00 (+ $1.00 VAT)');
  const refunded = { ...tax, amount: toAmount('-1'), included: false };
  expect(displayCost(toAmount('5'), [refunded], { currency: 'USD', money_format: null })).toBe(
    '$5.00 (excl. $1.00 VAT)',
  );
});

test('what another location restocks is known before anything is locked: all units that have not left', () => {
  const unit = { shipment_id: 1, line_item_id: 1, variant_id: 7, counted_quantity: 0 };
  const units = [
    { ...unit, state: 'on_hand', quantity: 2 },
    { ...unit, state: 'shipped', quantity: 3 },
  ];
  // The estimate reads only these columns.
  const shipment = { id: 1, stock_location_id: 4, units } as ShipmentGraph;
  const none = { cost: undefined, tracking: undefined, tracking_url: undefined, number: undefined };
  const estimate = (stock_location_id: number | undefined) =>
    buildRestockEstimate({ ...none, selected_shipping_rate_id: undefined, stock_location_id });
  expect(estimate(undefined)).toBeUndefined();
  expect(estimate(4)?.(shipment)).toEqual([]);
  expect(estimate(5)?.(shipment)).toMatchObject([
    { stock_location_id: 4, variant_id: 7, quantity: 2, fills_backorders: true },
  ]);
});
