import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';

/** The second factor of an account. */
export interface TwoFactorRow {
  user_id: number;
  /** Encrypted with the key of the store. */
  sealed_secret: Buffer;
  /** Of the recovery codes that are not used yet. */
  recovery_hashes: Buffer[];
  /** Null until a first code has shown that the app works. */
  enabled_at: Date | null;
}

/** Returns the second factor of an account, also one that is not enabled yet; undefined without one. */
export async function findTwoFactor(db: Db, userId: number): Promise<TwoFactorRow | undefined> {
  return db('two_factors')
    .where({ user_id: userId })
    .first<TwoFactorRow | undefined>('user_id', 'sealed_secret', 'recovery_hashes', 'enabled_at');
}

/** Stores a second factor that is not enabled. It replaces one that is not. @returns false if one is enabled */
export async function storeTwoFactor(
  tx: Tx,
  factor: Pick<TwoFactorRow, 'user_id' | 'sealed_secret' | 'recovery_hashes'>,
): Promise<boolean> {
  const { user_id, sealed_secret, recovery_hashes } = factor;
  const { rowCount } = await tx.raw<{ rowCount: number }>(
    `INSERT INTO two_factors (user_id, sealed_secret, recovery_hashes) VALUES (?, ?, ?)
     ON CONFLICT (user_id) DO UPDATE
        SET sealed_secret = excluded.sealed_secret, recovery_hashes = excluded.recovery_hashes, last_step = NULL
      WHERE two_factors.enabled_at IS NULL`,
    [user_id, sealed_secret, recovery_hashes],
  );
  return rowCount > 0;
}

/** Marks a code of the app as used. @returns false if it was used before, or a later one */
export async function useStep(db: Db, userId: number, step: number): Promise<boolean> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    'UPDATE two_factors SET last_step = ? WHERE user_id = ? AND coalesce(last_step, -1) < ?',
    [step, userId, step],
  );
  return rowCount > 0;
}

/** Removes a recovery code. @returns false if it is not one of the account, or was used before */
export async function useRecoveryCode(db: Db, userId: number, hash: Buffer): Promise<boolean> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `UPDATE two_factors SET recovery_hashes = array_remove(recovery_hashes, ?::bytea)
      WHERE user_id = ? AND ?::bytea = ANY (recovery_hashes)`,
    [hash, userId, hash],
  );
  return rowCount > 0;
}

/** Enables the second factor of an account. */
export async function enableTwoFactor(tx: Tx, userId: number, now: Date): Promise<void> {
  await tx('two_factors').where({ user_id: userId }).update({ enabled_at: now });
}

/** Removes the second factor of an account. Repeatable. */
export async function deleteTwoFactor(tx: Tx, userId: number): Promise<void> {
  await tx('two_factors').where({ user_id: userId }).delete();
}

/** Revokes the sign-ins of a user except one. API tokens stay. */
export async function revokeOtherSessions(
  tx: Tx,
  { user_id, except }: { user_id: number; except: number },
  now: Date,
): Promise<void> {
  await tx('api_tokens')
    .where({ user_id, is_session: true })
    .whereNull('revoked_at')
    .whereNot({ id: except })
    .update({ revoked_at: now });
}
