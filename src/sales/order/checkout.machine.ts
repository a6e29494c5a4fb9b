import { createMachine } from '../../platform/state-machine';
import type { OrderState } from './order.machine';
import {
  type CheckoutFacts,
  checkValidAddresses,
  checkItemsFitPackages,
  checkItemsInStock,
  checkRatesForPackages,
  checkUsablePayments,
  checkPromotionsHold,
  checkSelectedRates,
  checkOfferedShippingMethods,
  checkTaxesHold,
  checkVariantsForSale,
  checkBothAddresses,
  checkEmail,
  checkLineItems,
  checkPayment,
  isFree,
  checkPaymentsCoverTotal,
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
  { guard: checkVariantsForSale, orElse: ['restart_checkout'] },
  { guard: checkItemsInStock, orElse: ['restart_checkout'] },
  { guard: checkOfferedShippingMethods, orElse: ['restart_checkout'] },
  { guard: checkPromotionsHold, orElse: ['remove_lost_promotions'] },
  checkTaxesHold,
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
    when: [checkLineItems, checkItemsInStock],
    then: ['fill_addresses_from_user'],
  },
  {
    from: 'address',
    on: 'next',
    to: 'delivery',
    when: [
      checkLineItems,
      checkItemsInStock,
      checkEmail,
      checkBothAddresses,
      checkValidAddresses,
      checkItemsFitPackages,
      { guard: checkRatesForPackages, orElse: ['delete_shipments'] },
    ],
    then: ['save_addresses_to_user', 'replace_shipments'],
  },
  {
    from: ['delivery', 'payment', 'confirm'],
    on: 'next',
    to: 'complete',
    given: isFree,
    when: [...COMPLETION_GUARDS, checkEmail, checkSelectedRates],
    then: ['claim_promotions', 'refresh_payment_amounts', 'unstock_units', ...FINALIZE],
  },
  {
    from: 'delivery',
    on: 'next',
    to: 'payment',
    when: [checkItemsInStock, checkEmail, checkSelectedRates],
    then: ['add_default_card'],
  },
  {
    from: 'payment',
    on: 'next',
    to: 'confirm',
    when: [checkItemsInStock, checkEmail, checkPayment, checkUsablePayments],
    then: ['refresh_payment_amounts'],
  },
  {
    from: 'confirm',
    on: 'next',
    to: 'complete',
    when: [
      ...COMPLETION_GUARDS,
      checkEmail,
      checkSelectedRates,
      checkPaymentsCoverTotal,
      checkUsablePayments,
    ],
    prepare: ['claim_promotions', 'refresh_payment_amounts', 'unstock_units'],
    calls: 'process_payments',
    then: FINALIZE,
    undo: ['release_promotions', 'restock_units', 'assess_risk'],
  },
]);
