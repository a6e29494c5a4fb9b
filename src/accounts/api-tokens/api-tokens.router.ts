import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { IdParams, PathId } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import { ApiTokenCreate, NewApiTokenJson } from './api-tokens.schema';
import { ApiToken, serializeApiToken } from '../token-store/api-tokens.definition';
import { authorizeTokenChange, createApiToken, listApiTokens, removeApiToken } from './api-tokens.service';

const TokenParams = z.object({ user_id: PathId, id: PathId });

export function apiTokensRouter(): ApiRouter {
  const router = createApiRouter('Users', 'customers');

  endpoint(router, 'get /users/:id/tokens', {
    access: 'self',
    summary: 'List the API tokens of a user, newest first',
    description: 'Names and dates only; a token itself is shown only in the reply that creates it.',
    params: IdParams,
    search: ApiToken.search,
    private: true,
    paged: { key: 'tokens', item: ApiToken.Json },
    handle: async (ctx, { params, list }) =>
      mapPage(await listApiTokens(ctx, params.id, list), serializeApiToken),
  });
  endpoint(router, 'post /users/:id/tokens', {
    access: 'self',
    summary: 'Create an API token for a user',
    description:
      'A token has at most the permissions of its user; `scopes` and `expires_at` limit it further; unknown parameters are refused, so that a misspelled limit is not ignored. Only administrators create tokens for others, and a token with limits cannot create tokens. The token is shown only once.',
    params: IdParams,
    input: ApiTokenCreate,
    subject: (ctx, params) => authorizeTokenChange(ctx, params.id),
    isStrict: true,
    status: 201,
    private: true,
    reply: NewApiTokenJson,
    handle: async (ctx, { params, input }) => {
      const apiToken = await createApiToken(ctx, params.id, input);
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
