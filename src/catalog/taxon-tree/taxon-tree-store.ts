import type { LockedId } from '../../platform/database/locked';
import { InvalidResource } from '../../platform/errors';
import type { Tx } from '../../platform/database/transaction';
import {
  findChangedPlaces,
  findPlaceErrors,
  calculatePlaces,
  readTree,
  type TaxonPlace,
  type TaxonTree,
} from './taxon-tree';
import {
  findPlaces,
  findRootPermalinks,
  lockTaxonomies,
  lockTaxons,
  updatePlaces,
} from './taxons.repository';

/** The stored tree of a taxonomy. */
export interface StoredTree {
  places: readonly TaxonPlace[];
  tree: TaxonTree;
}

/** Loads the tree of a taxonomy. */
export async function loadTree(tx: Tx, taxonomy: LockedId): Promise<StoredTree> {
  const places = await findPlaces(tx, taxonomy.id);
  return { places, tree: readTree(places) };
}

/**
 * Writes the differences between `stored` and `tree` in one statement. Does not insert or delete rows: the caller does,
 * using the returned places. Locks the taxons that are changed or removed.
 * @throws InvalidResource if a changed taxon is too deep, or its permalink is too long
 */
export async function saveTree(tx: Tx, stored: StoredTree, tree: TaxonTree): Promise<TaxonPlace[]> {
  const places = calculatePlaces(tree);
  const changed = findChangedPlaces(stored.places, places);
  const errors = findPlaceErrors(changed);
  if (errors !== null) throw new InvalidResource(errors);
  const removed = stored.places.filter(({ id }) => !tree.nodes.has(id));
  await lockTaxons(
    tx,
    [...changed, ...removed].map(({ id }) => id),
  );
  await updatePlaces(tx, changed);
  return places;
}

/**
 * Returns the permalinks of all roots except `ownRootId`. Locks the taxonomies table, so that a permalink that is free
 * stays free until the transaction ends.
 */
export async function reserveRootPermalinks(tx: Tx, ownRootId: number | null): Promise<Set<string>> {
  await lockTaxonomies(tx);
  return findRootPermalinks(tx, ownRootId);
}
