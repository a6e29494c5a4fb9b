import { canUseAccount } from '../../access/authorization';
import type { Editor } from './editor';
import { CouponCodeRefused, CouponRefused } from '../../errors/errors';
import { isBlank } from '../../platform/blank';
import type { Tx } from '../../platform/database/transaction';
import { recalculate } from '../order-updater/recalculate-order';
import { buildClaim } from './order-claim';
import { changeLines } from './order-contents';
import {
  addNestedWrite,
  applyParts,
  joinParts,
  patchDraft,
  reloadDraft,
  sendNestedWrites,
  type OrderDraft,
  type WrittenParts,
} from '../order-updater/order-draft';
import type { OrderGraph } from '../order/order-graph';
import type { Cause } from '../order/state-changes.repository';
import { invalidateOwnersCards, storePayment, type PaymentSource } from '../payment-processing/payment-entry';
import { enterCoupon } from './enter-coupon';
import { findStepBackEvent } from '../order/restart.machine';
import { stepBack } from '../fulfilment/restart';
import type { OrderAttributesInput } from './checkout.schema';
import { applyOrderAttributes } from './order-attributes';
import type { LockedOrderGraph } from '../order/order-lock';
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
  const contents = rows.length === 0 ? UNCHANGED : await changeLines(tx, draft.order, rows, editor);
  // The next steps use the line items as they were, as far as they use them.
  const applied = await applyOrderAttributes(tx, draft.order, attributes, editor);
  const patched = patchDraft(draft, { ...applied.patch, ...contents.patch }, cause);
  const changed = addNestedWrite(addNestedWrite(patched, contents.write), applied.write);
  const isRedirected = 'ship_address_id' in applied.patch && !canUseAccount(editor.actor, before.order);
  const paid = await applyPaymentParts(tx, changed.order, { payment, isRedirected, cause });
  const parts = joinParts(joinParts(applied.parts, contents.parts), paid.parts);
  const changesParts = rows.length > 0 || applied.changes_parts || payment !== null;
  const known = changesParts ? await applyParts(tx, changed, parts) : changed;
  // The step after `delivery` neither reads nor writes shipments.
  const current = known.order.state === 'delivery' ? known : await sendNestedWrites(tx, known);
  const changesCoupon = await applyCoupon(tx, current.order, attributes);
  // Promotion rules may depend on the buyer.
  const changesBuyer = current.order.shop_has_promotions && hasAnotherBuyer(before.order, current.order);
  return changesParts || changesCoupon || changesBuyer ? recalculate(tx, current, cause) : current;
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
  const { parts } = await storePayment(tx, draft.order, payment, { amount: null, cause });
  return recalculate(tx, await applyParts(tx, draft, parts), cause);
}

/**
 * Stores a payment, which invalidates older ones. If the caller has only the order token and has changed the ship address,
 * cards of the order's user do not pay.
 */
async function applyPaymentParts(
  tx: Tx,
  order: LockedOrderGraph,
  input: { payment: PaymentSource | null; isRedirected: boolean; cause: Cause },
): Promise<{ parts: WrittenParts }> {
  const { payment, isRedirected, cause } = input;
  if (payment !== null) return storePayment(tx, order, payment, { amount: null, cause });
  const isChanged = isRedirected && (await invalidateOwnersCards(tx, order, cause));
  return isChanged ? { parts: null } : UNCHANGED;
}

/** Nothing was written. */
const UNCHANGED = { patch: {}, parts: {}, write: null } as const;

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

/** Applies the coupon code of the body, after the rest of it. @returns whether there is one. @throws Refused */
async function applyCoupon(tx: Tx, order: LockedOrderGraph, input: OrderAttributesInput): Promise<boolean> {
  const { coupon_code } = input;
  if (isBlank(coupon_code)) return false;
  try {
    await enterCoupon(tx, order, coupon_code);
  } catch (error) {
    throw error instanceof CouponRefused ? new CouponCodeRefused(error.message) : error;
  }
  return true;
}

function hasAnotherBuyer(before: OrderGraph, after: OrderGraph): boolean {
  return before.user_id !== after.user_id || before.email !== after.email;
}

/** Returns an order to the earlier checkout step named by `state`. Any other value is ignored. */
export async function applyStepBack(
  tx: Tx,
  draft: OrderDraft<ChangeableOrder>,
  state: string | null | undefined,
  cause: Cause,
): Promise<OrderDraft<ChangeableOrder>> {
  const event = findStepBackEvent(state);
  if (event === null) return draft;
  const patch = await stepBack(tx, draft.order, event);
  // The step may delete shipments.
  return Object.keys(patch).length === 0 ? draft : reloadDraft(tx, patchDraft(draft, patch, cause));
}
