import type { Logger } from 'pino';
import { buildFilesPath, type Config } from '../config';
import { StartupError } from '../platform/startup-error';
import { createLocalDisk } from '../platform/storage/local-disk';
import { checkBucket, createS3Bucket } from '../platform/storage/s3-bucket';
import type { S3Problem } from '../platform/storage/s3-problem';
import { describeS3Address, type S3Address } from '../platform/storage/s3-url';
import type { FileStorage } from '../platform/storage/storage';

/** Creates the storage of files: the bucket of STORAGE_URL, else a folder of DATA_DIR. */
export function createStorage(config: Pick<Config, 'dataDir' | 'storage'>): FileStorage {
  return config.storage === null ? createLocalDisk(buildFilesPath(config)) : createS3Bucket(config.storage);
}

/**
 * Checks the bucket of STORAGE_URL. The store starts without it while it cannot be reached.
 * @throws StartupError if the bucket or the credentials are refused
 */
export async function requireBucket({ storage }: Pick<Config, 'storage'>, log: Logger): Promise<void> {
  if (storage === null) return;
  const problem = await checkBucket(storage);
  if (problem === null) return;
  const { message, advice } = explainS3Problem(storage, problem);
  if (problem.kind === 'refused') throw new StartupError(`${message}; ${advice}`);
  log.warn({ code: problem.code }, message);
}

/** Says what does not work, without credentials, and what to do. */
export function explainS3Problem(
  address: S3Address,
  { kind, code }: S3Problem,
): { message: string; advice: string } {
  const name = describeS3Address(address);
  if (code === 'NoSuchBucket')
    return { message: `the bucket of ${name} does not exist`, advice: 'create it, or correct STORAGE_URL' };
  if (kind === 'full') return { message: `${name} has no space`, advice: 'enlarge it, or delete files' };
  if (kind === 'refused')
    return {
      message: `${name} refuses to write, list, read or delete files (${code})`,
      advice: 'correct the credentials and the region in STORAGE_URL, or the permissions of the bucket',
    };
  return {
    message: `${name} cannot be reached (${code})`,
    advice: 'check the endpoint in STORAGE_URL and the network; images and documents fail until then',
  };
}
