import type { Actor } from '../../access/actor';
import { canUseAccount, canUseSavedCards } from '../../access/authorization';
import { buildAddressGraph, getCountries } from '../../geography/addresses/addresses.repository';
import type { OnBackordersFilled } from '../../inventory/backorders';
import { restock } from '../../inventory/stock-ledger';
import type { BoundStatement } from '../../platform/database/prepared';
import type { Tx } from '../../platform/database/transaction';
import { closeDiscounts } from '../pricing/kept-adjustments';
import { buildUnitsFinalization } from '../fulfilment/inventory-units.repository';
import { applyPlan } from '../fulfilment/stock-plan';
import type { OrderPromotion } from '../order/order-graph';
import type { LockedOrderGraph } from '../order/order-lock';
import type { ChangedParts, OrderPatch } from '../order-updater/order-draft';
import type { Cause, StateChange } from '../order/state-changes.repository';
import { refreshPaymentAmounts } from '../payment-processing/added-payments';
import { addDefaultCardPayment, rememberCard } from '../payment-processing/payment-entry';
import { isActive } from '../order/payment.machine';
import { isRisky } from '../payment-processing/risk';
import { buildShipment } from '../fulfilment/new-shipment';
import type { CheckoutEffect } from '../order/checkout.machine';
import type { StepFacts } from './checkout-facts';
import { listReturningUnits } from '../fulfilment/sold-units';
import { removeShipments, restartCheckout } from '../fulfilment/restart';
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
  /** The nested records that the effects have changed; undefined if they have changed none. */
  parts: ChangedParts | undefined;
  /** The promotions with the uses that the effects have changed, on which no amount depends; undefined if none. */
  promotions: OrderPromotion[] | undefined;
  /** The history of payments. */
  history: StateChange[];
  /** Writes of other tables that are stored with the order. */
  commands: BoundStatement[];
}

function noteParts(step: Step, parts: ChangedParts): void {
  step.parts = { ...step.parts, ...parts };
}

export const effects: Record<CheckoutEffect, (step: Step) => Promise<void>> = {
  async fill_addresses_from_user(step) {
    const { tx, order, patch, actor } = step;
    if (order.user_id === null || !canUseAccount(actor, order)) return;
    for (const part of ['bill_address', 'ship_address'] as const) {
      if (order[part] !== null) continue;
      const copy = await copyUserAddress(tx, order.user_id, `${part}_id`);
      if (copy === undefined) continue;
      patch[`${part}_id`] = copy.id;
      const countries = await getCountries(tx, order.revisions);
      noteParts(step, { [part]: buildAddressGraph(copy.id, copy, countries) });
    }
  },
  async save_addresses_to_user({ tx, order, actor }) {
    const { user_id, bill_address_id, ship_address_id } = order;
    if (!canUseAccount(actor, order)) return;
    if (user_id === null || bill_address_id === null || ship_address_id === null) return;
    await saveUserAddresses(tx, user_id, { bill_address_id, ship_address_id });
  },
  replace_shipments(step) {
    const { order, loaded } = step;
    noteParts(step, {
      ...removeShipments(order),
      shipments: (loaded?.proposal?.packages ?? []).map((box) => buildShipment(order, box)),
    });
    return Promise.resolve();
  },
  delete_shipments(step) {
    if (step.order.shipments.length > 0) noteParts(step, removeShipments(step.order));
    return Promise.resolve();
  },
  async add_default_card(step) {
    const { tx, order, now, cause, actor } = step;
    if (!canUseSavedCards(actor, order)) return;
    if (order.payments.some(({ state }) => isActive(state))) return;
    const added = await addDefaultCardPayment(tx, order, { now: now(), cause });
    if (added === null) return;
    step.history.push(...added.history);
    noteParts(step, { payments: added.payments });
  },
  refresh_payment_amounts(step) {
    const payments = refreshPaymentAmounts(step.order);
    if (payments !== step.order.payments) noteParts(step, { payments });
    return Promise.resolve();
  },
  async restart_checkout(step) {
    const { order, patch } = step;
    const restart = await restartCheckout(order, order.line_items.length > 0);
    noteParts(step, restart.parts);
    Object.assign(patch, restart.patch);
  },
  remove_lost_promotions(step) {
    noteParts(step, { promotions: step.loaded?.promotions?.holding ?? step.order.promotions });
    return Promise.resolve();
  },
  claim_promotions(step) {
    const ids = step.loaded?.promotions?.promotion_ids ?? [];
    const others = step.order.promotions.filter(({ promotion_id }) => !ids.includes(promotion_id));
    const claimed = ids.map((promotion_id) => ({ promotion_id, used: true }));
    if (claimed.length > 0) step.promotions = [...others, ...claimed];
    return Promise.resolve();
  },
  release_promotions(step) {
    const { promotions } = step.order;
    // Its coupon codes stay.
    if (promotions.some(({ used }) => used)) {
      step.promotions = promotions.map((promotion) => ({ ...promotion, used: false }));
    }
    return Promise.resolve();
  },
  async unstock_units(step) {
    const { tx, order, loaded, cause } = step;
    const stock = loaded?.stock ?? null;
    if (stock === null) throw new Error('the step has no stock to take');
    const shipments = await applyPlan(tx, order, stock, cause.user_id);
    if (shipments !== order.shipments) noteParts(step, { shipments });
  },
  async restock_units({ tx, order, onBackordersFilled }) {
    const returned = listReturningUnits(order).map((change) => ({ ...change, action: 'completion undone' }));
    await restock(tx, returned, onBackordersFilled);
  },
  finalize_units(step) {
    step.commands.push(buildUnitsFinalization(step.order));
    return Promise.resolve();
  },
  close_adjustments(step) {
    const { order } = step;
    if (order.adjustments.length === 0) return Promise.resolve();
    const discounts = new Map(closeDiscounts(order).map((kept) => [kept.id, kept]));
    const adjustments = order.adjustments.map((row) => {
      const kept = discounts.get(row.id);
      const { sold_amount = null, sold_base = null, percent = null } = kept ?? {};
      return row.closed
        ? row
        : { ...row, closed: true, sold_amount, sold_base, percent: percent ?? row.percent };
    });
    noteParts(step, { adjustments });
    return Promise.resolve();
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
