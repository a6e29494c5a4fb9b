import { canUseAccount } from '../../access/authorization';
import type { Editor } from './editor';
import { CouponCodeRefused, CouponRefused } from '../../errors/errors';
import { isBlank } from '../../platform/blank';
import type { Tx } from '../../platform/database/transaction';
import { recalculateDraft } from '../order-updater/order-updater';
import { buildClaim } from './order-claim';
import { changeLines } from './order-contents';
import { addToDraft, applyParts, patchDraft, type OrderDraft } from '../order-updater/order-draft';
import type { OrderGraph, OrderPromotion } from '../order/order-graph';
import type { Cause } from '../order/state-changes.repository';
import { addPayment, withdrawOwnersCards, type PaymentSource } from '../payment-processing/added-payments';
import { enterCoupon } from './enter-coupon';
import { findStepBackEvent } from '../order/restart.machine';
import { stepBack } from '../fulfilment/restart';
import type { OrderAttributesInput } from './checkout.schema';
import { applyOrderAttributes } from './order-attributes';
import type { ChangeableOrder } from '../order/sold-order-policy';

/**
 * Applies the body of POST and PUT orders and of PUT checkouts/:number to a draft, without advancing the checkout. The
 * caller saves the draft. @throws InvalidResource, Refused; the transaction must then be rolled back
 */
export async function applyInput(
  tx: Tx,
  before: OrderDraft<ChangeableOrder>,
  input: { attributes: OrderAttributesInput; payment: PaymentSource | null; cause: Cause },
  editor: Editor,
): Promise<OrderDraft> {
  const { attributes, payment, cause } = input;
  // The owner of the order affects the following steps.
  const draft = patchDraft(before, buildClaim(editor, before.order), cause);
  const rows = attributes.line_items_attributes ?? attributes.line_items ?? [];
  const contents =
    rows.length === 0 ? { draft, patch: {}, parts: {} } : await changeLines(tx, draft, rows, editor);
  const stored = contents.draft;
  const applied = await applyOrderAttributes(tx, stored.order, attributes, editor);
  const isRedirected = 'ship_address_id' in applied.patch && !canUseAccount(editor.actor, before.order);
  const changesParts = rows.length > 0 || applied.changes_parts || payment !== null;
  const patched = patchDraft(stored, { ...applied.patch, ...contents.patch }, cause);
  const known = changesParts ? applyParts(patched, { ...applied.parts, ...contents.parts }) : patched;
  const current = isRedirected || payment !== null ? pay(known, payment, cause) : known;
  const promotions = await applyCoupon(tx, current.order, attributes);
  if (promotions !== null) {
    return recalculateDraft(tx, { ...current, order: { ...current.order, promotions } }, cause);
  }
  // Promotion rules may depend on the buyer.
  const changesBuyer = current.order.shop_has_promotions && hasAnotherBuyer(before.order, current.order);
  return changesParts || changesBuyer ? recalculateDraft(tx, current, cause) : current;
}

/**
 * Stores the payment of a body that changes nothing else, as shoppers may send it for a complete order. The caller
 * saves the draft. @throws InvalidResource
 */
export async function applyPayment(
  tx: Tx,
  draft: OrderDraft,
  payment: PaymentSource | null,
  cause: Cause,
): Promise<OrderDraft> {
  if (payment === null) return draft;
  return recalculateDraft(tx, pay(draft, payment, cause), cause);
}

/**
 * Adds a payment, which invalidates older ones. Without one, the caller has only the order token and has changed the ship
 * address: cards of the order's user do not pay.
 */
function pay(draft: OrderDraft, payment: PaymentSource | null, cause: Cause): OrderDraft {
  const { order } = draft;
  const { payments, history } =
    payment === null
      ? withdrawOwnersCards(order, cause)
      : addPayment(order, payment, { amount: null, cause });
  return { ...addToDraft(draft, { history }), cause, order: { ...order, payments } };
}

/** The attributes that pay for an order, and those that admins set. */
const NO_CHANGES: ReadonlySet<string> = new Set<keyof OrderAttributesInput>([
  'payments',
  'payments_attributes',
  'payment_source',
  'existing_card',
  'user_id',
  'metadata',
  'public_metadata',
]);

/** Returns whether a shopper's body changes the order, beyond a payment. Empty lists change nothing. */
export function isOrderChange(attributes: OrderAttributesInput): boolean {
  return Object.entries(attributes).some(
    ([name, value]) =>
      value !== undefined && !NO_CHANGES.has(name) && !(Array.isArray(value) && value.length === 0),
  );
}

/**
 * Applies the coupon code of the body, after the rest of it.
 * @returns the promotions of the order; null without a code
 * @throws CouponCodeRefused
 */
async function applyCoupon(
  tx: Tx,
  order: OrderGraph,
  { coupon_code }: OrderAttributesInput,
): Promise<OrderPromotion[] | null> {
  if (isBlank(coupon_code)) return null;
  try {
    return await enterCoupon(tx, order, coupon_code);
  } catch (error) {
    throw error instanceof CouponRefused ? new CouponCodeRefused(error.message) : error;
  }
}

function hasAnotherBuyer(before: OrderGraph, after: OrderGraph): boolean {
  return before.user_id !== after.user_id || before.email !== after.email;
}

/** Returns an order to the earlier checkout step named by `state`. Any other value is ignored. */
export function applyStepBack(
  draft: OrderDraft<ChangeableOrder>,
  state: string | null | undefined,
  cause: Cause,
): OrderDraft<ChangeableOrder> {
  const event = findStepBackEvent(state);
  if (event === null) return draft;
  return patchDraft(draft, stepBack(draft.order, event), cause);
}
