import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, type Dirent } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { returnNullIfMissing } from '../error-code';
import { hasSpaceIn, toDiskError } from './disk-space';
import { requireStorageKey } from './keys';
import type { FileContent, FileStorage, StoredFile, StoredFileInfo } from './storage';

/** Creates a storage in `folder`, which is created with the first file. Several processes may share it. */
export function createLocalDisk(folder: string): FileStorage {
  const root = path.resolve(folder);
  const pathOf = (key: string): string => {
    requireStorageKey(key);
    return path.join(root, ...key.split('/'));
  };
  return {
    put: (key, content) => putFile(pathOf(key), content),
    hasSpace: async () => (await hasSpaceIn(root)) && hasSpaceIn(tmpdir()),
    open: (key) => openFile(pathOf(key)),
    remove: (prefix) => rm(pathOf(prefix), { recursive: true, force: true }),
    list: (prefix) => listFiles(prefix === '' ? root : pathOf(prefix), prefix),
  };
}

/** Writes the file under a temporary name and renames it. */
async function putFile(file: string, content: FileContent): Promise<void> {
  const unfinished = `${file}.${randomUUID()}.part`;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    // The file must survive a power failure if its row does.
    const flush = true;
    if (Buffer.isBuffer(content)) await writeFile(unfinished, content, { flush });
    else await pipeline(createReadStream(content.path), createWriteStream(unfinished, { flush }));
    await rename(unfinished, file);
  } catch (error) {
    // What a disk that fails keeps, the job of unneeded files removes.
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw toDiskError(error);
  }
}

async function openFile(file: string): Promise<StoredFile | null> {
  const handle = await returnNullIfMissing(open(file, 'r')).catch((error: unknown) => {
    throw toDiskError(error);
  });
  if (handle === null) return null;
  try {
    const info = await handle.stat();
    if (info.isFile()) return { size: info.size, stream: handle.createReadStream() };
  } catch (error) {
    await handle.close();
    throw toDiskError(error);
  }
  await handle.close();
  return null;
}

async function* listFiles(folder: string, prefix: string): AsyncGenerator<StoredFileInfo> {
  const entries: Dirent[] = (await returnNullIfMissing(readdir(folder, { withFileTypes: true }))) ?? [];
  for (const entry of entries) {
    const key = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
    const inside = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      yield* listFiles(inside, key);
    } else {
      const info = await returnNullIfMissing(stat(inside));
      if (info !== null) yield { key, modified_at: info.mtime };
    }
  }
}
