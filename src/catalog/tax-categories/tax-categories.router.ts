import { AttributeListJson } from '../../platform/http/attribute-list';
import { apiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { IdParams } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import {
  TAX_CATEGORY_REQUIRED,
  TaxCategoryCreate,
  TaxCategoryJson,
  TaxCategoryUpdate,
} from './tax-categories.schema';
import { taxCategorySearch } from './tax-categories.search';
import { serializeTaxCategory } from './tax-categories.serializer';
import {
  changeTaxCategory,
  createTaxCategory,
  getTaxCategory,
  listTaxCategories,
  removeTaxCategory,
} from './tax-categories.service';

export function taxCategoriesRouter(): ApiRouter {
  const router = apiRouter('Tax categories');

  endpoint(router, 'get /tax_categories', {
    access: 'admin',
    summary: 'Kinds of goods that are taxed alike',
    search: taxCategorySearch,
    paged: { key: 'tax_categories', item: TaxCategoryJson },
    handle: async (ctx, { list }) => mapPage(await listTaxCategories(ctx, list), serializeTaxCategory),
  });
  endpoint(router, 'get /tax_categories/new', {
    access: 'admin',
    summary: 'What a tax category has, and needs',
    reply: AttributeListJson,
    handle: () =>
      Promise.resolve({
        attributes: Object.keys(TaxCategoryJson.shape),
        required_attributes: [...TAX_CATEGORY_REQUIRED],
      }),
  });
  endpoint(router, 'get /tax_categories/:id', {
    access: 'admin',
    summary: 'One tax category',
    params: IdParams,
    reply: TaxCategoryJson,
    handle: async (ctx, { params }) => serializeTaxCategory(await getTaxCategory(ctx, params.id)),
  });
  endpoint(router, 'post /tax_categories', {
    access: 'admin',
    summary: 'Create a tax category',
    input: TaxCategoryCreate,
    status: 201,
    reply: TaxCategoryJson,
    handle: async (ctx, { input }) => serializeTaxCategory(await createTaxCategory(ctx, input.tax_category)),
  });
  endpoint(router, 'put /tax_categories/:id', {
    access: 'admin',
    summary: 'Change a tax category, or make it the default',
    params: IdParams,
    input: TaxCategoryUpdate,
    subject: (ctx, params) => getTaxCategory(ctx, params.id),
    reply: TaxCategoryJson,
    handle: async (ctx, { params, input }) =>
      serializeTaxCategory(await changeTaxCategory(ctx, params.id, input.tax_category)),
  });
  endpoint(router, 'delete /tax_categories/:id', {
    access: 'admin',
    summary: 'Delete a tax category that nothing on sale names',
    params: IdParams,
    status: 204,
    handle: (ctx, { params }) => removeTaxCategory(ctx, params.id),
  });
  return router;
}
