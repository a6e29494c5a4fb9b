import { z } from 'zod';
import { text } from '../../platform/http/fields';

/** A unit on its own; inside orders and shipments it is shown with its variant and line. */
export const InventoryUnitRecordJson = z
  .object({
    id: z.int(),
    lock_version: z.int().meta({ description: 'How often the unit has changed.' }),
    state: z.enum(['on_hand', 'backordered', 'shipped', 'returned']),
    variant_id: z.int(),
    shipment_id: z.int(),
    return_authorization_id: z.int().nullable(),
  })
  .meta({ id: 'InventoryUnitRecord' });

export type InventoryUnitRecordJson = z.output<typeof InventoryUnitRecordJson>;

/** Nothing of a unit may be written but what happens to it; `inventory_unit` is taken for compatibility. */
export const InventoryUnitUpdate = z.object({
  fire: text({ max: 64 }).optional.meta({ description: '`fill_backorder`, `ship` or `return`.' }),
  inventory_unit: z
    .unknown()
    .optional()
    .meta({ description: 'Has no effect.', override: { type: 'object' } }),
});
