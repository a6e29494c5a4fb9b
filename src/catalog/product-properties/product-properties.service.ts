import type { Ctx } from '../../access/context';
import { withPrefixedErrors } from '../../errors/constraint-errors';
import { BLANK, INVALID, InvalidResource, requireFound } from '../../platform/errors';
import { isBlank } from '../../platform/blank';
import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import { omitUndefined } from '../../platform/omit-undefined';
import type { IdOrName } from '../../platform/http/path-parameters';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { authorizeAdmin } from '../../access/authorization';
import { getVisibleProduct, withLockedProduct } from '../product-queries/product-lookup';
import { findOrCreateProperties } from '../properties/properties.repository';
import type {
  ProductPropertyAttributes,
  ProductPropertyChanges,
  ProductPropertyInput,
  ProductPropertyRow,
} from './product-properties.definition';
import {
  deleteProductProperties,
  findProductPropertiesOfProducts,
  findProductProperty,
  productPropertyRecords as rows,
  upsertProductProperties,
} from './product-properties.repository';

/** The product property of a path: the permalink or id of the product, and an id or property name. */
export interface ProductPropertyTarget {
  product_id: string;
  id: IdOrName;
}

/** Returns one page of the properties of a product. @throws NotFound if the actor may not see the product */
export async function listProductProperties(
  ctx: Ctx,
  permalink: string,
  list: ListQuery,
): Promise<Page<ProductPropertyRow>> {
  const product = await getVisibleProduct(ctx, permalink);
  return rows.findPage(ctx.db, list, { product_id: product.id });
}

/** Returns the product property with that id, or else the one with that property name. @throws NotFound */
export async function getProductProperty(
  ctx: Ctx,
  target: ProductPropertyTarget,
): Promise<ProductPropertyRow> {
  const product = await getVisibleProduct(ctx, target.product_id);
  return getRow(ctx.db, product.id, target.id);
}

async function getRow(db: Db, productId: number, named: IdOrName): Promise<ProductPropertyRow> {
  return requireFound(await findProductProperty(db, productId, named));
}

/**
 * Authorizes a write below a product and returns the id of the product. Visibility is checked before the role, so that
 * hidden products stay hidden.
 * @throws NotFound, then NotAuthorized
 */
export async function authorizeWrite(ctx: Ctx, permalink: string): Promise<number> {
  const product = await getVisibleProduct(ctx, permalink);
  authorizeAdmin(ctx.actor);
  return product.id;
}

/** Authorizes a change of an existing product property. @throws NotFound, NotAuthorized */
export async function authorizeChange(ctx: Ctx, target: ProductPropertyTarget): Promise<void> {
  await getRow(ctx.db, await authorizeWrite(ctx, target.product_id), target.id);
}

/**
 * Sets the value of the property with that exact name, and creates the property if it is missing. An existing value is
 * replaced, so repeating is safe. Locks the product.
 * @throws NotFound, NotAuthorized, InvalidResource
 */
export async function createProductProperty(
  ctx: Ctx,
  permalink: string,
  attributes: ProductPropertyAttributes,
): Promise<ProductPropertyRow> {
  const productId = await authorizeWrite(ctx, permalink);
  const { property_name: name, value = null, position } = attributes;
  if (isBlank(name)) throw new InvalidResource(BLANK_PROPERTY);
  return withLockedProduct(ctx, productId, async (tx) => {
    const propertyIds = await findOrCreateProperties(tx, [name]);
    await upsertProductProperties(tx, productId, new Map([[propertyIds(name), value]]));
    const created = await getRow(tx, productId, { id: null, name });
    if (position == null) return created;
    await rows.update(tx, created.id, { position });
    return { ...created, position };
  });
}

const BLANK_PROPERTY = { property: [BLANK] };

/**
 * Updates a product property. A property name assigns the value to that property. Locks the product.
 * @throws NotFound, NotAuthorized, InvalidResource also if the product already has a value of that property
 */
export async function updateProductProperty(
  ctx: Ctx,
  target: ProductPropertyTarget,
  changes: ProductPropertyChanges,
): Promise<ProductPropertyRow> {
  const productId = await authorizeWrite(ctx, target.product_id);
  return withLockedProduct(ctx, productId, async (tx) => {
    const { id } = await getRow(tx, productId, target.id);
    const { property_name: name, value, position } = changes;
    if (name !== undefined && isBlank(name)) throw new InvalidResource(BLANK_PROPERTY);
    const property_id = name === undefined ? undefined : (await findOrCreateProperties(tx, [name]))(name);
    await rows.update(tx, id, {
      ...omitUndefined({ value, property_id }),
      ...(position != null && { position }),
    });
    return getRow(tx, productId, { ...target.id, id });
  });
}

/** Removes the value from the product; the property itself stays. Locks the product. @throws NotFound, NotAuthorized */
export async function deleteProductProperty(ctx: Ctx, target: ProductPropertyTarget): Promise<void> {
  const productId = await authorizeWrite(ctx, target.product_id);
  await withLockedProduct(ctx, productId, async (tx) => {
    const { id } = await getRow(tx, productId, target.id);
    await deleteProductProperties(tx, productId, [id]);
  });
}

/**
 * Applies the `product_properties_attributes` of a product, in the transaction that writes the product. Rows with a
 * blank name are skipped; existing values are replaced; of two rows with one name the later wins. A row with `id`
 * updates that value, and its property if it has a name; with `_destroy` it deletes the value. Takes a constant number
 * of statements.
 * @throws InvalidResource for an id of another product
 */
export async function applyProductProperties(
  tx: Tx,
  productId: number,
  inputs: readonly ProductPropertyInput[],
): Promise<void> {
  const removed = inputs.flatMap((row) => (row.id != null && row._destroy === true ? [row.id] : []));
  const changes = await readChanges(tx, productId, inputs);
  const named = inputs.filter(
    (row) => row.id == null && row._destroy !== true && !isBlank(row.property_name),
  );
  const values = new Map(named.map((row) => [row.property_name ?? '', row.value ?? null]));
  await deleteProductProperties(tx, productId, removed);
  const propertyIds = await findOrCreateProperties(tx, [
    ...changes.map(({ name }) => name),
    ...values.keys(),
  ]);
  await withPrefixedErrors('product_properties', () =>
    rows.updateEach(
      tx,
      changes.map(({ id, name, value }) => ({ id, columns: { property_id: propertyIds(name), value } })),
    ),
  );
  await upsertProductProperties(
    tx,
    productId,
    new Map([...values].map(([name, value]) => [propertyIds(name), value])),
  );
}

/** Returns the new content of the product properties that rows with an id update; of two such rows the later wins. */
async function readChanges(
  tx: Tx,
  productId: number,
  inputs: readonly ProductPropertyInput[],
): Promise<{ id: number; name: string; value: string | null }[]> {
  const byId = new Map(inputs.flatMap((row) => (row.id == null ? [] : [[row.id, row] as const])));
  if (byId.size === 0) return [];
  const properties = await findProductPropertiesOfProducts(tx, [productId]);
  const existing = new Map(properties.map((property) => [property.id, property]));
  return [...byId].flatMap(([id, row]) => {
    const before = existing.get(id);
    if (before === undefined) throw new InvalidResource({ product_properties: [INVALID] });
    if (row._destroy === true) return [];
    const name = isBlank(row.property_name) ? before.property_name : row.property_name;
    return [{ id, name, value: row.value === undefined ? before.value : row.value }];
  });
}
