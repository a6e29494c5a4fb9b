import type { Ctx } from '../../access/context';
import { checkAllRead } from '../../platform/all-read';
import { INVALID, InvalidResource, NotFound, requireFound } from '../../platform/errors';
import type { Db } from '../../platform/database/knex';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import { omitUndefined } from '../../platform/omit-undefined';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { taxonomyRecords } from '../taxonomies/taxonomies.repository';
import { nestTaxons, type TaxonNest } from '../taxon-tree/taxon-nest';
import {
  addTaxon,
  canMoveUnder,
  findPosition,
  moveTaxon,
  replacePermalink,
  removeSubtree,
  renameTaxon,
  type TaxonPlace,
  type TaxonTree,
} from '../taxon-tree/taxon-tree';
import type { TaxonAttributes, TaxonChanges, TaxonRow } from '../taxon-tree/taxons.definition';
import { loadTree, reserveRootPermalinks, saveTree } from '../taxon-tree/taxon-tree-store';
import {
  findAncestors,
  findChildren,
  findDescendants,
  findTaxonByPermalink,
  findTaxonPage,
  findTaxonsWithChildren,
  insertTaxon,
  noteMove,
  reserveTaxonId,
  taxonRecords,
  updateTaxonTexts,
  type TaxonScope,
  type TaxonTexts,
  type TaxonWithChildren,
} from '../taxon-tree/taxons.repository';

/** The taxon of a path, and the taxonomy it must belong to. */
export interface TaxonTarget {
  taxonomy_id: number;
  id: number;
}

/** Returns one page of all taxons, with their descendants unless `withoutChildren`. At most three queries. */
export async function listTaxons(
  ctx: Ctx,
  list: ListQuery,
  withoutChildren: boolean,
): Promise<Page<TaxonNest>> {
  return loadPage(ctx.db, list, { scope: 'all', withoutChildren });
}

/** Returns the taxon with this permalink and its ancestors from the root. Three queries. @throws NotFound */
export async function getTaxonByPermalink(
  ctx: Ctx,
  permalink: string,
): Promise<{ taxon: TaxonWithChildren; ancestors: TaxonRow[] }> {
  const row = requireFound(await findTaxonByPermalink(ctx.db, permalink));
  const [children, ancestors] = await Promise.all([findChildren(ctx.db, row.id), findAncestors(ctx.db, row)]);
  return { taxon: { ...row, children }, ancestors };
}

/** Returns the children of the root of a taxonomy, like `listTaxons`. @throws NotFound for an unknown taxonomy */
export async function listTaxonsOfTaxonomy(
  ctx: Ctx,
  taxonomyId: number,
  list: ListQuery,
  withoutChildren: boolean,
): Promise<Page<TaxonNest>> {
  await taxonomyRecords.get(ctx.db, taxonomyId);
  return loadPage(ctx.db, list, { scope: { children_of_root: taxonomyId }, withoutChildren });
}

async function loadPage(
  db: Db,
  list: ListQuery,
  { scope, withoutChildren }: { scope: TaxonScope; withoutChildren: boolean },
): Promise<Page<TaxonNest>> {
  const page = await findTaxonPage(db, list, scope);
  if (withoutChildren) return page;
  const below = await findDescendants(
    db,
    page.rows.map((taxon) => taxon.id),
  );
  return { ...page, rows: nestTaxons(page.rows, below) };
}

/** Returns a taxon with its direct children. @throws NotFound also if it belongs to another taxonomy */
export async function getTaxon(ctx: Ctx, target: TaxonTarget): Promise<TaxonWithChildren> {
  return loadTaxon(ctx.db, target);
}

async function loadTaxon(db: Db, target: TaxonTarget): Promise<TaxonWithChildren> {
  const [taxon] = await findTaxonsWithChildren(db, [target.id]);
  if (taxon?.taxonomy_id !== target.taxonomy_id) throw new NotFound();
  return taxon;
}

/** Returns the given id if a taxon with it exists, in any taxonomy. @throws NotFound otherwise, and for null */
export async function getTaxonId(ctx: Ctx, id: number | null): Promise<number> {
  if (id === null) throw new NotFound();
  return (await taxonRecords.get(ctx.db, id)).id;
}

/** Returns the direct children of a taxon. @throws NotFound */
export async function listChildren(ctx: Ctx, target: TaxonTarget): Promise<TaxonRow[]> {
  await taxonRecords.get(ctx.db, target.id, { taxonomy_id: target.taxonomy_id });
  return findChildren(ctx.db, target.id);
}

/**
 * Checks that the taxonomy of a new taxon exists.
 * @throws InvalidResource, not NotFound
 */
export async function requireTaxonomy({ db }: Pick<Ctx, 'db'>, taxonomyId: number): Promise<void> {
  if ((await taxonomyRecords.find(db, taxonomyId)) !== undefined) return;
  throw new InvalidResource({ taxonomy_id: ['Invalid taxonomy id.'] });
}

const INVALID_PARENT = { parent_id: [INVALID] };

