import fc from 'fast-check';
import {
  allocate,
  formatPercent,
  compareAmounts,
  compareDecimals,
  formatDecimal,
  multiplyByFraction,
  negate,
  parseDecimal,
  roundMoney,
  roundToCurrency,
  subtract,
  sum,
  sumDecimals,
  sumOf,
  multiply,
  toAmount,
  toDecimal,
  type Amount,
} from '../../../src/platform/money';
import { displayMoney } from '../../../src/platform/money-format';

const hundredths = fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n });
const amounts = hundredths.map((value) => toAmount(withPoint(value, 2)));
const timesRate = (amount: Amount, rate: string, currency: string): Amount =>
  multiplyByFraction(amount, rate, '1', currency);
const rates = fc.integer({ min: 0, max: 99_999 }).map((value) => withPoint(BigInt(value), 5));

/** An independent implementation: digits with a point `scale` places from the right. */
function withPoint(value: bigint, scale: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

describe('formatDecimal', () => {
  test.each([
    ['0', '0.0'],
    ['0.00', '0.0'],
    ['-0.00', '0.0'],
    ['5', '5.0'],
    ['19.99', '19.99'],
    ['-12.50', '-12.5'],
    ['100.00', '100.0'],
    ['0.0825000', '0.0825'],
    ['123456789012345678901234567890.10', '123456789012345678901234567890.1'],
  ])('%s is formatted as %s', (value, printed) => {
    expect(formatDecimal(value)).toBe(printed);
  });

  test('keeps null and throws for invalid text', () => {
    expect(formatDecimal(null)).toBeNull();
    expect(formatDecimal(`${'9'.repeat(70)}.50`)).toBe(`${'9'.repeat(70)}.5`);
    expect(() => formatDecimal('NaN')).toThrow(RangeError);
  });
});

describe('toAmount and toDecimal', () => {
  test('convert without loss', () => {
    fc.assert(fc.property(amounts, (amount) => toAmount(toDecimal(amount)) === amount));
    expect(toAmount('19.99')).toBe(1999n);
    expect(toAmount('19.9900')).toBe(1999n);
    expect(toDecimal(toAmount('-0.05'))).toBe('-0.05');
  });

  test('reject more than two decimals', () => {
    expect(() => toAmount('19.999')).toThrow('not a whole number of hundredths');
    expect(() => toAmount('ten')).toThrow('not a decimal number');
    expect(() => toAmount('')).toThrow(RangeError);
  });
});

describe('arithmetic', () => {
  test('3 x 19.99 is 59.97 and 0.1 + 0.2 is 0.3', () => {
    expect(toDecimal(multiply(toAmount('19.99'), 3))).toBe('59.97');
    expect(toDecimal(sum(toAmount('0.1'), toAmount('0.2')))).toBe('0.3');
  });

  test('sums, differences and negation are consistent', () => {
    fc.assert(
      fc.property(amounts, amounts, (one, other) => {
        expect(subtract(sum(one, other), other)).toBe(one);
        expect(sum(one, negate(one))).toBe(0n);
        expect(sumOf([one, other], (amount) => amount)).toBe(sum(one, other));
        expect(compareAmounts(one, other)).toBe(compareDecimals(toDecimal(one), toDecimal(other)));
      }),
    );
    expect(sum()).toBe(0n);
  });

  test('rejects fractional quantities', () => {
    expect(() => multiply(toAmount('1'), 1.5)).toThrow(RangeError);
  });
});

describe('rounding', () => {
  test.each([
    ['0.005', 'USD', '0.01'],
    ['0.0049999', 'USD', '0.0'],
    ['-0.005', 'USD', '-0.01'],
    ['-0.004', 'USD', '0.0'],
    ['19.999', 'USD', '20.0'],
    ['2.675', 'USD', '2.68'],
    ['1.005', 'USD', '1.01'],
    ['1e3', 'USD', '1000.0'],
    ['617.5', 'JPY', '618.0'],
    ['617.499', 'JPY', '617.0'],
    ['-0.5', 'JPY', '-1.0'],
    ['1.2345', 'KWD', '1.23'],
    ['1.235', 'KWD', '1.24'],
  ])('roundMoney(%s, %s) is %s', (value, currency, rounded) => {
    expect(roundMoney(value, currency)).toBe(rounded);
  });

  test('19.99 at 10.75 percent is 2.15, not 2.148925', () => {
    expect(timesRate(toAmount('19.99'), '0.1075', 'USD')).toBe(215n);
  });

  test('yen are rounded to whole yen, dinars to hundredths', () => {
    expect(toDecimal(roundToCurrency(toAmount('1234.5'), 'JPY'))).toBe('1235.0');
    expect(toDecimal(timesRate(toAmount('1234'), '0.0825', 'JPY'))).toBe('102.0');
    expect(toDecimal(roundToCurrency(toAmount('1.23'), 'KWD'))).toBe('1.23');
  });

  test('a product is within half a unit of the exact value, and halves go away from zero', () => {
    fc.assert(
      fc.property(amounts, rates, (amount, rate) => {
        const product = timesRate(amount, rate, 'USD');
        const exact = amount * BigInt(rate.replace('.', '')); // in 1/100000 of a hundredth
        const error = product * 100_000n - exact;
        const outwards = amount < 0n ? -error : error;
        expect(outwards).toBeGreaterThan(-50_000n);
        expect(outwards).toBeLessThanOrEqual(50_000n);
      }),
    );
  });

  test('rounding is symmetric around zero', () => {
    fc.assert(
      fc.property(amounts, rates, (amount, rate) => {
        expect(timesRate(negate(amount), rate, 'JPY')).toBe(negate(timesRate(amount, rate, 'JPY')));
      }),
    );
  });

  test('the tax inside a price and the price before it add up to the price', () => {
    fc.assert(
      fc.property(amounts, rates, (price, rate) => {
        const whole = sumDecimals('1', rate);
        const tax = multiplyByFraction(price, rate, whole, 'USD');
        const net = multiplyByFraction(price, '1', whole, 'USD');
        const difference = subtract(price, sum(tax, net));
        // both parts are rounded: at an exact tie the sum may differ by one cent, but not more
        expect(difference <= 1n && difference >= -1n).toBe(true);
      }),
    );
    expect(multiplyByFraction(toAmount('120'), '0.2', '1.2', 'EUR')).toBe(2000n);
  });

  test('division by zero throws', () => {
    expect(() => multiplyByFraction(toAmount('1'), '1', '0.0', 'USD')).toThrow('division by zero');
  });
});

describe('allocate', () => {
  const weights = fc.array(fc.bigInt({ min: 0n, max: 10n ** 9n }), { minLength: 1, maxLength: 12 });

  test('the parts add up to the whole and are each within one unit of their share', () => {
    fc.assert(
      fc.property(amounts, weights, (amount, shares) => {
        const parts = allocate(amount, shares, 'USD');
        const total = shares.reduce((all, share) => all + share, 0n);
        expect(sum(...parts)).toBe(amount);
        if (total === 0n) return;
        for (const [index, part] of parts.entries()) {
          const error = part * total - amount * (shares[index] ?? 0n);
          expect(error < total && error > -total).toBe(true);
        }
      }),
    );
  });

  test('a weight of zero gets nothing', () => {
    expect(allocate(toAmount('10'), [1n, 0n, 2n], 'USD')).toEqual([333n, 0n, 667n]);
  });

  test('keeps yen whole; of equal remainders the earlier weight wins', () => {
    expect(allocate(toAmount('100'), [1n, 1n, 1n], 'JPY').map(toDecimal)).toEqual(['34.0', '33.0', '33.0']);
  });

  test('weights that are all zero share equally; negative amounts mirror positive ones', () => {
    expect(allocate(toAmount('-0.05'), [0n, 0n], 'USD')).toEqual([-3n, -2n]);
  });

  test('rejects negative weights, and an amount without weights', () => {
    expect(() => allocate(toAmount('1'), [-1n, 2n], 'USD')).toThrow(RangeError);
    expect(() => allocate(toAmount('1'), [], 'USD')).toThrow(RangeError);
    expect(allocate(toAmount('0'), [], 'USD')).toEqual([]);
  });
});

describe('parseDecimal', () => {
  test.each<[unknown, string]>([
    [19.99, '19.99'],
    ['19.99', '19.99'],
    [' 5.00 ', '5'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['+7', '7'],
    ['-0', '0'],
    [-0, '0'],
    ['007.10', '7.1'],
    ['1e3', '1000'],
    ['-1.5E-3', '-0.0015'],
    [1e21, '1000000000000000000000'],
    [1e-7, '0.0000001'],
    [12n, '12'],
    ['１０８０', '1080'],
    ['−５．５', '-5.5'],
  ])('%p is read as %s', (input, value) => {
    expect(parseDecimal(input)).toBe(value);
  });

  test.each<[unknown]>([
    [null],
    [undefined],
    [''],
    [' '],
    ['.'],
    ['-'],
    ['e5'],
    ['1e'],
    ['1e999'],
    ['abc'],
    ['0x10'],
    ['1,000'],
    ['１，０００'],
    ['1_000'],
    ['1 000'],
    ['١'],
    [NaN],
    [Infinity],
    ['Infinity'],
    [true],
    [{}],
    [['1']],
    ['9'.repeat(65)],
    [`${'9'.repeat(50)}e30`],
  ])('%p is not a number', (input) => {
    expect(parseDecimal(input)).toBeNull();
  });

  test('never throws; its results are stable', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.double(), fc.stringMatching(/^[-+]?\d{0,20}\.?\d{0,20}$/)),
        (input) => {
          const value = parseDecimal(input);
          if (value !== null) expect(parseDecimal(value)).toBe(value);
        },
      ),
    );
  });

  test('reads every finite number as JavaScript would', () => {
    const readable = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e30, max: 1e30 });
    fc.assert(
      fc.property(readable, (input) => {
        const value = parseDecimal(input);
        if (Math.abs(input) > 1e-30 || input === 0) expect(Number(value)).toBe(input === 0 ? 0 : input);
      }),
    );
  });
});

