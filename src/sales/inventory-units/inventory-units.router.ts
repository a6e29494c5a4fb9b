import type { Ctx } from '../context';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { IdParams } from '../../platform/http/path-parameters';
import { InventoryUnitRecordJson, InventoryUnitUpdate } from './inventory-units.schema';
import { serializeUnitRecord } from './inventory-units.serializer';
import { fireUnitEvent, getUnit } from './inventory-units.service';

export function inventoryUnitsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Inventory units');

  endpoint(router, 'get /inventory_units/:id', {
    access: 'admin',
    summary: 'One single item of a shipment',
    params: IdParams,
    reply: InventoryUnitRecordJson,
    private: true,
    handle: async (ctx, { params }) => serializeUnitRecord(await getUnit(ctx, params.id)),
  });
  endpoint(router, 'put /inventory_units/:id', {
    access: 'admin',
    summary: 'Let something happen to a single item',
    description:
      '`fire`: `fill_backorder` once its goods are there, `ship` when its shipment is ready, `return` when it came back without a return authorization. Without it nothing changes.',
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
