import type { Db } from '../../platform/database/knex';
import {
  all,
  buildSpanTest,
  hasPrice,
  IS_AVAILABLE,
  IS_IN_SPAN,
  PRICE_SPAN,
  type ListingSql,
} from './listing-sql';
import type { FacetRow } from './build-facets';
import { SET_OF, type FacetName, type ListingSet, type ProductFilters } from './product-filters';

/** The values of a property beyond the most frequent ones are left out. */
const MOST_VALUES = 500;

/** Which facets are counted, and in which listings. */
export interface Counting {
  sets: readonly ListingSet[];
  /** The share of the listings that are drawn by chance; null for all. */
  share: number | null;
}

/**
 * Counts the products of a list for each value of those requested facets whose sets are counted. A facet's own filter does
 * not narrow its counts. One query: it reads the listings once, counts those with equal sets, and evaluates each set once.
 */
export async function countFacets(
  db: Db,
  filters: ProductFilters,
  sql: ListingSql,
  counting: Counting,
): Promise<FacetRow> {
  const facets = filters.facets.filter((facet) => counting.sets.includes(SET_OF[facet]));
  const parts = facets.map((facet) => `(${PARTS[facet](filters, sql)}) AS ${COLUMNS[facet]}`);
  const tables = [...buildListed(sql), buildOffered(filters, sql), buildGrouped(filters, sql, counting)];
  if (counting.sets.includes('offers_id')) tables.push(buildSold(filters));
  const { rows } = await db.raw<{ rows: [FacetRow] }>(
    `WITH ${tables.join(',')} SELECT ${[...buildCounts(counting), ...parts].join(', ')}`,
    { ...sql.bindings, lastHash: findLastHash(counting.share ?? 1) },
  );
  return rows[0];
}

const COLUMNS: Record<FacetName, keyof FacetRow> = {
  options: 'options',
  properties: 'properties',
  taxons: 'taxons',
  price: 'price',
  in_stock: 'available',
};

/** How many listings count for each set, and how many products the list has, which the sets of offers tell. */
function buildCounts({ sets }: Counting): string[] {
  const counted = sets.map(
    (set) => `'${set}', (SELECT COALESCE(sum(n), 0) FROM grouped WHERE ${set} IS NOT NULL)`,
  );
  const total = `(SELECT CAST(COALESCE(sum(n) FILTER (WHERE is_matching), 0) AS integer) FROM sold)`;
  return [
    `json_build_object(${counted.join(', ')}) AS counted`,
    `${sets.includes('offers_id') ? total : 'CAST(NULL AS integer)'} AS total`,
  ];
}

/** `listed`: the listings that a search or `q[...]` finds, which are read once. Otherwise they are read where they are. */
function buildListed(sql: ListingSql): string[] {
  if (!sql.isSearch) return [];
  return [
    `listed AS MATERIALIZED (
      SELECT offers_id, taxons_id, properties_id, lowest, highest, cents FROM product_listings AS listing WHERE ${sql.base}
    )`,
  ];
}

/** The rows of a set. A search finds few: OFFSET 0 makes PostgreSQL look up each of them, and not read all sets. */
const readSet = (sql: ListingSql, id: 'offers_id' | 'properties_id'): string =>
  `LATERAL (SELECT * FROM listing_${id.slice(0, -3)} WHERE set_id = ${id} ${sql.isSearch ? 'OFFSET 0' : ''})`;

/**
 * `offered`: each set of offers, with those that the option filters choose as bits by position, and those of them that
 * can be bought; and between which positions the price facet is.
 */
function buildOffered({ inStock }: ProductFilters, sql: ListingSql): string {
  const bits = (condition: string) =>
    `CAST(string_agg(CASE WHEN ${condition} THEN '1' ELSE '0' END, '' ORDER BY position) AS varbit)`;
  const isPriced = inStock === true ? 'is_available' : 'is_chosen';
  const counts = inStock === false ? 'NOT bool_or(is_available)' : 'TRUE';
  return `
    offered AS MATERIALIZED (
      SELECT set_id, ${bits('is_chosen')} AS chosen, bool_or(is_chosen) AS is_chosen,
        ${bits('is_available')} AS available, bool_or(is_available) AS is_available, max(position) AS size,
        CASE WHEN ${counts} THEN min(position) FILTER (WHERE ${isPriced}) END AS first,
        CASE WHEN ${counts} THEN max(position) FILTER (WHERE ${isPriced}) END AS last
      FROM (
        SELECT set_id, position, is_chosen, is_chosen AND ${IS_AVAILABLE} AS is_available
        FROM (
          SELECT offer.*, ${all(sql.options.map(({ matches }) => matches))} AS is_chosen
          FROM ${sql.isSearch ? `(SELECT DISTINCT offers_id FROM listed) AS found, ${readSet(sql, 'offers_id')}` : 'listing_offers'} AS offer
        ) AS offer
      ) AS offer
      GROUP BY set_id
    )`;
}

/** Whether listings are tested by their offers, other than by their prices. */
const choosesOffers = (filters: ProductFilters): boolean =>
  filters.options.length > 0 || filters.inStock !== null;