/** Creates a taxon below the root or another parent. Locks the taxonomy. @throws InvalidResource */
export async function createTaxon(
  ctx: Ctx,
  taxonomyId: number,
  attributes: TaxonAttributes,
): Promise<TaxonWithChildren> {
  return withTransaction(ctx, async (tx) => {
    await requireTaxonomy({ db: tx }, taxonomyId);
    const taxonomy = await taxonomyRecords.lock(tx, taxonomyId);
    const stored = await loadTree(tx, taxonomy);
    const parentId = attributes.parent_id ?? getRoot(stored.places).id;
    if (!stored.tree.nodes.has(parentId)) throw new InvalidResource(INVALID_PARENT);
    const id = await reserveTaxonId(tx);
    const taxon = { id, parent_id: parentId, name: attributes.name, permalink: attributes.permalink ?? null };
    const places = await saveTree(tx, stored, addTaxon(stored.tree, taxon, readIndex(attributes)));
    await insertTaxon(tx, taxonomyId, getPlace(places, id), readTexts(attributes));
    return loadTaxon(tx, { taxonomy_id: taxonomyId, id });
  });
}

/**
 * Updates a taxon. A new name, parent or permalink also updates the pretty names and permalinks of its descendants.
 * Locks the taxonomy.
 * @throws NotFound, InvalidResource
 */
export async function updateTaxon(
  ctx: Ctx,
  target: TaxonTarget,
  changes: TaxonChanges,
): Promise<TaxonWithChildren> {
  return withTransaction(ctx, async (tx) => {
    const taxonomy = await taxonomyRecords.lock(tx, target.taxonomy_id);
    const stored = await loadTree(tx, taxonomy);
    const taxon = requireFound(stored.places.find((place) => place.id === target.id));
    const tree = await applyChanges(tx, stored.tree, taxon, changes);
    await saveTree(tx, stored, tree);
    const positions = { before: findPosition(stored.tree, taxon.id), after: findPosition(tree, taxon.id) };
    if (positions.before !== positions.after) await noteMove(tx, taxon.id, positions);
    await updateTaxonTexts(tx, taxon.id, readTexts(changes));
    return loadTaxon(tx, target);
  });
}

/** Applies the move before the permalink: which permalinks are free depends on the parent. */
async function applyChanges(
  tx: Tx,
  tree: TaxonTree,
  taxon: TaxonPlace,
  changes: TaxonChanges,
): Promise<TaxonTree> {
  let changed = changes.name === undefined ? tree : renameTaxon(tree, taxon.id, changes.name);
  changed = applyMove(changed, taxon, changes);
  if (changes.permalink === undefined) return changed;
  const takenRoots = taxon.parent_id === null ? await reserveRootPermalinks(tx, taxon.id) : new Set<string>();
  return replacePermalink(changed, taxon.id, changes.permalink, takenRoots);
}

function applyMove(tree: TaxonTree, taxon: TaxonPlace, changes: TaxonChanges): TaxonTree {
  const index = readIndex(changes);
  if (taxon.parent_id === null) {
    if (changes.parent_id == null && (index ?? 0) === 0) return tree;
    throw new InvalidResource({ base: ['The root taxon cannot be moved'] });
  }
  const parentId = changes.parent_id === undefined ? taxon.parent_id : changes.parent_id;
  if (parentId === null || !canMoveUnder(tree, taxon.id, parentId)) {
    throw new InvalidResource(INVALID_PARENT);
  }
  return moveTaxon(tree, taxon.id, { parent_id: parentId, index });
}

/**
 * Deletes a taxon with its descendants and classifications; the products stay. Locks the taxonomy.
 * @throws NotFound; InvalidResource for the root, which is deleted with its taxonomy only
 */
export async function deleteTaxon(ctx: Ctx, target: TaxonTarget): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    const taxonomy = await taxonomyRecords.lock(tx, target.taxonomy_id);
    const stored = await loadTree(tx, taxonomy);
    const taxon = requireFound(stored.places.find((place) => place.id === target.id));
    if (taxon.parent_id === null) {
      throw new InvalidResource({ base: ['The root taxon cannot be deleted'] });
    }
    await saveTree(tx, stored, removeSubtree(stored.tree, taxon.id));
    // Its descendants and their classifications are deleted with it.
    await taxonRecords.delete(tx, taxon.id, ctx.now());
  });
}

function getRoot(places: readonly TaxonPlace[]): TaxonPlace {
  const root = places.find((place) => place.parent_id === null);
  if (root === undefined) throw new Error('the taxonomy has no root');
  return root;
}

function getPlace(places: readonly TaxonPlace[], id: number): TaxonPlace {
  const place = places.find((candidate) => candidate.id === id);
  if (place === undefined) throw new Error(`taxon ${id} has no place`);
  return place;
}

/** Returns the requested index among the siblings; null if the body has none. */
function readIndex({ child_index, position }: TaxonAttributes | TaxonChanges): number | null {
  return child_index ?? position ?? null;
}

/** What decides the place of a taxon in its tree, and its permalink. */
type Place = 'name' | 'parent_id' | 'child_index' | 'position' | 'permalink';

function readTexts(attributes: Omit<TaxonAttributes | TaxonChanges, Place>): TaxonTexts {
  const { description, meta_title, meta_description, meta_keywords, ...left } = attributes;
  checkAllRead(left);
  return omitUndefined({ description, meta_title, meta_description, meta_keywords });
}
