import type { Ctx } from '../context';
import { TransferFailed } from '../../errors/errors';
import { InvalidResource, requireFound } from '../../platform/errors';
import { lockStockLocationForUse } from '../../inventory/stock-locations/stock-locations.repository';
import { withFacts } from '../../platform/database/facts';
import type { Tx } from '../../platform/database/transaction';
import { sumQuantities } from '../../platform/quantities';
import type { ShipmentGraph } from '../order/order-graph';
import { createDraft, storeParts, type OrderDraft } from '../order-updater/order-draft';
import { saveRecalculated } from '../order-updater/order-updater';
import { withTransactionAfterPayments } from '../payment-processing/retry-after-payments';
import { FULFILMENT_FACTS } from '../fulfilment/fulfilment-facts';
import { addShipment, buildEmptyShipment } from '../fulfilment/new-shipment';
import { findSelectedMethod, refreshRates } from '../fulfilment/refresh-rates';
import { isTaxedAlike, moveCost, removeEmptyShipments } from '../fulfilment/moved-freight';
import { moveUnits } from '../fulfilment/move-units';
import { performOnShipment } from '../fulfilment/perform-on-shipment';
import { lockShipment, type LockedShipment } from '../fulfilment/shipment-lock';
import {
  isUnshipped,
  listRestock,
  countUnshippedUnits,
  getShipmentByNumber,
} from '../fulfilment/shipment-units';
import { buildCause, getPlacedShipment } from './shipments.service';
import type { TransferToLocationInput, TransferToShipmentInput } from './shipments.schema';
import { findShipmentKey } from '../fulfilment/shipments.repository';
import { notifyOrders } from '../../inventory/backorders';

type Transfer = Pick<TransferToLocationInput, 'original_shipment_number' | 'variant_id' | 'quantity'>;

/**
 * Moves units of a shipment into a new shipment at the given location.
 * @throws NotFound if the shipment or location does not exist; TransferFailed if the shipment lacks the units, or the
 *   location the stock
 */
export async function transferToLocation(ctx: Ctx, input: TransferToLocationInput): Promise<void> {
  await transfer(ctx, input, async (tx, { order }) => {
    const location = requireFound(await lockStockLocationForUse(tx, input.stock_location_id));
    return buildEmptyShipment(order, location);
  });
}

/**
 * Moves units of a shipment into another shipment of the same order.
 * @throws NotFound if a shipment does not exist; TransferFailed as `transferToLocation`, and if the target is the
 *   shipment itself, belongs to another order, or is not pending or ready
 */
export async function transferToShipment(ctx: Ctx, input: TransferToShipmentInput): Promise<void> {
  await transfer(ctx, input, async (tx, { order, shipment }) => {
    const key = requireFound(await findShipmentKey(tx, input.target_shipment_number));
    const target = order.shipments.find(({ id }) => id === key.id);
    if (target === undefined || target.id === shipment.id || !isUnshipped(target)) {
      throw new TransferFailed();
    }
    return target;
  });
}

/**
 * Moves units into the shipment that `findTarget` returns, which may be new, and updates rates and totals. The line items stay. On a
 * complete order the total stays too: a new shipment costs 0, and the cost of an emptied one moves with its last units, or stays with
 * it if it is taxed otherwise.
 */
async function transfer(
  ctx: Ctx,
  { original_shipment_number, variant_id, quantity }: Transfer,
  findTarget: (tx: Tx, from: LockedShipment) => Promise<ShipmentGraph>,
): Promise<void> {
  const demand = { variant_id, quantity: quantity ?? 1 };
  await withTransactionAfterPayments(ctx, async (tx) => {
    const from = await lockShipment(tx, original_shipment_number, (one) => listRestock(one, demand));
    const { order, shipment } = from;
    const target = await findTarget(tx, from);
    const hasUnits = isUnshipped(shipment) && countUnshippedUnits(shipment, variant_id) >= demand.quantity;
    if (!hasUnits) throw new TransferFailed();
    const isEmptied = sumQuantities(shipment.units) === demand.quantity;
    const drafted = target.id < 0 ? addShipment(createDraft(order), target) : createDraft(order);
    const isMoved = isEmptied && order.completed_at !== null;
    const isJoined = isMoved && isTaxedAlike(order, shipment, target);
    const charged = isJoined ? moveCost(drafted.order, { from: shipment, to: target }) : drafted.order;
    const stored = await storeParts(tx, { ...drafted, order: charged });
    const to = getShipmentByNumber(stored.order, target.number);
    const moved = await convertToTransferFailed(() =>
      moveUnits(tx, stored, { from: shipment, to, demand }, notifyOrders(ctx, tx)),
    );
    const kept = isMoved && !isJoined ? keepFreight(ctx, moved, shipment.id) : moved;
    const left = { ...kept, order: removeEmptyShipments(kept.order) };
    const rated = await withFacts(tx, FULFILMENT_FACTS, (facts) =>
      refreshRates(facts, left, [shipment.id, to.id], findSelectedMethod(shipment)),
    );
    await saveRecalculated(tx, rated, buildCause(ctx, 'transfer'));
  });
}

/** Cancels a shipment that has no units left, and keeps its cost: the freight into which it would go is taxed otherwise. */
function keepFreight(ctx: Ctx, draft: OrderDraft, id: number): OrderDraft {
  const { shipment } = getPlacedShipment(draft.order, id);
  const subject = { draft, shipment, at: ctx.now(), cause: buildCause(ctx, 'transfer') };
  return performOnShipment('merge', subject).draft;
}

/** Converts the InvalidResource of missing stock to TransferFailed. */
async function convertToTransferFailed<T>(move: () => Promise<T>): Promise<T> {
  try {
    return await move();
  } catch (error) {
    throw error instanceof InvalidResource ? new TransferFailed() : error;
  }
}
