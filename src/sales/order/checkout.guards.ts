import { NO_PAYMENT, OUT_OF_STOCK } from '../../errors/error-codes';
import type { FieldErrors } from '../../platform/errors';
import { isBlank } from '../../platform/blank';
import { isEmail } from '../../platform/email';
import { type Amount, sum } from '../../platform/money';
import { prefixErrors } from '../../platform/nested-errors';
import { isActive, type PaymentState } from './payment.machine';

/** The facts that the guards of a checkout step read. Loaded under the order's lock. */
export interface CheckoutFacts {
  email: string | null;
  line_item_count: number;
  /** No variant or product of a line item is deleted. */
  every_variant_is_for_sale: boolean;
  /**
   * Every line item can be supplied: by the available stock before a step, by the locked counts at completion.
   * Untracked variants are always in stock.
   */
  every_item_is_in_stock: boolean;
  /** At completion: whether the discounts of the order are still valid. `hold` before. */
  promotions: PromotionsOutcome;
  /** Errors of the address: an empty object if it is valid, null if there is no address. */
  bill_address_errors: FieldErrors | null;
  ship_address_errors: FieldErrors | null;
  /** Packages of the stock coordinator with the rates of the estimator. Null except when leaving `address`. */
  proposal: { has_shortage: boolean; packages: readonly { rates: readonly unknown[] }[] } | null;
  shipments: readonly { has_selected_rate: boolean }[];
  /** No selected rate is of a deleted shipping method. */
  every_shipping_method_is_offered: boolean;
  /** At completion: taxes were deleted, and those that replace them are higher. False before. */
  taxes_have_risen: boolean;
  total: Amount;
  /** Completed payments minus their refunds. */
  payment_total: Amount;
  /** Sum of the authorized payments (state `pending`). */
  pending_total: Amount;
  payments: readonly { state: PaymentState }[];
  /** Why a payment in state `checkout` can no longer be processed; null if all can. */
  unusable_payment: 'inactive_method' | 'expired_card' | null;
}

const NO_ITEMS = 'There are no items for this order. Please add an item to the order to continue.';
const NO_LONGER_SOLD = 'Some line items in this order have products that are no longer available.';
export const PROMOTION_USED_UP = 'Coupon code usage limit exceeded';
const PROMOTIONS_CHANGED = 'The promotions of this order have changed. Please check the new total.';
const TAXES_CHANGED = 'The taxes of this order have changed. Please check the new total.';
const SHIPPING_WITHDRAWN = 'The selected shipping method is no longer available. Please select another one.';
const METHOD_WITHDRAWN = 'That payment method is unsupported. Please choose another one.';
const NO_RATES = 'We are unable to calculate shipping rates for the selected items.';
const NO_RATE_SELECTED = 'Please select a shipping rate for every shipment';

const buildBaseError = (message: string): FieldErrors => ({ base: [message] });
const BLANK = "can't be blank";

/** A free order has no payment and no confirm step. */
export function isFree(order: Pick<CheckoutFacts, 'total'>): boolean {
  return order.total === 0n;
}

export function checkLineItems(order: CheckoutFacts): FieldErrors | null {
  return order.line_item_count > 0 ? null : buildBaseError(NO_ITEMS);
}

/** Whether these errors report a shortage, so that the reply also names the line items. */
export function reportsShortage(errors: FieldErrors): boolean {
  return errors['base']?.includes(OUT_OF_STOCK) === true;
}

export function checkItemsInStock(order: CheckoutFacts): FieldErrors | null {
  return order.every_item_is_in_stock ? null : buildBaseError(OUT_OF_STOCK);
}

export function checkVariantsForSale(order: CheckoutFacts): FieldErrors | null {
  return order.every_variant_is_for_sale ? null : buildBaseError(NO_LONGER_SOLD);
}

