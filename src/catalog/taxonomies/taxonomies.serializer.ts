import { serializeTaxonTree } from '../taxon-tree/taxons.serializer';
import type { TaxonomyJson } from './taxonomies.schema';
import type { TaxonomyGraph } from './taxonomies.service';

export function serializeTaxonomy(taxonomy: TaxonomyGraph): TaxonomyJson {
  return { id: taxonomy.id, name: taxonomy.name, root: serializeTaxonTree(taxonomy.root) };
}
