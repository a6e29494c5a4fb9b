import type { FieldErrors } from '../../platform/errors';
import {
  type Amount,
  type Currency,
  ZERO,
  formatDecimal,
  larger,
  multiplyByFraction,
  smaller,
  subtract,
  sum,
  sumOf,
  toDecimal,
} from '../../platform/money';
import { sumQuantities } from '../../platform/quantities';
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

/** Returns all errors of a requested return; null if there are none. */
export function findRequestErrors(
  items: readonly { line_item_id: number; quantity: number; reason_id: number }[],
  {
    lines,
    reasons,
  }: { lines: readonly { line_item_id: number; quantity: number }[]; reasons: readonly { id: number }[] },
): FieldErrors | null {
  if (lines.length === 0) return { base: ['nothing of the order can be returned'] };
  const errors: FieldErrors = {};
  if (new Set(items.map(({ line_item_id }) => line_item_id)).size < items.length) {
    errors['items.line_item_id'] = ['is listed twice'];
  }
  for (const { line_item_id, quantity, reason_id } of items) {
    const available = lines.find((line) => line.line_item_id === line_item_id)?.quantity ?? 0;
    if (available === 0) errors['items.line_item_id'] = ['cannot be returned'];
    else if (quantity > available) errors['items.quantity'] = [`must be less than or equal to ${available}`];
    if (!reasons.some(({ id }) => id === reason_id)) errors['items.reason_id'] = ['is invalid'];
  }
  return Object.keys(errors).length > 0 ? errors : null;
}

/** What returned units are worth. */
export interface ReturnedValue {
  /** The value after discounts and other adjustments, taxes included. */
  amount: Amount;
  /** The part of it that is adjustments without tax. */
  untaxed: Amount;
  included_tax: Amount;
  additional_tax: Amount;
}

type ReturnedTaxes = Pick<ReturnedValue, 'included_tax' | 'additional_tax'>;

/** One line item on a return. Quantities are numbers of units. */
export interface ReturnedLine {
  price: Amount;
  quantity: number;
  /** The totals of the line item as it is now. */
  totals: ReturnedValue;
  /** Its items on returns received before. */
  earlier: readonly (ReturnedValue & { price: Amount; quantity: number })[];
  /** Units of the line item on this return. */
  returning: number;
}

/** The order that a return credits. */
export interface CreditedOrder {
  /** The order total, which includes the credits of earlier returns. */
  total: Amount;
  /** The taxes of the order, less those of earlier returns. */
  taxes: ReturnedTaxes;
  /** Whether all of its units have come back with this return. */
  is_returned: boolean;
  currency: Currency;
}

/** Returns the errors of the amount of a return: it must not exceed the order total. Null if it is valid. */
export function findCreditErrors(
  amount: Amount,
  { total }: Pick<CreditedOrder, 'total'>,
): FieldErrors | null {
  const max = larger(total, ZERO);
  if (amount <= max) return null;
  return { amount: [`must be less than or equal to ${formatDecimal(toDecimal(max))}`] };
}

/**
 * Calculates what the returned units of a line item are worth: their share of its total, so that returning all units
 * one by one gives exactly its total. Units that were returned at another price keep what they gave; they count as a
 * share of the line item as it is now.
 */
export function calculateReturnedValue(line: ReturnedLine, currency: Currency): ReturnedValue {
  const share = (get: (value: ReturnedValue) => Amount): Amount => calculateShare(line, get, currency);
  const [total, taxed] = [share((one) => one.amount), share(getTaxed)];
  const amount = larger(ZERO, total);
  return {
    amount,
    untaxed: subtract(amount, taxed),
    included_tax: share((one) => one.included_tax),
    // Included taxes that are refunded round with the amount that they reduce, not away from zero.
    additional_tax:
      line.totals.additional_tax < ZERO
        ? subtract(
            taxed,
            share((one) => subtract(getTaxed(one), one.additional_tax)),
          )
        : share((one) => one.additional_tax),
  };
}

const getTaxed = ({ amount, untaxed }: ReturnedValue): Amount => subtract(amount, untaxed);

function calculateShare(
  line: ReturnedLine,
  get: (value: ReturnedValue) => Amount,
  currency: Currency,
): Amount {
  const whole = { total: get(line.totals), quantity: line.quantity };
  const atThisPrice = line.earlier.filter(({ price }) => price === line.price);
  const atOtherPrices = line.earlier.filter(({ price }) => price !== line.price);
  const before = sum(
    sumOf(atThisPrice, get),
    calculateShareUpTo(whole, sumQuantities(atOtherPrices), currency),
  );
  return subtract(calculateShareUpTo(whole, sumQuantities(line.earlier) + line.returning, currency), before);
}

/** The freight of a shipment. */
export interface ReturnedFreight {
  shipment_id: number;
  /** Its cost after discounts, taxes included, and the taxes in it, as they are now. */
  totals: ReturnedValue;
  /** What earlier returns have credited of it. */
  earlier: ReturnedValue;
  /** Units on this return came in it. */
  carried_units: boolean;
}

