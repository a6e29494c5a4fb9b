import { MAX_INT4 } from '../platform/int4';

/** The largest count of a stock item. A count may be as far below zero if the item is backorderable. */
export const MAX_COUNT = MAX_INT4;

/** A variant at a stock location. There is at most one stock item for it. */
export interface StockPlace {
  stock_location_id: number;
  variant_id: number;
}

/** Returns a map key for a place. */
export function buildPlaceKey({ stock_location_id, variant_id }: StockPlace): string {
  return `${stock_location_id}/${variant_id}`;
}
