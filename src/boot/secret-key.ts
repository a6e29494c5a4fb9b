import { createHash, randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config';
import { errorCodeOf } from '../platform/error-code';
import { StartupError } from '../platform/startup-error';

/** Bytes. */
export const SECRET_LENGTH = 32;

/**
 * The program's secret, from which order tokens and the keys of kept replies are derived: SECRET_KEY, or else random bytes that are made at the
 * first start and kept in DATA_DIR, readable to this user only. Instances that share a database must share it.
 * @throws StartupError when the kept file is not what was written
 */
export async function loadSecretKey(config: Pick<Config, 'secretKey' | 'dataDir'>): Promise<Buffer> {
  if (config.secretKey !== null) return createHash('sha256').update(config.secretKey).digest();
  const file = secretFile(config);
  const kept = (await readIfThere(file)) ?? (await keepNewSecret(file));
  if (kept.length === SECRET_LENGTH) return kept;
  throw new StartupError(
    `${file} is damaged: restore it from a backup, or delete it and accept that the tokens of all orders change`,
  );
}

/** Where the key is kept when no setting names one. */
export function secretFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return path.join(dataDir, 'secret_key');
}

/** Nobody ever sees half a file, and of several starting at once all use the one that was first. */
async function keepNewSecret(file: string): Promise<Buffer> {
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
    if (errorCodeOf(error) !== 'EEXIST') throw error;
    return await readFile(file);
  } finally {
    await rm(draft, { force: true });
  }
}

async function readIfThere(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
