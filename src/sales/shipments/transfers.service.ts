import type { Ctx } from '../context';
import { TransferFailed } from '../../errors/errors';
import { InvalidResource, NotFound } from '../../platform/errors';
import { lockStockLocationForUse } from '../../inventory/stock-locations/stock-locations.repository';
import type { Tx } from '../../platform/database/transaction';
import { updateOrder } from '../order-updater/order-updater';
import { withTransactionAfterPayments } from '../payment-processing/retry-after-payments';
import { deleteEmptyShipments, insertEmptyShipment } from '../fulfilment/proposed-shipments.repository';
import { refreshRates } from '../fulfilment/refresh-rates';
import { lockShipment, type LockedShipment } from '../fulfilment/shipment-lock';
import {
  isUnshipped,
  listRestock,
  moveUnits,
  countUnshippedUnits,
  type Destination,
} from '../fulfilment/shipment-units';
import { buildCause } from './shipments.service';
import type { TransferToLocationInput, TransferToShipmentInput } from './shipments.schema';
import { findShipmentKey } from '../fulfilment/shipments.repository';
import { notifyOrders } from '../../inventory/backorders';

type Transfer = Pick<TransferToLocationInput, 'original_shipment_number' | 'variant_id' | 'quantity'>;

/**
 * Moves goods of a shipment into a new one that leaves from the named location.
 * @throws NotFound for a shipment or location that is not there; TransferFailed when the goods are not, at either end
 */
export async function transferToLocation(ctx: Ctx, input: TransferToLocationInput): Promise<void> {
  await transfer(ctx, input, async (tx, { order }) => {
    const location = await lockStockLocationForUse(tx, input.stock_location_id);
    if (location === undefined) throw new NotFound();
    return { id: await insertEmptyShipment(tx, order, location.id), stock_location_id: location.id };
  });
}

/**
 * Moves goods of a shipment into another one of the same order.
 * @throws NotFound for a shipment that is not there; TransferFailed as `transferToLocation`, and when the target is
 *   the shipment itself, another order's, or has left
 */
export async function transferToShipment(ctx: Ctx, input: TransferToShipmentInput): Promise<void> {
  await transfer(ctx, input, async (tx, { order, shipment }) => {
    const key = await findShipmentKey(tx, input.target_shipment_number);
    if (key === undefined) throw new NotFound();
    const target = order.shipments.find(({ id }) => id === key.id);
    if (target === undefined || target.id === shipment.id || !isUnshipped(target)) {
      throw new TransferFailed();
    }
    return target;
  });
}

/** Locks, finds where the goods go, moves them; the order's lines stay as they are, what the shipments cost does not. */
async function transfer(
  ctx: Ctx,
  { original_shipment_number, variant_id, quantity }: Transfer,
  findTarget: (tx: Tx, from: LockedShipment) => Promise<Destination>,
): Promise<void> {
  const goods = { variant_id, quantity: quantity ?? 1 };
  await withTransactionAfterPayments(ctx, async (tx) => {
    const from = await lockShipment(tx, original_shipment_number, (one) => listRestock(one, goods));
    const { order, shipment } = from;
    const to = await findTarget(tx, from);
    const isThere = isUnshipped(shipment) && countUnshippedUnits(shipment, variant_id) >= goods.quantity;
    if (!isThere) throw new TransferFailed();
    await convertToTransferFailed(() => moveUnits(tx, order, { from: shipment, to, goods }, notifyOrders(ctx, tx)));
    await deleteEmptyShipments(tx, order);
    await refreshRates(tx, order, [shipment.id, to.id]);
    await updateOrder(tx, order, buildCause(ctx, 'transfer'));
  });
}

/** That the target has not got the goods is told in the words of transfers. */
async function convertToTransferFailed(move: () => Promise<void>): Promise<void> {
  try {
    await move();
  } catch (error) {
    throw error instanceof InvalidResource ? new TransferFailed() : error;
  }
}
