import { timingSafeEqual } from 'node:crypto';
import { hashToken } from './tokens';
import { hasScope, type Actor } from './actor';
import { coversScope } from './scopes';
import type { OrderCredentials } from './context';
import { NotAuthorized, NotFound } from '../platform/errors';

/**
 * Authorizes actions that only admins may perform, after the record was loaded.
 * @throws NotAuthorized unless the actor is an admin
 */
export function authorizeAdmin(actor: Actor): void {
  if (actor.kind !== 'admin') throw new NotAuthorized();
}

/**
 * Authorizes access to the account of a user: by that user and by admins.
 * @throws NotFound for other actors, so that the response does not reveal whether the account exists
 */
export function authorizeSelf(actor: Actor, userId: number): void {
  if (actor.kind === 'admin') return;
  if (actor.kind === 'guest' || actor.user_id !== userId) throw new NotFound();
}

/**
 * Authorizes access to an order and to the actions open to shoppers: by its owner, by anyone who presents its token,
 * and by admins.
 * @throws NotAuthorized
 */
export function authorizeOrder(
  credentials: OrderCredentials,
  order: { user_id: number | null; token_hash: Buffer },
): void {
  if (!canUseOrder(credentials, order)) throw new NotAuthorized();
}

/** Returns whether the actor may use the order at this endpoint. */
function canUseOrder(
  { actor, orderToken }: OrderCredentials,
  order: { user_id: number | null; token_hash: Buffer },
): boolean {
  if (actor.kind === 'admin') return true;
  if (actor.kind === 'customer' && actor.user_id === order.user_id) return true;
  return isTokenValid(orderToken, order.token_hash);
}

/**
 * Returns whether the actor may also update the order, which is its `permissions.can_update`. Other readers do not get
 * the order's token, because it would let them update the order.
 */
export function canUpdateOrder(
  credentials: OrderCredentials,
  order: { user_id: number | null; token_hash: Buffer },
): boolean {
  const { actor } = credentials;
  if (hasScope(actor, 'orders:write')) return true;
  if (isTokenValid(credentials.orderToken, order.token_hash)) return true;
  return (
    actor.kind !== 'guest' &&
    actor.user_id === order.user_id &&
    coversScope(actor.tokenGrants, 'orders:write')
  );
}

/**
 * Returns whether the actor may use and change what the account of an order's user has saved, such as addresses: the
 * user and admins. The order token opens the order, not the account.
 */
export function canUseAccount(actor: Actor, { user_id }: { user_id: number | null }): boolean {
  return actor.kind === 'admin' || (actor.kind === 'customer' && actor.user_id === user_id);
}

/**
 * Returns whether the actor may see the cards of an order and pay with the saved cards of its user: the user, unless
 * their token excludes payments, and staff with `payments:write`.
 */
export function canUseSavedCards(actor: Actor, { user_id }: { user_id: number | null }): boolean {
  if (hasScope(actor, 'payments:write')) return true;
  return (
    actor.kind !== 'guest' && actor.user_id === user_id && coversScope(actor.tokenGrants, 'payments:write')
  );
}

/** Returns whether `hash` is the SHA-256 hash of `token`. Compares in constant time; false for an empty token. */
export function isTokenValid(token: string | null, hash: Buffer): boolean {
  if (token === null || token === '') return false;
  const presented = hashToken(token);
  return hash.length === presented.length && timingSafeEqual(presented, hash);
}
