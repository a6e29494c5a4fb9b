import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import type { Ctx } from '../context';
import { BulkPrices, BulkResultJson, BulkShipments, BulkStock } from './bulk.schema';
import { changePrices, changeStock, shipParcels } from './bulk.service';

const ALL_OR_NONE =
  'If a row is wrong, nothing is written and the same body is returned with 422; with `partial` the other rows are written. Rows apply in their order.';

/** Those of 1,000 rows with all their fields. */
const MOST_BULK_KEYS = 10_000;

/** Builds the router of writes to many records at once. */
export function bulkRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Bulk', 'catalog');

  endpoint(router, 'post /bulk/stock', {
    access: 'admin',
    scope: 'stock:write',
    summary: 'Set or adjust the counts of up to 1,000 stock items',
    description: `Each change is a movement \`bulk\`. Arriving stock fills backorders, oldest order first. A variant without a stock item at the location gets one. ${ALL_OR_NONE}`,
    input: BulkStock,
    maxKeys: MOST_BULK_KEYS,
    refusal: BulkResultJson,
    reply: BulkResultJson,
    handle: (ctx, { input }) => changeStock(ctx, input),
  });
  endpoint(router, 'post /bulk/prices', {
    access: 'admin',
    summary: 'Set up to 1,000 prices and cost prices',
    description: ALL_OR_NONE,
    input: BulkPrices,
    maxKeys: MOST_BULK_KEYS,
    refusal: BulkResultJson,
    reply: BulkResultJson,
    handle: (ctx, { input }) => changePrices(ctx, input),
  });
  endpoint(router, 'post /bulk/shipments', {
    access: 'admin',
    scope: 'shipments:write',
    summary: 'Set the trackings of up to 1,000 shipments and ship them',
    description: `A shipment that has shipped stays as it is. If the store captures on dispatch, the authorized payments are captured first; captures are kept even if nothing ships. ${ALL_OR_NONE}`,
    input: BulkShipments,
    maxKeys: MOST_BULK_KEYS,
    refusal: BulkResultJson,
    reply: BulkResultJson,
    handle: (ctx, { input }) => shipParcels(ctx, input),
  });
  return router;
}
