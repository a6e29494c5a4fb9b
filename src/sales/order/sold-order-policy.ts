import { isAdmin, type Actor } from '../../access/actor';
import { SOLD } from '../../errors/error-codes';
import { InvalidResource, TransitionRefused } from '../../platform/errors';
import type { LockedOrderGraph } from './order-lock';
import type { OrderRow } from './orders.repository';

/*
 * Who may change a sold order. Shoppers, meaning the owner and who presents the token, may
 * change lines, addresses, e-mail, rates and instructions only until the order is complete; afterwards only admins may.
 * Canceling, emptying and paying are not such changes and have rules of their own.
 */

declare const isChangeable: unique symbol;

/** A locked order that the actor may change. The steps that change what was sold require it. */
export type ChangeableOrder = LockedOrderGraph & { readonly [isChangeable]: true };

/**
 * Authorizes a change of an order by an actor who may use it. The only code that may create a `ChangeableOrder`.
 * @throws TransitionRefused unless the order is incomplete or the actor is an admin; InvalidResource if it is canceled
 */
export function authorizeOrderChange(actor: Actor, order: LockedOrderGraph): ChangeableOrder {
  if (!isAdmin(actor) && order.completed_at !== null) {
    rejectCanceled(order);
    throw new TransitionRefused({ base: [SOLD] });
  }
  return order as ChangeableOrder; // the brand exists in types only
}

/** Rejects additions to an order whose units have all come back. @throws InvalidResource */
export function rejectReturned(order: Pick<OrderRow, 'state'>): void {
  if (order.state === 'returned') throw new InvalidResource({ base: ['The order is returned'] });
}

/** Rejects changes of a canceled order. @throws InvalidResource */
export function rejectCanceled(order: Pick<OrderRow, 'state'>): void {
  if (order.state === 'canceled') throw new InvalidResource({ base: ['The order is canceled'] });
}
