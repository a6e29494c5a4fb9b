import { removeUnnamedImage, type StoredImage, storeImage } from '../../src/catalog/images/image-storage';
import type { Deps } from '../../src/sales/context';
import { drawProductImage, type Picture } from './drawings/draw-product-image';

/** What was stored, under the keys the caller knows the pictures by. */
export type StoredPictures = ReadonlyMap<string, StoredImage>;

/** One draws while the other's picture goes through the pipeline, which takes one at a time. */
const WORKERS = 2;

/**
 * Draws the pictures and puts them into storage the way uploads go. Nothing stays in storage when it fails; when the
 * caller's rows do not come to name the files, the caller calls `removePictures`. Takes about 30 ms a picture on two
 * cores.
 */
export async function storePictures(
  deps: Pick<Deps, 'db' | 'storage' | 'log'>,
  pictures: ReadonlyMap<string, Picture>,
): Promise<StoredPictures> {
  const stored = new Map<string, StoredImage>();
  const queue = pictures.entries();
  const work = async () => {
    // All workers take from one iterator.
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

/** Removes the files of all pictures that no row names. Never throws. */
export async function removePictures(
  deps: Pick<Deps, 'db' | 'storage' | 'log'>,
  stored: StoredPictures,
): Promise<void> {
  for (const { storage_key } of stored.values()) await removeUnnamedImage(deps, storage_key);
}
