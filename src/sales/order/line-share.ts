import { type Amount, type Currency, multiplyByFraction } from '../../platform/money';

/**
 * Returns the part of a line's total that belongs to its first `units` units. The share of any consecutive units is the
 * difference of two results, so that all shares add up to the total exactly, even if it does not divide evenly.
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
