import type { Ctx } from '../context';
import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { PathId } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import { getStockLocation } from '../stock-locations/stock-locations.service';
import { StockMovementCreate, StockMovementJson, StockMovementUpdate } from './stock-movements.schema';
import { stockMovementSearch } from './stock-movements.search';
import { serializeStockMovement } from './stock-movements.serializer';
import {
  changeStockMovement,
  createStockMovement,
  getStockMovement,
  listStockMovements,
} from './stock-movements.service';

const LocationParams = z.object({ stock_location_id: PathId });
const NestedParams = LocationParams.extend({ id: PathId });

export function stockMovementsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Stock movements', 'stock');

  endpoint(router, 'get /stock_locations/:stock_location_id/stock_movements', {
    access: 'admin',
    summary: 'List the stock movements of a location, oldest first',
    description: 'Includes the movements of deleted stock items.',
    params: LocationParams,
    search: stockMovementSearch,
    feed: true,
    paged: { key: 'stock_movements', item: StockMovementJson },
    handle: async (ctx, { params, list }) =>
      mapPage(await listStockMovements(ctx, params.stock_location_id, list), serializeStockMovement),
  });
  endpoint(router, 'get /stock_locations/:stock_location_id/stock_movements/:id', {
    access: 'admin',
    summary: 'Get a stock movement',
    description: 'Movements are never deleted: the count of a stock item is their sum.',
    params: NestedParams,
    reply: StockMovementJson,
    handle: async (ctx, { params }) => serializeStockMovement(await getStockMovement(ctx, params)),
  });
  endpoint(router, 'post /stock_locations/:stock_location_id/stock_movements', {
    access: 'admin',
    summary: 'Record a stock movement',
    description:
      'Adds `quantity` to the count of the stock item. Arriving stock fills backorders, oldest order first.',
    params: LocationParams,
    input: StockMovementCreate,
    subject: (ctx, params) => getStockLocation(ctx, params.stock_location_id),
    status: 201,
    reply: StockMovementJson,
    handle: async (ctx, { params, input }) =>
      serializeStockMovement(await createStockMovement(ctx, params.stock_location_id, input.stock_movement)),
  });
  endpoint(router, 'put /stock_locations/:stock_location_id/stock_movements/:id', {
    access: 'admin',
    summary: 'Correct the quantity of a movement',
    description:
      'The count changes by the difference, so that it remains the sum of its movements. Only movements made by hand can be changed; for those of shipments and returns the reply is 422.',
    params: NestedParams,
    input: StockMovementUpdate,
    subject: (ctx, params) => getStockMovement(ctx, params),
    reply: StockMovementJson,
    handle: async (ctx, { params, input }) =>
      serializeStockMovement(await changeStockMovement(ctx, params, input.stock_movement)),
  });
  return router;
}
