import { type Amount, ZERO } from '../../platform/money';

const PAID_STEPS = ['address', 'delivery', 'payment', 'confirm', 'complete'] as const;
const FREE_STEPS = ['address', 'delivery', 'complete'] as const;

/** The names in `checkout_steps` (behaviour 8.1): an order that costs nothing has no payment and no confirm. */
export function buildCheckoutSteps(total: Amount): readonly string[] {
  return total > ZERO ? PAID_STEPS : FREE_STEPS;
}
