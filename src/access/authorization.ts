import { timingSafeEqual } from 'node:crypto';
import { hashToken } from './tokens';
import type { Actor } from './actor';
import type { OrderCaller } from './context';
import { NotAuthorized, NotFound } from '../platform/errors';

/**
 * For actions whose record is looked up before the caller is refused.
 * @throws NotAuthorized to everybody but admins
 */
export function authorizeAdmin(actor: Actor): void {
  if (actor.kind !== 'admin') throw new NotAuthorized();
}

/**
 * The user in the path may be seen and changed by that user and by admins.
 * @throws NotFound to everybody else: whose account exists is nobody's business.
 */
export function authorizeSelf(actor: Actor, userId: number): void {
  if (actor.kind === 'admin') return;
  if (actor.kind === 'guest' || actor.user_id !== userId) throw new NotFound();
}

/**
 * An order, and every action on it that is open to shoppers, belongs to its owner, to whoever presents its token,
 * and to admins (specification, Authentication 2).
 * @throws NotAuthorized
 */
export function authorizeOrder(
  caller: OrderCaller,
  order: { user_id: number | null; token_hash: Buffer },
): void {
  if (!mayUseOrder(caller, order)) throw new NotAuthorized();
}

/** Whether the caller may see and update the order; also the order's `permissions.can_update`. */
export function mayUseOrder(
  caller: OrderCaller,
  order: { user_id: number | null; token_hash: Buffer },
): boolean {
  const { actor } = caller;
  if (actor.kind === 'admin') return true;
  if (actor.kind === 'customer' && actor.user_id === order.user_id) return true;
  return holdsToken(caller.orderToken, order.token_hash);
}

/** Whether `token` is the one whose SHA-256 is `hash`; constant time, and never true for an empty token. */
export function holdsToken(token: string | null, hash: Buffer): boolean {
  if (token === null || token === '') return false;
  const presented = hashToken(token);
  return hash.length === presented.length && timingSafeEqual(presented, hash);
}
