import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { IdParams, PathId } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import { getUserRow } from '../users/users.service';
import { ApiTokenCreate, ApiTokenJson, NewApiTokenJson } from './api-tokens.schema';
import { apiTokenSearch } from './api-tokens.search';
import { serializeApiToken } from './api-tokens.serializer';
import { createApiToken, listApiTokens, removeApiToken } from './api-tokens.service';

const TokenParams = z.object({ user_id: PathId, id: PathId });

export function apiTokensRouter(): ApiRouter {
  const router = createApiRouter('Users');

  endpoint(router, 'get /users/:id/tokens', {
    access: 'self',
    summary: 'List the API tokens of a user, newest first',
    description: 'Names and dates only; a token itself is shown only in the reply that creates it.',
    params: IdParams,
    search: apiTokenSearch,
    private: true,
    paged: { key: 'tokens', item: ApiTokenJson },
    handle: async (ctx, { params, list }) =>
      mapPage(await listApiTokens(ctx, params.id, list), serializeApiToken),
  });
  endpoint(router, 'post /users/:id/tokens', {
    access: 'self',
    summary: 'Create an API token for a user',
    description: 'The reply contains the token, which is shown only once. It does not expire.',
    params: IdParams,
    input: ApiTokenCreate,
    subject: (ctx, params) => getUserRow(ctx, params.id),
    status: 201,
    private: true,
    reply: NewApiTokenJson,
    handle: async (ctx, { params, input }) => {
      const apiToken = await createApiToken(ctx, params.id, input.api_token);
      return { ...serializeApiToken(apiToken), token: apiToken.token };
    },
  });
  endpoint(router, 'delete /users/:user_id/tokens/:id', {
    access: 'self',
    summary: 'Revoke an API token',
    description: 'Requests with the token fail with 401 from then on.',
    params: TokenParams,
    status: 204,
    private: true,
    handle: (ctx, { params }) => removeApiToken(ctx, params),
  });
  return router;
}
