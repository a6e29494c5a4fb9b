import type { Tx } from '../../platform/database/transaction';
import { perform, performAll, type BulkPerformerOf, type Ending } from '../../platform/perform';
import {
  inventoryUnitMachine,
  type InventoryUnitEvent,
  type InventoryUnitState,
} from '../order/inventory-unit.machine';
import {
  updateUnits,
  updateUnitsOf,
  type InventoryUnitRow,
  type UnitOwner,
} from './inventory-units.repository';
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

function createUnitPerformer(tx: Tx): BulkPerformerOf<typeof inventoryUnitMachine, MovingUnit, void> {
  return {
    machine: inventoryUnitMachine,
    read: ({ state, is_supplied }) => ({ state, facts: { is_supplied } }),
    effects: {
      assign_shipment(unit) {
        unit.shipment_id = unit.destination;
        return Promise.resolve();
      },
    },
    async writeAll(moves) {
      await updateUnits(
        tx,
        moves.map(({ to, subject: { id, shipment_id } }) => ({ id, state: to, shipment_id })),
      );
      return moves.map(() => undefined);
    },
  };
}

const STAYING = { is_supplied: false, destination: null, shipment_id: null };

/** Performs an event on one unit. Its order must be locked. @returns the ending; a refusal is a value */
export async function performOnUnit(
  tx: Tx,
  unit: Pick<InventoryUnitRow, 'id' | 'state'>,
  event: Exclude<InventoryUnitEvent, 'refill' | 'move'>,
): Promise<Ending<never, void>> {
  const [ending] = await performAll(createUnitPerformer(tx), event, [{ ...STAYING, ...unit }]);
  return ending ?? { ended: 'unchanged' };
}

/** A unit, and how the stock fills it. */
export interface FilledUnit {
  id: number;
  state: InventoryUnitState;
  fill: FillState;
}

/**
 * Updates units to their fill states, in one statement. Their order must be locked.
 * @returns whether any state changed
 */
export async function refillUnitStates(tx: Tx, units: readonly FilledUnit[]): Promise<boolean> {
  const moving = units.map(({ fill, ...unit }) => ({ ...STAYING, ...unit, is_supplied: fill === 'on_hand' }));
  const endings = await performAll(createUnitPerformer(tx), 'refill', moving);
  return endings.some(({ ended }) => ended === 'moved');
}

/** Puts backordered units on hand, in one statement. Their orders must be locked. */
export async function fillUnitStates(tx: Tx, ids: readonly number[]): Promise<void> {
  const waiting = ids.map((id) => ({ ...STAYING, id, state: 'backordered' as const }));
  await performAll(createUnitPerformer(tx), 'fill_backorder', waiting);
}

/** Moves units to a shipment with their fill states, in one statement. Their order must be locked. */
export async function reassignUnits(tx: Tx, units: readonly FilledUnit[], shipmentId: number): Promise<void> {
  const moving = units.map(({ id, state, fill }) => ({
    ...STAYING,
    id,
    state,
    is_supplied: fill === 'on_hand',
    destination: shipmentId,
  }));
  await performAll(createUnitPerformer(tx), 'move', moving);
}

/** Performs an event on all units of an owner that are in state `from`, in one statement. Their order must be locked. */
export async function performOnUnitsOf(
  tx: Tx,
  owner: UnitOwner,
  { event, from }: { event: 'ship' | 'return'; from: InventoryUnitState },
): Promise<void> {
  await perform(
    {
      ...createUnitPerformer(tx),
      write: async (_units, { to }) => {
        if (to !== null) await updateUnitsOf(tx, owner, { from, to });
      },
    },
    event,
    { ...STAYING, id: 0, state: from },
  );
}
