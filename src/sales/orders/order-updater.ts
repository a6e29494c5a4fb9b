import type { Tx } from '../../platform/database/transaction';
import { groupBy } from '../../platform/group-by';
import { sumOf, toAmount, toDecimal, type Amount } from '../../platform/money';
import {
  deleteAdjustments,
  insertAdjustments,
  updateAdjustmentAmounts,
} from '../adjustments/adjustments.repository';
import { insertStateChanges, type StateChange } from '../history/state-changes.repository';
import { isOpen, wantedTaxes, type WantedAdjustment } from '../taxes/order-taxes';
import { loadOrderGraph, type AdjustmentRow, type OrderGraph } from './order-graph';
import type { LockedOrder } from './order-lock';
import {
  calculateTotals,
  PROMOTION_SOURCE,
  TAX_SOURCE,
  type OrderTotals,
  type TotalsInput,
} from './order-totals';
import {
  updateLineItemTotals,
  updateShipmentTotals,
  type LineItemTotalsRow,
  type ShipmentTotalsRow,
} from './order-totals.repository';
import { updateOrderRow, type OrderRow } from './orders.repository';

/** Who causes a change, for the history. */
export interface Cause {
  /** Null for guests and for the program itself. */
  user_id: number | null;
  /** What was asked, in words for support staff. */
  reason: string;
}

/** Columns of the order itself that change along: its state, addresses, e-mail. */
export type OrderPatch = Partial<Omit<OrderRow, 'id' | keyof OrderTotals>>;

/**
 * The last step of every use case that touches an order: loads the order with its parts, brings taxes up to date,
 * calculates the totals and derived states, and writes what differs, with the history of every state that moved.
 * Nobody else writes totals, payment_state, shipment_state or an unshipped shipment's state.
 * Expects the order locked and all other writes done. A constant number of statements, whatever the number of lines.
 * @returns the order as it is now, with its parts
 */
export async function updateOrder(
  tx: Tx,
  order: LockedOrder,
  cause: Cause,
  patch: OrderPatch = {},
): Promise<OrderGraph & LockedOrder> {
  // Taxes depend on the addresses: the load has to find the new ones.
  if ('bill_address_id' in patch || 'ship_address_id' in patch) await updateOrderRow(tx, order.id, patch);
  const loaded = await loadOrderGraph(tx, order.id);
  const graph: OrderGraph = { ...loaded, ...patch };
  graph.adjustments = await syncTaxes(tx, graph);
  const totals = calculateTotals(totalsInput(graph));
  await updateLineItemTotals(tx, changedLines(graph, totals));
  await updateShipmentTotals(tx, changedShipments(graph, totals));
  await insertStateChanges(tx, stateChanges(order, graph, totals, cause));
  const row = await updateOrderRow(tx, order.id, { ...patch, ...orderColumns(totals) });
  return { ...order, ...withTotals({ ...graph, ...row }, totals) };
}

/** What the pure calculation needs of an order. */
export function totalsInput(graph: OrderGraph): TotalsInput {
  const owners = groupBy(graph.adjustments, ownerOf);
  const adjustmentsOf = (owner: string) =>
    (owners.get(owner) ?? []).map((adjustment) => ({ ...adjustment, amount: toAmount(adjustment.amount) }));
  return {
    state: graph.state,
    is_completed: graph.completed_at !== null,
    line_items: graph.line_items.map((line) => ({
      id: line.id,
      price: toAmount(line.price),
      quantity: line.quantity,
      adjustments: adjustmentsOf(`line ${line.id}`),
    })),
    shipments: graph.shipments.map((shipment) => ({
      id: shipment.id,
      state: shipment.state,
      cost: toAmount(shipment.cost),
      has_backordered_units: shipment.units.some((unit) => unit.state === 'backordered'),
      adjustments: adjustmentsOf(`shipment ${shipment.id}`),
    })),
    adjustments: adjustmentsOf('order'),
    payments: graph.payments.map((payment) => ({
      state: payment.settled_state,
      amount: toAmount(payment.amount),
      refunded: toAmount(payment.refunded),
    })),
  };
}

/** Names what an adjustment belongs to: a line, a shipment or the order. */
function ownerOf(adjustment: { line_item_id: number | null; shipment_id: number | null }): string {
  if (adjustment.line_item_id !== null) return `line ${adjustment.line_item_id}`;
  return adjustment.shipment_id === null ? 'order' : `shipment ${adjustment.shipment_id}`;
}

/** Makes the stored taxes equal the wanted ones; only open parts are looked at. @returns all adjustments as they are then */
async function syncTaxes(tx: Tx, graph: OrderGraph): Promise<AdjustmentRow[]> {
  const open = new Set([
    ...graph.line_items.filter((line) => isOpen(graph, line)).map((line) => `line ${line.id}`),
    ...graph.shipments
      .filter((shipment) => isOpen(graph, shipment))
      .map((shipment) => `shipment ${shipment.id}`),
  ]);
  if (open.size === 0) return graph.adjustments;
  const wanted = await wantedTaxes(tx, graph, (item) => promotedAmount(graph, item));
  const isOpenTax = (row: AdjustmentRow): boolean =>
    row.source_type === TAX_SOURCE && !row.closed && open.has(ownerOf(row));
  const stored = new Map(graph.adjustments.filter(isOpenTax).map((row) => [sourceOf(row), row]));
  const missing = wanted.filter((tax) => !stored.has(sourceOf(tax)));
  const changed = wanted.flatMap((tax) => changedTax(stored.get(sourceOf(tax)), tax));
  const kept = new Set(wanted.map(sourceOf));
  const surplus = new Set([...stored].filter(([key]) => !kept.has(key)).map(([, row]) => row.id));

  await deleteAdjustments(tx, [...surplus]);
  await updateAdjustmentAmounts(tx, changed);
  const inserted = await insertAdjustments(
    tx,
    missing.map((tax) => ({ ...adjustmentColumns(tax), order_id: graph.id })),
  );
  const changes = new Map(changed.map((row) => [row.id, row]));
  return [
    ...graph.adjustments
      .filter((row) => !surplus.has(row.id))
      .map((row) => ({ ...row, ...changes.get(row.id) })),
    ...inserted,
  ];
}

