import type { Deps } from '../context';
import { DAY_MS } from '../../platform/calendar';
import { withTransaction } from '../../platform/database/transaction';
import { inBatches } from '../../platform/in-batches';
import { lockOrder, type LockedOrder } from '../order/order-lock';
import { createDraft, saveDraft } from '../order-updater/order-draft';
import { processCancellations, startVoidingAuthorizations } from '../payment-processing/cancel-payments';

const BATCH = 20;

/** Orders whose authorizations a job voids. */
export interface NeedlessAuthorizations {
  /** Returns the ids of such orders, ascending from `after`. Skips those whose void was tried since `retryBefore`. */
  find: (page: { retryBefore: Date; after: number; limit: number }) => Promise<number[]>;
  /** Whether the locked order is still one of them. */
  isNeedless: (order: LockedOrder) => boolean;
  /** For the history. */
  reason: string;
}

/**
 * Voids the authorizations of orders, each in its own transactions. A declined void is retried after a day. Safe to run
 * at any time, on several instances at once.
 * @returns how many voids were requested
 */
export async function voidAuthorizations(
  deps: Deps,
  { find, isNeedless, reason }: NeedlessAuthorizations,
  isRunning?: () => boolean,
): Promise<number> {
  const retryBefore = new Date(deps.now().getTime() - DAY_MS);
  let voided = 0;
  let last = 0;
  await inBatches(
    BATCH,
    async (size) => {
      const ids = await find({ retryBefore, after: last, limit: size });
      for (const id of ids) {
        const requests = await withTransaction(deps, async (tx) => {
          const order = await lockOrder(tx, { id }, { whilePaid: true });
          if (!isNeedless(order)) return [];
          const cause = { user_id: null, reason };
          const started = await startVoidingAuthorizations(tx, createDraft(order), cause);
          await saveDraft(tx, started.draft);
          return started.requests;
        });
        await processCancellations(deps, requests);
        voided += requests.length;
      }
      last = ids.at(-1) ?? last;
      return ids.length;
    },
    isRunning,
  );
  return voided;
}
