import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { IdParams, PathId } from '../../platform/http/path-parameters';
import { getOwnUserId, getUserRow } from '../users/users.service';
import { SavedAddressInput, SavedAddressJson } from './saved-addresses.schema';
import { serializeSavedAddress } from './saved-addresses.serializer';
import {
  changeSavedAddress,
  createSavedAddress,
  listSavedAddresses,
  removeSavedAddress,
} from './saved-addresses.service';

const OwnedParams = z.object({ user_id: PathId, id: PathId });
const ListJson = z.object({ addresses: z.array(SavedAddressJson) });
const DEFAULTS = 'With `default_bill` or `default_ship` it replaces the default address of new orders.';

export function savedAddressesRouter(): ApiRouter {
  const router = createApiRouter('Users', 'customers');
  addOwn(router);
  addOfUsers(router);
  return router;
}

function addOwn(router: ApiRouter): void {
  endpoint(router, 'get /users/me/addresses', {
    access: 'signed_in',
    summary: 'List the own saved addresses, by id',
    description: 'Includes the default addresses, which checkouts also save.',
    private: true,
    reply: ListJson,
    handle: async (ctx) => ({
      addresses: (await listSavedAddresses(ctx, getOwnUserId(ctx))).map(serializeSavedAddress),
    }),
  });
  endpoint(router, 'post /users/me/addresses', {
    access: 'signed_in',
    summary: 'Save an address',
    description: DEFAULTS,
    input: SavedAddressInput,
    status: 201,
    private: true,
    reply: SavedAddressJson,
    handle: async (ctx, { input }) =>
      serializeSavedAddress(await createSavedAddress(ctx, getOwnUserId(ctx), input.address)),
  });
  endpoint(router, 'put /users/me/addresses/:id', {
    access: 'signed_in',
    summary: 'Update a saved address, or make it a default address',
    description: DEFAULTS,
    params: IdParams,
    input: SavedAddressInput,
    private: true,
    reply: SavedAddressJson,
    handle: async (ctx, { params, input }) =>
      serializeSavedAddress(
        await changeSavedAddress(ctx, { user_id: getOwnUserId(ctx), id: params.id }, input.address),
      ),
  });
  endpoint(router, 'delete /users/me/addresses/:id', {
    access: 'signed_in',
    summary: 'Delete a saved address',
    description: 'Orders keep their own copies.',
    params: IdParams,
    status: 204,
    private: true,
    handle: (ctx, { params }) => removeSavedAddress(ctx, { user_id: getOwnUserId(ctx), id: params.id }),
  });
}

function addOfUsers(router: ApiRouter): void {
  endpoint(router, 'get /users/:id/addresses', {
    access: 'self',
    summary: 'List the saved addresses of a user, by id',
    description: 'With the marks of the default bill and ship address.',
    params: IdParams,
    private: true,
    reply: ListJson,
    handle: async (ctx, { params }) => ({
      addresses: (await listSavedAddresses(ctx, params.id)).map(serializeSavedAddress),
    }),
  });
  endpoint(router, 'post /users/:id/addresses', {
    access: 'self',
    summary: 'Save an address of a user',
    description: DEFAULTS,
    params: IdParams,
    input: SavedAddressInput,
    subject: (ctx, params) => getUserRow(ctx, params.id),
    status: 201,
    private: true,
    reply: SavedAddressJson,
    handle: async (ctx, { params, input }) =>
      serializeSavedAddress(await createSavedAddress(ctx, params.id, input.address)),
  });
  endpoint(router, 'put /users/:user_id/addresses/:id', {
    access: 'self',
    summary: 'Update a saved address of a user, or make it a default address',
    description: DEFAULTS,
    params: OwnedParams,
    input: SavedAddressInput,
    subject: (ctx, params) => getUserRow(ctx, params.user_id),
    private: true,
    reply: SavedAddressJson,
    handle: async (ctx, { params, input }) =>
      serializeSavedAddress(await changeSavedAddress(ctx, params, input.address)),
  });
  endpoint(router, 'delete /users/:user_id/addresses/:id', {
    access: 'self',
    summary: 'Delete a saved address of a user',
    description: 'Orders keep their own copies.',
    params: OwnedParams,
    status: 204,
    private: true,
    handle: (ctx, { params }) => removeSavedAddress(ctx, params),
  });
}
