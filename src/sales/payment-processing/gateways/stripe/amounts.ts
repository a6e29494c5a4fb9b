import { toAmount, type Amount, type Currency } from '../../../../platform/money';

/** The currencies that Stripe counts in whole units, and in thousandths. It counts others in hundredths. */
const WHOLE: ReadonlySet<string> = new Set(
  'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '),
);
const THOUSANDTHS: ReadonlySet<string> = new Set('BHD JOD KWD OMR TND'.split(' '));

/** Converts an amount to the integer that Stripe expects. */
export function toStripeAmount(amount: Amount, currency: Currency): number {
  if (WHOLE.has(currency)) return Number(amount / 100n);
  return Number(THOUSANDTHS.has(currency) ? amount * 10n : amount);
}

/** Converts an integer of Stripe to an amount. Thousandths are cut: the store has none. */
export function fromStripeAmount(units: number, currency: string): Amount {
  const name = currency.toUpperCase();
  const hundredths = WHOLE.has(name)
    ? BigInt(units) * 100n
    : THOUSANDTHS.has(name)
      ? BigInt(units) / 10n
      : BigInt(units);
  const digits = hundredths.toString().padStart(3, '0');
  return toAmount(`${digits.slice(0, -2)}.${digits.slice(-2)}`);
}
