import type { Tx } from '../../platform/database/transaction';
import { recalculate } from './recalculate-order';
import type { OrderPatch } from './order-draft';
import { createDraft, patchDraft, reloadDraft, saveDraft } from './order-draft';
import type { LockedOrderGraph } from '../order/order-lock';
import type { Cause } from '../order/state-changes.repository';

/**
 * Updates an order as the last step of every use case that changes it: loads its nested records, recalculates
 * promotions, taxes, totals and derived states, and writes the differences with their history. No other code writes
 * totals, payment_state, shipment_state or the state of an unshipped shipment, except by the same steps
 * (order-draft.ts). Expects all other writes done, and `order` as it was
 * locked or saved last. A constant number of statements for any number of line items.
 * @returns the updated order with its nested records
 */
export async function updateOrder(
  tx: Tx,
  order: LockedOrderGraph,
  cause: Cause,
  patch: OrderPatch = {},
): Promise<LockedOrderGraph> {
  const draft = patchDraft(createDraft(order), patch, cause);
  return saveDraft(tx, await recalculate(tx, await reloadDraft(tx, draft), cause));
}
