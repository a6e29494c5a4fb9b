import type { Ctx, OrderCredentials } from '../../access/context';
import { NotFound } from '../../platform/errors';
import { authorizeOrder } from '../../access/authorization';
import { findOrderByNumber, type OrderRow } from './orders.repository';

/**
 * Returns the order with this number if the actor may use it. For reading only: changes lock the order (order-lock.ts).
 * @throws NotFound, NotAuthorized
 */
export async function getAuthorizedOrder(
  ctx: Pick<Ctx, 'db'> & OrderCredentials,
  number: string,
): Promise<OrderRow> {
  const order = await findOrderByNumber(ctx.db, number);
  if (order === undefined) throw new NotFound();
  authorizeOrder(ctx, order);
  return order;
}
