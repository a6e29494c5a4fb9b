import type { VariantStock } from '../catalog/context';
import { countCommittedUnits } from './committed-units.repository';
import { emptyMasterStock, removeStock } from './item-stock';
import { buildPlaceKey } from './stock-place';
import { createStockItemsOfVariants } from './variant-stock.repository';

/** Returns the stock of variants, for the account of an actor: `Deps.variantStock` of the catalog. */
export function createVariantStock(user_id: number | null): VariantStock {
  return {
    create: createStockItemsOfVariants,
    emptyMaster: (tx, product) => emptyMasterStock(tx, product, user_id),
    async remove(tx, variant_ids, now) {
      await removeStock(tx, { variant_ids }, { user_id, now });
    },
    async countCommitted(db, items) {
      const counts = await countCommittedUnits(db, items);
      return new Map(
        items.flatMap((item) => {
          const committed = counts.get(buildPlaceKey(item));
          return committed === undefined ? [] : [[item.id, committed]];
        }),
      );
    },
  };
}
