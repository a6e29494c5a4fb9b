import type { Ctx } from '../../access/context';
import { INVALID, InvalidResource, NotFound } from '../../platform/errors';
import type { Db } from '../../platform/database/knex';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import { defined } from '../../platform/defined';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import {
  clearDefaultTaxCategory,
  findTaxCategory,
  findTaxCategoryPage,
  holdTaxCategory,
  insertTaxCategory,
  isTaxCategoryInUse,
  lockTaxCategories,
  lockTaxCategory,
  markTaxCategoryDeleted,
  updateTaxCategory,
  type TaxCategoryRow,
} from './tax-categories.repository';
import type { TaxCategoryAttributes, TaxCategoryChanges } from './tax-categories.schema';

/** One page of the tax categories that were not deleted. */
export async function listTaxCategories(ctx: Ctx, list: ListQuery): Promise<Page<TaxCategoryRow>> {
  return findTaxCategoryPage(ctx.db, list);
}

/** @throws NotFound also when it was deleted */
export async function getTaxCategory(ctx: Ctx, id: number): Promise<TaxCategoryRow> {
  return mustFind(ctx.db, id);
}

async function mustFind(db: Db, id: number): Promise<TaxCategoryRow> {
  const category = await findTaxCategory(db, id);
  if (category === undefined) throw new NotFound();
  return category;
}

/**
 * For steps of other use cases: refuses a category that is not there, and keeps one that is until the transaction
 * ends. Null and undefined name none, which is fine.
 * @throws InvalidResource under `tax_category_id`
 */
export async function requireTaxCategory(tx: Tx, id: number | null | undefined): Promise<void> {
  if (id == null) return;
  const category = await holdTaxCategory(tx, id);
  if (category === undefined) throw new InvalidResource({ tax_category_id: [INVALID] });
}

/** Makes a category. A new default takes the place of the old one. @throws InvalidResource */
export async function createTaxCategory(
  ctx: Ctx,
  attributes: TaxCategoryAttributes,
): Promise<TaxCategoryRow> {
  return withTransaction(ctx, async (tx) => {
    const { name, description = null, tax_code = null } = attributes;
    const is_default = attributes.is_default ?? false;
    await lockTaxCategories(tx);
    if (is_default) await clearDefaultTaxCategory(tx);
    return mustFind(tx, await insertTaxCategory(tx, { name, description, tax_code, is_default }));
  });
}

/**
 * Changes a category: open orders are taxed by it from their next change on, completed ones keep their taxes.
 * @throws NotFound, InvalidResource
 */
export async function changeTaxCategory(
  ctx: Ctx,
  id: number,
  changes: TaxCategoryChanges,
): Promise<TaxCategoryRow> {
  return withTransaction(ctx, async (tx) => {
    const { name, description, tax_code } = changes;
    const is_default = changes.is_default ?? undefined;
    await lockTaxCategories(tx);
    const category = await mustFind(tx, id);
    if (is_default === true && !category.is_default) await clearDefaultTaxCategory(tx);
    await updateTaxCategory(tx, id, defined({ name, description, tax_code, is_default }));
    return mustFind(tx, id);
  });
}

/**
 * Deletes a category nothing on sale is taxed by: goods must not become untaxed by the way.
 * @throws NotFound; InvalidResource while goods, shipping methods or tax rates name it
 */
export async function removeTaxCategory(ctx: Ctx, id: number): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    await lockTaxCategories(tx);
    if ((await lockTaxCategory(tx, id)) === undefined) throw new NotFound();
    if (await isTaxCategoryInUse(tx, id)) {
      throw new InvalidResource({
        base: ['Tax categories of products, shipping methods or tax rates cannot be deleted'],
      });
    }
    await markTaxCategoryDeleted(tx, id, ctx.now());
  });
}
