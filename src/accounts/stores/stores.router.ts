import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { declareEndpoints } from '../../platform/resource/endpoints';
import { Store } from './stores.definition';
import { serializeStore } from './stores.serializer';
import { listStores, stores } from './stores.service';

export function storesRouter(): ApiRouter {
  const router = createApiRouter('Stores', 'settings');

  endpoint(router, 'get /stores', {
    access: 'admin',
    summary: 'List all stores, by id',
    description: 'Not paginated.',
    reply: z.object({ stores: z.array(Store.Json).describe('The stores, by id.') }),
    handle: async (ctx) => ({ stores: (await listStores(ctx)).map(serializeStore) }),
  });
  declareEndpoints(router, {
    definition: Store,
    useCases: stores,
    serialize: serializeStore,
    access: { read: 'admin', write: 'admin' },
    without: 'list',
    summaries: {
      show: 'Get a store with its settings',
      create: 'Create a store; the first one is the default',
      update: 'Update a store, or make it the default',
      delete: 'Delete a store that is not the default and has no invoices',
    },
  });
  return router;
}
