import type { Editor } from './editor';
import { isAdmin } from '../../access/actor';
import { InvalidResource } from '../../platform/errors';
import { canSupply } from '../../inventory/availability';
import { withFacts } from '../../platform/database/facts';
import type { Tx } from '../../platform/database/transaction';
import { compareDecimals } from '../../platform/money';
import { sumQuantities } from '../../platform/quantities';
import { FULFILMENT_FACTS, type FulfilmentFacts } from '../fulfilment/fulfilment-facts';
import { restartCheckout } from '../fulfilment/restart';
import { buildLine } from '../fulfilment/new-line';
import { matchUnitsToLines } from '../fulfilment/sold-units';
import { buildShortageError } from '../fulfilment/supply';
import { MAX_UNITS } from '../fulfilment/proposal';
import { getAvailability } from '../fulfilment/variants-of-order';
import type { LineItemRow, OrderGraph } from '../order/order-graph';
import {
  applyParts,
  storeParts,
  type ChangedParts,
  type OrderDraft,
  type OrderPatch,
} from '../order-updater/order-draft';
import { resolveRows, type LineRow, type WantedLine } from './wanted-lines';
import { rejectCanceled, rejectReturned, type ChangeableOrder } from '../order/sold-order-policy';

/** Maximum number of line items of an order. It limits the work of one request. */
export const MAX_LINES = 1000;

/** A draft, and what a change of the line items of its order changes: columns and nested records. */
export interface ChangedContents {
  /** With the line items and units of a sold order, which are stored at once. */
  draft: OrderDraft<ChangeableOrder>;
  patch: OrderPatch;
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
  draft: OrderDraft<ChangeableOrder>,
  rows: readonly LineRow[],
  editor: Editor,
): Promise<ChangedContents> {
  if (!rows.every((row) => keepsLine(draft.order, row))) rejectCanceled(draft.order);
  const wanted = await resolveRows(tx, draft.order, rows, editor);
  return setMetadata(wanted, await changeContents(tx, draft, wanted, editor));
}

/** Whether a row leaves its line item as it is, except for metadata: it repeats what replies show, or says nothing of it. */
function keepsLine(
  { line_items }: Pick<OrderGraph, 'line_items'>,
  { id, quantity, price }: LineRow,
): boolean {
  if (id == null) return false;
  const line = line_items.find((one) => one.id === id);
  return (
    (quantity == null || quantity === line?.quantity) &&
    (price == null || (line !== undefined && compareDecimals(price, line.price) === 0))
  );
}

async function changeContents(
  tx: Tx,
  draft: OrderDraft<ChangeableOrder>,
  wanted: readonly WantedLine[],
  editor: Editor,
): Promise<ChangedContents> {
  const { order } = draft;
  const changed = wanted.filter(isChanged);
  if (changed.length === 0) return { draft, patch: {}, parts: {} };
  if (!isAdmin(editor.actor)) rejectRaisedAgreements(changed);
  if (changed.some((line) => line.quantity > (line.before?.quantity ?? 0))) rejectReturned(order);
  rejectTooManyLines(order, wanted);
  await withFacts(tx, FULFILMENT_FACTS, (facts) => {
    checkAvailability(facts, order, changed);
  });
  return order.completed_at === null
    ? { draft, ...changeOpenLines(order, changed) }
    : { draft: await changeSoldLines(tx, draft, changed, editor), patch: {}, parts: {} };
}

/** Sets the metadata of lines, after their contents. */
function setMetadata(wanted: readonly WantedLine[], contents: ChangedContents): ChangedContents {
  const lines = listMetadata(wanted);
  if (lines.length === 0) return contents;
  const { draft, patch, parts } = contents;
  const given = new Map(lines.map(({ variant_id, ...metadata }) => [variant_id, metadata]));
  const line_items = (parts.line_items ?? draft.order.line_items).map((line) => ({
    ...line,
    ...given.get(line.variant_id),
  }));
  return { draft, patch, parts: { ...parts, line_items } };
}

function listMetadata(lines: readonly WantedLine[]) {
  return lines.flatMap(({ variant_id, quantity, metadata }) =>
    quantity > 0 && Object.keys(metadata).length > 0 ? [{ variant_id, ...metadata }] : [],
  );
}

/**
 * Adds the line items of an order that was sold elsewhere. Takes no stock and checks none: the shipments of the
 * import decide which units left before. Expects the order to have no line items.
 * @throws InvalidResource with keys under `line_items`; the transaction must then be rolled back
 */
