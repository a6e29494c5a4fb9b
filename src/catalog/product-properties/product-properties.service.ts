import { Conflict, InvalidResource } from '../../errors';
import type { Tx } from '../../platform/database/transaction';
import { defined } from '../../platform/defined';
import { findOrCreateProperties } from '../properties/properties.repository';
import {
  deleteProductProperties,
  findProductPropertiesOfProducts,
  updateProductProperty,
  upsertProductProperties,
} from './product-properties.repository';
import type { ProductPropertyInput } from './product-properties.schema';

/**
 * Applies the rows of a product's `product_properties_attributes`, inside the product's own transaction. Rows with a
 * blank name are skipped; a property the product has gets the new value; of two rows with one name the later wins.
 * A row with `id` changes that value, or removes it when `_destroy` is true.
 * @throws InvalidResource when an id is not one of this product's
 */
export async function applyProductProperties(
  tx: Tx,
  productId: number,
  rows: readonly ProductPropertyInput[],
): Promise<void> {
  await applyToExisting(tx, productId, rows);
  const named = rows.filter((row) => row.id == null && row._destroy !== true && !isBlank(row.property_name));
  const values = new Map(named.map((row) => [row.property_name ?? '', row.value ?? null]));
  if (values.size === 0) return;
  const propertyIds = await propertyIdsOf(tx, [...values.keys()]);
  await upsertProductProperties(
    tx,
    productId,
    new Map([...values].map(([name, value]) => [propertyIds(name), value])),
  );
}

async function applyToExisting(
  tx: Tx,
  productId: number,
  rows: readonly ProductPropertyInput[],
): Promise<void> {
  const byId = new Map(rows.flatMap((row) => (row.id == null ? [] : [[row.id, row] as const])));
  if (byId.size === 0) return;
  const existing = new Set((await findProductPropertiesOfProducts(tx, [productId])).map((row) => row.id));
  const removed: number[] = [];
  for (const [id, row] of byId) {
    if (!existing.has(id)) throw new InvalidResource({ product_properties: ['is invalid'] });
    if (row._destroy === true) removed.push(id);
    else await updateProductProperty(tx, id, defined({ value: row.value }));
  }
  await deleteProductProperties(tx, productId, removed);
}

/** The ids of the properties of these names, made where missing. @throws Conflict when one is just being deleted */
async function propertyIdsOf(tx: Tx, names: readonly string[]): Promise<(name: string) => number> {
  const properties = await findOrCreateProperties(tx, names);
  return (name) => {
    const property = properties.get(name);
    if (property === undefined) throw new Conflict(`property ${name} is being deleted`);
    return property.id;
  };
}

function isBlank(text: string | null | undefined): boolean {
  return text == null || text.trim() === '';
}
