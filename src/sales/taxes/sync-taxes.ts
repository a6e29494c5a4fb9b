import type { Tx } from '../../platform/database/transaction';
import { sumOf, toAmount, toDecimal, type Amount } from '../../platform/money';
import {
  deleteAdjustments,
  insertAdjustments,
  updateAdjustments,
} from '../adjustments/adjustments.repository';
import type { AdjustmentRow, OrderGraph } from '../orders/order-graph';
import { PROMOTION_SOURCE, TAX_SOURCE } from '../orders/order-totals';
import { isOpen, wantedTaxes, type WantedAdjustment } from './order-taxes';

/**
 * Makes the stored taxes of an order equal the wanted ones; only parts that are open to change are looked at. At most
 * six statements, none in a shop without taxes.
 * @returns all adjustments as they are then
 */
export async function syncTaxes(tx: Tx, graph: OrderGraph): Promise<AdjustmentRow[]> {
  const open = new Set([
    ...graph.line_items.filter((line) => isOpen(graph, line)).map((line) => `line ${line.id}`),
    ...graph.shipments
      .filter((shipment) => isOpen(graph, shipment))
      .map((shipment) => `shipment ${shipment.id}`),
  ]);
  if (open.size === 0) return graph.adjustments;
  const wanted = graph.shop_has_taxes
    ? await wantedTaxes(tx, graph, (item) => promotedAmount(graph, item))
    : [];
  const taxes = graph.adjustments.filter((row) => row.source_type === TAX_SOURCE && open.has(ownerOf(row)));
  const stored = new Map(taxes.filter((row) => !row.closed).map((row) => [sourceOf(row), row]));
  const known = new Set(taxes.map(sourceOf));
  const missing = wanted.filter((tax) => !known.has(sourceOf(tax)));
  const changed = wanted.flatMap((tax) => changedTax(stored.get(sourceOf(tax)), tax));
  const kept = new Set(wanted.map(sourceOf));
  const surplus = new Set([...stored].filter(([key]) => !kept.has(key)).map(([, row]) => row.id));

  await deleteAdjustments(tx, [...surplus]);
  await updateAdjustments(tx, changed);
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

/** Names what an adjustment belongs to: a line, a shipment or the order. */
export function ownerOf(adjustment: { line_item_id: number | null; shipment_id: number | null }): string {
  if (adjustment.line_item_id !== null) return `line ${adjustment.line_item_id}`;
  return adjustment.shipment_id === null ? 'order' : `shipment ${adjustment.shipment_id}`;
}
