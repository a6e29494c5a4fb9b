import { withFacts } from '../../platform/database/facts';
import type { Tx } from '../../platform/database/transaction';
import { PRICING_FACTS } from '../pricing/pricing-facts';
import { recalculate } from './recalculate-order';
import type { OrderDraft } from './order-draft';
import { saveDraft } from './order-draft';
import type { LockedOrderGraph } from '../order/order-lock';
import type { Cause } from '../order/state-changes.repository';

/** Recalculates a draft with the facts it needs. A constant number of statements for any number of line items. */
export async function recalculateDraft(tx: Tx, draft: OrderDraft, cause: Cause): Promise<OrderDraft> {
  return withFacts(tx, PRICING_FACTS, (facts) => recalculate(facts, draft, cause));
}

/** Recalculates a draft and saves it, as the last step of a use case. @returns the updated order */
export async function saveRecalculated(tx: Tx, draft: OrderDraft, cause: Cause): Promise<LockedOrderGraph> {
  return saveDraft(tx, await recalculateDraft(tx, draft, cause));
}
