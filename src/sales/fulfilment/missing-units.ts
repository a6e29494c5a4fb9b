import type { Db } from '../../platform/database/knex';
import type { OrderGraph } from '../order/order-graph';
import { findSkus } from './ordered-variants.repository';
import type { Shortage } from './stock-coordinator';

/** The units of a line item that stock cannot supply, as replies list them. */
export interface MissingUnits {
  /** The id of the line item. */
  id: number;
  variant_id: number;
  sku: string;
  requested: number;
  available: number;
}

/** Lists the line items of an order that lack units, under `line_items`. One statement. */
export async function listMissingUnits(
  db: Db,
  order: OrderGraph,
  { shortages }: { shortages: readonly Pick<Shortage, 'variant_id' | 'quantity'>[] },
): Promise<{ line_items: MissingUnits[] }> {
  const missing = new Map<number, number>();
  for (const { variant_id, quantity } of shortages) {
    missing.set(variant_id, (missing.get(variant_id) ?? 0) + quantity);
  }
  const skus = await findSkus(db, [...missing.keys()]);
  const lines = order.line_items.flatMap(({ id, variant_id, quantity }) => {
    const lacking = missing.get(variant_id);
    if (lacking === undefined) return [];
    const sku = skus.get(variant_id) ?? '';
    return [{ id, variant_id, sku, requested: quantity, available: Math.max(0, quantity - lacking) }];
  });
  return { line_items: lines };
}
