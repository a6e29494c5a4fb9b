/** The names and values of one `option[...]` or `property[...]`. */
export interface NamedFilter {
  name: string;
  /** Any of them. */
  values: readonly string[];
}

/** The facets that a list can have. */
export const FACETS = ['options', 'properties', 'taxons', 'price', 'in_stock'] as const;

export type FacetName = (typeof FACETS)[number];

/** What facets are counted by: equal sets of the listings. */
export type ListingSet = 'offers_id' | 'taxons_id' | 'properties_id';

/** The set of each facet. */
export const SET_OF: Record<FacetName, ListingSet> = {
  options: 'offers_id',
  price: 'offers_id',
  in_stock: 'offers_id',
  properties: 'properties_id',
  taxons: 'taxons_id',
};

/** What a list of products is filtered by, besides `q[...]`. Contains no SQL. */
export interface ProductFilters {
  /** The words of `search`; null for no search. */
  words: readonly string[] | null;
  options: readonly NamedFilter[];
  properties: readonly NamedFilter[];
  /** An id or a permalink. */
  taxon: string | null;
  /** In cents, inclusive. */
  minCents: number | null;
  maxCents: number | null;
  inStock: boolean | null;
  facets: readonly FacetName[];
}

export const NO_FILTERS: ProductFilters = {
  words: null,
  options: [],
  properties: [],
  taxon: null,
  minCents: null,
  maxCents: null,
  inStock: null,
  facets: [],
};

/** Returns whether the list needs the listings: it has a filter or facets. */
export function usesListings(filters: ProductFilters): boolean {
  const isSet = (value: unknown) => (Array.isArray(value) ? value.length > 0 : value !== null);
  // A search without words finds nothing.
  return filters.words !== null || Object.values(filters).some(isSet);
}

/** A value of a facet, and the number of products that have it. */
export interface ValueCount {
  value: string;
  count: number;
}

/** An option type with the values that products on the list have, as a page shows them. */
export interface OptionFacet {
  name: string;
  presentation: string;
  position: number;
  values: (ValueCount & { presentation: string })[];
}

/** The facets of a list. Values that no product has are left out. */
export interface Facets {
  /** Those that are estimated; absent if all are exact. */
  approximate?: FacetName[];
  /** Of `options`, by position. */
  option_facets?: OptionFacet[];
  options?: Record<string, (ValueCount & { presentation: string })[]>;
  properties?: Record<string, (ValueCount & { presentation: string })[]>;
  taxons?: { id: number; permalink: string; name: string; count: number }[];
  /** The lowest and highest price, in the form of money in JSON; null if nothing matches. */
  price?: { min: string | null; max: string | null };
  in_stock?: { true?: number; false?: number };
}
