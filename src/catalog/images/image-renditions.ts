import { rm } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Deps } from '../../access/context';
import { Unavailable } from '../../platform/errors';
import { buildTemporaryPath } from '../../platform/temporary-files';
import type { StoredFile } from '../../platform/storage/storage';
import { renderImage } from './image-processing';
import { buildFileKey, buildOriginalKey } from './image-storage';
import type { ImageFormat, ImageSize } from './image-sizes';
import type { ImageRow } from './images.definition';

type Storage = Pick<Deps, 'storage' | 'log'>;

/** What is being rendered, by storage key: requests for the same file wait for one. */
const running = new Map<string, Promise<Buffer | null>>();

/**
 * Opens a file of an image: a size, in the format of the upload or in another one. Files that are not made at the upload are
 * made from the original by the first request, and stored. Null if the image was removed meanwhile.
 * @throws Unavailable if too many images are waiting
 */
async function openRendition(
  deps: Storage,
  image: ImageRow,
  size: ImageSize,
  format: ImageFormat | null,
): Promise<StoredFile | null> {
  const key = buildFileKey(image.storage_key, size, format);
  const stored = await deps.storage.open(key);
  if (stored !== null || (format === null && size !== 'xlarge')) return stored;
  const rendering = running.get(key) ?? render(deps, image, { key, size, format });
  running.set(key, rendering);
  try {
    const bytes = await rendering;
    return bytes && { size: bytes.length, stream: Readable.from([bytes]) };
  } finally {
    running.delete(key);
  }
}

/** Opens a file as `openRendition`; the format of the upload if another one cannot be made now. */
export async function openNegotiated(
  deps: Storage,
  image: ImageRow,
  size: ImageSize,
  format: ImageFormat | null,
): Promise<{ file: StoredFile; format: ImageFormat | null } | null> {
  try {
    const file = await openRendition(deps, image, size, format);
    return file && { file, format };
  } catch (error) {
    if (format === null || !(error instanceof Unavailable)) throw error;
    const file = await openRendition(deps, image, size, null);
    return file && { file, format: null };
  }
}

async function render(
  { storage, log }: Storage,
  image: ImageRow,
  { key, size, format }: { key: string; size: ImageSize; format: ImageFormat | null },
): Promise<Buffer | null> {
  const original = await storage.open(buildOriginalKey(image.storage_key));
  if (original === null) return null;
  const path = buildTemporaryPath();
  try {
    await pipeline(original.stream, createWriteStream(path));
    const bytes = await renderImage(path, image, { size, format });
    // The reply does not need the file: an instance that only reads cannot store it.
    await storage.put(key, bytes).catch((error: unknown) => {
      log.warn({ err: error, key }, 'cannot store a size of an image; the next request makes it again');
    });
    return bytes;
  } finally {
    await rm(path, { force: true });
  }
}
