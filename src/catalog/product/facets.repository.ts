import type { Db } from '../../platform/database/knex';
import { formatDecimal } from '../../platform/money';
import {
  all,
  buildOfferCondition,
  hasPrice,
  IS_AVAILABLE,
  IS_IN_SPAN,
  PRICE_SPAN,
  type ListingSql,
} from './listing-sql';
import type { FacetName, Facets, ProductFilters, ValueCount } from './product-filters';

/** The values of a property beyond the most frequent ones are left out. */
const MOST_VALUES = 500;

/** A value of a facet, by the name of its option type or property. */
interface NamedCount extends ValueCount {
  name: string;
  presentation: string;
}

interface FacetRow {
  options: NamedCount[] | null;
  properties: NamedCount[] | null;
  taxons: NonNullable<Facets['taxons']> | null;
  available: { yes: number; no: number } | null;
  price: { min: string | null; max: string | null } | null;
}

/**
 * Counts the products of a list for each value of the requested facets. A facet's own filter does not narrow its
 * counts. One query: it groups the listings by their sets, and evaluates each set once.
 */
export async function findFacets(db: Db, filters: ProductFilters, sql: ListingSql): Promise<Facets> {
  const parts = filters.facets.map((facet) => `(${PARTS[facet](filters, sql)}) AS ${COLUMNS[facet]}`);
  const { rows } = await db.raw<{ rows: FacetRow[] }>(
    `${buildGroups(filters, sql)} SELECT ${parts.join(', ')}`,
    sql.bindings,
  );
  return buildFacets(filters.facets, rows[0]);
}

const COLUMNS: Record<FacetName, keyof FacetRow> = {
  options: 'options',
  properties: 'properties',
  taxons: 'taxons',
  price: 'price',
  in_stock: 'available',
};

/**
 * `groups`: the listings with equal sets and prices in range. The sets are digests, so that one number stands for the
 * three; `max` returns the value that all rows of a group have. `offered`: the distinct offers of the groups, and
 * whether one meets the filters.
 */
function buildGroups(filters: ProductFilters, sql: ListingSql): string {
  const span = hasPrice(filters) ? PRICE_SPAN : 'CAST(-1 AS bigint)';
  const options = all(sql.options.map(({ matches }) => matches));
  const matching = all([options, IS_IN_SPAN]);
  return `
    WITH grouped AS MATERIALIZED (
      SELECT max(offers_id) AS offers_id, max(taxons_id) AS taxons_id, max(properties_id) AS properties_id, span,
        CAST(count(*) AS integer) AS n
      FROM (
        SELECT offers_id, taxons_id, properties_id, offers_id # taxons_id # properties_id AS sets, ${span} AS span
        FROM product_listings AS listing WHERE ${sql.base}
      ) AS listed
      GROUP BY sets, span
    ),
    offered AS MATERIALIZED (
      SELECT offers_id, span, is_offered, is_available, ${buildMatch(filters)} AS is_matching
      FROM (SELECT DISTINCT offers_id, span FROM grouped) AS distinct_offers
      CROSS JOIN LATERAL (
        SELECT COALESCE(bool_or(${matching}), false) AS is_offered,
          COALESCE(bool_or(${matching} AND ${IS_AVAILABLE}), false) AS is_available
        FROM listing_offers AS offer WHERE offer.set_id = offers_id
      ) AS tested
    ),
    groups AS MATERIALIZED (
      SELECT listing.*, offered.is_offered, offered.is_available, offered.is_matching, ${sql.taxon} AS in_taxon
        ${sql.properties.map(({ matches }, index) => `, ${matches} AS property${index}`).join('')}
      FROM grouped AS listing JOIN offered ON offered.offers_id = listing.offers_id AND offered.span = listing.span
    )`;
}

/** Whether the offers of a group meet the option, price and stock filters. */
function buildMatch(filters: ProductFilters): string {
  if (filters.inStock !== null) return filters.inStock ? 'is_available' : 'is_offered AND NOT is_available';
  return filters.options.length > 0 || hasPrice(filters) ? 'is_offered' : 'TRUE';
}

const describes = (sql: ListingSql): string =>
  all(sql.properties.map((_property, index) => `property${index}`));

