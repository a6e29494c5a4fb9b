import type { Ctx, OrderCredentials } from '../../access/context';
import { requireFound } from '../../platform/errors';
import { authorizeOrder, isTokenValid } from '../../access/authorization';
import { findOrderByNumber, type ReadOrder } from './orders.repository';

/**
 * Returns the order with this number if the actor may use it. For reading only: changes lock the order (order-lock.ts).
 * @throws NotFound, NotAuthorized
 */
export async function getAuthorizedOrder(
  ctx: Pick<Ctx, 'db'> & OrderCredentials,
  number: string,
): Promise<ReadOrder> {
  const order = requireFound(await findOrderByNumber(ctx.db, number));
  authorizeOrder(ctx, order);
  return order;
}

/** Returns the one of these tokens that is the token of the order with this number; null if none is. One query. */
export async function findOrderToken(
  db: Ctx['db'],
  number: string,
  presented: readonly (string | null)[],
): Promise<string | null> {
  if (number.includes('\u0000')) return null; // PostgreSQL text cannot contain it
  const order = await findOrderByNumber(db, number);
  if (order === undefined) return null;
  return presented.find((token) => isTokenValid(token, order.token_hash)) ?? null;
}
