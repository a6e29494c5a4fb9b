import { isBlank } from '../../platform/blank';
import { InvalidResource } from '../../platform/errors';
import { lockStockLocationForUse } from '../../inventory/stock-locations/stock-locations.repository';
import type { Actor } from '../../access/actor';
import type { Tx } from '../../platform/database/transaction';
import { compareDecimals, roundMoney } from '../../platform/money';
import { withUnprefixedErrors } from '../../platform/nested-errors';
import { isMerged } from '../order/merged-shipment';
import { isReachableNumber } from '../order/numbers';
import { rejectCanceled } from '../order/sold-order-policy';
import { forgetReleasedFreights } from '../fulfilment/released-freights.repository';
import { chooseRates } from '../fulfilment/selected-rates';
import { moveUnits } from '../fulfilment/move-units';
import { isUnshipped, listRestock, requireUnshipped } from '../fulfilment/shipment-units';
import type { EstimateRestock, LockedShipment } from '../fulfilment/shipment-lock';
import type { ShipmentGraph } from '../order/order-graph';
import { createDraft, type OrderDraft } from '../order-updater/order-draft';
import { patchShipment } from '../fulfilment/perform-on-shipment';
import type { ShipmentAttributes } from './shipments.schema';
import { reserveShipmentNumber } from '../fulfilment/shipments.repository';
import type { OnBackordersFilled } from '../../inventory/backorders';

/** Returns the estimate of what changing these attributes restocks: all units, if the location changes. */
export function buildRestockEstimate(attributes: ShipmentAttributes): EstimateRestock | undefined {
  const { stock_location_id: to } = attributes;
  if (to === undefined) return undefined;
  return (shipment) => (shipment.stock_location_id === to ? [] : listRestock(shipment));
}

/**
 * Applies the attributes of an admin's request to a shipment: tracking, number, stock location, selected rate and cost.
 * `locked` must be locked with `buildRestockEstimate`.
 * @returns the changed draft, to be recalculated and saved
 * @throws InvalidResource; the transaction must then be rolled back
 */
export async function applyShipmentAttributes(
  tx: Tx,
  locked: LockedShipment,
  attributes: ShipmentAttributes,
  { actor, onBackordersFilled }: { actor: Actor; onBackordersFilled: OnBackordersFilled },
): Promise<OrderDraft> {
  const { order, shipment } = locked;
  const { number = shipment.number, selected_shipping_rate_id } = attributes;
  if (number !== shipment.number) await reserveNumber(tx, shipment, number);
  const draft = await relocate(tx, locked, attributes.stock_location_id, onBackordersFilled);
  const choice = { id: shipment.id, selected_shipping_rate_id };
  const shipments = await withUnprefixedErrors('shipments', () =>
    Promise.resolve(chooseRates(draft.order, [choice], actor)),
  );
  const fixed = calculateFixedCost(locked, attributes.cost);
  if (shipments !== draft.order.shipments || fixed !== null) forgetReleasedFreights(tx, order);
  const cost = fixed !== null && { cost: fixed, fixed_cost: fixed };
  const chosen = { ...draft, order: { ...draft.order, shipments } };
  return patchShipment(chosen, shipment.id, { ...pickTracking(attributes), number, ...cost });
}

/** Returns the columns of the tracking that a request names. */
export function pickTracking({
  tracking,
  tracking_url,
}: Partial<Pick<ShipmentAttributes, 'tracking' | 'tracking_url'>>): Partial<ShipmentGraph> {
  return {
    ...(tracking !== undefined && { tracking }),
    ...(tracking_url !== undefined && { tracking_url: isBlank(tracking_url) ? null : tracking_url }),
  };
}

/** Reserves a number. Numbers that no path could reach are refused. */
async function reserveNumber(tx: Tx, shipment: ShipmentGraph, number: string): Promise<void> {
  if (!isReachableNumber(number)) throw new InvalidResource({ number: ['is invalid'] });
  if (await reserveShipmentNumber(tx, shipment, number)) return;
  throw new InvalidResource({ number: ['has already been taken'] });
}

/** Returns the cost that an admin agreed on; null for none. Rates do not change it afterwards, not even if it is the same. */
function calculateFixedCost({ order, shipment }: LockedShipment, wanted: string | undefined): string | null {
  if (wanted === undefined) return null;
  const cost = roundMoney(wanted, order.currency);
  const isSame = compareDecimals(cost, shipment.cost) === 0;
  if (isSame && !isUnshipped(shipment)) return null;
  if (!isMerged(order, shipment)) requireUnshipped(shipment);
  return cost;
}

/**
 * Moves the shipment to another stock location: its units are restocked here and unstocked there.
 * @returns the stored draft
 */
async function relocate(
  tx: Tx,
  { order, shipment }: LockedShipment,
  to: number | undefined,
  onBackordersFilled: OnBackordersFilled,
): Promise<OrderDraft> {
  const draft = createDraft(order);
  if (to === undefined || to === shipment.stock_location_id) return draft;
  rejectCanceled(order);
  requireUnshipped(shipment);
  if (shipment.units.some(({ state }) => state === 'shipped' || state === 'returned')) {
    throw new InvalidResource({ stock_location_id: ['cannot be changed after units have shipped'] });
  }
  const location = await lockStockLocationForUse(tx, to);
  if (location === undefined) throw new InvalidResource({ stock_location_id: ['is invalid'] });
  const place = { stock_location_id: to, stock_location_name: location.name };
  const move = { from: shipment, to: { id: shipment.id, stock_location_id: to } };
  return moveUnits(tx, patchShipment(draft, shipment.id, place), move, onBackordersFilled);
}
