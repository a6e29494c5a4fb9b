import { sameState, createMachine } from '../../platform/state-machine';
import type { OrderState } from './order.machine';

export type OrderReturnEvent =
  /** units were put on a return authorization */
  | 'authorize_return'
  /** a return authorization was received */
  | 'receive_return'
  /** a return authorization was canceled, deleted or emptied; its units are released already */
  | 'cancel_return';

/** The units of the order as they are after the step of the return. */
export interface OrderReturnFacts {
  every_unit_is_returned: boolean;
  /** A return authorization in state `authorized` still holds units. */
  another_return_has_units: boolean;
}

/** How an order follows its return authorizations (behaviour 11). */
export const orderReturnsMachine = createMachine<OrderState, OrderReturnEvent, OrderReturnFacts>([
  {
    from: ['complete', 'resumed', 'awaiting_return', 'returned'],
    on: 'authorize_return',
    to: 'awaiting_return',
  },
  { from: 'awaiting_return', on: 'receive_return', to: 'returned', given: everyUnitIsReturned },
  { from: 'awaiting_return', on: 'receive_return', to: sameState },
  { from: 'awaiting_return', on: 'cancel_return', to: sameState, given: anotherReturnHasUnits },
  { from: 'awaiting_return', on: 'cancel_return', to: 'complete' },
  // A return that held no units never moved its order.
  { from: ['complete', 'resumed', 'canceled', 'returned'], on: 'cancel_return', to: sameState },
]);

function everyUnitIsReturned(order: OrderReturnFacts): boolean {
  return order.every_unit_is_returned;
}

function anotherReturnHasUnits(order: OrderReturnFacts): boolean {
  return order.another_return_has_units;
}
