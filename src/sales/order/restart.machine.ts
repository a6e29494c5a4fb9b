import { sameState, createMachine } from '../../platform/state-machine';
import { INCOMPLETE_STATES, type OrderState } from './order.machine';

/**
 * - `restart`: line items or the ship address changed, so the proposed shipments are no longer valid.
 * - `back_to_…`: a checkout update names an earlier step.
 */
export type RestartEvent =
  'restart' | 'back_to_cart' | 'back_to_address' | 'back_to_delivery' | 'back_to_payment';

const STEPS_BACK = ['back_to_cart', 'back_to_address', 'back_to_delivery', 'back_to_payment'] as const;

/** Returns the event that leads back to `step`, or null if `step` is not the name of such a step. */
export function findStepBackEvent(step: unknown): Exclude<RestartEvent, 'restart'> | null {
  return STEPS_BACK.find((event) => event === `back_to_${String(step)}`) ?? null;
}

export type RestartEffect = 'delete_shipments';

export interface RestartFacts {
  has_shipments: boolean;
  has_line_items: boolean;
}

/** Steps back in the checkout. Payments and addresses are kept. */
export const restartMachine = createMachine<OrderState, RestartEvent, RestartFacts, RestartEffect>([
  { from: INCOMPLETE_STATES, on: 'restart', to: sameState, given: hasNoShipments },
  { from: INCOMPLETE_STATES, on: 'restart', to: 'address', given: hasLineItems, then: ['delete_shipments'] },
  { from: INCOMPLETE_STATES, on: 'restart', to: 'cart', then: ['delete_shipments'] },
  { from: ['complete', 'canceled', 'awaiting_return', 'returned', 'resumed'], on: 'restart', to: sameState },
  { from: ['address', 'delivery', 'payment', 'confirm'], on: 'back_to_cart', to: 'cart' },
  { from: ['delivery', 'payment', 'confirm'], on: 'back_to_address', to: 'address' },
  { from: ['payment', 'confirm'], on: 'back_to_delivery', to: 'delivery' },
  { from: 'confirm', on: 'back_to_payment', to: 'payment' },
]);

function hasNoShipments(order: RestartFacts): boolean {
  return !order.has_shipments;
}

function hasLineItems(order: RestartFacts): boolean {
  return order.has_line_items;
}
