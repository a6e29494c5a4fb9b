import { DAY_MS } from '../../platform/calendar';
import type { Deps } from '../context';
import { findAuthorizedCarts } from './authorized-orders.repository';
import { voidAuthorizations } from './void-authorizations';

/**
 * Voids the authorizations of carts that are unchanged for `maxAgeDays`, so that no money stays reserved for them, as
 * `voidAuthorizations` does. A void changes the cart, which is deleted when it is that old again.
 * @returns how many voids were requested
 */
export async function voidAbandonedAuthorizations(
  deps: Deps,
  maxAgeDays: number,
  isRunning?: () => boolean,
): Promise<number> {
  const before = new Date(deps.now().getTime() - maxAgeDays * DAY_MS);
  const carts = {
    find: (page: { retryBefore: Date; after: number; limit: number }) =>
      findAuthorizedCarts(deps.db, { ...page, before }),
    isNeedless: (order: { completed_at: Date | null; updated_at: Date }) =>
      order.completed_at === null && order.updated_at < before,
    reason: 'cart abandoned',
  };
  const voided = await voidAuthorizations(deps, carts, isRunning);
  if (voided > 0)
    deps.log.info({ voided, max_age_days: maxAgeDays }, 'authorizations of abandoned carts were voided');
  return voided;
}
