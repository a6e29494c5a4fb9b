import { z } from 'zod';
import { AttributeListJson } from '../../platform/http/attribute-list';
import { apiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { IdParams } from '../../platform/http/path-parameters';
import { STORE_ATTRIBUTES, STORE_REQUIRED, StoreCreate, StoreJson, StoreUpdate } from './stores.schema';
import { serializeStore } from './stores.serializer';
import { changeStore, createStore, getStore, listStores, removeStore } from './stores.service';

export function storesRouter(): ApiRouter {
  const router = apiRouter('Stores');

  endpoint(router, 'get /stores', {
    access: 'admin',
    summary: 'Stores, by id; all of them',
    reply: z.object({ stores: z.array(StoreJson) }),
    handle: async (ctx) => ({ stores: (await listStores(ctx)).map(serializeStore) }),
  });
  endpoint(router, 'get /stores/new', {
    access: 'admin',
    summary: 'What a store has, and needs',
    reply: AttributeListJson,
    handle: () =>
      Promise.resolve({ attributes: [...STORE_ATTRIBUTES], required_attributes: [...STORE_REQUIRED] }),
  });
  endpoint(router, 'get /stores/:id', {
    access: 'admin',
    summary: 'One store with its settings',
    params: IdParams,
    reply: StoreJson,
    handle: async (ctx, { params }) => serializeStore(await getStore(ctx, params.id)),
  });
  endpoint(router, 'post /stores', {
    access: 'admin',
    summary: 'Create a store; the first one is the default',
    input: StoreCreate,
    status: 201,
    reply: StoreJson,
    handle: async (ctx, { input }) => serializeStore(await createStore(ctx, input.store)),
  });
  endpoint(router, 'put /stores/:id', {
    access: 'admin',
    summary: 'Change a store, or make it the default',
    params: IdParams,
    input: StoreUpdate,
    subject: (ctx, params) => getStore(ctx, params.id),
    reply: StoreJson,
    handle: async (ctx, { params, input }) => serializeStore(await changeStore(ctx, params.id, input.store)),
  });
  endpoint(router, 'delete /stores/:id', {
    access: 'admin',
    summary: 'Delete a store that is not the default',
    params: IdParams,
    status: 204,
    handle: (ctx, { params }) => removeStore(ctx, params.id),
  });
  return router;
}
