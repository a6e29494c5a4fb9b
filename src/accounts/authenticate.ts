import type { TokenHolder } from '../access/actor';
import type { Db } from '../platform/database/knex';
import { getHolder, recordUse, type HolderRow } from './token-holders.repository';

/**
 * Returns the user of an API token and what both may do. One query, and once an hour another one that records the use.
 * @throws InvalidApiKey if the token is unknown, revoked or expired
 */
export async function authenticate(db: Db, token: string): Promise<TokenHolder> {
  const holder = await getHolder(db, token);
  if (!holder.is_use_recorded) await recordUse(db, holder.token_id);
  return toTokenHolder(holder);
}

/** Returns the same without recording the use, for a read-only store. @throws InvalidApiKey like `authenticate` */
export async function identify(db: Db, token: string): Promise<TokenHolder> {
  return toTokenHolder(await getHolder(db, token));
}

function toTokenHolder(holder: HolderRow): TokenHolder {
  const { user_id, email, token_id, token_name, role_grants, token_grants } = holder;
  const lacksTwoFactor = holder.lacks_two_factor && role_grants.length > 0;
  return {
    user_id,
    email,
    token_id,
    token_name,
    roleGrants: role_grants,
    tokenGrants: token_grants,
    lacksTwoFactor,
  };
}
