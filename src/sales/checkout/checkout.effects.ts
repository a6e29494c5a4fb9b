import type { Knex } from 'knex';
import type { Actor } from '../../access/actor';
import { canUseAccount, canUseSavedCards } from '../../access/authorization';
import type { OnBackordersFilled } from '../../inventory/backorders';
import { restock } from '../../inventory/stock-ledger';
import type { Tx } from '../../platform/database/transaction';
import { closeAdjustments } from '../pricing/adjustments.repository';
import { closeDiscounts } from '../pricing/kept-adjustments';
import { buildUnitsFinalization } from '../fulfilment/inventory-units.repository';
import { applyPlan } from '../fulfilment/stock-plan';
import type { LockedOrderGraph } from '../order/order-lock';
import {
  joinParts,
  type DeferredStatement,
  type OrderPatch,
  type WrittenParts,
} from '../order-updater/order-draft';
import type { Cause } from '../order/state-changes.repository';
import {
  addDefaultCardPayment,
  refreshPaymentAmounts,
  rememberCard,
} from '../payment-processing/payment-entry';
import { isActive } from '../order/payment.machine';
import { isRisky } from '../payment-processing/risk';
import { collectActionIds, selectEligibleDiscounts } from '../pricing/order-promotions';
import {
  claimPromotions,
  releasePromotions,
  unlinkLostPromotions,
} from '../pricing/order-promotions.repository';
import { deleteShipmentsOfOrder, insertShipments } from '../fulfilment/proposed-shipments.repository';
import type { CheckoutEffect } from '../order/checkout.machine';
import type { StepFacts } from './checkout-facts';
import { listReturningUnits } from '../fulfilment/sold-units';
import { restartCheckout } from '../fulfilment/restart';
import { copyUserAddress, saveUserAddresses } from './user-addresses.repository';

/** What the effects of one step share. Effects write rows, and collect changed columns of the order in `patch`. */
export interface Step {
  tx: Tx;
  order: LockedOrderGraph;
  /** Who takes the step; a guest when a step is finished after a gateway call. */
  actor: Actor;
  now: () => Date;
  cause: Cause;
  onBackordersFilled: OnBackordersFilled;
  /** Null when a step is finished after a gateway call. */
  loaded: StepFacts | null;
  patch: OrderPatch;
  /** The nested records that the effects have written; undefined if they have written none. */
  parts: WrittenParts | undefined;
  /** Writes that travel with that of the order (`addWrites`). */
  writes: Knex.Raw[];
  /** Statements that are sent together with that of the order (`deferStatement`). */
  deferred: DeferredStatement[];
}

function noteParts(step: Step, parts: WrittenParts): void {
  step.parts = joinParts(step.parts ?? {}, parts);
}

export const effects: Record<CheckoutEffect, (step: Step) => Promise<void>> = {
  async fill_addresses_from_user(step) {
    const { tx, order, patch, actor } = step;
    if (order.user_id === null || !canUseAccount(actor, order)) return;
    for (const column of ['bill_address_id', 'ship_address_id'] as const) {
      if (order[column] !== null) continue;
      const id = await copyUserAddress(tx, order.user_id, column);
      if (id !== null) patch[column] = id;
    }
    if ('bill_address_id' in patch || 'ship_address_id' in patch) noteParts(step, null);
  },
  async save_addresses_to_user({ tx, order, actor }) {
    const { user_id, bill_address_id, ship_address_id } = order;
    if (!canUseAccount(actor, order)) return;
    if (user_id === null || bill_address_id === null || ship_address_id === null) return;
    await saveUserAddresses(tx, user_id, { bill_address_id, ship_address_id });
  },
  async replace_shipments(step) {
    const { tx, order, loaded } = step;
    const isFirst = order.shipments.length === 0;
    if (!isFirst) await deleteShipmentsOfOrder(tx, order);
    const shipments = await insertShipments(tx, order, loaded?.proposal?.packages ?? []);
    // The adjustments of deleted shipments are deleted with them.
    noteParts(step, isFirst ? { shipments: shipments } : null);
  },
  async delete_shipments(step) {
    const { tx, order } = step;
    if (order.shipments.length === 0) return;
    await deleteShipmentsOfOrder(tx, order);
    noteParts(step, null);
  },
  async add_default_card(step) {
    const { tx, order, now, cause, actor } = step;
    if (!canUseSavedCards(actor, order)) return;
    if (order.payments.some(({ state }) => isActive(state))) return;
    const isAdded = await addDefaultCardPayment(tx, order, { now: now(), cause });
    if (isAdded) noteParts(step, null);
  },
  async refresh_payment_amounts(step) {
    const isChanged = await refreshPaymentAmounts(step.tx, step.order);
    if (isChanged) noteParts(step, null);
  },
  async restart_checkout(step) {
    const { tx, order, patch } = step;
    noteParts(step, null);
    Object.assign(patch, await restartCheckout(tx, order, order.line_items.length > 0));
  },
  async remove_lost_promotions(step) {
    await unlinkLostPromotions(step.tx, step.order);
    // Always recalculates the order.
    noteParts(step, null);
  },
  async claim_promotions({ tx, order }) {
    const counted = selectEligibleDiscounts(order);
    if (counted.length > 0) await claimPromotions(tx, order, collectActionIds(counted));
  },
  async release_promotions({ tx, order }) {
    if (selectEligibleDiscounts(order).length > 0) await releasePromotions(tx, order);
  },
  async unstock_units(step) {
    const { tx, order, loaded, cause } = step;
    const stock = loaded?.stock ?? null;
    if (stock === null) throw new Error('the step has no stock to take');
    const { isChanged, unstock } = await applyPlan(tx, order, stock, cause.user_id);
    step.deferred.push(async () => {
      await unstock();
      return (saved) => saved;
    });
    if (isChanged) noteParts(step, null);
  },
  async restock_units({ tx, order, onBackordersFilled }) {
    const returned = listReturningUnits(order).map((change) => ({ ...change, action: 'completion undone' }));
    await restock(tx, returned, onBackordersFilled);
  },
  finalize_units(step) {
    step.writes.push(buildUnitsFinalization(step.tx, step.order));
    return Promise.resolve();
  },
  async close_adjustments(step) {
    const { tx, order } = step;
    if (order.adjustments.length === 0) return;
    await closeAdjustments(tx, order, closeDiscounts(order));
    noteParts(step, null);
  },
  stamp_completed_at({ now, patch }) {
    patch.completed_at = now();
    return Promise.resolve();
  },
  async remember_card({ tx, order }) {
    await rememberCard(tx, order);
  },
  assess_risk({ order, patch }) {
    patch.considered_risky = isRisky(
      order.payments.map((payment) => ({ ...payment, cvv_response: payment.cvv_response_code })),
    );
    return Promise.resolve();
  },
};
