import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import { MAX_INT4 } from '../../platform/int4';
import { applyFilters } from '../../platform/query-builder/apply-search';
import { findIdPage, findPlainIdPage } from '../../platform/query-builder/id-page';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { STORE_CURRENCY } from '../store-settings';
import type { ProductView } from './product-view';
import type { ProductColumns, ProductRow } from './products.definition';
import { productSearch, taxonProductSearch } from './products.search';
import { filterVisibleProducts, buildVisibilitySql } from './visible-products';

/**
 * The product of the view that `permalink` names: by slug, else by former slug, else by id. A slug that looks like a
 * number so wins over an id.
 */
export async function findVisibleProduct(
  db: Db,
  view: ProductView,
  permalink: string,
): Promise<ProductRow | undefined> {
  if (permalink.includes('\u0000')) return undefined; // no text to PostgreSQL
  const visible = buildVisibilitySql(view);
  const id = /^\d{1,10}$/.test(permalink) && Number(permalink) <= MAX_INT4 ? Number(permalink) : null;
  const { rows } = await db.raw<{ rows: ProductRow[] }>(
    `SELECT products.* FROM (
       SELECT 1 AS rank, id FROM products WHERE slug = :permalink
       UNION ALL SELECT 2, product_id FROM product_slugs WHERE slug = :permalink
       UNION ALL SELECT 3, CAST(:id AS integer) WHERE CAST(:id AS integer) IS NOT NULL
     ) AS named
     JOIN products ON products.id = named.id
     WHERE ${visible.sql.replaceAll('?', ':now')}
     ORDER BY named.rank, products.id DESC
     LIMIT 1`,
    { permalink, id, now: view.now },
  );
  return rows[0];
}

/** Locks a product that is not deleted: changes of it and of what belongs to it happen one after the other. */
export async function lockProductRow(tx: Tx, id: number): Promise<ProductRow | undefined> {
  const { rows } = await tx.raw<{ rows: ProductRow[] }>(
    'SELECT * FROM products WHERE id = ? AND deleted_at IS NULL FOR NO KEY UPDATE',
    [id],
  );
  return rows[0];
}

/** Ids of one page of the products in view, and the exact total. One query. */
export async function findProductPage(db: Db, list: ListQuery, view: ProductView): Promise<Page<number>> {
  const matching = applyFilters(filterVisibleProducts(db('products'), view), list, productSearch);
  return findIdPage(db, matching, list, productSearch);
}

/** The same of the products classified under exactly this taxon, in classification order. */
export async function findProductPageOfTaxon(
  db: Db,
  list: ListQuery,
  view: ProductView,
  taxonId: number,
): Promise<Page<number>> {
  const classified = db('products')
    .join('classifications', 'classifications.product_id', 'products.id')
    .where('classifications.taxon_id', taxonId);
  const matching = applyFilters(filterVisibleProducts(classified, view), list, taxonProductSearch);
  return findPlainIdPage(db, matching, list, taxonProductSearch);
}

/**
 * Makes a product under the first of these slugs that no other product has, waiting for a racing insert of the same
 * one to be decided. Its master gets a price in the store's currency in the same transaction, which is written down
 * here already, so that the row is written once.
 * @returns the new id; null when all of them are taken
 */
export async function insertProduct(
  tx: Tx,
  product: ProductColumns,
  slugs: readonly string[],
): Promise<number | null> {
  for (const slug of slugs) {
    const [row] = await tx('products')
      .insert({ ...product, slug, priced_in: tx.raw(`ARRAY[${STORE_CURRENCY}]`) })
      .onConflict(tx.raw('(slug) WHERE deleted_at IS NULL'))
      .ignore()
      .returning<{ id: number }[]>('id');
    if (row !== undefined) {
      await releaseFormerSlug(tx, slug);
      return row.id;
    }
  }
  return null;
}

/** Writes the columns that are named; the slug is changed by `changeSlug`. */
export async function updateProductColumns(
  tx: Tx,
  id: number,
  columns: Partial<ProductColumns>,
): Promise<void> {
  if (Object.keys(columns).length > 0) await tx('products').where({ id }).update(columns);
}

/** Those of these slugs that another product, not deleted, has now. */
export async function findTakenSlugs(tx: Tx, slugs: readonly string[], exceptId: number): Promise<string[]> {
  return tx('products')
    .whereRaw('slug = ANY(?)', [[...slugs]])
    .whereNull('deleted_at')
    .whereNot({ id: exceptId })
    .pluck<string[]>('slug');
}

/** Renames the product's address; the former one keeps leading to it. @throws products_slug_unique when it is taken */
export async function changeSlug(
  tx: Tx,
  product: Pick<ProductRow, 'id' | 'slug'>,
  slug: string,
): Promise<void> {
  await tx('products').where({ id: product.id }).update({ slug });
  await releaseFormerSlug(tx, slug);
  await tx('product_slugs')
    .insert({ slug: product.slug, product_id: product.id })
    .onConflict('slug')
    .merge(['product_id']);
}

/** A slug somebody has taken leads nowhere else any more. */
async function releaseFormerSlug(tx: Tx, slug: string): Promise<void> {
  await tx('product_slugs').where({ slug }).delete();
}

/** Deletes the product softly and gives it a slug that leaves the one it had to others. */
export async function markProductDeleted(tx: Tx, id: number, slug: string, now: Date): Promise<void> {
  await tx('products').where({ id }).update({ slug, deleted_at: now });
}
