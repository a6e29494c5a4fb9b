import type { Actor } from '../../access/actor';
import { canUseAccount } from '../../access/authorization';
import type { PlacedChange } from '../../inventory/stock-ledger';
import type { BoundStatement } from '../../platform/database/prepared';
import { closeDiscounts } from '../pricing/kept-adjustments';
import { buildUnitsFinalization } from '../fulfilment/inventory-units.repository';
import { takeStock } from '../fulfilment/stock-plan';
import type { OrderPromotion } from '../order/order-graph';
import type { LockedOrderGraph } from '../order/order-lock';
import type { ChangedParts, OrderPatch } from '../order-updater/order-draft';
import type { Cause, StateChange } from '../order/state-changes.repository';
import type { UnitMove } from '../order/unit-moves.repository';
import { addPayment, refreshPaymentAmounts } from '../payment-processing/added-payments';
import { buildRememberedCard } from '../payment-processing/payment-entry';
import { isRisky } from '../payment-processing/risk';
import { buildShipment } from '../fulfilment/new-shipment';
import type { CheckoutEffect } from '../order/checkout.machine';
import type { StepFacts } from './checkout-facts';
import { listReturningUnits } from '../fulfilment/sold-units';
import { removeShipments, restartCheckout } from '../fulfilment/restart';
import { buildUserAddresses } from './user-addresses.repository';

/** What the effects of one step share, and what they change. */
export interface Step {
  order: LockedOrderGraph;
  /** Who takes the step; a guest when a step is finished after a gateway call. */
  actor: Actor;
  now: () => Date;
  cause: Cause;
  /** Null when a step is finished after a gateway call. */
  loaded: StepFacts | null;
  /** Changed columns of the order. */
  patch: OrderPatch;
  /** The nested records that the effects have changed; undefined if they have changed none. */
  parts: ChangedParts | undefined;
  /** The promotions with the uses that the effects have changed, on which no amount depends; undefined if none. */
  promotions: OrderPromotion[] | undefined;
  /** The history of payments. */
  history: StateChange[];
  units: UnitMove[];
  stock: BoundStatement[];
  /** Writes of other tables that are stored with the order. */
  commands: BoundStatement[];
  /** The addresses to copy from the account of the user. */
  filled: ('bill_address' | 'ship_address')[];
  /** The units to restock. */
  returned: PlacedChange[];
}

function noteParts(step: Step, parts: ChangedParts): void {
  step.parts = { ...step.parts, ...parts };
}

export const effects: Record<CheckoutEffect, (step: Step) => void> = {
  fill_addresses_from_user(step) {
    const { order, actor } = step;
    if (order.user_id === null || !canUseAccount(actor, order)) return;
    step.filled = (['bill_address', 'ship_address'] as const).filter((part) => order[part] === null);
  },
  save_addresses_to_user({ order, actor, commands }) {
    const { user_id, bill_address_id, ship_address_id } = order;
    if (!canUseAccount(actor, order)) return;
    if (user_id === null || bill_address_id === null || ship_address_id === null) return;
    commands.push(...buildUserAddresses(user_id, { bill_address_id, ship_address_id }));
  },
  replace_shipments(step) {
    const { order, loaded } = step;
    noteParts(step, {
      ...removeShipments(order),
      shipments: (loaded?.proposal?.packages ?? []).map((box) => buildShipment(order, box)),
    });
  },
  delete_shipments(step) {
    if (step.order.shipments.length > 0) noteParts(step, removeShipments(step.order));
  },
  add_default_card(step) {
    const card = step.loaded?.card ?? null;
    if (card === null) return;
    const added = addPayment(step.order, card, { amount: null, cause: step.cause });
    step.history.push(...added.history);
    noteParts(step, { payments: added.payments });
  },
  refresh_payment_amounts(step) {
    const payments = refreshPaymentAmounts(step.order);
    if (payments !== step.order.payments) noteParts(step, { payments });
  },
  restart_checkout(step) {
    const { order, patch } = step;
    const restart = restartCheckout(order, order.line_items.length > 0);
    noteParts(step, restart.parts);
    Object.assign(patch, restart.patch);
  },
  remove_lost_promotions(step) {
    noteParts(step, { promotions: step.loaded?.promotions?.holding ?? step.order.promotions });
  },
  claim_promotions(step) {
    const ids = step.loaded?.promotions?.promotion_ids ?? [];
    const others = step.order.promotions.filter(({ promotion_id }) => !ids.includes(promotion_id));
    const claimed = ids.map((promotion_id) => ({ promotion_id, used: true }));
    if (claimed.length > 0) step.promotions = [...others, ...claimed];
  },
  release_promotions(step) {
    const { promotions } = step.order;
    // Its coupon codes stay.
    if (promotions.some(({ used }) => used)) {
      step.promotions = promotions.map((promotion) => ({ ...promotion, used: false }));
    }
  },
  unstock_units(step) {
    const { order, loaded, cause } = step;
    const plan = loaded?.stock ?? null;
    if (plan === null) throw new Error('the step has no stock to take');
    const { shipments, units, stock } = takeStock(order, plan, cause.user_id);
    if (shipments !== order.shipments) noteParts(step, { shipments });
    step.units.push(...units);
    step.stock.push(...stock);
  },
  restock_units(step) {
    const action = 'completion undone';
    step.returned = listReturningUnits(step.order).map((change) => ({ ...change, action }));
  },
  finalize_units(step) {
    step.commands.push(buildUnitsFinalization(step.order));
  },
  close_adjustments(step) {
    const { order } = step;
    if (order.adjustments.length === 0) return;
    const discounts = new Map(closeDiscounts(order).map((kept) => [kept.id, kept]));
    const adjustments = order.adjustments.map((row) => {
      const kept = discounts.get(row.id);
      const { sold_amount = null, sold_base = null, percent = null } = kept ?? {};
      return row.closed
        ? row
        : { ...row, closed: true, sold_amount, sold_base, percent: percent ?? row.percent };
    });
    noteParts(step, { adjustments });
  },
  // The time of its invoice, so that both belong to one day, month and year. That of a sample sale is in the past.
  stamp_completed_at({ order: { transaction_time }, now, patch }) {
    const time = now();
    patch.completed_at = time < transaction_time ? time : transaction_time;
  },
  remember_card({ order, commands }) {
    commands.push(...buildRememberedCard(order));
  },
  assess_risk({ order, patch }) {
    patch.considered_risky = isRisky(
      order.payments.map((payment) => ({ ...payment, cvv_response: payment.cvv_response_code })),
    );
  },
};
