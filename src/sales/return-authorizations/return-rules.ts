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

/** Errors of a return authorization about to be made (behaviour 11), all at once; null when there are none. */
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

/** One line item's part in a return; quantities count its units. */
export interface ReturnedLine {
  /** price x quantity + adjustment_total of the line. */
  total: Amount;
  quantity: number;
  /** Units of the line that earlier returns have received. */
  returned_before: number;
  /** Units of the line on this return. */
  returning: number;
}

/** The order that takes the goods back. */
export interface CreditedOrder {
  /** What it costs, earlier returns taken off. */
  total: Amount;
  currency: Currency;
}

/** Why an amount named for a return cannot be credited: no order comes to cost less than nothing. Null when it can. */
export function findCreditErrors(amount: Amount, { total }: CreditedOrder): FieldErrors | null {
  const most = larger(total, ZERO);
  if (amount <= most) return null;
  return { amount: [`must be less than or equal to ${formatDecimal(toDecimal(most))}`] };
}

/**
 * What a received return is worth (behaviour 11): its own amount, or, when that is zero, its units' share of their lines after
 * adjustments, as far as the order still costs that much. Each line is shared out so that returning its units one by one
 * gives back exactly its total. Expects an amount that `creditErrors` has nothing against.
 */
export function calculateReturnAmount(amount: Amount, lines: readonly ReturnedLine[], order: CreditedOrder): Amount {
  if (amount !== ZERO) return amount;
  const goods = sumOf(lines, (line) => calculateShare(line, order.currency));
  return smaller(goods, larger(order.total, ZERO));
}

function calculateShare(line: ReturnedLine, currency: Currency): Amount {
  const { returned_before, returning } = line;
  return subtract(
    calculateShareUpTo(line, returned_before + returning, currency),
    calculateShareUpTo(line, returned_before, currency),
  );
}