describe('displayMoney', () => {
  test.each([
    ['1234.5', 'USD', '$1,234.50'],
    ['-12', 'USD', '-$12.00'],
    ['0', 'USD', '$0.00'],
    ['-0.004', 'USD', '$0.00'],
    ['0.005', 'USD', '$0.01'],
    ['1234.5', 'JPY', '¥1,235'],
    ['1234.5', 'CAD', '$1,234.50'],
    ['1234.5', 'AUD', '$1,234.50'],
    ['1234567.891', 'EUR', '€1,234,567.89'],
    ['9.9', 'GBP', '£9.90'],
    ['9.9', 'INR', '₹9.90'],
    ['9.9', 'BRL', 'R$9.90'],
    ['10', 'CHF', 'CHF10.00'],
    ['-10', 'CHF', '-CHF10.00'],
    ['1.2345', 'KWD', 'KWD1.235'],
    ['10', 'nonsense', 'nonsense10.00'],
    ['12345678901234567890.99', 'USD', '$12,345,678,901,234,567,890.99'],
  ])('%s %s is %s', (value, currency, shown) => {
    expect(displayMoney(value, { currency, money_format: null })).toBe(shown);
  });

  test('is exact for any amount', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        const shown = displayMoney(toDecimal(amount), { currency: 'USD', money_format: null });
        expect(toAmount(shown.replace(/[$,]/g, ''))).toBe(amount);
      }),
    );
  });
});

test('rates are added and formatted exactly', () => {
  expect(sumDecimals('1', '0.05', '0.0975')).toBe('1.1475');
  expect(sumDecimals()).toBe('0');
  expect(formatPercent('0.05')).toBe('5.0');
  expect(formatPercent('0.0825')).toBe('8.25');
  expect(formatPercent('0.175000')).toBe('17.5');
});

test('decimals are compared by value', () => {
  expect(compareDecimals('1.10', '1.1')).toBe(0);
  expect(compareDecimals('999999.99', '1000000')).toBe(-1);
  expect(compareDecimals('-1', '-1.01')).toBe(1);
});
