import { buildMoneyFormat, displayMoney, type MoneyFormat } from '../../../src/platform/money-format';

const GERMAN: MoneyFormat = {
  currency_display: 'code',
  currency_position: 'after',
  decimal_mark: ',',
  thousands_separator: '.',
};

test.each<[amount: string, currency: string, format: Partial<MoneyFormat>, shown: string]>([
  ['4.9', 'EUR', {}, '4,90 EUR'],
  ['1234567.891', 'EUR', {}, '1.234.567,89 EUR'],
  ['-12', 'EUR', { currency_display: 'symbol' }, '-12,00 €'],
  ['999', 'EUR', { thousands_separator: 'none' }, '999,00 EUR'],
  ['1000', 'EUR', { thousands_separator: 'none' }, '1000,00 EUR'],
  ['1234.5', 'CHF', { thousands_separator: "'", decimal_mark: '.' }, "1'234.50 CHF"],
  ['1234.5', 'EUR', { thousands_separator: ' ', currency_display: 'symbol' }, '1 234,50 €'],
  ['-4.9', 'EUR', { currency_position: 'before' }, '-EUR 4,90'],
  ['4.9', 'EUR', { currency_position: 'before', currency_display: 'symbol' }, '€4,90'],
  ['1234.5', 'JPY', {}, '1.235 JPY'],
])('%s %s in %o is %s', (amount, currency, format, shown) => {
  expect(displayMoney(amount, { currency, money_format: { ...GERMAN, ...format } })).toBe(shown);
});

test('clients get the same format', () => {
  expect(buildMoneyFormat({ currency: 'EUR', money_format: GERMAN })).toEqual({
    symbol: 'EUR',
    symbol_position: 'after',
    no_cents: false,
    decimal_mark: ',',
    thousands_separator: '.',
  });
  const bare = { ...GERMAN, thousands_separator: 'none', currency_display: 'symbol' } as const;
  expect(buildMoneyFormat({ currency: 'EUR', money_format: bare })).toMatchObject({
    symbol: '€',
    thousands_separator: '',
  });
});
