import type { Deps } from '../../access/context';
import { removeTemporaryFiles } from '../../platform/temporary-files';
import { IMAGES_PREFIX, parseStorageKey } from './image-storage';
import { findReferencedStorageKeys } from './images.repository';

/** Longer than any upload may take from its first file to its row. */
const MIN_AGE_MS = 60 * 60 * 1000;
const BATCH = 1000;

/**
 * Removes what killed processes and failed removals left: pictures in storage that no row names, and temporary
 * files, each when nothing was written to it for an hour. Safe to run at any time, on several instances at once.
 * Stops soon after `goesOn` answers false; the next run does the rest.
 * @returns how many pictures and temporary files went
 */
export async function removeUnreferencedFiles(
  deps: Pick<Deps, 'db' | 'storage' | 'now' | 'log'>,
  goesOn: () => boolean = () => true,
): Promise<number> {
  const before = new Date(deps.now().getTime() - MIN_AGE_MS);
  let removed = await removeTemporaryFiles(before);
  const keys = await findOldKeys(deps.storage, before, goesOn);
  for (let start = 0; start < keys.length && goesOn(); start += BATCH) {
    const batch = keys.slice(start, start + BATCH);
    const named = new Set(await findReferencedStorageKeys(deps.db, batch));
    for (const key of batch.filter((candidate) => !named.has(candidate))) {
      await deps.storage.remove(key);
      removed += 1;
    }
  }
  if (removed > 0) deps.log.info({ removed }, 'files that nothing refers to were removed');
  return removed;
}

/** The pictures whose newest file is older than `before`. */
async function findOldKeys(storage: Deps['storage'], before: Date, goesOn: () => boolean): Promise<string[]> {
  const isOld = new Map<string, boolean>();
  for await (const file of storage.list(IMAGES_PREFIX)) {
    if (!goesOn()) return [];
    const key = parseStorageKey(file.key);
    isOld.set(key, (isOld.get(key) ?? true) && file.modified_at < before);
  }
  return [...isOld].filter(([, old]) => old).map(([key]) => key);
}
