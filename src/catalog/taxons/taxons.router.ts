import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { ids, reference } from '../../platform/http/fields';
import { pickFields } from '../../platform/http/reply-fields';
import { PathId } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import { audienceOf } from '../audience';
import { catalogReplies } from '../catalog-replies';
import { flag } from '../flag';
import { FacetsJson, readFilters } from '../products/product-filters.schema';
import { ProductFiltersQuery, ProductJson } from '../products/products.schema';
import { taxonProductSearch } from '../product-queries/products.search';
import type { ProductDocuments } from '../products/product-documents';
import { listProductsOfTaxon } from '../products/products.service';
import { getTaxonomy } from '../taxonomies/taxonomies.service';
import { Taxon } from '../taxon-tree/taxons.definition';
import {
  JstreeNodeJson,
  TaxonJson,
  TaxonTreeJson,
  TaxonWithAncestorsJson,
} from '../taxon-tree/taxons.schema';
import {
  serializeJstreeNode,
  serializeTaxon,
  serializeTaxonTree,
  serializeTaxonWithAncestors,
} from '../taxon-tree/taxons.serializer';
import {
  updateTaxon,
  createTaxon,
  getTaxon,
  getTaxonByPermalink,
  listChildren,
  listTaxons,
  listTaxonsOfTaxonomy,
  deleteTaxon,
  getTaxonId,
  requireTaxonomy,
} from './taxons.service';
import { declareRecordEndpoints } from '../../platform/resource/record-endpoints';

const TaxonomyParams = z.object({ taxonomy_id: PathId });
const TaxonParams = TaxonomyParams.extend({ id: PathId });

const PermalinkParams = z.object({
  permalink: z
    .string()
    .max(4_000)
    .refine((permalink) => !permalink.includes('\u0000'))
    .describe('The path of the taxon from the root.'),
});

const ListParameters = z.object({
  without_children: flag('Omits the descendants of the listed taxons; defaults to false.'),
});

/** Builds the router of taxons: paths below a taxonomy, and lists across all taxonomies. */
export function taxonsRouter(documents: ProductDocuments): ApiRouter {
  const router = createApiRouter('Taxons', 'catalog');
  declareTaxonomyEndpoints(router);
  declareGlobalEndpoints(router, documents);
  return router;
}

function declareTaxonomyEndpoints(router: ApiRouter): void {
  endpoint(router, 'get /taxonomies/:taxonomy_id/taxons', {
    access: 'anyone',
    summary: 'List the children of the root of a taxonomy, in tree order, with their descendants',
    description: 'Filter and sort with `q`. `without_children=true` omits the descendants.',
    params: TaxonomyParams,
    query: ListParameters,
    search: Taxon.search,
    paged: { key: 'taxons', item: TaxonTreeJson },
    cache: catalogReplies,
    handle: async (ctx, { params, query, list }) => {
      const withoutChildren = query.without_children === true;
      const page = await listTaxonsOfTaxonomy(ctx, params.taxonomy_id, list, withoutChildren);
      return mapPage(page, serializeTaxonTree);
    },
  });
  declareRecordEndpoints(router, '/taxonomies/:taxonomy_id/taxons', {
    params: TaxonomyParams,
    access: { read: 'anyone', write: 'admin' },
    parent: (ctx, params) => getTaxonomy(ctx, params.taxonomy_id),
    get: getTaxon,
    reply: TaxonJson,
    serialize: serializeTaxon,
    cache: catalogReplies,
    new: {
      summary: 'Attributes of a taxon; required ones are marked',
      attributes: Taxon.attributeList,
    },
    show: {
      summary: 'Get a taxon with its direct children',
      description: 'Returns 404 for a taxon of another taxonomy.',
    },
    create: {
      summary: 'Create a taxon below the root or another parent',
      description: 'The position among the siblings defaults to the last.',
      input: Taxon.Create,
      subject: (ctx, params) => requireTaxonomy(ctx, params.taxonomy_id),
      handle: (ctx, { params, input }) => createTaxon(ctx, params.taxonomy_id, input.taxon),
    },
    update: {
      summary: 'Update or move a taxon',
      description:
        '`parent_id` and `child_index` (0-based) move the taxon with its descendants. A move or a new `permalink` also ' +
        'changes the permalinks of the descendants; a new name changes no permalink.',
      input: Taxon.Update,
      handle: (ctx, { params, input }) => updateTaxon(ctx, params, input.taxon),
    },
    delete: {
      summary: 'Delete a taxon with its descendants',
      description:
        'Products lose the taxons; the products remain. The root is deleted only with its taxonomy.',
      handle: (ctx, { params }) => deleteTaxon(ctx, params),
    },
  });
  endpoint(router, 'get /taxonomies/:taxonomy_id/taxons/:id/jstree', {
    access: 'anyone',
    summary: 'List the direct children of a taxon, for a tree editor',
    description: 'In the format of the jsTree editor.',
    params: TaxonParams,
    reply: z.array(JstreeNodeJson),
    cache: catalogReplies,
    handle: async (ctx, { params }) => (await listChildren(ctx, params)).map(serializeJstreeNode),
  });
}

function declareGlobalEndpoints(router: ApiRouter, documents: ProductDocuments): void {
  endpoint(router, 'get /taxons', {
    access: 'anyone',
    summary: 'List the taxons of all taxonomies, in tree order, with their descendants',
    description: 'Filter and sort with `q`. `without_children=true` omits the descendants.',
    query: ListParameters.extend({ ids: ids().optional.catch(undefined) }),
    search: Taxon.search,
    paged: { key: 'taxons', item: TaxonTreeJson },
    cache: catalogReplies,
    handle: async (ctx, { query, list }) =>
      mapPage(await listTaxons(ctx, list, query.without_children === true), serializeTaxonTree),
  });
  endpoint(router, 'get /taxons/by_permalink/:permalink', {
    access: 'anyone',
    summary: 'Get a taxon by its permalink, with its direct children and its ancestors',
    description:
      'The slashes of the permalink may be sent as they are: `/taxons/by_permalink/categories/bags`.',
    params: PermalinkParams,
    reply: TaxonWithAncestorsJson,
    cache: catalogReplies,
    handle: async (ctx, { params }) => {
      const { taxon, ancestors } = await getTaxonByPermalink(ctx, params.permalink);
      return serializeTaxonWithAncestors(taxon, ancestors);
    },
  });
  endpoint(router, 'get /taxons/products', {
    access: 'anyone',
    summary: 'List the products classified under exactly this taxon, by position',
    description: 'Send the id of the taxon as `id`. Shoppers see products that are available now.',
    query: ProductFiltersQuery.extend({ id: reference().optional.catch(undefined) }),
    search: taxonProductSearch,
    paged: { key: 'products', item: ProductJson, more: { facets: FacetsJson.optional() } },
    cache: catalogReplies,
    handle: async (ctx, { query, list }) => {
      const taxonId = await getTaxonId(ctx, query.id ?? null);
      const page = await listProductsOfTaxon(ctx, { list, filters: readFilters(query) }, taxonId);
      const rows = await documents.render(ctx.db, page.rows, audienceOf(ctx.actor));
      return pickFields({ ...page, rows }, query.fields);
    },
  });
}
