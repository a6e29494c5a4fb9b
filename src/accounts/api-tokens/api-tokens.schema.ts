import { z } from 'zod';
import { text, wrapped } from '../../platform/http/fields';

export const ApiTokenJson = z
  .object({
    id: z.int(),
    name: z.string().meta({ description: 'A description of its use.' }),
    created_at: z.iso.datetime(),
    revoked_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the token was revoked. Null while it is valid.' }),
    last_used_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Accurate to the hour; null if the token was never used.' }),
    expires_at: z.iso.datetime().nullable().meta({
      description:
        'Expiry unless the token is used: 30 days after the last use for tokens of sign-in and sign-up; null for others.',
    }),
  })
  .meta({ id: 'ApiToken' });

export type ApiTokenJson = z.output<typeof ApiTokenJson>;

/** The reply that creates a token. The token is shown only here. */
export const NewApiTokenJson = ApiTokenJson.extend({
  token: z
    .string()
    .meta({ description: 'The token, for the header `X-Store-Token`. Shown only in this reply.' }),
}).meta({ id: 'NewApiToken' });

export type NewApiTokenJson = z.output<typeof NewApiTokenJson>;

/** Limits of a token are rejected, because ignoring them would issue a token with more permissions than requested. */
const notSupported = z
  .unknown()
  .refine((value) => value === undefined || value === null, 'is not supported')
  .optional()
  .meta({ description: 'Not supported; null or omitted.', override: { type: 'null' } });
const limits = { scopes: notSupported, expires_at: notSupported };

/** The wrapper is `api_token` because the parameter `token` authenticates the request. */
export const ApiTokenCreate = wrapped(
  'api_token',
  z.object({
    name: text({ trim: true }).optional.meta({
      description: 'A description of its use, such as the name of the program.',
    }),
    ...limits,
  }),
  limits,
);

export type ApiTokenAttributes = z.output<typeof ApiTokenCreate>['api_token'];
