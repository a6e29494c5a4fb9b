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

/** A payment's own money; `refunded` is the sum of its refunds. Read under the payment's lock. */
export interface PaymentMoney {
  currency: Currency;
  state: PaymentState;
  amount: Amount;
  refunded: Amount;
}

/** How much of a payment may still be credited (behaviour 9.7): completed payments only, never below zero. */
export function calculateCreditLimit(payment: Omit<PaymentMoney, 'currency'>): Amount {
  return payment.state === 'completed' ? larger(ZERO, subtract(payment.amount, payment.refunded)) : ZERO;
}

/**
 * What a credit request comes to. `requested` is the raw parameter; when missing (undefined, null, empty) what the order
 * owes back (`outstanding` below zero) is credited, at most what is allowed, and all that is allowed when it owes nothing.
 * @returns the amount; or `over_limit` with the limit as decimal string, for CreditOverLimit; or `errors`, for
 * InvalidResource. The limit itself is allowed.
 */
export function decideCredit(
  payment: PaymentMoney,
  requested: unknown,
  outstanding: Amount,
): { amount: Amount } | { over_limit: string } | { errors: FieldErrors } {
  const allowed = calculateCreditLimit(payment);
  if (isMissing(requested)) {
    const amount = outstanding < ZERO ? smaller(negate(outstanding), allowed) : allowed;
    return amount > ZERO ? { amount } : { over_limit: toDecimal(allowed) };
  }
  const amount = parsePositiveAmount(requested, payment.currency);
  if (amount === null) return { errors: { amount: ['must be greater than 0'] } };
  return amount > allowed ? { over_limit: toDecimal(allowed) } : { amount };
}

/**
 * What a capture request comes to (behaviour 9.6): the whole amount when `requested` is missing, else that part of it; `rest`
 * becomes a new pending payment when it is not zero.
 * @returns `refused` for GatewayFailed when more is asked than the payment holds, `errors` for InvalidResource.
 */
export function decideCapture(
  payment: Pick<PaymentMoney, 'amount' | 'currency'>,
  requested: unknown,
): { amount: Amount; rest: Amount } | { refused: string } | { errors: FieldErrors } {
  if (isMissing(requested)) return { amount: payment.amount, rest: ZERO };
  const amount = parsePositiveAmount(requested, payment.currency);
  if (amount === null) return { errors: { amount: ['must be greater than 0'] } };
  if (amount > payment.amount) return { refused: `cannot capture more than ${toDecimal(payment.amount)}` };
  return { amount, rest: subtract(payment.amount, amount) };
}

/**
 * The amount of a new or changed payment (behaviour 9.3); `byDefault` when it is missing: the order's outstanding total.
 * Zero is an amount; what the currency cannot pay is rounded half up.
 */
export function readPaymentAmount(
  requested: unknown,
  byDefault: Amount,
  currency: Currency,
): { amount: Amount } | { errors: FieldErrors } {
  if (isMissing(requested)) return { amount: larger(ZERO, byDefault) };
  const parsed = parseDecimal(requested);
  if (parsed === null) return { errors: { amount: ['is not a number'] } };
  if (parsed.startsWith('-')) return { errors: { amount: ['must be greater than or equal to 0'] } };
  if (compareDecimals(parsed, LARGEST_AMOUNT) > 0) {
    return { errors: { amount: [`must be less than or equal to ${LARGEST_AMOUNT}`] } };
  }
  return { amount: toAmount(roundMoney(parsed, currency)) };
}

/** The bound of the money columns. */
const LARGEST_AMOUNT = '99999999.99';

/** Whether a request names no amount at all. */
export function isMissing(requested: unknown): boolean {
  return (
    requested === undefined ||
    requested === null ||
    (typeof requested === 'string' && requested.trim() === '')
  );
}

/** Null for what is no number or not above zero after rounding. */
function parsePositiveAmount(requested: unknown, currency: Currency): Amount | null {
  const parsed = parseDecimal(requested);
  const amount = parsed === null ? ZERO : toAmount(roundMoney(parsed, currency));
  return amount > ZERO ? amount : null;
}
