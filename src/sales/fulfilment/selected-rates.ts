import { InvalidResource } from '../../platform/errors';
import type { Tx } from '../../platform/database/transaction';
import { refuseShipped } from './shipment-units';
import type { LockedOrderGraph } from '../order/order-lock';

/** A choice as clients send it: a shipment, and one of its rates. */
export interface RateChoice {
  id?: number | null | undefined;
  selected_shipping_rate_id?: number | null | undefined;
}

/**
 * Makes rates the selected ones of their shipments; cost follows at once, the totals with the caller's `updateOrder`.
 * A choice without a rate is none. One statement for any number of choices.
 * @throws InvalidResource when a shipment is not of this order or has shipped, or a rate not of that shipment
 */
export async function selectShippingRates(
  tx: Tx,
  order: LockedOrderGraph,
  choices: readonly RateChoice[],
): Promise<void> {
  const chosen = choices.flatMap((choice) => {
    if (choice.selected_shipping_rate_id == null) return [];
    const shipment = order.shipments.find(({ id }) => id === choice.id);
    if (shipment === undefined) throw new InvalidResource({ 'shipments.id': ['is invalid'] });
    const rate = shipment.rates.find(({ id }) => id === choice.selected_shipping_rate_id);
    if (rate === undefined) {
      throw new InvalidResource({ 'shipments.selected_shipping_rate_id': ['is invalid'] });
    }
    refuseShipped(shipment);
    return rate.selected ? [] : [rate];
  });
  if (chosen.length === 0) return;
  const ids = chosen.map((rate) => rate.id);
  const shipmentIds = chosen.map((rate) => rate.shipment_id);
  // The count makes the old choices go first: the index that allows one per shipment is checked row by row.
  await tx.raw(
    `WITH dropped AS (
       UPDATE shipping_rates SET selected = false WHERE shipment_id = ANY(?) AND selected RETURNING id),
     chosen AS (
       UPDATE shipping_rates SET selected = true
        WHERE id = ANY(?) AND (SELECT count(*) FROM dropped) >= 0
       RETURNING shipment_id, cost)
     UPDATE shipments SET cost = chosen.cost FROM chosen WHERE shipments.id = chosen.shipment_id`,
    [shipmentIds, ids],
  );
}
