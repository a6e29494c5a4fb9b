import { isAdmin, type Actor } from '../../access/actor';
import { InvalidResource } from '../../platform/errors';
import { queryPrepared } from '../../platform/database/prepared';
import type { Tx } from '../../platform/database/transaction';
import { requireUnshipped } from './shipment-units';
import type { ShipmentGraph } from '../order/order-graph';
import type { LockedOrderGraph } from '../order/order-lock';

// The count forces the deselection to run first: the unique index on selected rates is checked row by row.
const SELECT_RATES = {
  name: 'select_shipping_rates',
  sql: `WITH deselected AS (
       UPDATE shipping_rates SET selected = false WHERE shipment_id = ANY(?) AND selected RETURNING id),
     chosen AS (
       UPDATE shipping_rates SET selected = true
        WHERE shipment_id = ANY(?) AND id = ANY(?) AND (SELECT count(*) FROM deselected) >= 0
       RETURNING shipment_id, cost)
     UPDATE shipments SET cost = CASE WHEN ? THEN coalesce(fixed_cost, chosen.cost) ELSE chosen.cost END,
            fixed_cost = CASE WHEN ? THEN fixed_cost END
       FROM chosen WHERE shipments.id = chosen.shipment_id
     RETURNING shipments.id, shipments.cost, fixed_cost, updated_at`,
};

/** A shipment and the rate to select for it, as clients send them. */
export interface RateChoice {
  id?: number | null | undefined;
  selected_shipping_rate_id?: number | null | undefined;
}

/**
 * Selects shipping rates and updates the cost of their shipments. A fixed cost stays when a shopper selects a rate, and
 * is replaced when an admin does. Call `updateOrder` afterwards for the totals. Choices without a rate are ignored. One
 * statement for any number of choices.
 * @returns the shipments of the order, with the selected rates
 * @throws InvalidResource if a shipment belongs to another order or has shipped, or a rate to another shipment
 */
export async function selectShippingRates(
  tx: Tx,
  order: LockedOrderGraph,
  choices: readonly RateChoice[],
  actor: Actor,
): Promise<ShipmentGraph[]> {
  const chosen = choices.flatMap((choice) => {
    if (choice.selected_shipping_rate_id == null) return [];
    const shipment = order.shipments.find(({ id }) => id === choice.id);
    if (shipment === undefined) throw new InvalidResource({ 'shipments.id': ['is invalid'] });
    const rate = shipment.rates.find(({ id }) => id === choice.selected_shipping_rate_id);
    if (rate === undefined) {
      throw new InvalidResource({ 'shipments.selected_shipping_rate_id': ['is invalid'] });
    }
    requireUnshipped(shipment);
    return rate.selected ? [] : [rate];
  });
  if (chosen.length === 0) return order.shipments;
  const ids = chosen.map((rate) => rate.id);
  const shipmentIds = chosen.map((rate) => rate.shipment_id);
  const keepsFixedCost = !isAdmin(actor);
  const bindings = [shipmentIds, shipmentIds, ids, keepsFixedCost, keepsFixedCost];
  const rows = await queryPrepared<Stored>(tx, SELECT_RATES, bindings);
  const stored = new Map(rows.map((row) => [row.id, row]));
  return order.shipments.map((shipment) =>
    stored.has(shipment.id)
      ? {
          ...shipment,
          ...stored.get(shipment.id),
          rates: shipment.rates.map((rate) => ({ ...rate, selected: ids.includes(rate.id) })),
        }
      : shipment,
  );
}

type Stored = Pick<ShipmentGraph, 'id' | 'cost' | 'fixed_cost' | 'updated_at'>;
