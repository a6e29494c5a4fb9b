import type { TaxonRow } from './taxons.repository';

/** A taxon in a reply: with its children as far down as they were asked for, without the key where they end. */
export interface TaxonNest extends TaxonRow {
  children?: TaxonNest[];
}

/**
 * These taxons with everything below them, all the way down; `below` holds their descendants in tree order. A taxon
 * that stands in the list and below another of the list appears in both places.
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
