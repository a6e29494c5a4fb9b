import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { AttributeListJson } from '../../platform/http/attribute-list';
import { endpoint } from '../../platform/http/endpoint';
import { PathId, PathName } from '../../platform/http/path-parameters';
import { fields, pickFields } from '../../platform/http/reply-fields';
import { mapPage } from '../../platform/query-builder/page';
import { audienceOf } from '../audience';
import { catalogReplies } from '../catalog-replies';
import { getVisibleProduct } from '../product/product-lookup';
import type { ProductDocuments } from '../products/product-documents';
import { ProductJson } from '../products/products.schema';
import type { RelationRow } from './product-relations.repository';
import {
  RELATION_REQUIRED,
  RelatedQuery,
  RelationCreate,
  RelationJson,
  RelationUpdate,
} from './product-relations.schema';
import { relatedProductSearch, relationSearch } from './product-relations.search';
import {
  createRelation,
  deleteRelation,
  getRelation,
  listRelatedProducts,
  listRelations,
  updateRelation,
} from './product-relations.service';

const ProductParams = z.object({ product_id: PathName });
const RelationParams = ProductParams.extend({ id: PathId });

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
  endpoint(router, 'get /products/:product_id/relations', {
    access: 'admin',
    summary: 'List the relations of a product, by position',
    description: 'Filter and sort with `q`.',
    params: ProductParams,
    search: relationSearch,
    paged: { key: 'relations', item: RelationJson },
    handle: async (ctx, { params, list }) =>
      mapPage(await listRelations(ctx, params.product_id, list), serializeRelation),
  });
  endpoint(router, 'get /products/:product_id/relations/new', {
    access: 'admin',
    summary: 'Attributes of a relation; required ones are marked',
    description: 'Returns the names of the attributes, for example to build a form.',
    params: ProductParams,
    reply: AttributeListJson,
    handle: async (ctx, { params }) => {
      await getVisibleProduct(ctx, params.product_id);
      return ATTRIBUTES;
    },
  });
  endpoint(router, 'get /products/:product_id/relations/:id', {
    access: 'admin',
    summary: 'Get a relation of a product',
    description: 'Returns 404 for a relation of another product.',
    params: RelationParams,
    reply: RelationJson,
    handle: async (ctx, { params }) => serializeRelation(await getRelation(ctx, params)),
  });
  endpoint(router, 'post /products/:product_id/relations', {
    access: 'admin',
    summary: 'Relate a product to another one',
    description:
      'In one direction: the page of the other product shows this one only with a relation of its own.',
    params: ProductParams,
    input: RelationCreate,
    subject: (ctx, params) => getVisibleProduct(ctx, params.product_id),
    status: 201,
    reply: RelationJson,
    handle: async (ctx, { params, input }) =>
      serializeRelation(await createRelation(ctx, params.product_id, input.relation)),
  });
  endpoint(router, 'put /products/:product_id/relations/:id', {
    access: 'admin',
    summary: 'Update a relation of a product',
    description: 'Omitted attributes keep their value.',
    params: RelationParams,
    input: RelationUpdate,
    subject: (ctx, params) => getRelation(ctx, params),
    reply: RelationJson,
    handle: async (ctx, { params, input }) =>
      serializeRelation(await updateRelation(ctx, params, input.relation)),
  });
  endpoint(router, 'delete /products/:product_id/relations/:id', {
    access: 'admin',
    summary: 'Delete a relation of a product',
    description: 'Both products remain.',
    params: RelationParams,
    status: 204,
    handle: (ctx, { params }) => deleteRelation(ctx, params),
  });
  return router;
}

const ATTRIBUTES = {
  attributes: ['id', 'product_id', 'related_id', 'kind', 'position'],
  required_attributes: [...RELATION_REQUIRED],
};

function serializeRelation(relation: RelationRow): RelationJson {
  return {
    ...relation,
    created_at: relation.created_at.toISOString(),
    updated_at: relation.updated_at.toISOString(),
  };
}
