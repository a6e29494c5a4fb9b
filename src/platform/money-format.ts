import { print, readOrThrow, rescale } from './exact-decimal';
import { findFractionDigits, type Currency } from './money';

const SYMBOLS: Readonly<Record<string, string>> = {
  USD: '$',
  CAD: '$',
  AUD: '$',
  EUR: '€',
  GBP: '£',
  JPY: '¥',
  INR: '₹',
  BRL: 'R$',
};

/** How amounts are shown: settings of the store. */
export interface MoneyFormat {
  currency_display: 'symbol' | 'code';
  currency_position: 'before' | 'after';
  decimal_mark: '.' | ',';
  thousands_separator: ',' | '.' | ' ' | "'" | 'none';
}

export const DEFAULT_MONEY_FORMAT: MoneyFormat = {
  currency_display: 'symbol',
  currency_position: 'before',
  decimal_mark: '.',
  thousands_separator: ',',
};

/** What an amount is displayed in. Records that are shown have these fields. */
export interface MoneyDisplay {
  currency: Currency;
  /** Null means the default format: there is no store with settings. */
  money_format: MoneyFormat | null;
}

/** Returns how a record shows amounts, for the records inside it. */
export function pickDisplay({ currency, money_format }: MoneyDisplay): MoneyDisplay {
  return { currency, money_format };
}

/**
 * Formats an amount for display: `$1,234.50`, `-$12.00`, `¥1,235`, `CHF10.00`; in other formats of the store `4,90 €`,
 * `EUR 4,90`. Uses the currency's number of decimals (ISO 4217), rounded half up. Amounts that round to zero have no
 * sign. All amounts for people are formatted here.
 * @throws RangeError if the text is not a number
 */
export function displayMoney(decimalString: string, { currency, money_format }: MoneyDisplay): string {
  const format = money_format ?? DEFAULT_MONEY_FORMAT;
  const scale = findFractionDigits(currency);
  const digits = rescale(readOrThrow(decimalString), scale);
  const [whole = '0', fraction] = print({ digits: digits < 0n ? -digits : digits, scale }, scale).split('.');
  const grouped = whole.length > 3 ? whole.replace(/\B(?=(\d{3})+$)/g, readSeparator(format)) : whole;
  const amount = grouped + (fraction === undefined ? '' : `${format.decimal_mark}${fraction}`);
  const sign = digits < 0n ? '-' : '';
  const symbol = findSymbol(currency, format);
  if (format.currency_position === 'after') return `${sign}${amount} ${symbol}`;
  return `${sign}${symbol}${format.currency_display === 'code' ? ' ' : ''}${amount}`;
}

/** Returns the format that `displayMoney` uses, for clients that format amounts themselves. */
export function buildMoneyFormat({ currency, money_format }: MoneyDisplay) {
  const format = money_format ?? DEFAULT_MONEY_FORMAT;
  return {
    symbol: findSymbol(currency, format),
    symbol_position: format.currency_position,
    no_cents: findFractionDigits(currency) === 0,
    decimal_mark: format.decimal_mark,
    thousands_separator: readSeparator(format),
  };
}

function findSymbol(currency: Currency, { currency_display }: MoneyFormat): string {
  return currency_display === 'code' ? currency : (SYMBOLS[currency] ?? currency);
}

function readSeparator({ thousands_separator }: MoneyFormat): string {
  return thousands_separator === 'none' ? '' : thousands_separator;
}
