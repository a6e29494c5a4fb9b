export { moneyOf } from '../shared/money';

/** The states of the API in the words of the office. */
export const WORDS: Readonly<Record<string, string>> = {
  cart: 'Cart',
  address: 'Cart',
  delivery: 'Cart',
  payment: 'Cart',
  confirm: 'Cart',
  complete: 'Complete',
  canceled: 'Canceled',
  awaiting_return: 'Return expected',
  returned: 'Returned',
  resumed: 'Resumed',
  pending: 'Pending',
  ready: 'Ready',
  backorder: 'Backorder',
  shipped: 'Shipped',
  partial: 'Partly shipped',
  paid: 'Paid',
  balance_due: 'Balance due',
  credit_owed: 'Credit owed',
  failed: 'Failed',
  void: 'Void',
  completed: 'Captured',
  checkout: 'Not yet authorized',
  invalid: 'Replaced',
  requested: 'Requested',
  authorized: 'Expected',
  received: 'Received',
  declined: 'Declined',
  processing: 'In progress',
};

/** States that mean something else for these records. */
const OWN_WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  payment: { pending: 'Authorized' },
};

/** Returns a state in words; `of` is the kind of record, such as `payment`, where the state depends on it. */
export const inWords = (state: string | null | undefined, of = ''): string =>
  state == null ? '' : (OWN_WORDS[of]?.[state] ?? WORDS[state] ?? state.replaceAll('_', ' '));

/** Returns the payment state of an order in words: what is due of an authorized payment is only to be captured. */
export const describePayment = (state: string | null | undefined, isAuthorized: boolean): string =>
  state === 'balance_due' && isAuthorized ? inWords('pending', 'payment') : inWords(state);

export const dateOf = (time: string | null | undefined): string =>
  time == null ? '' : new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Returns whether a product that is on sale from this time on does not appear in the shop yet. */
export const isFuture = (time: string): boolean => new Date(time) > new Date();

/** Returns the names from the top category down to this one. */
export const pathOf = ({ pretty_name }: { pretty_name: string }): string => pretty_name.replaceAll('->', '›');

/** Returns a number with its noun, such as `1 parcel` or `3 parcels`. */
export const countOf = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;
