import { AttributeListJson } from '../../platform/http/attribute-list';
import { apiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { IdParams } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import { catalogReplies } from '../catalog-replies';
import {
  SHIPPING_CATEGORY_REQUIRED,
  ShippingCategoryCreate,
  ShippingCategoryJson,
  ShippingCategoryUpdate,
} from './shipping-categories.schema';
import { shippingCategorySearch } from './shipping-categories.search';
import { serializeShippingCategory } from './shipping-categories.serializer';
import {
  changeShippingCategory,
  createShippingCategory,
  getShippingCategory,
  listShippingCategories,
  removeShippingCategory,
} from './shipping-categories.service';

export function shippingCategoriesRouter(): ApiRouter {
  const router = apiRouter('Shipping categories');

  endpoint(router, 'get /shipping_categories', {
    access: 'anyone',
    summary: 'Kinds of goods that are shipped alike',
    search: shippingCategorySearch,
    paged: { key: 'shipping_categories', item: ShippingCategoryJson },
    cache: catalogReplies,
    handle: async (ctx, { list }) =>
      mapPage(await listShippingCategories(ctx, list), serializeShippingCategory),
  });
  endpoint(router, 'get /shipping_categories/new', {
    access: 'anyone',
    summary: 'What a shipping category has, and needs',
    reply: AttributeListJson,
    handle: () =>
      Promise.resolve({
        attributes: Object.keys(ShippingCategoryJson.shape),
        required_attributes: [...SHIPPING_CATEGORY_REQUIRED],
      }),
  });
  endpoint(router, 'get /shipping_categories/:id', {
    access: 'anyone',
    summary: 'One shipping category',
    params: IdParams,
    reply: ShippingCategoryJson,
    cache: catalogReplies,
    handle: async (ctx, { params }) => serializeShippingCategory(await getShippingCategory(ctx, params.id)),
  });
  endpoint(router, 'post /shipping_categories', {
    access: 'admin',
    summary: 'Create a shipping category',
    input: ShippingCategoryCreate,
    status: 201,
    reply: ShippingCategoryJson,
    handle: async (ctx, { input }) =>
      serializeShippingCategory(await createShippingCategory(ctx, input.shipping_category)),
  });
  endpoint(router, 'put /shipping_categories/:id', {
    access: 'admin',
    summary: 'Rename a shipping category',
    params: IdParams,
    input: ShippingCategoryUpdate,
    subject: (ctx, params) => getShippingCategory(ctx, params.id),
    reply: ShippingCategoryJson,
    handle: async (ctx, { params, input }) =>
      serializeShippingCategory(await changeShippingCategory(ctx, params.id, input.shipping_category)),
  });
  endpoint(router, 'delete /shipping_categories/:id', {
    access: 'admin',
    summary: 'Delete a shipping category without products',
    params: IdParams,
    status: 204,
    handle: (ctx, { params }) => removeShippingCategory(ctx, params.id),
  });
  return router;
}
