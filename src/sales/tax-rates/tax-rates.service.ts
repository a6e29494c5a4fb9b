import { requireTaxCategory } from '../../catalog/tax-categories/tax-categories.service';
import type { Ctx } from '../context';
import { withTransaction } from '../../platform/database/transaction';
import { createRecords } from '../../platform/resource/records';
import { createUseCases, type UseCasesOf } from '../../platform/resource/use-cases';
import { TaxRate } from './tax-rates.definition';

const rows = createRecords(TaxRate);

/** A deleted rate is no longer charged; the row stays, as adjustments of completed orders reference it. */
export const taxRates: UseCasesOf<Ctx, typeof TaxRate> = {
  ...createUseCases(TaxRate, rows),

  /** @throws InvalidResource when category or zone do not exist */
  create: (ctx, attributes) =>
    withTransaction(ctx, async (tx) => {
      await requireTaxCategory(tx, attributes.tax_category_id);
      return rows.get(tx, await rows.insert(tx, TaxRate.newValues(attributes)));
    }),

  /** Open orders are taxed by it from their next change on, completed ones keep their taxes. */
  update: (ctx, id, changes) =>
    withTransaction(ctx, async (tx) => {
      await rows.get(tx, id);
      await requireTaxCategory(tx, changes.tax_category_id);
      await rows.update(tx, id, TaxRate.changedValues(changes));
      return rows.get(tx, id);
    }),
};
