import { STORE_TRACKS_INVENTORY } from '../../catalog/store-settings';
import type { Db } from '../../platform/database/knex';
import { queryPreparedForIds, type PreparedForIds } from '../../platform/database/prepared';

/** What the checkout must know of a variant that lies in a cart. */
export interface OrderedVariant {
  variant_id: number;
  /** Neither the variant nor its product is deleted. */
  is_sold: boolean;
  tracks_inventory: boolean;
  shipping_category_id: number;
  /** Today's price in the order's currency, for the value of packages; null when there is none. */
  price: string | null;
}

const ORDERED_VARIANTS: PreparedForIds = {
  name: 'goods',
  sql: (ids) => `SELECT variants.id AS variant_id, products.shipping_category_id,
            variants.deleted_at IS NULL AND products.deleted_at IS NULL AS is_sold,
            variants.track_inventory AND ${STORE_TRACKS_INVENTORY} AS tracks_inventory,
            (SELECT amount FROM prices WHERE prices.variant_id = variants.id AND prices.currency = ?
                AND prices.deleted_at IS NULL) AS price
       FROM variants JOIN products ON products.id = variants.product_id
      WHERE variants.id = ANY(${ids})`,
};

/** The goods of an order, by variant. One statement. */
export async function findOrderedVariants(
  db: Db,
  variantIds: readonly number[],
  currency: string,
): Promise<Map<number, OrderedVariant>> {
  const rows = await queryPreparedForIds<OrderedVariant>(db, ORDERED_VARIANTS, variantIds, [currency]);
  return new Map(rows.map((row) => [row.variant_id, row]));
}
