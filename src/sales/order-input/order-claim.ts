import type { OrderCredentials } from '../../access/context';
import { isBlank } from '../../platform/blank';
import { isTokenValid } from '../../access/authorization';
import type { OrderPatch } from '../order-updater/order-draft';
import { generateOrderToken } from '../order/order-token';
import type { OrderRow } from '../order/orders.repository';

type Claimable = Pick<OrderRow, 'user_id' | 'email' | 'completed_at' | 'token_hash'>;

/**
 * Returns the user who is the owner of an order in this request: a signed-in customer with the order token claims an open
 * order without owner. Null for orders that stay without one.
 */
export function findOwner({ actor, orderToken }: OrderCredentials, order: Claimable): number | null {
  const isOpen = order.user_id === null && order.completed_at === null;
  const claims = isOpen && actor.kind === 'customer' && isTokenValid(orderToken, order.token_hash);
  return claims ? actor.user_id : order.user_id;
}

/**
 * Builds the patch of a claim (`findOwner`): a blank e-mail defaults to that of the owner, and the order gets a new
 * token. Empty without a claim.
 */
export function buildClaim(
  credentials: OrderCredentials & { secret: Buffer },
  order: Claimable,
): Pick<OrderPatch, 'user_id' | 'email' | 'token_seed' | 'token_hash'> {
  const { actor, secret } = credentials;
  const user_id = findOwner(credentials, order);
  if (actor.kind === 'guest' || user_id === order.user_id) return {};
  return { ...buildNewOwner(secret, user_id), ...(isBlank(order.email) && { email: actor.email }) };
}

/**
 * Builds the columns of another owner of an order. The order gets a new token, because whoever has the current one would
 * keep access to the order of the new owner.
 */
export function buildNewOwner(
  secret: Buffer,
  user_id: number | null,
): Pick<OrderRow, 'user_id' | 'token_seed' | 'token_hash'> {
  return { user_id, ...generateOrderToken(secret) };
}
