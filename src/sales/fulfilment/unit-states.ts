import type { Locked } from '../../platform/database/locked';
import { listOrderIds } from '../../inventory/backorders';
import type { BackorderedUnit } from '../../inventory/context';
import type { LockedOrder } from '../order/order-lock';
import type { Tx } from '../../platform/database/transaction';
import { perform, type Ending, type PerformerOf } from '../../platform/perform';
import {
  inventoryUnitMachine,
  type InventoryUnitEvent,
  type InventoryUnitState,
} from '../order/inventory-unit.machine';
import { buildUnitsUpdate, type InventoryUnitRow, type UnitOwner } from './inventory-units.repository';
import { updateUnits, type UnitMove, type UnitUpdate } from '../order/unit-moves.repository';
import type { FillState } from './stock-coordinator';

/** A unit that an event is performed on, with the columns that the effects collect. */
interface MovingUnit {
  id: number;
  state: InventoryUnitState;
  is_supplied: boolean;
  /** The shipment it moves to. */
  destination: number | null;
  shipment_id: number | null;
}

const performer: PerformerOf<typeof inventoryUnitMachine, MovingUnit, UnitUpdate> = {
  machine: inventoryUnitMachine,
  read: ({ state, is_supplied }) => ({ state, facts: { is_supplied } }),
  effects: {
    assign_shipment(unit) {
      unit.shipment_id = unit.destination;
    },
  },
  write: ({ id, shipment_id }, { to }) => ({ id, state: to, shipment_id }),
};

/** Performs an event on units. @returns the changed ones, to be stored */
function performOnEach(event: InventoryUnitEvent, units: readonly MovingUnit[]): UnitUpdate[] {
  return units.flatMap((unit) => {
    const ending = perform(performer, event, unit);
    return ending.ended === 'moved' ? ending.written : [];
  });
}

const STAYING = { is_supplied: false, destination: null, shipment_id: null };

/** Performs an event on one unit. @returns the ending with the changed unit, to be stored; a refusal is a value */
export function performOnUnit(
  unit: Pick<InventoryUnitRow, 'id' | 'state'>,
  event: Exclude<InventoryUnitEvent, 'refill' | 'move'>,
): Ending<never, UnitUpdate> {
  return perform(performer, event, { ...STAYING, ...unit });
}

/** A unit, and how the stock fills it. */
export interface FilledUnit {
  id: number;
  state: InventoryUnitState;
  fill: FillState;
}

/** Moves units to their fill states. @returns the changed units, to be stored */
export function refillUnits(units: readonly FilledUnit[]): UnitUpdate[] {
  const moving = units.map(({ fill, ...unit }) => ({ ...STAYING, ...unit, is_supplied: fill === 'on_hand' }));
  return performOnEach('refill', moving);
}

/** Puts backordered units on hand, in one statement. */
export async function fillUnitStates(tx: Tx, units: readonly Locked<BackorderedUnit>[]): Promise<void> {
  const waiting = units.map(({ id }) => ({ ...STAYING, id, state: 'backordered' as const }));
  await updateUnits(tx, listOrderIds(units), performOnEach('fill_backorder', waiting));
}

/** Moves units to another shipment with their fill states. @returns the changed units, to be stored */
export function reassignUnits(units: readonly FilledUnit[], shipmentId: number): UnitUpdate[] {
  const moving = units.map(({ id, state, fill }) => ({
    ...STAYING,
    id,
    state,
    is_supplied: fill === 'on_hand',
    destination: shipmentId,
  }));
  return performOnEach('move', moving);
}

/** Performs an event on all units of an owner that are in state `from`. @returns their move, to be stored */
export function performOnUnitsOf(
  order: LockedOrder,
  owner: UnitOwner,
  { event, from }: { event: 'ship' | 'return'; from: InventoryUnitState },
): UnitMove[] {
  const ending = perform(performer, event, { ...STAYING, id: 0, state: from });
  const to = ending.ended === 'moved' ? ending.written.state : null;
  return to === null ? [] : [buildUnitsUpdate(order, owner, { from, to })];
}
