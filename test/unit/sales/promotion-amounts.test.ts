import fc from 'fast-check';
import { ACTION_TYPES, ACTIONS } from '../../../src/sales/order/action-types';
import { sumOf, toAmount, toDecimal, ZERO, type Amount } from '../../../src/platform/money';
import {
  calculateDiscounts,
  type DiscountableOrder,
  type DiscountOffer,
} from '../../../src/sales/pricing/promotion-amounts';

const EVERY_LINE = new Set([1, 2, 3]);

function offer(terms: Partial<DiscountOffer> & Pick<DiscountOffer, 'type'>): DiscountOffer {
  return {
    action_id: 1,
    percent: null,
    amount: null,
    currency: null,
    label: 'Promotion (Sale)',
    is_eligible: true,
    needs_code: false,
    line_ids: EVERY_LINE,
    ...terms,
  };
}

function order(lines: string[], shipments: string[] = [], currency = 'USD'): DiscountableOrder {
  return {
    currency,
    lines: lines.map((amount, index) => ({ id: index + 1, amount: toAmount(amount) })),
    shipments: shipments.map((cost, index) => ({ id: index + 1, cost: toAmount(cost) })),
  };
}

/** The eligible discounts by line item or shipment: `line 1 -2.5`. */
function counted(given: DiscountableOrder, offers: DiscountOffer[]): string[] {
  return calculateDiscounts(given, offers)
    .filter(({ eligible }) => eligible)
    .map(({ line_item_id, shipment_id, amount }) =>
      line_item_id === null
        ? `shipment ${shipment_id} ${toDecimal(amount)}`
        : `line ${line_item_id} ${toDecimal(amount)}`,
    );
}

test.each(ACTION_TYPES)('%s gives a discount of what its type says', (type) => {
  const { discounts, parameter } = ACTIONS[type];
  const terms = parameter === 'percent' ? { percent: '50' } : { amount: '5', currency: 'USD' };
  const found = counted(order(['10'], ['10']), [offer({ type, ...(parameter !== null && terms) })]);
  const part = discounts === 'shipment' ? 'shipment' : 'line';
  expect(found).toEqual([`${part} 1 ${parameter === null ? '-10.0' : '-5.0'}`]);
});

test.each<[string, DiscountableOrder, DiscountOffer[], string[]]>([
  [
    'fractions of a cent are spread by largest remainder',
    order(['10', '10', '10']),
    [offer({ type: 'order_amount', amount: '10', currency: 'USD' })],
    ['line 1 -3.34', 'line 2 -3.33', 'line 3 -3.33'],
  ],
  [
    'a percentage of the order is rounded once',
    order(['0.99', '0.99', '0.99']),
    [offer({ type: 'order_percent', percent: '10' })],
    ['line 1 -0.1', 'line 2 -0.1', 'line 3 -0.1'],
  ],
  [
    'what is left of a share after fractions of a yen goes to the next line',
    order(['0.5', '0.5', '0.5'], [], 'JPY'),
    [offer({ type: 'order_amount', amount: '1', currency: 'JPY' })],
    ['line 1 -0.5', 'line 2 -0.5'],
  ],
  [
    'a percentage of the order keeps the empty share of a small line, which may grow',
    order(['10', '0.01']),
    [offer({ type: 'order_percent', percent: '10' })],
    ['line 1 -1.0', 'line 2 0.0'],
  ],
  [
    'a percentage of each line is rounded for each line',
    order(['0.95', '0.95']),
    [offer({ type: 'line_percent', percent: '10' })],
    ['line 1 -0.1', 'line 2 -0.1'],
  ],
  [
    'an order discount is limited to the item total',
    order(['5', '15']),
    [offer({ type: 'order_amount', amount: '100', currency: 'USD' })],
    ['line 1 -5.0', 'line 2 -15.0'],
  ],
  [
    'a line discount is limited to the amount of the line',
    order(['5', '15']),
    [offer({ type: 'line_amount', amount: '10', currency: 'USD' })],
    ['line 1 -5.0', 'line 2 -10.0'],
  ],
  [
    'an amount in another currency is ignored',
    order(['5'], [], 'EUR'),
    [offer({ type: 'order_amount', amount: '1', currency: 'USD' })],
    [],
  ],
  [
    'line and order discounts add up; the latter are spread over the remaining amounts',
    order(['10', '10']),
    [
      offer({ action_id: 1, type: 'line_percent', percent: '50', line_ids: new Set([1]) }),
      offer({ action_id: 2, type: 'order_percent', percent: '15' }),
    ],
    ['line 1 -5.0', 'line 1 -1.0', 'line 2 -2.0'],
  ],
  [
    'the best offer of each line is eligible',
    order(['10', '100']),
    [
      offer({ action_id: 1, type: 'line_percent', percent: '10' }),
      offer({ action_id: 2, type: 'line_amount', amount: '5', currency: 'USD' }),
    ],
    ['line 1 -5.0', 'line 2 -10.0'],
  ],
  [
    'of equal offers the automatic one is eligible, then the older',
    order(['10']),
    [
      offer({ action_id: 1, type: 'order_percent', percent: '10', needs_code: true, label: 'code' }),
      offer({ action_id: 3, type: 'order_percent', percent: '10', label: 'newer' }),
      offer({ action_id: 2, type: 'order_percent', percent: '10', label: 'older' }),
    ],
    ['line 1 -1.0'],
  ],
  [
    'shipping is discounted once',
    order(['10'], ['5', '0', '7.5']),
    [offer({ action_id: 1, type: 'free_shipping' }), offer({ action_id: 2, type: 'free_shipping' })],
    ['shipment 1 -5.0', 'shipment 3 -7.5'],
  ],
  [
    'an ineligible offer is not counted',
    order(['10']),
    [offer({ type: 'order_percent', percent: '10', is_eligible: false })],
    [],
  ],
  [
    'discounts in yen are whole',
    order(['100', '100', '101'], [], 'JPY'),
    [offer({ type: 'order_percent', percent: '33' })],
    ['line 1 -33.0', 'line 2 -33.0', 'line 3 -33.0'],
  ],
])('%s', (_, given, offers, expected) => {
  expect(counted(given, offers)).toEqual(expected);
});

