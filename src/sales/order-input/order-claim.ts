import type { OrderCredentials } from '../../access/context';
import { isBlank } from '../../platform/blank';
import { isTokenValid } from '../../access/authorization';
import type { OrderPatch } from '../order-updater/order-draft';
import type { OrderRow } from '../order/orders.repository';

/**
 * A shopper who signs in while holding the token of an open order without an owner becomes its owner; a blank e-mail is
 * filled with theirs (behaviour 7.8). Never takes over an order that has one.
 */
export function buildClaim(
  { actor, orderToken }: OrderCredentials,
  order: Pick<OrderRow, 'user_id' | 'email' | 'completed_at' | 'token_hash'>,
): Pick<OrderPatch, 'user_id' | 'email'> {
  if (actor.kind !== 'customer' || order.user_id !== null || order.completed_at !== null) return {};
  if (!isTokenValid(orderToken, order.token_hash)) return {};
  return { user_id: actor.user_id, ...(isBlank(order.email) && { email: actor.email }) };
}
