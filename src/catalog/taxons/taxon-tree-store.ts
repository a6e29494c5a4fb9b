import { InvalidResource } from '../../platform/errors';
import type { Tx } from '../../platform/database/transaction';
import { lockTaxonomies } from '../taxonomies/taxonomies.repository';
import {
  findChangedPlaces,
  findPlaceErrors,
  calculatePlaces,
  readTree,
  type TaxonPlace,
  type TaxonTree,
} from './taxon-tree';
import { findPlaces, findRootPermalinks, lockTaxons, updatePlaces } from './taxons.repository';

/** A taxonomy's tree as the database holds it. */
export interface StoredTree {
  places: readonly TaxonPlace[];
  tree: TaxonTree;
}

/** Reads a taxonomy's tree, whose row the caller holds locked. */
export async function loadTree(tx: Tx, taxonomyId: number): Promise<StoredTree> {
  const places = await findPlaces(tx, taxonomyId);
  return { places, tree: readTree(places) };
}

/**
 * Writes what has changed between `stored` and `tree`, in one statement. Rows are neither added nor removed: that is
 * the caller's part, with the places this answers. Locks the taxons that change and those that are to go.
 * @throws InvalidResource when a changed taxon would be too deep, or its permalink too long
 */
export async function saveTree(tx: Tx, stored: StoredTree, tree: TaxonTree): Promise<TaxonPlace[]> {
  const places = calculatePlaces(tree);
  const changed = findChangedPlaces(stored.places, places);
  const errors = findPlaceErrors(changed);
  if (errors !== null) throw new InvalidResource(errors);
  const gone = stored.places.filter(({ id }) => !tree.nodes.has(id));
  await lockTaxons(
    tx,
    [...changed, ...gone].map(({ id }) => id),
  );
  await updatePlaces(tx, changed);
  return places;
}

/**
 * The permalinks of all roots but `ownRootId`, which a root must keep clear of. Nobody else makes a root or changes its
 * permalink until the transaction ends, so what is free stays free.
 */
export async function reserveRootPermalinks(tx: Tx, ownRootId: number | null): Promise<Set<string>> {
  await lockTaxonomies(tx);
  return findRootPermalinks(tx, ownRootId);
}
