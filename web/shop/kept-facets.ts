import { useRef } from 'preact/hooks';
import type { Facets } from 'store-api-client';

type OptionFacet = NonNullable<Facets['option_facets']>[number];
type Value = OptionFacet['values'][number];

/**
 * Returns the facets with the values that had products before, now with a count of 0: what is chosen or has the focus would
 * vanish. `isOld` says that the facets belong to the list before.
 */
export function useKeptFacets(facets: readonly OptionFacet[], isOld: boolean): readonly OptionFacet[] {
  const kept = useRef<readonly OptionFacet[]>([]);
  if (!isOld) kept.current = keepFacets(kept.current, facets);
  return kept.current.length === 0 ? facets : kept.current;
}

function keepFacets(before: readonly OptionFacet[], now: readonly OptionFacet[]): readonly OptionFacet[] {
  const kept = before.map((facet) => {
    const values = now.find(({ name }) => name === facet.name)?.values ?? [];
    return { ...facet, values: keepValues(facet.values, values) };
  });
  const added = now.filter(({ name }) => before.every((facet) => facet.name !== name));
  return [...kept, ...added].sort((one, other) => one.position - other.position);
}

function keepValues(before: readonly Value[], now: readonly Value[]): Value[] {
  return [
    ...before.map((old) => now.find(({ value }) => value === old.value) ?? { ...old, count: 0 }),
    ...now.filter(({ value }) => before.every((old) => old.value !== value)),
  ];
}
