import { z } from 'zod';
import { text, wrapped } from '../../platform/http/fields';

export const ApiTokenJson = z
  .object({
    id: z.int(),
    name: z.string().meta({ description: 'A description of its use.' }),
    created_at: z.iso.datetime(),
    revoked_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ApiToken' });

export type ApiTokenJson = z.output<typeof ApiTokenJson>;

/** The reply that creates a token. The token is shown only here. */
export const NewApiTokenJson = ApiTokenJson.extend({ token: z.string() }).meta({ id: 'NewApiToken' });

export type NewApiTokenJson = z.output<typeof NewApiTokenJson>;

/** The wrapper is `api_token` because the parameter `token` authenticates the request. */
export const ApiTokenCreate = wrapped('api_token', z.object({ name: text({ trim: true }).optional }));

export type ApiTokenAttributes = z.output<typeof ApiTokenCreate>['api_token'];
