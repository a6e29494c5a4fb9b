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
import { buildFacets, type FacetRow } from './build-facets';
import type { FacetName, Facets, ProductFilters } from './product-filters';

/** The values of a property beyond the most frequent ones are left out. */
const MOST_VALUES = 500;

/** The facets of a list, with the number of its products. */
export interface CountedFacets {
  facets: Facets;
  total: number;
  /** The number of listings that were read to count them. */
  read: number;
}

/**
 * Counts the products of a list for each value of the requested facets. A facet's own filter does not narrow its
 * counts. One query: it reads the listings once, counts those with equal sets, and evaluates each set once.
 */
export async function countFacets(db: Db, filters: ProductFilters, sql: ListingSql): Promise<CountedFacets> {
  const parts = filters.facets.map((facet) => `(${PARTS[facet](filters, sql)}) AS ${COLUMNS[facet]}`);
  const { rows } = await db.raw<{ rows: FacetRow[] }>(
    `WITH ${[...buildListed(sql), buildOffered(filters, sql), buildGrouped(filters, sql), buildSold(filters)].join(',')}
     SELECT ${[...COUNTS, ...parts].join(', ')}`,
    sql.bindings,
  );
  const [row] = rows;
  return { facets: buildFacets(filters.facets, row), total: row?.total ?? 0, read: row?.read ?? 0 };
}

const COLUMNS: Record<FacetName, keyof FacetRow> = {
  options: 'options',
  properties: 'properties',
  taxons: 'taxons',
  price: 'price',
  in_stock: 'available',
};

const COUNTS = [
  `(SELECT CAST(COALESCE(sum(n) FILTER (WHERE is_matching), 0) AS integer) FROM sold) AS total`,
  `(SELECT CAST(COALESCE(sum(n) FILTER (WHERE is_of_offers), 0) AS integer) FROM grouped) AS read`,
];

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

/** Which listings count for a set: those that meet the filters of the other two. Over the columns of `grouped`. */
function buildCounted(filters: ProductFilters, sql: ListingSql) {
  const inTaxon = sql.taxon === 'TRUE' ? [] : ['in_taxon'];
  const isDescribed = sql.properties.length === 0 ? [] : ['is_described'];
  const isMatching = choosesOffers(filters) || hasPrice(filters) ? ['is_matching'] : [];
  const sets = [
    { facet: null, name: 'offers_id', conditions: [...inTaxon, ...isDescribed] },
    { facet: 'taxons', name: 'taxons_id', conditions: [...isMatching, ...isDescribed] },
    { facet: 'properties', name: 'properties_id', conditions: [...isMatching, ...inTaxon] },
  ] as const;
  return sets
    .filter(({ facet }) => facet === null || filters.facets.includes(facet))
    .map(({ name, conditions }) => ({ name, condition: all(conditions) }));
}

const keepIf = (condition: string, column: string): string =>
  condition === 'TRUE' ? column : `CASE WHEN ${condition} THEN ${column} END AS ${column}`;

/**
 * `grouped`: the numbers of listings with equal offers and prices in range, with equal taxons, and with equal
 * properties. Listings that do not count for a set have null instead. One pass: OFFSET 0 keeps PostgreSQL from
 * evaluating an expression again wherever it is used.
 */
function buildGrouped(filters: ProductFilters, sql: ListingSql): string {
  const sets = buildCounted(filters, sql);
  const withPrice = hasPrice(filters);
  const chosen = choosesOffers(filters);
  const prices = filters.facets.includes('price') ? ['lowest', 'highest'] : [];
  const ofOffers = sets[0]?.condition ?? 'TRUE';
  const keys = sets.map(({ name }) =>
    withPrice && name === 'offers_id' ? '(offers_id, span)' : `(${name})`,
  );
  return `
    grouped AS MATERIALIZED (
      SELECT ${sets.map(({ name }) => name).join(', ')}, ${withPrice ? 'span' : 'CAST(-1 AS bigint) AS span'},
        GROUPING(offers_id) = 0 AS is_of_offers, CAST(count(*) AS integer) AS n
        ${prices.length === 0 ? '' : ', min(lowest) AS lowest, max(highest) AS highest'}
      FROM (
        SELECT span, ${[
          ...sets.map(({ name, condition }) => keepIf(condition, name)),
          ...prices.map((price) => keepIf(ofOffers, price)),
        ].join(', ')}
        FROM (
          SELECT *, ${buildMatch(filters)} AS is_matching
          FROM (
            SELECT offers_id, taxons_id, properties_id, ${withPrice ? PRICE_SPAN : '-1'} AS span,
              ${sql.taxon} AS in_taxon, ${all(sql.properties.map(({ matches }) => matches))} AS is_described,
              ${chosen ? CHOSEN_PRICES : 'lowest, highest'}
            FROM ${sql.isSearch ? 'listed' : 'product_listings'} AS listing
            ${chosen ? 'JOIN offered ON offered.set_id = listing.offers_id' : ''}
            WHERE ${sql.isSearch ? 'TRUE' : sql.base}
            OFFSET 0
          ) AS listing
          ${withPrice && chosen ? 'OFFSET 0' : ''}
        ) AS listing
      ) AS listing
      GROUP BY GROUPING SETS (${keys.join(', ')})
    )`;
}

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
