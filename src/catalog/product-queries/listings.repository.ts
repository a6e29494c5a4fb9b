import type { Db } from '../../platform/database/knex';
import { applyFilters, buildOrderSql } from '../../platform/query-builder/apply-search';
import { findFeedPage } from '../../platform/query-builder/feed-page';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { buildPage, type Page } from '../../platform/query-builder/page';
import { findFacets } from './estimated-facets.repository';
import { buildTotalKey, chooseFirst, findKeptTotal, keepTotal, type Total } from './cached-counts';
import {
  all,
  buildListingSql,
  buildOfferCondition,
  LISTING_COUNT,
  type Bindings,
  type ListingSql,
} from './listing-sql';
import type { ProductFilters } from './product-filters';
import { buildListingOrder, isSortedByListing, placeOrders } from './product-orders-sql';
import type { ProductView } from './product-view';
import { productSearch, taxonProductSearch } from './products.search';
import { buildSearchQuery } from './search-query.repository';
import { CATALOG_REVISION } from './revisions-sql';

/** Up to this many products are ordered by how well they match a search; more are ordered by id. */
const MOST_RANKED = 10_000;

/**
 * Returns the ids of one page of the products in view that meet the filters and `q[...]`, the exact total, and the
 * facets. The best matches of a search come first, unless the list is sorted. One to nine queries.
 * @param taxonId lists only the products classified under exactly this taxon, by position
 */
export async function findListedPage(
  db: Db,
  requested: ListQuery,
  view: ProductView,
  filters: ProductFilters,
  taxonId: number | null = null,
): Promise<Page<number>> {
  const list = placeOrders(requested, { taxonId, taxon: filters.taxon !== null });
  const query = filters.words === null ? null : await buildSearchQuery(db, filters.words);
  const conditions: string[] = [];
  const bindings: Bindings = { query, taxonId };
  if (filters.words !== null)
    conditions.push(
      query === null
        ? 'FALSE'
        : 'listing.product_id IN (SELECT product_id FROM search_documents WHERE words @@ CAST(:query AS tsquery))',
    );
  if (taxonId !== null)
    conditions.push(
      'listing.product_id IN (SELECT product_id FROM classifications WHERE taxon_id = :taxonId)',
    );
  const chosen = buildChoice(db, list);
  if (chosen !== null) {
    conditions.push(`listing.product_id IN (${chosen.sql})`);
    Object.assign(bindings, chosen.bindings);
  }
  const sql = buildListingSql(filters, view, { conditions, bindings });
  const counted = filters.facets.length === 0 ? null : await findFacets(db, filters, sql);
  const hasOnlyFilters = taxonId === null && chosen === null && (filters.words === null) === (query === null);
  const reading = { view, filters, taxonId, query, hasOnlyFilters };
  const page = await findPage(db, list, sql, { ...reading, counted: counted?.total ?? null });
  return counted === null ? page : { ...page, more: { facets: counted.facets } };
}

/** Builds the query of the products that `q[...]` and `ids` choose; null for all. */
function buildChoice(db: Db, list: ListQuery): { sql: string; bindings: Bindings } | null {
  if (list.conditions.length === 0 && list.ids === null) return null;
  const chosen = applyFilters(db('products').select('products.id'), list, productSearch).toSQL();
  const bindings: Bindings = {};
  let position = 0;
  // Its bindings get names, as the other conditions have; a text in single quotes contains no question mark.
  const sql = chosen.sql.replace(/\?/g, () => {
    const name = `chosen${position}`;
    bindings[name] = chosen.bindings[position] as Bindings[string]; // the values of predicates.ts
    position += 1;
    return `:${name}`;
  });
  return { sql, bindings };
}

/** The rank of a found product. Ranking reads the document of each, so it has a limit. */
const RANK = `CASE WHEN (SELECT count(*) FROM found) <= ${MOST_RANKED}
  THEN (SELECT ts_rank(words, CAST(:query AS tsquery)) FROM search_documents WHERE product_id = products.id) END
  DESC NULLS LAST, products.id`;

function buildConditions(filters: ProductFilters, sql: ListingSql): string {
  return all([
    sql.base,
    sql.taxon,
    ...sql.properties.map(({ matches }) => matches),
    buildOfferCondition(filters, sql),
  ]);
}

function buildFoundQuery(db: Db, filters: ProductFilters, sql: ListingSql) {
  const found = `SELECT listing.product_id FROM product_listings AS listing WHERE ${buildConditions(filters, sql)}`;
  return db('products').whereRaw(`products.id IN (${found})`, sql.bindings);
}

/** How a page is read. */
interface Reading {
  view: ProductView;
  filters: ProductFilters;
  taxonId: number | null;
  /** The tsquery of the search; null without one. */
  query: string | null;
  /** Whether only filters and the search restrict the list, so that its total may be kept. */
  hasOnlyFilters: boolean;
}

