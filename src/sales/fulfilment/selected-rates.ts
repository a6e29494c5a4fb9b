import { isAdmin, type Actor } from '../../access/actor';
import { InvalidResource } from '../../platform/errors';
import type { Tx } from '../../platform/database/transaction';
import { requireUnshipped } from './shipment-units';
import { buildNestedWrites, type NestedWrite } from '../order/nested-write';
import { parseTimes, type ShipmentGraph, type ShippingRateRow } from '../order/order-graph';
import type { LockedOrderGraph } from '../order/order-lock';

// The count forces the deselection to run first: the unique index on selected rates is checked row by row.
const SELECT_RATES = `deselected AS (
       UPDATE shipping_rates SET selected = false WHERE shipment_id = ANY(?) AND selected RETURNING id),
     chosen AS (
       UPDATE shipping_rates SET selected = true
        WHERE shipment_id = ANY(?) AND id = ANY(?) AND (SELECT count(*) FROM deselected) >= 0
       RETURNING shipment_id, cost),
     charged AS (
       UPDATE shipments SET cost = CASE WHEN ? THEN coalesce(fixed_cost, chosen.cost) ELSE chosen.cost END,
              fixed_cost = CASE WHEN ? THEN fixed_cost END
         FROM chosen WHERE shipments.id = chosen.shipment_id
       RETURNING shipments.id, shipments.cost::text, fixed_cost::text, updated_at)`;

const CHARGED = `(SELECT coalesce(json_agg(charged), '[]') FROM charged)`;

/** A shipment and the rate to select for it, as clients send them. */
export interface RateChoice {
  id?: number | null | undefined;
  selected_shipping_rate_id?: number | null | undefined;
}

/** A selection that is not stored yet: the shipments of the order as they will be, and the write; null if nothing changes. */
export interface RateSelection {
  shipments: ShipmentGraph[];
  write: NestedWrite<LockedOrderGraph> | null;
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
): RateSelection {
  const chosen = new Map(
    choices.flatMap((choice) => {
      const rate = findChosenRate(order, choice);
      return rate === null ? [] : [[rate.shipment_id, rate] as const];
    }),
  );
  if (chosen.size === 0) return { shipments: order.shipments, write: null };
  const keepsFixedCost = !isAdmin(actor);
  const shipments = order.shipments.map((shipment) => {
    const rate = chosen.get(shipment.id);
    if (rate === undefined) return shipment;
    const fixed_cost = keepsFixedCost ? shipment.fixed_cost : null;
    const rates = shipment.rates.map((one) => ({ ...one, selected: one.id === rate.id }));
    return { ...shipment, cost: fixed_cost ?? rate.cost, fixed_cost, rates };
  });
  const ids = [...chosen.keys()];
  const rateIds = [...chosen.values()].map(({ id }) => id);
  const bindings = [ids, ids, rateIds, keepsFixedCost, keepsFixedCost];
  return { shipments, write: { parts: SELECT_RATES, bindings, returned: CHARGED, apply: addCharged } };
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

function addCharged(order: LockedOrderGraph, returned: unknown): LockedOrderGraph {
  const charged = parseTimes(returned as Charged[]); // the records of `CHARGED`
  const stored = new Map(charged.map((row) => [row.id, row]));
  return {
    ...order,
    shipments: order.shipments.map((shipment) => ({ ...shipment, ...stored.get(shipment.id) })),
  };
}

type Charged = Pick<ShipmentGraph, 'id' | 'cost' | 'fixed_cost' | 'updated_at'>;

/** Selects shipping rates and updates the cost of their shipments, as `chooseRates` decides. One statement, or none. */
export async function selectShippingRates(
  tx: Tx,
  order: LockedOrderGraph,
  choices: readonly RateChoice[],
  actor: Actor,
): Promise<void> {
  const { write } = chooseRates(order, choices, actor);
  if (write !== null) await buildNestedWrites(tx, [write]);
}
