import type { Ctx } from '../context';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { declareEndpoints } from '../../platform/resource/endpoints';
import { ShippingMethod } from './shipping-methods.definition';
import { serializeShippingMethodSettings } from './shipping-methods.serializer';
import { shippingMethods } from './shipping-methods.service';

export function shippingMethodsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Shipping methods');
  declareEndpoints(router, {
    definition: ShippingMethod,
    useCases: shippingMethods,
    serialize: serializeShippingMethodSettings,
    access: { read: 'admin', write: 'admin' },
    summaries: {
      list: 'Shipping methods with their zones, categories and costs',
      update: 'Update a shipping method; zones and categories that are sent replace those it has',
      delete: 'Stop offering a shipping method',
    },
    descriptions: {
      update: 'Preferences left out stay as they are. Rates already offered keep their cost.',
    },
  });
  return router;
}
