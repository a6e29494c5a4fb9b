import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import type { Deps } from '../../access/context';
import { buildTemporaryPath } from '../../platform/temporary-files';
import type { FileContent, FileStorage } from '../../platform/storage/storage';
import { processImage } from './image-processing';
import { IMAGE_SIZES, type ImageSize } from './image-sizes';
import { findReferencedStorageKeys, type ImageContentType } from './images.repository';

/** A picture whose original and sizes are in storage; nothing names them yet. */
export interface StoredImage {
  storage_key: string;
  content_type: ImageContentType;
  width: number;
  height: number;
}

/** The folder of all pictures in storage. */
export const IMAGES_PREFIX = 'images';

/**
 * Checks the picture, makes its sizes and puts all of them under a new key. When that fails nothing stays; when the
 * caller's row does not come to name the key, the caller removes it with `removeUnnamedImage`.
 * @throws as `processImage`
 */
export async function storeImage(storage: FileStorage, picture: FileContent): Promise<StoredImage> {
  if (Buffer.isBuffer(picture)) return storeBytes(storage, picture);
  const { sizes, ...image } = await processImage(picture.path);
  const storage_key = generateStorageKey();
  try {
    await storage.put(`${storage_key}/original`, picture);
    for (const size of IMAGE_SIZES) await storage.put(buildFileKey(storage_key, size), sizes[size]);
  } catch (error) {
    await storage.remove(storage_key);
    throw error;
  }
  return { storage_key, ...image };
}

/** Pictures are decoded from files only; see processImage. */
async function storeBytes(storage: FileStorage, bytes: Buffer): Promise<StoredImage> {
  const path = buildTemporaryPath();
  try {
    await writeFile(path, bytes);
    return await storeImage(storage, { path });
  } finally {
    await rm(path, { force: true });
  }
}

/**
 * Removes the files of a picture that no row names any more; several rows may share one. Never throws: what
 * cannot be removed now is found by the sweep.
 */
export async function removeUnreferencedImage(
  deps: Pick<Deps, 'db' | 'storage' | 'log'>,
  storageKey: string,
): Promise<void> {
  try {
    const named = await findReferencedStorageKeys(deps.db, [storageKey]);
    if (named.length === 0) await deps.storage.remove(storageKey);
  } catch (error) {
    deps.log.warn({ err: error, storage_key: storageKey }, 'files of an image could not be removed yet');
  }
}

/** Where one size is. The original has a key too, but it is never served. */
export function buildFileKey(storageKey: string, size: ImageSize): string {
  return `${storageKey}/${size}`;
}

/** The picture a stored file belongs to: the folder it is in. */
export function parseStorageKey(key: string): string {
  return key.slice(0, key.lastIndexOf('/'));
}

/** Spread over 256 folders, so that none grows without end. */
function generateStorageKey(): string {
  const id = randomUUID();
  return `${IMAGES_PREFIX}/${id.slice(0, 2)}/${id}`;
}
