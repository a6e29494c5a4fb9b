import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { listTree, restoreFiles } from '../../platform/backup/copy-files';
import { readManifest, type BackupFile, type Manifest } from '../../platform/backup/manifest';
import { openDataFolder } from '../../platform/data-folder';
import { findBinaries, readMajorVersion } from '../../platform/database/embedded/binaries';
import { buildPaths } from '../../platform/database/embedded/cluster';
import { lockFile } from '../../platform/database/embedded/folder-lock';
import { endProcesses } from '../../platform/database/embedded/processes';
import { buildFilesPath, type Config } from '../../config';
import { buildSecretPath } from '../../boot/secret-key';
import { CommandRefused } from '../failures';
import { SECRET_FILE } from './back-up-store';
import { DUMP_FILE, loadDump } from './pg-tools';

export interface RestoreOptions {
  /** Whether an existing store may be replaced. */
  replaces: boolean;
}

/** What a restore has done. */
export interface Restored {
  manifest: Manifest;
  /** The folder with the replaced data; null if there was none. */
  replaced: string | null;
}

/** An item of DATA_DIR that a backup contains. */
interface Part {
  files: BackupFile[];
  /** Its place in DATA_DIR. */
  place: string;
}

/**
 * Restores the embedded database, the files and the secret key of a backup into DATA_DIR. Everything is copied and
 * compared with the manifest before anything is replaced; replaced data is kept in a folder of DATA_DIR.
 * @throws CommandRefused if there is a store and `replaces` is false, or if the backup is of another kind
 */
export async function restoreEmbedded(
  config: Config,
  backup: string,
  { replaces }: RestoreOptions,
): Promise<Restored> {
  const manifest = await readManifest(backup);
  if (manifest.kind !== 'embedded')
    throw new CommandRefused(
      `${backup} is a backup of an external database; set DATABASE_URL to an empty one and retry`,
    );
  const here = `${process.platform}-${process.arch}`;
  const major = readMajorVersion(findBinaries());
  if (manifest.platform !== here || manifest.postgres !== major)
    throw new CommandRefused(
      `${backup} is the data folder of PostgreSQL ${manifest.postgres} on ${manifest.platform}, which PostgreSQL ${major} on ${here} cannot read; restore it on such a system`,
    );
  const dataDir = openDataFolder(config.dataDir);
  const paths = buildPaths(dataDir);
  const unlock = lockFile(
    paths.lock,
    (holder) => `a store is running in ${dataDir} (process ${holder}); stop it and retry`,
  );
  try {
    if (existsSync(paths.cluster) && !replaces)
      throw new CommandRefused(
        `${dataDir} has a store already; set another DATA_DIR, or use --replace, which keeps the old data aside`,
      );
    // A killed store leaves its server running.
    if (existsSync(paths.cluster)) await endProcesses(paths.cluster);
    return { manifest, replaced: await placeParts(backup, dataDir, listParts(manifest, config)) };
  } finally {
    unlock();
  }
}

/**
 * Restores the database, the files and the secret key of a backup into DATABASE_URL and DATA_DIR. The database must be
 * empty unless `replaces` is true.
 */
export async function restoreDump(
  { config, url }: { config: Config; url: string },
  backup: string,
  { replaces }: RestoreOptions,
): Promise<Restored> {
  const manifest = await readManifest(backup);
  if (manifest.kind !== 'dump')
    throw new CommandRefused(`${backup} is a backup of the embedded database; unset DATABASE_URL and retry`);
  const dataDir = openDataFolder(config.dataDir);
  const draft = `${dataDir}/restoring`;
  await rm(draft, { recursive: true, force: true });
  try {
    const dump = manifest.files.filter((file) => file.path === DUMP_FILE);
    await restoreFiles(backup, dump, draft);
    await loadDump({ url, major: manifest.postgres }, path.join(draft, DUMP_FILE), { replaces });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return { manifest, replaced: await placeParts(backup, dataDir, listParts(manifest, config)) };
}

/** Lists the items of a backup below DATA_DIR; the data folder of the database last, because it makes a store. */
function listParts({ files }: Manifest, config: Config): Part[] {
  const below = (name: string): BackupFile[] =>
    files.filter((file) => file.path === name || file.path.startsWith(`${name}/`));
  const paths = buildPaths(config.dataDir);
  const parts: Part[] = [
    { files: below('files'), place: buildFilesPath(config) },
    // Also with SECRET_KEY, which then replaces it at the next start.
    { files: below(SECRET_FILE), place: buildSecretPath(config) },
    { files: below('postgres.json'), place: paths.credentials },
    { files: below('postgres'), place: paths.cluster },
  ];
  return parts.filter((part) => part.files.length > 0);
}

/** @returns the folder with what was there before; null if there was nothing */
async function placeParts(backup: string, dataDir: string, parts: readonly Part[]): Promise<string | null> {
  const draft = path.join(dataDir, 'restoring');
  const old = path.join(dataDir, `replaced-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`);
  await rm(draft, { recursive: true, force: true });
  try {
    for (const { files, place } of parts) {
      const isFolder = files.some((file) => file.path.includes('/'));
      const target = isFolder ? path.join(draft, path.basename(place)) : draft;
      await mkdir(target, { recursive: true, mode: 0o700 });
      await createFolders(path.join(backup, files[0]?.path.split('/')[0] ?? ''), isFolder ? target : null);
      await restoreFiles(backup, files, target);
    }
    for (const { place } of [...parts].reverse()) {
      if (!existsSync(place)) continue;
      await mkdir(old, { recursive: true, mode: 0o700 });
      await rename(place, path.join(old, path.basename(place)));
    }
    for (const { place } of parts) await rename(path.join(draft, path.basename(place)), place);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return existsSync(old) ? old : null;
}

/** Creates the folders of a part, also the empty ones, which PostgreSQL needs. */
async function createFolders(from: string, to: string | null): Promise<void> {
  if (to === null) return;
  for (const name of (await listTree(from)).folders)
    await mkdir(path.join(to, name), { recursive: true, mode: 0o700 });
}
