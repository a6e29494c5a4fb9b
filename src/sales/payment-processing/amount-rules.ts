import type { FieldErrors } from '../../platform/errors';
import {
  type Amount,
  type Currency,
  ZERO,
  compareDecimals,
  larger,
  negate,
  parseDecimal,
  roundMoney,
  smaller,
  subtract,
  toAmount,
  toDecimal,
} from '../../platform/money';
import type { PaymentState } from '../order/payment.machine';

/** The amounts of one payment; `refunded` is the sum of its refunds. Read under the payment's lock. */
export interface PaymentMoney {
  currency: Currency;
  state: PaymentState;
  amount: Amount;
  refunded: Amount;
}

/** Returns how much of a payment can still be credited. Zero unless it is completed; never negative. */
export function calculateCreditLimit(payment: Omit<PaymentMoney, 'currency'>): Amount {
  return payment.state === 'completed' ? larger(ZERO, subtract(payment.amount, payment.refunded)) : ZERO;
}

/**
 * Decides the amount of a credit. `requested` is the raw parameter. If it is missing (undefined, null or blank), the
 * amount is what the order owes the customer (`outstanding` below zero), up to the limit. If the order owes nothing,
 * the amount is required: a repeated request must not refund everything.
 * @returns the amount; or `over_limit`, the limit as a decimal string, for CreditOverLimit; or `errors` for
 * InvalidResource. The limit itself is allowed.
 */
export function decideCredit(
  payment: PaymentMoney,
  requested: unknown,
  outstanding: Amount,
): { amount: Amount } | { over_limit: string } | { errors: FieldErrors } {
  const allowed = calculateCreditLimit(payment);
  if (isMissing(requested)) {
    const isOverLimit = payment.state !== 'completed' || (allowed === ZERO && outstanding < ZERO);
    if (isOverLimit) return { over_limit: toDecimal(allowed) };
    if (outstanding >= ZERO) return { errors: { amount: ["can't be blank"] } };
    return { amount: smaller(negate(outstanding), allowed) };
  }
  const amount = parsePositiveAmount(requested, payment.currency);
  if (amount === null) return { errors: { amount: ['must be greater than 0'] } };
  return amount > allowed ? { over_limit: toDecimal(allowed) } : { amount };
}

/**
 * Decides the amount of a capture. If `requested` is missing, it is what the order owes (`owed`), at most
 * the payment; the whole payment if `owed` is null. A `rest` above zero becomes a new pending payment.
 * @returns `refused` for GatewayFailed if `requested` exceeds the payment, `errors` for InvalidResource.
 */
export function decideCapture(
  payment: Pick<PaymentMoney, 'amount' | 'currency'>,
  requested: unknown,
  owed: Amount | null,
): { amount: Amount; rest: Amount } | { refused: string } | { errors: FieldErrors } {
  if (isMissing(requested)) {
    if (owed === null) return { amount: payment.amount, rest: ZERO };
    if (owed <= ZERO) return { errors: { amount: ["can't be blank"] } };
    const amount = smaller(owed, payment.amount);
    return { amount, rest: subtract(payment.amount, amount) };
  }
  const amount = parsePositiveAmount(requested, payment.currency);
  if (amount === null) return { errors: { amount: ['must be greater than 0'] } };
  if (amount > payment.amount) return { refused: `cannot capture more than ${toDecimal(payment.amount)}` };
  return { amount, rest: subtract(payment.amount, amount) };
}

/** Returns the errors of an amount above `limit`, as for a purchase of more than is owed; none if it is within. */
export function listLimitErrors(amount: Amount, limit: Amount): FieldErrors {
  if (amount <= limit) return {};
  return { amount: [`must be less than or equal to ${toDecimal(larger(ZERO, limit))}`] };
}

/**
 * Reads the amount of a new or changed payment. A missing amount defaults to `defaultAmount`, or to zero
 * if that is negative. Zero is allowed. Amounts are rounded half up to the currency's unit.
 */
export function readPaymentAmount(
  requested: unknown,
  defaultAmount: Amount,
  currency: Currency,
): { amount: Amount } | { errors: FieldErrors } {
  if (isMissing(requested)) return { amount: larger(ZERO, defaultAmount) };
  const parsed = parseDecimal(requested);
  if (parsed === null) return { errors: { amount: ['is not a number'] } };
  if (parsed.startsWith('-')) return { errors: { amount: ['must be greater than or equal to 0'] } };
  if (compareDecimals(parsed, LARGEST_AMOUNT) > 0) {
    return { errors: { amount: [`must be less than or equal to ${LARGEST_AMOUNT}`] } };
  }
  return { amount: toAmount(roundMoney(parsed, currency)) };
}

/** The limit of the money columns. */
const LARGEST_AMOUNT = '99999999.99';

/** Returns whether a request has no amount: undefined, null or blank. */
export function isMissing(requested: unknown): boolean {
  return (
    requested === undefined ||
    requested === null ||
    (typeof requested === 'string' && requested.trim() === '')
  );
}

/** Returns null unless the value is a number above zero after rounding. */
function parsePositiveAmount(requested: unknown, currency: Currency): Amount | null {
  const parsed = parseDecimal(requested);
  const amount = parsed === null ? ZERO : toAmount(roundMoney(parsed, currency));
  return amount > ZERO ? amount : null;
}
