import { createIndex, dropIndex, type Steps } from '../src/platform/database/migrations/steps';

/**
 * A sample of the listings for the estimated facets of large catalogs: the eighth with the lowest hashes of their ids. All columns
 * that facets read are in it, so that the table is not read.
 */
export const up: Steps = [
  createIndex(
    'product_listings_drawn_index',
    `product_listings (hashint4(product_id))
       INCLUDE (product_id, offers_id, taxons_id, properties_id, lowest, highest, cents, is_deleted, is_priced, available_on, discontinue_on)
       WHERE hashint4(product_id) < -1610612736`,
  ),
];

export const down: Steps = [dropIndex('product_listings_drawn_index')];
