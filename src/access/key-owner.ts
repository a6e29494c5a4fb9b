import type { KeyOwner } from '../platform/http/idempotency-key';
import { findUserId, hasLimitedToken } from './actor';
import type { Ctx } from './context';

/**
 * To whom an idempotency key belongs: the user of the token, else the holder of the order token, else the client's
 * address.
 */
export function ownerOfKeys(ctx: Pick<Ctx, 'actor' | 'orderToken' | 'clientAddress'>): KeyOwner {
  const userId = findUserId(ctx.actor);
  if (userId !== null) {
    // A token with limits must not recall what another token of its user was answered.
    const limits =
      ctx.actor.kind !== 'guest' && hasLimitedToken(ctx.actor) ? [String(ctx.actor.token_id)] : [];
    return { name: ['user', String(userId), ...limits], isShared: false };
  }
  if (ctx.orderToken !== null) return { name: ['order', ctx.orderToken], isShared: false };
  return { name: ['address', ctx.clientAddress], isShared: true };
}
