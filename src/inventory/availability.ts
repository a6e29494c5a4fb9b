/** The stock of a variant in all active locations. */
export interface Availability {
  variant_id: number;
  /** True if both the variant and the store track inventory. */
  tracks_inventory: boolean;
  /** Sum over the active locations; below zero for backordered units. Meaningless if inventory is not tracked. */
  total_on_hand: number;
  /** Whether any active location allows backorders. */
  backorderable: boolean;
}

/**
 * Returns whether `quantity` units can be sold. Carts reserve no stock, so the result can change at
 * any time.
 */
export function canSupply(
  stock: Pick<Availability, 'tracks_inventory' | 'total_on_hand' | 'backorderable'>,
  quantity: number,
): boolean {
  return !stock.tracks_inventory || stock.backorderable || stock.total_on_hand >= quantity;
}

/** The stock of a variant at one location. */
export interface LocationStock {
  stock_location_id: number;
  variant_id: number;
  count_on_hand: number;
  backorderable: boolean;
}

export interface ActiveLocation {
  id: number;
  name: string;
  is_default: boolean;
}

/** The stock of several variants at all active locations. */
export interface StockByLocation {
  /** Every active location: the default first, the others by name. */
  locations: ActiveLocation[];
  /** By stock item id. A location without a stock item of a variant has no entry for it. */
  stock: LocationStock[];
}
