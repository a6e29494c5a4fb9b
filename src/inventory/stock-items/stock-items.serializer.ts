import { serializeVariant } from '../../catalog/variants/variants.serializer';
import type { StockItemGraph } from './stock-item-graph';
import type { StockItemJson } from './stock-items.schema';

/** Stock is shown to admins only, so the variant shows what it cost. */
export function serializeStockItem(item: StockItemGraph): StockItemJson {
  return {
    id: item.id,
    count_on_hand: item.count_on_hand,
    backorderable: item.backorderable,
    stock_location_id: item.stock_location_id,
    variant_id: item.variant_id,
    variant: serializeVariant(item.variant, 'admin'),
  };
}
