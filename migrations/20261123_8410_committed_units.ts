import { createIndex, dropIndex, type Steps } from '../src/platform/database/migrations/steps';

/** The units that wait in a shipment, for the committed units of a stock item. Backordered ones have an index. */
export const up: Steps = [
  createIndex(
    'inventory_units_on_hand_index',
    `inventory_units (variant_id, shipment_id) WHERE state = 'on_hand'`,
  ),
];

export const down: Steps = [dropIndex('inventory_units_on_hand_index')];
