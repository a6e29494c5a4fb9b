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
