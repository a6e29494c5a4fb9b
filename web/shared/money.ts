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
