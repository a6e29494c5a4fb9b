import { InvalidResource } from '../../platform/errors';
import { lockStockLocationForUse } from '../../inventory/stock-locations/stock-locations.repository';
import type { Tx } from '../../platform/database/transaction';
import { withUnprefixedErrors } from '../../platform/nested-errors';
import { rejectCanceled } from '../order-input/order-contents';
import { selectShippingRates } from '../fulfilment/selected-rates';
import { listRestock, moveUnits, refuseShipped } from '../fulfilment/shipment-units';
import type { EstimateRestock, LockedShipment } from '../fulfilment/shipment-lock';
import type { ShipmentAttributes } from './shipments.schema';
import { renameShipment, updateShipment } from '../fulfilment/shipments.repository';
import type { OnBackordersFilled } from '../../inventory/backorders';

/** What changing these attributes will give back to the shelves: all of it, when the shipment is to leave from elsewhere. */
export function buildRestockEstimate(attributes: ShipmentAttributes): EstimateRestock | undefined {
  const { stock_location_id: to } = attributes;
  if (to === undefined) return undefined;
  return (shipment) => (shipment.stock_location_id === to ? [] : listRestock(shipment));
}

/**
 * Stores what a request says of a shipment: tracking, number, where it leaves from, its chosen rate (behaviour 10.2).
 * `locked` was locked with `leavingBy`; `updateOrder` must come after it.
 * @throws InvalidResource; nothing may be kept then
 */
export async function applyShipmentAttributes(
  tx: Tx,
  locked: LockedShipment,
  attributes: ShipmentAttributes,
  onBackordersFilled: OnBackordersFilled,
): Promise<void> {
  const { shipment } = locked;
  const { number, tracking, selected_shipping_rate_id } = attributes;
  if (tracking !== undefined) await updateShipment(tx, shipment.id, { tracking });
  if (number !== undefined && number !== shipment.number && !(await renameShipment(tx, shipment, number))) {
    throw new InvalidResource({ number: ['has already been taken'] });
  }
  await relocate(tx, locked, attributes.stock_location_id, onBackordersFilled);
  const choice = { id: shipment.id, selected_shipping_rate_id };
  await withUnprefixedErrors('shipments', () => selectShippingRates(tx, locked.order, [choice]));
}

/** Everything in the shipment is taken from the other location's shelves instead. */
async function relocate(
  tx: Tx,
  { order, shipment }: LockedShipment,
  to: number | undefined,
  onBackordersFilled: OnBackordersFilled,
): Promise<void> {
  if (to === undefined || to === shipment.stock_location_id) return;
  refuseShipped(shipment);
  rejectCanceled(order);
  if ((await lockStockLocationForUse(tx, to)) === undefined) {
    throw new InvalidResource({ stock_location_id: ['is invalid'] });
  }
  // First: what is then given back where it came from must not fill what waits at the new place.
  await updateShipment(tx, shipment.id, { stock_location_id: to });
  const move = { from: shipment, to: { id: shipment.id, stock_location_id: to } };
  await moveUnits(tx, order, move, onBackordersFilled);
}
