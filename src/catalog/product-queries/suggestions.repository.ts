import type { Db } from '../../platform/database/knex';
import { queryPrepared } from '../../platform/database/prepared';
import type { MoneyDisplay } from '../../platform/money-format';
import { STORE_CURRENCY, STORE_MONEY_FORMAT } from '../store-settings-sql';
import type { ProductView } from './product-view';
import { searchSlots } from './search-slots';
import {
  buildNamesQuery,
  buildProductsQuery,
  readSearch,
  type SearchedWord,
} from './search-query.repository';

/** A product whose words begin like a search. */
export interface SuggestedProduct extends MoneyDisplay {
  id: number;
  name: string;
  slug: string;
  /** Of the master, in the currency of the store. */
  price: string | null;
  /** The first image; null without one. Times inside JSON are text. */
  image: SuggestedImage | null;
}

/** What the URLs of an image depend on. */
export interface SuggestedImage {
  id: number;
  attachment_file_name: string;
  attachment_updated_at: string;
}

export interface SuggestedTaxon {
  id: number;
  name: string;
  permalink: string;
}

export interface Suggestions {
  products: SuggestedProduct[];
  taxons: SuggestedTaxon[];
}

/** Beginnings that many products have are found among the best sellers; of others, so many matches are ranked. */
const MOST_RANKED = 300;

const SUGGEST_PRODUCTS = {
  name: 'suggest_products',
  sql: `
  WITH given AS MATERIALIZED (
    SELECT CAST(? AS tsquery) AS query, CAST(? AS timestamptz) AS now, CAST(? AS integer) AS most
  ),
  popular AS MATERIALIZED (
    SELECT listing.product_id, document.words, listing.units_sold
    FROM given CROSS JOIN LATERAL (
      SELECT product_id, units_sold FROM product_listings
      WHERE NOT is_deleted AND is_priced AND available_on <= given.now AND (discontinue_on IS NULL OR discontinue_on > given.now)
      ORDER BY units_sold DESC, product_id LIMIT ${MOST_RANKED}
    ) AS listing
    -- OFFSET 0: the index would read all documents of a common word.
    CROSS JOIN LATERAL (
      SELECT words FROM search_documents WHERE product_id = listing.product_id OFFSET 0
    ) AS document
    WHERE document.words @@ given.query
  ),
  others AS MATERIALIZED (
    SELECT document.product_id, document.words, listing.units_sold
    FROM given JOIN search_documents AS document ON document.words @@ given.query
    JOIN product_listings AS listing ON listing.product_id = document.product_id
    WHERE (SELECT count(*) FROM popular) < given.most
      AND NOT is_deleted AND is_priced AND available_on <= given.now AND (discontinue_on IS NULL OR discontinue_on > given.now)
    LIMIT ${MOST_RANKED}
  ),
  best AS MATERIALIZED (
    SELECT product_id, row_number() OVER (ORDER BY rank DESC, units_sold DESC, product_id) AS place
    FROM (
      SELECT DISTINCT ON (product_id) product_id, units_sold, ts_rank(words, (SELECT query FROM given)) AS rank
      FROM (SELECT * FROM popular UNION ALL SELECT * FROM others) AS matching
    ) AS ranked
    ORDER BY place LIMIT (SELECT most FROM given)
  )
  SELECT products.id, products.name, products.slug, price.amount AS price, store.currency, store.money_format,
    (SELECT json_build_object('id', images.id, 'attachment_file_name', images.attachment_file_name,
              'attachment_updated_at', images.attachment_updated_at)
     FROM variants JOIN images ON images.variant_id = variants.id
     WHERE variants.product_id = products.id AND variants.deleted_at IS NULL
     ORDER BY variants.is_master DESC, variants.position, variants.id, images.position, images.id LIMIT 1) AS image
  FROM best
  JOIN products ON products.id = best.product_id
  CROSS JOIN (SELECT ${STORE_CURRENCY} AS currency, ${STORE_MONEY_FORMAT} AS money_format) AS store
  JOIN variants AS master ON master.product_id = products.id AND master.is_master
  LEFT JOIN LATERAL (
    SELECT amount FROM prices
    WHERE prices.variant_id = master.id AND prices.currency = store.currency AND prices.deleted_at IS NULL LIMIT 1
  ) AS price ON true
  ORDER BY best.place`,
};

const SUGGEST_TAXONS = {
  name: 'suggest_taxons',
  sql: `
  SELECT taxons.id, taxons.name, taxons.permalink
  FROM search_names JOIN taxons ON taxons.id = CAST(substr(search_names.lexeme, 3) AS integer)
  WHERE search_names.lexeme LIKE 't:%' AND search_names.words @@ CAST(? AS tsquery)
  ORDER BY taxons.depth, taxons.taxonomy_id, taxons.lft LIMIT ?`,
};

/**
 * Returns the products for shoppers and the taxons that have all words of a search, the last of which may be a beginning:
 * names before other texts, then those that sold most. Three queries, and two for each misspelled word.
 * @throws Unavailable if too many searches are waiting
 */
export async function findSuggestions(
  db: Db,
  words: readonly string[],
  { limit, now }: { limit: number } & Pick<ProductView, 'now'>,
): Promise<Suggestions> {
  if (words.length === 0) return { products: [], taxons: [] };
  return searchSlots(async () => {
    const read = await readSearch(db, words);
    if (read === null) return { products: [], taxons: [] };
    const query = buildProductsQuery(read);
    const products = queryPrepared<SuggestedProduct>(db, SUGGEST_PRODUCTS, [query, now, limit]);
    const [found, taxons] = await Promise.all([products, findTaxons(db, read, limit)]);
    return { products: found, taxons };
  });
}

async function findTaxons(db: Db, read: readonly SearchedWord[], limit: number): Promise<SuggestedTaxon[]> {
  const query = buildNamesQuery(read);
  return query === null ? [] : queryPrepared<SuggestedTaxon>(db, SUGGEST_TAXONS, [query, limit]);
}
