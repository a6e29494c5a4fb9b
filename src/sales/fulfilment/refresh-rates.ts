import type { Tx } from '../../platform/database/transaction';
import { groupBy } from '../../platform/group-by';
import { findOrderedVariants } from './ordered-variants.repository';
import { loadPriceList, buildRates, type PriceList } from './proposal';
import type { OrderGraph } from '../order/order-graph';
import { findUnshippedContents, type ShipmentContent } from './shipments.repository';
import { replaceRates, type OfferedRate } from './shipping-rates.repository';
import type { LockedOrderGraph } from '../order/order-lock';

/**
 * Recalculates the shipping rates of shipments whose contents changed. The selected method stays selected if it is
 * still offered. Shipped and deleted shipments are skipped. Pass `order` as it was before the contents
 * changed, and call `updateOrder` afterwards. A constant number of statements.
 */
export async function refreshRates(
  tx: Tx,
  order: LockedOrderGraph,
  shipmentIds: Iterable<number>,
): Promise<void> {
  const ids = [...new Set(shipmentIds)];
  if (ids.length === 0 || order.ship_address === null) return;
  const contents = groupBy(await findUnshippedContents(tx, ids), (content) => content.shipment_id);
  if (contents.size === 0) return;
  const variantIds = [...contents.values()].flat().map((content) => content.variant_id);
  const variants = await findOrderedVariants(tx, [...new Set(variantIds)], order.currency);
  const list = await loadPriceList(tx, order, variants);
  const rates = [...contents].flatMap(([id, own]) => buildShipmentRates(order, { id, contents: own }, list));
  await replaceRates(tx, order, [...contents.keys()], rates);
}

function buildShipmentRates(
  order: OrderGraph,
  shipment: { id: number; contents: readonly ShipmentContent[] },
  list: PriceList,
): OfferedRate[] {
  const known = order.shipments.find(({ id }) => id === shipment.id);
  const chosen = known?.rates.find((rate) => rate.selected);
  const categories = shipment.contents.flatMap(
    ({ variant_id }) => list.variants.get(variant_id)?.shipping_category_id ?? [],
  );
  const box = { contents: shipment.contents, shipping_category_ids: [...new Set(categories)] };
  const offers = buildRates(order, box, { ...list, chosen_method_id: chosen?.shipping_method_id ?? null });
  return offers.map((offer) => ({ ...offer, shipment_id: shipment.id }));
}
