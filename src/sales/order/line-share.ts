import { type Amount, type Currency, multiplyByFraction } from '../../platform/money';

/**
 * What the first `units` units of a line come to, of a total that does not divide evenly. The shares of consecutive
 * units are differences of this, so that all of them together are the total to the cent.
 */
export function calculateShareUpTo(
  line: { total: Amount; quantity: number },
  units: number,
  currency: Currency,
): Amount {
  return units === line.quantity
    ? line.total
    : multiplyByFraction(line.total, String(units), String(line.quantity), currency);
}
