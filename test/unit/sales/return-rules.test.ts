import fc from 'fast-check';
import {
  type Amount,
  multiply,
  negate,
  subtract,
  sum,
  sumOf,
  toAmount,
  toDecimal,
  ZERO,
} from '../../../src/platform/money';
import {
  addGoneCredits,
  findCreditErrors,
  findNewReturnErrors,
  calculateCredit,
  calculateReturnedValue,
  type ReturnedLine,
  type ReturnedValue,
} from '../../../src/sales/return-authorizations/return-rules';

test('a new return reports everything that is missing', () => {
  expect(
    findNewReturnErrors({ has_shipped_units: true, has_reason: true, has_stock_location: true }),
  ).toBeNull();
  expect(
    findNewReturnErrors({ has_shipped_units: false, has_reason: false, has_stock_location: false }),
  ).toEqual({
    order: ['has no shipped units'],
    reason: ["can't be blank"],
    stock_location: ["can't be blank"],
  });
});

const value = (amount: string, included_tax = '0', additional_tax = '0', untaxed = '0'): ReturnedValue => ({
  amount: toAmount(amount),
  untaxed: toAmount(untaxed),
  included_tax: toAmount(included_tax),
  additional_tax: toAmount(additional_tax),
});
const print = (one: Omit<ReturnedValue, 'untaxed'>): string[] =>
  [one.amount, one.included_tax, one.additional_tax].map(toDecimal);

const NO_TAXES = { included_tax: ZERO, additional_tax: ZERO };
const buildOrder = (total: string, taxes: { included_tax: Amount; additional_tax: Amount } = NO_TAXES) => ({
  total: toAmount(total),
  taxes,
  is_returned: false,
  currency: 'USD',
});

test('a credit is the given amount with its share of the taxes, else the value of the units', () => {
  const values = [value('20', '0', '2'), value('10', '1.6')];
  const order = buildOrder('74.37');
  const credit = (given: string | null, of = values): string[] =>
    print(calculateCredit(given === null ? null : toAmount(given), { values: of, freights: [] }, order));
  expect(credit(null)).toEqual(['30.0', '1.6', '2.0']);
  expect(credit('15')).toEqual(['15.0', '0.8', '1.0']);
  expect(credit('0')).toEqual(['0.0', '0.0', '0.0']);
  expect(credit('5', [value('0')])).toEqual(['5.0', '0.0', '0.0']);
});

const freight = (
  shipment_id: number,
  totals: ReturnedValue,
  carried_units: boolean,
  earlier = value('0'),
) => ({
  shipment_id,
  totals,
  carried_units,
  earlier,
});

test('freight is credited with its share of the adjustments without tax, in any portions', () => {
  const freights = [freight(1, value('12', '1.60', '0', '2'), true)];
  const creditPart = (amount: string, earlier: ReturnedValue) => {
    const [one] = freights.map((each) => ({ ...each, earlier }));
    const order = buildOrder('200');
    const { freights: credited } = calculateCredit(
      toAmount(amount),
      { values: [], freights: one === undefined ? [] : [one] },
      order,
    );
    return credited.map(({ untaxed, ...rest }) => [...print(rest), toDecimal(untaxed)]);
  };
  expect(creditPart('5', value('0'))).toEqual([['5.0', '0.67', '0.0', '0.83']]);
  expect(creditPart('9', value('5', '0.67', '0', '0.83'))).toEqual([['7.0', '0.93', '0.0', '1.17']]);
});

test('credits of freight that is gone belong to the shipments that took it over, the newest first', () => {
  const freights = [
    freight(1, value('12', '1.92', '0', '2'), true),
    freight(2, value('5', '0.8'), false, value('1', '0.16')),
  ];
  const add = (gone: ReturnedValue) =>
    addGoneCredits(freights, gone, 'USD').map(({ earlier }) => [
      ...print(earlier),
      toDecimal(earlier.untaxed),
    ]);
  expect(add(value('0'))).toEqual([
    ['1.0', '0.16', '0.0', '0.0'],
    ['0.0', '0.0', '0.0', '0.0'],
  ]);
  expect(add(value('10', '1.6', '0', '1'))).toEqual([
    ['5.0', '0.8', '0.0', '0.4'],
    ['6.0', '0.96', '0.0', '0.6'],
  ]);
  // More than the freight of all is dropped.
  expect(add(value('40', '6.4'))).toEqual([
    ['5.0', '0.8', '0.0', '0.0'],
    ['12.0', '1.92', '0.0', '0.0'],
  ]);
});

test('the return of the last units of an order that costs nothing takes its taxes', () => {
  const parts = { values: [value('10', '1.6')], freights: [] };
  const order = buildOrder('0', { included_tax: toAmount('1.6'), additional_tax: toAmount('0.2') });
  expect(print(calculateCredit(null, parts, order))).toEqual(['0.0', '0.0', '0.0']);
  expect(print(calculateCredit(null, parts, { ...order, is_returned: true }))).toEqual(['0.0', '1.6', '0.2']);
});

test('what exceeds the units comes off the freight that carried them, then off other freight, then is untaxed', () => {
  const parts = {
    values: [value('100', '15.97')],
    freights: [
      freight(1, value('9.9', '1.58'), false),
      freight(2, value('4.9', '0.78'), true, value('0.9', '0.14')),
    ],
  };
  const order = buildOrder('200', { included_tax: toAmount('20'), additional_tax: ZERO });
  const credit = (given: string) => calculateCredit(toAmount(given), parts, order);
  const listFreights = (given: string) =>
    credit(given).freights.map(({ shipment_id, ...own }) => [shipment_id, ...print(own)]);
  expect(listFreights('100')).toEqual([]);
  expect(listFreights('102')).toEqual([[2, '2.0', '0.32', '0.0']]);
  expect(listFreights('104')).toEqual([[2, '4.0', '0.64', '0.0']]);
  expect(listFreights('120')).toEqual([
    [2, '4.0', '0.64', '0.0'],
    [1, '9.9', '1.58', '0.0'],
  ]);
  expect(print(credit('102'))).toEqual(['102.0', '16.29', '0.0']);
  expect(print(credit('120'))).toEqual(['120.0', '18.19', '0.0']);
});

