import { z } from 'zod';
import type { Ctx } from '../context';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { PathId, PathName } from '../../platform/http/path-parameters';
import { fields, pickFields, pickRecordFields } from '../../platform/http/reply-fields';
import { mapPage } from '../../platform/query-builder/page';
import { audienceOf } from '../audience';
import { catalogReplies } from '../catalog-replies';
import { getVisibleProduct } from '../product-queries/product-lookup';
import type { VariantGraphWithStock } from '../variant-graph';
import {
  OfProduct,
  VARIANT_ATTRIBUTES,
  VariantCreate,
  VariantsQuery,
  VariantUpdate,
  VariantWithStockJson,
} from './variants.schema';
import { variantSearch } from './variants.search';
import { serializeVariantWithStock } from './variants.serializer';
import { updateVariant, createVariant, getVariant, listVariants, deleteVariant } from './variants.service';
import { declareRecordEndpoints } from '../../platform/resource/record-endpoints';

const ProductParams = z.object({ product_id: PathName });
const VariantParams = z.object({ id: PathId });
const ProductVariantParams = z.object({ product_id: PathName, id: PathId });

/** Builds the router of variants: paths nested below a product, and top-level paths as in version 3 of the API. */
export function variantsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Variants', 'catalog');
  declareNestedEndpoints(router);
  declareTopLevelEndpoints(router);
  return router;
}

function declareNestedEndpoints(router: ApiRouter<Ctx>): void {
  endpoint(router, 'get /products/:product_id/variants', {
    access: 'anyone',
    summary: 'List the variants of a product, including its master',
    description: 'By position. Filter and sort with `q`.',
    params: ProductParams,
    query: VariantsQuery.pick({ show_deleted: true }).extend({ fields }),
    search: variantSearch,
    feed: true,
    paged: { key: 'variants', item: VariantWithStockJson },
    cache: catalogReplies,
    isAdminUncached: true,
    handle: async (ctx, { params, query, list }) => {
      const scope = { product: params.product_id, deleted: query.show_deleted };
      return pickFields(mapPage(await listVariants(ctx, list, scope), createSerializer(ctx)), query.fields);
    },
  });
  declareRecordEndpoints(router, '/products/:product_id/variants', {
    params: ProductParams,
    parent: (ctx, params) => getVisibleProduct(ctx, params.product_id),
    get: (ctx, params) => getVariant(ctx, { id: params.id, product: params.product_id }),
    ...VARIANT_RECORDS,
    create: {
      summary: 'Add a variant to a product',
      description:
        'Missing option types and option values are created. The price defaults to that of the master. Every location with `propagate_all_variants` gets a stock item.',
      input: VariantCreate,
      handle: (ctx, { params, input }) => createVariant(ctx, params.product_id, input.variant),
    },
    update: {
      summary: 'Update a variant',
      description:
        'Omitted attributes keep their value; null clears an optional one. Existing orders keep the price at which they added it.',
      input: VariantUpdate,
      handle: (ctx, { params, input }) => {
        const path = { id: params.id, product: params.product_id };
        return updateVariant(ctx, path, input.variant);
      },
    },
    delete: {
      summary: 'Delete a variant; the record is kept',
      description: 'It can no longer be added to orders. Orders keep the deleted record.',
      handle: (ctx, { params }) => deleteVariant(ctx, { id: params.id, product: params.product_id }),
    },
  });
  endpoint(router, 'get /products/:product_id/variants/:id', {
    access: 'anyone',
    summary: 'Get a variant of a product',
    description: 'Returns 404 for a variant of another product.',
    params: ProductVariantParams,
    query: VariantsQuery.pick({ show_deleted: true }).extend({ fields }),
    reply: VariantWithStockJson,
    cache: catalogReplies,
    isAdminUncached: true,
    handle: async (ctx, { params, query }) => {
      const path = { id: params.id, product: params.product_id, deleted: query.show_deleted };
      return pickRecordFields(createSerializer(ctx)(await getVariant(ctx, path)), query.fields);
    },
  });
}

function declareTopLevelEndpoints(router: ApiRouter<Ctx>): void {
  endpoint(router, 'get /variants', {
    access: 'anyone',
    summary: 'List the variants of all products, including masters',
    description: 'Filter and sort with `q`; `product_id` limits the list to one product.',
    query: VariantsQuery.extend({ fields }),
    search: variantSearch,
    feed: true,
    paged: { key: 'variants', item: VariantWithStockJson },
    cache: catalogReplies,
    isAdminUncached: true,
    handle: async (ctx, { query, list }) => {
      const scope = { product: query.product_id, deleted: query.show_deleted };
      return pickFields(mapPage(await listVariants(ctx, list, scope), createSerializer(ctx)), query.fields);
    },
  });
  declareRecordEndpoints(router, '/variants', {
    get: (ctx, params) => getVariant(ctx, { id: params.id, product: undefined }),
    ...VARIANT_RECORDS,
    create: {
      summary: 'Add a variant to the product `product_id`',
      description:
        'Missing option types and option values are created. The price defaults to that of the master.',
      query: OfProduct,
      input: VariantCreate,
      handle: (ctx, { query, input }) => createVariant(ctx, query.product_id, input.variant),
    },
    update: {
      summary: 'Update a variant',
      description:
        'Omitted attributes keep their value; null clears an optional one. Existing orders keep the price at which they added it.',
      query: OfProduct,
      input: VariantUpdate,
      handle: (ctx, { params, query, input }) => {
        const path = { id: params.id, product: query.product_id };
        return updateVariant(ctx, path, input.variant);
      },
    },
    delete: {
      summary: 'Delete a variant; the record is kept',
      description: 'It can no longer be added to orders. Orders keep the deleted record.',
      query: OfProduct,
      handle: (ctx, { params, query }) => deleteVariant(ctx, { id: params.id, product: query.product_id }),
    },
  });
  endpoint(router, 'get /variants/:id', {
    access: 'anyone',
    summary: 'Get a variant',
    description: 'With its stock at each location.',
    params: VariantParams,
    query: VariantsQuery.extend({ fields }),
    reply: VariantWithStockJson,
    cache: catalogReplies,
    isAdminUncached: true,
    handle: async (ctx, { params, query }) => {
      const path = { id: params.id, product: query.product_id, deleted: query.show_deleted };
      return pickRecordFields(createSerializer(ctx)(await getVariant(ctx, path)), query.fields);
    },
  });
}

function createSerializer(ctx: Ctx) {
  const audience = audienceOf(ctx.actor);
  return (graph: VariantGraphWithStock) => serializeVariantWithStock(graph, audience);
}

/** What the paths below a product and the top-level ones have in common. */
const VARIANT_RECORDS = {
  access: { read: 'anyone' as const, write: 'admin' as const },
  reply: VariantWithStockJson,
  serialize: (graph: VariantGraphWithStock, ctx: Ctx) => createSerializer(ctx)(graph),
  new: {
    summary: 'Attributes of a variant; required ones are marked',
    attributes: { attributes: [...VARIANT_ATTRIBUTES], required_attributes: [] },
  },
};
