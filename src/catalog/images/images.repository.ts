import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import { applyFilters, applySort } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { createRecords } from '../../platform/resource/records';
import type { ProductView } from '../product-queries/product-view';
import { filterVisibleProducts } from '../product-queries/visible-products';
import { Image, type ImageRow } from './images.definition';

export const imageRecords = createRecords(Image);

/** All images of a product, or those of one of its variants. */
export interface ImageOwner {
  product_id: number;
  variant_id: number | null;
  /** Whether the images of deleted variants are included. */
  deleted_variants: boolean;
}

/** Returns the images of a list request: those of the master first, then those of each variant, by position. */
export async function findImagesOfOwner(db: Db, owner: ImageOwner, list: ListQuery): Promise<ImageRow[]> {
  return applySort(applyFilters(queryImagesOfOwner(db, owner), list, Image.search), list, Image.search);
}

/** Returns the image if it belongs to the owner. */
export async function findImageOfOwner(db: Db, owner: ImageOwner, id: number): Promise<ImageRow | undefined> {
  return queryImagesOfOwner(db, owner).where('images.id', id).first();
}

function queryImagesOfOwner(db: Db, owner: ImageOwner) {
  const query = imageRecords.select(db).where('variants.product_id', owner.product_id);
  if (owner.variant_id !== null) void query.where('variants.id', owner.variant_id);
  if (!owner.deleted_variants) void query.whereNull('variants.deleted_at');
  return query;
}

/** Returns the product id of a variant in view. Deleted variants are in view if deleted products are. */
export async function findProductIdOfVariant(
  db: Db,
  view: ProductView,
  variantId: number,
): Promise<number | undefined> {
  const query = db('variants')
    .join('products', 'products.id', 'variants.product_id')
    .where('variants.id', variantId);
  if (!view.deleted) void query.whereNull('variants.deleted_at');
  const variant = await filterVisibleProducts(query, view).first<{ product_id: number } | undefined>(
    'variants.product_id',
  );
  return variant?.product_id;
}

/** Returns the id of the product's variant, or of its master for null, unless it is deleted. */
export async function findVariantIdOfProduct(
  db: Db,
  productId: number,
  variantId: number | null,
): Promise<number | undefined> {
  const query = db('variants').where({ product_id: productId }).whereNull('deleted_at');
  const variant = await query
    .where(variantId === null ? { is_master: true } : { id: variantId })
    .first<{ id: number } | undefined>('id');
  return variant?.id;
}

/**
 * Locks the images of all variants of a product against other writers until the transaction ends. They share one lock,
 * so moving an image between variants cannot deadlock.
 */
export async function lockImagesOfProduct(tx: Tx, productId: number): Promise<void> {
  await tx.raw('SELECT 1 FROM products WHERE id = ? FOR NO KEY UPDATE', [productId]);
}

/** Returns the image ids of a variant, by position. */
export async function findImageIdsOfVariant(db: Db, variantId: number): Promise<number[]> {
  return db('images').where({ variant_id: variantId }).orderBy(['position', 'id']).pluck<number[]>('id');
}

/**
 * Sets the positions of these images to 1, 2, 3 and so on. Expects all images of one variant, and its product locked.
 */
export async function updateImagePositions(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.raw(
    `UPDATE images SET position = placed.position
     FROM unnest(CAST(? AS integer[])) WITH ORDINALITY AS placed (id, position)
     WHERE images.id = placed.id AND images.position <> placed.position`,
    [[...ids]],
  );
}

/** Returns the storage keys of all images. */
export async function findStorageKeys(db: Db): Promise<string[]> {
  return db('images').distinct('storage_key').pluck<string[]>('storage_key');
}

/** Returns those of the keys that a row references. */
export async function findReferencedStorageKeys(db: Db, keys: readonly string[]): Promise<string[]> {
  return db('images')
    .distinct('storage_key')
    .whereRaw('storage_key = ANY(?)', [[...keys]])
    .pluck<string[]>('storage_key');
}
