import type { Deps } from '../context';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import { inBatches } from '../../platform/in-batches';
import { lockKnownOrder } from '../order/order-lock';
import { processCancellations, startVoidingAuthorizations } from '../payment-processing/cancel-payments';
import type { GatewayRequest } from '../payment-processing/payment-operations.repository';
import { findAuthorizedCarts } from './abandoned-carts.repository';

const DAY_MS = 24 * 3_600_000;
const BATCH = 20;

/**
 * Voids the authorizations of carts that are unchanged for `maxAgeDays`, so that no money stays reserved for them. A void changes
 * the cart, which is deleted when it is that old again. A declined void is retried after a day. Safe to run at
 * any time, on several instances at once.
 * @returns how many voids were requested
 */
export async function voidAbandonedAuthorizations(
  deps: Deps,
  maxAgeDays: number,
  goesOn?: () => boolean,
): Promise<number> {
  const now = deps.now().getTime();
  const limits = { before: new Date(now - maxAgeDays * DAY_MS), retryBefore: new Date(now - DAY_MS) };
  let voided = 0;
  let last = 0;
  await inBatches(
    BATCH,
    async (size) => {
      const ids = await findAuthorizedCarts(deps.db, { ...limits, after: last, limit: size });
      for (const id of ids) {
        const requests = await withTransaction(deps, (tx) => startVoids(tx, id, limits.before));
        await processCancellations(deps, requests);
        voided += requests.length;
      }
      last = ids.at(-1) ?? last;
      return ids.length;
    },
    goesOn,
  );
  if (voided > 0)
    deps.log.info({ voided, max_age_days: maxAgeDays }, 'authorizations of abandoned carts were voided');
  return voided;
}

/** Starts the voids of a cart, unless it has changed in the meantime. */
async function startVoids(tx: Tx, id: number, before: Date): Promise<GatewayRequest[]> {
  const order = await lockKnownOrder(tx, id);
  if (order.completed_at !== null || order.updated_at >= before) return [];
  return startVoidingAuthorizations(tx, order, { user_id: null, reason: 'cart abandoned' });
}