function sourceOf(tax: Pick<WantedAdjustment, 'line_item_id' | 'shipment_id' | 'source_id'>): string {
  return `${ownerOf(tax)} ${tax.source_id ?? ''}`;
}

function adjustmentColumns(tax: WantedAdjustment) {
  const { line_item_id, shipment_id, source_type, source_id, label, included, amount } = tax;
  return { line_item_id, shipment_id, source_type, source_id, label, included, amount: toDecimal(amount) };
}

function changedTax(row: AdjustmentRow | undefined, tax: WantedAdjustment): AdjustmentRow[] {
  if (row === undefined) return [];
  const { label, included } = tax;
  const same = toAmount(row.amount) === tax.amount && row.label === label && row.included === included;
  return same ? [] : [{ ...row, amount: toDecimal(tax.amount), label, included }];
}

function promotedAmount(graph: OrderGraph, item: { line_item_id: number } | { shipment_id: number }): Amount {
  const owner = 'line_item_id' in item ? `line ${item.line_item_id}` : `shipment ${item.shipment_id}`;
  return sumOf(
    graph.adjustments.filter(
      (row) => row.source_type === PROMOTION_SOURCE && row.eligible && ownerOf(row) === owner,
    ),
    (row) => toAmount(row.amount),
  );
}

/** The derived columns of `orders`, as SQL takes them. */
function orderColumns(totals: OrderTotals): Partial<OrderRow> {
  return {
    item_total: toDecimal(totals.item_total),
    ship_total: toDecimal(totals.ship_total),
    promo_total: toDecimal(totals.promo_total),
    adjustment_total: toDecimal(totals.adjustment_total),
    included_tax_total: toDecimal(totals.included_tax_total),
    additional_tax_total: toDecimal(totals.additional_tax_total),
    total: toDecimal(totals.total),
    payment_total: toDecimal(totals.payment_total),
    total_quantity: String(totals.total_quantity),
    payment_state: totals.payment_state,
    shipment_state: totals.shipment_state,
  };
}

type PartTotals = Pick<
  OrderTotals,
  'promo_total' | 'adjustment_total' | 'included_tax_total' | 'additional_tax_total'
>;

function partColumns(totals: PartTotals) {
  return {
    promo_total: toDecimal(totals.promo_total),
    adjustment_total: toDecimal(totals.adjustment_total),
    included_tax_total: toDecimal(totals.included_tax_total),
    additional_tax_total: toDecimal(totals.additional_tax_total),
  };
}

/** The shipments whose derived columns differ from what is stored. */
function changedShipments(graph: OrderGraph, totals: OrderTotals): ShipmentTotalsRow[] {
  return graph.shipments.flatMap((shipment, index) => {
    const now = totals.shipments[index];
    if (now === undefined) return [];
    const columns = { id: shipment.id, state: now.state, ...partColumns(now) };
    return now.state === shipment.state && samePart(shipment, now) ? [] : [columns];
  });
}

function changedLines(graph: OrderGraph, totals: OrderTotals): LineItemTotalsRow[] {
  return graph.line_items.flatMap((line, index) => {
    const now = totals.line_items[index];
    return now === undefined || samePart(line, now) ? [] : [{ id: line.id, ...partColumns(now) }];
  });
}

function samePart(stored: { [K in keyof PartTotals]: string }, now: PartTotals): boolean {
  return (
    toAmount(stored.promo_total) === now.promo_total &&
    toAmount(stored.adjustment_total) === now.adjustment_total &&
    toAmount(stored.included_tax_total) === now.included_tax_total &&
    toAmount(stored.additional_tax_total) === now.additional_tax_total
  );
}

/** What the history is told: the order's own state when `patch` moved it, and every shipment's that moved along. */
function stateChanges(before: OrderRow, graph: OrderGraph, totals: OrderTotals, cause: Cause): StateChange[] {
  const changes: StateChange[] = [];
  const note = (
    subject_type: StateChange['subject_type'],
    subject_id: number,
    from: string,
    to: string,
  ): void => {
    if (from !== to)
      changes.push({
        order_id: graph.id,
        subject_type,
        subject_id,
        from_state: from,
        to_state: to,
        ...cause,
      });
  };
  note('order', graph.id, before.state, graph.state);
  for (const [index, shipment] of graph.shipments.entries()) {
    note('shipment', shipment.id, shipment.state, totals.shipments[index]?.state ?? shipment.state);
  }
  return changes;
}

function withTotals(graph: OrderGraph, totals: OrderTotals): OrderGraph {
  return {
    ...graph,
    line_items: graph.line_items.map((line, index) => {
      const now = totals.line_items[index];
      return now === undefined ? line : { ...line, ...partColumns(now) };
    }),
    shipments: graph.shipments.map((shipment, index) => {
      const now = totals.shipments[index];
      return now === undefined ? shipment : { ...shipment, ...partColumns(now), state: now.state };
    }),
  };
}
