import type { Ctx } from '../context';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { IdParams } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import { StockLocationCreate, StockLocationJson, StockLocationUpdate } from './stock-locations.schema';
import { stockLocationSearch } from './stock-locations.search';
import { serializeStockLocation } from './stock-locations.serializer';
import {
  changeStockLocation,
  createStockLocation,
  getStockLocation,
  listStockLocations,
  removeStockLocation,
} from './stock-locations.service';

export function stockLocationsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Stock locations', 'stock');

  endpoint(router, 'get /stock_locations', {
    access: 'admin',
    summary: 'List stock locations, by name',
    description: 'Filter and sort with `q`.',
    search: stockLocationSearch,
    paged: { key: 'stock_locations', item: StockLocationJson },
    handle: async (ctx, { list }) => mapPage(await listStockLocations(ctx, list), serializeStockLocation),
  });
  endpoint(router, 'get /stock_locations/:id', {
    access: 'admin',
    summary: 'Get a stock location',
    description: 'Inactive locations are included.',
    params: IdParams,
    reply: StockLocationJson,
    handle: async (ctx, { params }) => serializeStockLocation(await getStockLocation(ctx, params.id)),
  });
  endpoint(router, 'post /stock_locations', {
    access: 'admin',
    summary: 'Create a stock location',
    description: 'Creates an empty stock item for every variant, unless `propagate_all_variants` is false.',
    input: StockLocationCreate,
    status: 201,
    reply: StockLocationJson,
    handle: async (ctx, { input }) =>
      serializeStockLocation(await createStockLocation(ctx, input.stock_location)),
  });
  endpoint(router, 'put /stock_locations/:id', {
    access: 'admin',
    summary: 'Update a stock location',
    description: '`backorderable_default` and `propagate_all_variants` apply to new stock items only.',
    params: IdParams,
    input: StockLocationUpdate,
    subject: (ctx, params) => getStockLocation(ctx, params.id),
    reply: StockLocationJson,
    handle: async (ctx, { params, input }) =>
      serializeStockLocation(await changeStockLocation(ctx, params.id, input.stock_location)),
  });
  endpoint(router, 'delete /stock_locations/:id', {
    access: 'admin',
    summary: 'Delete a stock location',
    description:
      'Deletes its stock items too, with a movement `removed` of minus the count of each. Refused while an order that is complete, or waits for its payment to complete, has a shipment that has not left the location.',
    params: IdParams,
    status: 204,
    handle: (ctx, { params }) => removeStockLocation(ctx, params.id),
  });
  return router;
}
