import type { Tx } from '../../platform/database/transaction';
import { recalculate } from './recalculate-order';
import type { OrderPatch } from './order-draft';
import { createDraft, patchDraft, reloadDraft, saveDraft } from './order-draft';
import { buildEmptyGraph } from '../order/order-graph';
import type { LockedOrder, LockedOrderGraph } from '../order/order-lock';
import type { Cause } from '../order/state-changes.repository';

/**
 * The last step of every use case that touches an order: loads the order with its parts, brings taxes up to date,
 * calculates the totals and derived states, and writes what differs, with the history of every state that moved.
 * Nobody else writes totals, payment_state, shipment_state or an unshipped shipment's state; use cases of several
 * steps do the same bit by bit (order-draft.ts).
 * Expects the order locked and all other writes done. A constant number of statements, whatever the number of lines.
 * @returns the order as it is now, with its parts
 */
export async function updateOrder(
  tx: Tx,
  order: LockedOrder,
  cause: Cause,
  patch: OrderPatch = {},
): Promise<LockedOrderGraph> {
  const draft = patchDraft(createDraft({ ...buildEmptyGraph(order), ...order }), patch, cause);
  return saveDraft(tx, await recalculate(tx, await reloadDraft(tx, draft), cause));
}
