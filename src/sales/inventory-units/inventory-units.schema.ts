import { z } from 'zod';
import { INVENTORY_UNIT_STATES } from '../order/states';
import { text } from '../../platform/http/fields';
import { namedObject } from '../../platform/http/named-object';

/** An inventory unit by itself. Orders and shipments show it with its variant and line item. */
export const InventoryUnitRecordJson = namedObject('InventoryUnitRecord', {
  id: z.int(),
  lock_version: z.int().describe('Number of changes of the unit.'),
  state: z.enum(INVENTORY_UNIT_STATES).describe('The state of the unit.'),
  variant_id: z.int(),
  shipment_id: z.int(),
  return_authorization_id: z
    .int()
    .nullable()
    .describe('The id of the return authorization. Null unless the unit is returned.'),
});

export type InventoryUnitRecordJson = z.output<typeof InventoryUnitRecordJson>;

/** Only events change a unit. `inventory_unit` is accepted for compatibility. */
export const InventoryUnitUpdate = z.object({
  fire: text({ max: 64 }).optional.describe('`fill_backorder` or `ship`.'),
  inventory_unit: z
    .unknown()
    .optional()
    .meta({ description: 'Has no effect.', override: { type: 'object' } }),
});
