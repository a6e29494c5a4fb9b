import { hashToken } from '../access/tokens';
import { InvalidApiKey } from '../errors/errors';
import type { Db } from '../platform/database/knex';
import { queryPrepared } from '../platform/database/prepared';
import { LONGEST_SESSION_MS, SESSION_MS } from './token-store/token-expiry';

/** The user of a token, and what both may do. */
export interface HolderRow {
  user_id: number;
  email: string;
  token_id: number;
  token_name: string;
  role_grants: string[];
  token_grants: string[];
  is_use_recorded: boolean;
  /** Whether a sign-in without a second factor may only set one up, if its user is staff. */
  lacks_two_factor: boolean;
}

const HOLDER = {
  name: 'token_holder',
  sql: `SELECT users.id AS user_id, users.email, api_tokens.id AS token_id, api_tokens.name AS token_name,
            api_tokens.scopes AS token_grants,
            ARRAY(SELECT unnest(roles.scopes) FROM user_roles JOIN roles ON roles.id = user_roles.role_id
                   WHERE user_roles.user_id = users.id) AS role_grants,
            coalesce(api_tokens.last_used_at > now() - interval '1 hour', false) AS is_use_recorded,
            api_tokens.is_session AND EXISTS (SELECT FROM stores WHERE is_default AND require_two_factor)
              AND NOT EXISTS (SELECT FROM two_factors WHERE user_id = users.id AND enabled_at IS NOT NULL) AS lacks_two_factor
       FROM api_tokens JOIN users ON users.id = api_tokens.user_id
      WHERE api_tokens.token_hash = ? AND api_tokens.revoked_at IS NULL
        AND coalesce(api_tokens.expires_at, 'infinity') > now()
        AND NOT (api_tokens.is_session
                 AND (coalesce(api_tokens.last_used_at, api_tokens.created_at) < now() - ? * interval '1 millisecond'
                      OR api_tokens.created_at < now() - ? * interval '1 millisecond'))`,
};

/** Returns the user of an API token. One statement. @throws InvalidApiKey if the token is unknown, revoked or expired */
export async function getHolder(db: Db, token: string): Promise<HolderRow> {
  const [holder] = await queryPrepared<HolderRow>(db, HOLDER, [
    hashToken(token),
    SESSION_MS,
    LONGEST_SESSION_MS,
  ]);
  if (holder === undefined) throw new InvalidApiKey(token);
  return holder;
}

/** Records the use without waiting for locks; one of several concurrent requests records it. */
export async function recordUse(db: Db, tokenId: number): Promise<void> {
  await db.raw(
    `UPDATE api_tokens SET last_used_at = now() WHERE id = (
       SELECT id FROM api_tokens
        WHERE id = ? AND (last_used_at IS NULL OR last_used_at <= now() - interval '1 hour') FOR UPDATE SKIP LOCKED)`,
    [tokenId],
  );
}
