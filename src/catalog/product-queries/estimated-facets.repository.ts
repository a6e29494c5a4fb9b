import type { Db } from '../../platform/database/knex';
import { queryPrepared } from '../../platform/database/prepared';
import { buildFacets, scaleCounts, type FacetRow } from './build-facets';
import type { Total } from './cached-counts';
import { countFacets } from './facets.repository';
import { FACET_BOUNDS } from './facet-bounds';
import { LISTING_COUNT, type ListingSql } from './listing-sql';
import { SET_OF, type Facets, type ListingSet, type ProductFilters } from './product-filters';

/** The facets of a list, and the number of its products if they have been counted. */
export interface FoundFacets {
  facets: Facets;
  total: Total | null;
}

/** Finds the facets of a list: exact ones, or beyond `FACET_BOUNDS` estimated ones. One to three queries. */
export async function findFacets(db: Db, filters: ProductFilters, sql: ListingSql): Promise<FoundFacets> {
  const sets = [...new Set(filters.facets.map((facet) => SET_OF[facet]))];
  const [{ read } = { read: 0 }] = await queryPrepared<{ read: number }>(db, COUNT_LISTINGS, []);
  if (sql.isSearch || read <= FACET_BOUNDS.listings) {
    const withTotal = [...new Set([...sets, 'offers_id' as const])];
    const row = await countFacets(db, filters, sql, { sets: withTotal, share: null });
    return { facets: buildFacets(filters.facets, row), total: { total: row.total ?? 0, read } };
  }
  const share = Math.min(1, FACET_BOUNDS.drawn / read);
  const drawn = await countFacets(db, filters, sql, { sets, share });
  const few = sets.filter((set) => (drawn.counted[set] ?? 0) / share <= FACET_BOUNDS.counted);
  const counted = few.length === 0 ? null : await countFacets(db, filters, sql, { sets: few, share: null });
  const approximate = filters.facets.filter((facet) => !few.includes(SET_OF[facet]));
  const facets = buildFacets(filters.facets, { ...scaleCounts(drawn, share), ...counted });
  return {
    facets: { ...facets, ...(approximate.length > 0 && { approximate }) },
    total: counted === null ? null : findTotal(filters, few, { counted, read }),
  };
}

/** Returns the number of products on the list, if a counted set tells it: for one without a filter of its own, all and only they count. */
function findTotal(
  { properties, taxon }: ProductFilters,
  sets: readonly ListingSet[],
  { counted, read }: { counted: FacetRow; read: number },
): Total | null {
  const isUnfiltered = {
    offers_id: false,
    properties_id: properties.length === 0,
    taxons_id: taxon === null,
  };
  const set = sets.find((one) => isUnfiltered[one]);
  const total = counted.total ?? (set === undefined ? undefined : counted.counted[set]);
  return total === undefined ? null : { total, read };
}

const COUNT_LISTINGS = { name: 'count_listings', sql: `SELECT ${LISTING_COUNT} AS read` };
