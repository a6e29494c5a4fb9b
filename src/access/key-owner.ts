import type { KeyOwner } from '../platform/http/idempotency-key';
import type { ReplyQuota } from '../platform/idempotency/run-once';
import type { LimitedKey } from '../platform/rate-limits';
import { findUserId, hasLimitedToken } from './actor';
import { clientOf, LIMITS } from './limits';
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

/** Returns the space for the kept replies of a caller. Beyond it, requests with a new key are refused for the rest of a day. */
export function quotaOfKeys(ctx: Pick<Ctx, 'actor' | 'orderToken' | 'clientAddress' | 'limits'>): ReplyQuota {
  const keys = listQuotaKeys(ctx);
  return {
    check: async () => {
      for (const key of keys) await ctx.limits.spend(key, 0);
    },
    // The request is done: only the next one is refused.
    count: async (bytes) => {
      await Promise.allSettled(keys.map((key) => ctx.limits.spend(key, bytes)));
    },
  };
}

function listQuotaKeys({
  actor,
  orderToken,
  clientAddress,
}: Pick<Ctx, 'actor' | 'orderToken' | 'clientAddress'>): LimitedKey[] {
  const client = clientOf(clientAddress);
  // Anyone can create carts and sign up.
  const ofShoppers = { limit: LIMITS.repliesOfShoppersFromAddress, key: client };
  if (actor.kind !== 'guest') {
    const ofUser = { limit: LIMITS.repliesOfUser, key: String(actor.user_id) };
    return actor.isStaff ? [ofUser] : [ofUser, ofShoppers];
  }
  if (orderToken === null) return [{ limit: LIMITS.repliesFromAddress, key: client }];
  return [{ limit: LIMITS.repliesOfOrder, key: orderToken }, ofShoppers];
}