/** Whether the offers of a set, within the span of prices, meet the option, price and stock filters. */
function buildMatch(filters: ProductFilters): string {
  const { isOffered, isAvailable } = buildOfferTests(filters);
  if (filters.inStock !== null) return filters.inStock ? isAvailable : `${isOffered} AND NOT ${isAvailable}`;
  if (filters.options.length > 0) return isOffered;
  return hasPrice(filters) ? 'span <> -2' : 'TRUE';
}

function buildOfferTests(filters: ProductFilters): { isOffered: string; isAvailable: string } {
  if (!hasPrice(filters)) return { isOffered: 'is_chosen', isAvailable: 'is_available' };
  return {
    isOffered: buildSpanTest('is_chosen', 'chosen'),
    isAvailable: buildSpanTest('is_available', 'available'),
  };
}

type Condition = 'in_taxon' | 'is_described' | 'is_matching';

/** The filters that each set leaves out: the filters by its own facets. */
const OWN: Record<ListingSet, Condition> = {
  offers_id: 'is_matching',
  taxons_id: 'in_taxon',
  properties_id: 'is_described',
};

/**
 * Which listings count for each set: those that meet the filters of the other two, over the columns of `grouped`. What
 * listings must meet to count at all is `required`.
 */
function buildCounted(filters: ProductFilters, sql: ListingSql, { sets }: Counting) {
  const conditions: Condition[] = [
    ...(sql.taxon === 'TRUE' ? [] : ['in_taxon' as const]),
    ...(sql.properties.length === 0 ? [] : ['is_described' as const]),
    ...(choosesOffers(filters) || hasPrice(filters) ? ['is_matching' as const] : []),
  ];
  const required = conditions.filter((condition) => sets.every((set) => OWN[set] !== condition));
  const others = conditions.filter((condition) => !required.includes(condition));
  return {
    required,
    sets: sets.map((name) => ({
      name,
      condition: all(others.filter((condition) => condition !== OWN[name])),
    })),
  };
}

const keepIf = (condition: string, column: string): string =>
  condition === 'TRUE' ? column : `CASE WHEN ${condition} THEN ${column} END AS ${column}`;

/**
 * `grouped`: the numbers of listings with equal offers and prices in range, with equal taxons, and with equal
 * properties. Listings that do not count for a set have null instead. One pass: OFFSET 0 keeps PostgreSQL from
 * evaluating an expression again wherever it is used.
 */
function buildGrouped(filters: ProductFilters, sql: ListingSql, counting: Counting): string {
  const { required, sets } = buildCounted(filters, sql, counting);
  const withPrice = hasPrice(filters);
  const chosen = choosesOffers(filters);
  const ofOffers = sets.find(({ name }) => name === 'offers_id')?.condition;
  const prices =
    ofOffers !== undefined && filters.facets.includes('price')
      ? ['lowest', 'highest'].map((price) => ({ price, kept: keepIf(ofOffers, price) }))
      : [];
  const keys = sets.map(({ name }) =>
    withPrice && name === 'offers_id' ? '(offers_id, span)' : `(${name})`,
  );
  const inTaxon = sql.taxon;
  const isDescribed = all(sql.properties.map(({ matches }) => matches));
  const read = [
    sql.isSearch ? 'TRUE' : sql.base,
    required.includes('in_taxon') ? inTaxon : 'TRUE',
    required.includes('is_described') ? isDescribed : 'TRUE',
    counting.share === null ? 'TRUE' : IS_DRAWN,
  ];
  return `
    grouped AS MATERIALIZED (
      SELECT ${sets.map(({ name }) => name).join(', ')}, ${keys.includes('(offers_id, span)') ? 'span' : 'CAST(-1 AS bigint) AS span'},
        CAST(count(*) AS integer) AS n
        ${prices.length === 0 ? '' : ', min(lowest) AS lowest, max(highest) AS highest'}
      FROM (
        SELECT span, ${[...sets.map(({ name, condition }) => keepIf(condition, name)), ...prices.map(({ kept }) => kept)].join(', ')}
        FROM (
          SELECT *, ${buildMatch(filters)} AS is_matching
          FROM (
            SELECT offers_id, taxons_id, properties_id, ${withPrice ? PRICE_SPAN : '-1'} AS span,
              ${required.includes('in_taxon') ? 'TRUE' : inTaxon} AS in_taxon,
              ${required.includes('is_described') ? 'TRUE' : isDescribed} AS is_described,
              ${chosen ? CHOSEN_PRICES : 'lowest, highest'}
            FROM ${sql.isSearch ? 'listed' : 'product_listings'} AS listing
            ${chosen ? 'JOIN offered ON offered.set_id = listing.offers_id' : ''}
            WHERE ${all(read)}
            OFFSET 0
          ) AS listing
          ${withPrice && chosen ? 'OFFSET 0' : ''}
        ) AS listing
        ${required.includes('is_matching') ? 'WHERE is_matching' : ''}
      ) AS listing
      GROUP BY GROUPING SETS (${keys.join(', ')})
    )`;
}

