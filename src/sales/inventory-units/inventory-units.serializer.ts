import type { InventoryUnitRow } from '../fulfilment/inventory-units.repository';
import type { InventoryUnitRecordJson } from './inventory-units.schema';

export function serializeUnitRecord(unit: InventoryUnitRow): InventoryUnitRecordJson {
  return {
    id: unit.id,
    lock_version: unit.lock_version,
    state: unit.state,
    variant_id: unit.variant_id,
    shipment_id: unit.shipment_id,
    return_authorization_id: unit.return_authorization_id,
  };
}
