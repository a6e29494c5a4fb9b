import { canSupply } from '../../inventory/availability';
import { loadAvailability } from '../../inventory/availability.repository';
import type { Tx } from '../../platform/database/transaction';
import { MAX_INT4 } from '../../platform/int4';
import { findSellableVariants } from '../fulfilment/sellable-variants.repository';
import { enterCodesOf } from '../order-input/enter-coupon';
import { changeLines, MAX_LINES } from '../order-input/order-contents';
import type { Editor } from '../order-input/editor';
import { applyParts, createDraft, patchDraft, type OrderDraft } from '../order-updater/order-draft';
import { saveRecalculated } from '../order-updater/order-updater';
import type { AdjustmentRow, LineItemRow, OrderGraph } from '../order/order-graph';
import type { LockedOrderGraph } from '../order/order-lock';
import { authorizeOrderChange, type ChangeableOrder } from '../order/sold-order-policy';
import type { Cause } from '../order/state-changes.repository';
import { hasGivenUpCharges } from '../payment-processing/waiting-operations.repository';
import { deleteCarts } from './abandoned-carts.repository';

/** States of payments that hold no money. */
const SETTLED: ReadonlySet<string> = new Set(['checkout', 'invalid', 'failed', 'void']);

/** What both carts of a merge need. */
interface Merge {
  editor: Editor;
  cause: Cause;
}

/**
 * Adds the line items of a customer's older cart to a cart, and its coupon codes if the cart has none. Lines that cannot be added stay in
 * the older cart: prices that the store agreed, lines that it adjusted, and variants that are no longer for sale or available. An older
 * cart without lines is deleted, unless a charge of it was given up. One whose payments hold money, in another currency, or that the
 * store adjusted as a whole stays as it is. Expects both orders locked; the caller recalculates and saves the draft.
 */
export async function mergeCart(
  tx: Tx,
  draft: OrderDraft<ChangeableOrder>,
  older: LockedOrderGraph,
  { editor, cause }: Merge,
): Promise<OrderDraft<ChangeableOrder>> {
  if (!isMergeable(older) || older.currency !== draft.order.currency) return draft;
  const moved = await findMovableLines(tx, draft.order, older, editor);
  const rows = moved.map(({ variant_id, quantity }) => ({ variant_id, quantity }));
  const isEmptied = moved.length === older.line_items.length;
  if (isEmptied && !(await hasGivenUpCharges(tx, older.id))) await deleteCarts(tx, [older.id]);
  else if (moved.length > 0) await removeLines(tx, older, moved, { editor, cause });
  if (rows.length === 0) return draft;
  const { patch, parts } = await changeLines(tx, draft, rows, editor);
  const line_items = addMetadata(parts.line_items ?? draft.order.line_items, moved);
  const merged = applyParts(patchDraft(draft, patch, cause), { ...parts, line_items });
  return applyParts(merged, { promotions: await enterCodesOf(tx, merged.order, older) });
}

function isMergeable({ completed_at, payments, adjustments }: OrderGraph): boolean {
  const holdsMoney = payments.some(({ state }) => !SETTLED.has(state));
  const isAdjusted = adjustments.some((one) => isManual(one) && one.line_item_id === null);
  return completed_at === null && !holdsMoney && !isAdjusted;
}

/** Whether staff have made an adjustment: it is no tax, discount or credit of a return. */
const isManual = ({ source_type }: AdjustmentRow): boolean => source_type === null;

/** Keeps what staff have stored with moved lines. Where both carts have a key, that of the line wins. */
function addMetadata(lines: readonly LineItemRow[], moved: readonly LineItemRow[]): LineItemRow[] {
  const others = new Map(moved.map((line) => [line.variant_id, line]));
  return lines.map((line) => {
    const other = others.get(line.variant_id);
    return {
      ...line,
      metadata: { ...other?.metadata, ...line.metadata },
      public_metadata: { ...other?.public_metadata, ...line.public_metadata },
    };
  });
}

async function findMovableLines(
  tx: Tx,
  order: OrderGraph,
  older: OrderGraph,
  editor: Editor,
): Promise<LineItemRow[]> {
  const ids = older.line_items.map(({ variant_id }) => variant_id);
  const sellable = await findSellableVariants(tx, editor, { ids, skus: [] }, order.currency);
  const stock = await loadAvailability(tx, ids);
  let room = MAX_LINES - order.line_items.length;
  return older.line_items.filter((line) => {
    const own = order.line_items.find(({ variant_id }) => variant_id === line.variant_id);
    const total = line.quantity + (own?.quantity ?? 0);
    const available = stock.get(line.variant_id);
    const isForSale = sellable.some(({ id, price }) => id === line.variant_id && price !== null);
    const isAdjusted = older.adjustments.some((one) => isManual(one) && one.line_item_id === line.id);
    const isAgreed = line.price_is_agreed || own?.price_is_agreed === true || isAdjusted;
    if (isAgreed || !isForSale || total > MAX_INT4) return false;
    if (available === undefined || !canSupply(available, total)) return false;
    if (own !== undefined) return true;
    room -= 1;
    return room >= 0;
  });
}

async function removeLines(
  tx: Tx,
  older: LockedOrderGraph,
  lines: readonly LineItemRow[],
  { editor, cause }: Merge,
): Promise<void> {
  const order = authorizeOrderChange(editor.actor, older);
  const rows = lines.map(({ id }) => ({ id, quantity: 0 }));
  const { draft, patch, parts } = await changeLines(tx, createDraft(order), rows, editor);
  const changed = applyParts(patchDraft(draft, patch, cause), parts);
  await saveRecalculated(tx, changed, cause);
}
