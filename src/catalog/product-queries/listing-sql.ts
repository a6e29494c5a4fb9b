import { STORE_TRACKS_INVENTORY } from '../store-settings-sql';
import type { NamedFilter, ProductFilters } from './product-filters';
import { TAXON_ID } from './product-orders-sql';
import type { ProductView } from './product-view';

/** The named bindings of a statement. */
export type Bindings = Record<string, string | number | boolean | Date | null | string[]>;

/**
 * The conditions of a list, as SQL over `product_listings AS listing`. Client values are in `bindings` only. `offer` is
 * a row of `listing_offers`, one variant on sale.
 */
export interface ListingSql {
  /** Visibility, search, `q[...]` and whatever is not a filter of a facet. */
  base: string;
  /** Whether `base` has more than visibility. */
  isSearch: boolean;
  taxon: string;
  /** One for each property filter; over `properties_id`. */
  properties: readonly { isOwn: string; matches: string }[];
  /** One for each option filter; `isOwn` is over `value`, a row of option_values. */
  options: readonly { isOwn: string; matches: string }[];
  bindings: Bindings;
}

/** The number of listings, as PostgreSQL estimates it; 0 if it has no statistics. */
export const LISTING_COUNT = `(SELECT CAST(greatest(reltuples, 0) AS integer) FROM pg_class
  WHERE oid = CAST('product_listings' AS regclass))`;

const LARGEST_CENTS = 2_147_483_647;

/** Whether a variant can be bought now. */
export const IS_AVAILABLE = `(offer.is_available OR NOT ${STORE_TRACKS_INVENTORY})`;

/** Joins conditions; TRUE for none. */
export function all(conditions: readonly string[]): string {
  const nontrivial = conditions.filter((condition) => condition !== 'TRUE');
  return nontrivial.length === 0 ? 'TRUE' : nontrivial.map((condition) => `(${condition})`).join(' AND ');
}

/** Builds the conditions of a list. @param base further conditions, with their bindings */
export function buildListingSql(
  filters: ProductFilters,
  view: ProductView,
  base: { conditions: readonly string[]; bindings: Bindings },
): ListingSql {
  const bindings: Bindings = {
    ...base.bindings,
    now: view.now,
    minCents: filters.minCents ?? 0,
    belowCents: (filters.minCents ?? 0) - 1,
    maxCents: filters.maxCents ?? LARGEST_CENTS,
    taxon: filters.taxon,
  };
  const bindNames = (prefix: string, list: readonly NamedFilter[]) =>
    list.forEach(({ name, values }, index) => {
      bindings[`${prefix}${index}`] = name;
      bindings[`${prefix}Values${index}`] = [...values];
    });
  bindNames('option', filters.options);
  bindNames('property', filters.properties);
  return {
    base: all([buildListingVisibility(view), ...base.conditions]),
    isSearch: base.conditions.length > 0,
    taxon: filters.taxon === null ? 'TRUE' : IN_TAXON,
    options: filters.options.map((_filter, index) => buildOption(index)),
    properties: filters.properties.map((_filter, index) => buildProperty(index)),
    bindings,
  };
}

/** The visibility of `visible-products.ts`, by the columns of the listing. */
export function buildListingVisibility(view: ProductView): string {
  return all([
    view.deleted ? 'TRUE' : 'NOT listing.is_deleted',
    view.admin ? 'TRUE' : 'listing.is_priced AND listing.available_on <= :now',
    view.discontinued ? 'TRUE' : 'listing.discontinue_on IS NULL OR listing.discontinue_on > :now',
  ]);
}

/**
 * Builds a test of a set. PostgreSQL evaluates its query once and looks each listing up in the result: as a plain IN it
 * would be a join, with an order chosen from estimates that are wrong by a thousand times for sets that many listings
 * share. Of an array, PostgreSQL estimates few elements: it would read a result that it expects to be large again for
 * each listing.
 */
const isOneOf = (set: string, query: string): string =>
  `(listing.${set} IN (SELECT unnest(ARRAY(${query})))) IS TRUE`;

/** A permalink that is a number is found before an id. */
const IN_TAXON = isOneOf(
  'taxons_id',
  `SELECT sets.set_id FROM listing_taxons AS sets JOIN taxons AS below ON below.id = sets.taxon_id
  JOIN taxons AS top ON top.taxonomy_id = below.taxonomy_id AND below.lft BETWEEN top.lft AND top.rgt
  WHERE top.id = ${TAXON_ID}`,
);

