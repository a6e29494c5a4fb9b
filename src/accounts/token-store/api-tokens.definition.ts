import { z } from 'zod';
import { boolean, choices, reference, text, timestamp } from '../../platform/resource/columns';
import { defineResource, type JsonOf, type RowOf } from '../../platform/resource/definition';
import { SCOPES } from '../../access/scopes';
import { calculateExpiry } from './token-expiry';

/**
 * An API token without its hash, which is never read: replies would show it, and predicates of `q` would reveal it byte
 * by byte.
 */
export const ApiToken = defineResource({
  table: 'api_tokens',
  name: 'api_token',
  schema: 'ApiToken',
  deletion: 'hard',
  fields: {
    name: { type: text(), internal: true, search: true, description: 'A description of its use.' },
    created_at: { type: timestamp(), generated: true, search: true },
    revoked_at: {
      type: timestamp(),
      nullable: true,
      internal: true,
      search: true,
      description: 'When the token was revoked. Null while it is valid.',
    },
    last_used_at: {
      type: timestamp(),
      nullable: true,
      internal: true,
      search: true,
      description: 'Accurate to the hour; null if the token was never used.',
    },
    scopes: {
      type: choices<string>([...SCOPES]),
      internal: true,
      reply: z.array(z.string()),
      description: 'What the token is limited to; `*` for no limits.',
    },
    expires_at: {
      type: timestamp(),
      nullable: true,
      internal: true,
      search: true,
      description:
        'Tokens of sign-in and sign-up expire 30 days after their last use, and 90 days after they were issued. Null for tokens that do not expire.',
    },
    user_id: { type: reference(), internal: true, hidden: true },
    /** Whether sign-in or sign-up issued it; such tokens expire without use, and their `expires_at` is null. */
    is_session: { type: boolean(), internal: true, hidden: true },
  },
  search: { baseOrder: ['api_tokens.id DESC'] },
});

export type ApiTokenRow = RowOf<typeof ApiToken>;
export type ApiTokenJson = JsonOf<typeof ApiToken>;

export function serializeApiToken(token: ApiTokenRow): ApiTokenJson {
  return ApiToken.serialize({ ...token, expires_at: calculateExpiry(token) });
}
