import type { Knex } from 'knex';

const buildFunction = (calculated: string): string => `
  CREATE OR REPLACE FUNCTION update_product_prices(ids integer[]) RETURNS void LANGUAGE sql AS $$
    UPDATE products SET master_price = calculated.master_price, lowest_price = calculated.lowest_price,
      highest_price = calculated.highest_price
    FROM (${calculated}) AS calculated
    WHERE calculated.id = products.id
      AND (products.master_price, products.lowest_price, products.highest_price)
        IS DISTINCT FROM (calculated.master_price, calculated.lowest_price, calculated.highest_price)
  $$;`;

const STORE_CURRENCY = `COALESCE((SELECT currency FROM stores WHERE is_default), 'USD')`;

/**
 * Each price is read once, and a product without prices has a row of nulls. There is no join with the products: without
 * statistics PostgreSQL expects one price in the currency of the store, and would read all of them for each product.
 */
const IN_ONE_PASS = `
  SELECT id, master AS master_price, COALESCE(lowest, master) AS lowest_price, COALESCE(highest, master) AS highest_price
  FROM (
    SELECT id, min(amount) FILTER (WHERE is_master) AS master,
      min(amount) FILTER (WHERE NOT is_master) AS lowest, max(amount) FILTER (WHERE NOT is_master) AS highest
    FROM (
      SELECT unnest(ids) AS id, NULL::boolean AS is_master, NULL::numeric AS amount
      UNION ALL
      SELECT variants.product_id, variants.is_master, prices.amount
      FROM variants JOIN prices ON prices.variant_id = variants.id
      WHERE variants.product_id = ANY (ids) AND (variants.is_master OR variants.deleted_at IS NULL)
        AND prices.deleted_at IS NULL AND prices.currency = ${STORE_CURRENCY}
    ) AS offers
    GROUP BY id
  ) AS amounts`;

/** As in 20261122_1800_product_versions. */
const BY_PRODUCT = `
  SELECT products.id, master.amount AS master_price,
    COALESCE(sold.lowest, master.amount) AS lowest_price, COALESCE(sold.highest, master.amount) AS highest_price
  FROM products
  CROSS JOIN (SELECT ${STORE_CURRENCY} AS currency) AS store
  LEFT JOIN LATERAL (
    SELECT prices.amount FROM variants JOIN prices ON prices.variant_id = variants.id
    WHERE variants.product_id = products.id AND variants.is_master
      AND prices.deleted_at IS NULL AND prices.currency = store.currency
  ) AS master ON true
  LEFT JOIN LATERAL (
    SELECT min(prices.amount) AS lowest, max(prices.amount) AS highest
    FROM variants JOIN prices ON prices.variant_id = variants.id
    WHERE variants.product_id = products.id AND NOT variants.is_master AND variants.deleted_at IS NULL
      AND prices.deleted_at IS NULL AND prices.currency = store.currency
  ) AS sold ON true
  WHERE products.id = ANY (ids)`;

/** Calculates the prices of many new products in a time that grows with their number, not with its square. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(buildFunction(IN_ONE_PASS));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(buildFunction(BY_PRODUCT));
}
