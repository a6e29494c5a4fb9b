import { randomBytes } from 'node:crypto';
import type { Db } from '../platform/database/knex';
import { createSealedBox, type SealedBox } from '../platform/sealed-box';
import { StartupError } from '../platform/startup-error';
import type { Config } from '../config';
import { findStoredSecret, hashSetting, loadSecretKey, SECRET_LENGTH } from './secret-key';
import {
  findSecretKey,
  hasEarlierSecrets,
  insertSecretKey,
  replaceSecretKey,
  type SecretKeyRow,
} from './secret-keys.repository';

type SecretConfig = Pick<Config, 'secretKey' | 'secretKeyPrevious' | 'dataDir' | 'isReadOnly'>;

/**
 * Loads the key of the store, which is in the database, encrypted with SECRET_KEY. All instances thus derive the same order
 * tokens and digests, or do not start: two with different keys would carry out one request twice. What SECRET_KEY_PREVIOUS or the
 * file in DATA_DIR opens is encrypted anew with SECRET_KEY; the key itself stays, so tokens and kept replies do too.
 * @throws StartupError if none of them opens the key, and as `loadSecretKey`
 */
export async function loadStoreSecret(config: SecretConfig, db: Db): Promise<Buffer> {
  const secret = await loadSecretKey(config);
  const own = createBox(secret);
  const row = (await findSecretKey(db)) ?? (await createKey(db, { secret, own }, config));
  if (row === null) return secret;
  const opened = open(own, row);
  if (opened !== null) return opened;
  for (const former of await listFormerSecrets(config)) {
    const key = open(createBox(former), row);
    if (key === null) continue;
    if (!config.isReadOnly) await replaceSecretKey(db, row.fingerprint, seal(own, key));
    return key;
  }
  throw new StartupError(
    'SECRET_KEY is not the one that this database was used with; set the same SECRET_KEY on all instances. ' +
      'To change it, set SECRET_KEY_PREVIOUS to the former one. If that is lost, run DELETE FROM secret_keys in the database, ' +
      'which invalidates the tokens of all orders, forgets the idempotency keys of the last day, and loses the credentials of payment methods',
  );
}

/** Returns whether `loadStoreSecret` would open the key of the store or create one, and changes nothing. */
export async function canOpenStore(config: Omit<SecretConfig, 'isReadOnly'>, db: Db): Promise<boolean> {
  const row = await findSecretKey(db);
  if (row === undefined) return true;
  const own = config.secretKey === null ? await findStoredSecret(config) : hashSetting(config.secretKey);
  const secrets = [...(own === null ? [] : [own]), ...(await listFormerSecrets(config))];
  return secrets.some((secret) => open(createBox(secret), row) !== null);
}

/** Stores a random key; for a store that already has tokens, the one that they are derived from. Null if it is read-only. */
async function createKey(
  db: Db,
  { secret, own }: { secret: Buffer; own: SealedBox },
  { isReadOnly }: SecretConfig,
): Promise<SecretKeyRow | null> {
  if (isReadOnly) return null;
  const key = (await hasEarlierSecrets(db)) ? secret : randomBytes(SECRET_LENGTH);
  await insertSecretKey(db, seal(own, key));
  return (await findSecretKey(db)) ?? null;
}

async function listFormerSecrets(config: Omit<SecretConfig, 'isReadOnly'>): Promise<Buffer[]> {
  const previous = config.secretKeyPrevious;
  const stored = config.secretKey === null ? null : await findStoredSecret(config);
  return [...(previous === null ? [] : [hashSetting(previous)]), ...(stored === null ? [] : [stored])];
}

function createBox(secret: Buffer): SealedBox {
  return createSealedBox(secret, 'key of the store');
}

function seal(box: SealedBox, key: Buffer): SecretKeyRow {
  const fingerprint = box.digest('fingerprint');
  return { fingerprint, sealed_key: box.seal(key, fingerprint) };
}

/** Returns null if the row is sealed with another secret. */
function open(box: SealedBox, { fingerprint, sealed_key }: SecretKeyRow): Buffer | null {
  return box.digest('fingerprint').equals(fingerprint) ? box.open(sealed_key, fingerprint) : null;
}
