import type { Ctx } from '../context';
import { findUserId } from '../../access/actor';
import { NotFound, TransitionRefused, requireFound } from '../../platform/errors';
import type { Tx } from '../../platform/database/transaction';
import { throwIfRefused } from '../../platform/perform';
import { buildTransitionErrors } from '../../platform/state-machine';
import type { ShipmentGraph } from '../order/order-graph';
import { isCompleteState } from '../order/order.machine';
import { lockOrder, type LockedOrderGraph } from '../order/order-lock';
import { addToDraft, createDraft, type OrderDraft } from '../order-updater/order-draft';
import { saveRecalculated } from '../order-updater/order-updater';
import { withTransactionAfterPayments } from '../payment-processing/retry-after-payments';
import { addUnitCounts, negateUnits } from '../fulfilment/counted-units';
import { isUnshipped } from '../fulfilment/shipment-units';
import { findUnit, type InventoryUnitRow } from '../fulfilment/inventory-units.repository';
import { type UnitUpdate } from '../order/unit-moves.repository';
import { performOnShipment, type ShipmentSubject } from '../fulfilment/perform-on-shipment';
import { performOnUnit } from '../fulfilment/unit-states';

/** Returns an inventory unit. @throws NotFound */
export async function getUnit(ctx: Ctx, id: number): Promise<InventoryUnitRow> {
  return requireFound(await findUnit(ctx.db, id));
}

const EVENTS = ['fill_backorder', 'ship'] as const;
type UnitEvent = (typeof EVENTS)[number];

/**
 * Fires an event of one unit. `fill_backorder`: the unit has arrived. `ship`: it leaves a ready shipment before the
 * others; the last unit ships the shipment. Neither moves stock: the order took it when it completed. `return` is
 * always refused: units are returned by receiving their return authorization, which restocks and credits them. An empty
 * event changes nothing.
 * @throws NotFound; TransitionRefused `state` if the unit, its shipment or its order does not allow the event
 */
export async function fireUnitEvent(ctx: Ctx, id: number, name: string): Promise<InventoryUnitRow> {
  const { order_id } = await getUnit(ctx, id);
  if (name === '') return getUnit(ctx, id);
  const event = EVENTS.find((known) => known === name);
  if (event === undefined) throw new TransitionRefused(buildTransitionErrors(name));
  const cause = { user_id: findUserId(ctx.actor), reason: `inventory unit ${event}` };
  await withTransactionAfterPayments(ctx, async (tx) => {
    const order = await lockOrder(tx, { id: order_id });
    const draft = await fire(tx, order, { id, event, at: ctx.now(), cause });
    await saveRecalculated(tx, draft, cause);
  });
  return getUnit(ctx, id);
}

async function fire(
  tx: Tx,
  order: LockedOrderGraph,
  {
    id,
    event,
    ...work
  }: Pick<ShipmentSubject, 'at' | 'cause'> & {
    id: number;
    event: UnitEvent;
  },
): Promise<OrderDraft> {
  const unit = await findUnit(tx, id);
  const shipment = order.shipments.find((candidate) => candidate.id === unit?.shipment_id);
  if (unit === undefined || shipment === undefined) throw new NotFound();
  const isAllowed = {
    fill_backorder: isUnshipped(shipment),
    ship: shipment.state === 'ready',
  };
  if (!isCompleteState(order.state) || !isAllowed[event]) {
    throw new TransitionRefused(buildTransitionErrors(event));
  }
  const ending = throwIfRefused(performOnUnit(unit, event));
  const draft =
    ending.ended === 'moved' ? moveUnit(order, { shipment, unit }, ending.written) : createDraft(order);
  if (event !== 'ship') return draft;
  const shipped = performOnShipment('ship_unit', { draft, shipment, ...work });
  if (shipped.ending.ended === 'refused') throw new TransitionRefused(buildTransitionErrors(event));
  return shipped.draft;
}

/** Builds the draft of an order after one unit of a shipment has changed its state. */
function moveUnit(
  order: LockedOrderGraph,
  { shipment, unit }: { shipment: ShipmentGraph; unit: InventoryUnitRow },
  update: UnitUpdate,
): OrderDraft {
  const { line_item_id, variant_id, counted } = unit;
  const one = {
    shipment_id: shipment.id,
    line_item_id,
    variant_id,
    quantity: 1,
    counted_quantity: counted ? 1 : 0,
  };
  const changes = [negateUnits({ ...one, state: unit.state }), { ...one, state: update.state ?? unit.state }];
  const moved = { ...order, shipments: addUnitCounts(order, changes) };
  return addToDraft({ ...createDraft(order), order: moved }, { units: [{ changed: [update] }] });
}