/** Draws the same products each time. The index `product_listings_drawn_index` has the first eighth of the hashes. */
const IS_DRAWN = 'hashint4(listing.product_id) <= CAST(:lastHash AS integer)';

/** Returns the last of the lowest hashes, which are this share of all. */
const findLastHash = (share: number): number => Math.floor(share * 2 ** 32) - 2 ** 31 - 1;

/** The prices of the offers that the option and stock filters choose. */
const CHOSEN_PRICES = `chosen, available, is_chosen, is_available,
  CASE WHEN first = 1 THEN lowest ELSE cents[first] END AS lowest,
  CASE WHEN last = size THEN highest ELSE cents[last] END AS highest`;

/** `sold`: the sets of offers of `grouped`, and whether one of them meets the filters. */
function buildSold(filters: ProductFilters): string {
  const { isOffered, isAvailable } = buildOfferTests(filters);
  return `
    sold AS MATERIALIZED (
      SELECT offers_id, span, n, COALESCE(${isOffered}, FALSE) AS is_offered, COALESCE(${isAvailable}, FALSE) AS is_available,
        COALESCE(${buildMatch(filters)}, FALSE) AS is_matching
      FROM grouped LEFT JOIN offered ON offered.set_id = offers_id
      WHERE offers_id IS NOT NULL
    )`;
}

const PARTS: Record<FacetName, (filters: ProductFilters, sql: ListingSql) => string> = {
  options: (filters, sql) => `
    SELECT json_agg(json_build_object('name', type.name, 'value', value.name, 'presentation', value.presentation,
      'count', counted.n, 'type_presentation', type.presentation, 'type_position', type.position) ORDER BY type.position, type.id, value.position, value.id)
    FROM (
      SELECT value_id, sum(n) AS n
      FROM (
        SELECT value.id AS value_id, max(n) AS n
        FROM sold, ${readSet(sql, 'offers_id')} AS offer
        CROSS JOIN LATERAL unnest(offer.option_value_ids) AS used (id) JOIN option_values AS value ON value.id = used.id
        WHERE ${all([IS_IN_SPAN, ...sql.options.map(({ isOwn, matches }) => `${isOwn} OR ${matches}`)])}
        GROUP BY offers_id, span, value.id ${buildStockTest(filters.inStock)}
      ) AS values_of_set
      GROUP BY value_id
    ) AS counted
    JOIN option_values AS value ON value.id = counted.value_id JOIN option_types AS type ON type.id = value.option_type_id`,
  properties: (_filters, sql) => `
    SELECT json_agg(json_build_object('name', property.name, 'presentation', property.presentation, 'value', counted.value,
      'count', counted.n) ORDER BY property.name, counted.rank)
    FROM (
      SELECT entry.property_id, min(entry.value) AS value, sum(n) AS n,
        row_number() OVER (PARTITION BY entry.property_id ORDER BY sum(n) DESC, lower(entry.value)) AS rank
      FROM grouped AS listing, ${readSet(sql, 'properties_id')} AS entry
      WHERE ${all(sql.properties.map(({ isOwn, matches }) => `${isOwn} OR ${matches}`))}
      GROUP BY entry.property_id, lower(entry.value)
    ) AS counted
    JOIN properties AS property ON property.id = counted.property_id
    WHERE counted.rank <= ${MOST_VALUES}`,
  taxons: () => `
    SELECT json_agg(json_build_object('id', taxon.id, 'permalink', taxon.permalink, 'name', taxon.name, 'count', counted.n)
      ORDER BY taxon.taxonomy_id, taxon.lft)
    FROM (
      SELECT taxon_id, sum(n) AS n
      FROM grouped
      JOIN (
        SELECT DISTINCT sets.set_id, above.id AS taxon_id FROM listing_taxons AS sets
        JOIN taxons ON taxons.id = sets.taxon_id
        JOIN taxons AS above ON above.taxonomy_id = taxons.taxonomy_id AND taxons.lft BETWEEN above.lft AND above.rgt
        WHERE sets.set_id IN (SELECT taxons_id FROM grouped)
      ) AS sets ON sets.set_id = taxons_id
      GROUP BY taxon_id
    ) AS counted
    JOIN taxons AS taxon ON taxon.id = counted.taxon_id`,
  in_stock: () => `
    SELECT json_build_object('yes', COALESCE(sum(n) FILTER (WHERE is_available), 0),
      'no', COALESCE(sum(n) FILTER (WHERE is_offered AND NOT is_available), 0))
    FROM sold`,
  price: () => `
    SELECT json_build_object('min', ${toDecimal('min(lowest)')}, 'max', ${toDecimal('max(highest)')}) FROM grouped`,
};

/** The stock filter for the variants of one option value, as `is_matching` is for those of all. */
function buildStockTest(inStock: boolean | null): string {
  if (inStock === null) return '';
  return `HAVING ${inStock ? '' : 'NOT '}bool_or(${IS_AVAILABLE})`;
}

/** Converts cents to the text of a decimal. */
function toDecimal(cents: string): string {
  return `CAST(round(CAST(${cents} AS numeric) / 100, 2) AS text)`;
}
