import { z } from 'zod';
import { AttributeListJson } from '../../platform/http/attribute-list';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { choice } from '../../platform/http/fields';
import { IdParams } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import { catalogReplies } from '../catalog-replies';
import { JstreeNodeJson } from '../taxon-tree/taxons.schema';
import { serializeJstreeNode } from '../taxon-tree/taxons.serializer';
import { serializeTaxonomy, Taxonomy } from './taxonomies.definition';
import {
  createTaxonomy,
  deleteTaxonomy,
  getTaxonomy,
  listTaxonomies,
  updateTaxonomy,
} from './taxonomies.service';

const DepthParameters = z.object({
  set: choice(['nested']).optional.catch(undefined).meta({ description: '`nested` returns whole trees.' }),
});

export function taxonomiesRouter(): ApiRouter {
  const router = createApiRouter('Taxonomies', 'catalog');

  endpoint(router, 'get /taxonomies', {
    access: 'anyone',
    summary: 'List taxonomies by name, with their roots and the children of the roots',
    description: 'With `set=nested`, all descendants are included.',
    query: DepthParameters,
    search: Taxonomy.search,
    paged: { key: 'taxonomies', item: Taxonomy.Json },
    cache: catalogReplies,
    handle: async (ctx, { query, list }) =>
      mapPage(await listTaxonomies(ctx, list, query.set ?? 'children'), serializeTaxonomy),
  });
  endpoint(router, 'get /taxonomies/new', {
    access: 'anyone',
    summary: 'Attributes of a taxonomy; required ones are marked',
    description: 'Returns the names of the attributes, for example to build a form.',
    reply: AttributeListJson,
    handle: () => Promise.resolve(Taxonomy.attributeList),
  });
  endpoint(router, 'get /taxonomies/:id', {
    access: 'anyone',
    summary: 'Get a taxonomy with its root and the children of the root',
    description: 'With `set=nested`, all descendants are included.',
    params: IdParams,
    query: DepthParameters,
    reply: Taxonomy.Json,
    cache: catalogReplies,
    handle: async (ctx, { params, query }) =>
      serializeTaxonomy(await getTaxonomy(ctx, params.id, query.set ?? 'children')),
  });
  endpoint(router, 'get /taxonomies/:id/jstree', {
    access: 'anyone',
    summary: 'Get the root of a taxonomy, for a tree editor',
    description: 'In the format of the jsTree editor.',
    params: IdParams,
    reply: JstreeNodeJson,
    cache: catalogReplies,
    handle: async (ctx, { params }) => serializeJstreeNode((await getTaxonomy(ctx, params.id)).root),
  });
  endpoint(router, 'post /taxonomies', {
    access: 'admin',
    summary: 'Create a taxonomy and its root taxon',
    description: 'The root taxon has the name of the taxonomy.',
    input: Taxonomy.Create,
    status: 201,
    reply: Taxonomy.Json,
    handle: async (ctx, { input }) => serializeTaxonomy(await createTaxonomy(ctx, input.taxonomy)),
  });
  endpoint(router, 'put /taxonomies/:id', {
    access: 'admin',
    summary: 'Rename a taxonomy and its root taxon',
    description: 'The permalinks of its taxons do not change.',
    params: IdParams,
    input: Taxonomy.Update,
    subject: (ctx, params) => getTaxonomy(ctx, params.id),
    reply: Taxonomy.Json,
    handle: async (ctx, { params, input }) =>
      serializeTaxonomy(await updateTaxonomy(ctx, params.id, input.taxonomy)),
  });
  endpoint(router, 'delete /taxonomies/:id', {
    access: 'admin',
    summary: 'Delete a taxonomy with its tree',
    description: 'Products lose the taxons of the tree; the products remain.',
    params: IdParams,
    status: 204,
    handle: (ctx, { params }) => deleteTaxonomy(ctx, params.id),
  });
  return router;
}
