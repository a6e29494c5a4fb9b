import fc from 'fast-check';
import { sum, multiply, toAmount, toDecimal, ZERO } from '../../../src/platform/money';
import {
  findCreditErrors,
  findNewReturnErrors,
  calculateReturnAmount,
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

test('a given amount is used, else the share of the line totals', () => {
  const lines = [
    { total: toAmount('59.37'), quantity: 3, returned_before: 0, returning: 2 },
    { total: toAmount('10'), quantity: 1, returned_before: 0, returning: 1 },
  ];
  const order = { total: toAmount('74.37'), currency: 'USD' };
  expect(toDecimal(calculateReturnAmount(toAmount('15.99'), lines, order))).toBe('15.99');
  expect(toDecimal(calculateReturnAmount(ZERO, lines, order))).toBe('49.58');
});

test.each([
  ['49.57', '49.57'],
  ['0', '0.00'],
  ['-3', '0.00'],
])('a return of 49.58 credits at most the total of an order of %s: %s', (total, credited) => {
  const lines = [{ total: toAmount('49.58'), quantity: 1, returned_before: 0, returning: 1 }];
  const amount = calculateReturnAmount(ZERO, lines, { total: toAmount(total), currency: 'USD' });
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

test('returning a line item in any portions credits exactly its total', () => {
  fc.assert(
    fc.property(
      fc.nat(1_000_000),
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 8 }),
      (cents, portions) => {
        const total = multiply(toAmount('0.01'), cents);
        const quantity = portions.reduce((all, portion) => all + portion, 0);
        let [returned_before, given] = [0, ZERO];
        for (const returning of portions) {
          const share = calculateReturnAmount(ZERO, [{ total, quantity, returned_before, returning }], {
            total,
            currency: 'USD',
          });
          expect(share >= ZERO).toBe(true);
          given = sum(given, share);
          returned_before += returning;
        }
        expect(given).toBe(total);
      },
    ),
  );
});