export async function addSoldLines(
  tx: Tx,
  draft: OrderDraft<ChangeableOrder>,
  rows: readonly LineRow[],
  editor: Editor,
): Promise<OrderDraft<ChangeableOrder>> {
  const { order } = draft;
  const wanted = await resolveRows(tx, order, rows, editor);
  rejectTooManyLines(order, wanted);
  const parts = { line_items: buildLines(order, wanted) };
  return applyParts(draft, setMetadata(wanted, { draft, patch: {}, parts }).parts);
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
function checkAvailability(facts: FulfilmentFacts, order: OrderGraph, lines: readonly WantedLine[]): void {
  const raised = lines.filter((line) => line.quantity > (line.before?.quantity ?? 0));
  if (raised.length === 0) return;
  checkUnits(facts, order, { lines, raised });
  const stock = getAvailability(
    facts,
    order,
    raised.map((line) => line.variant_id),
  );
  const getHeldQuantity = (line: WantedLine): number =>
    order.completed_at === null ? 0 : (line.before?.quantity ?? 0);
  for (const line of raised) {
    const available = stock.get(line.variant_id);
    if (available !== undefined && canSupply(available, line.quantity - getHeldQuantity(line))) continue;
    throw buildShortageError(facts, line.variant_id, { field: 'line_items.quantity' });
  }
}

/** @throws InvalidResource if the order would have more than MAX_UNITS units */
function checkUnits(
  facts: FulfilmentFacts,
  order: OrderGraph,
  { lines, raised }: { lines: readonly WantedLine[]; raised: readonly WantedLine[] },
): void {
  const changed = new Set(lines.map(({ variant_id }) => variant_id));
  const kept = order.line_items.filter(({ variant_id }) => !changed.has(variant_id));
  const units = sumQuantities([...kept, ...lines]);
  const [most] = [...raised].sort((one, other) => other.quantity - one.quantity);
  if (units <= MAX_UNITS || most === undefined) return;
  const room = Math.max(0, MAX_UNITS - units + most.quantity);
  const title = facts.variantTitle(most.variant_id);
  const error = new InvalidResource({ 'line_items.quantity': [`must be less than or equal to ${room}`] });
  throw error.withHint(
    `An order has at most ${MAX_UNITS} units, so that of "${title}" can be at most ${room}.`,
  );
}

/** Changes the line items of a sold order with their units. @returns the draft, whose units are stored */
async function changeSoldLines(
  tx: Tx,
  draft: OrderDraft<ChangeableOrder>,
  lines: readonly WantedLine[],
  { onBackordersFilled }: Editor,
): Promise<OrderDraft<ChangeableOrder>> {
  // A line that is removed stays until its units are.
  const kept = lines.filter(({ quantity }) => quantity > 0);
  const changed = { ...draft.order, line_items: buildLines(draft.order, kept) };
  const stored = await storeParts(tx, { ...draft, order: changed });
  const ids = new Map(stored.order.line_items.map(({ id, variant_id }) => [variant_id, id]));
  const moves = lines.map(({ variant_id, quantity }) => {
    return { line_item_id: ids.get(variant_id) ?? 0, variant_id, quantity };
  });
  const matched = await matchUnitsToLines(tx, stored, moves, onBackordersFilled);
  const removed = new Set(
    lines.flatMap(({ quantity, before }) => (quantity === 0 ? (before?.id ?? []) : [])),
  );
  const line_items = matched.order.line_items.filter(({ id }) => !removed.has(id));
  return { ...matched, order: { ...matched.order, ...withoutLost(matched.order, line_items) } };
}

/** Returns the line items of an order after a change. */
function buildLines(order: ChangeableOrder, lines: readonly WantedLine[]): LineItemRow[] {
  const changes = new Map(lines.map((line) => [line.before?.id ?? 0, line]));
  const kept = order.line_items.flatMap((row) => {
    const line = changes.get(row.id);
    if (line === undefined) return [row];
    const { quantity, price } = line;
    const price_is_agreed = row.price_is_agreed || line.price_is_agreed;
    return quantity === 0 ? [] : [{ ...row, quantity, price, price_is_agreed }];
  });
  const added = lines.filter(({ before, quantity }) => before === null && quantity > 0);
  return [...kept, ...added.map((line) => buildLine(order, line))];
}

/** Returns line items, and the adjustments that the order keeps with them. */
function withoutLost({ adjustments }: Pick<OrderGraph, 'adjustments'>, line_items: LineItemRow[]) {
  const left = new Set(line_items.map(({ id }) => id));
  return {
    line_items,
    adjustments: adjustments.filter(({ line_item_id }) => line_item_id === null || left.has(line_item_id)),
  };
}

/** Builds the line items of an open order after a change, which restarts its checkout. */
function changeOpenLines(
  order: ChangeableOrder,
  lines: readonly WantedLine[],
): Pick<ChangedContents, 'patch' | 'parts'> {
  const line_items = buildLines(order, lines);
  const { patch, parts } = restartCheckout(order, line_items.length > 0);
  return { patch, parts: { ...parts, ...withoutLost({ ...order, ...parts }, line_items) } };
}
