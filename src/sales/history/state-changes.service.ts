import type { Ctx } from '../context';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { getAuthorizedOrder } from '../order/order-access';
import { findStateChangePage, type ListedStateChange } from '../order/state-changes.repository';

/** Returns one page of the state changes of an order, its payments, shipments and returns. @throws NotFound, NotAuthorized */
export async function listHistory(
  ctx: Ctx,
  number: string,
  list: ListQuery,
): Promise<Page<ListedStateChange>> {
  const order = await getAuthorizedOrder(ctx, number);
  return findStateChangePage(ctx.db, order.id, list);
}
