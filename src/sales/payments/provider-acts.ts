import type { Tx } from '../../platform/database/transaction';
import type { LockedOrderGraph } from '../order/order-lock';
import { createDraft, saveDraft } from '../order-updater/order-draft';
import { saveRecalculated } from '../order-updater/order-updater';
import { NO_CODES } from '../payment-processing/gateways/gateway';
import { lockForResult, recordResult } from '../payment-processing/record-result';
import { performOnPayments, type PaymentSubject } from '../payment-processing/start-payment';

/** What was done at the provider without the store. */
interface ProviderAct {
  event: 'capture' | 'void' | 'credit';
  /** For the history and the operation. */
  reason: string;
  /** The provider's id of the transaction; null if it has none of its own. */
  response_code: string | null;
}

/**
 * Records what the provider has already done to payments, with everything that follows for their order. In the transaction that
 * starts the operations, so that the gateway is never called.
 * @returns false, with nothing recorded, if a payment cannot change like this
 */
export async function recordProviderAct(
  tx: Tx,
  order: LockedOrderGraph,
  { event, reason, response_code }: ProviderAct,
  subjects: readonly PaymentSubject[],
): Promise<boolean> {
  const cause = { user_id: null, reason };
  const act = { event, purpose: 'payment', cause } as const;
  const { draft, endings } = await performOnPayments(tx, createDraft(order), act, subjects);
  const requests = endings.flatMap((ending) => (ending.ended === 'calls' ? [ending.request] : []));
  if (requests.length < endings.length) return false;
  await saveDraft(tx, draft);
  for (const request of requests) {
    const { order: locked, operation } = await lockForResult(tx, request);
    const result = { approved: true, ...NO_CODES, response_code, message: reason } as const;
    const recorded = recordResult(locked, { request, operation, result });
    await saveRecalculated(tx, recorded.draft, cause);
  }
  return true;
}
