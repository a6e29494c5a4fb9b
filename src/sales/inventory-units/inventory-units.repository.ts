import type { Db } from '../../platform/database/knex';
import type { InventoryUnitState } from './inventory-unit.machine';

/** One single item of a shipment. */
export interface InventoryUnitRow {
  id: number;
  order_id: number;
  line_item_id: number | null;
  variant_id: number;
  shipment_id: number;
  return_authorization_id: number | null;
  state: InventoryUnitState;
  /** True until the order completes. */
  pending: boolean;
  lock_version: number;
}

/** The units of these orders, in the order they were made. */
export async function findUnitsOfOrders(db: Db, orderIds: readonly number[]): Promise<InventoryUnitRow[]> {
  return db<InventoryUnitRow>('inventory_units').whereIn('order_id', orderIds).orderBy('id');
}
