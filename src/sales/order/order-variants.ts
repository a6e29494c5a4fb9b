import {
  buildLoadedGraph,
  selectVariants,
  type LoadedVariant,
  type VariantGraph,
} from '../../catalog/variant-graph';
import type { Db } from '../../platform/database/knex';
import { queryPrepared } from '../../platform/database/prepared';

/** A variant of an order with everything that its checkout and its reply need. */
export interface OrderVariant extends VariantGraph {
  /** False if the variant or its product is deleted. */
  is_sold: boolean;
  shipping_category_id: number;
  /** Its own, else that of its product. */
  tax_category_id: number | null;
  /** The current price in the order's currency; null if there is none. */
  order_price: string | null;
}

/** The variants of an order that are in memory, by id. Empty if none were read with it. */
export type OrderVariants = ReadonlyMap<number, OrderVariant>;

type OrderColumns = Omit<OrderVariant, keyof VariantGraph>;

const VARIANTS_OF_ORDER = {
  name: 'variants_of_order',
  sql: `WITH ordered AS (SELECT id, currency FROM orders WHERE number = ?)
    SELECT loaded.*, products.shipping_category_id, variants.deleted_at IS NULL AND products.deleted_at IS NULL AS is_sold,
           coalesce(variants.tax_category_id, products.tax_category_id) AS tax_category_id,
           (SELECT amount FROM prices WHERE prices.variant_id = loaded.id AND prices.currency = ordered.currency
               AND prices.deleted_at IS NULL) AS order_price
      FROM (${selectVariants(`ARRAY(
             SELECT variant_id FROM line_items WHERE order_id = (SELECT id FROM ordered)
              UNION SELECT unnest(?::integer[]))`)}) AS loaded
      JOIN variants ON variants.id = loaded.id JOIN products ON products.id = loaded.product_id CROSS JOIN ordered`,
};

/** Loads the variants of an order's line items and these ones. One statement. */
export async function loadOrderVariants(
  db: Db,
  number: string,
  others: readonly number[],
): Promise<OrderVariants> {
  const rows = await queryPrepared<LoadedVariant & OrderColumns>(db, VARIANTS_OF_ORDER, [
    number,
    [...others],
  ]);
  return new Map(
    rows.map(({ is_sold, shipping_category_id, tax_category_id, order_price, ...variant }) => [
      variant.id,
      { ...buildLoadedGraph(variant), is_sold, shipping_category_id, tax_category_id, order_price },
    ]),
  );
}

/** Returns these variants of an order if all of them are in memory; else null. */
export function findKnownVariants(known: OrderVariants, ids: Iterable<number>): OrderVariants | null {
  const wanted = new Set(ids);
  return [...wanted].every((id) => known.has(id))
    ? new Map([...known].filter(([id]) => wanted.has(id)))
    : null;
}
