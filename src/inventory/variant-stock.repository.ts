import type { Tx } from '../platform/database/transaction';

/**
 * Creates an empty stock item for each variant at every location that propagates. `backorderable` defaults to that of
 * the location.
 */
export async function createStockItemsOfVariants(
  tx: Tx,
  variantIds: readonly number[],
  backorderable?: boolean,
): Promise<void> {
  if (variantIds.length === 0) return;
  await tx.raw(
    `INSERT INTO stock_items (stock_location_id, variant_id, backorderable)
     SELECT stock_locations.id, given.id, COALESCE(CAST(? AS boolean), backorderable_default)
     FROM stock_locations, unnest(CAST(? AS integer[])) AS given (id)
     WHERE propagate_all_variants AND deleted_at IS NULL ORDER BY given.id, stock_locations.id
     ON CONFLICT DO NOTHING`,
    [backorderable ?? null, [...variantIds]],
  );
}
