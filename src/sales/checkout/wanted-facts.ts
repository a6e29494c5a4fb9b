import { GUEST } from '../../access/actor';
import type { OrderCredentials } from '../../access/context';
import type { ReferenceRevisions } from '../../geography/reference-revisions.repository';
import type { Facts, LoadersOf } from '../../platform/database/facts';
import { Restart, type Tx } from '../../platform/database/transaction';
import { loadStockOfOrder, lockStockOfCompletion } from '../fulfilment/completion-stock.repository';
import { FULFILMENT_FACTS } from '../fulfilment/fulfilment-facts';
import { findDefaultCard } from '../payment-processing/credit-cards.repository';
import { getOfferedPaymentMethods } from '../payment-processing/payment-methods.repository';
import type { CheckoutInput } from '../order-input/checkout.schema';

/** What a step of the checkout depends on besides the order. */
export const CHECKOUT_FACTS = {
  ...FULFILMENT_FACTS,
  async defaultCard(tx: Tx, userId: number) {
    return (await findDefaultCard(tx, userId)) ?? null;
  },
  async offeredPaymentMethods(tx: Tx, revisions: ReferenceRevisions) {
    return getOfferedPaymentMethods(tx, revisions, GUEST);
  },
};

export type CheckoutStepFacts = Facts<typeof CHECKOUT_FACTS>;

/** The loaders of the facts of a step. Facts that were read with the order are returned without a promise. */
export type StepLoaders = LoadersOf<typeof CHECKOUT_FACTS>;

/**
 * Reads facts of an order that is known by its number only. Send it right after the lock of the order. It locks nothing for those
 * who may not use the order.
 */
export type WantedFacts = (tx: Tx, number: string, credentials: OrderCredentials) => Promise<StepLoaders>;

const wantLockedStock: WantedFacts = async (tx, number, credentials) => {
  const locked = await lockStockOfCompletion(tx, number, credentials);
  if (locked.length === 0) return CHECKOUT_FACTS;
  return {
    ...CHECKOUT_FACTS,
    lockedStock: () => locked,
    // The order got a discount after its stock was locked.
    lockedPromotionOffers() {
      throw new Restart('stock was locked before promotions');
    },
  };
};

const wantStock: WantedFacts = async (tx, number) => {
  const stock = await loadStockOfOrder(tx, number);
  return { ...CHECKOUT_FACTS, stockByLocation: () => stock };
};

/** Reads no fact before the step needs it. */
export const wantNothing: WantedFacts = () => Promise.resolve(CHECKOUT_FACTS);

const ADDRESSES: ReadonlySet<string> = new Set<keyof CheckoutInput['order']>([
  'bill_address',
  'bill_address_attributes',
  'ship_address',
  'ship_address_attributes',
  'use_billing',
]);

/**
 * Chooses what to read for the step after a request body is applied: an empty body usually completes the order, one with
 * addresses leaves the step `address`. Nothing if the body could change what is read.
 */
export function chooseWanted({ state, order, payment_source }: CheckoutInput): WantedFacts {
  if (state != null || payment_source !== undefined) return wantNothing;
  const sent = Object.entries(order).flatMap(([name, value]) => (value === undefined ? [] : name));
  if (sent.length === 0) return wantLockedStock;
  const isAddressStep =
    sent.some((name) => ADDRESSES.has(name)) && sent.every((name) => ADDRESSES.has(name) || name === 'email');
  return isAddressStep ? wantStock : wantNothing;
}
