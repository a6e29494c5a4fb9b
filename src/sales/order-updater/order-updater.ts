import type { Tx } from '../../platform/database/transaction';
import { recalculate } from './recalculate-order';
import type { ChangedParts, OrderDraft, OrderPatch } from './order-draft';
import { createDraft, patchDraft, reloadDraft, saveDraft } from './order-draft';
import type { LockedOrderGraph } from '../order/order-lock';
import type { Cause } from '../order/state-changes.repository';

/**
 * Updates an order as the last step of a use case that has written nested records itself: loads them, recalculates
 * promotions, taxes, totals and derived states, and writes the differences with their history. No other code writes
 * totals, payment_state, shipment_state or the state of an unshipped shipment, except `saveRecalculated`. Expects all other
 * writes done, and `order` as it was locked or saved last. A constant number of statements for any number of line items.
 * @param change columns to change, and nested records that are not written yet
 * @returns the updated order with its nested records
 */
export async function updateOrder(
  tx: Tx,
  order: LockedOrderGraph,
  cause: Cause,
  { patch = {}, parts = {} }: { patch?: OrderPatch; parts?: NonNullable<ChangedParts> } = {},
): Promise<LockedOrderGraph> {
  const draft = patchDraft(createDraft(order), patch, cause);
  const changed = { ...draft, order: { ...draft.order, ...parts } };
  return saveRecalculated(tx, await reloadDraft(tx, changed), cause);
}

/** Recalculates promotions, taxes, totals and derived states of a draft, and saves it. @returns the updated order */
export async function saveRecalculated(tx: Tx, draft: OrderDraft, cause: Cause): Promise<LockedOrderGraph> {
  return saveDraft(tx, await recalculate(tx, draft, cause));
}
