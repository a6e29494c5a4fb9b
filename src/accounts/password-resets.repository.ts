import type { Db } from '../platform/database/knex';
import type { Tx } from '../platform/database/transaction';

/** Stores a reset; `user_id` is null if no account has the e-mail address. */
export async function insertPasswordReset(
  tx: Tx,
  reset: { user_id: number | null; token_hash: Buffer; expires_at: Date },
): Promise<void> {
  await tx('password_resets').insert(reset);
}

/** Returns the user of a token that is not expired; null if there is none. */
export async function findUserOfReset(db: Db, token_hash: Buffer, now: Date): Promise<number | null> {
  const found = await db('password_resets')
    .where({ token_hash })
    .where('expires_at', '>', now)
    .first<{ user_id: number | null } | undefined>('user_id');
  return found?.user_id ?? null;
}

/** Deletes a reset. @returns false if another transaction did so before */
export async function deletePasswordReset(tx: Tx, token_hash: Buffer): Promise<boolean> {
  return (await tx('password_resets').where({ token_hash }).delete()) > 0;
}

/** Deletes all resets of a user, so that no link in an earlier mail works. */
export async function deletePasswordResets(tx: Tx, userId: number): Promise<void> {
  await tx('password_resets').where({ user_id: userId }).delete();
}

/** Deletes up to `limit` expired resets. @returns how many */
export async function deleteExpiredResets(db: Db, now: Date, limit: number): Promise<number> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `DELETE FROM password_resets WHERE id = ANY(ARRAY(
       SELECT id FROM password_resets WHERE expires_at < ? ORDER BY expires_at LIMIT ? FOR UPDATE SKIP LOCKED))`,
    [now, limit],
  );
  return rowCount;
}
