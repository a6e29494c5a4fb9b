import type { KeyOwner } from '../platform/http/idempotency-key';
import { findUserId } from './actor';
import type { Ctx } from './context';

/** To whom an idempotency key belongs: the user of the token, else the holder of the order token, else the client's address. */
export function ownerOfKeys(ctx: Pick<Ctx, 'actor' | 'orderToken' | 'clientAddress'>): KeyOwner {
  const userId = findUserId(ctx.actor);
  if (userId !== null) return { name: ['user', String(userId)], isShared: false };
  if (ctx.orderToken !== null) return { name: ['order', ctx.orderToken], isShared: false };
  return { name: ['address', ctx.clientAddress], isShared: true };
}
