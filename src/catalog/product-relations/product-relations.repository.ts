import type { Db } from '../../platform/database/knex';
import { requireRow } from '../../platform/database/require-row';
import type { Tx } from '../../platform/database/transaction';
import { applyFilters } from '../../platform/query-builder/apply-search';
import { findPlainIdPage } from '../../platform/query-builder/id-page';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import type { ProductView } from '../product-queries/product-view';
import { filterVisibleProducts } from '../product-queries/visible-products';
import { relatedProductSearch, relationSearch } from './product-relations.search';
import type { RelationKind } from './relation-kinds';

export interface RelationRow {
  id: number;
  product_id: number;
  related_id: number;
  kind: RelationKind;
  position: number;
  created_at: Date;
  updated_at: Date;
}

/** Returns the ids of one page of the relations of a product, by position. */
export async function findRelationPage(db: Db, productId: number, list: ListQuery): Promise<Page<number>> {
  const matching = applyFilters(
    db('product_relations').where({ product_id: productId }),
    list,
    relationSearch,
  );
  return findPlainIdPage(db, matching, list, relationSearch);
}

/** Returns these relations, in the order of `ids`. */
export async function findRelations(db: Db, ids: readonly number[]): Promise<RelationRow[]> {
  const rows = await db<RelationRow>('product_relations').whereRaw('id = ANY(?)', [[...ids]]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Returns the relation if it belongs to that product. */
export async function findRelation(db: Db, productId: number, id: number): Promise<RelationRow | undefined> {
  return db<RelationRow>('product_relations').where({ id, product_id: productId }).first();
}

/**
 * Returns the ids of one page of the products in view that a product has relations with, each once, by position.
 * @param kind only relations of this kind; null for all
 */
export async function findRelatedPage(
  db: Db,
  productId: number,
  { kind, view, list }: { kind: string | null; view: ProductView; list: ListQuery },
): Promise<Page<number>> {
  const related = db('product_relations')
    .select('related_id')
    .min({ position: 'position' })
    .where({ product_id: productId, ...(kind !== null && { kind }) })
    .groupBy('related_id')
    .as('related');
  const products = db('products').join(related, 'related.related_id', 'products.id');
  const matching = applyFilters(filterVisibleProducts(products, view), list, relatedProductSearch);
  return findPlainIdPage(db, matching, list, relatedProductSearch);
}

/** Locks a product that is not deleted against its deletion. @returns whether it exists */
export async function lockRelated(tx: Tx, id: number): Promise<boolean> {
  const { rows } = await tx.raw<{ rows: unknown[] }>(
    'SELECT FROM products WHERE id = ? AND deleted_at IS NULL FOR KEY SHARE',
    [id],
  );
  return rows.length > 0;
}

/** Inserts a relation, by default after the others. Expects the product locked. @throws product_relations_unique */
export async function insertRelation(
  tx: Tx,
  {
    position,
    ...relation
  }: Pick<RelationRow, 'product_id' | 'related_id' | 'kind'> & { position: number | null },
): Promise<RelationRow> {
  const last = tx('product_relations')
    .where({ product_id: relation.product_id })
    .select(tx.raw('coalesce(max(position), 0) + 1'));
  const rows = await tx('product_relations')
    .insert({ ...relation, position: position ?? last })
    .returning<RelationRow[]>('*');
  return requireRow(rows);
}

/** Updates the given columns. @throws product_relations_unique */
export async function updateRelationRow(
  tx: Tx,
  id: number,
  columns: Partial<Pick<RelationRow, 'related_id' | 'kind' | 'position'>>,
): Promise<void> {
  if (Object.keys(columns).length > 0) await tx('product_relations').where({ id }).update(columns);
}

export async function deleteRelationRow(tx: Tx, id: number): Promise<void> {
  await tx('product_relations').where({ id }).delete();
}
