import type { Tx } from '../../platform/database/transaction';
import { newId } from '../order/new-id';
import type { OrderGraph, ShipmentGraph, ShippingRateRow } from '../order/order-graph';
import { findOrderedVariants } from './ordered-variants.repository';
import { buildRates, loadPriceList, type PriceList } from './proposal';
import { findSelectedMethod } from './refresh-rates';
import { isUnshipped } from './shipment-units';

/**
 * Offers the shipping methods of a new destination for the unshipped shipments of a complete order. Their cost stays. The
 * selected method stays selected if it is offered there, else the cheapest is; if none is offered, the rates stay. Pass
 * `order` with its new address. At most two statements.
 */
export async function offerRates(tx: Tx, order: OrderGraph): Promise<ShipmentGraph[]> {
  const offered = order.shipments.filter((shipment) => isUnshipped(shipment) && shipment.units.length > 0);
  if (offered.length === 0) return order.shipments;
  const variantIds = offered.flatMap(({ units }) => units.map(({ variant_id }) => variant_id));
  const variants = await findOrderedVariants(tx, [...new Set(variantIds)], order.currency);
  const list = await loadPriceList(tx, order, variants);
  return order.shipments.map((shipment) =>
    offered.includes(shipment) ? offerAnew(order, shipment, list) : shipment,
  );
}

function offerAnew(order: OrderGraph, shipment: ShipmentGraph, list: PriceList): ShipmentGraph {
  const rates = buildOffers(order, shipment, list);
  return rates.length === 0
    ? shipment
    : { ...shipment, rates, fixed_cost: shipment.fixed_cost ?? shipment.cost };
}

function buildOffers(order: OrderGraph, shipment: ShipmentGraph, list: PriceList): ShippingRateRow[] {
  const contents = shipment.units.filter(({ state }) => state === 'on_hand' || state === 'backordered');
  const categories = contents.flatMap(
    ({ variant_id }) => list.variants.get(variant_id)?.shipping_category_id ?? [],
  );
  const offers = buildRates(
    order,
    { contents, shipping_category_ids: [...new Set(categories)] },
    { ...list, chosen_method_id: findSelectedMethod(shipment) },
  );
  const known = new Map(shipment.rates.map((rate) => [rate.shipping_method_id, rate]));
  return offers.map((offer) => ({
    shipping_method_name: '',
    shipping_method_code: null,
    method_is_deleted: false,
    ...offer,
    id: known.get(offer.shipping_method_id)?.id ?? newId(),
    shipment_id: shipment.id,
  }));
}
