import type { Ctx } from '../context';
import { findUserId } from '../../access/actor';
import { NotFound, requireFound } from '../../platform/errors';
import { relaxCommit } from '../../platform/database/transaction';
import { withUnprefixedErrors } from '../../platform/nested-errors';
import { recalculateDraft } from '../order-updater/order-updater';
import { listStockChanges } from '../fulfilment/sold-units';
import { changeLines } from '../order-input/order-contents';
import { UnknownVariant, type LineRow } from '../order-input/wanted-lines';
import { applyParts, createDraft, patchDraft, saveDraft } from '../order-updater/order-draft';
import { loadOrderGraph } from '../order/load-order-graph';
import { getAuthorizedOrder } from '../order/order-access';
import type { LineItemRow, OrderGraph } from '../order/order-graph';
import { lockOrder } from '../order/order-lock';
import { authorizeOrderChange } from '../order/sold-order-policy';
import { withOrderTransaction } from '../payment-processing/retry-after-payments';
import { buildEditor } from '../order-input/editor';

/** An order, and one of its line items. */
export interface OrderLine {
  order: OrderGraph;
  line: LineItemRow;
}

/** A line item in a path: the number of its order, and its id. */
export interface LinePath {
  number: string;
  id: number;
}

/** Requires a line item of an order. @throws NotFound, also for a line item of another order; NotAuthorized */
export async function requireLineItem(ctx: Ctx, { number, id }: LinePath): Promise<void> {
  const order = await getAuthorizedOrder(ctx, number);
  const { line_items } = await loadOrderGraph(ctx.db, order.id);
  requireFound(line_items.find((line) => line.id === id));
}

/**
 * Adds a variant to an order: increases the quantity of its line item, or creates one.
 * @throws NotFound, also for a variant that is not visible to the actor; NotAuthorized; InvalidResource;
 *   TransitionRefused for shoppers when the order is complete
 */
export async function addLineItem(ctx: Ctx, number: string, row: Omit<LineRow, 'id'>): Promise<OrderLine> {
  const { before, after } = await changeContents(ctx, number, row);
  const quantities = new Map(before.line_items.map((line) => [line.id, line.quantity]));
  const line = after.line_items.find(({ id, quantity }) => quantities.get(id) !== quantity);
  if (line === undefined) throw new Error('no line item has changed');
  return { order: after, line };
}

/**
 * Changes the quantity of a line item and, for admins, its price and metadata. Quantity 0 removes it.
 * @returns null if the line item was removed
 * @throws NotFound, also for a line item of another order; NotAuthorized; InvalidResource; TransitionRefused for
 *   shoppers when the order is complete
 */
export async function changeLineItem(
  ctx: Ctx,
  path: LinePath,
  { quantity, currency, price, metadata, public_metadata }: Omit<LineRow, 'id' | 'variant_id' | 'sku'>,
): Promise<OrderLine | null> {
  const row = { id: path.id, quantity, currency, price, metadata, public_metadata };
  const { after } = await changeContents(ctx, path.number, row);
  const line = after.line_items.find(({ id }) => id === path.id);
  return line === undefined ? null : { order: after, line };
}

/** Removes a line item. @throws the same errors as `changeLineItem` */
export async function removeLineItem(ctx: Ctx, path: LinePath): Promise<void> {
  await changeContents(ctx, path.number, { id: path.id, quantity: 0 });
}

async function changeContents(
  ctx: Ctx,
  number: string,
  row: LineRow,
): Promise<{ before: OrderGraph; after: OrderGraph }> {
  const cause = { user_id: findUserId(ctx.actor), reason: 'line items changed' };
  return withOrderTransaction(ctx, number, async (tx) => {
    const added = row.id == null && row.variant_id != null ? { id: row.variant_id, ctx } : null;
    const locked = await lockOrder(
      tx,
      { number, credentials: ctx },
      // Only an existing line item can be restocked.
      { variants: 'read', added, ...(row.id != null && { restocks: listStockChanges }) },
    );
    if (row.id != null && !locked.line_items.some(({ id }) => id === row.id)) throw new NotFound();
    const order = authorizeOrderChange(ctx.actor, locked);
    const { draft, patch, parts } = await withUnprefixedErrors('line_items', () =>
      throwNotFoundIfUnknown(row, () => changeLines(tx, createDraft(order), [row], buildEditor(ctx, tx))),
    );
    const changed = applyParts(patchDraft(draft, patch, cause), parts);
    const recalculated = await recalculateDraft(tx, changed, cause);
    if (locked.completed_at === null && locked.payments.length === 0) relaxCommit(tx);
    return { before: order, after: await saveDraft(tx, recalculated) };
  });
}

/**
 * Converts an unknown variant, which is invalid in the body of an order, to NotFound for the endpoints of line items.
 */
async function throwNotFoundIfUnknown<T>({ variant_id, sku }: LineRow, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UnknownVariant)) throw error;
    const given = variant_id != null ? 'variant_id' : sku != null ? 'sku' : null;
    throw new NotFound().withHint(
      given === null
        ? 'The order exists; a line item needs the variant_id or the sku of a variant on sale.'
        : `The order exists; no variant on sale has this ${given}.`,
    );
  }
}
