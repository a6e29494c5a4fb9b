import { z } from 'zod';
import type { Ctx } from '../context';
import { AttributeListJson, type AttributeList } from '../../platform/http/attribute-list';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { PathId, PathName } from '../../platform/http/path-parameters';
import { fields, pickFields, pickRecordFields } from '../../platform/http/reply-fields';
import { mapPage } from '../../platform/query-builder/page';
import { audienceOf } from '../audience';
import { catalogReplies } from '../catalog-replies';
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
import {
  updateVariant,
  createVariant,
  ensureProductVisible,
  getVariant,
  listVariants,
  deleteVariant,
} from './variants.service';

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
  endpoint(router, 'get /products/:product_id/variants/new', {
    access: 'anyone',
    summary: 'Attributes of a variant; required ones are marked',
    description: 'Returns the names of the attributes, for example to build a form.',
    params: ProductParams,
    reply: AttributeListJson,
    handle: async (ctx, { params }) => {
      await ensureProductVisible(ctx, params.product_id);
      return buildAttributeList();
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
  endpoint(router, 'post /products/:product_id/variants', {
    access: 'admin',
    summary: 'Add a variant to a product',
    description:
      'Missing option types and option values are created. The price defaults to that of the master. Every location with `propagate_all_variants` gets a stock item.',
    params: ProductParams,
    input: VariantCreate,
    subject: (ctx, params) => ensureProductVisible(ctx, params.product_id),
    status: 201,
    reply: VariantWithStockJson,
    handle: async (ctx, { params, input }) =>
      createSerializer(ctx)(await createVariant(ctx, params.product_id, input.variant)),
  });
  endpoint(router, 'put /products/:product_id/variants/:id', {
    access: 'admin',
    summary: 'Update a variant',
    description:
      'Omitted attributes keep their value; null clears an optional one. Existing orders keep the price at which they added it.',
    params: ProductVariantParams,
    input: VariantUpdate,
    subject: (ctx, params) => getVariant(ctx, { id: params.id, product: params.product_id }),
    reply: VariantWithStockJson,
    handle: async (ctx, { params, input }) => {
      const path = { id: params.id, product: params.product_id };
      return createSerializer(ctx)(await updateVariant(ctx, path, input.variant));
    },
  });
  endpoint(router, 'delete /products/:product_id/variants/:id', {
    access: 'admin',
    summary: 'Delete a variant; the record is kept',
    description: 'It can no longer be added to orders. Orders keep the deleted record.',
    params: ProductVariantParams,
    status: 204,
    handle: (ctx, { params }) => deleteVariant(ctx, { id: params.id, product: params.product_id }),
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
  endpoint(router, 'get /variants/new', {
    access: 'anyone',
    summary: 'Attributes of a variant; required ones are marked',
    description: 'Returns the names of the attributes, for example to build a form.',
    reply: AttributeListJson,
    handle: () => Promise.resolve(buildAttributeList()),
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
  endpoint(router, 'post /variants', {
    access: 'admin',
    summary: 'Add a variant to the product `product_id`',
    description:
      'Missing option types and option values are created. The price defaults to that of the master.',
    query: OfProduct,
    input: VariantCreate,
    status: 201,
    reply: VariantWithStockJson,
    handle: async (ctx, { query, input }) =>
      createSerializer(ctx)(await createVariant(ctx, query.product_id, input.variant)),
  });
  endpoint(router, 'put /variants/:id', {
    access: 'admin',
    summary: 'Update a variant',
    description:
      'Omitted attributes keep their value; null clears an optional one. Existing orders keep the price at which they added it.',
    params: VariantParams,
    query: OfProduct,
    input: VariantUpdate,
    subject: (ctx, params) => getVariant(ctx, { id: params.id, product: undefined }),
    reply: VariantWithStockJson,
    handle: async (ctx, { params, query, input }) => {
      const path = { id: params.id, product: query.product_id };
      return createSerializer(ctx)(await updateVariant(ctx, path, input.variant));
    },
  });
  endpoint(router, 'delete /variants/:id', {
    access: 'admin',
    summary: 'Delete a variant; the record is kept',
    description: 'It can no longer be added to orders. Orders keep the deleted record.',
    params: VariantParams,
    query: OfProduct,
    status: 204,
    handle: (ctx, { params, query }) => deleteVariant(ctx, { id: params.id, product: query.product_id }),
  });
}

function createSerializer(ctx: Ctx) {
  const audience = audienceOf(ctx.actor);
  return (graph: VariantGraphWithStock) => serializeVariantWithStock(graph, audience);
}

function buildAttributeList(): AttributeList {
  return { attributes: [...VARIANT_ATTRIBUTES], required_attributes: [] };
}
