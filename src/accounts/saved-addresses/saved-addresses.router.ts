import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { IdParams, PathId } from '../../platform/http/path-parameters';
import { declareRecordEndpoints } from '../../platform/resource/record-endpoints';
import { getOwnUserId, getUserRow } from '../users/users.service';
import { SavedAddressInput, SavedAddressJson } from './saved-addresses.schema';
import { serializeSavedAddress } from './saved-addresses.serializer';
import {
  changeSavedAddress,
  createSavedAddress,
  listSavedAddresses,
  removeSavedAddress,
} from './saved-addresses.service';

const ListJson = z.object({ addresses: z.array(SavedAddressJson) });
const DEFAULTS = 'With `default_bill` or `default_ship` it replaces the default address of new orders.';
const KEPT = 'Orders keep their own copies.';
const OWN = { read: 'signed_in', write: 'signed_in' } as const;
const OF_USER = { read: 'self', write: 'self' } as const;

/** What the own addresses and those of other users have in common. */
const RECORDS = { private: true, reply: SavedAddressJson, serialize: serializeSavedAddress } as const;

export function savedAddressesRouter(): ApiRouter {
  const router = createApiRouter('Users', 'customers');
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
  declareRecordEndpoints(router, '/users/me/addresses', {
    ...RECORDS,
    access: OWN,
    create: {
      summary: 'Save an address',
      description: DEFAULTS,
      input: SavedAddressInput,
      handle: (ctx, { input }) => createSavedAddress(ctx, getOwnUserId(ctx), input.address),
    },
    update: {
      summary: 'Update a saved address, or make it a default address',
      description: DEFAULTS,
      input: SavedAddressInput,
      handle: (ctx, { params, input }) =>
        changeSavedAddress(ctx, { user_id: getOwnUserId(ctx), id: params.id }, input.address),
    },
    delete: {
      summary: 'Delete a saved address',
      description: KEPT,
      handle: (ctx, { params }) => removeSavedAddress(ctx, { user_id: getOwnUserId(ctx), id: params.id }),
    },
  });
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
  declareRecordEndpoints(router, '/users/:id/addresses', {
    ...RECORDS,
    access: OF_USER,
    params: IdParams,
    parent: (ctx, { id }) => getUserRow(ctx, id),
    create: {
      summary: 'Save an address of a user',
      description: DEFAULTS,
      input: SavedAddressInput,
      handle: (ctx, { params, input }) => createSavedAddress(ctx, params.id, input.address),
    },
  });
  declareRecordEndpoints(router, '/users/:user_id/addresses', {
    ...RECORDS,
    access: OF_USER,
    params: z.object({ user_id: PathId }),
    parent: (ctx, { user_id }) => getUserRow(ctx, user_id),
    update: {
      summary: 'Update a saved address of a user, or make it a default address',
      description: DEFAULTS,
      input: SavedAddressInput,
      handle: (ctx, { params, input }) => changeSavedAddress(ctx, params, input.address),
    },
    delete: {
      summary: 'Delete a saved address of a user',
      description: KEPT,
      handle: (ctx, { params }) => removeSavedAddress(ctx, params),
    },
  });
  return router;
}
