import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import { applyFilters } from '../../platform/query-builder/apply-search';
import { findPlainIdPage } from '../../platform/query-builder/id-page';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { createRecords } from '../../platform/resource/records';
import type { ProductView } from '../product-queries/product-view';
import { filterVisibleProducts } from '../product-queries/visible-products';
import { relatedProductSearch, Relation } from './product-relations.definition';

export const relationRecords = createRecords(Relation);

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
