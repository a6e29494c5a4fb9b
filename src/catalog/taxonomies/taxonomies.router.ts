import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { choice } from '../../platform/http/fields';
import { IdParams } from '../../platform/http/path-parameters';
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
import { declareRecordEndpoints } from '../../platform/resource/record-endpoints';

const DepthParameters = z.object({
  set: choice(['nested']).optional.catch(undefined).describe('`nested` returns whole trees.'),
});

export function taxonomiesRouter(): ApiRouter {
  const router = createApiRouter('Taxonomies', 'catalog');

  declareRecordEndpoints(router, '/taxonomies', {
    access: { read: 'anyone', write: 'admin' },
    get: (ctx, params, query) => getTaxonomy(ctx, params.id, query?.set ?? 'children'),
    reply: Taxonomy.Json,
    serialize: serializeTaxonomy,
    cache: catalogReplies,
    list: {
      summary: 'List taxonomies by name, with their roots and the children of the roots',
      description: 'With `set=nested`, all descendants are included.',
      query: DepthParameters,
      search: Taxonomy.search,
      handle: (ctx, { query, list }) => listTaxonomies(ctx, list, query.set ?? 'children'),
    },
    new: {
      summary: 'Attributes of a taxonomy; required ones are marked',
      attributes: Taxonomy.attributeList,
    },
    show: {
      summary: 'Get a taxonomy with its root and the children of the root',
      description: 'With `set=nested`, all descendants are included.',
      query: DepthParameters,
    },
    create: {
      summary: 'Create a taxonomy and its root taxon',
      description: 'The root taxon has the name of the taxonomy.',
      input: Taxonomy.Create,
      handle: (ctx, { input }) => createTaxonomy(ctx, input.taxonomy),
    },
    update: {
      summary: 'Rename a taxonomy and its root taxon',
      description: 'The permalinks of its taxons do not change.',
      input: Taxonomy.Update,
      handle: (ctx, { params, input }) => updateTaxonomy(ctx, params.id, input.taxonomy),
    },
    delete: {
      summary: 'Delete a taxonomy with its tree',
      description: 'Products lose the taxons of the tree; the products remain.',
      handle: (ctx, { params }) => deleteTaxonomy(ctx, params.id),
    },
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
  return router;
}
