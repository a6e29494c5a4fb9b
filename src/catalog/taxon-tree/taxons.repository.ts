import type { Knex } from 'knex';
import type { Db } from '../../platform/database/knex';
import { requireRow } from '../../platform/database/require-row';
import type { Tx } from '../../platform/database/transaction';
import { groupBy } from '../../platform/group-by';
import { applyFilters } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { findRowPage } from '../../platform/query-builder/row-page';
import { createRecords } from '../../platform/resource/records';
import { PLACE_FIELDS, type TaxonPlace } from './taxon-tree';
import { Taxon, type TaxonRow } from './taxons.definition';

export const taxonRecords = createRecords(Taxon);

/** A taxon with its direct children, in tree order. */
export interface TaxonWithChildren extends TaxonRow {
  children: TaxonRow[];
}

/** The taxons of a list: all, or the direct children of the root of a taxonomy. */
export type TaxonScope = 'all' | { children_of_root: number };

/** Returns one page of taxons, by taxonomy and tree order unless the request sorts. */
export async function findTaxonPage(db: Db, list: ListQuery, scope: TaxonScope): Promise<Page<TaxonRow>> {
  const matching = applyFilters(db<TaxonRow>('taxons'), list, Taxon.search);
  if (scope !== 'all') {
    const root = db('taxons')
      .select('id')
      .where({ taxonomy_id: scope.children_of_root })
      .whereNull('parent_id');
    void matching.whereIn('taxons.parent_id', root);
  }
  const select = (taxons: Knex.QueryBuilder) => taxons.select<TaxonRow[]>([...Taxon.columns]);
  return findRowPage(db, { matching, select }, list, Taxon.search);
}

/** Returns the taxon with this permalink. */
export async function findTaxonByPermalink(db: Db, permalink: string): Promise<TaxonRow | undefined> {
  return taxonRecords.select(db).where({ permalink }).first();
}

/** Returns the ancestors of a taxon, from the root. One query. */
export async function findAncestors(db: Db, { taxonomy_id, lft, rgt }: TaxonRow): Promise<TaxonRow[]> {
  return taxonRecords
    .select(db)
    .where({ taxonomy_id })
    .where('lft', '<', lft)
    .where('rgt', '>', rgt)
    .orderBy('lft');
}

/**
 * Returns these taxons with their direct children, by taxonomy and tree order. Unknown ids are skipped. Two queries.
 */
export async function findTaxonsWithChildren(db: Db, ids: readonly number[]): Promise<TaxonWithChildren[]> {
  if (ids.length === 0) return [];
  const taxons = await taxonRecords
    .select(db)
    .whereRaw('taxons.id = ANY(?)', [[...ids]])
    .orderBy(['taxonomy_id', 'lft', 'id']);
  return loadChildren(db, taxons);
}

/** Returns the root of each of these taxonomies with its direct children. Two queries. */
export async function findRootsWithChildren(
  db: Db,
  taxonomyIds: readonly number[],
): Promise<TaxonWithChildren[]> {
  const roots = await taxonRecords
    .select(db)
    .whereRaw('taxons.taxonomy_id = ANY(?)', [[...taxonomyIds]])
    .whereNull('parent_id');
  return loadChildren(db, roots);
}

/** Returns the direct children of a taxon, in tree order. */
export async function findChildren(db: Db, taxonId: number): Promise<TaxonRow[]> {
  return taxonRecords.select(db).where({ parent_id: taxonId }).orderBy(['lft', 'id']);
}

async function loadChildren(db: Db, taxons: readonly TaxonRow[]): Promise<TaxonWithChildren[]> {
  if (taxons.length === 0) return [];
  const children = await taxonRecords
    .select(db)
    .whereRaw('taxons.parent_id = ANY(?)', [taxons.map((taxon) => taxon.id)])
    .orderBy(['parent_id', 'lft', 'id']);
  const byParent = groupBy<TaxonRow, number | null>(children, (child) => child.parent_id);
  return taxons.map((taxon) => ({ ...taxon, children: byParent.get(taxon.id) ?? [] }));
}

