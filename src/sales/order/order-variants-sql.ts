import { PRODUCT_VERSION } from '../../catalog/product-queries/product-snapshots.repository';
import { selectVariants, VARIANT_STOCK } from '../../catalog/variant-graph';
import type { PreparedForIds } from '../../platform/database/prepared';
import { selectJsonRows } from './json-rows-sql';

/**
 * Selects the `VariantState`s of variants as a JSON array. Part of statements that read an order.
 * @param ids the SQL of an integer array
 * @param isSellable the SQL of a boolean, on `variants` and `products`
 */
export const selectVariantStates = (ids: string, isSellable = 'NULL::boolean'): string =>
  selectJsonRows(`
     SELECT variants.id, ${PRODUCT_VERSION} AS version, stock.count_on_hand::text, stock.backorderable,
            ${isSellable} AS is_sellable
       FROM variants JOIN products ON products.id = variants.product_id
      CROSS JOIN LATERAL (${VARIANT_STOCK}) AS stock
      WHERE variants.id = ANY(${ids})`);

/** Reads variants with everything that the version of their product covers. */
export const VARIANTS: PreparedForIds = {
  name: 'versioned_variants',
  sql: (ids) => `SELECT loaded.*, products.shipping_category_id,
           variants.deleted_at IS NULL AND products.deleted_at IS NULL AS is_for_sale,
           coalesce(variants.tax_category_id, products.tax_category_id) AS tax_category_id,
           (SELECT json_object_agg(prices.currency, prices.amount::text) FROM prices
             WHERE prices.variant_id = loaded.id AND prices.deleted_at IS NULL) AS prices,
           ${PRODUCT_VERSION} AS version
      FROM (${selectVariants(`variants.id = ANY(${ids})`)}) AS loaded
      JOIN variants ON variants.id = loaded.id JOIN products ON products.id = loaded.product_id`,
};

/** Reads the `VariantState`s of variants, without whether they are sellable. */
export const VARIANT_STATES: PreparedForIds = {
  name: 'variant_states',
  sql: (ids) => `SELECT ${selectVariantStates(ids)} AS states`,
};
