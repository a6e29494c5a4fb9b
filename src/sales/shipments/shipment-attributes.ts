import { isBlank } from '../../platform/blank';
import { InvalidResource } from '../../platform/errors';
import { lockStockLocationForUse } from '../../inventory/stock-locations/stock-locations.repository';
import type { Actor } from '../../access/actor';
import type { Tx } from '../../platform/database/transaction';
import { compareDecimals, roundMoney } from '../../platform/money';
import { withUnprefixedErrors } from '../../platform/nested-errors';
import { isReachableNumber } from '../order/numbers';
import { rejectCanceled } from '../order/sold-order-policy';
import { forgetReleasedFreights } from '../fulfilment/released-freights.repository';
import { writeSelectedRates } from '../fulfilment/selected-rates';
import { isUnshipped, listRestock, moveUnits, requireUnshipped } from '../fulfilment/shipment-units';
import type { EstimateRestock, LockedShipment } from '../fulfilment/shipment-lock';
import type { ShipmentAttributes } from './shipments.schema';
import { renameShipment, updateShipment, type ShipmentPatch } from '../fulfilment/shipments.repository';
import type { OnBackordersFilled } from '../../inventory/backorders';

/** Returns the estimate of what changing these attributes restocks: all units, if the location changes. */
export function buildRestockEstimate(attributes: ShipmentAttributes): EstimateRestock | undefined {
  const { stock_location_id: to } = attributes;
  if (to === undefined) return undefined;
  return (shipment) => (shipment.stock_location_id === to ? [] : listRestock(shipment));
}

/**
 * Applies the attributes of an admin's request to a shipment: tracking, number, stock location, selected rate and cost.
 * `locked` must be locked with `buildRestockEstimate`. Call `updateOrder` afterwards.
 * @throws InvalidResource; the transaction must then be rolled back
 */
export async function applyShipmentAttributes(
  tx: Tx,
  locked: LockedShipment,
  attributes: ShipmentAttributes,
  { actor, onBackordersFilled }: { actor: Actor; onBackordersFilled: OnBackordersFilled },
): Promise<void> {
  const { order, shipment } = locked;
  const { number, selected_shipping_rate_id } = attributes;
  await updateShipment(tx, order, shipment.id, pickTracking(attributes));
  if (number !== undefined && number !== shipment.number) await rename(tx, locked, number);
  await relocate(tx, locked, attributes.stock_location_id, onBackordersFilled);
  const choice = { id: shipment.id, selected_shipping_rate_id };
  await withUnprefixedErrors('shipments', () => writeSelectedRates(tx, order, [choice], actor));
  await fixCost(tx, locked, attributes.cost);
}

/** Returns the columns of the tracking that a request names. */
export function pickTracking({
  tracking,
  tracking_url,
}: Partial<Pick<ShipmentAttributes, 'tracking' | 'tracking_url'>>): ShipmentPatch {
  return {
    ...(tracking !== undefined && { tracking }),
    ...(tracking_url !== undefined && { tracking_url: isBlank(tracking_url) ? null : tracking_url }),
  };
}

/** Sets the number. Numbers that no path could reach are refused. */
async function rename(tx: Tx, { order, shipment }: LockedShipment, number: string): Promise<void> {
  if (!isReachableNumber(number)) throw new InvalidResource({ number: ['is invalid'] });
  if (await renameShipment(tx, order, shipment, number)) return;
  throw new InvalidResource({ number: ['has already been taken'] });
}

/** Sets the cost that an admin agreed on. Rates do not change it afterwards, not even if it is the same. */
async function fixCost(
  tx: Tx,
  { order, shipment }: LockedShipment,
  wanted: string | undefined,
): Promise<void> {
  if (wanted === undefined) return;
  const cost = roundMoney(wanted, order.currency);
  const isSame = compareDecimals(cost, shipment.cost) === 0;
  if (isSame && !isUnshipped(shipment)) return;
  requireUnshipped(shipment);
  await updateShipment(tx, order, shipment.id, { cost, fixed_cost: cost });
  await forgetReleasedFreights(tx, order);
}

/** Moves the shipment to another stock location: its units are restocked here and unstocked there. */
async function relocate(
  tx: Tx,
  { order, shipment }: LockedShipment,
  to: number | undefined,
  onBackordersFilled: OnBackordersFilled,
): Promise<void> {
  if (to === undefined || to === shipment.stock_location_id) return;
  rejectCanceled(order);
  requireUnshipped(shipment);
  if (shipment.units.some(({ state }) => state === 'shipped' || state === 'returned')) {
    throw new InvalidResource({ stock_location_id: ['cannot be changed after units have shipped'] });
  }
  if ((await lockStockLocationForUse(tx, to)) === undefined) {
    throw new InvalidResource({ stock_location_id: ['is invalid'] });
  }
  // Written first: units restocked at the old location must not fill backorders of this shipment at the new one.
  await updateShipment(tx, order, shipment.id, { stock_location_id: to });
  const move = { from: shipment, to: { id: shipment.id, stock_location_id: to } };
  await moveUnits(tx, order, move, onBackordersFilled);
}
