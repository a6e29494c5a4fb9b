import type { Ctx } from '../context';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { declareEndpoints } from '../../platform/resource/endpoints';
import { ShippingMethod } from './shipping-methods.definition';
import { serializeShippingMethodSettings } from './shipping-methods.serializer';
import { shippingMethods } from './shipping-methods.service';

export function shippingMethodsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Shipping methods', 'settings');
  declareEndpoints(router, {
    definition: ShippingMethod,
    useCases: shippingMethods,
    serialize: serializeShippingMethodSettings,
    access: { read: 'admin', write: 'admin' },
    summaries: {
      list: 'List shipping methods with their zones, shipping categories and calculators',
      update: 'Update a shipping method; given zones and categories replace the existing ones',
      delete: 'Delete a shipping method',
    },
    descriptions: {
      update: 'Omitted preferences stay unchanged. Existing shipping rates keep their cost.',
    },
  });
  return router;
}
