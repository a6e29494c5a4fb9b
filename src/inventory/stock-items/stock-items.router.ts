import type { Ctx } from '../context';
import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { flag } from '../../catalog/flag';
import { reference } from '../../platform/http/fields';
import { IdParams, PathId } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
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

const LocationParams = z.object({ stock_location_id: PathId });
const NestedParams = LocationParams.extend({ id: PathId });
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

  endpoint(router, 'get /stock_locations/:stock_location_id/stock_items', {
    access: 'admin',
    summary: 'List the stock items of a location',
    description: 'One stock item per variant. Filter and sort with `q`.',
    params: LocationParams,
    query: StockItemsQuery,
    search: stockItemSearch,
    feed: true,
    paged: { key: 'stock_items', item: StockItemJson },
    handle: async (ctx, { params, query, list }) => {
      const scope = { locationId: params.stock_location_id, deleted: query.show_deleted };
      return mapPage(await listStockItems(ctx, scope, list), serializeStockItem);
    },
  });
  endpoint(router, 'get /stock_locations/:stock_location_id/stock_items/:id', {
    access: 'admin',
    summary: 'Get a stock item',
    description: 'Send its `ETag` as `If-Match` with an update to notice sales in between.',
    params: NestedParams,
    reply: StockItemJson,
    handle: async (ctx, { params }) => serializeStockItem(await getStockItem(ctx, params)),
  });
  endpoint(router, 'post /stock_locations/:stock_location_id/stock_items', {
    access: 'admin',
    summary: 'Create a stock item',
    description:
      'If an earlier stock item of the variant at this location was deleted while it owed backordered units, they are taken off the count, and arriving units fill them first.',
    params: LocationParams,
    input: StockItemCreate,
    subject: (ctx, params) => getStockLocation(ctx, params.stock_location_id),
    status: 201,
    reply: StockItemJson,
    handle: async (ctx, { params, input }) =>
      serializeStockItem(await createStockItem(ctx, params.stock_location_id, input.stock_item)),
  });
  endpoint(router, 'put /stock_locations/:stock_location_id/stock_items/:id', {
    access: 'admin',
    ...CHANGE,
    params: NestedParams,
    input: StockItemUpdate,
    subject: (ctx, params) => getStockItem(ctx, params),
    reply: StockItemJson,
    handle: async (ctx, { params, input }) =>
      serializeStockItem(await changeStockItem(ctx, params, input.stock_item)),
  });
  endpoint(router, 'delete /stock_locations/:stock_location_id/stock_items/:id', {
    access: 'admin',
    summary: 'Delete a stock item',
    description: REMOVAL,
    params: NestedParams,
    status: 204,
    handle: (ctx, { params }) => removeStockItem(ctx, params),
  });
  addShortPaths(router);
  return router;
}

const buildTarget = ({ id }: { id: number }) => ({ id, stock_location_id: null });

function addShortPaths(router: ApiRouter<Ctx>): void {
  endpoint(router, 'get /stock_items', {
    access: 'admin',
    summary: 'List the stock items of the location `stock_location_id`',
    description: 'Same as the list of the location, for clients that send its id in the query.',
    search: stockItemSearch,
    feed: true,
    query: StockItemsQuery.extend({ stock_location_id: reference().optional.catch(null) }),
    paged: { key: 'stock_items', item: StockItemJson },
    handle: async (ctx, { query, list }) => {
      const scope = { locationId: query.stock_location_id ?? null, deleted: query.show_deleted };
      return mapPage(await listStockItems(ctx, scope, list), serializeStockItem);
    },
  });
  endpoint(router, 'put /stock_items/:id', {
    access: 'admin',
    ...CHANGE,
    params: IdParams,
    input: StockItemUpdate,
    subject: (ctx, params) => getStockItem(ctx, buildTarget(params)),
    reply: StockItemJson,
    handle: async (ctx, { params, input }) =>
      serializeStockItem(await changeStockItem(ctx, buildTarget(params), input.stock_item)),
  });
  endpoint(router, 'delete /stock_items/:id', {
    access: 'admin',
    summary: 'Delete a stock item',
    description: REMOVAL,
    params: IdParams,
    status: 204,
    handle: (ctx, { params }) => removeStockItem(ctx, buildTarget(params)),
  });
}
