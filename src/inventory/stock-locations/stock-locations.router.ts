import type { Ctx } from '../context';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
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
import { declareRecordEndpoints } from '../../platform/resource/record-endpoints';

export function stockLocationsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Stock locations', 'stock');

  declareRecordEndpoints(router, '/stock_locations', {
    access: { read: 'admin', write: 'admin' },
    get: (ctx, params) => getStockLocation(ctx, params.id),
    reply: StockLocationJson,
    serialize: serializeStockLocation,
    list: {
      summary: 'List stock locations, by name',
      description: 'Filter and sort with `q`.',
      search: stockLocationSearch,
      handle: (ctx, { list }) => listStockLocations(ctx, list),
    },
    show: {
      summary: 'Get a stock location',
      description: 'Inactive locations are included.',
    },
    create: {
      summary: 'Create a stock location',
      description: 'Creates an empty stock item for every variant, unless `propagate_all_variants` is false.',
      input: StockLocationCreate,
      handle: (ctx, { input }) => createStockLocation(ctx, input.stock_location),
    },
    update: {
      summary: 'Update a stock location',
      description: '`backorderable_default` and `propagate_all_variants` apply to new stock items only.',
      input: StockLocationUpdate,
      handle: (ctx, { params, input }) => changeStockLocation(ctx, params.id, input.stock_location),
    },
    delete: {
      summary: 'Delete a stock location',
      description:
        'Deletes its stock items too, with a movement `removed` of minus the count of each. Refused while an order that is complete, or waits for its payment to complete, has a shipment that has not left the location.',
      handle: (ctx, { params }) => removeStockLocation(ctx, params.id),
    },
  });
  return router;
}
