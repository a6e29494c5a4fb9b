import type { Ctx } from '../context';
import { clientOf, LIMITS } from '../../access/limits';
import { findSender } from '../../accounts/stores/sender';
import { deriveOrderToken } from '../order/order-token';
import { findOrderForLink } from '../order/orders.repository';
import { buildOrderLinkMail } from './order-link-mail';

/**
 * Mails the link of a complete order to its e-mail address, if the order has this number and this address (both
 * case-insensitive). Does the same work if none has; the mail itself is sent after the reply.
 * @throws TooManyAttempts, for known and unknown orders alike
 */
export async function requestOrderLink(ctx: Ctx, { number, email }: OrderLookup): Promise<void> {
  const address = email.trim();
  await ctx.limits.take([
    { limit: LIMITS.lookupOfEmail, key: `email:${address.toLowerCase()}` },
    { limit: LIMITS.lookupFromAddress, key: clientOf(ctx.clientAddress) },
  ]);
  const order = await findOrderForLink(ctx.db, number.trim());
  const store = await findSender(ctx.db);
  const isMatch = order !== undefined && order.email.toLowerCase() === address.toLowerCase();
  const token = deriveOrderToken(ctx.secret, order?.token_seed ?? Buffer.alloc(16));
  if (isMatch) ctx.mailer.send(buildOrderLinkMail(store, order, token));
}

/** What a guest knows of an order. */
export interface OrderLookup {
  number: string;
  email: string;
}
