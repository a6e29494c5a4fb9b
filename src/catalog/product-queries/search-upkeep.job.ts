import type { Db } from '../../platform/database/knex';
import { changeCatalogRevision, rebuildNextDocuments, rebuildSearchNames } from './search-upkeep.repository';

/**
 * Rebuilds the search documents that are not in the language of the store. Until then they are found by whole words and
 * by equal stems. Repeatable, and safe from several instances at once.
 */
export async function refreshSearchLanguage(db: Db, isRunning: () => boolean): Promise<void> {
  let hasChanged = await rebuildSearchNames(db);
  while (isRunning() && (await rebuildNextDocuments(db)) > 0) hasChanged = true;
  // Kept replies of searches are of the former language.
  if (hasChanged) await changeCatalogRevision(db);
}
