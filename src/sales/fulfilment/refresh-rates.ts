import { compareDecimals } from '../../platform/money';
import { newId } from '../order/new-id';
import type { OrderGraph, ShipmentGraph, ShippingRateRow } from '../order/order-graph';
import type { OrderDraft } from '../order-updater/order-draft';
import type { FulfilmentFacts } from './fulfilment-facts';
import { buildPriceList, buildRates, type PriceList } from './proposal';
import { isUnshipped } from './shipment-units';
import { getOrderedVariants } from './variants-of-order';

/**
 * Recalculates the shipping rates of shipments whose contents changed. The selected method stays selected if it is
 * still offered; `method_id` is selected for new shipments. Shipped and empty shipments are skipped. The shipments
 * of a complete order keep the rates and the cost they were sold at: only those made since get rates, at their fixed
 * cost.
 * @returns the draft with the rates and the costs
 */
export function refreshRates<Draft extends OrderDraft>(
  facts: FulfilmentFacts,
  draft: Draft,
  shipmentIds: Iterable<number>,
  method_id = findSoldMethod(draft.locked),
): Draft {
  const { order, locked } = draft;
  const ids = new Set(shipmentIds);
  const known = new Map(locked.shipments.map((shipment) => [shipment.id, shipment]));
  const isRefreshed = (shipment: ShipmentGraph): boolean =>
    ids.has(shipment.id) &&
    (order.completed_at === null || !known.has(shipment.id)) &&
    isUnshipped(shipment) &&
    shipment.units.length > 0;
  if (order.ship_address === null || !order.shipments.some(isRefreshed)) return draft;
  const list = listPrices(facts, order, order.shipments.filter(isRefreshed));
  const shipments = order.shipments.map((shipment) => {
    if (!isRefreshed(shipment)) return shipment;
    const before = known.get(shipment.id);
    const chosen = before === undefined ? method_id : findSelectedMethod(before);
    const rates = buildOffers(order, { shipment, contents: shipment.units, chosen }, list);
    const selected = rates.find((rate) => rate.selected);
    return { ...shipment, rates, cost: shipment.fixed_cost ?? selected?.cost ?? '0' };
  });
  return { ...draft, order: { ...order, shipments } };
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

/**
 * Offers the shipping methods of a new destination for the unshipped shipments of a complete order. Their cost stays. The
 * selected method stays selected if it is offered there, else the cheapest is; if none is offered, the rates stay. Pass
 * `order` with its new address.
 */
export function offerRates(facts: FulfilmentFacts, order: OrderGraph): ShipmentGraph[] {
  const offered = order.shipments.filter((shipment) => isUnshipped(shipment) && shipment.units.length > 0);
  if (offered.length === 0) return order.shipments;
  const list = listPrices(facts, order, offered);
  return order.shipments.map((shipment) => {
    if (!offered.includes(shipment)) return shipment;
    const contents = shipment.units.filter(({ state }) => state === 'on_hand' || state === 'backordered');
    const rates = buildOffers(order, { shipment, contents, chosen: findSelectedMethod(shipment) }, list);
    return rates.length === 0
      ? shipment
      : { ...shipment, rates, fixed_cost: shipment.fixed_cost ?? shipment.cost };
  });
}

function listPrices(
  facts: FulfilmentFacts,
  order: OrderGraph,
  shipments: readonly ShipmentGraph[],
): PriceList {
  const variantIds = shipments.flatMap(({ units }) => units.map(({ variant_id }) => variant_id));
  const variants = getOrderedVariants(facts, order, [...new Set(variantIds)]);
  return buildPriceList(facts, order, variants);
}

interface Offer {
  shipment: ShipmentGraph;
  contents: readonly { variant_id: number; quantity: number }[];
  /** The method that stays selected if it is offered. */
  chosen: number | null;
}

/** Builds the rates of a shipment, sorted by cost as they are read. A method that was offered before keeps the id of its rate. */
function buildOffers(
  order: OrderGraph,
  { shipment, contents, chosen }: Offer,
  list: PriceList,
): ShippingRateRow[] {
  const categories = contents.flatMap(
    ({ variant_id }) => list.variants.get(variant_id)?.shipping_category_id ?? [],
  );
  const box = { contents, shipping_category_ids: [...new Set(categories)] };
  const known = new Map(shipment.rates.map((rate) => [rate.shipping_method_id, rate]));
  const place = ({ id }: ShippingRateRow): number => (id > 0 ? id : Infinity);
  return buildRates(order, box, { ...list, chosen_method_id: chosen })
    .map((offer) => ({
      shipping_method_name: '',
      shipping_method_code: null,
      method_is_deleted: false,
      ...offer,
      id: known.get(offer.shipping_method_id)?.id ?? newId(),
      shipment_id: shipment.id,
    }))
    .sort((one, other) => compareDecimals(one.cost, other.cost) || Math.sign(place(one) - place(other)) || 0);
}