test('of equal discounts, the one without a code counts, then the older one', () => {
  const chosen = (...offers: Partial<DiscountOffer>[]) =>
    calculateDiscounts(
      order(['10']),
      offers.map((terms) => offer({ type: 'line_percent', percent: '10', ...terms })),
    )
      .filter(({ eligible }) => eligible)
      .map(({ source_id }) => source_id);
  expect(chosen({ action_id: 8 }, { action_id: 3 })).toEqual([3]);
  expect(chosen({ action_id: 3, needs_code: true }, { action_id: 8 })).toEqual([8]);
});

test('discounts of the whole order are equal if both leave nothing', () => {
  const amounts = ['50', '100'].map((amount) => ({ type: 'order_amount' as const, amount, currency: 'USD' }));
  const offers = amounts.map((terms, at) => offer({ ...terms, action_id: at + 1, needs_code: at === 1 }));
  const eligible = calculateDiscounts(order(['30']), offers).filter((discount) => discount.eligible);
  expect(eligible.map(({ source_id, amount }) => [source_id, toDecimal(amount)])).toEqual([[1, '-30.0']]);
});

test('other offers are kept as ineligible discounts', () => {
  const offers = [
    offer({ action_id: 1, type: 'order_percent', percent: '10' }),
    offer({ action_id: 2, type: 'order_percent', percent: '20', label: 'Promotion (Big)' }),
  ];
  expect(calculateDiscounts(order(['10']), offers)).toEqual([
    expect.objectContaining({ source_id: 1, amount: -100n, eligible: false }),
    expect.objectContaining({ source_id: 2, amount: -200n, eligible: true, label: 'Promotion (Big)' }),
  ]);
});

