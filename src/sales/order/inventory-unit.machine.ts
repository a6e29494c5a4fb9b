import { createMachine } from '../../platform/state-machine';

export type InventoryUnitState = 'on_hand' | 'backordered' | 'shipped' | 'returned';

/**
 * - `fill_backorder`, `ship`, `return`: by request, or caused by arriving stock, a shipment or a return authorization.
 * - `refill`: the order completes; its units are filled again from the locked counts.
 * - `move`: the unit moves to another shipment, or its shipment to another location; it is filled from the stock there.
 */
export type InventoryUnitEvent = 'fill_backorder' | 'ship' | 'return' | 'refill' | 'move';
export type InventoryUnitEffect = 'assign_shipment';

export interface InventoryUnitFacts {
  /** For `refill` and `move`: stock is available for the unit. */
  is_supplied?: boolean;
}

/** The states of one inventory unit. It has no guards: shipments, stock and returns have their own. */
export const inventoryUnitMachine = createMachine<
  InventoryUnitState,
  InventoryUnitEvent,
  InventoryUnitFacts,
  InventoryUnitEffect
>([
  { from: 'backordered', on: 'fill_backorder', to: 'on_hand' },
  { from: 'on_hand', on: 'ship', to: 'shipped' },
  { from: 'shipped', on: 'return', to: 'returned' },
  { from: ['on_hand', 'backordered'], on: 'refill', to: 'on_hand', given: isSupplied },
  { from: ['on_hand', 'backordered'], on: 'refill', to: 'backordered' },
  {
    from: ['on_hand', 'backordered'],
    on: 'move',
    to: 'on_hand',
    given: isSupplied,
    then: ['assign_shipment'],
  },
  { from: ['on_hand', 'backordered'], on: 'move', to: 'backordered', then: ['assign_shipment'] },
]);

function isSupplied(unit: InventoryUnitFacts): boolean {
  return unit.is_supplied === true;
}

/** Returns whether a shipment has units, and all of them have left. */
export function hasLeft({ units }: { units: readonly { state: InventoryUnitState }[] }): boolean {
  return units.length > 0 && units.every(({ state }) => state === 'shipped' || state === 'returned');
}
