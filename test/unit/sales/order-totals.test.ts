import fc from 'fast-check';
import { sumOf, multiply, toAmount, toDecimal, ZERO } from '../../../src/platform/money';
import {
  type AdjustmentFacts,
  calculateTotals,
  type TotalsInput,
} from '../../../src/sales/order/order-totals';

const amount = (text: string) => toAmount(text);
const tax = (text: string, included = false): AdjustmentFacts => ({
  source_type: 'Store::TaxRate',
  amount: amount(text),
  included,
  eligible: true,
});
const promotion = (text: string, eligible = true): AdjustmentFacts => ({
  source_type: 'Store::PromotionAction',
  amount: amount(text),
  included: false,
  eligible,
});

const order: TotalsInput = {
  state: 'complete',
  is_completed: true,
  line_items: [
    { id: 1, price: amount('19.99'), quantity: 3, adjustments: [promotion('-5'), tax('4.40')] },
    { id: 2, price: amount('10'), quantity: 1, adjustments: [tax('1.67', true)] },
  ],
  shipments: [
    {
      id: 7,
      state: 'pending',
      cost: amount('5'),
      has_backordered_units: false,
      has_left: false,
      adjustments: [tax('0.40')],
    },
  ],
  adjustments: [],
  payments: [],
  captures_on_dispatch: false,
};
const total = '74.77'; // 69.97 items + 5 shipping - 5 promotion + 4.80 additional tax
const paid = (text: string, refunded = '0') => [
  { state: 'completed' as const, amount: amount(text), refunded: amount(refunded) },
];
const totalsOf = (changes: Partial<TotalsInput>) => calculateTotals({ ...order, ...changes });

test('totals of an order with taxes and a promotion', () => {
  const { line_items, shipments, ...totals } = calculateTotals(order);
  const printed = Object.fromEntries(
    Object.entries(totals).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? toDecimal(value) : value,
    ]),
  );
  expect(printed).toEqual({
    total_quantity: 4,
    item_total: '69.97',
    ship_total: '5.0',
    promo_total: '-5.0',
    included_tax_total: '1.67',
    additional_tax_total: '4.8',
    tax_total: '6.47',
    adjustment_total: '-0.2',
    total,
    payment_total: '0.0',
    outstanding: total,
    payment_state: 'balance_due',
    shipment_state: 'pending',
  });
  expect(line_items.map((line) => [line.id, toDecimal(line.total)])).toEqual([
    [1, '59.37'],
    [2, '10.0'],
  ]);
  expect(shipments).toMatchObject([{ id: 7, adjustment_total: 40n, state: 'pending' }]);
});

test('included tax does not change the total, additional tax does', () => {
  const line = { id: 1, price: amount('120'), quantity: 1 };
  const bare = totalsOf({ line_items: [{ ...line, adjustments: [] }], shipments: [] });
  const included = totalsOf({ line_items: [{ ...line, adjustments: [tax('20', true)] }], shipments: [] });
  const additional = totalsOf({ line_items: [{ ...line, adjustments: [tax('20')] }], shipments: [] });
  expect(included.total).toBe(bare.total);
  expect(additional.total).toBe(bare.total + 2000n);
});

test('an ineligible promotion is not counted', () => {
  const adjustments = [promotion('-5'), promotion('-3', false)];
  expect(toDecimal(totalsOf({ adjustments }).promo_total)).toBe('-10.0');
});

test('an incomplete order has neither payment_state nor shipment_state', () => {
  expect(totalsOf({ state: 'payment', is_completed: false })).toMatchObject({
    payment_state: null,
    shipment_state: null,
    shipments: [{ state: 'pending' }],
  });
});

describe('payment_state', () => {
  const failed = { state: 'failed' as const, amount: amount(total), refunded: ZERO };

  test.each<[string, Partial<TotalsInput>, string]>([
    ['not paid', {}, 'balance_due'],
    ['only failed and invalid payments', { payments: [failed, { ...failed, state: 'invalid' }] }, 'failed'],
    [
      'a failed and an authorized one',
      { payments: [failed, { ...failed, state: 'pending' }] },
      'balance_due',
    ],
    ['paid one cent too little', { payments: paid('74.76') }, 'balance_due'],
    ['exactly paid', { payments: paid(total) }, 'paid'],
    ['paid one cent too much', { payments: paid('74.78') }, 'credit_owed'],
    ['paid and partly refunded', { payments: paid(total, '0.01') }, 'balance_due'],
    ['a voided payment', { payments: [{ ...failed, state: 'void' }] }, 'balance_due'],
    ['nothing to pay', { line_items: [], shipments: [] }, 'paid'],
    ['nothing to pay after a decline', { line_items: [], shipments: [], payments: [failed] }, 'paid'],
    ['canceled after a decline', { state: 'canceled', payments: [failed] }, 'void'],
    ['canceled, payment voided', { state: 'canceled', payments: [{ ...failed, state: 'void' }] }, 'void'],
    ['canceled, everything refunded', { state: 'canceled', payments: paid(total, total) }, 'void'],
    ['canceled, partly refunded', { state: 'canceled', payments: paid(total, '1') }, 'credit_owed'],
  ])('%s', (_name, changes, state) => {
    expect(totalsOf(changes).payment_state).toBe(state);
  });

  test('a received return lowers the total; after its credit the order is paid', () => {
    const rma: AdjustmentFacts = {
      source_type: null,
      amount: amount('-15.99'),
      included: false,
      eligible: true,
    };
    expect(totalsOf({ adjustments: [rma], payments: paid(total) }).payment_state).toBe('credit_owed');
    expect(totalsOf({ adjustments: [rma], payments: paid(total, '15.99') }).payment_state).toBe('paid');
  });
});

