import type { Editor } from './editor';
import { isAdmin } from '../../access/actor';
import { InvalidResource } from '../../platform/errors';
import { canSupply } from '../../inventory/availability';
import { getAvailability } from '../fulfilment/order-availability';
import type { Tx } from '../../platform/database/transaction';
import { compareDecimals } from '../../platform/money';
import { restartCheckout } from '../fulfilment/restart';
import { buildLine, deleteLines, updateLineMetadata, upsertLines } from '../fulfilment/line-items.repository';
import { matchUnitsToLines, type SoldLine } from '../fulfilment/sold-units';
import { buildShortageError } from '../fulfilment/supply';
import { MAX_UNITS } from '../fulfilment/proposal';
import { findVariantTitle } from '../fulfilment/sellable-variants.repository';
import type { OrderGraph } from '../order/order-graph';
import type { ChangedParts, OrderPatch } from '../order-updater/order-draft';
import { resolveRows, type LineRow, type WantedLine } from './wanted-lines';
import { rejectCanceled, rejectReturned, type ChangeableOrder } from '../order/sold-order-policy';

/** Maximum number of line items of an order. It limits the work of one request. */
export const MAX_LINES = 1000;

/** The columns of an order to change, and its nested records after a change of its line items. */
export interface ChangedContents {
  patch: OrderPatch;
  /** Null for a sold order, whose lines and units are stored at once. */
  parts: ChangedParts;
}

/**
 * Changes the line items of an order. A row with an `id` sets the quantity of that line item (0 removes it; ids of
 * other orders are ignored). A row without adds to the line item of its variant, or creates one. Shoppers cannot raise
 * the quantity of a line item whose price an admin set. Metadata of admins restarts nothing and may be set on canceled
 * orders. The order must be recalculated afterwards. A constant number of statements.
 * @returns the columns to change (the checkout of an incomplete order restarts), and the nested records
 * @throws InvalidResource with keys under `line_items`; the transaction must then be rolled back
 */
export async function changeLines(
  tx: Tx,
  order: ChangeableOrder,
  rows: readonly LineRow[],
  editor: Editor,
): Promise<ChangedContents> {
  if (!rows.every(hasOnlyMetadata)) rejectCanceled(order);
  const wanted = await resolveRows(tx, order, rows, editor);
  return setMetadata(tx, order, wanted, await changeContents(tx, order, wanted, editor));
}

function hasOnlyMetadata({ id, quantity, price }: LineRow): boolean {
  return id != null && quantity == null && price == null;
}

async function changeContents(
  tx: Tx,
  order: ChangeableOrder,
  wanted: readonly WantedLine[],
  editor: Editor,
): Promise<ChangedContents> {
  const changed = wanted.filter(isChanged);
  if (changed.length === 0) return { patch: {}, parts: {} };
  if (!isAdmin(editor.actor)) rejectRaisedAgreements(changed);
  if (changed.some((line) => line.quantity > (line.before?.quantity ?? 0))) rejectReturned(order);
  rejectTooManyLines(order, wanted);
  await checkAvailability(tx, order, changed);
  return applyLines(tx, order, changed, editor);
}

/** Sets the metadata of lines, after their contents. */
async function setMetadata(
  tx: Tx,
  order: ChangeableOrder,
  wanted: readonly WantedLine[],
  contents: ChangedContents,
): Promise<ChangedContents> {
  const lines = listMetadata(wanted);
  if (lines.length === 0) return contents;
  const { patch, parts } = contents;
  if (parts === null) {
    await updateLineMetadata(tx, order, lines);
    return contents;
  }
  const given = new Map(lines.map(({ variant_id, ...metadata }) => [variant_id, metadata]));
  const line_items = (parts.line_items ?? order.line_items).map((line) => ({
    ...line,
    ...given.get(line.variant_id),
  }));
  return { patch, parts: { ...parts, line_items } };
}

function listMetadata(lines: readonly WantedLine[]) {
  return lines.flatMap(({ variant_id, quantity, metadata }) =>
    quantity > 0 && Object.keys(metadata).length > 0 ? [{ variant_id, ...metadata }] : [],
  );
}

/**
 * Stores the line items of an order that was sold elsewhere. Takes no stock and checks none: the shipments of the
 * import decide which units left before. Expects the order to have no line items.
 * @returns the stored line items
 * @throws InvalidResource with keys under `line_items`; the transaction must then be rolled back
 */
export async function addSoldLines(
  tx: Tx,
  order: ChangeableOrder,
  rows: readonly LineRow[],
  editor: Editor,
): Promise<SoldLine[]> {
  const wanted = await resolveRows(tx, order, rows, editor);
  rejectTooManyLines(order, wanted);
  const ids = await upsertLines(tx, order, wanted);
  const metadata = listMetadata(wanted);
  if (metadata.length > 0) await updateLineMetadata(tx, order, metadata);
  return wanted.flatMap(({ variant_id, quantity }) => {
    const line_item_id = ids.get(variant_id)?.id;
    return line_item_id === undefined ? [] : [{ line_item_id, variant_id, quantity }];
  });
}

