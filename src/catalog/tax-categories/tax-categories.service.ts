import type { Ctx } from '../../access/context';
import { INVALID, InvalidResource } from '../../platform/errors';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import { createUseCases, type UseCasesOf } from '../../platform/resource/use-cases';
import { TaxCategory } from './tax-categories.definition';
import {
  defaultTaxCategory,
  isTaxCategoryInUse,
  taxCategoryRecords as rows,
} from './tax-categories.repository';

export const taxCategories: UseCasesOf<Ctx, typeof TaxCategory> = {
  ...createUseCases(TaxCategory, rows),

  /** A new default replaces the current one. */
  create: (ctx, attributes) =>
    withTransaction(ctx, async (tx) => {
      const values = TaxCategory.newValues(attributes);
      await defaultTaxCategory.lock(tx);
      if (values.is_default) await defaultTaxCategory.clear(tx);
      return rows.get(tx, await rows.insert(tx, values));
    }),

  /** Open orders are taxed by the change at their next update; complete orders keep their taxes. */
  update: (ctx, id, changes) =>
    withTransaction(ctx, async (tx) => {
      await defaultTaxCategory.lock(tx);
      const category = await rows.get(tx, id);
      if (changes.is_default === true && !category.is_default) await defaultTaxCategory.clear(tx);
      await rows.update(tx, id, TaxCategory.changedValues(changes));
      return rows.get(tx, id);
    }),

  /** Keeps the row for deleted records. @throws InvalidResource if the category is in use */
  delete: (ctx, id) =>
    withTransaction(ctx, async (tx) => {
      await defaultTaxCategory.lock(tx);
      await rows.lock(tx, id);
      if (await isTaxCategoryInUse(tx, id)) {
        throw new InvalidResource({
          base: ['Tax categories of products, shipping methods or tax rates cannot be deleted'],
        });
      }
      await rows.update(tx, id, { is_default: false });
      await rows.delete(tx, id, ctx.now());
    }),
};

/**
 * Checks that a tax category exists and locks it against deletion until the transaction ends. Null and undefined mean
 * no category.
 * @throws InvalidResource under `tax_category_id`
 */
export async function requireTaxCategory(tx: Tx, id: number | null | undefined): Promise<void> {
  if (id == null) return;
  if ((await rows.lockForReference(tx, id)) === undefined)
    throw new InvalidResource({ tax_category_id: [INVALID] });
}
