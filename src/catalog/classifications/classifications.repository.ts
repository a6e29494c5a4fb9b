import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import type { ProductView } from '../product-queries/product-view';
import { buildVisibilitySql } from '../product-queries/visible-products';
import type { OrderedClassification } from './classification-order';

/** A product in a taxon. Positions are 1-based within the taxon. */
export interface ClassificationRow {
  id: number;
  product_id: number;
  taxon_id: number;
  position: number;
}

/** Returns the classifications of these products, ordered by product and taxon id. One query. */
export async function findClassificationsOfProducts(
  db: Db,
  productIds: readonly number[],
): Promise<ClassificationRow[]> {
  return db<ClassificationRow>('classifications')
    .select('id', 'product_id', 'taxon_id', 'position')
    .whereRaw('product_id = ANY(?)', [[...productIds]])
    .orderBy(['product_id', 'taxon_id']);
}

/** Appends products to taxons, in this order. The taxons must be locked. One statement. */
export async function appendClassifications(
  tx: Tx,
  links: readonly { product_id: number; taxon_id: number }[],
): Promise<void> {
  if (links.length === 0) return;
  await tx.raw(
    `INSERT INTO classifications (product_id, taxon_id, position)
     SELECT given.product_id, given.taxon_id,
            coalesce((SELECT max(position) FROM classifications AS own WHERE own.taxon_id = given.taxon_id), 0)
              + row_number() OVER (PARTITION BY given.taxon_id ORDER BY given.n)
     FROM unnest(CAST(:products AS integer[]), CAST(:taxons AS integer[])) WITH ORDINALITY
       AS given (product_id, taxon_id, n)`,
    { products: links.map((link) => link.product_id), taxons: links.map((link) => link.taxon_id) },
  );
}

/** Removes the product from each of these taxons and closes the gaps in their positions. */
export async function deleteClassifications(
  tx: Tx,
  productId: number,
  taxonIds: readonly number[],
): Promise<void> {
  if (taxonIds.length === 0) return;
  await tx.raw(
    `WITH removed AS (
       DELETE FROM classifications
       WHERE product_id = :productId AND taxon_id = ANY(:taxonIds)
       RETURNING taxon_id, position
     )
     UPDATE classifications SET position = classifications.position - 1
     FROM removed
     WHERE classifications.taxon_id = removed.taxon_id AND classifications.position > removed.position`,
    { productId, taxonIds: [...taxonIds] },
  );
}

/** Returns all classifications of a taxon in order. `listed` is true for the products in view. */
export async function findClassificationsOfTaxon(
  tx: Tx,
  taxonId: number,
  view: ProductView,
): Promise<OrderedClassification[]> {
  const visible = buildVisibilitySql(view);
  return tx('classifications')
    .join('products', 'products.id', 'classifications.product_id')
    .where('classifications.taxon_id', taxonId)
    .orderBy(['classifications.position', 'classifications.id'])
    .select<OrderedClassification[]>(
      'classifications.id',
      'classifications.product_id',
      'classifications.position',
      tx.raw(`(${visible.sql}) AS listed`, visible.bindings),
    );
}

/** Updates the positions of these classifications in one statement. */
export async function updatePositions(
  tx: Tx,
  classifications: readonly { id: number; position: number }[],
): Promise<void> {
  if (classifications.length === 0) return;
  await tx.raw(
    `UPDATE classifications SET position = given.position
     FROM unnest(CAST(:ids AS integer[]), CAST(:positions AS integer[])) AS given (id, position)
     WHERE classifications.id = given.id`,
    { ids: classifications.map(({ id }) => id), positions: classifications.map(({ position }) => position) },
  );
}
