import type { Ctx } from '../context';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { IdParams } from '../../platform/http/path-parameters';
import { InventoryUnitRecordJson, InventoryUnitUpdate } from './inventory-units.schema';
import { serializeUnitRecord } from './inventory-units.serializer';
import { fireUnitEvent, getUnit } from './inventory-units.service';

export function inventoryUnitsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Inventory units', 'shipments');

  endpoint(router, 'get /inventory_units/:id', {
    access: 'admin',
    summary: 'Get an inventory unit',
    description: 'One unit of a line item, with its state and its shipment.',
    params: IdParams,
    reply: InventoryUnitRecordJson,
    private: true,
    handle: async (ctx, { params }) => serializeUnitRecord(await getUnit(ctx, params.id)),
  });
  endpoint(router, 'put /inventory_units/:id', {
    access: 'admin',
    summary: 'Apply an event to an inventory unit',
    description:
      '`fire` is `fill_backorder` for a backordered unit that has arrived, or `ship` for a unit of a ready shipment. `return` is refused: receive the return authorization of the unit. Without `fire` nothing changes.',
    params: IdParams,
    input: InventoryUnitUpdate,
    subject: (ctx, { id }) => getUnit(ctx, id),
    reply: InventoryUnitRecordJson,
    private: true,
    handle: async (ctx, { params, input }) =>
      serializeUnitRecord(await fireUnitEvent(ctx, params.id, input.fire ?? '')),
  });
  return router;
}