describe('for any offers', () => {
  const cents = fc.integer({ min: 0, max: 100_000 }).map((value) => toAmount((value / 100).toFixed(2)));
  const anyOffer = fc
    .record({
      type: fc.constantFrom(...ACTION_TYPES),
      percent: fc.integer({ min: 1, max: 10_000 }).map((value) => (value / 100).toFixed(2)),
      amount: fc.integer({ min: 1, max: 50_000 }).map((value) => (value / 100).toFixed(2)),
      currency: fc.constantFrom('USD', 'JPY'),
      is_eligible: fc.boolean(),
      needs_code: fc.boolean(),
      line_ids: fc.subarray([1, 2, 3, 4, 5]).map((ids) => new Set(ids)),
    })
    .map(({ percent, amount, currency, ...terms }) => ({
      ...terms,
      label: 'Promotion',
      percent: terms.type.endsWith('_percent') ? percent : null,
      amount: terms.type.endsWith('_amount') ? amount : null,
      currency: terms.type.endsWith('_amount') ? currency : null,
    }));
  const offers = fc
    .array(anyOffer, { maxLength: 6 })
    .map((list) => list.map((one, index): DiscountOffer => ({ ...one, action_id: index + 1 })));
  const orders = fc.record({
    // Prices in yen can have fractions by mistake.
    currency: fc.constantFrom('USD', 'JPY'),
    lines: fc
      .array(cents, { maxLength: 5 })
      .map((list) => list.map((amount, index) => ({ id: index + 1, amount }))),
    shipments: fc
      .array(cents, { maxLength: 3 })
      .map((list) => list.map((cost, index) => ({ id: index + 1, cost }))),
  });
  const typeOf = (list: readonly DiscountOffer[], source_id: number): string =>
    list.find(({ action_id }) => action_id === source_id)?.type ?? '';
  const total = (list: readonly { amount: Amount }[]): Amount => sumOf(list, ({ amount }) => amount);

  test('no line and no shipment becomes negative, and only empty shares of a percentage are zero', () => {
    fc.assert(
      fc.property(orders, offers, (given, list) => {
        const all = calculateDiscounts(given, list);
        expect(
          all.every(
            ({ amount, action_type }) =>
              amount < ZERO || (amount === ZERO && action_type === 'order_percent'),
          ),
        ).toBe(true);
        const of = all.filter(({ eligible }) => eligible);
        for (const { id, amount } of given.lines) {
          expect(amount + total(of.filter(({ line_item_id }) => line_item_id === id))).toBeGreaterThanOrEqual(
            0n,
          );
        }
        for (const { id, cost } of given.shipments) {
          expect(cost + total(of.filter(({ shipment_id }) => shipment_id === id))).toBeGreaterThanOrEqual(0n);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('one offer is eligible for each line, for the order and for each shipment', () => {
    fc.assert(
      fc.property(orders, offers, (given, list) => {
        const of = calculateDiscounts(given, list).filter(({ eligible }) => eligible);
        const kinds = of.map(({ line_item_id, shipment_id, source_id }) => {
          const kind = typeOf(list, source_id).split('_')[0] ?? '';
          return `${kind} ${line_item_id ?? ''} ${shipment_id ?? ''}`;
        });
        expect(new Set(kinds).size).toBe(kinds.length);
        const ofOrder = of.filter(({ source_id }) => typeOf(list, source_id).startsWith('order_'));
        expect(new Set(ofOrder.map(({ source_id }) => source_id)).size).toBeLessThanOrEqual(1);
        expect(
          of.every(({ source_id }) => list.some((one) => one.action_id === source_id && one.is_eligible)),
        ).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test('the shares of an order-wide discount add up to it', () => {
    fc.assert(
      fc.property(
        orders,
        anyOffer.filter(({ type, is_eligible }) => type.startsWith('order_') && is_eligible),
        (given, terms) => {
          const one: DiscountOffer = { ...terms, action_id: 1 };
          const itemTotal = total(given.lines);
          const alone = calculateDiscounts({ ...given, lines: [{ id: 1, amount: itemTotal }] }, [one]);
          expect(total(calculateDiscounts(given, [one]))).toBe(total(alone));
        },
      ),
      { numRuns: 200 },
    );
  });

  test('no other offer gives a line, or the order, a larger discount', () => {
    fc.assert(
      fc.property(orders, offers, (given, list) => {
        const all = calculateDiscounts(given, list);
        for (const { id } of given.lines) {
          const own = all.filter(
            ({ line_item_id, source_id }) =>
              line_item_id === id && typeOf(list, source_id).startsWith('line_'),
          );
          const best = own.find(({ eligible }) => eligible);
          const allowed = own.filter(({ source_id }) =>
            list.some((one) => one.action_id === source_id && one.is_eligible),
          );
          expect(allowed.every(({ amount }) => best !== undefined && best.amount <= amount)).toBe(true);
        }
        const ofOrder = (source_id: number) =>
          total(
            all.filter((one) => one.source_id === source_id && typeOf(list, source_id).startsWith('order_')),
          );
        const winner = all.find(
          ({ eligible, source_id }) => eligible && typeOf(list, source_id).startsWith('order_'),
        );
        for (const { action_id, type, is_eligible } of list) {
          if (!is_eligible || !type.startsWith('order_') || ofOrder(action_id) === ZERO) continue;
          expect(winner !== undefined && ofOrder(winner.source_id) <= ofOrder(action_id)).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('the order of the offers does not matter', () => {
    fc.assert(
      fc.property(orders, offers, (given, list) => {
        const key = (one: { source_id: number; line_item_id: number | null; shipment_id: number | null }) =>
          `${one.source_id} ${one.line_item_id ?? ''} ${one.shipment_id ?? ''}`;
        const sorted = (discounts: ReturnType<typeof calculateDiscounts>) =>
          [...discounts].sort((a, b) => (key(a) < key(b) ? -1 : 1));
        expect(sorted(calculateDiscounts(given, [...list].reverse()))).toEqual(
          sorted(calculateDiscounts(given, list)),
        );
      }),
    );
  });
});
