import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { declareEndpoints } from '../../platform/resource/endpoints';
import { catalogReplies } from '../catalog-replies';
import { ShippingCategory } from './shipping-categories.definition';
import { shippingCategories } from './shipping-categories.service';

export function shippingCategoriesRouter(): ApiRouter {
  const router = createApiRouter('Shipping categories', 'catalog');
  declareEndpoints(router, {
    definition: ShippingCategory,
    useCases: shippingCategories,
    serialize: ShippingCategory.serialize,
    access: { read: 'anyone', write: 'admin' },
    cache: catalogReplies,
    summaries: {
      list: 'List shipping categories',
      update: 'Rename a shipping category',
      delete: 'Delete a shipping category that has no products',
    },
  });
  return router;
}
