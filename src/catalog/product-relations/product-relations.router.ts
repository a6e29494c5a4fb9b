import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { PathName } from '../../platform/http/path-parameters';
import { fields, pickFields } from '../../platform/http/reply-fields';
import { audienceOf } from '../audience';
import { catalogReplies } from '../catalog-replies';
import { getVisibleProduct } from '../product-queries/product-lookup';
import type { ProductDocuments } from '../products/product-documents';
import { ProductJson } from '../products/products.schema';
import { RELATION_KINDS, relatedProductSearch, Relation } from './product-relations.definition';
import {
  createRelation,
  deleteRelation,
  getRelation,
  listRelatedProducts,
  listRelations,
  updateRelation,
} from './product-relations.service';
import { declareRecordEndpoints } from '../../platform/resource/record-endpoints';

const ProductParams = z.object({ product_id: PathName });

/** A kind that does not exist finds nothing, as a value of a filter. */
const RelatedQuery = z.object({
  kind: z
    .string()
    .optional()
    .catch(undefined)
    .meta({
      description: 'Only this kind of relation.',
      override: { type: 'string', enum: [...RELATION_KINDS] },
    }),
});

/** Builds the router of relations, which staff write, and of the related products, which everybody sees. */
export function productRelationsRouter(documents: ProductDocuments): ApiRouter {
  const router = createApiRouter('Product relations', 'catalog');

  endpoint(router, 'get /products/:product_id/related', {
    access: 'anyone',
    summary: 'List the products to show beside a product, by position',
    description: 'Each product once. Shoppers see products that are available now.',
    params: ProductParams,
    query: RelatedQuery.extend({ fields }),
    search: relatedProductSearch,
    paged: { key: 'products', item: ProductJson },
    cache: catalogReplies,
    handle: async (ctx, { params, query, list }) => {
      const page = await listRelatedProducts(ctx, params.product_id, { kind: query.kind ?? null, list });
      const rows = await documents.render(ctx.db, page.rows, audienceOf(ctx.actor));
      return pickFields({ ...page, rows }, query.fields);
    },
  });
  declareRecordEndpoints(router, '/products/:product_id/relations', {
    params: ProductParams,
    access: { read: 'admin', write: 'admin' },
    parent: (ctx, params) => getVisibleProduct(ctx, params.product_id),
    get: getRelation,
    reply: Relation.Json,
    serialize: Relation.serialize,
    list: {
      summary: 'List the relations of a product, by position',
      description: 'Filter and sort with `q`.',
      search: Relation.search,
      handle: (ctx, { params, list }) => listRelations(ctx, params.product_id, list),
    },
    new: {
      summary: 'Attributes of a relation; required ones are marked',
      attributes: Relation.attributeList,
    },
    show: {
      summary: 'Get a relation of a product',
      description: 'Returns 404 for a relation of another product.',
    },
    create: {
      summary: 'Relate a product to another one',
      description:
        'In one direction: the page of the other product shows this one only with a relation of its own.',
      input: Relation.Create,
      handle: (ctx, { params, input }) => createRelation(ctx, params.product_id, input.relation),
    },
    update: {
      summary: 'Update a relation of a product',
      description: 'Omitted attributes keep their value.',
      input: Relation.Update,
      handle: (ctx, { params, input }) => updateRelation(ctx, params, input.relation),
    },
    delete: {
      summary: 'Delete a relation of a product',
      description: 'Both products remain.',
      handle: (ctx, { params }) => deleteRelation(ctx, params),
    },
  });
  return router;
}
