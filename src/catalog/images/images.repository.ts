import type { Db } from '../../platform/database/knex';
import { requireRow } from '../../platform/database/require-row';
import type { Tx } from '../../platform/database/transaction';
import { applyFilters, applySort } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { ProductView } from '../products/product-view';
import { filterVisibleProducts } from '../products/visible-products';
import { imageSearch } from './images.search';

/** What the bytes of an accepted picture were found to be. */
export type ImageContentType = 'image/jpeg' | 'image/png' | 'image/gif';

export interface ImageRow {
  id: number;
  variant_id: number;
  /** 1-based within the variant. */
  position: number;
  alt: string | null;
  attachment_content_type: ImageContentType;
  attachment_file_name: string;
  /** Pixels of the original, as it is seen: after its EXIF orientation is applied. */
  attachment_width: number;
  attachment_height: number;
  attachment_updated_at: Date;
  /** Where storage keeps the original and its sizes; the prefix of their keys. */
  storage_key: string;
}

const COLUMNS = [
  'images.id',
  'images.variant_id',
  'images.position',
  'images.alt',
  'images.attachment_content_type',
  'images.attachment_file_name',
  'images.attachment_width',
  'images.attachment_height',
  'images.attachment_updated_at',
  'images.storage_key',
];

/** Whose images are meant: all of a product's, or those of one of its variants. */
export interface ImageOwner {
  product_id: number;
  variant_id: number | null;
  /** Whether the images of deleted variants belong to the answer. */
  deleted_variants: boolean;
}

/** The images of these variants, in one query: by position within each variant, variants in no order. */
export async function findImagesOfVariants(db: Db, variantIds: readonly number[]): Promise<ImageRow[]> {
  return db('images')
    .select<ImageRow[]>(COLUMNS)
    .whereRaw('images.variant_id = ANY(?)', [[...variantIds]])
    .orderBy(['images.position', 'images.id']);
}

/** The images a list request asks for: the master's first, then each variant's, by position. */
export async function findImagesOfOwner(db: Db, owner: ImageOwner, list: ListQuery): Promise<ImageRow[]> {
  return applySort(applyFilters(queryImagesOfOwner(db, owner), list, imageSearch), list, imageSearch);
}

/** The image, if it exists and belongs to the owner. */
export async function findImageOfOwner(db: Db, owner: ImageOwner, id: number): Promise<ImageRow | undefined> {
  return queryImagesOfOwner(db, owner).where('images.id', id).first();
}

function queryImagesOfOwner(db: Db, owner: ImageOwner) {
  const query = db('images')
    .join('variants', 'variants.id', 'images.variant_id')
    .select<ImageRow[]>(COLUMNS)
    .where('variants.product_id', owner.product_id);
  if (owner.variant_id !== null) void query.where('variants.id', owner.variant_id);
  if (!owner.deleted_variants) void query.whereNull('variants.deleted_at');
  return query;
}

/** Any image, whoever owns it. */
export async function findImage(db: Db, id: number): Promise<ImageRow | undefined> {
  return db('images').select<ImageRow[]>(COLUMNS).where('images.id', id).first();
}

/** The product of a variant that the view shows; deleted variants are shown with deleted products. */
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

/** The named variant of the product (null: its master), unless it is deleted. */
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
 * Holds off every other change of the images of this product's variants until the transaction ends. All of a product's
 * images share one lock, so that moving one between variants cannot deadlock.
 */
export async function lockImagesOfProduct(tx: Tx, productId: number): Promise<void> {
  await tx.raw('SELECT 1 FROM products WHERE id = ? FOR NO KEY UPDATE', [productId]);
}

/** By position. */
export async function findImageIdsOfVariant(db: Db, variantId: number): Promise<number[]> {
  return db('images').where({ variant_id: variantId }).orderBy(['position', 'id']).pluck<number[]>('id');
}

/** Numbers the images from 1 in this order. They are all the images of one variant, whose product is locked. */
export async function updateImagePositions(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.raw(
    `UPDATE images SET position = placed.position
     FROM unnest(CAST(? AS integer[])) WITH ORDINALITY AS placed (id, position)
     WHERE images.id = placed.id AND images.position <> placed.position`,
    [[...ids]],
  );
}

export type NewImage = Omit<ImageRow, 'id' | 'position'>;

/** Appends the image to its variant, whose product is locked. @returns the new id */
export async function insertImage(tx: Tx, image: NewImage): Promise<number> {
  const last = tx('images')
    .where({ variant_id: image.variant_id })
    .select(tx.raw('coalesce(max(position), 0) + 1'));
  const rows = await tx('images')
    .insert({ ...image, position: last })
    .returning<{ id: number }[]>('id');
  return requireRow(rows).id;
}

/** Writes the columns that are named; the files of a replaced picture are left to the caller. */
export async function updateImage(tx: Tx, id: number, patch: Partial<NewImage>): Promise<void> {
  if (Object.keys(patch).length > 0) await tx('images').where({ id }).update(patch);
}

/** Removes the row; its files are left to the caller, once the transaction is committed. */
export async function deleteImage(tx: Tx, id: number): Promise<void> {
  await tx('images').where({ id }).delete();
}

/** Which of the keys some image names. */
export async function findReferencedStorageKeys(db: Db, keys: readonly string[]): Promise<string[]> {
  return db('images')
    .distinct('storage_key')
    .whereRaw('storage_key = ANY(?)', [[...keys]])
    .pluck<string[]>('storage_key');
}
