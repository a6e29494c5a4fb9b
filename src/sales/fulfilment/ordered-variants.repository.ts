import { STORE_TRACKS_INVENTORY } from '../../catalog/store-settings-sql';
import type { Db } from '../../platform/database/knex';
import { queryPreparedForIds, type PreparedForIds } from '../../platform/database/prepared';

/** The facts about a variant in an order that the checkout decides on. */
export interface OrderedVariant {
  variant_id: number;
  /** False if the variant or its product is deleted. */
  is_for_sale: boolean;
  tracks_inventory: boolean;
  shipping_category_id: number;
  /** The current price in the order's currency, for the value of packages; null if there is none. */
  price: string | null;
}

const ORDERED_VARIANTS: PreparedForIds = {
  name: 'ordered_variants',
  sql: (ids) => `SELECT variants.id AS variant_id, products.shipping_category_id,
            variants.deleted_at IS NULL AND products.deleted_at IS NULL AS is_for_sale,
            variants.track_inventory AND ${STORE_TRACKS_INVENTORY} AS tracks_inventory,
            (SELECT amount FROM prices WHERE prices.variant_id = variants.id AND prices.currency = ?
                AND prices.deleted_at IS NULL) AS price
       FROM variants JOIN products ON products.id = variants.product_id
      WHERE variants.id = ANY(${ids})`,
};

/** Returns the facts about these variants, by variant id. One statement. */
export async function findOrderedVariants(
  db: Db,
  { ids, currency }: { ids: readonly number[]; currency: string },
): Promise<Map<number, OrderedVariant>> {
  const rows = await queryPreparedForIds<OrderedVariant>(db, ORDERED_VARIANTS, ids, [currency]);
  return new Map(rows.map((row) => [row.variant_id, row]));
}
