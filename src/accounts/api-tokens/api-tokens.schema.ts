import { z } from 'zod';
import { text, wrapped } from '../../platform/http/fields';

export const ApiTokenJson = z
  .object({
    id: z.int(),
    name: z.string().meta({ description: 'What the token is for.' }),
    created_at: z.iso.datetime(),
    revoked_at: z.iso.datetime().nullable(),
    last_used_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'To the hour; null when it was never used.' }),
    expires_at: z.iso.datetime().nullable().meta({
      description:
        'When it ends unless it is used: 30 days after the last use for tokens of sign-in and sign-up. Null: never.',
    }),
  })
  .meta({ id: 'ApiToken' });

export type ApiTokenJson = z.output<typeof ApiTokenJson>;

/** The reply to making one: the only time that the token itself is shown. */
export const NewApiTokenJson = ApiTokenJson.extend({ token: z.string() }).meta({ id: 'NewApiToken' });

export type NewApiTokenJson = z.output<typeof NewApiTokenJson>;

/** `api_token`, not `token`: a parameter of that name is the caller's own key. */
/** What would make a token weaker than any other must not be dropped in silence: it is refused until there are such tokens. */
const notSupported = z
  .unknown()
  .refine((value) => value === undefined || value === null, 'is not supported')
  .optional()
  .meta({ description: 'Not supported: null, or left out.', override: { type: 'null' } });
const limits = { scopes: notSupported, expires_at: notSupported };

export const ApiTokenCreate = wrapped(
  'api_token',
  z.object({ name: text({ trim: true }).optional, ...limits }),
  limits,
);

export type ApiTokenAttributes = z.output<typeof ApiTokenCreate>['api_token'];
