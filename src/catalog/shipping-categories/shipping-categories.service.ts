import type { Ctx } from '../../access/context';
import { InvalidResource, NotFound } from '../../platform/errors';
import type { Db } from '../../platform/database/knex';
import { withTransaction } from '../../platform/database/transaction';
import { defined } from '../../platform/defined';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import {
  deleteShippingCategory,
  findShippingCategory,
  findShippingCategoryPage,
  hasProducts,
  insertShippingCategory,
  lockShippingCategory,
  updateShippingCategory,
  type ShippingCategoryRow,
} from './shipping-categories.repository';
import type { ShippingCategoryAttributes, ShippingCategoryChanges } from './shipping-categories.schema';

/** One page of shipping categories. */
export async function listShippingCategories(ctx: Ctx, list: ListQuery): Promise<Page<ShippingCategoryRow>> {
  return findShippingCategoryPage(ctx.db, list);
}

/** @throws NotFound */
export async function getShippingCategory(ctx: Ctx, id: number): Promise<ShippingCategoryRow> {
  return mustFind(ctx.db, id);
}

async function mustFind(db: Db, id: number): Promise<ShippingCategoryRow> {
  const category = await findShippingCategory(db, id);
  if (category === undefined) throw new NotFound();
  return category;
}

/** @throws InvalidResource when the name is taken */
export async function createShippingCategory(
  ctx: Ctx,
  { name }: ShippingCategoryAttributes,
): Promise<ShippingCategoryRow> {
  return withTransaction(ctx, (tx) => insertShippingCategory(tx, name));
}

/** @throws NotFound; InvalidResource when the name is taken */
export async function changeShippingCategory(
  ctx: Ctx,
  id: number,
  { name }: ShippingCategoryChanges,
): Promise<ShippingCategoryRow> {
  return withTransaction(ctx, async (tx) => {
    await mustFind(tx, id);
    await updateShippingCategory(tx, id, defined({ name }));
    return mustFind(tx, id);
  });
}

/**
 * Removes a category without products; shipping methods no longer carry it. Locks it.
 * @throws NotFound; InvalidResource while products, deleted ones too, name it
 */
export async function removeShippingCategory(ctx: Ctx, id: number): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    if ((await lockShippingCategory(tx, id)) === undefined) throw new NotFound();
    if (await hasProducts(tx, id)) {
      throw new InvalidResource({ base: ['Shipping categories of products cannot be deleted'] });
    }
    await deleteShippingCategory(tx, id);
  });
}
