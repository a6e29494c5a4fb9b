import { formatDecimal } from '../../platform/money';
import type { FacetName, Facets, ListingSet, OptionFacet, ValueCount } from './product-filters';

/** A value of a facet, by the name of its option type or property. */
interface NamedCount extends ValueCount {
  name: string;
  presentation: string;
}

/** A value of an option type, with what a page shows of the type. */
interface OptionCount extends NamedCount {
  type_presentation: string;
  type_position: number;
}

/** The facets of a list, as the statement that counts them returns them. */
export interface FacetRow {
  /** How many listings count for the facets of each set. */
  counted: Partial<Record<ListingSet, number>>;
  /** The number of products on the list; null if the sets of offers are not counted. */
  total: number | null;
  options?: OptionCount[] | null;
  properties?: NamedCount[] | null;
  taxons?: NonNullable<Facets['taxons']> | null;
  available?: { yes: number; no: number };
  price?: { min: string | null; max: string | null };
}

/** Returns the requested facets. */
export function buildFacets(requested: readonly FacetName[], row: FacetRow): Facets {
  const facets: Facets = {
    options: groupByName(row.options ?? []),
    properties: groupByName(row.properties ?? []),
    taxons: row.taxons ?? [],
    price: { min: formatDecimal(row.price?.min ?? null), max: formatDecimal(row.price?.max ?? null) },
    in_stock: {
      ...(row.available?.yes ? { true: row.available.yes } : {}),
      ...(row.available?.no ? { false: row.available.no } : {}),
    },
  };
  const shown = requested.map((facet) => [facet, facets[facet]] as const);
  return {
    ...Object.fromEntries(shown),
    ...(requested.includes('options') && { option_facets: groupByType(row.options ?? []) }),
  };
}

/** Expects the values of each type together. */
function groupByType(counts: readonly OptionCount[]): OptionFacet[] {
  const facets: OptionFacet[] = [];
  for (const { name, value, presentation, count, type_presentation, type_position } of counts) {
    const last = facets.at(-1);
    if (last?.name === name) last.values.push({ value, presentation, count });
    else
      facets.push({
        name,
        presentation: type_presentation,
        position: type_position,
        values: [{ value, presentation, count }],
      });
  }
  return facets;
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

/** Returns the counts for all listings, of which this share was drawn. */
export function scaleCounts(row: FacetRow, share: number): FacetRow {
  const scale = <T extends { count: number }>(counts: T[] | null | undefined) =>
    counts?.map((value) => ({ ...value, count: roundCount(value.count / share) })) ?? null;
  const { yes = 0, no = 0 } = row.available ?? {};
  return {
    ...row,
    options: scale(row.options),
    properties: scale(row.properties),
    taxons: scale(row.taxons),
    available: { yes: roundCount(yes / share), no: roundCount(no / share) },
  };
}

/** Rounds to two digits, which is about as exact as an estimate. */
const roundCount = (count: number): number => Number(count.toPrecision(2));
