import type { OrderCredentials } from '../../access/context';
import { isBlank } from '../../platform/blank';
import { isTokenValid } from '../../access/authorization';
import type { OrderPatch } from '../order-updater/order-draft';
import type { OrderRow } from '../order/orders.repository';

/**
 * Builds the patch that makes a signed-in customer with the order token the owner of an open order without owner; a
 * blank e-mail defaults to theirs. Empty in all other cases.
 */
export function buildClaim(
  { actor, orderToken }: OrderCredentials,
  order: Pick<OrderRow, 'user_id' | 'email' | 'completed_at' | 'token_hash'>,
): Pick<OrderPatch, 'user_id' | 'email'> {
  if (actor.kind !== 'customer' || order.user_id !== null || order.completed_at !== null) return {};
  if (!isTokenValid(orderToken, order.token_hash)) return {};
  return { user_id: actor.user_id, ...(isBlank(order.email) && { email: actor.email }) };
}
