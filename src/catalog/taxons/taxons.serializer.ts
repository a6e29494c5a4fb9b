import type { TaxonRow, TaxonWithChildren } from './taxons.repository';
import type { TaxonFieldsJson, TaxonJson } from './taxons.schema';

export function serializeTaxonFields(taxon: TaxonRow): TaxonFieldsJson {
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
