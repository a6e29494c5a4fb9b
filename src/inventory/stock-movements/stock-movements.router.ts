import type { Ctx } from '../context';
import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { PathId } from '../../platform/http/path-parameters';
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
import { declareRecordEndpoints } from '../../platform/resource/record-endpoints';

const LocationParams = z.object({ stock_location_id: PathId });

export function stockMovementsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Stock movements', 'stock');

  declareRecordEndpoints(router, '/stock_locations/:stock_location_id/stock_movements', {
    params: LocationParams,
    access: { read: 'admin', write: 'admin' },
    parent: (ctx, params) => getStockLocation(ctx, params.stock_location_id),
    get: getStockMovement,
    reply: StockMovementJson,
    serialize: serializeStockMovement,
    list: {
      summary: 'List the stock movements of a location, oldest first',
      description: 'Includes the movements of deleted stock items.',
      search: stockMovementSearch,
      feed: true,
      handle: (ctx, { params, list }) => listStockMovements(ctx, params.stock_location_id, list),
    },
    show: {
      summary: 'Get a stock movement',
      description: 'Movements are never deleted: the count of a stock item is their sum.',
    },
    create: {
      summary: 'Record a stock movement',
      description:
        'Adds `quantity` to the count of the stock item. Arriving stock fills backorders, oldest order first.',
      input: StockMovementCreate,
      handle: (ctx, { params, input }) =>
        createStockMovement(ctx, params.stock_location_id, input.stock_movement),
    },
    update: {
      summary: 'Correct the quantity of a movement',
      description:
        'The count changes by the difference, so that it remains the sum of its movements. Only movements made by hand can be changed; for movements of shipments and returns the reply is 422.',
      input: StockMovementUpdate,
      handle: (ctx, { params, input }) => changeStockMovement(ctx, params, input.stock_movement),
    },
  });
  return router;
}