test('a credit of all that is left of an order takes all its taxes, whatever was credited before', () => {
  const order = buildOrder('54.9', { included_tax: toAmount('8.76'), additional_tax: toAmount('1.23') });
  const parts = { values: [value('25', '3.99')], freights: [freight(1, value('4.9', '0.78'), true)] };
  expect(print(calculateCredit(toAmount('54.9'), parts, order))).toEqual(['54.9', '8.76', '1.23']);
  expect(print(calculateCredit(null, { values: [value('60', '9.58')], freights: [] }, order))).toEqual([
    ...['54.9', '8.76', '1.23'],
  ]);
});

test.each([
  ['49.57', '49.57'],
  ['0', '0.00'],
  ['-3', '0.00'],
])('a return of 49.58 credits at most the total of an order of %s: %s', (total, credited) => {
  const { amount } = calculateCredit(null, { values: [value('49.58')], freights: [] }, buildOrder(total));
  expect(toDecimal(amount)).toBe(toDecimal(toAmount(credited)));
});

test.each([
  ['15.99', '15.99', null],
  ['16', '15.99', '15.99'],
  ['0', '-3', null],
  ['1', '-3', '0.0'],
])('an amount of %s for an order of %s is at most %s', (amount, total, most) => {
  const order = { total: toAmount(total), currency: 'USD' };
  const errors = most === null ? null : { amount: [`must be less than or equal to ${most}`] };
  expect(findCreditErrors(toAmount(amount), order)).toEqual(errors);
});

const SOLD = {
  price: toAmount('10'),
  quantity: 3,
  totals: value('20', '3.19', '1.01'),
  earlier: [],
  returning: 1,
};

test('units are worth their share of the line item and of its taxes', () => {
  expect(print(calculateReturnedValue(SOLD, 'USD'))).toEqual(['6.67', '1.06', '0.34']);
  expect(print(calculateReturnedValue({ ...SOLD, returning: 3 }, 'USD'))).toEqual(['20.0', '3.19', '1.01']);
});

test('refunded taxes of units make up what the units are worth less than their price', () => {
  const exported = { ...SOLD, price: toAmount('777'), quantity: 2, totals: value('1439', '0', '-115') };
  expect(print(calculateReturnedValue(exported, 'JPY'))).toEqual(['720.0', '0.0', '-57.0']);
  const earlier = [{ ...value('720', '0', '-57'), price: toAmount('777'), quantity: 1 }];
  expect(print(calculateReturnedValue({ ...exported, earlier }, 'JPY'))).toEqual(['719.0', '0.0', '-58.0']);
});

test('a changed price is the value of the units that are left; those returned before keep theirs', () => {
  const earlier = [{ ...value('6.67', '1.06', '0.34'), price: toAmount('10'), quantity: 1 }];
  const raised = { ...SOLD, price: toAmount('30'), totals: value('60'), earlier, returning: 2 };
  expect(print(calculateReturnedValue(raised, 'USD'))).toEqual(['40.0', '0.0', '0.0']);
});

test('a larger quantity at the same price credits to the cent what is left', () => {
  const earlier = [{ ...value('3.33'), price: toAmount('4'), quantity: 1 }];
  const raised = {
    ...SOLD,
    price: toAmount('4'),
    quantity: 4,
    totals: value('13.33'),
    earlier,
    returning: 3,
  };
  expect(print(calculateReturnedValue(raised, 'USD'))).toEqual(['10.0', '0.0', '0.0']);
});

test('returning a line item in any portions gives exactly its total, its taxes and its adjustments without tax', () => {
  fc.assert(
    fc.property(
      fc.nat(1_000_000),
      fc.nat(10_000),
      fc.integer({ min: -500_000, max: 500_000 }),
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 8 }),
      (cents, taxCents, wanted, portions) => {
        const price = toAmount('1');
        // Adjustments do not make a line item negative.
        const [taxed, tax, untaxed] = [cents, taxCents, Math.max(wanted, -cents)].map((one) =>
          multiply(toAmount('0.01'), one),
        ) as [Amount, Amount, Amount]; // three numbers are mapped to three amounts
        const taxes = { included_tax: tax, additional_tax: negate(tax) };
        const totals = { amount: sum(taxed, untaxed), untaxed, ...taxes };
        const unadjusted = { amount: taxed, untaxed: ZERO, ...taxes };
        const quantity = portions.reduce((all, portion) => all + portion, 0);
        const earlier: ReturnedLine['earlier'][number][] = [];
        for (const returning of portions) {
          const line = { price, quantity, totals, earlier, returning };
          const given = calculateReturnedValue(line, 'USD');
          expect(given.amount >= ZERO).toBe(true);
          const before = earlier.map((one) => ({
            ...one,
            amount: subtract(one.amount, one.untaxed),
            untaxed: ZERO,
          }));
          const alone = calculateReturnedValue({ ...line, totals: unadjusted, earlier: before }, 'USD');
          expect(subtract(given.amount, given.untaxed)).toBe(alone.amount);
          earlier.push({ ...given, price, quantity: returning });
        }
        for (const name of ['amount', 'untaxed', 'included_tax', 'additional_tax'] as const) {
          expect(sumOf(earlier, (one) => one[name])).toBe(totals[name]);
        }
      },
    ),
  );
});
