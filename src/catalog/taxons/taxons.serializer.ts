import type { TaxonNest } from './taxon-nest';
import type { TaxonRow, TaxonWithChildren } from './taxons.repository';
import type { JstreeNodeJson, TaxonFieldsJson, TaxonJson, TaxonTreeJson } from './taxons.schema';

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

/** With `taxons` as far down as the nest goes. Recurses at most `MAX_DEPTH` levels, the depth of any tree. */
export function serializeTaxonTree(taxon: TaxonNest): TaxonTreeJson {
  const fields = serializeTaxonFields(taxon);
  return taxon.children === undefined
    ? fields
    : { ...fields, taxons: taxon.children.map(serializeTaxonTree) };
}

/** As the tree editor of admin screens asks for it: closed, since its children come with the next request. */
export function serializeJstreeNode(taxon: TaxonRow): JstreeNodeJson {
  return { data: taxon.name, attr: { id: taxon.id, name: taxon.name }, state: 'closed' };
}
