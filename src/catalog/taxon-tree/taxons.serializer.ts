import type { TaxonNest } from './taxon-nest';
import { Taxon, type TaxonRow } from './taxons.definition';
import type { TaxonWithChildren } from './taxons.repository';
import type { JstreeNodeJson, TaxonJson, TaxonTreeJson, TaxonWithAncestorsJson } from './taxons.schema';

export function serializeTaxon(taxon: TaxonWithChildren): TaxonJson {
  return { ...Taxon.serialize(taxon), taxons: taxon.children.map((child) => Taxon.serialize(child)) };
}

/** @param ancestors from the root */
export function serializeTaxonWithAncestors(
  taxon: TaxonWithChildren,
  ancestors: readonly TaxonRow[],
): TaxonWithAncestorsJson {
  return {
    ...serializeTaxon(taxon),
    ancestors: ancestors.map(({ id, name, permalink }) => ({ id, name, permalink })),
  };
}

/** Serializes a taxon with all levels of its nest. Recurses at most `MAX_DEPTH` levels, the maximum depth of a tree. */
export function serializeTaxonTree(taxon: TaxonNest): TaxonTreeJson {
  const fields = Taxon.serialize(taxon);
  return taxon.children === undefined
    ? fields
    : { ...fields, taxons: taxon.children.map(serializeTaxonTree) };
}

/** Serializes a jsTree node. It is closed: the editor requests its children when it is opened. */
export function serializeJstreeNode(taxon: TaxonRow): JstreeNodeJson {
  return { data: taxon.name, attr: { id: taxon.id, name: taxon.name }, state: 'closed' };
}
