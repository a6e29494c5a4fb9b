import { type Amount, ZERO } from '../../platform/money';
import { INCOMPLETE_STATES, type OrderState } from './order.machine';

const PAID_STEPS = ['address', 'delivery', 'payment', 'confirm', 'complete'] as const;
const FREE_STEPS = ['address', 'delivery', 'complete'] as const;

/** The names in `checkout_steps` (behaviour 8.1): an order that costs nothing has no payment and no confirm. */
export function checkoutSteps(total: Amount): readonly string[] {
  return total > ZERO ? PAID_STEPS : FREE_STEPS;
}

/**
 * The state a checkout update may move back to when its body names one: an earlier step only (behaviour 8.2).
 * @returns null for everything else (later steps, the present one, unknown words, orders already complete): ignore it.
 */
export function earlierStep(state: OrderState, wanted: unknown): OrderState | null {
  const steps: readonly OrderState[] = INCOMPLETE_STATES;
  const target = steps.findIndex((step) => step === wanted);
  return target >= 0 && target < steps.indexOf(state) ? (steps[target] ?? null) : null;
}
