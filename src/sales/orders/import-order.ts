import { isBlank } from '../../platform/blank';
import { BLANK, INVALID, InvalidResource } from '../../platform/errors';
import { multiply, roundMoney, sumOf, toAmount } from '../../platform/money';
import type { Tx } from '../../platform/database/transaction';
import { sumQuantities } from '../../platform/quantities';
import type { Cause } from '../order/state-changes.repository';
import type { LockedOrder, LockedOrderGraph } from '../order/order-lock';
import { importShipments, type ImportedShipment } from '../fulfilment/imported-shipments';
import { planParcels } from '../fulfilment/parcel-rules';
import { MAX_UNITS } from '../fulfilment/proposal';
import { addSoldLines } from '../order-input/order-contents';
import type { Editor } from '../order-input/editor';
import { applyParts, storeParts, type OrderDraft } from '../order-updater/order-draft';
import { buildAdjustment } from '../pricing/new-adjustment';
import { importPayments, type PaymentToImport } from '../payment-processing/imported-payments';
import { getPaymentMethods, type PaymentMethodRow } from '../payment-processing/payment-methods.repository';
import { loadSkus } from '../fulfilment/skus.repository';
import type { ChangeableOrder } from '../order/sold-order-policy';
import { buildOrderAdjustments, type ImportedPart } from './import-adjustments';
import { findNamed, loadImportNames, type ImportNames } from './import-names.repository';
import type { OrderCreateInput } from './order-input.schema';

/** Maximum number of payments, shipments or adjustments of a new order. */
const MAX_PARTS = 100;

/** The parts of an order that only admins can send. Empty lists for others. */
export interface ImportedParts {
  adjustments: NonNullable<OrderCreateInput['adjustments']>;
  payments: NonNullable<OrderCreateInput['payments']>;
  shipments: NonNullable<OrderCreateInput['shipments']>;
  /** The rows of the line items, whose adjustments are such parts. */
  line_items: NonNullable<OrderCreateInput['line_items']>;
}

/** Reads the parts of a body; `x_attributes` and `x` are synonyms. @throws InvalidResource if there are too many */
export function readImportedParts(input: OrderCreateInput): ImportedParts {
  const shipments = input.shipments_attributes ?? input.shipments ?? [];
  const parts = {
    adjustments: readAdjustmentRows(input) ?? [],
    payments: input.payments_attributes ?? input.payments ?? [],
    shipments: shipments.map((row) => ({ ...row, adjustments: readAdjustmentRows(row) })),
    line_items: readLineRows(input).map((row) => ({ ...row, adjustments: readAdjustmentRows(row) })),
  };
  for (const [name, rows] of Object.entries({ ...parts, line_items: [] })) {
    if (rows.length > MAX_PARTS) throw new InvalidResource({ [name]: [`must be at most ${MAX_PARTS}`] });
  }
  return parts;
}

/**
 * Adds the line items and shipments of an order that was sold elsewhere. Units that have not shipped take stock, as
 * in a sale. Nothing is charged for that is not sent: no taxes and promotions of today, and no shipping costs. Expects
 * the order complete, and without address. The draft must be recalculated afterwards.
 * @throws InvalidResource
 */
export async function importContents(
  tx: Tx,
  draft: OrderDraft<ChangeableOrder>,
  { input, parts }: { input: OrderCreateInput; parts: ImportedParts },
  { editor, cause }: { editor: Editor; cause: Cause },
): Promise<StoredShipments<ChangeableOrder>> {
  const filled = await addSoldLines(tx, draft, readLineRows(input), editor);
  return storeShipments(tx, filled, parts, { editor, cause });
}

/** A draft with the shipments of a request, which are stored. */
export interface StoredShipments<Order extends LockedOrderGraph> {
  draft: OrderDraft<Order>;
  ids: ShipmentIds;
}

/** The ids of the shipments of a request, in its order; null for one that has no units and was removed. */
type ShipmentIds = readonly (number | null)[];

