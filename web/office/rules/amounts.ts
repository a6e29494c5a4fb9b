/**
 * Writes a decimal of the API with the digits of its currency, for a field: `18.0` in USD is `18.00`. What has more digits keeps them;
 * without a currency it stays as it is.
 */
export function writeAmount(amount: string, currency: string): string {
  const [, whole = '', fraction = ''] = /^([-+]?\d+)(?:\.(\d*))?$/.exec(amount) ?? [];
  if (whole === '' || currency === '') return amount;
  const written = fraction.replace(/0+$/, '').padEnd(digitsOf(currency), '0');
  return written === '' ? whole : `${whole}.${written}`;
}

/** Returns how many digits of its amounts a currency has after the point: 2 for USD, 0 for JPY. */
export const digitsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 0;
