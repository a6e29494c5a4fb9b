import { serializeVariant } from '../../catalog/variants/variants.serializer';
import type { StockItemGraph } from './stock-item-graph';
import type { StockItemJson } from './stock-items.schema';

/** Serializes a stock item. Only admins see stock, so the variant includes its cost price. */
export function serializeStockItem(item: StockItemGraph): StockItemJson {
  return {
    id: item.id,
    count_on_hand: item.count_on_hand,
    committed: item.committed,
    backorderable: item.backorderable,
    stock_location_id: item.stock_location_id,
    variant_id: item.variant_id,
    updated_at: item.updated_at.toISOString(),
    deleted_at: item.deleted_at?.toISOString() ?? null,
    variant: serializeVariant(item.variant, 'admin'),
  };
}
