import type { Locked } from '../../platform/database/locked';
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

/** Returns one page of taxonomies without their trees. Two queries at most. */
export async function findTaxonomyPage(db: Db, list: ListQuery): Promise<Page<TaxonomyRow>> {
  const matching = applyFilters(db<TaxonomyRow>('taxonomies'), list, taxonomySearch);
  const rows = await applySortAndPage(matching.clone().select(...TAXONOMY_COLUMNS), list, taxonomySearch);
  return buildPage(rows, await countAll(matching, rows.length, list), list);
}

/** Returns a taxonomy without its tree. */
export async function findTaxonomy(db: Db, id: number): Promise<TaxonomyRow | undefined> {
  return db('taxonomies')
    .where({ id })
    .first<TaxonomyRow | undefined>(...TAXONOMY_COLUMNS);
}

/** Locks a taxonomy. All changes of its tree take this lock. */
export async function lockTaxonomy(tx: Tx, id: number): Promise<Locked<TaxonomyRow> | undefined> {
  return tx('taxonomies')
    .where({ id })
    .forUpdate()
    .first<Locked<TaxonomyRow> | undefined>(...TAXONOMY_COLUMNS);
}

/** Appends a taxonomy without a root. @returns the new id */
export async function insertTaxonomy(tx: Tx, name: string): Promise<number> {
  const last = tx('taxonomies').select(tx.raw('coalesce(max(position), 0) + 1'));
  const rows = await tx('taxonomies').insert({ name, position: last }).returning<{ id: number }[]>('id');
  return requireRow(rows).id;
}

/** Renames a taxonomy. The caller renames its root taxon, which has the same name. */
export async function updateTaxonomyName(tx: Tx, id: number, name: string): Promise<void> {
  await tx('taxonomies').where({ id }).update({ name });
}

/** Deletes a taxonomy with its tree and the classifications in it. */
export async function deleteTaxonomy(tx: Tx, id: number): Promise<void> {
  await tx('taxonomies').where({ id }).delete();
}
