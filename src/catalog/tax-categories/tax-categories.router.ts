import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { ANY_TOKEN } from '../../access/scopes';
import { declareEndpoints } from '../../platform/resource/endpoints';
import { TaxCategory } from './tax-categories.definition';
import { taxCategories } from './tax-categories.service';

export function taxCategoriesRouter(): ApiRouter {
  // Tax rates and shipping methods, which are settings, are of a category too.
  const router = createApiRouter('Tax categories', { read: ANY_TOKEN, write: 'catalog:write' });
  declareEndpoints(router, {
    definition: TaxCategory,
    useCases: taxCategories,
    serialize: TaxCategory.serialize,
    access: { read: 'admin', write: 'admin' },
    summaries: {
      list: 'List tax categories',
      update: 'Update a tax category, or make it the default',
      delete: 'Delete a tax category that is not in use',
    },
  });
  return router;
}
