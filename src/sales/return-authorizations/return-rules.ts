import type { FieldErrors } from '../../platform/errors';
import {
  type Amount,
  type Currency,
  ZERO,
  formatDecimal,
  larger,
  smaller,
  subtract,
  sumOf,
  toDecimal,
} from '../../platform/money';
import { calculateShareUpTo } from '../order/line-share';

/** Returns all errors of a new return authorization; null if there are none. */
export function findNewReturnErrors(request: {
  has_shipped_units: boolean;
  has_reason: boolean;
  has_stock_location: boolean;
}): FieldErrors | null {
  const errors: FieldErrors = {};
  if (!request.has_shipped_units) errors['order'] = ['has no shipped units'];
  if (!request.has_reason) errors['reason'] = ["can't be blank"];
  if (!request.has_stock_location) errors['stock_location'] = ["can't be blank"];
  return Object.keys(errors).length > 0 ? errors : null;
}

/** One line item on a return. Quantities are numbers of units. */
export interface ReturnedLine {
  /** price x quantity + adjustment_total of the line item. */
  total: Amount;
  quantity: number;
  /** Units of the line item on returns received before. */
  returned_before: number;
  /** Units of the line item on this return. */
  returning: number;
}

/** The order that a return credits. */
export interface CreditedOrder {
  /** The order total, which includes the credits of earlier returns. */
  total: Amount;
  currency: Currency;
}

/** Returns the errors of the amount of a return: it must not exceed the order total. Null if it is valid. */
export function findCreditErrors(amount: Amount, { total }: CreditedOrder): FieldErrors | null {
  const max = larger(total, ZERO);
  if (amount <= max) return null;
  return { amount: [`must be less than or equal to ${formatDecimal(toDecimal(max))}`] };
}

/**
 * Calculates the credit of a return: its amount or, if that is zero, its units' share of their line items
 * after adjustments, but at most the order total. Shares are rounded so that returning all units of a line item one by
 * one credits exactly its total. `amount` must be valid by `findCreditErrors`.
 */
export function calculateReturnAmount(
  amount: Amount,
  lines: readonly ReturnedLine[],
  order: CreditedOrder,
): Amount {
  if (amount !== ZERO) return amount;
  const total = sumOf(lines, (line) => calculateShare(line, order.currency));
  return smaller(total, larger(order.total, ZERO));
}

function calculateShare(line: ReturnedLine, currency: Currency): Amount {
  const { returned_before, returning } = line;
  return subtract(
    calculateShareUpTo(line, returned_before + returning, currency),
    calculateShareUpTo(line, returned_before, currency),
  );
}
