import { createMachine } from '../../platform/state-machine';
import type { OrderState } from './order.machine';
import {
  type CheckoutFacts,
  bothAddressesAreValid,
  everyItemFitsAPackage,
  everyItemIsInStock,
  everyPackageHasRates,
  everyPaymentIsUsable,
  everyPromotionHolds,
  everyShipmentHasASelectedRate,
  everyShippingMethodIsOffered,
  everyTaxHolds,
  everyVariantIsSold,
  hasBothAddresses,
  hasEmail,
  hasLineItems,
  hasPayment,
  isFree,
  paymentsCanCoverTotal,
} from './checkout.guards';

/** One step forward. Steps back are in restart.machine.ts. */
export type CheckoutEvent = 'next';

export type CheckoutEffect =
  | 'fill_addresses_from_user'
  | 'save_addresses_to_user'
  | 'replace_shipments'
  | 'delete_shipments'
  | 'add_default_card'
  | 'refresh_payment_amounts'
  | 'restart_checkout'
  | 'remove_lost_promotions'
  | 'claim_promotions'
  | 'release_promotions'
  | 'unstock_units'
  | 'restock_units'
  | 'finalize_units'
  | 'close_adjustments'
  | 'stamp_completed_at'
  | 'remember_card'
  | 'assess_risk';

const FINALIZE = [
  'finalize_units',
  'close_adjustments',
  'stamp_completed_at',
  'remember_card',
  'assess_risk',
] as const satisfies readonly CheckoutEffect[];

/**
 * Guards of completion. A shortage or a deleted shipping method restarts the checkout; a discount that expired or is
 * used up is removed, and the order keeps its state with the new total. Both changes are committed although the
 * response is 422.
 */
const COMPLETION_GUARDS = [
  { guard: everyVariantIsSold, orElse: ['restart_checkout'] },
  { guard: everyItemIsInStock, orElse: ['restart_checkout'] },
  { guard: everyShippingMethodIsOffered, orElse: ['restart_checkout'] },
  { guard: everyPromotionHolds, orElse: ['remove_lost_promotions'] },
  everyTaxHolds,
] as const;

/**
 * The checkout of an order, from cart to complete. The order updater recalculates taxes and totals after
 * every step, so they are not effects. The effects:
 * - `replace_shipments` stores the proposal of the facts: shipments, units, and rates with the cheapest one selected.
 * - `restart_checkout` performs the event `restart` of restart.machine.ts.
 * - `unstock_units` decides the unit states from the locked counts and unstocks the units; `restock_units` undoes it.
 * - `claim_promotions` records that the order uses its promotions, before a gateway is called; `release_promotions`
 *   undoes it. `remove_lost_promotions` removes codes that are used up or expired.
 * - `refresh_payment_amounts` resets payments in state `checkout` that have no explicit amount.
 */
export const checkoutMachine = createMachine<
  OrderState,
  CheckoutEvent,
  CheckoutFacts,
  CheckoutEffect,
  'process_payments'
>([
  {
    from: 'cart',
    on: 'next',
    to: 'address',
    when: [hasLineItems, everyItemIsInStock],
    then: ['fill_addresses_from_user'],
  },
  {
    from: 'address',
    on: 'next',
    to: 'delivery',
    when: [
      hasLineItems,
      everyItemIsInStock,
      hasEmail,
      hasBothAddresses,
      bothAddressesAreValid,
      everyItemFitsAPackage,
      { guard: everyPackageHasRates, orElse: ['delete_shipments'] },
    ],
    then: ['save_addresses_to_user', 'replace_shipments'],
  },
  {
    from: ['delivery', 'payment', 'confirm'],
    on: 'next',
    to: 'complete',
    given: isFree,
    when: [...COMPLETION_GUARDS, hasEmail, everyShipmentHasASelectedRate],
    then: ['claim_promotions', 'unstock_units', ...FINALIZE],
  },
  {
    from: 'delivery',
    on: 'next',
    to: 'payment',
    when: [everyItemIsInStock, hasEmail, everyShipmentHasASelectedRate],
    then: ['add_default_card'],
  },
  {
    from: 'payment',
    on: 'next',
    to: 'confirm',
    when: [everyItemIsInStock, hasEmail, hasPayment, everyPaymentIsUsable],
    then: ['refresh_payment_amounts'],
  },
  {
    from: 'confirm',
    on: 'next',
    to: 'complete',
    when: [
      ...COMPLETION_GUARDS,
      hasEmail,
      everyShipmentHasASelectedRate,
      paymentsCanCoverTotal,
      everyPaymentIsUsable,
    ],
    prepare: ['claim_promotions', 'refresh_payment_amounts', 'unstock_units'],
    calls: 'process_payments',
    then: FINALIZE,
    undo: ['release_promotions', 'restock_units', 'assess_risk'],
  },
]);
