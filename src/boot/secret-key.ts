import { createHash, randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config';
import { readErrorCode, returnNullIfMissing } from '../platform/error-code';
import { StartupError } from '../platform/startup-error';

/** In bytes. */
export const SECRET_LENGTH = 32;

/**
 * Loads the secret key that opens the key of the store (`loadStoreSecret`): SECRET_KEY, or else
 * random bytes that the first start generates and stores in DATA_DIR, readable only by this user. Instances that share
 * a database must share the key.
 * @throws StartupError if the stored file is damaged
 */
export async function loadSecretKey(config: Pick<Config, 'secretKey' | 'dataDir'>): Promise<Buffer> {
  if (config.secretKey !== null) return hashSetting(config.secretKey);
  const file = buildSecretPath(config);
  const secret = (await findSecret(file)) ?? (await createSecret(file));
  if (secret.length === SECRET_LENGTH) return secret;
  throw new StartupError(
    `${file} is damaged; restore it from a backup, or delete it, which invalidates the tokens of all orders`,
  );
}

/** Returns the key that SECRET_KEY or SECRET_KEY_PREVIOUS stands for. */
export function hashSetting(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}

/** Returns the key that an earlier start without SECRET_KEY stored; null if there is none or it is damaged. */
export async function findStoredSecret(config: Pick<Config, 'dataDir'>): Promise<Buffer | null> {
  const secret = await findSecret(buildSecretPath(config));
  return secret?.length === SECRET_LENGTH ? secret : null;
}

/** Returns the path of the stored key, which is used if SECRET_KEY is unset. */
export function buildSecretPath({ dataDir }: Pick<Config, 'dataDir'>): string {
  return path.join(dataDir, 'secret_key');
}

/** Creates the file atomically. If several instances start at once, all use the file that was created first. */
async function createSecret(file: string): Promise<Buffer> {
  const secret = randomBytes(SECRET_LENGTH);
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await mkdir(path.dirname(file), { recursive: true });
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(secret);
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    await link(draft, file);
    return secret;
  } catch (error) {
    if (readErrorCode(error) !== 'EEXIST') throw error;
    return await readFile(file);
  } finally {
    await rm(draft, { force: true });
  }
}

async function findSecret(file: string): Promise<Buffer | null> {
  return returnNullIfMissing(readFile(file));
}
