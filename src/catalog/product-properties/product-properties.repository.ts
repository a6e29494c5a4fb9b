import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import { MAX_INT4 } from '../../platform/int4';
import { applyFilters, applySortAndPage } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { countAll, buildPage, type Page } from '../../platform/query-builder/page';
import { productPropertySearch } from './product-properties.search';

/** The value of a property for a product, with the name of the property. */
export interface ProductPropertyRow {
  id: number;
  product_id: number;
  property_id: number;
  value: string | null;
  position: number;
  property_name: string;
}

function queryProductProperties(db: Db) {
  return db('product_properties')
    .join('properties', 'properties.id', 'product_properties.property_id')
    .select<ProductPropertyRow[]>(
      'product_properties.id',
      'product_properties.product_id',
      'product_properties.property_id',
      'product_properties.value',
      'product_properties.position',
      { property_name: 'properties.name' },
    );
}

/** Returns one page of the properties of a product, by position unless the request sorts. */
export async function findProductPropertyPage(
  db: Db,
  productId: number,
  list: ListQuery,
): Promise<Page<ProductPropertyRow>> {
  const own = queryProductProperties(db).where('product_properties.product_id', productId);
  const matching = applyFilters(own, list, productPropertySearch);
  const rows = await applySortAndPage(matching.clone(), list, productPropertySearch);
  return buildPage(rows, await countAll(matching, rows.length, list), list);
}

/** Returns the product property with that id, or else the one of the property with that exact name. */
export async function findProductProperty(
  db: Db,
  productId: number,
  { id, name }: { id: number | null; name: string },
): Promise<ProductPropertyRow | undefined> {
  return queryProductProperties(db)
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
  return queryProductProperties(db)
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
     ON CONFLICT ON CONSTRAINT product_properties_property_unique DO UPDATE SET value = EXCLUDED.value`,
    { productId, propertyIds: [...values.keys()], values: [...values.values()] },
  );
}

export type ProductPropertyPatch = Partial<Pick<ProductPropertyRow, 'value' | 'position' | 'property_id'>>;

/** Updates the given columns. @throws product_properties_property_unique */
export async function updateProductPropertyRow(
  tx: Tx,
  id: number,
  patch: ProductPropertyPatch,
): Promise<void> {
  if (Object.keys(patch).length > 0) await tx('product_properties').where({ id }).update(patch);
}

/** Updates the value and the property of each of these, in one statement. */
export async function updateProductProperties(
  tx: Tx,
  changes: readonly Pick<ProductPropertyRow, 'id' | 'property_id' | 'value'>[],
): Promise<void> {
  if (changes.length === 0) return;
  await tx.raw(
    `UPDATE product_properties SET property_id = given.property_id, value = given.value
     FROM json_to_recordset(CAST(? AS json)) AS given (id integer, property_id integer, value text)
     WHERE product_properties.id = given.id`,
    [JSON.stringify(changes)],
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
