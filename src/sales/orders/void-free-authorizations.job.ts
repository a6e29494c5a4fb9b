import type { Deps } from '../context';
import { toAmount, ZERO } from '../../platform/money';
import type { LockedOrder } from '../order/order-lock';
import { findAuthorizedFreeOrders } from './authorized-orders.repository';
import { voidAuthorizations } from './void-authorizations';

/** Staff who exchange the line items of an order may make it free for a moment. */
const UNCHANGED_MS = 60_000;

/**
 * Voids the authorizations of sold orders that cost nothing, as `voidAuthorizations` does: they became free by a
 * discount, a return or a change of their line items, and nothing can be captured any more. Leaves orders that changed
 * within the last minute.
 * @returns how many voids were requested
 */
export async function voidFreeAuthorizations(deps: Deps, isRunning?: () => boolean): Promise<number> {
  const before = new Date(deps.now().getTime() - UNCHANGED_MS);
  const freeOrders = {
    find: (page: { retryBefore: Date; after: number; limit: number }) =>
      findAuthorizedFreeOrders(deps.db, { ...page, before }),
    isNeedless: (order: LockedOrder) =>
      order.completed_at !== null && toAmount(order.total) <= ZERO && order.updated_at < before,
    reason: 'order is free',
  };
  const voided = await voidAuthorizations(deps, freeOrders, isRunning);
  if (voided > 0) deps.log.info({ voided }, 'authorizations of free orders were voided');
  return voided;
}
