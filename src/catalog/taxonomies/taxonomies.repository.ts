import type { Db } from '../../platform/database/knex';
import { requireRow } from '../../platform/database/require-row';
import type { Tx } from '../../platform/database/transaction';
import { applyFilters, applySortAndPage } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { countAll, buildPage, type Page } from '../../platform/query-builder/page';
import { taxonomySearch } from './taxonomies.search';

export interface TaxonomyRow {
  id: number;
  name: string;
  position: number;
}

const TAXONOMY_COLUMNS = ['taxonomies.id', 'taxonomies.name', 'taxonomies.position'] as const;

/** One page of taxonomies without their trees; two queries at most. */
export async function findTaxonomyPage(db: Db, list: ListQuery): Promise<Page<TaxonomyRow>> {
  const matching = applyFilters(db<TaxonomyRow>('taxonomies'), list, taxonomySearch);
  const rows = await applySortAndPage(matching.clone().select(...TAXONOMY_COLUMNS), list, taxonomySearch);
  return buildPage(rows, await countAll(matching, rows.length, list), list);
}

/** The taxonomy of that id without its tree. */
export async function findTaxonomy(db: Db, id: number): Promise<TaxonomyRow | undefined> {
  return db('taxonomies')
    .where({ id })
    .first<TaxonomyRow | undefined>(...TAXONOMY_COLUMNS);
}

/** The taxonomy, its row locked: whoever holds it is the only one to change the tree. */
export async function lockTaxonomy(tx: Tx, id: number): Promise<TaxonomyRow | undefined> {
  return tx('taxonomies')
    .where({ id })
    .forUpdate()
    .first<TaxonomyRow | undefined>(...TAXONOMY_COLUMNS);
}

/** Keeps everybody else from making taxonomies and changing root permalinks until the transaction ends. */
export async function lockTaxonomies(tx: Tx): Promise<void> {
  await tx.raw('LOCK TABLE taxonomies IN SHARE ROW EXCLUSIVE MODE');
}

/** Appends a taxonomy, as yet without a root. @returns the new id */
export async function insertTaxonomy(tx: Tx, name: string): Promise<number> {
  const last = tx('taxonomies').select(tx.raw('coalesce(max(position), 0) + 1'));
  const rows = await tx('taxonomies').insert({ name, position: last }).returning<{ id: number }[]>('id');
  return requireRow(rows).id;
}

/** Renames the taxonomy alone; its root taxon bears the same name and is renamed by the caller. */
export async function updateTaxonomyName(tx: Tx, id: number, name: string): Promise<void> {
  await tx('taxonomies').where({ id }).update({ name });
}

/** Takes the whole tree and its classifications with it. */
export async function deleteTaxonomy(tx: Tx, id: number): Promise<void> {
  await tx('taxonomies').where({ id }).delete();
}
