import { isAdmin, type Actor } from '../../access/actor';
import { InvalidResource } from '../../platform/errors';
import { requireUnshipped } from './shipment-units';
import type { ShipmentGraph, ShippingRateRow } from '../order/order-graph';
import type { LockedOrderGraph } from '../order/order-lock';

/** A shipment and the rate to select for it, as clients send them. */
export interface RateChoice {
  id?: number | null | undefined;
  selected_shipping_rate_id?: number | null | undefined;
}

/**
 * Decides which rates a request selects. A fixed cost stays when a shopper selects a rate, and is replaced when an admin
 * does. Choices without a rate are ignored. Recalculate the order afterwards.
 * @throws InvalidResource if a shipment belongs to another order or has shipped, or a rate to another shipment
 */
export function chooseRates(
  order: LockedOrderGraph,
  choices: readonly RateChoice[],
  actor: Actor,
): ShipmentGraph[] {
  const chosen = new Map(
    choices.flatMap((choice) => {
      const rate = findChosenRate(order, choice);
      return rate === null ? [] : [[rate.shipment_id, rate] as const];
    }),
  );
  if (chosen.size === 0) return order.shipments;
  const keepsFixedCost = !isAdmin(actor);
  return order.shipments.map((shipment) => {
    const rate = chosen.get(shipment.id);
    if (rate === undefined) return shipment;
    const fixed_cost = keepsFixedCost ? shipment.fixed_cost : null;
    const rates = shipment.rates.map((one) =>
      one.selected === (one.id === rate.id) ? one : { ...one, selected: !one.selected },
    );
    return { ...shipment, cost: fixed_cost ?? rate.cost, fixed_cost, rates };
  });
}

/** Returns the rate to select for a shipment; null if there is none or it is selected. @throws InvalidResource */
function findChosenRate(order: LockedOrderGraph, choice: RateChoice): ShippingRateRow | null {
  if (choice.selected_shipping_rate_id == null) return null;
  const shipment = order.shipments.find(({ id }) => id === choice.id);
  if (shipment === undefined) throw new InvalidResource({ 'shipments.id': ['is invalid'] });
  const rate = shipment.rates.find(({ id }) => id === choice.selected_shipping_rate_id);
  if (rate === undefined) {
    throw new InvalidResource({ 'shipments.selected_shipping_rate_id': ['is invalid'] });
  }
  requireUnshipped(shipment);
  return rate.selected ? null : rate;
}
