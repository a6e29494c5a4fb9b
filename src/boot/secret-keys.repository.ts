import type { Db } from '../platform/database/knex';

/** The sealed key of the store, and the fingerprint of the SECRET_KEY that opens it. */
export interface SecretKeyRow {
  fingerprint: Buffer;
  sealed_key: Buffer;
}

/** Returns the sealed key of the store; undefined before the first start. */
export async function findSecretKey(db: Db): Promise<SecretKeyRow | undefined> {
  return db('secret_keys').first<SecretKeyRow | undefined>('fingerprint', 'sealed_key');
}

/** Stores the key unless another instance has stored one. */
export async function insertSecretKey(db: Db, row: SecretKeyRow): Promise<void> {
  await db('secret_keys').insert(row).onConflict('id').ignore();
}

/** Replaces the key that `former` opened. Does nothing if another instance has replaced it. */
export async function replaceSecretKey(db: Db, former: Buffer, row: SecretKeyRow): Promise<void> {
  await db('secret_keys')
    .where({ fingerprint: former })
    .update({ ...row, updated_at: db.raw('now()') });
}

/** Returns whether tokens or replies exist that were made before the key was stored. */
export async function hasEarlierSecrets(db: Db): Promise<boolean> {
  const { rows } = await db.raw<{ rows: { found: boolean }[] }>(
    'SELECT EXISTS (SELECT FROM orders) OR EXISTS (SELECT FROM idempotency_keys) AS found',
  );
  return rows[0]?.found === true;
}