/** Returns the descendants of these taxons, in tree order. One query. */
export async function findDescendants(db: Db, ids: readonly number[]): Promise<TaxonRow[]> {
  if (ids.length === 0) return [];
  const below = db('taxons AS upper')
    .select(db.raw('1'))
    .whereRaw('upper.id = ANY(?)', [[...ids]])
    .whereRaw('upper.taxonomy_id = taxons.taxonomy_id AND upper.lft < taxons.lft AND upper.rgt > taxons.rgt');
  return taxonRecords.select(db).whereExists(below).orderBy(['taxonomy_id', 'lft', 'id']);
}

/** Returns the places of all taxons of a taxonomy. Lock the taxonomy first to change them. */
export async function findPlaces(tx: Tx, taxonomyId: number): Promise<TaxonPlace[]> {
  return tx('taxons')
    .select<TaxonPlace[]>('id', ...PLACE_FIELDS)
    .where({ taxonomy_id: taxonomyId })
    .orderBy('lft');
}

/**
 * Locks taxons against other changes of them and of their classifications, in the order of their ids to avoid
 * deadlocks.
 * @returns the ids of those that exist
 */
export async function lockTaxons(tx: Tx, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const { rows } = await tx.raw<{ rows: { id: number }[] }>(
    'SELECT id FROM taxons WHERE id = ANY(?) ORDER BY id FOR NO KEY UPDATE',
    [[...ids]],
  );
  return rows.map((row) => row.id);
}

/** Blocks other transactions that create taxonomies or change permalinks of roots until the transaction ends. */
export async function lockTaxonomies(tx: Tx): Promise<void> {
  await tx.raw('LOCK TABLE taxonomies IN SHARE ROW EXCLUSIVE MODE');
}

/** Returns the permalinks of all roots except the one with that id. */
export async function findRootPermalinks(tx: Tx, exceptId: number | null): Promise<Set<string>> {
  const rows = await tx<TaxonPlace>('taxons').select('id', 'permalink').whereNull('parent_id');
  return new Set(rows.filter((row) => row.id !== exceptId).map((row) => row.permalink));
}

/** Reserves the id of a new taxon: its tree is calculated before its row is inserted. */
export async function reserveTaxonId(tx: Tx): Promise<number> {
  const { rows } = await tx.raw<{ rows: { id: number }[] }>(
    "SELECT CAST(nextval(pg_get_serial_sequence('taxons', 'id')) AS integer) AS id",
  );
  return requireRow(rows).id;
}

/** The texts of a taxon that do not depend on its place. */
export interface TaxonTexts {
  description?: string | null;
  meta_title?: string | null;
  meta_description?: string | null;
  meta_keywords?: string | null;
}

/** Inserts a taxon whose id comes from `reserveTaxonId` and whose place from `calculatePlaces`. */
export async function insertTaxon(
  tx: Tx,
  taxonomyId: number,
  place: TaxonPlace,
  texts: TaxonTexts,
): Promise<void> {
  await tx('taxons').insert({ ...texts, ...place, taxonomy_id: taxonomyId });
}

/** Updates the given texts. Name and permalink belong to the place. */
export async function updateTaxonTexts(tx: Tx, id: number, texts: TaxonTexts): Promise<void> {
  if (Object.keys(texts).length > 0) await tx('taxons').where({ id }).update(texts);
}

/** Updates these places in one statement. Permalinks may be swapped: uniqueness is checked at the end. */
export async function updatePlaces(tx: Tx, places: readonly TaxonPlace[]): Promise<void> {
  if (places.length === 0) return;
  await tx.raw(
    `UPDATE taxons SET (${PLACE_FIELDS.join(', ')}) = ROW (${PLACE_FIELDS.map((name) => `place.${name}`).join(', ')})
       FROM jsonb_populate_recordset(CAST(NULL AS taxons), ?) AS place WHERE taxons.id = place.id`,
    [JSON.stringify(places)],
  );
}

/** Adds the move of a taxon among its siblings to the audit log: no column of its own shows it. */
export async function noteMove(
  tx: Tx,
  id: number,
  positions: { before: number; after: number },
): Promise<void> {
  await tx.raw(
    `SELECT add_audit_entry('update', 'Store::Taxon', :id, jsonb_build_object('position',
              jsonb_build_array(CAST(:before AS integer), CAST(:after AS integer))))`,
    { id, ...positions },
  );
}
