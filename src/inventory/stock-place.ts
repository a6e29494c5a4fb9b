/** Where a variant lies: one stock item at most. */
export interface StockPlace {
  stock_location_id: number;
  variant_id: number;
}

/** Names a place as the key of a map. */
export function buildPlaceKey({ stock_location_id, variant_id }: StockPlace): string {
  return `${stock_location_id}/${variant_id}`;
}
