import { z } from 'zod';
import type { Ctx } from '../context';
import { AttributeListJson } from '../../platform/http/attribute-list';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { NotFound } from '../../platform/errors';
import { endpoint } from '../../platform/http/endpoint';
import { fields, pickFields, pickRecordFields } from '../../platform/http/reply-fields';
import { PathName } from '../../platform/http/path-parameters';
import { audienceOf } from '../audience';
import { catalogReplies } from '../catalog-replies';
import type { ProductGraph } from '../product-graph';
import type { ProductDocuments } from './product-documents';
import { getVisibleProduct } from '../product-queries/product-lookup';
import { FacetsJson, readFilters } from './product-filters.schema';
import {
  PRODUCT_ATTRIBUTE_LIST,
  ProductCreate,
  ProductJson,
  ProductQuery,
  ProductsQuery,
  ProductUpdate,
} from './products.schema';
import { productSearch } from '../product-queries/products.search';
import { readLimit, SuggestionsJson, SuggestionsQuery } from './suggestions.schema';
import { serializeSuggestions } from './suggestions.serializer';
import { serializeProduct } from './products.serializer';
import {
  updateProduct,
  createProduct,
  getProduct,
  listProducts,
  listSuggestions,
  deleteProduct,
} from './products.service';

const ProductParams = z.object({
  id: PathName.describe('Permalink or id; the permalink is tried first.'),
});

export function productsRouter(documents: ProductDocuments): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Products', 'catalog');

  endpoint(router, 'get /products', {
    access: 'anyone',
    summary: 'List products',
    description: 'Shoppers see products that are available now; admins also see future ones.',
    query: ProductsQuery,
    search: productSearch,
    feed: true,
    paged: { key: 'products', item: ProductJson, more: { facets: FacetsJson.optional() } },
    cache: catalogReplies,
    handle: async (ctx, { query, list }) => {
      const include = { deleted: query.show_deleted, discontinued: query.show_discontinued };
      const page = await listProducts(ctx, { list, filters: readFilters(query) }, include);
      const rows = await documents.render(ctx.db, page.rows, audienceOf(ctx.actor));
      return pickFields({ ...page, rows }, query.fields);
    },
  });
  endpoint(router, 'get /products/suggest', {
    access: 'anyone',
    summary: 'Suggest products and taxons while a shopper types',
    description:
      'Returns what shoppers see. As `search` on lists: letters without their marks, and a misspelled word only if nothing else fits.',
    query: SuggestionsQuery,
    reply: SuggestionsJson,
    cache: catalogReplies,
    handle: async (ctx, { query }) =>
      serializeSuggestions(await listSuggestions(ctx, query.search ?? '', readLimit(query))),
  });
  endpoint(router, 'get /products/new', {
    access: 'anyone',
    summary: 'Attributes of a product; required ones are marked',
    description: 'Returns the names of the attributes, for example to build a form.',
    reply: AttributeListJson,
    handle: () => Promise.resolve(PRODUCT_ATTRIBUTE_LIST),
  });
  endpoint(router, 'get /products/:id', {
    access: 'anyone',
    summary: 'Get a product',
    description: '`id` may be the slug or the id. Shoppers get 404 for products that are not available now.',
    params: ProductParams,
    query: ProductQuery.extend({ fields }),
    reply: ProductJson,
    // The reply shows the stock, which each sale changes.
    version: ({ updated_at }) => updated_at,
    cache: catalogReplies,
    handle: async (ctx, { params, query }) => {
      const snapshot = await getProduct(ctx, params.id, { deleted: query.show_deleted });
      const [json] = await documents.render(ctx.db, [snapshot], audienceOf(ctx.actor));
      if (json === undefined) throw new NotFound();
      return pickRecordFields(json, query.fields);
    },
  });
  endpoint(router, 'post /products', {
    access: 'admin',
    summary: 'Create a product, optionally with variants, options, properties and taxons',
    description:
      'Missing option types, option values, properties and shipping categories are created. One request creates all of it or nothing.',
    input: ProductCreate,
    status: 201,
    reply: ProductJson,
    handle: async (ctx, { input }) => createSerializer(ctx)(await createProduct(ctx, input.product)),
  });
  endpoint(router, 'put /products/:id', {
    access: 'admin',
    summary: 'Update a product',
    description:
      'Omitted attributes keep their value; null clears an optional one. Existing orders keep the price at which they added a variant.',
    params: ProductParams,
    input: ProductUpdate,
    subject: (ctx, params) => getVisibleProduct(ctx, params.id),
    reply: ProductJson,
    handle: async (ctx, { params, input }) =>
      createSerializer(ctx)(await updateProduct(ctx, params.id, input.product)),
  });
  endpoint(router, 'delete /products/:id', {
    access: 'admin',
    summary: 'Delete a product with its variants; the records are kept',
    description: 'It disappears from lists and searches. Orders keep the deleted records.',
    params: ProductParams,
    status: 204,
    handle: (ctx, { params }) => deleteProduct(ctx, params.id),
  });
  return router;
}

function createSerializer(ctx: Ctx) {
  const audience = audienceOf(ctx.actor);
  return (graph: ProductGraph) => serializeProduct(graph, audience);
}
