import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { declareEndpoints } from '../../platform/resource/endpoints';
import { TaxCategory } from './tax-categories.definition';
import { taxCategories } from './tax-categories.service';

export function taxCategoriesRouter(): ApiRouter {
  const router = createApiRouter('Tax categories', 'catalog');
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
