import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import type { IdOrName } from '../../platform/http/path-parameters';
import { MAX_INT4 } from '../../platform/int4';
import { createRecords } from '../../platform/resource/records';
import { ProductProperty, type ProductPropertyRow } from './product-properties.definition';

export const productPropertyRecords = createRecords(ProductProperty);

/** Returns the product property with that id, or else the one of the property with that exact name. */
export async function findProductProperty(
  db: Db,
  productId: number,
  { id, name }: IdOrName,
): Promise<ProductPropertyRow | undefined> {
  return productPropertyRecords
    .select(db)
    .where('product_properties.product_id', productId)
    .whereRaw('(product_properties.id = ? OR properties.name = ?)', [id, name])
    .orderByRaw('product_properties.id IS NOT DISTINCT FROM ? DESC', [id])
    .first();
}

/** Returns the properties of these products, by position within each. One query. */
export async function findProductPropertiesOfProducts(
  db: Db,
  productIds: readonly number[],
): Promise<ProductPropertyRow[]> {
  return productPropertyRecords
    .select(db)
    .whereRaw('product_properties.product_id = ANY(?)', [[...productIds]])
    .orderBy(['product_properties.product_id', 'product_properties.position', 'product_properties.id']);
}

/**
 * Sets the values of a product by property id: replaces existing values, and appends the others in the order of the
 * map.
 */
export async function upsertProductProperties(
  tx: Tx,
  productId: number,
  values: ReadonlyMap<number, string | null>,
): Promise<void> {
  if (values.size === 0) return;
  await tx.raw(
    `INSERT INTO product_properties (product_id, property_id, value, position)
     SELECT :productId, given.property_id, given.value, least(given.n + last.position, ${MAX_INT4})
     FROM unnest(CAST(:propertyIds AS integer[]), CAST(:values AS text[])) WITH ORDINALITY AS given (property_id, value, n),
       (SELECT coalesce(max(position), 0) AS position FROM product_properties WHERE product_id = :productId) AS last
     ON CONFLICT ON CONSTRAINT product_properties_property_unique DO UPDATE SET value = EXCLUDED.value
       WHERE product_properties.value IS DISTINCT FROM EXCLUDED.value`,
    { productId, propertyIds: [...values.keys()], values: [...values.values()] },
  );
}

/** Deletes these product properties; ids of other products are ignored. */
export async function deleteProductProperties(
  tx: Tx,
  productId: number,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  await tx('product_properties').where({ product_id: productId }).whereIn('id', ids).delete();
}
