import type { Ctx } from '../context';
import { findUserId } from '../../access/actor';
import { NotFound, TransitionRefused } from '../../platform/errors';
import type { Tx } from '../../platform/database/transaction';
import { throwIfRefused } from '../../platform/perform';
import { buildTransitionErrors } from '../../platform/state-machine';
import { isCompleteState } from '../order/order.machine';
import { lockOrderGraphById, type LockedOrderGraph } from '../order/order-lock';
import { updateOrder } from '../order-updater/order-updater';
import type { Cause } from '../order/state-changes.repository';
import { withTransactionAfterPayments } from '../payment-processing/retry-after-payments';
import { isUnshipped } from '../fulfilment/shipment-units';
import { findUnit, type InventoryUnitRow } from '../fulfilment/inventory-units.repository';
import { performOnShipment } from '../fulfilment/perform-on-shipment';
import { performOnUnit } from '../fulfilment/unit-states';

/** @throws NotFound */
export async function getUnit(ctx: Ctx, id: number): Promise<InventoryUnitRow> {
  const unit = await findUnit(ctx.db, id);
  if (unit === undefined) throw new NotFound();
  return unit;
}

const EVENTS = ['fill_backorder', 'ship', 'return'] as const;
type UnitEvent = (typeof EVENTS)[number];

/**
 * Lets one unit take a step by itself: its goods were found (`fill_backorder`), it leaves a ready shipment ahead of the
 * others (`ship`; with the last of them the shipment has left), or it came back without a return authorization
 * (`return`). None of them moves stock: the count went down when the order completed, and only a return that is
 * received puts goods back on a shelf. An empty event changes nothing.
 * @throws NotFound; TransitionRefused `state` for what the unit, its shipment or its order does not allow
 */
export async function fireUnitEvent(ctx: Ctx, id: number, word: string): Promise<InventoryUnitRow> {
  const { order_id } = await getUnit(ctx, id);
  if (word === '') return getUnit(ctx, id);
  const event = EVENTS.find((known) => known === word);
  if (event === undefined) throw new TransitionRefused(buildTransitionErrors(word));
  const cause = { user_id: findUserId(ctx.actor), reason: `inventory unit ${event}` };
  await withTransactionAfterPayments(ctx, async (tx) => {
    const order = await lockOrderGraphById(tx, order_id);
    await fire(tx, order, { id, event, at: ctx.now(), cause });
    await updateOrder(tx, order, cause);
  });
  return getUnit(ctx, id);
}

async function fire(
  tx: Tx,
  order: LockedOrderGraph,
  { id, event, at, cause }: { id: number; event: UnitEvent; at: Date; cause: Cause },
): Promise<void> {
  const unit = await findUnit(tx, id);
  const shipment = order.shipments.find((candidate) => candidate.id === unit?.shipment_id);
  if (unit === undefined || shipment === undefined) throw new NotFound();
  const isAllowed = {
    fill_backorder: isUnshipped(shipment),
    ship: shipment.state === 'ready',
    // Units of a return authorization come back through it, with their stock and their credit.
    return: unit.return_authorization_id === null,
  };
  // Both refusals have the same words.
  if (!isCompleteState(order.state) || !isAllowed[event]) {
    throw new TransitionRefused(buildTransitionErrors(event));
  }
  throwIfRefused(await performOnUnit(tx, unit, event));
  if (event === 'ship') await performOnShipment(tx, 'ship_unit', { order, shipment, at, cause });
}
