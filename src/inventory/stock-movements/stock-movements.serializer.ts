import { serializeStockItem } from '../stock-items/stock-items.serializer';
import type { StockMovementJson } from './stock-movements.schema';
import type { StockMovementGraph } from './stock-movements.service';

export function serializeStockMovement(movement: StockMovementGraph): StockMovementJson {
  return {
    id: movement.id,
    quantity: movement.quantity,
    stock_item_id: movement.stock_item_id,
    action: movement.action,
    user_id: movement.user_id,
    created_at: movement.created_at.toISOString(),
    updated_at: movement.updated_at.toISOString(),
    stock_item: serializeStockItem(movement.stock_item),
  };
}
