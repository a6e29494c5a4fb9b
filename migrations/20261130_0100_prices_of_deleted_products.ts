import { inBatches } from '../src/platform/database/migrations/steps';

/** Deleted products have the last price of their master: their prices were deleted with them. */
export const up = [
  inBatches('products', async (knex, { after, upTo }) => {
    await knex.raw(
      `UPDATE products SET master_price = last.amount, lowest_price = last.amount, highest_price = last.amount
       FROM (
         SELECT DISTINCT ON (variants.product_id) variants.product_id, prices.amount
         FROM variants JOIN prices ON prices.variant_id = variants.id
         WHERE variants.product_id > ? AND variants.product_id <= ? AND variants.is_master AND variants.deleted_at IS NOT NULL
           AND prices.currency = COALESCE((SELECT currency FROM stores WHERE is_default), 'USD')
         ORDER BY variants.product_id, prices.deleted_at DESC NULLS FIRST
       ) AS last
       WHERE products.id = last.product_id AND products.deleted_at IS NOT NULL`,
      [after, upTo],
    );
  }),
];

/** Earlier versions give deleted products no price again with their next change. */
export const down = [];