function buildOption(index: number): ListingSql['options'][number] {
  const types = `SELECT id FROM option_types
    WHERE lower(:option${index}) IN (lower(name), lower(presentation))`;
  return {
    isOwn: `value.option_type_id IN (${types})`,
    matches: `offer.option_value_ids && ARRAY(
      SELECT id FROM option_values WHERE option_type_id IN (${types}) AND EXISTS (
        SELECT FROM unnest(CAST(:optionValues${index} AS text[])) AS given
        WHERE lower(given) IN (lower(option_values.name), lower(option_values.presentation))))`,
  };
}

function buildProperty(index: number): ListingSql['properties'][number] {
  const properties = `SELECT id FROM properties
    WHERE lower(:property${index}) IN (lower(name), lower(presentation))`;
  return {
    isOwn: `entry.property_id IN (${properties})`,
    matches: isOneOf(
      'properties_id',
      `SELECT set_id FROM listing_properties WHERE property_id IN (${properties})
        AND md5(lower(value)) = ANY (ARRAY(
          SELECT md5(lower(given)) FROM unnest(CAST(:propertyValues${index} AS text[])) AS given))`,
    ),
  };
}

export const hasPrice = ({ minCents, maxCents }: ProductFilters): boolean =>
  minCents !== null || maxCents !== null;

/** The positions of the prices within the range are above `LOW` and up to `HIGH`. */
const LOW = 'width_bucket(:belowCents, listing.cents)';
const HIGH = 'width_bucket(:maxCents, listing.cents)';
const IS_WITHIN = 'listing.lowest >= :minCents AND listing.highest <= :maxCents';
const CAN_MATCH_PRICE = 'listing.lowest <= :maxCents AND listing.highest >= :minCents';

/**
 * The prices of a listing that are in range: -2 for none, -1 for all, or else from (the upper half) and to (the lower
 * half) which position. Most products have all or none, which costs no search in their prices.
 */
export const PRICE_SPAN = `CASE
  WHEN ${IS_WITHIN} THEN -1
  WHEN ${CAN_MATCH_PRICE} THEN COALESCE(NULLIF(CAST(${LOW} AS bigint), ${HIGH}) * 4294967296 + ${HIGH}, -2)
  ELSE -2 END`;

/**
 * Builds a test of a set of offers within `span`.
 * @param any whether one of all offers meets the condition
 * @param bits whether each does, by position
 */
export function buildSpanTest(any: string, bits: string): string {
  const low = 'CAST(span / 4294967296 AS integer)';
  const high = 'CAST(span % 4294967296 AS integer)';
  return `CASE span WHEN -1 THEN ${any} WHEN -2 THEN FALSE
    ELSE position(B'1' IN substring(${bits} FROM ${low} + 1 FOR greatest(${high} - ${low}, 0))) > 0 END`;
}

/** Whether `offer` is in the span of the group. */
export const IS_IN_SPAN = `(span = -1 OR offer.position > span / 4294967296 AND offer.position <= span % 4294967296)`;

/** Builds the condition that one variant on sale meets the option, price and stock filters. */
export function buildOfferCondition(filters: ProductFilters, sql: ListingSql): string {
  const withPrice = hasPrice(filters);
  const options = sql.options.map(({ matches }) => matches);
  if (filters.inStock === null) return buildExists(options, withPrice);
  const available = buildExists([...options, IS_AVAILABLE], withPrice);
  return filters.inStock
    ? available
    : all([
        buildExists(options.length === 0 ? ['offer.position > 0'] : options, withPrice),
        `NOT ${available}`,
      ]);
}

function buildExists(conditions: readonly string[], withPrice: boolean): string {
  const offered = all(conditions);
  if (!withPrice)
    return offered === 'TRUE'
      ? 'TRUE'
      : isOneOf('offers_id', `SELECT offer.set_id FROM listing_offers AS offer WHERE ${offered}`);
  if (offered === 'TRUE')
    return `${CAN_MATCH_PRICE} AND (listing.lowest >= :minCents OR listing.highest <= :maxCents OR ${LOW} < ${HIGH})`;
  return `EXISTS (
    SELECT FROM (
      SELECT offer.set_id,
        CAST(string_agg(CASE WHEN ${offered} THEN '1' ELSE '0' END, '' ORDER BY offer.position) AS varbit) AS bits
      FROM listing_offers AS offer GROUP BY offer.set_id HAVING bool_or(${offered})
    ) AS offers
    WHERE offers.set_id = listing.offers_id AND ${CAN_MATCH_PRICE}
      AND (${IS_WITHIN} OR position(B'1' IN substring(offers.bits FROM ${LOW} + 1 FOR greatest(${HIGH} - ${LOW}, 0))) > 0)
  )`;
}
