import type { VariantStock } from '../catalog/context';
import { emptyMasterStock, removeStock } from './item-stock';
import { createStockItemsOfVariants } from './variant-stock.repository';

/** Returns the stock of variants, for the account of an actor: `Deps.variantStock` of the catalog. */
export function createVariantStock(user_id: number | null): VariantStock {
  return {
    create: createStockItemsOfVariants,
    emptyMaster: (tx, product) => emptyMasterStock(tx, product, user_id),
    async remove(tx, variant_ids, now) {
      await removeStock(tx, { variant_ids }, { user_id, now });
    },
  };
}
