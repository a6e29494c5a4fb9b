import type { FieldErrors } from '../../platform/errors';
import { sameState, createMachine } from '../../platform/state-machine';

export type ReturnAuthorizationState = 'requested' | 'authorized' | 'received' | 'canceled' | 'declined';
export type ReturnAuthorizationEvent =
  'approve' | 'decline' | 'add' | 'receive' | 'cancel' | 'update' | 'delete';

/**
 * - `assign_requested_units`: puts the units on the return that the customer requested.
 * - `assign_units`: sets the number of shipped units of a variant on this return authorization.
 * - `receive_units`: units become `returned`; tracked ones are restocked at the return's location if it has a stock
 *   item, unless they were added with `restock: false`.
 * - `credit_order`: stores what the units are worth, and creates the adjustment `RMA Credit` of the order, the negative
 *   return amount.
 * - `release_units`: removes the units from the return authorization.
 */
export type ReturnAuthorizationEffect =
  | 'assign_requested_units'
  | 'assign_units'
  | 'receive_units'
  | 'credit_order'
  | 'release_units'
  | 'store_attributes'
  | 'delete_row';

export interface ReturnAuthorizationFacts {
  /** Number of units on this return authorization. */
  unit_count: number;
}

/**
 * The states of a return authorization. Staff create it as `authorized`, customers request it. The order has events of its
 * own: `authorize_return` after approve and add, `receive_return` after receive, `cancel_return` after cancel and delete.
 */
export const returnAuthorizationMachine = createMachine<
  ReturnAuthorizationState,
  ReturnAuthorizationEvent,
  ReturnAuthorizationFacts,
  ReturnAuthorizationEffect
>([
  { from: 'requested', on: 'approve', to: 'authorized', then: ['assign_requested_units'] },
  { from: 'requested', on: 'decline', to: 'declined', then: ['store_attributes'] },
  { from: 'authorized', on: 'add', to: sameState, then: ['assign_units'] },
  {
    from: 'authorized',
    on: 'receive',
    to: 'received',
    when: [checkUnits],
    then: ['receive_units', 'credit_order'],
  },
  { from: ['requested', 'authorized'], on: 'cancel', to: 'canceled', then: ['release_units'] },
  { from: ['requested', 'authorized'], on: 'update', to: sameState, then: ['store_attributes'] },
  { from: ['received', 'canceled', 'declined'], on: 'update', to: sameState, when: [checkIsAuthorized] },
  {
    from: ['requested', 'authorized', 'canceled', 'declined'],
    on: 'delete',
    to: sameState,
    then: ['release_units', 'delete_row'],
  },
  { from: 'received', on: 'delete', to: sameState, when: [checkIsNotReceived] },
]);

function checkUnits(authorization: ReturnAuthorizationFacts): FieldErrors | null {
  return authorization.unit_count > 0 ? null : { base: ['Please add at least one item to return'] };
}

function checkIsAuthorized(): FieldErrors {
  return { base: ['Only an authorized return can be changed'] };
}

function checkIsNotReceived(): FieldErrors {
  return { base: ['A received return cannot be deleted'] };
}