/** Returns the rows of the adjustments of a new order or of a part of it. */
const readAdjustmentRows = (of: Pick<OrderCreateInput, 'adjustments' | 'adjustments_attributes'>) =>
  of.adjustments_attributes ?? of.adjustments;

/** Returns the rows of the line items of a new order. */
const readLineRows = (input: OrderCreateInput) => input.line_items_attributes ?? input.line_items ?? [];

/** Stores the line items and the shipments of an order. @throws InvalidResource */
export async function storeShipments<Order extends LockedOrderGraph>(
  tx: Tx,
  unstored: OrderDraft<Order>,
  parts: ImportedParts,
  { editor, cause }: { editor: Editor; cause: Cause },
): Promise<StoredShipments<Order>> {
  const draft = await storeParts(tx, unstored);
  const { order } = draft;
  const lines = order.line_items.map(({ id, variant_id, quantity }) => {
    return { line_item_id: id, variant_id, quantity };
  });
  if (sumQuantities(lines) > MAX_UNITS) {
    throw new InvalidResource({ 'line_items.quantity': [`must be less than or equal to ${MAX_UNITS}`] });
  }
  const names = parts.shipments.length > 0 ? await loadImportNames(tx) : null;
  const shipments = parts.shipments.map((row) => ({
    shipment: readShipment(order, row, names, editor.now()),
    units: row.inventory_units ?? row.inventory_units_attributes ?? [],
  }));
  const skus = shipments.some(({ units }) => units.some(({ sku }) => sku != null))
    ? await loadSkus(tx, lines)
    : new Map<number, string>();
  const named = lines.map((line) => ({ ...line, sku: skus.get(line.variant_id) ?? '' }));
  const { onBackordersFilled } = editor;
  const plan = { ...planParcels(named, shipments), lines };
  return importShipments(tx, draft, plan, { cause, onBackordersFilled });
}

function readShipment(
  order: LockedOrder,
  row: ImportedParts['shipments'][number],
  names: ImportNames | null,
  now: Date,
): ImportedShipment {
  const location = isBlank(row.stock_location) && row.stock_location_id == null ? null : row;
  const stockLocation =
    location === null
      ? names?.stock_locations.find(({ is_default }) => is_default)
      : findNamed(names?.stock_locations ?? [], {
          id: row.stock_location_id ?? null,
          name: row.stock_location ?? null,
        });
  if (stockLocation === undefined) throw new InvalidResource({ 'shipments.stock_location': [BLANK] });
  const naming = { id: row.shipping_method_id ?? null, name: row.shipping_method ?? null };
  const method = findNamed(names?.shipping_methods ?? [], naming);
  // A cost is that of a shipping rate, and a rate has a method.
  const needsMethod = naming.id !== null || !isBlank(naming.name) || row.cost != null;
  if (method === undefined && needsMethod)
    throw new InvalidResource({ 'shipments.shipping_method': [BLANK] });
  return {
    stock_location_id: stockLocation.id,
    stock_location_name: stockLocation.name,
    method: method ?? null,
    cost: roundMoney(row.cost ?? '0', order.currency),
    tracking: isBlank(row.tracking) ? null : row.tracking,
    shipped_at: readShippedAt(order, row.shipped_at ?? null, now),
  };
}

function readShippedAt(order: LockedOrder, shippedAt: Date | null, now: Date): Date | null {
  if (shippedAt === null) return null;
  if (order.completed_at === null) {
    throw new InvalidResource({ 'shipments.shipped_at': ['must be blank unless the order is complete'] });
  }
  if (shippedAt > now) throw new InvalidResource({ 'shipments.shipped_at': ['cannot be in the future'] });
  return shippedAt;
}

/**
 * Adds the payments of an order, and the adjustments of it, its line items and shipments to its draft, to be recalculated and
 * saved. Expects line items and shipments stored.
 * @throws InvalidResource
 */
