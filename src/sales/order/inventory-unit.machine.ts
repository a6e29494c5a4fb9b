import { transitions } from '../../platform/state-machine';

export type InventoryUnitState = 'on_hand' | 'backordered' | 'shipped' | 'returned';
export type InventoryUnitEvent = 'fill_backorder' | 'ship' | 'return';

/** The life of one item of a shipment (behaviour 6.6). No conditions of its own: shipments, stock and returns ask theirs. */
export const inventoryUnitMachine = transitions<InventoryUnitState, InventoryUnitEvent, unknown>([
  { from: 'backordered', on: 'fill_backorder', to: 'on_hand' },
  { from: 'on_hand', on: 'ship', to: 'shipped' },
  { from: 'shipped', on: 'return', to: 'returned' },
]);
