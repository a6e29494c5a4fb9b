import type { Tx } from '../../platform/database/transaction';
import { STORE_TRACKS_INVENTORY } from '../store-settings';

/** Creates an empty stock item for each variant at every location that propagates. */
export async function createStockItemsOfVariants(tx: Tx, variantIds: readonly number[]): Promise<void> {
  await tx.raw(
    `INSERT INTO stock_items (stock_location_id, variant_id, backorderable)
     SELECT stock_locations.id, given.id, backorderable_default
     FROM stock_locations, unnest(CAST(? AS integer[])) AS given (id)
     WHERE propagate_all_variants AND deleted_at IS NULL ORDER BY given.id, stock_locations.id
     ON CONFLICT DO NOTHING`,
    [[...variantIds]],
  );
}

/**
 * Sets the stock of the master to 0: once a product has variants, its stock belongs to them. If the master has stock,
 * each of its items gets a movement that references the new variant, and is no longer backorderable. Items that owe
 * units and items without inventory tracking do not change. Locks the stock items by id.
 */
export async function emptyMasterStock(tx: Tx, productId: number, newVariantId: number): Promise<void> {
  const { rows } = await tx.raw<{ rows: { id: number; count_on_hand: number }[] }>(
    `SELECT stock_items.id, stock_items.count_on_hand
     FROM stock_items JOIN variants ON variants.id = stock_items.variant_id
     WHERE variants.product_id = ? AND variants.is_master AND variants.track_inventory
       AND ${STORE_TRACKS_INVENTORY} AND stock_items.deleted_at IS NULL
     ORDER BY stock_items.id FOR UPDATE OF stock_items`,
    [productId],
  );
  if (!rows.some((item) => item.count_on_hand > 0)) return;
  const ids = rows.filter((item) => item.count_on_hand >= 0).map((item) => item.id);
  await tx.raw(
    `INSERT INTO stock_movements (stock_item_id, quantity, originator_type, originator_id)
     SELECT id, -count_on_hand, 'Store::Variant', CAST(? AS integer) FROM stock_items
     WHERE id = ANY(?) AND count_on_hand > 0 ORDER BY id`,
    [newVariantId, ids],
  );
  await tx.raw('UPDATE stock_items SET count_on_hand = 0, backorderable = false WHERE id = ANY(?)', [ids]);
}

/** Marks the stock items of these variants as deleted; totals no longer include them. Locks the stock items by id. */
export async function deleteStockItemsOfVariants(
  tx: Tx,
  variantIds: readonly number[],
  now: Date,
): Promise<void> {
  await tx.raw(
    `UPDATE stock_items SET deleted_at = ? WHERE id IN (
       SELECT id FROM stock_items WHERE variant_id = ANY(?) AND deleted_at IS NULL ORDER BY id FOR UPDATE
     )`,
    [now, [...variantIds]],
  );
}