describe('shipment states', () => {
  const shipment = {
    id: 1,
    state: 'pending' as const,
    cost: ZERO,
    has_backordered_units: false,
    has_left: false,
    adjustments: [],
  };
  const withShipments = (shipments: TotalsInput['shipments'], changes: Partial<TotalsInput> = {}) =>
    totalsOf({ line_items: [], shipments, ...changes });

  test('follow the payment', () => {
    expect(withShipments([shipment])).toMatchObject({
      shipment_state: 'ready',
      shipments: [{ state: 'ready' }],
    });
    const unpaid = withShipments([{ ...shipment, state: 'ready', cost: amount('5') }]);
    expect(unpaid).toMatchObject({ shipment_state: 'pending', shipments: [{ state: 'pending' }] });
  });

  test('any backordered unit makes the order backorder', () => {
    const result = withShipments([
      { ...shipment, state: 'shipped' },
      { ...shipment, has_backordered_units: true },
    ]);
    expect(result).toMatchObject({
      shipment_state: 'backorder',
      shipments: [{ state: 'shipped' }, { state: 'pending' }],
    });
  });

  test('the order has the state of all shipments, or partial', () => {
    const shipped = { ...shipment, state: 'shipped' as const };
    expect(withShipments([shipped, shipped]).shipment_state).toBe('shipped');
    expect(withShipments([shipped, shipment]).shipment_state).toBe('partial');
  });

  test('a canceled order is canceled, also with backordered units; without shipments there is no state', () => {
    const owed = { ...shipment, has_backordered_units: true };
    expect(withShipments([owed], { state: 'canceled' }).shipment_state).toBe('canceled');
    expect(withShipments([]).shipment_state).toBeNull();
    expect(withShipments([], { state: 'canceled' }).shipment_state).toBeNull();
  });

  test('shipments that were canceled by themselves do not count', () => {
    const canceled = { ...shipment, state: 'canceled' as const };
    expect(withShipments([canceled, { ...shipment, state: 'shipped' }]).shipment_state).toBe('shipped');
    expect(withShipments([canceled]).shipment_state).toBeNull();
  });

  test.each<[string, Partial<TotalsInput>, string]>([
    ['authorized payments cover what is owed', {}, 'ready'],
    ['the store captures by hand', { captures_on_dispatch: false }, 'pending'],
    [
      'an authorization is a cent too small',
      { payments: [{ state: 'pending', amount: amount('4.99'), refunded: ZERO }] },
      'pending',
    ],
    [
      'the authorization was voided',
      { payments: [{ state: 'void', amount: amount('5'), refunded: ZERO }] },
      'pending',
    ],
  ])('where payments are captured on dispatch, and %s', (_, changes, state) => {
    const payments = [{ state: 'pending' as const, amount: amount('5'), refunded: ZERO }];
    const covered = { captures_on_dispatch: true, payments, ...changes };
    expect(withShipments([{ ...shipment, cost: amount('5') }], covered).shipment_state).toBe(state);
  });
});

test('the total is the sum of its parts for any order', () => {
  const amounts = fc
    .bigInt({ min: -100_000n, max: 1_000_000n })
    .map((value) => multiply(amount('0.01'), Number(value)));
  const adjustments = fc.array(
    fc.record({
      source_type: fc.constantFrom('Store::TaxRate', 'Store::PromotionAction', null),
      amount: amounts,
      included: fc.boolean(),
      eligible: fc.boolean(),
    }),
    { maxLength: 4 },
  );
  const input = fc.record({
    state: fc.constantFrom<TotalsInput['state']>('cart', 'complete', 'canceled'),
    is_completed: fc.boolean(),
    line_items: fc.array(fc.record({ id: fc.nat(), price: amounts, quantity: fc.nat(50), adjustments }), {
      maxLength: 6,
    }),
    shipments: fc.array(
      fc.record({
        id: fc.nat(),
        state: fc.constantFrom('pending' as const, 'ready' as const, 'shipped' as const),
        cost: amounts,
        has_backordered_units: fc.boolean(),
        has_left: fc.boolean(),
        adjustments,
      }),
      { maxLength: 3 },
    ),
    adjustments,
    payments: fc.array(
      fc.record({
        state: fc.constantFrom('checkout' as const, 'completed' as const, 'failed' as const, 'void' as const),
        amount: amounts,
        refunded: amounts,
      }),
      { maxLength: 4 },
    ),
    captures_on_dispatch: fc.boolean(),
  });
  fc.assert(
    fc.property(input, (facts) => {
      const totals = calculateTotals(facts);
      expect(totals.total).toBe(totals.item_total + totals.ship_total + totals.adjustment_total);
      expect(totals.tax_total).toBe(totals.included_tax_total + totals.additional_tax_total);
      const ofParts = sumOf(totals.line_items, (line) => line.total);
      const ofShipments = sumOf(totals.shipments, (shipment) => shipment.adjustment_total);
      const ofOrder = facts.adjustments.filter((one) => one.eligible && !one.included);
      expect(totals.total).toBe(
        ofParts + ofShipments + totals.ship_total + sumOf(ofOrder, (one) => one.amount),
      );
      if (totals.payment_state === 'paid') expect(totals.outstanding).toBe(0n);
      if (facts.state !== 'canceled') expect(totals.outstanding + totals.payment_total).toBe(totals.total);
    }),
  );
});
