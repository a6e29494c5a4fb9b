import type { LockedId } from '../../platform/database/locked';
import type { Ctx } from '../../access/context';
import { requireFound } from '../../platform/errors';
import type { AttributesOf, ChangesOf } from '../../platform/resource/definition';
import type { Db } from '../../platform/database/knex';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { nestTaxons, type TaxonNest } from '../taxon-tree/taxon-nest';
import { calculatePlaces, createTree, renameTaxon } from '../taxon-tree/taxon-tree';
import { loadTree, reserveRootPermalinks, saveTree } from '../taxon-tree/taxon-tree-store';
import {
  findDescendants,
  findRootsWithChildren,
  insertTaxon,
  lockTaxons,
  reserveTaxonId,
} from '../taxon-tree/taxons.repository';
import type { Taxonomy } from './taxonomies.definition';
import { type TaxonomyGraph, type TaxonomyRow } from './taxonomies.definition';
import { taxonomyRecords } from './taxonomies.repository';

/** The requested levels of a tree: the direct children of the root, or all. */
export type TaxonomyDepth = 'children' | 'nested';

/** Returns one page of taxonomies. Takes a constant number of queries. */
export async function listTaxonomies(
  ctx: Ctx,
  list: ListQuery,
  depth: TaxonomyDepth,
): Promise<Page<TaxonomyGraph>> {
  const page = await taxonomyRecords.findPage(ctx.db, list);
  return { ...page, rows: await loadTaxonomyGraphs(ctx.db, page.rows, depth) };
}

/** Returns a taxonomy with its tree. @throws NotFound */
export async function getTaxonomy(
  ctx: Ctx,
  id: number,
  depth: TaxonomyDepth = 'children',
): Promise<TaxonomyGraph> {
  return loadTaxonomy(ctx.db, id, depth);
}

async function loadTaxonomy(db: Db, id: number, depth: TaxonomyDepth): Promise<TaxonomyGraph> {
  const taxonomy = await taxonomyRecords.find(db, id);
  return requireFound((await loadTaxonomyGraphs(db, taxonomy === undefined ? [] : [taxonomy], depth))[0]);
}

/** Leaves out taxonomies that were deleted after they were read. */
async function loadTaxonomyGraphs(
  db: Db,
  taxonomies: readonly TaxonomyRow[],
  depth: TaxonomyDepth,
): Promise<TaxonomyGraph[]> {
  const roots = await loadRoots(
    db,
    taxonomies.map((taxonomy) => taxonomy.id),
    depth,
  );
  const byTaxonomy = new Map(roots.map((root) => [root.taxonomy_id, root]));
  return taxonomies.flatMap((taxonomy) => {
    const root = byTaxonomy.get(taxonomy.id);
    return root === undefined ? [] : [{ ...taxonomy, root }];
  });
}

async function loadRoots(
  db: Db,
  taxonomyIds: readonly number[],
  depth: TaxonomyDepth,
): Promise<readonly TaxonNest[]> {
  const roots = await findRootsWithChildren(db, taxonomyIds);
  if (depth === 'children') return roots;
  const rows = roots.map(({ children: _children, ...root }) => root);
  return nestTaxons(
    rows,
    await findDescendants(
      db,
      rows.map((root) => root.id),
    ),
  );
}

/** Creates a taxonomy and its root taxon with the same name. @throws InvalidResource */
export async function createTaxonomy(
  ctx: Ctx,
  attributes: AttributesOf<typeof Taxonomy>,
): Promise<TaxonomyGraph> {
  return withTransaction(ctx, async (tx) => {
    const taken = await reserveRootPermalinks(tx, null);
    const id = await taxonomyRecords.append(tx, { name: attributes.name });
    await createRoot(tx, { id, name: attributes.name }, taken);
    return loadTaxonomy(tx, id, 'children');
  });
}

async function createRoot(
  tx: Tx,
  taxonomy: { id: number; name: string },
  taken: ReadonlySet<string>,
): Promise<void> {
  const tree = createTree({ id: await reserveTaxonId(tx), name: taxonomy.name }, taken);
  for (const place of calculatePlaces(tree)) await insertTaxon(tx, taxonomy.id, place, {});
}

/**
 * Renames a taxonomy and its root taxon; the permalink does not change. Locks the taxonomy.
 * @throws NotFound, InvalidResource
 */
export async function updateTaxonomy(
  ctx: Ctx,
  id: number,
  changes: ChangesOf<typeof Taxonomy>,
): Promise<TaxonomyGraph> {
  return withTransaction(ctx, async (tx) => {
    const taxonomy = await taxonomyRecords.lock(tx, id);
    if (changes.name !== undefined) {
      await taxonomyRecords.update(tx, taxonomy.id, { name: changes.name });
      await renameRoot(tx, taxonomy, changes.name);
    }
    return loadTaxonomy(tx, taxonomy.id, 'children');
  });
}

async function renameRoot(tx: Tx, taxonomy: LockedId, name: string): Promise<void> {
  const stored = await loadTree(tx, taxonomy);
  const root = stored.places.find((place) => place.parent_id === null);
  if (root !== undefined) await saveTree(tx, stored, renameTaxon(stored.tree, root.id, name));
}

/**
 * Deletes a taxonomy with its tree and classifications; the products stay. Locks the taxonomy and its taxons.
 * @throws NotFound
 */
export async function deleteTaxonomy(ctx: Ctx, id: number): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    const taxonomy = await taxonomyRecords.lock(tx, id);
    const { places } = await loadTree(tx, taxonomy);
    await lockTaxons(
      tx,
      places.map((place) => place.id),
    );
    await taxonomyRecords.delete(tx, id, ctx.now());
  });
}