const PARTS: Record<FacetName, (filters: ProductFilters, sql: ListingSql) => string> = {
  options: (filters, sql) => `
    SELECT json_agg(json_build_object('name', type.name, 'value', value.name, 'presentation', value.presentation,
      'count', counted.n) ORDER BY type.position, type.id, value.position, value.id)
    FROM (
      SELECT value_id, sum(n) AS n
      FROM (
        SELECT offers_id, span, sum(n) AS n FROM groups WHERE in_taxon AND ${describes(sql)} GROUP BY offers_id, span
      ) AS sold
      CROSS JOIN LATERAL (
        SELECT value.id AS value_id FROM listing_offers AS offer
        CROSS JOIN LATERAL unnest(offer.option_value_ids) AS used (id) JOIN option_values AS value ON value.id = used.id
        WHERE offer.set_id = offers_id AND ${all([
          IS_IN_SPAN,
          ...sql.options.map(({ isOwn, matches }) => `${isOwn} OR ${matches}`),
        ])}
        GROUP BY value.id ${buildStockTest(filters.inStock)}
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
      FROM (
        SELECT properties_id, sum(n) AS n${sql.properties.map((_property, index) => `, bool_and(property${index}) AS property${index}`).join('')}
        FROM groups WHERE is_matching AND in_taxon GROUP BY properties_id
      ) AS described
      JOIN listing_properties AS entry ON entry.set_id = described.properties_id
      WHERE ${all(sql.properties.map(({ isOwn }, index) => `${isOwn} OR property${index}`))}
      GROUP BY entry.property_id, lower(entry.value)
    ) AS counted
    JOIN properties AS property ON property.id = counted.property_id
    WHERE counted.rank <= ${MOST_VALUES}`,
  taxons: (_filters, sql) => `
    SELECT json_agg(json_build_object('id', taxon.id, 'permalink', taxon.permalink, 'name', taxon.name, 'count', counted.n)
      ORDER BY taxon.taxonomy_id, taxon.lft)
    FROM (
      SELECT taxon_id, sum(n) AS n
      FROM (SELECT taxons_id, sum(n) AS n FROM groups WHERE is_matching AND ${describes(sql)} GROUP BY taxons_id) AS classified
      JOIN (
        SELECT DISTINCT sets.set_id, above.id AS taxon_id FROM listing_taxons AS sets
        JOIN taxons ON taxons.id = sets.taxon_id
        JOIN taxons AS above ON above.taxonomy_id = taxons.taxonomy_id AND taxons.lft BETWEEN above.lft AND above.rgt
        WHERE sets.set_id IN (SELECT taxons_id FROM groups)
      ) AS sets ON sets.set_id = classified.taxons_id
      GROUP BY taxon_id
    ) AS counted
    JOIN taxons AS taxon ON taxon.id = counted.taxon_id`,
  in_stock: (_filters, sql) => `
    SELECT json_build_object('yes', COALESCE(sum(n) FILTER (WHERE is_available), 0),
      'no', COALESCE(sum(n) FILTER (WHERE is_offered AND NOT is_available), 0))
    FROM groups WHERE in_taxon AND ${describes(sql)}`,
  price: (filters, sql) => buildPriceFacet(filters, sql),
};

/** The stock filter for the variants of one option value, as `is_matching` is for those of all. */
function buildStockTest(inStock: boolean | null): string {
  if (inStock === null) return '';
  return `HAVING ${inStock ? '' : 'NOT '}bool_or(${IS_AVAILABLE})`;
}

/** Reads the listings again: the price filter does not apply, and prices are not part of the groups. */
function buildPriceFacet(filters: ProductFilters, sql: ListingSql): string {
  const rest = all([
    sql.base,
    sql.taxon,
    ...sql.properties.map(({ matches }) => matches),
    buildOfferCondition(filters, sql, { withoutPrice: true }),
  ]);
  const offered = all([
    ...sql.options.map(({ matches }) => matches),
    filters.inStock === true ? IS_AVAILABLE : 'TRUE',
  ]);
  if (offered === 'TRUE')
    return `SELECT json_build_object('min', ${toDecimal('min(lowest)')}, 'max', ${toDecimal('max(highest)')}) FROM product_listings AS listing WHERE ${rest}`;
  return `
    SELECT json_build_object('min', ${toDecimal('min(CASE WHEN first = 1 THEN lowest ELSE cents[first] END)')},
      'max', ${toDecimal('max(CASE WHEN last = size THEN highest ELSE cents[last] END)')})
    FROM product_listings AS listing
    JOIN (
      SELECT offer.set_id, min(offer.position) FILTER (WHERE ${offered}) AS first,
        max(offer.position) FILTER (WHERE ${offered}) AS last, max(offer.position) AS size
      FROM listing_offers AS offer GROUP BY offer.set_id
    ) AS bounds ON bounds.set_id = listing.offers_id
    WHERE ${rest}`;
}

function buildFacets(requested: readonly FacetName[], row: FacetRow | undefined): Facets {
  const facets: Facets = {
    options: groupByName(row?.options ?? []),
    properties: groupByName(row?.properties ?? []),
    taxons: row?.taxons ?? [],
    price: { min: formatDecimal(row?.price?.min ?? null), max: formatDecimal(row?.price?.max ?? null) },
    in_stock: {
      ...(row?.available?.yes ? { true: row.available.yes } : {}),
      ...(row?.available?.no ? { false: row.available.no } : {}),
    },
  };
  return Object.fromEntries(requested.map((facet) => [facet, facets[facet]]));
}

function groupByName(
  counts: readonly NamedCount[],
): Record<string, (ValueCount & { presentation: string })[]> {
  const groups = new Map<string, (ValueCount & { presentation: string })[]>();
  for (const { name, value, presentation, count } of counts) {
    const group = groups.get(name) ?? [];
    group.push({ value, presentation, count });
    groups.set(name, group);
  }
  // Not assigned to an object: a name may be `__proto__`.
  return Object.fromEntries(groups);
}

/** Converts cents to the text of a decimal. */
function toDecimal(cents: string): string {
  return `CAST(round(CAST(${cents} AS numeric) / 100, 2) AS text)`;
}
