import { type Amount, ZERO } from '../../platform/money';

/** The steps of an order that costs something, which are all steps. */
export const PAID_STEPS = ['address', 'delivery', 'payment', 'confirm', 'complete'] as const;
const FREE_STEPS = ['address', 'delivery', 'complete'] as const;

export type CheckoutStep = (typeof PAID_STEPS)[number];

/** Builds the value of `checkout_steps`. A free order has no `payment` and no `confirm` step. */
export function buildCheckoutSteps(total: Amount): readonly CheckoutStep[] {
  return total > ZERO ? PAID_STEPS : FREE_STEPS;
}
