import { type Amount, ZERO } from '../../platform/money';

const PAID_STEPS = ['address', 'delivery', 'payment', 'confirm', 'complete'] as const;
const FREE_STEPS = ['address', 'delivery', 'complete'] as const;

/** Builds the value of `checkout_steps`. A free order has no `payment` and no `confirm` step. */
export function buildCheckoutSteps(total: Amount): readonly string[] {
  return total > ZERO ? PAID_STEPS : FREE_STEPS;
}