/** A refusal removes the lost discounts, so that the next attempt completes the order at the new total. */
export function checkPromotionsHold(order: CheckoutFacts): FieldErrors | null {
  if (order.promotions === 'hold') return null;
  return buildBaseError(order.promotions === 'used_up' ? PROMOTION_USED_UP : PROMOTIONS_CHANGED);
}

export function checkEmail(order: CheckoutFacts): FieldErrors | null {
  return findEmailErrors(order.email);
}

/** Returns the errors of the e-mail from state `delivery` on, or null. Updates check them too. */
export function findEmailErrors(email: string | null): FieldErrors | null {
  if (isBlank(email)) return { email: [BLANK] };
  return isEmail(email.trim()) ? null : { email: ['is invalid'] };
}

/** Reports both missing addresses at once, so that a form can mark both. */
export function checkBothAddresses(order: CheckoutFacts): FieldErrors | null {
  const errors: FieldErrors = {};
  if (order.bill_address_errors === null) errors['bill_address'] = [BLANK];
  if (order.ship_address_errors === null) errors['ship_address'] = [BLANK];
  return toErrorsOrNull(errors);
}

export function checkValidAddresses(order: CheckoutFacts): FieldErrors | null {
  return toErrorsOrNull({
    ...prefixErrors('bill_address', order.bill_address_errors ?? {}),
    ...prefixErrors('ship_address', order.ship_address_errors ?? {}),
  });
}

export function checkItemsFitPackages(order: CheckoutFacts): FieldErrors | null {
  return order.proposal?.has_shortage ? buildBaseError(OUT_OF_STOCK) : null;
}

export function checkRatesForPackages(order: CheckoutFacts): FieldErrors | null {
  const packages = order.proposal?.packages ?? [];
  return packages.length > 0 && packages.every(({ rates }) => rates.length > 0)
    ? null
    : buildBaseError(NO_RATES);
}

export function checkSelectedRates(order: CheckoutFacts): FieldErrors | null {
  const { shipments } = order;
  const isSelected = shipments.length > 0 && shipments.every((shipment) => shipment.has_selected_rate);
  return isSelected ? null : buildBaseError(NO_RATE_SELECTED);
}

export function checkPayment(order: CheckoutFacts): FieldErrors | null {
  return order.payments.some(({ state }) => isActive(state)) ? null : buildBaseError(NO_PAYMENT);
}

/** Checks that the total is paid or authorized, or a payment in state `checkout` can still be processed. */
export function checkPaymentsCoverTotal(order: CheckoutFacts): FieldErrors | null {
  return isCovered(order) || order.payments.some(({ state }) => state === 'checkout')
    ? null
    : buildBaseError(NO_PAYMENT);
}

function isCovered(order: CheckoutFacts): boolean {
  return sum(order.payment_total, order.pending_total) >= order.total;
}

/** Checks that no payment that is still to be processed uses an inactive method or an expired card. */
export function checkUsablePayments(order: CheckoutFacts): FieldErrors | null {
  if (isCovered(order) || order.unusable_payment === null) return null;
  return order.unusable_payment === 'inactive_method'
    ? buildBaseError(METHOD_WITHDRAWN)
    : { 'payments.Credit Card': ['Card has expired'] };
}

/** A refusal restarts the checkout, so that the remaining shipping methods are offered. */
export function checkOfferedShippingMethods(order: CheckoutFacts): FieldErrors | null {
  return order.every_shipping_method_is_offered ? null : buildBaseError(SHIPPING_WITHDRAWN);
}

/** A refusal keeps the recalculated taxes, so that the next attempt completes the order at the new total. */
export function checkTaxesHold(order: CheckoutFacts): FieldErrors | null {
  return order.taxes_have_risen ? buildBaseError(TAXES_CHANGED) : null;
}

function toErrorsOrNull(errors: FieldErrors): FieldErrors | null {
  return Object.keys(errors).length > 0 ? errors : null;
}

/** The result of recalculating an order's discounts: all valid, one over its usage limit, or otherwise changed. */
export type PromotionsOutcome = 'hold' | 'used_up' | 'changed';
