import type { Ctx } from '../../access/context';
import { BLANK, Conflict, INVALID, InvalidResource, NotFound } from '../../platform/errors';
import { isBlank } from '../../platform/blank';
import type { Db } from '../../platform/database/knex';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import { omitUndefined } from '../../platform/omit-undefined';
import type { IdOrName } from '../../platform/http/path-parameters';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { authorizeAdmin } from '../../access/authorization';
import { getVisibleProduct, lockProduct } from '../products/product-lookup';
import { findOrCreateProperties } from '../properties/properties.repository';
import {
  deleteProductProperties,
  findProductPropertiesOfProducts,
  findProductProperty,
  findProductPropertyPage,
  updateProductProperties,
  updateProductProperty,
  upsertProductProperties,
  type ProductPropertyRow,
} from './product-properties.repository';
import type {
  ProductPropertyAttributes,
  ProductPropertyChanges,
  ProductPropertyInput,
} from './product-properties.schema';

/** A product property as a path names it: below its product's permalink or id. */
export interface ProductPropertyTarget {
  product_id: string;
  id: IdOrName;
}

/** @throws NotFound when the caller does not see the product */
export async function listProductProperties(
  ctx: Ctx,
  permalink: string,
  list: ListQuery,
): Promise<Page<ProductPropertyRow>> {
  const product = await getVisibleProduct(ctx, permalink);
  return findProductPropertyPage(ctx.db, product.id, list);
}

/** The value of that id, else of the property of that name. @throws NotFound */
export async function getProductProperty(
  ctx: Ctx,
  target: ProductPropertyTarget,
): Promise<ProductPropertyRow> {
  const product = await getVisibleProduct(ctx, target.product_id);
  return getRow(ctx.db, product.id, target.id);
}

async function getRow(db: Db, productId: number, named: IdOrName): Promise<ProductPropertyRow> {
  const found = await findProductProperty(db, productId, named);
  if (found === undefined) throw new NotFound();
  return found;
}

/**
 * The id of the product a write is about: hidden products are nobody's business, so that comes before the caller.
 * @throws NotFound, then NotAuthorized
 */
export async function authorizeWrite(ctx: Ctx, permalink: string): Promise<number> {
  const product = await getVisibleProduct(ctx, permalink);
  authorizeAdmin(ctx.actor);
  return product.id;
}

/** The same, of a value the product must have. @throws NotFound, NotAuthorized */
export async function authorizeChange(ctx: Ctx, target: ProductPropertyTarget): Promise<void> {
  await getRow(ctx.db, await authorizeWrite(ctx, target.product_id), target.id);
}

/**
 * Gives the product a value of the property of that exact name, which is made when there is none. A value the product
 * has already is replaced, so repeating is safe. Locks the product.
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
  return withTransaction(ctx, async (tx) => {
    await lockProduct(tx, productId);
    const propertyIds = await findOrCreatePropertyIds(tx, [name]);
    await upsertProductProperties(tx, productId, new Map([[propertyIds(name), value]]));
    const created = await getRow(tx, productId, { id: null, name });
    if (position == null) return created;
    await updateProductProperty(tx, created.id, { position });
    return { ...created, position };
  });
}

const BLANK_PROPERTY = { property: [BLANK] };

/**
 * Changes the value; with a property name, makes it the value of that property. Locks the product.
 * @throws NotFound, NotAuthorized, InvalidResource also when the product has a value of that property
 */
export async function changeProductProperty(
  ctx: Ctx,
  target: ProductPropertyTarget,
  changes: ProductPropertyChanges,
): Promise<ProductPropertyRow> {
  const productId = await authorizeWrite(ctx, target.product_id);
  return withTransaction(ctx, async (tx) => {
    await lockProduct(tx, productId);
    const { id } = await getRow(tx, productId, target.id);
    const { property_name: name, value, position } = changes;
    if (name !== undefined && isBlank(name)) throw new InvalidResource(BLANK_PROPERTY);
    const property_id = name === undefined ? undefined : (await findOrCreatePropertyIds(tx, [name]))(name);
    await updateProductProperty(tx, id, {
      ...omitUndefined({ value, property_id }),
      ...(position != null && { position }),
    });
    return getRow(tx, productId, { ...target.id, id });
  });
}

/** Takes the value from the product; the property itself stays. @throws NotFound, NotAuthorized */
export async function removeProductProperty(ctx: Ctx, target: ProductPropertyTarget): Promise<void> {
  const productId = await authorizeWrite(ctx, target.product_id);
  await withTransaction(ctx, async (tx) => {
    await lockProduct(tx, productId);
    const { id } = await getRow(tx, productId, target.id);
    await deleteProductProperties(tx, productId, [id]);
  });
}

/**
 * Applies the rows of a product's `product_properties_attributes`, inside the product's own transaction. Rows with a
 * blank name are skipped; a property the product has gets the new value; of two rows with one name the later wins.
 * A row with `id` changes that value (its property too when it names one), or removes it when `_destroy` is true. A
 * constant number of statements.
 * @throws InvalidResource when an id is not one of this product's
 */
export async function applyProductProperties(
  tx: Tx,
  productId: number,
  rows: readonly ProductPropertyInput[],
): Promise<void> {
  const removed = rows.flatMap((row) => (row.id != null && row._destroy === true ? [row.id] : []));
  const changes = await readChanges(tx, productId, rows);
  const named = rows.filter((row) => row.id == null && row._destroy !== true && !isBlank(row.property_name));
  const values = new Map(named.map((row) => [row.property_name ?? '', row.value ?? null]));
  await deleteProductProperties(tx, productId, removed);
  const propertyIds = await findOrCreatePropertyIds(tx, [...changes.map(({ name }) => name), ...values.keys()]);
  await updateProductProperties(
    tx,
    changes.map(({ id, name, value }) => ({ id, property_id: propertyIds(name), value })),
  );
  await upsertProductProperties(
    tx,
    productId,
    new Map([...values].map(([name, value]) => [propertyIds(name), value])),
  );
}

/** What the rows with an id want those values to be; of two rows with one id the later wins. */
async function readChanges(
  tx: Tx,
  productId: number,
  rows: readonly ProductPropertyInput[],
): Promise<{ id: number; name: string; value: string | null }[]> {
  const byId = new Map(rows.flatMap((row) => (row.id == null ? [] : [[row.id, row] as const])));
  if (byId.size === 0) return [];
  const present = await findProductPropertiesOfProducts(tx, [productId]);
  const existing = new Map(present.map((property) => [property.id, property]));
  return [...byId].flatMap(([id, row]) => {
    const before = existing.get(id);
    if (before === undefined) throw new InvalidResource({ product_properties: [INVALID] });
    if (row._destroy === true) return [];
    const name = isBlank(row.property_name) ? before.property_name : row.property_name;
    return [{ id, name, value: row.value === undefined ? before.value : row.value }];
  });
}

/** The ids of the properties of these names, made where missing. @throws Conflict when one is just being deleted */
async function findOrCreatePropertyIds(tx: Tx, names: readonly string[]): Promise<(name: string) => number> {
  const properties = await findOrCreateProperties(tx, names);
  return (name) => {
    const property = properties.get(name);
    if (property === undefined) throw new Conflict(`property ${name} is being deleted`);
    return property.id;
  };
}
