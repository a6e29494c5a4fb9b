import type { Ctx } from '../context';
import { clientOf, LIMITS } from '../../access/limits';
import { findSender } from '../../accounts/stores/sender';
import { deriveOrderToken } from '../order/order-token';
import { findOrderForLink } from '../order/orders.repository';
import { withTransaction } from '../../platform/database/transaction';
import { buildOrderLink } from './order-link';

/**
 * Mails the link of a complete order to its e-mail address, if the order has this number and this address (both
 * case-insensitive). Does the same work if none has; the queue sends the mail.
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
  const values = isMatch
    ? { to: order.email, number: order.number, link: buildOrderLink(store, order.number, token) }
    : { to: '', number: '', link: buildOrderLink(store, '', token) };
  await withTransaction(ctx, (tx) => {
    ctx.mailer.post(tx, 'order_link', values);
    return Promise.resolve();
  });
}

/** What a guest knows of an order. */
export interface OrderLookup {
  number: string;
  email: string;
}
