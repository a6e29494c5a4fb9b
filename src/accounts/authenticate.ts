import type { Actor } from '../access/actor';
import { InvalidApiKey } from '../errors/errors';
import type { Db } from '../platform/database/knex';
import { hashToken } from '../access/tokens';

interface HolderRow {
  user_id: number;
  email: string;
  token_id: number;
  is_admin: boolean;
}

/**
 * Returns the actor of an API token. One query.
 * @throws InvalidApiKey if the token is unknown or revoked
 */
export async function authenticate(db: Db, token: string): Promise<Actor> {
  const found = await db.raw<{ rows: HolderRow[] }>(
    `SELECT users.id AS user_id, users.email, api_tokens.id AS token_id,
            EXISTS (SELECT 1 FROM user_roles JOIN roles ON roles.id = user_roles.role_id
                    WHERE user_roles.user_id = users.id AND roles.name = 'admin') AS is_admin
       FROM api_tokens JOIN users ON users.id = api_tokens.user_id
      WHERE api_tokens.token_hash = ? AND api_tokens.revoked_at IS NULL`,
    [hashToken(token)],
  );
  const holder = found.rows[0];
  if (holder === undefined) throw new InvalidApiKey(token);
  const { user_id, email, token_id } = holder;
  return { kind: holder.is_admin ? 'admin' : 'customer', user_id, email, token_id };
}
