import { requireTaxCategory } from '../../catalog/tax-categories/tax-categories.service';
import type { Ctx } from '../context';
import { NotFound } from '../../platform/errors';
import type { Db } from '../../platform/database/knex';
import { withTransaction } from '../../platform/database/transaction';
import { defined } from '../../platform/defined';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import {
  findTaxRate,
  findTaxRatePage,
  insertTaxRate,
  markTaxRateDeleted,
  updateTaxRate,
  type TaxRateRow,
} from './tax-rates.repository';
import type { TaxRateAttributes, TaxRateChanges } from './tax-rates.schema';

/** All rates, in whatever zone they hold. */
export async function listTaxRates(ctx: Ctx, list: ListQuery): Promise<Page<TaxRateRow>> {
  return findTaxRatePage(ctx.db, list);
}

/** @throws NotFound also when it was deleted */
export async function getTaxRate(ctx: Ctx, id: number): Promise<TaxRateRow> {
  return mustFind(ctx.db, id);
}

async function mustFind(db: Db, id: number): Promise<TaxRateRow> {
  const rate = await findTaxRate(db, id);
  if (rate === undefined) throw new NotFound();
  return rate;
}

/** @throws InvalidResource when category or zone do not exist */
export async function createTaxRate(ctx: Ctx, attributes: TaxRateAttributes): Promise<TaxRateRow> {
  const { amount, tax_category_id, name = null, zone_id = null } = attributes;
  return withTransaction(ctx, async (tx) => {
    await requireTaxCategory(tx, tax_category_id);
    const id = await insertTaxRate(tx, {
      ...{ name, amount, zone_id, tax_category_id },
      included_in_price: attributes.included_in_price ?? false,
      show_rate_in_label: attributes.show_rate_in_label ?? true,
    });
    return mustFind(tx, id);
  });
}

/**
 * Changes a rate: open orders are taxed by it from their next change on, completed ones keep their taxes.
 * @throws NotFound; InvalidResource as `createTaxRate`
 */
export async function changeTaxRate(ctx: Ctx, id: number, changes: TaxRateChanges): Promise<TaxRateRow> {
  const { name, amount, zone_id, tax_category_id } = changes;
  // A switch cannot be cleared, so null leaves it.
  const included_in_price = changes.included_in_price ?? undefined;
  const show_rate_in_label = changes.show_rate_in_label ?? undefined;
  return withTransaction(ctx, async (tx) => {
    await mustFind(tx, id);
    await requireTaxCategory(tx, tax_category_id);
    await updateTaxRate(tx, id, {
      ...defined({ name, amount, zone_id, tax_category_id }),
      ...defined({ included_in_price, show_rate_in_label }),
    });
    return mustFind(tx, id);
  });
}

/** No longer charged from now on; orders that completed with it keep it. @throws NotFound */
export async function removeTaxRate(ctx: Ctx, id: number): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    if ((await markTaxRateDeleted(tx, id, ctx.now())) === 0) throw new NotFound();
  });
}
