import { createHash } from 'node:crypto';
import { constants, createWriteStream, type Dirent } from 'node:fs';
import { access, mkdir, open, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readErrorCode, returnNullIfMissing } from '../error-code';
import { forEachConcurrently } from '../for-each-concurrently';
import { StartupError } from '../startup-error';
import type { BackupFile } from './manifest';

const CHUNK_BYTES = 1024 * 1024;

/**
 * Copies a file and writes it to disk. The source may grow or shrink meanwhile; what was read is copied.
 * @returns the size and hash of the copy; null if the source does not exist
 */
async function copyFile(from: string, to: string): Promise<Pick<BackupFile, 'size' | 'sha256'> | null> {
  const source = await returnNullIfMissing(open(from, 'r'));
  if (source === null) return null;
  try {
    await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
    const target = await open(to, 'w', 0o600);
    const hash = createHash('sha256');
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let size = 0;
    try {
      for (;;) {
        const { bytesRead } = await source.read(chunk, 0, CHUNK_BYTES, size);
        if (bytesRead === 0) break;
        const read = chunk.subarray(0, bytesRead);
        hash.update(read);
        await target.writeFile(read);
        size += bytesRead;
      }
      await target.sync();
    } finally {
      await target.close();
    }
    return { size, sha256: hash.digest('hex') };
  } finally {
    await source.close();
  }
}

/** Copies a file into a backup, under this name in it. Empty if the source does not exist. */
export async function copyInto(backup: string, name: string, from: string): Promise<BackupFile[]> {
  const copied = await copyFile(from, path.join(backup, name));
  return copied === null ? [] : [{ path: name, ...copied }];
}

/** Writes a stream to a file of its own on disk. @returns the size and hash of what was written */
export async function saveStream(stream: Readable, to: string): Promise<Pick<BackupFile, 'size' | 'sha256'>> {
  await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
  const hash = createHash('sha256');
  let size = 0;
  await pipeline(
    stream,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(to, { mode: 0o600, flush: true }),
  );
  return { size, sha256: hash.digest('hex') };
}

/** The files and folders below a folder, as paths relative to it, with slashes. */
export interface Tree {
  folders: string[];
  files: string[];
}

/**
 * Lists a folder and everything below it. What disappears meanwhile is left out; a missing folder is empty.
 * @param isExcluded receives relative paths; excluded folders are not entered
 */
export async function listTree(
  root: string,
  isExcluded: (name: string) => boolean = () => false,
): Promise<Tree> {
  const tree: Tree = { folders: [], files: [] };
  const visit = async (folder: string): Promise<void> => {
    for (const entry of await readFolder(path.join(root, folder))) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (isExcluded(name)) continue;
      if (entry.isDirectory()) {
        tree.folders.push(name);
        await visit(name);
      } else if (entry.isFile()) tree.files.push(name);
    }
  };
  await visit('');
  return tree;
}

async function readFolder(folder: string): Promise<Dirent[]> {
  return (await returnNullIfMissing(readdir(folder, { withFileTypes: true }))) ?? [];
}

/**
 * Copies the listed files of a backup to `target`, without the first part of their paths, and compares them with the
 * manifest.
 * @throws StartupError if a file is missing or damaged
 */
export async function restoreFiles(
  backup: string,
  files: readonly BackupFile[],
  target: string,
): Promise<void> {
  await forEachConcurrently(files, async (file) => {
    const inside = file.path.slice(file.path.indexOf('/') + 1);
    const copied = await copyFile(path.join(backup, file.path), path.join(target, inside));
    if (copied?.size === file.size && copied.sha256 === file.sha256) return;
    const state = copied === null ? 'missing' : 'damaged';
    throw new StartupError(`${path.join(backup, file.path)} is ${state}; use another backup`);
  });
}

/** Creates the folder of a backup. @throws StartupError if it exists or cannot be created */
export async function createBackupFolder(folder: string): Promise<void> {
  try {
    await mkdir(path.dirname(folder), { recursive: true });
    await mkdir(folder, { mode: 0o700 });
    await access(folder, constants.W_OK);
  } catch (error) {
    const code = readErrorCode(error);
    throw new StartupError(
      code === 'EEXIST'
        ? `${folder} exists already; name a folder that does not exist`
        : `${folder} cannot be created (${code ?? 'unknown'}); name a folder that this user may write`,
    );
  }
}