/** What a return credits of the freight of a shipment. */
export type FreightCredit = ReturnedValue & { shipment_id: number };

/** The credit of a return: its amount, the taxes in it, and the part that is freight. */
export interface Credit extends ReturnedTaxes {
  amount: Amount;
  freights: readonly FreightCredit[];
}

/**
 * Calculates the credit of a return and the taxes in it: the given amount, or if it is null the value of the units, but
 * at most the order total. Less than the value has its own share of the taxes. What exceeds the value comes off the
 * freight of the shipments that carried the units, with the taxes of that freight, then off other freight, then off the
 * order without tax. A credit of the whole order total takes all remaining taxes, so that nothing is taxed of a sale
 * that was given back whole; so does the return of the last units if the order costs nothing any more. A given amount must be valid by
 * `findCreditErrors`.
 */
export function calculateCredit(
  given: Amount | null,
  { values, freights }: { values: readonly ReturnedValue[]; freights: readonly ReturnedFreight[] },
  order: CreditedOrder,
): Credit {
  const value = sumValues(values);
  const amount = given ?? smaller(value.amount, larger(order.total, ZERO));
  const credited = creditFreights(larger(ZERO, subtract(amount, value.amount)), freights, order.currency);
  if (amount === order.total && (amount > ZERO || order.is_returned))
    return { amount, ...order.taxes, freights: credited };
  if (amount >= value.amount) {
    const { included_tax, additional_tax } = sumValues([value, ...credited]);
    return { amount, included_tax, additional_tax, freights: credited };
  }
  const calculateTaxShare = (tax: Amount): Amount =>
    multiplyByFraction(tax, toDecimal(amount), toDecimal(value.amount), order.currency);
  return {
    amount,
    included_tax: calculateTaxShare(value.included_tax),
    additional_tax: calculateTaxShare(value.additional_tax),
    freights: [],
  };
}

function sumValues(values: readonly ReturnedValue[]): ReturnedValue {
  return {
    amount: sumOf(values, ({ amount }) => amount),
    untaxed: sumOf(values, ({ untaxed }) => untaxed),
    included_tax: sumOf(values, ({ included_tax }) => included_tax),
    additional_tax: sumOf(values, ({ additional_tax }) => additional_tax),
  };
}

/**
 * Adds what earlier returns have credited of the freight of shipments that are gone: the freight that was sold stays with the order, so it
 * is that of the shipments that took it over, the newest first. What exceeds their freight is dropped with it.
 */
export function addGoneCredits(
  freights: readonly ReturnedFreight[],
  gone: ReturnedValue,
  currency: Currency,
): ReturnedFreight[] {
  const newestFirst = [...freights].sort((one, other) => other.shipment_id - one.shipment_id);
  let left = gone;
  return newestFirst.map((freight): ReturnedFreight => {
    const { totals, earlier } = freight;
    const amount = smaller(left.amount, subtract(totals.amount, earlier.amount));
    if (amount <= ZERO) return freight;
    const share = (tax: Amount): Amount =>
      multiplyByFraction(tax, toDecimal(amount), toDecimal(left.amount), currency);
    const part = {
      amount,
      untaxed: subtract(amount, share(getTaxed(left))),
      included_tax: share(left.included_tax),
      additional_tax: share(left.additional_tax),
    };
    left = {
      amount: subtract(left.amount, part.amount),
      untaxed: subtract(left.untaxed, part.untaxed),
      included_tax: subtract(left.included_tax, part.included_tax),
      additional_tax: subtract(left.additional_tax, part.additional_tax),
    };
    return { ...freight, earlier: sumValues([earlier, part]) };
  });
}

/** Distributes an amount over freights, those that carried the returned units first. Each is credited at most once. */
function creditFreights(
  amount: Amount,
  freights: readonly ReturnedFreight[],
  currency: Currency,
): FreightCredit[] {
  let left = amount;
  const byPrecedence = [...freights].sort(
    (one, other) =>
      Number(other.carried_units) - Number(one.carried_units) || one.shipment_id - other.shipment_id,
  );
  return byPrecedence.flatMap(({ shipment_id, totals, earlier }) => {
    const taken = smaller(left, subtract(totals.amount, earlier.amount));
    if (taken <= ZERO) return [];
    left = subtract(left, taken);
    const upTo = sum(earlier.amount, taken);
    const calculatePart = (get: (value: ReturnedValue) => Amount): Amount =>
      subtract(
        upTo === totals.amount
          ? get(totals)
          : multiplyByFraction(get(totals), toDecimal(upTo), toDecimal(totals.amount), currency),
        get(earlier),
      );
    return [
      {
        shipment_id,
        amount: taken,
        untaxed: subtract(taken, calculatePart(getTaxed)),
        included_tax: calculatePart((one) => one.included_tax),
        additional_tax: calculatePart((one) => one.additional_tax),
      },
    ];
  });
}