/** @param counted the total, if it has been counted */
async function findPage(
  db: Db,
  list: ListQuery,
  sql: ListingSql,
  { counted, ...reading }: Reading & { counted: Total | null },
): Promise<Page<number>> {
  const { view, filters, query } = reading;
  if (list.feed !== null) {
    const feed = { feed: list.feed, search: productSearch };
    return findFeedPage(db, buildFoundQuery(db, filters, sql), list, feed);
  }
  if (!reading.hasOnlyFilters || list.sorts.length > 0)
    return (await readPage(db, list, sql, { ...reading, first: null })).page;
  const key = buildTotalKey(view, filters, query);
  const kept = counted === null ? await getKeptTotal(db, sql, { key, filters, now: view.now }) : null;
  const isSortedById = query === null || ((counted ?? kept)?.total ?? 0) > MOST_RANKED;
  const first = isSortedById ? chooseFirst(list, counted ?? kept) : null;
  if (first !== null) {
    const { page, revision } = await readPage(db, list, sql, { ...reading, query: null, first });
    const isFull = page.total >= list.page * list.per_page;
    const current = counted ?? (kept?.revision === revision ? kept : null);
    const recount = isFull && filters.facets.length > 0;
    const total = current ?? (recount ? await countAndKeep(db, sql, { key, filters, now: view.now }) : null);
    if (isFull && total !== null) return { ...page, total: total.total };
  }
  const { page, revision, read } = await readPage(db, list, sql, { ...reading, first: null });
  const found = { total: page.total, read, revision };
  if (counted === null && chooseFirst({ page: 1, per_page: list.per_page }, found) !== null)
    await keepTotal(db, key, found, view.now);
  return page;
}

/** What identifies a total, and what it counts. */
interface TotalOf {
  key: string;
  filters: ProductFilters;
  now: Date;
}

/** Returns the kept total, if there is one; where facets are estimated, a counted one otherwise. */
async function getKeptTotal(
  db: Db,
  sql: ListingSql,
  of: TotalOf,
): Promise<(Total & { revision: string }) | null> {
  const kept = findKeptTotal(of.key, of.now);
  return kept !== null || of.filters.facets.length === 0 ? kept : countAndKeep(db, sql, of);
}

/**
 * Counts a total without the page: a catalog so large that facets are estimated has more products than should be collected to
 * read one page of them.
 */
async function countAndKeep(
  db: Db,
  sql: ListingSql,
  { key, filters, now }: TotalOf,
): Promise<Total & { revision: string }> {
  const { rows } = await db.raw<{ rows: [Total & { revision: string }] }>(
    `SELECT CAST(count(*) AS integer) AS total, ${CATALOG_REVISION} AS revision, ${LISTING_COUNT} AS read
     FROM product_listings AS listing WHERE ${buildConditions(filters, sql)}`,
    sql.bindings,
  );
  await keepTotal(db, key, rows[0], now);
  return rows[0];
}

/** A page, and the catalog that its statement has read. */
interface ReadPage {
  page: Page<number>;
  revision: string;
  /** The number of listings, as PostgreSQL estimates it; 0 if it has no statistics. */
  read: number;
}

/** Reads a page and the total; of the `first` listings only, if given. */
async function readPage(
  db: Db,
  list: ListQuery,
  sql: ListingSql,
  { filters, taxonId, query, first }: Reading & { first: number | null },
): Promise<ReadPage> {
  const { source, order } = buildOrder(list, { isRanked: query !== null, taxonId });
  const listings =
    first === null ? 'product_listings' : '(SELECT * FROM product_listings ORDER BY product_id LIMIT :first)';
  const { rows } = await db.raw<{
    rows: { id: number | null; total: number; revision: string; read: number }[];
  }>(
    `WITH found AS MATERIALIZED (
         SELECT listing.product_id AS id, listing.units_sold, listing.available_on FROM ${listings} AS listing WHERE ${buildConditions(filters, sql)}),
       page AS (SELECT products.id, row_number() OVER () AS place FROM (
         SELECT products.id FROM ${source} ORDER BY ${order} LIMIT :limit OFFSET :offset) AS products)
     SELECT page.id, CAST(total.n AS integer) AS total, ${CATALOG_REVISION} AS revision, ${LISTING_COUNT} AS read
     FROM (SELECT count(*) AS n FROM found) AS total LEFT JOIN page ON true ORDER BY page.place`,
    { ...sql.bindings, first, limit: list.per_page, offset: (list.page - 1) * list.per_page },
  );
  const ids = rows.flatMap(({ id }) => (id === null ? [] : [id]));
  const [{ total, revision, read } = { total: 0, revision: '', read: 0 }] = rows;
  return { page: buildPage(ids, total, list), revision, read };
}

const SORTED = 'found JOIN products ON products.id = found.id';

/** Builds what the page is read from and its order. Without a sort the table of products is not read. */
function buildOrder(
  list: ListQuery,
  { isRanked, taxonId }: { isRanked: boolean; taxonId: number | null },
): { source: string; order: string } {
  if (list.sorts.length === 0 && (isRanked || taxonId === null))
    return { source: 'found AS products', order: isRanked ? RANK : 'products.id' };
  if (isSortedByListing(list))
    return { source: 'found AS products', order: buildListingOrder(list, 'products', 'id') };
  const order = buildOrderSql(list, taxonId === null ? productSearch : taxonProductSearch);
  const source =
    taxonId === null
      ? SORTED
      : `${SORTED} JOIN classifications ON classifications.product_id = products.id AND classifications.taxon_id = :taxonId`;
  return { source, order };
}
