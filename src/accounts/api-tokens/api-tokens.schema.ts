import { z } from 'zod';
import { EVERYTHING, SCOPES } from '../../access/scopes';
import { BLANK } from '../../platform/errors';
import { choices, text, timestamp } from '../../platform/http/fields';
import { wrapped } from '../../platform/http/field-schemas';
import { ApiToken } from '../token-store/api-tokens.definition';

/** The reply that creates a token. The token is shown only here. */
export const NewApiTokenJson = ApiToken.Json.extend({
  token: z.string().describe('The token, for the header `X-Store-Token`. Shown only in this reply.'),
}).meta({ id: 'NewApiToken' });

export type NewApiTokenJson = z.output<typeof NewApiTokenJson>;

/** Scopes of a token; `*` among them stands for all. An empty list is invalid, because it is not what it seems: no limit. */
const scopes = choices([...SCOPES, EVERYTHING])
  .optional.refine((given) => given?.length !== 0, BLANK)
  .describe('What the token is limited to. Defaults to everything that its user may do.');

const limits = {
  scopes,
  expires_at: timestamp().optional.describe('Defaults to null: the token does not expire.'),
};

/**
 * The wrapper is `api_token` because the parameter `token` authenticates the request. Limits next to the wrapper apply too:
 * ignoring them would issue a token with more permissions than requested.
 */
export const ApiTokenCreate = wrapped(
  'api_token',
  z.object({
    name: text({ trim: true }).optional.describe(
      'A description of its use, such as the name of the program.',
    ),
    ...limits,
  }),
  limits,
);

export type ApiTokenBody = z.output<typeof ApiTokenCreate>;
