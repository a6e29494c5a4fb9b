import { requireTaxCategory } from '../../catalog/tax-categories/tax-categories.service';
import type { Ctx } from '../context';
import { withTransaction } from '../../platform/database/transaction';
import { createRecords } from '../../platform/resource/records';
import { createUseCases, type UseCasesOf } from '../../platform/resource/use-cases';
import { TaxRate } from './tax-rates.definition';

const rows = createRecords(TaxRate);

/** A deleted rate is no longer charged; its row is kept, as adjustments of complete orders reference it. */
export const taxRates: UseCasesOf<Ctx, typeof TaxRate> = {
  ...createUseCases(TaxRate, rows),

  /** Creates a tax rate. @throws InvalidResource when the tax category or the zone does not exist */
  create: (ctx, attributes) =>
    withTransaction(ctx, async (tx) => {
      await requireTaxCategory(tx, attributes.tax_category_id);
      return rows.get(tx, await rows.insert(tx, TaxRate.newValues(attributes)));
    }),

  /** Updates a tax rate. Open orders are recalculated with their next change; complete orders keep their taxes. */
  update: (ctx, id, changes) =>
    withTransaction(ctx, async (tx) => {
      await rows.get(tx, id);
      await requireTaxCategory(tx, changes.tax_category_id);
      await rows.update(tx, id, TaxRate.changedValues(changes));
      return rows.get(tx, id);
    }),
};
