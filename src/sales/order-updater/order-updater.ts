import type { Tx } from '../../platform/database/transaction';
import { recalculate } from './recalculate-order';
import type { OrderDraft } from './order-draft';
import { saveDraft } from './order-draft';
import type { LockedOrderGraph } from '../order/order-lock';
import type { Cause } from '../order/state-changes.repository';

/**
 * Recalculates promotions, taxes, totals and derived states of a draft, and saves it, as the last step of a use case. No other
 * code writes totals, payment_state, shipment_state or the state of an unshipped shipment. A constant number of statements for
 * any number of line items.
 * @returns the updated order
 */
export async function saveRecalculated(tx: Tx, draft: OrderDraft, cause: Cause): Promise<LockedOrderGraph> {
  return saveDraft(tx, await recalculate(tx, draft, cause));
}
