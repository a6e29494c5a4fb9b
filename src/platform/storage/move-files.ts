import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { saveStream } from '../backup/copy-files';
import { forEachConcurrently } from '../for-each-concurrently';
import { StartupError } from '../startup-error';
import { buildTemporaryPath } from '../temporary-files';
import type { FileStorage } from './storage';

/** The result of `moveFiles`; `bytes` counts copied files only. */
export interface MovedFiles {
  copied: number;
  unchanged: number;
  removed: number;
  bytes: number;
}

/**
 * Copies all files of a storage to another one, and reads each copy back to compare its digest. Files that are there are
 * compared only, so a repetition copies what is missing. Both storages may be in use.
 * @param options.removes whether each file is removed once its copy is verified
 * @throws StartupError if a copy differs; its file is not removed
 */
export async function moveFiles(
  from: FileStorage,
  to: FileStorage,
  { removes }: { removes: boolean },
): Promise<MovedFiles> {
  const moved: MovedFiles = { copied: 0, unchanged: 0, removed: 0, bytes: 0 };
  await forEachStored(from, async (key) => {
    const outcome = await copyOne(from, to, key);
    if (outcome === null) return;
    moved[outcome.state] += 1;
    if (outcome.state === 'copied') moved.bytes += outcome.size;
    if (!removes) return;
    await from.remove(key);
    moved.removed += 1;
  });
  return moved;
}

const BATCH = 1000;

/** Runs `work` for the key of each complete file of a storage, a few at a time. */
export async function forEachStored(
  storage: FileStorage,
  work: (key: string) => Promise<void>,
): Promise<void> {
  let batch: string[] = [];
  for await (const { key } of storage.list('')) {
    if (key.endsWith('.part')) continue;
    batch.push(key);
    if (batch.length < BATCH) continue;
    await forEachConcurrently(batch, work);
    batch = [];
  }
  await forEachConcurrently(batch, work);
}

/** Copies a file unless the same content is there; null if the file is gone. */
async function copyOne(
  from: FileStorage,
  to: FileStorage,
  key: string,
): Promise<{ state: 'copied' | 'unchanged'; size: number } | null> {
  const source = await from.open(key);
  if (source === null) return null;
  const path = buildTemporaryPath();
  try {
    const { sha256, size } = await saveStream(source.stream, path);
    if ((await findDigest(to, key)) === sha256) return { state: 'unchanged', size };
    await to.put(key, { path });
    if ((await findDigest(to, key)) === sha256) return { state: 'copied', size };
    throw new StartupError(`the copy of ${key} differs from the file; check both storages and retry`);
  } finally {
    await rm(path, { force: true });
  }
}

async function findDigest(storage: FileStorage, key: string): Promise<string | null> {
  const file = await storage.open(key);
  if (file === null) return null;
  const hash = createHash('sha256');
  await pipeline(file.stream, hash);
  return hash.digest('hex');
}
