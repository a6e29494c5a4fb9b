import type { TaxonRow } from './taxons.definition';

/** A taxon with the requested levels of children; the lowest level has no `children`. */
export interface TaxonNest extends TaxonRow {
  children?: TaxonNest[];
}

/**
 * Nests the descendants of these taxons below them. `below` holds the descendants in tree order. A taxon that is both
 * in the list and a descendant of another one appears in both places.
 */
export function nestTaxons(taxons: readonly TaxonRow[], below: readonly TaxonRow[]): TaxonNest[] {
  const nests = new Map<number, TaxonNest & { children: TaxonNest[] }>();
  for (const taxon of [...taxons, ...below]) nests.set(taxon.id, { ...taxon, children: [] });
  for (const { id } of below) {
    const nest = nests.get(id);
    if (nest?.parent_id != null) nests.get(nest.parent_id)?.children.push(nest);
  }
  return taxons.map((taxon) => nests.get(taxon.id) ?? taxon);
}
