import type { Db } from '../../platform/database/knex';
import type { OrderGraph } from '../order/order-graph';
import { loadSkus } from './skus.repository';

/** How much is available for a line item that cannot be supplied. */
export interface Shortfall {
  variant_id: number;
  /** From zero to less than the quantity of the line item. */
  available: number;
}

/** A line item that cannot be supplied, as replies name it. */
export interface LineShortage extends Shortfall {
  /** The line item. */
  id: number;
  sku: string;
  requested: number;
}

/** Adds line items and SKUs to shortfalls of an order, in the order of its line items. One statement. */
export async function nameShortages(
  db: Db,
  order: Pick<OrderGraph, 'line_items'>,
  shortfalls: readonly Shortfall[],
): Promise<LineShortage[]> {
  const skus = await loadSkus(db, shortfalls);
  const shortfallOf = new Map(shortfalls.map((shortfall) => [shortfall.variant_id, shortfall]));
  return order.line_items.flatMap(({ id, variant_id, quantity }) => {
    const shortfall = shortfallOf.get(variant_id);
    if (shortfall === undefined) return [];
    const { available } = shortfall;
    return [{ id, variant_id, sku: skus.get(variant_id) ?? '', requested: quantity, available }];
  });
}
