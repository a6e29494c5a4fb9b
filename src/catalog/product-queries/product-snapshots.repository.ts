import type { Db } from '../../platform/database/knex';
import { queryPreparedForIds, type PreparedForIds } from '../../platform/database/prepared';

/** The stock of a variant at all active locations. */
export interface VariantStock {
  variant_id: number;
  count_on_hand: number;
  /** Whether any item is backorderable. */
  backorderable: boolean;
}

/** What the JSON of a product depends on: it changes only if the version or the stock changes. */
export interface ProductSnapshot {
  id: number;
  /**
   * Changes with the product and its nested records, except stock, and with the records that products share: option types,
   * properties, taxons, stores. Begins with the version of the product and a space.
   */
  version: string;
  /** The stock of the master and of every variant that is not deleted, for `parseStock`. */
  stock: string;
}

/** The version of a product and that of what products share, as in `ProductSnapshot`. */
export const PRODUCT_VERSION = `concat(products.version, ' ',
    (SELECT COALESCE(sum(n), 0) FROM catalog_revisions WHERE kind = 'shared'))`;

/**
 * The columns of a product's snapshot, for a statement that reads `products`. The stock is a text without sums, so that neither
 * PostgreSQL nor the driver builds records that are needed only if it has changed.
 */
export const PRODUCT_SNAPSHOT = `products.id,
  ${PRODUCT_VERSION} AS version,
  (SELECT string_agg(concat(variants.id, ' ', items.count_on_hand, ' ', items.backorderable), ',')
   FROM variants
   LEFT JOIN stock_items AS items ON items.variant_id = variants.id AND items.deleted_at IS NULL
     AND items.stock_location_id = ANY (ARRAY(
       SELECT stock_locations.id FROM stock_locations
       WHERE stock_locations.active AND stock_locations.deleted_at IS NULL))
   WHERE variants.product_id = products.id AND (variants.is_master OR variants.deleted_at IS NULL)
  ) AS stock`;

const STATES: PreparedForIds = {
  name: 'product_snapshots',
  sql: (ids) => `SELECT ${PRODUCT_SNAPSHOT} FROM products WHERE products.id = ANY(${ids})`,
};

/** Returns the snapshots of these products, in any order. Unknown ids are skipped. One query. */
export async function findProductSnapshots(db: Db, ids: readonly number[]): Promise<ProductSnapshot[]> {
  return queryPreparedForIds<ProductSnapshot>(db, STATES, ids);
}

/** Parses the stock of a snapshot: for each stock item, the variant, its count and `t` if it is backorderable. */
export function parseStock(text: string): VariantStock[] {
  const byVariant = new Map<number, VariantStock>();
  for (const item of text.split(',')) {
    const [variant, count, backorderable] = item.split(' ');
    const variant_id = Number(variant);
    const held = byVariant.get(variant_id) ?? { variant_id, count_on_hand: 0, backorderable: false };
    held.count_on_hand += Number(count);
    held.backorderable ||= backorderable === 't';
    byVariant.set(variant_id, held);
  }
  return [...byVariant.values()];
}
