import type { TaxonNest } from './taxon-nest';
import type { TaxonRow, TaxonWithChildren } from './taxons.repository';
import type {
  JstreeNodeJson,
  TaxonFieldsJson,
  TaxonJson,
  TaxonTreeJson,
  TaxonWithAncestorsJson,
} from './taxons.schema';

function serializeTaxonFields(taxon: TaxonRow): TaxonFieldsJson {
  return {
    id: taxon.id,
    name: taxon.name,
    pretty_name: taxon.pretty_name,
    permalink: taxon.permalink,
    parent_id: taxon.parent_id,
    taxonomy_id: taxon.taxonomy_id,
    meta_title: taxon.meta_title,
    meta_description: taxon.meta_description,
  };
}

export function serializeTaxon(taxon: TaxonWithChildren): TaxonJson {
  return { ...serializeTaxonFields(taxon), taxons: taxon.children.map(serializeTaxonFields) };
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
  const fields = serializeTaxonFields(taxon);
  return taxon.children === undefined
    ? fields
    : { ...fields, taxons: taxon.children.map(serializeTaxonTree) };
}

/** Serializes a jsTree node. It is closed: the editor requests its children when it is opened. */
export function serializeJstreeNode(taxon: TaxonRow): JstreeNodeJson {
  return { data: taxon.name, attr: { id: taxon.id, name: taxon.name }, state: 'closed' };
}
