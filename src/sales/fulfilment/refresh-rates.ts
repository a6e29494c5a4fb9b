import type { Tx } from '../../platform/database/transaction';
import { groupBy } from '../../platform/group-by';
import { findOrderedVariants } from './ordered-variants.repository';
import { loadPriceList, buildRates, type PriceList } from './proposal';
import type { OrderGraph, ShipmentGraph } from '../order/order-graph';
import { findUnshippedContents, type ShipmentContent } from './shipments.repository';
import { replaceRates, type OfferedRate } from './shipping-rates.repository';
import type { LockedOrderGraph } from '../order/order-lock';

/**
 * Recalculates the shipping rates of shipments whose contents changed. The selected method stays selected if it is
 * still offered; `method_id` is selected for new shipments. Shipped and deleted shipments are skipped. The shipments
 * of a complete order keep the rates and the cost they were sold at: only those made since get rates, at their fixed
 * cost. Pass `order` as it was before the contents changed, and call `updateOrder` afterwards. A constant number of
 * statements.
 */
export async function refreshRates(
  tx: Tx,
  order: LockedOrderGraph,
  shipmentIds: Iterable<number>,
  method_id = findSoldMethod(order),
): Promise<void> {
  const sold = new Set(order.completed_at === null ? [] : order.shipments.map(({ id }) => id));
  const ids = [...new Set(shipmentIds)].filter((id) => !sold.has(id));
  if (ids.length === 0 || order.ship_address === null) return;
  const contents = groupBy(await findUnshippedContents(tx, ids), (content) => content.shipment_id);
  if (contents.size === 0) return;
  const variantIds = [...contents.values()].flat().map((content) => content.variant_id);
  const variants = await findOrderedVariants(tx, [...new Set(variantIds)], order.currency);
  const list = await loadPriceList(tx, order, variants);
  const rates = [...contents].flatMap(([id, own]) => {
    const known = order.shipments.find((shipment) => shipment.id === id);
    const chosen = known === undefined ? method_id : findSelectedMethod(known);
    return buildShipmentRates(order, { id, contents: own, method_id: chosen }, list);
  });
  await replaceRates(tx, order, [...contents.keys()], rates);
}

/** Finds the method of a complete order that new shipments keep. Null for an incomplete order. */
function findSoldMethod(order: OrderGraph): number | null {
  if (order.completed_at === null) return null;
  return order.shipments.map(findSelectedMethod).find((id) => id !== null) ?? null;
}

/** Returns the id of the selected method of a shipment; null if there is none. */
export function findSelectedMethod({ rates }: Pick<ShipmentGraph, 'rates'>): number | null {
  return rates.find((rate) => rate.selected)?.shipping_method_id ?? null;
}

function buildShipmentRates(
  order: OrderGraph,
  shipment: { id: number; contents: readonly ShipmentContent[]; method_id: number | null },
  list: PriceList,
): OfferedRate[] {
  const categories = shipment.contents.flatMap(
    ({ variant_id }) => list.variants.get(variant_id)?.shipping_category_id ?? [],
  );
  const box = { contents: shipment.contents, shipping_category_ids: [...new Set(categories)] };
  const offers = buildRates(order, box, { ...list, chosen_method_id: shipment.method_id });
  return offers.map((offer) => ({ ...offer, shipment_id: shipment.id }));
}
