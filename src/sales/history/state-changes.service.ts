import type { Ctx } from '../context';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { getAuthorizedOrder } from '../order/order-access';
import { findOrderChanges, type OrderChangeRow } from '../order/order-changes.repository';
import { findStateChangePage, type ListedStateChange } from '../order/state-changes.repository';

/** A page of each list of the history. */
export interface History {
  states: Page<ListedStateChange>;
  changes: { rows: OrderChangeRow[]; total: number };
}

/**
 * Returns one page of the state changes of an order, its payments, shipments and returns, and of the changes of what
 * was sold.
 * @throws NotFound, NotAuthorized
 */
export async function listHistory(ctx: Ctx, number: string, list: ListQuery): Promise<History> {
  const order = await getAuthorizedOrder(ctx, number);
  const [states, changes] = await Promise.all([
    findStateChangePage(ctx.db, order.id, list),
    findOrderChanges(ctx.db, order.id, list),
  ]);
  return { states, changes };
}
