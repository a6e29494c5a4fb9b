import { sameState, createMachine } from '../../platform/state-machine';
import type { OrderState } from './order.machine';

export type OrderReturnEvent =
  /** Units were added to a return authorization. */
  | 'authorize_return'
  /** A return authorization was received. */
  | 'receive_return'
  /** A return authorization was canceled, deleted or emptied. Its units are already released. */
  | 'cancel_return';

/** Facts about the order's units, loaded after the change of the return authorization. */
export interface OrderReturnFacts {
  every_unit_is_returned: boolean;
  /** Another return authorization in state `authorized` has units. */
  another_return_has_units: boolean;
}

/** How the order state follows its return authorizations. */
export const orderReturnsMachine = createMachine<OrderState, OrderReturnEvent, OrderReturnFacts>([
  {
    from: ['complete', 'resumed', 'awaiting_return', 'returned'],
    on: 'authorize_return',
    to: 'awaiting_return',
  },
  { from: 'awaiting_return', on: 'receive_return', to: 'returned', given: everyUnitIsReturned },
  { from: 'awaiting_return', on: 'receive_return', to: sameState, given: anotherReturnHasUnits },
  { from: 'awaiting_return', on: 'receive_return', to: 'complete' },
  { from: 'awaiting_return', on: 'cancel_return', to: sameState, given: anotherReturnHasUnits },
  { from: 'awaiting_return', on: 'cancel_return', to: 'complete' },
  // A return authorization without units never changed the order's state.
  { from: ['complete', 'resumed', 'canceled', 'returned'], on: 'cancel_return', to: sameState },
]);

function everyUnitIsReturned(order: OrderReturnFacts): boolean {
  return order.every_unit_is_returned;
}

function anotherReturnHasUnits(order: OrderReturnFacts): boolean {
  return order.another_return_has_units;
}