export async function addPaymentsAndAdjustments(
  tx: Tx,
  draft: OrderDraft,
  { parts, shipments }: { parts: ImportedParts; shipments: ShipmentIds },
  cause: Cause,
): Promise<OrderDraft> {
  const { order } = draft;
  const adjusted = await listAdjustedParts(tx, order, { parts, shipments });
  const isAdjusted = [adjusted.whole, ...adjusted.parts].some(({ rows }) => rows.length > 0);
  const isNaming = parts.payments.length > 0 || isAdjusted;
  const names = isNaming ? await loadImportNames(tx) : null;
  const methods = parts.payments.length > 0 ? await getPaymentMethods(tx, order.revisions) : NO_METHODS;
  const read = parts.payments.map((row) => readPayment(row, { names, methods }));
  const paid = importPayments(draft, read, cause);
  const work = {
    currency: order.currency,
    isSold: order.completed_at !== null,
    rates: names?.tax_rates ?? [],
  };
  const added = buildOrderAdjustments(adjusted.whole, adjusted.parts, work).map((adjustment) =>
    buildAdjustment(order, { closed: false, ...adjustment }),
  );
  return applyParts(paid, { adjustments: [...order.adjustments, ...added] });
}

/** Lists the order, its line items and its shipments with their cost and the adjustments to import. */
async function listAdjustedParts(
  tx: Tx,
  order: LockedOrderGraph,
  { parts, shipments }: { parts: ImportedParts; shipments: ShipmentIds },
): Promise<{ whole: ImportedPart; parts: ImportedPart[] }> {
  const rows = parts.line_items;
  const skus = rows.some(({ variant_id, adjustments }) => adjustments !== undefined && variant_id == null)
    ? await loadSkus(tx, order.line_items)
    : new Map<number, string>();
  const lines = order.line_items.map((line) => ({
    path: 'line_items.adjustments',
    line_item_id: line.id,
    shipment_id: null,
    amount: multiply(toAmount(line.price), line.quantity),
    count: line.quantity,
    rows: rows
      .filter(({ variant_id, sku }) =>
        variant_id == null ? skus.get(line.variant_id) === sku : variant_id === line.variant_id,
      )
      .flatMap(({ adjustments }) => adjustments ?? []),
  }));
  const parcels = parts.shipments.map(({ adjustments }, at) => ({
    path: 'shipments.adjustments',
    line_item_id: null,
    shipment_id: shipments[at] ?? null,
    amount: toAmount(order.shipments.find(({ id }) => id === shipments[at])?.cost ?? '0'),
    count: 1,
    rows: adjustments ?? [],
  }));
  const whole = {
    path: 'adjustments',
    line_item_id: null,
    shipment_id: null,
    rows: parts.adjustments,
    amount: sumOf([...lines, ...parcels], ({ amount }) => amount),
    count: [...lines, ...parcels].reduce((count, part) => count + part.count, 0),
  };
  return { whole, parts: [...lines, ...parcels] };
}

const NO_METHODS: ReadonlyMap<number, PaymentMethodRow> = new Map();

const STATES = ['checkout', 'pending', 'completed', 'failed', 'void', 'invalid'] as const;

function readPayment(
  row: ImportedParts['payments'][number],
  { names, methods }: { names: ImportNames | null; methods: ReadonlyMap<number, PaymentMethodRow> },
): PaymentToImport {
  const naming = { id: row.payment_method_id ?? null, name: row.payment_method ?? null };
  const method = methods.get(findNamed(names?.payment_methods ?? [], naming)?.id ?? 0);
  if (method === undefined) throw new InvalidResource({ 'payments.payment_method': [BLANK] });
  if (row.amount == null) throw new InvalidResource({ 'payments.amount': [BLANK] });
  const wanted = row.state ?? row.status;
  const state = isBlank(wanted) ? 'completed' : STATES.find((known) => known === wanted);
  if (state === undefined) throw new InvalidResource({ 'payments.state': [INVALID] });
  return {
    method,
    amount: row.amount,
    state,
    response_code: isBlank(row.response_code) ? null : row.response_code,
    card: row.source ?? row.source_attributes,
  };
}
