import { audienceOf, type Audience } from '../../catalog/audience';
import { loadVariantGraphs, type VariantGraph } from '../../catalog/variant-graph';
import type { Ctx } from '../context';
import { loadOrderViews, type OrderView } from '../order-replies/order-view';
import type { OwnShipment, PlacedShipment } from './shipments.service';
import { findShippingMethods, type ShippingMethodGraph } from '../fulfilment/shipping-method-graph';

/** The records that the reply of a shipment endpoint is serialized from. */
export interface ShipmentView extends PlacedShipment {
  /** The variants of its units, including deleted ones, by id. */
  variants: ReadonlyMap<number, VariantGraph>;
  shipping_methods: ReadonlyMap<number, ShippingMethodGraph>;
  audience: Audience;
}

/** Loads the records for the reply of a shipment endpoint, with a constant number of statements. */
export async function loadShipmentView(ctx: Ctx, placed: PlacedShipment): Promise<ShipmentView> {
  const [view] = await loadShipmentViews(ctx, [placed]);
  if (view === undefined) throw new Error('no view of the shipment');
  return view;
}

/** Loads the records for the replies of many shipments, with a constant number of statements. */
export async function loadShipmentViews(
  ctx: Ctx,
  shipments: readonly PlacedShipment[],
): Promise<ShipmentView[]> {
  const units = shipments.flatMap(({ shipment }) => shipment.units);
  const rates = shipments.flatMap(({ shipment }) => shipment.rates);
  const variants = await loadVariantGraphs(ctx.db, [...new Set(units.map((unit) => unit.variant_id))]);
  const methods = await findShippingMethods(ctx.db, [
    ...new Set(rates.map((rate) => rate.shipping_method_id)),
  ]);
  const variantById = new Map(variants.map((graph) => [graph.variant.id, graph]));
  const audience = audienceOf(ctx.actor);
  return shipments.map((placed) => ({
    ...placed,
    variants: variantById,
    shipping_methods: methods,
    audience,
  }));
}

/** A shipment in its customer's list, with the view of its order. */
export interface OwnShipmentView extends OwnShipment {
  view: OrderView;
}

/** Loads the records for the customer's list, with a constant number of statements. */
export async function loadOwnShipmentViews(
  ctx: Ctx,
  shipments: readonly OwnShipment[],
): Promise<OwnShipmentView[]> {
  const orders = new Map(shipments.map(({ order }) => [order.id, order]));
  const views = await loadOrderViews(ctx, [...orders.values()]);
  const viewOf = new Map(views.map((view) => [view.order.id, view]));
  return shipments.flatMap((shipment) => {
    const view = viewOf.get(shipment.order.id);
    return view === undefined ? [] : [{ ...shipment, view }];
  });
}
