import { createIndex, dropIndex, run, type Steps } from '../src/platform/database/migrations/steps';

/**
 * The units that a product has sold lately, for the order of lists. A job counts them by day (`product_sales`) and writes
 * their sum to the listing, so that a sale writes neither.
 */
export const up: Steps = [
  run(`
    CREATE TABLE product_sales (
      product_id integer NOT NULL
        CONSTRAINT product_sales_product_id_fkey REFERENCES products ON DELETE CASCADE,
      day date NOT NULL,
      units integer NOT NULL,
      CONSTRAINT product_sales_pkey PRIMARY KEY (product_id, day)
    );
    CREATE INDEX product_sales_day_index ON product_sales (day);
    ALTER TABLE product_listings ADD COLUMN units_sold integer NOT NULL DEFAULT 0;`),
  createIndex('product_listings_units_sold_index', 'product_listings (units_sold DESC, product_id)'),
  createIndex('product_listings_newest_index', 'product_listings (available_on DESC NULLS LAST, product_id)'),
];

export const down: Steps = [
  dropIndex('product_listings_newest_index'),
  run('ALTER TABLE product_listings DROP COLUMN units_sold; DROP TABLE product_sales;'),
];
