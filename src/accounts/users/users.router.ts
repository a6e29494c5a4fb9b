import { AttributeListJson } from '../../platform/http/attribute-list';
import { isAdmin } from '../../access/actor';
import type { Ctx } from '../../access/context';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { isBlank } from '../../platform/blank';
import { endpoint } from '../../platform/http/endpoint';
import { IdParams } from '../../platform/http/path-parameters';
import type { AssociateOnSignIn } from '../order-reference';
import { mapPage } from '../../platform/query-builder/page';
import { NewUserJson, OwnUserJson, UserCreate, UserJson, UserUpdate } from './users.schema';
import { userSearch } from './users.search';
import { serializeOwnUser, serializeUser } from './users.serializer';
import {
  changeUser,
  getOwnUser,
  getOwnUserId,
  getUser,
  listUsers,
  removeUser,
  getUserRow,
  signUp,
} from './users.service';

export function usersRouter<C extends Ctx>(associate: AssociateOnSignIn<C>): ApiRouter<C> {
  const router = createApiRouter<C>('Users', 'customers');

  endpoint(router, 'get /users', {
    access: 'admin',
    summary: 'List users, by id',
    description: 'Filter and sort with `q`.',
    search: userSearch,
    feed: true,
    private: true,
    paged: { key: 'users', item: UserJson },
    handle: async (ctx, { list }) =>
      mapPage(await listUsers(ctx, list), (user) => serializeUser(user, ctx.actor)),
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
    description:
      'The account of the token, with its addresses, its roles, and what they permit with this token.',
    private: true,
    reply: OwnUserJson,
    handle: async (ctx) => serializeOwnUser(await getOwnUser(ctx), ctx.actor),
  });
  endpoint(router, 'put /users/me', {
    access: 'signed_in',
    summary: 'Update the authenticated user',
    description:
      'The same as `PUT /users/:id` with the own id. A new password or e-mail address needs `current_password`.',
    input: UserUpdate,
    private: true,
    reply: OwnUserJson,
    handle: async (ctx, { input }) =>
      serializeOwnUser(await changeUser(ctx, getOwnUserId(ctx), input.user), ctx.actor),
  });
  endpoint(router, 'get /users/:id', {
    access: 'self',
    summary: 'Get a user',
    description: 'With the roles and the saved addresses.',
    params: IdParams,
    private: true,
    reply: UserJson,
    handle: async (ctx, { params }) => serializeUser(await getUser(ctx, params.id), ctx.actor),
  });
  endpoint(router, 'post /users', {
    access: 'anyone',
    summary: 'Sign up',
    description:
      'The reply contains an API token of the new user. It is shown only once. Too many sign-ups from one address return 429. `order_number` and `order_token` take over a guest order; if that is impossible, the sign-up succeeds without it.',
    input: UserCreate,
    status: 201,
    ignoresIdempotencyKey: true,
    private: true,
    reply: NewUserJson,
    handle: async (ctx, { input }) => {
      const { user, token } = await signUp(ctx, input.user);
      const { order_number } = input;
      const isOrderSent = !isBlank(order_number) && !isAdmin(ctx.actor);
      const order = isOrderSent ? await associate(ctx, token, order_number) : null;
      return { ...serializeUser(user, ctx.actor), token, ...order };
    },
  });
  endpoint(router, 'put /users/:id', {
    access: 'self',
    summary: 'Update a user',
    description:
      "A new password or e-mail address revokes every other token of the user, and a mail notifies the former address. Users who change their own password or e-mail address send `current_password`; a wrong one returns 422, and 429 after too many. Only administrators change the e-mail address, the password and the roles of others, and other members of staff change no account with a role of staff. A token with limits cannot change its own user's e-mail address or password.",
    params: IdParams,
    input: UserUpdate,
    subject: (ctx, params) => getUserRow(ctx, params.id),
    private: true,
    reply: UserJson,
    handle: async (ctx, { params, input }) =>
      serializeUser(await changeUser(ctx, params.id, input.user), ctx.actor),
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
