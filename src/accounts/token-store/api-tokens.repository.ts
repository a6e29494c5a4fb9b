import { hasRow } from '../../platform/database/has-row';
import type { Db } from '../../platform/database/knex';
import { requireRow } from '../../platform/database/require-row';
import type { Tx } from '../../platform/database/transaction';
import { createRecords } from '../../platform/resource/records';
import { ApiToken, type ApiTokenRow } from './api-tokens.definition';

export const apiTokenRecords = createRecords(ApiToken);

export interface NewApiToken {
  user_id: number;
  name: string;
  token_hash: Buffer;
  is_session: boolean;
  scopes: readonly string[];
  expires_at: Date | null;
}

/** Inserts a token. @throws api_tokens_token_hash_unique if it already exists */
export async function insertApiToken(tx: Tx, token: NewApiToken): Promise<ApiTokenRow> {
  const rows = await tx('api_tokens')
    .insert(token)
    .returning<ApiTokenRow[]>([...ApiToken.columns]);
  return requireRow(rows);
}

/** Revokes a token of a user; repeating changes nothing. @returns whether the user has the token */
export async function revokeApiToken(
  tx: Tx,
  { user_id, id }: { user_id: number; id: number },
  now: Date,
): Promise<boolean> {
  const revoked_at = tx.raw('coalesce(revoked_at, ?)', [now]);
  return (await tx('api_tokens').where({ user_id, id }).update({ revoked_at })) > 0;
}

/**
 * Revokes all tokens of a user except one, or all for null. The token set by ADMIN_TOKEN is kept: it changes with that
 * setting only.
 */
export async function revokeOtherApiTokens(
  tx: Tx,
  { user_id, except }: { user_id: number; except: number | null },
  now: Date,
): Promise<void> {
  const others = tx('api_tokens').where({ user_id, is_configured: false }).whereNull('revoked_at');
  if (except !== null) void others.whereNot({ id: except });
  await others.update({ revoked_at: now });
}

/** Deletes the tokens of sign-ins of a user except those `kept` that were used last. */
export async function deleteOldestSessionTokens(tx: Tx, user_id: number, kept: number): Promise<void> {
  const oldest = tx('api_tokens')
    .where({ user_id, is_session: true })
    .orderByRaw('coalesce(last_used_at, created_at) DESC, id DESC')
    .offset(kept)
    .select('id');
  await tx('api_tokens').whereIn('id', oldest).delete();
}

/** Assigns the token set by ADMIN_TOKEN to the user, also if another user had it. Revokes the one set before. */
export async function configureApiToken(
  tx: Tx,
  { user_id, name, token_hash }: Pick<NewApiToken, 'user_id' | 'name' | 'token_hash'>,
  now: Date,
): Promise<void> {
  await tx('api_tokens')
    .where({ is_configured: true })
    .whereNot({ token_hash })
    .update({ is_configured: false, revoked_at: now });
  await tx('api_tokens')
    .insert({ user_id, name, token_hash, is_configured: true })
    .onConflict('token_hash')
    .merge({
      user_id,
      name,
      is_configured: true,
      is_session: false,
      revoked_at: null,
      scopes: ['*'],
      expires_at: null,
    });
}

/** Returns whether a token has been revoked or deleted. */
export async function hasEnded(db: Db, tokenId: number): Promise<boolean> {
  return !(await hasRow(db('api_tokens').where({ id: tokenId }).whereNull('revoked_at').select('id')));
}

/** Returns whether a token is of a sign-in after `since`, or the one set by ADMIN_TOKEN, whose holder is the operator. */
export async function provesPassword(db: Db, tokenId: number, since: Date): Promise<boolean> {
  return hasRow(
    db('api_tokens')
      .where({ id: tokenId })
      .whereRaw('(is_configured OR (is_session AND created_at > ?))', [since])
      .select('id'),
  );
}

/** Returns whether the user has a token that is neither revoked nor expired. */
export async function hasApiToken(db: Db, userId: number): Promise<boolean> {
  return hasRow(
    db('api_tokens')
      .where({ user_id: userId })
      .whereNull('revoked_at')
      .whereRaw("coalesce(expires_at, 'infinity') > now()")
      .select('id'),
  );
}

/** Deletes up to `limit` sign-in tokens that are unused since `before`, including revoked ones. @returns how many */
export async function deleteUnusedSessionTokens(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `DELETE FROM api_tokens WHERE id = ANY(ARRAY(
       SELECT id FROM api_tokens WHERE is_session AND coalesce(last_used_at, created_at) < ?
        ORDER BY coalesce(last_used_at, created_at) LIMIT ? FOR UPDATE SKIP LOCKED))`,
    [before, limit],
  );
  return rowCount;
}
