import { z } from 'zod';
import type { Ctx } from '../context';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { PathName } from '../../platform/http/path-parameters';
import { fields } from '../../platform/http/reply-fields';
import { declareRecordEndpoints } from '../../platform/resource/record-endpoints';
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

const ShownQuery = VariantsQuery.pick({ show_deleted: true }).extend({ fields });
const ShownOfProductQuery = VariantsQuery.extend({ fields });

/** What the paths below a product and the top-level ones have in common. */
const VARIANTS = {
  access: { read: 'anyone' as const, write: 'admin' as const },
  cache: catalogReplies,
  isAdminUncached: true as const,
  reply: VariantWithStockJson,
  serialize: (graph: VariantGraphWithStock, ctx: Ctx) =>
    serializeVariantWithStock(graph, audienceOf(ctx.actor)),
  new: {
    summary: 'Attributes of a variant; required ones are marked',
    attributes: { attributes: [...VARIANT_ATTRIBUTES], required_attributes: [] },
  },
};

/** The reply shows the stock, which each sale changes. */
const version = ({ updated_at }: VariantWithStockJson): string => updated_at;

const UPDATE = {
  summary: 'Update a variant',
  description:
    'Omitted attributes keep their value; null clears an optional one. Existing orders keep the price at which they added it.',
  input: VariantUpdate,
};
const DELETE = {
  summary: 'Delete a variant; the record is kept',
  description: 'It can no longer be added to orders. Orders keep the deleted record.',
};

/** Builds the router of variants: paths nested below a product, and top-level paths as in version 3 of the API. */
export function variantsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Variants', 'catalog');
  declareNestedEndpoints(router);
  declareTopLevelEndpoints(router);
  return router;
}

function declareNestedEndpoints(router: ApiRouter<Ctx>): void {
  declareRecordEndpoints(router, '/products/:product_id/variants', {
    ...VARIANTS,
    params: z.object({ product_id: PathName }),
    parent: (ctx, params) => getVisibleProduct(ctx, params.product_id),
    get: (ctx, { id, product_id: product }, query) =>
      getVariant(ctx, { id, product, deleted: query?.show_deleted }),
    list: {
      summary: 'List the variants of a product, including its master',
      description: 'By position. Filter and sort with `q`.',
      query: ShownQuery,
      search: variantSearch,
      feed: true,
      handle: (ctx, { params, query, list }) =>
        listVariants(ctx, list, { product: params.product_id, deleted: query.show_deleted }),
    },
    show: {
      summary: 'Get a variant of a product',
      description: 'Returns 404 for a variant of another product.',
      query: ShownQuery,
      version,
    },
    create: {
      summary: 'Add a variant to a product',
      description:
        'Missing option types and option values are created. The price defaults to that of the master. Every location with `propagate_all_variants` gets a stock item.',
      input: VariantCreate,
      handle: (ctx, { params, input }) => createVariant(ctx, params.product_id, input.variant),
    },
    update: {
      ...UPDATE,
      handle: (ctx, { params: { id, product_id: product }, input }) =>
        updateVariant(ctx, { id, product }, input.variant),
    },
    delete: {
      ...DELETE,
      handle: (ctx, { params: { id, product_id: product } }) => deleteVariant(ctx, { id, product }),
    },
  });
}

function declareTopLevelEndpoints(router: ApiRouter<Ctx>): void {
  declareRecordEndpoints(router, '/variants', {
    ...VARIANTS,
    get: (ctx, { id }, query) =>
      getVariant(ctx, { id, product: query?.product_id, deleted: query?.show_deleted }),
    list: {
      summary: 'List the variants of all products, including masters',
      description: 'Filter and sort with `q`; `product_id` limits the list to one product.',
      query: ShownOfProductQuery,
      search: variantSearch,
      feed: true,
      handle: (ctx, { query, list }) =>
        listVariants(ctx, list, { product: query.product_id, deleted: query.show_deleted }),
    },
    show: {
      summary: 'Get a variant',
      description: 'With its stock at each location.',
      query: ShownOfProductQuery,
      version,
    },
    create: {
      summary: 'Add a variant to the product `product_id`',
      description:
        'Missing option types and option values are created. The price defaults to that of the master.',
      query: OfProduct,
      input: VariantCreate,
      handle: (ctx, { query, input }) => createVariant(ctx, query.product_id, input.variant),
    },
    update: {
      ...UPDATE,
      query: OfProduct,
      handle: (ctx, { params: { id }, query: { product_id: product }, input }) =>
        updateVariant(ctx, { id, product }, input.variant),
    },
    delete: {
      ...DELETE,
      query: OfProduct,
      handle: (ctx, { params: { id }, query: { product_id: product } }) =>
        deleteVariant(ctx, { id, product }),
    },
  });
}
