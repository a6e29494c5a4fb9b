import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import type { Deps } from '../../access/context';
import { forEachConcurrently } from '../../platform/for-each-concurrently';
import { buildTemporaryPath } from '../../platform/temporary-files';
import type { FileContent, FileStorage } from '../../platform/storage/storage';
import { processImage } from './image-processing';
import { IMAGE_SIZES, type ImageFormat, type ImageSize } from './image-sizes';
import type { ImageContentType } from './images.definition';
import { findReferencedStorageKeys } from './images.repository';

/** An image whose files are in storage but not yet referenced by a row. */
export interface StoredImage {
  storage_key: string;
  content_type: ImageContentType;
  width: number;
  height: number;
}

/** The prefix of all image files in storage. */
export const IMAGES_PREFIX = 'images';

/**
 * Processes an image and stores the original and its sizes under a new key. Stores nothing if it fails. The caller must
 * save a row with the key, or call `removeUnreferencedImage`.
 * @throws as `processImage`
 */
export async function storeImage(storage: FileStorage, picture: FileContent): Promise<StoredImage> {
  if (Buffer.isBuffer(picture)) return storeBytes(storage, picture);
  const { sizes, ...image } = await processImage(picture.path);
  const storage_key = generateStorageKey();
  try {
    const files: [string, FileContent][] = [
      [buildOriginalKey(storage_key), picture],
      ...IMAGE_SIZES.map((size): [string, FileContent] => [buildFileKey(storage_key, size), sizes[size]]),
    ];
    await forEachConcurrently(files, ([key, content]) => storage.put(key, content));
  } catch (error) {
    // What cannot be removed now is removed by `removeUnreferencedFiles`.
    await storage.remove(storage_key).catch(() => undefined);
    throw error;
  }
  return { storage_key, ...image };
}

/** Writes the bytes to a temporary file first: images are decoded from files only. */
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
 * Removes the files of an image unless a row still references them; rows may share files. Never throws: files that
 * cannot be removed now are removed by `removeUnreferencedFiles`.
 */
export async function removeUnreferencedImage(
  deps: Pick<Deps, 'db' | 'storage' | 'log'>,
  storageKey: string,
): Promise<void> {
  try {
    const named = await findReferencedStorageKeys(deps.db, [storageKey]);
    if (named.length === 0) await deps.storage.remove(storageKey);
  } catch (error) {
    deps.log.warn(
      { err: error, storage_key: storageKey },
      'cannot remove the files of an image; they are removed later',
    );
  }
}

/** Builds the storage key of one size, in the format of the upload or in another one. */
export function buildFileKey(storageKey: string, size: ImageSize, format: ImageFormat | null = null): string {
  return `${storageKey}/${size}${format === null ? '' : `.${format}`}`;
}

/** Builds the storage key of the original, which is never served. */
export function buildOriginalKey(storageKey: string): string {
  return `${storageKey}/original`;
}

/** Returns the storage key of the image that a stored file belongs to. */
export function parseStorageKey(key: string): string {
  return key.slice(0, key.lastIndexOf('/'));
}

/** Generates a key below one of 256 folders, so that no folder grows too large. */
function generateStorageKey(): string {
  const id = randomUUID();
  return `${IMAGES_PREFIX}/${id.slice(0, 2)}/${id}`;
}