function rejectTooManyLines(order: OrderGraph, wanted: readonly WantedLine[]): void {
  const lineCount = order.line_items.length + wanted.filter((line) => line.before === null).length;
  if (lineCount > MAX_LINES) throw new InvalidResource({ line_items: [`must be at most ${MAX_LINES}`] });
}

function isChanged({ quantity, price, before }: WantedLine): boolean {
  return quantity !== before?.quantity || compareDecimals(price, before.price) !== 0;
}

/** A price that the store agreed for a quantity is not offered for more. */
function rejectRaisedAgreements(lines: readonly WantedLine[]): void {
  if (!lines.some(({ before, quantity }) => before?.price_is_agreed === true && quantity > before.quantity)) {
    return;
  }
  const message = 'cannot be raised: the store agreed this price for the quantity';
  throw new InvalidResource({ 'line_items.quantity': [message] });
}

/** Checks raised quantities only; for a complete order only the units it does not have yet. */
async function checkAvailability(tx: Tx, order: OrderGraph, lines: readonly WantedLine[]): Promise<void> {
  const raised = lines.filter((line) => line.quantity > (line.before?.quantity ?? 0));
  if (raised.length === 0) return;
  await checkUnits(tx, order, { lines, raised });
  const stock = await getAvailability(
    tx,
    order,
    raised.map((line) => line.variant_id),
  );
  const getHeldQuantity = (line: WantedLine): number =>
    order.completed_at === null ? 0 : (line.before?.quantity ?? 0);
  for (const line of raised) {
    const available = stock.get(line.variant_id);
    if (available !== undefined && canSupply(available, line.quantity - getHeldQuantity(line))) continue;
    throw await buildShortageError(tx, line.variant_id, { field: 'line_items.quantity' });
  }
}

/** @throws InvalidResource if the order would have more than MAX_UNITS units */
async function checkUnits(
  tx: Tx,
  order: OrderGraph,
  { lines, raised }: { lines: readonly WantedLine[]; raised: readonly WantedLine[] },
): Promise<void> {
  const changed = new Set(lines.map(({ variant_id }) => variant_id));
  const kept = order.line_items.filter(({ variant_id }) => !changed.has(variant_id));
  const units = [...kept, ...lines].reduce((all, { quantity }) => all + quantity, 0);
  const [most] = [...raised].sort((one, other) => other.quantity - one.quantity);
  if (units <= MAX_UNITS || most === undefined) return;
  const room = Math.max(0, MAX_UNITS - units + most.quantity);
  const title = await findVariantTitle(tx, most.variant_id);
  const error = new InvalidResource({ 'line_items.quantity': [`must be less than or equal to ${room}`] });
  throw error.withHint(
    `An order has at most ${MAX_UNITS} units, so that of "${title}" can be at most ${room}.`,
  );
}

async function applyLines(
  tx: Tx,
  order: ChangeableOrder,
  lines: readonly WantedLine[],
  { onBackordersFilled }: Editor,
): Promise<ChangedContents> {
  if (order.completed_at === null) return changeOpenLines(order, lines);
  const removed = lines.filter((line) => line.quantity === 0);
  const kept = await upsertLines(
    tx,
    order,
    lines.filter((line) => line.quantity > 0),
  );
  const moves = lines.flatMap((line) => {
    const line_item_id = line.before?.id ?? kept.get(line.variant_id)?.id;
    return line_item_id === undefined
      ? []
      : [{ line_item_id, variant_id: line.variant_id, quantity: line.quantity }];
  });
  await matchUnitsToLines(tx, order, moves, onBackordersFilled);
  await deleteLines(
    tx,
    order,
    removed.flatMap((line) => line.before?.id ?? []),
  );
  return { patch: {}, parts: null };
}

/** Builds the line items of an open order after a change, which restarts its checkout. */
async function changeOpenLines(
  order: ChangeableOrder,
  lines: readonly WantedLine[],
): Promise<ChangedContents> {
  const changes = new Map(lines.map((line) => [line.before?.id ?? 0, line]));
  const kept = order.line_items.flatMap((row) => {
    const line = changes.get(row.id);
    if (line === undefined) return [row];
    const { quantity, price } = line;
    const price_is_agreed = row.price_is_agreed || line.price_is_agreed;
    return quantity === 0 ? [] : [{ ...row, quantity, price, price_is_agreed }];
  });
  const added = lines.filter(({ before, quantity }) => before === null && quantity > 0);
  const line_items = [...kept, ...added.map((line) => buildLine(order, line))];
  const { patch, parts } = await restartCheckout(order, line_items.length > 0);
  const left = new Set(line_items.map(({ id }) => id));
  const adjustments = (parts.adjustments ?? order.adjustments).filter(
    ({ line_item_id }) => line_item_id === null || left.has(line_item_id),
  );
  return { patch, parts: { ...parts, line_items, adjustments } };
}
