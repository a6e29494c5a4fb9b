import { AttributeListJson } from '../../platform/http/attribute-list';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { IdParams } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import { NewUserJson, UserCreate, UserJson, UserUpdate } from './users.schema';
import { userSearch } from './users.search';
import { serializeUser } from './users.serializer';
import {
  changeUser,
  createUser,
  getOwnUser,
  getUser,
  listUsers,
  removeUser,
  getUserRow,
} from './users.service';

export function usersRouter(): ApiRouter {
  const router = createApiRouter('Users');

  endpoint(router, 'get /users', {
    access: 'admin',
    summary: 'List users, by id',
    description: 'Filter and sort with `q`.',
    search: userSearch,
    private: true,
    paged: { key: 'users', item: UserJson },
    handle: async (ctx, { list }) => mapPage(await listUsers(ctx, list), serializeUser),
  });
  endpoint(router, 'get /users/new', {
    access: 'anyone',
    summary: 'Attributes of a user; required ones are marked',
    description: 'Returns the names of the attributes, for example to build a form.',
    reply: AttributeListJson,
    handle: () =>
      Promise.resolve({
        attributes: ['id', 'email', 'created_at', 'updated_at'],
        required_attributes: ['email'],
      }),
  });
  endpoint(router, 'get /users/me', {
    access: 'signed_in',
    summary: 'Get the authenticated user',
    description: 'The account of the token, with its addresses and roles.',
    private: true,
    reply: UserJson,
    handle: async (ctx) => serializeUser(await getOwnUser(ctx)),
  });
  endpoint(router, 'get /users/:id', {
    access: 'self',
    summary: 'Get a user',
    description: 'With the roles and the saved addresses.',
    params: IdParams,
    private: true,
    reply: UserJson,
    handle: async (ctx, { params }) => serializeUser(await getUser(ctx, params.id)),
  });
  endpoint(router, 'post /users', {
    access: 'anyone',
    summary: 'Sign up',
    description: 'The reply contains an API token of the new user. It is shown only once.',
    input: UserCreate,
    status: 201,
    ignoresIdempotencyKey: true,
    private: true,
    reply: NewUserJson,
    handle: async (ctx, { input }) => {
      const { user, token } = await createUser(ctx, input.user);
      return { ...serializeUser(user), token };
    },
  });
  endpoint(router, 'put /users/:id', {
    access: 'self',
    summary: 'Update a user',
    description: 'A new password revokes every other token of the user.',
    params: IdParams,
    input: UserUpdate,
    subject: (ctx, params) => getUserRow(ctx, params.id),
    private: true,
    reply: UserJson,
    handle: async (ctx, { params, input }) => serializeUser(await changeUser(ctx, params.id, input.user)),
  });
  endpoint(router, 'delete /users/:id', {
    access: 'self',
    summary: 'Delete a user who has no complete orders and is not the only admin',
    description: 'Refused with `invalid_resource` otherwise. The tokens are revoked.',
    params: IdParams,
    status: 204,
    private: true,
    handle: (ctx, { params }) => removeUser(ctx, params.id),
  });
  return router;
}
