import type { ListQuery, Sort } from '../../platform/query-builder/list-query';

/** The id of the taxon of a list, by its permalink or else its id, which is bound as `taxon`. */
export const TAXON_ID = `(
  SELECT id FROM taxons WHERE permalink = :taxon OR CAST(id AS text) = :taxon ORDER BY permalink = :taxon DESC LIMIT 1)`;

/**
 * The orders of products by name. `relevance` and `position` depend on the search and the taxon of the list, and have an
 * expression only in `placeOrders`.
 */
export const PRODUCT_ORDERS: Record<string, (product: string) => string> = {
  best_selling: (product) => `(SELECT units_sold FROM product_listings WHERE product_id = ${product}.id)`,
  newest: (product) => `${product}.available_on`,
  relevance: () => 'CAST(NULL AS integer)',
  position: () => 'CAST(NULL AS integer)',
};

/** The columns of a listing that orders by name read, and where null is: PostgreSQL uses an index of the same order only. */
const LISTING_ORDERS: Record<string, { column: string; nulls: string }> = {
  best_selling: { column: 'units_sold', nulls: '' },
  newest: { column: 'available_on', nulls: 'NULLS LAST' },
};

/** Returns whether a listing has everything that the list is sorted by. */
export function isSortedByListing({ sorts }: Pick<ListQuery, 'sorts'>): boolean {
  return sorts.length > 0 && sorts.every(({ order }) => order !== undefined && order in LISTING_ORDERS);
}

/** Builds the terms of ORDER BY for a list that `isSortedByListing`. @param id the column of the product's id */
export function buildListingOrder({ sorts }: Pick<ListQuery, 'sorts'>, table: string, id: string): string {
  const terms = sorts.map(({ order = '', direction }) => {
    const { column, nulls } = LISTING_ORDERS[order] ?? { column: '', nulls: '' };
    return `${table}.${column} ${direction} ${nulls}`;
  });
  return [...terms, `${table}.${id}`].join(', ');
}

/**
 * Returns the list with the orders that its search and its taxon give a meaning: nothing follows the relevance, which a list is
 * sorted by without sorts, and without a taxon there are no positions.
 * @param taxonId the taxon of whose classifications the statement reads
 * @param taxon whether the statement binds a taxon as `taxon`
 */
export function placeOrders(
  list: ListQuery,
  { taxonId, taxon }: { taxonId: number | null; taxon: boolean },
): ListQuery {
  if (list.sorts.every(({ order }) => order === undefined)) return list;
  const end = list.sorts.findIndex(({ order }) => order === 'relevance');
  const kept = end === -1 ? list.sorts : list.sorts.slice(0, end);
  const position =
    taxonId !== null
      ? () => 'classifications.position'
      : (product: string) =>
          `(SELECT min(position) FROM classifications WHERE product_id = ${product}.id AND taxon_id = ${TAXON_ID})`;
  const place = (sort: Sort): Sort[] => {
    if (sort.order !== 'position') return [sort];
    if (taxonId === null && !taxon) return [];
    // The first position comes first: unlike numbers of sales, less is more.
    const direction = sort.direction === 'asc' ? 'desc' : 'asc';
    return [{ ...sort, direction, attribute: { ...sort.attribute, sql: position } }];
  };
  return { ...list, sorts: kept.flatMap(place) };
}
