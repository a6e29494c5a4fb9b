import type { MoneyConfig } from 'store-api-client';

/** Returns how many digits after the point amounts of a currency have. */
const digitsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** Returns an amount of the API with all digits of its currency: 14.50 for 14.5. */
export function padAmount(amount: string, currency: string): string {
  const digits = digitsOf(currency);
  const [whole = '', part = ''] = amount.split('.');
  return digits === 0 ? whole : `${whole}.${part.padEnd(digits, '0')}`;
}

/** Returns an amount of the API in the smallest unit of its currency: 1450 for 14.5. */
export function toUnits(amount: string, currency: string): number {
  const digits = digitsOf(currency);
  const [whole = '', part = ''] = amount.split('.');
  return Number(whole + part.padEnd(digits, '0').slice(0, digits));
}

/** Returns an amount in the smallest unit of its currency as the API writes amounts: 14.50 for 1450. */
function fromUnits(units: number, currency: string): string {
  const digits = digitsOf(currency);
  const text = String(Math.abs(units)).padStart(digits + 1, '0');
  const place = text.length - digits;
  return `${units < 0 ? '-' : ''}${text.slice(0, place)}${digits === 0 ? '' : `.${text.slice(place)}`}`;
}

/** Adds amounts of the API. */
export const sumOf = (amounts: readonly string[], currency: string): string =>
  fromUnits(
    amounts.reduce((sum, amount) => sum + toUnits(amount, currency), 0),
    currency,
  );

/** How the store shows amounts. */
export interface MoneyForm extends Omit<MoneyConfig, 'no_cents'> {
  /** The currency that has the symbol. */
  currency: string;
}

/** Until the store has answered: its default. */
let form: MoneyForm = {
  currency: '',
  symbol: '',
  symbol_position: 'before',
  decimal_mark: '.',
  thousands_separator: ',',
};

/** Makes `moneyOf` show amounts as this store does. Repeatable. */
export function setMoneyForm(own: MoneyForm): void {
  form = own;
}

const partsOf = (value: number, currency: string): Intl.NumberFormatPart[] =>
  new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  }).formatToParts(value);

/** Returns the symbol of a currency, or its code if it has none. */
const symbolOf = (currency: string): string =>
  currency === '' ? '' : (partsOf(0, currency).find(({ type }) => type === 'currency')?.value ?? currency);

/** Shows an amount of which the API has no text, as the API shows others beside it. What is no number, as in a form that is not filled in, stays as it is. */
export function moneyOf(amount: string, currency: string): string {
  const value = Number(amount);
  if (amount.trim() === '' || Number.isNaN(value)) return `${amount} ${currency}`;
  const marks: Partial<Record<string, string>> = {
    group: form.thousands_separator,
    decimal: form.decimal_mark,
  };
  const digits = partsOf(Math.abs(value), currency)
    .filter(({ type }) => type !== 'currency' && type !== 'literal')
    .map(({ type, value: text }) => marks[type] ?? text)
    .join('');
  // A store that shows the code of its currency shows those of others too, apart from the amount.
  const isCode = form.symbol === form.currency && symbolOf(form.currency) !== form.currency;
  const symbol = isCode ? currency : currency === form.currency ? form.symbol : symbolOf(currency);
  const sign = value < 0 ? '-' : '';
  if (form.symbol_position === 'after') return `${sign}${digits} ${symbol}`;
  return `${sign}${symbol}${isCode ? ' ' : ''}${digits}`;
}
