import type { Deps } from '../../access/context';
import { removeTemporaryFiles } from '../../platform/temporary-files';
import { IMAGES_PREFIX, parseStorageKey } from './image-storage';
import { findReferencedStorageKeys } from './images.repository';

/** Longer than any upload takes from its first file to its row. */
const MIN_AGE_MS = 60 * 60 * 1000;
const BATCH = 1000;

/**
 * Removes the files that killed processes and failed removals leave behind: stored images without a row, and temporary
 * files, each if nothing was written to it for an hour. Safe to run at any time, on several instances at once. Stops
 * soon after `isRunning` returns false; the next run removes the rest.
 * @returns the number of images and temporary files removed
 */
export async function removeUnreferencedFiles(
  deps: Pick<Deps, 'db' | 'storage' | 'now' | 'log'>,
  isRunning: () => boolean = () => true,
): Promise<number> {
  const before = new Date(deps.now().getTime() - MIN_AGE_MS);
  let removed = await removeTemporaryFiles(before);
  const keys = await findOldKeys(deps.storage, before, isRunning);
  for (let start = 0; start < keys.length && isRunning(); start += BATCH) {
    const batch = keys.slice(start, start + BATCH);
    const named = new Set(await findReferencedStorageKeys(deps.db, batch));
    for (const key of batch.filter((candidate) => !named.has(candidate))) {
      await deps.storage.remove(key);
      removed += 1;
    }
  }
  if (removed > 0) deps.log.info({ removed }, 'removed unreferenced files');
  return removed;
}

/** Returns the storage keys of the images whose newest file is older than `before`. */
async function findOldKeys(
  storage: Deps['storage'],
  before: Date,
  isRunning: () => boolean,
): Promise<string[]> {
  const isOld = new Map<string, boolean>();
  for await (const file of storage.list(IMAGES_PREFIX)) {
    if (!isRunning()) return [];
    const key = parseStorageKey(file.key);
    isOld.set(key, (isOld.get(key) ?? true) && file.modified_at < before);
  }
  return [...isOld].filter(([, old]) => old).map(([key]) => key);
}
