import type { Db } from '../platform/database/knex';
import type { Tx } from '../platform/database/transaction';

/** Returns the ids of the stock items of a product's master, which are not deleted. */
export async function findMasterItemIds(db: Db, productId: number): Promise<number[]> {
  return db('stock_items')
    .join('variants', 'variants.id', 'stock_items.variant_id')
    .where({ 'variants.product_id': productId, 'variants.is_master': true, 'stock_items.deleted_at': null })
    .pluck<number[]>('stock_items.id');
}

/** Writes `backorderable` of these stock items. */
export async function setBackorderable(
  tx: Tx,
  ids: readonly number[],
  backorderable: boolean,
): Promise<void> {
  if (ids.length === 0) return;
  await tx('stock_items')
    .whereRaw('id = ANY(?)', [[...ids]])
    .update({ backorderable });
}
