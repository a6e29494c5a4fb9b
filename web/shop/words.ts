import type { CreditCard, Order } from 'store-api-client';

/** The day of a time, as all pages show it. */
export const dayOf = (time: string): string =>
  new Date(time).toLocaleDateString(undefined, { dateStyle: 'long' });

/** Returns the name of a shipping rate without its currency, which the amounts show. */
export const rateName = (name: string, currency: string): string => name.replace(` (${currency})`, '');

const ORDERS: Readonly<Record<string, string>> = {
  canceled: 'Canceled',
  awaiting_return: 'Return expected',
  returned: 'Returned',
};

const SHIPPED: Readonly<Record<string, string>> = { shipped: 'Shipped', partial: 'Partly shipped' };

/** Describes how far an order is. */
export function describeProgress({
  state,
  shipment_state,
  completed_at,
}: Pick<Order, 'state' | 'shipment_state' | 'completed_at'>): string {
  if (completed_at === null) return 'Not bought yet';
  return ORDERS[state] ?? SHIPPED[shipment_state ?? ''] ?? 'Confirmed';
}

const BRANDS: Readonly<Record<string, string>> = {
  visa: 'Visa',
  master: 'Mastercard',
  mastercard: 'Mastercard',
  american_express: 'American Express',
  amex: 'American Express',
  discover: 'Discover',
  diners_club: 'Diners Club',
  jcb: 'JCB',
};

/** Names a card by its brand and last digits. */
export const cardName = ({ cc_type, last_digits }: Pick<CreditCard, 'cc_type' | 'last_digits'>): string =>
  `${BRANDS[cc_type ?? ''] ?? 'Card'} ending in ${last_digits}`;

/** Names how a payment is paid: its card, or its method if there is none, as with a wallet. */
export const paymentName = ({ source, payment_method }: Order['payments'][number]): string =>
  source == null || source.last_digits === '' ? payment_method.name : cardName(source);

/** The reasons of refunds that the store has written itself, in words that are for staff. */
const OWN_REASONS = ['order cancel', 'Refund at the provider'];

/** Returns the reason of a refund as buyers see it; nothing if there is none. */
export const readReason = (reason: string | null): string =>
  reason === null || OWN_REASONS.includes(reason) ? '' : `: ${reason}`;

const PARCELS: Readonly<Record<string, string>> = {
  pending: 'Being prepared',
  ready: 'Ready to ship',
  backorder: 'Backordered',
  shipped: 'Shipped',
  canceled: 'Canceled',
};

export const describeParcel = (state: string): string => PARCELS[state] ?? state;

const RETURNS: Readonly<Record<string, string>> = {
  requested: 'waiting for our answer',
  authorized: 'approved; send us the items',
  received: 'received',
  declined: 'declined',
  canceled: 'canceled',
};

export const describeReturn = (state: string): string => RETURNS[state] ?? state;

const DOCUMENTS = { invoice: 'Invoice', correction: 'Correction', credit_note: 'Credit note' };

export const describeDocument = (kind: keyof typeof DOCUMENTS): string => DOCUMENTS[kind];
