import type { Ctx } from '../context';
import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { flag } from '../../catalog/flag';
import { reference } from '../../platform/http/fields';
import { PathId } from '../../platform/http/path-parameters';
import { StockItemCreate, StockItemJson, StockItemUpdate } from './stock-items.schema';
import { stockItemSearch } from './stock-items.search';
import { serializeStockItem } from './stock-items.serializer';
import {
  changeStockItem,
  createStockItem,
  getStockItem,
  listStockItems,
  removeStockItem,
} from './stock-items.service';
import { getStockLocation } from '../stock-locations/stock-locations.service';
import { declareRecordEndpoints } from '../../platform/resource/record-endpoints';

const LocationParams = z.object({ stock_location_id: PathId });
const StockItemsQuery = z.object({ show_deleted: flag('Includes deleted stock items; defaults to false.') });

const REMOVAL =
  'Records a movement `removed` of minus its count. The variant may get a new stock item at the location.';

const CHANGE = {
  summary: 'Adjust or set the count of a stock item',
  description:
    '`count_on_hand` is added to the count; with `force` it replaces the count. Arriving stock fills backorders, oldest order first. `backorderable` may be cleared while units are owed.',
};

/** Builds the router of stock items, by the paths inside their location and by the short paths without it. */
export function stockItemsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Stock items', 'stock');

  declareRecordEndpoints(router, '/stock_locations/:stock_location_id/stock_items', {
    params: LocationParams,
    access: { read: 'admin', write: 'admin' },
    parent: (ctx, params) => getStockLocation(ctx, params.stock_location_id),
    get: getStockItem,
    reply: StockItemJson,
    serialize: serializeStockItem,
    list: {
      summary: 'List the stock items of a location',
      description: 'One stock item per variant. Filter and sort with `q`.',
      query: StockItemsQuery,
      search: stockItemSearch,
      feed: true,
      handle: (ctx, { params, query, list }) => {
        const scope = { locationId: params.stock_location_id, deleted: query.show_deleted };
        return listStockItems(ctx, scope, list);
      },
    },
    show: {
      summary: 'Get a stock item',
      description: 'Send its `ETag` as `If-Match` with an update to notice sales in between.',
    },
    create: {
      summary: 'Create a stock item',
      description:
        'If an earlier stock item of the variant at this location was deleted while it owed backordered units, they are taken off the count, and arriving units fill them first.',
      input: StockItemCreate,
      handle: (ctx, { params, input }) => createStockItem(ctx, params.stock_location_id, input.stock_item),
    },
    update: {
      ...CHANGE,
      input: StockItemUpdate,
      handle: (ctx, { params, input }) => changeStockItem(ctx, params, input.stock_item),
    },
    delete: {
      summary: 'Delete a stock item',
      description: REMOVAL,
      handle: (ctx, { params }) => removeStockItem(ctx, params),
    },
  });
  addShortPaths(router);
  return router;
}

const buildTarget = ({ id }: { id: number }) => ({ id, stock_location_id: null });

function addShortPaths(router: ApiRouter<Ctx>): void {
  declareRecordEndpoints(router, '/stock_items', {
    access: { read: 'admin', write: 'admin' },
    get: (ctx, params) => getStockItem(ctx, buildTarget(params)),
    reply: StockItemJson,
    serialize: serializeStockItem,
    list: {
      summary: 'List the stock items of the location `stock_location_id`',
      description: 'Same as the list of the location, for clients that send its id in the query.',
      search: stockItemSearch,
      feed: true,
      query: StockItemsQuery.extend({ stock_location_id: reference().optional.catch(null) }),
      handle: (ctx, { query, list }) => {
        const scope = { locationId: query.stock_location_id ?? null, deleted: query.show_deleted };
        return listStockItems(ctx, scope, list);
      },
    },
    update: {
      ...CHANGE,
      input: StockItemUpdate,
      handle: (ctx, { params, input }) => changeStockItem(ctx, buildTarget(params), input.stock_item),
    },
    delete: {
      summary: 'Delete a stock item',
      description: REMOVAL,
      handle: (ctx, { params }) => removeStockItem(ctx, buildTarget(params)),
    },
  });
}
