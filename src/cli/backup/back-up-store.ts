import { realpathSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { buildFilesPath, type Config } from '../../config';
import { buildSecretPath } from '../../boot/secret-key';
import { readErrorCode } from '../../platform/error-code';
import { buildPaths } from '../../platform/database/embedded/cluster';
import { getProcessIdentity } from '../../platform/process-identity';
import { backUpCluster } from '../../platform/backup/back-up-cluster';
import { copyInto, createBackupFolder, listTree, saveStream } from '../../platform/backup/copy-files';
import { forEachConcurrently } from '../../platform/for-each-concurrently';
import { writeManifest, type BackupFile, type Manifest } from '../../platform/backup/manifest';
import { forEachStored } from '../../platform/storage/move-files';
import { createS3Bucket } from '../../platform/storage/s3-bucket';
import { describeS3Address } from '../../platform/storage/s3-url';
import type { FileStorage } from '../../platform/storage/storage';
import { CommandRefused } from '../failures';
import { dumpDatabase } from './pg-tools';

/** The store to back up, and the version of its server as `server_version_num`. */
export interface BackedUpStore {
  config: Config;
  url: string;
  serverVersion: number;
  /** Whether files that are in a bucket are copied too. */
  includesBucket: boolean;
}

/**
 * Copies the database, the uploaded files and the generated secret key of a store to a new folder. The store may be
 * running. The folder is complete or missing: until the end it has another name. Files in a bucket stay there, unless
 * `includesBucket` is true.
 * @throws CommandRefused, StartupError if the folder or the programs of PostgreSQL cannot be used
 */
export async function backUpStore(store: BackedUpStore, folder: string): Promise<Manifest> {
  const { config, serverVersion } = store;
  const target = path.resolve(folder);
  // Reserves the name, so that an existing backup is noticed before the work.
  await createBackupFolder(target);
  const draft = `${target}.partial`;
  try {
    await createBackupFolder(draft);
    try {
      const files = await copyStore(store, draft);
      const manifest: Manifest = {
        format: 1,
        created_at: new Date().toISOString(),
        version: getProcessIdentity().version,
        kind: config.databaseUrl === null ? 'embedded' : 'dump',
        postgres: Math.floor(serverVersion / 10_000),
        platform: `${process.platform}-${process.arch}`,
        has_secret_key: files.some((file) => file.path === SECRET_FILE),
        ...(config.storage !== null &&
          !store.includesBucket && { bucket: describeS3Address(config.storage) }),
        files,
      };
      await writeManifest(draft, manifest);
      await rename(draft, target);
      return manifest;
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  } catch (error) {
    await rm(target, { recursive: true, force: true });
    if (readErrorCode(error) !== 'ENOSPC') throw error;
    throw new CommandRefused(
      `the disk of ${target} is full; free disk space, or name a folder on another disk`,
    );
  }
}

/** The name of the secret key in a backup. */
export const SECRET_FILE = 'secret_key';

async function copyStore(
  { config, url, serverVersion, includesBucket }: BackedUpStore,
  draft: string,
): Promise<BackupFile[]> {
  // A file that a row of the copied database names exists before the copy begins, or after it has ended.
  const uploads = new Map<string, BackupFile>();
  const copyUploads = async (): Promise<void> => {
    if (config.storage === null) await copyFolder(config, draft, uploads);
    else if (includesBucket) await copyBucket(createS3Bucket(config.storage), draft, uploads);
  };
  await copyUploads();
  const database =
    config.databaseUrl === null
      ? await copyEmbedded(config, url, draft)
      : await dumpDatabase({ url, serverVersion }, draft);
  await copyUploads();
  const secret = config.secretKey === null ? await copyInto(draft, SECRET_FILE, buildSecretPath(config)) : [];
  return [...database, ...uploads.values(), ...secret];
}

async function copyEmbedded(config: Config, url: string, draft: string): Promise<BackupFile[]> {
  const { cluster, credentials } = buildPaths(config.dataDir);
  const files = await backUpCluster({ url, folder: realpathSync(cluster) }, draft);
  return [...files, ...(await copyInto(draft, path.basename(credentials), credentials))];
}

/** Copies the uploaded files that are not in `copied` yet. Their content never changes. */
async function copyFolder(config: Config, draft: string, copied: Map<string, BackupFile>): Promise<void> {
  const folder = buildFilesPath(config);
  const { files } = await listTree(folder, (name) => name.endsWith('.part'));
  const missing = files.filter((name) => !copied.has(name));
  await forEachConcurrently(missing, async (name) => {
    const [file] = await copyInto(draft, `files/${name}`, path.join(folder, name));
    if (file !== undefined) copied.set(name, file);
  });
}

/** As `copyFolder`, from a bucket. */
async function copyBucket(
  bucket: FileStorage,
  draft: string,
  copied: Map<string, BackupFile>,
): Promise<void> {
  await forEachStored(bucket, async (key) => {
    if (copied.has(key)) return;
    const file = await bucket.open(key);
    if (file === null) return;
    const name = `files/${key}`;
    copied.set(key, { path: name, ...(await saveStream(file.stream, path.join(draft, name))) });
  });
}
