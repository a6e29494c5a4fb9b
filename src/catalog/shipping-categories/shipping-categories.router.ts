import { apiRouter, type ApiRouter } from '../../access/api-router';
import { conventionalEndpoints } from '../../platform/resource/endpoints';
import { catalogReplies } from '../catalog-replies';
import { ShippingCategory } from './shipping-categories.definition';
import { shippingCategories } from './shipping-categories.service';

export function shippingCategoriesRouter(): ApiRouter {
  const router = apiRouter('Shipping categories');
  conventionalEndpoints(router, {
    definition: ShippingCategory,
    useCases: shippingCategories,
    serialize: ShippingCategory.serialize,
    access: { read: 'anyone', write: 'admin' },
    cache: catalogReplies,
    summaries: {
      list: 'Kinds of products that are shipped alike',
      update: 'Rename a shipping category',
      delete: 'Delete a shipping category without products',
    },
  });
  return router;
}
