import {
  removeUnreferencedImage,
  type StoredImage,
  storeImage,
} from '../../src/catalog/images/image-storage';
import type { Deps } from '../../src/sales/context';
import { drawProductImage, type Picture } from './drawings/draw-product-image';

/** The stored images by the keys of their pictures. */
export type StoredPictures = ReadonlyMap<string, StoredImage>;

/** Two workers: one draws while the other uses the image pipeline, which processes one image at a time. */
const WORKERS = 2;

/**
 * Draws the pictures and stores them like uploads. On failure it removes all files. If the caller does not commit rows
 * that refer to the files, it must call `removePictures`. Takes about 55 ms of CPU time per picture.
 */
export async function storePictures(
  deps: Pick<Deps, 'db' | 'storage' | 'log'>,
  pictures: ReadonlyMap<string, Picture>,
): Promise<StoredPictures> {
  const stored = new Map<string, StoredImage>();
  const queue = pictures.entries();
  const work = async () => {
    // The workers share one iterator.
    for (const [key, picture] of queue) {
      stored.set(key, await storeImage(deps.storage, await drawProductImage(picture)));
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: WORKERS }, work));
  for (const outcome of outcomes) {
    if (outcome.status === 'fulfilled') continue;
    await removePictures(deps, stored);
    throw outcome.reason;
  }
  return stored;
}

/** Removes the files of all pictures that no row refers to. Never throws. */
export async function removePictures(
  deps: Pick<Deps, 'db' | 'storage' | 'log'>,
  stored: StoredPictures,
): Promise<void> {
  for (const { storage_key } of stored.values()) await removeUnreferencedImage(deps, storage_key);
}
