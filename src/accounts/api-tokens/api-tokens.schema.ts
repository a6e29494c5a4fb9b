import { z } from 'zod';
import { text, wrapped } from '../../platform/http/fields';

export const ApiTokenJson = z
  .object({
    id: z.int(),
    name: z.string().meta({ description: 'What the token is for.' }),
    created_at: z.iso.datetime(),
    revoked_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ApiToken' });

export type ApiTokenJson = z.output<typeof ApiTokenJson>;

/** The reply to making one: the only time that the token itself is shown. */
export const NewApiTokenJson = ApiTokenJson.extend({ token: z.string() }).meta({ id: 'NewApiToken' });

export type NewApiTokenJson = z.output<typeof NewApiTokenJson>;

/** `api_token`, not `token`: a parameter of that name is the caller's own key. */
export const ApiTokenCreate = wrapped('api_token', z.object({ name: text({ trim: true }).optional }));

export type ApiTokenAttributes = z.output<typeof ApiTokenCreate>['api_token'];
