import type { Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';

const opened = new Map<string, Promise<Stripe>>();

/** Loads the page script of Stripe, which must come from Stripe. Only pages that take a payment load it. */
export function openStripe(publishableKey: string): Promise<Stripe> {
  const known = opened.get(publishableKey);
  if (known !== undefined) return known;
  const opening = loadStripe(publishableKey).then((stripe) => {
    if (stripe === null) throw new Error('The payment form cannot be loaded.');
    return stripe;
  });
  // A later attempt loads it again.
  opening.catch(() => opened.delete(publishableKey));
  opened.set(publishableKey, opening);
  return opening;
}

/**
 * Returns an amount in the units of Stripe. Wallets of the browser show it before the payment; the store charges the
 * total of the order.
 */
export function toUnits(amount: string, currency: string): number {
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions();
  const [whole = '', part = ''] = amount.split('.');
  return Number(whole + part.padEnd(digits, '0').slice(0, digits));
}
