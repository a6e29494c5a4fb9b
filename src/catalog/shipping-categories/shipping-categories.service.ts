import type { Ctx } from '../../access/context';
import { InvalidResource } from '../../platform/errors';
import { withTransaction } from '../../platform/database/transaction';
import { createUseCases, type UseCasesOf } from '../../platform/resource/use-cases';
import { ShippingCategory } from './shipping-categories.definition';
import { hasProducts, shippingCategoryRecords as rows } from './shipping-categories.repository';

export const shippingCategories: UseCasesOf<Ctx, typeof ShippingCategory> = {
  ...createUseCases(ShippingCategory, rows),

  /** Locks the category. @throws InvalidResource if products belong to it, even deleted ones */
  delete: (ctx, id) =>
    withTransaction(ctx, async (tx) => {
      await rows.lock(tx, id);
      if (await hasProducts(tx, id)) {
        throw new InvalidResource({ base: ['Shipping categories of products cannot be deleted'] });
      }
      await rows.delete(tx, id, ctx.now());
    }),
};
