import { AttributeListJson } from '../../platform/http/attribute-list';
import { apiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { IdParams } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import {
  SHIPPING_METHOD_ATTRIBUTES,
  SHIPPING_METHOD_REQUIRED,
  ShippingMethodCreate,
  ShippingMethodSettingsJson,
  ShippingMethodUpdate,
} from './shipping-methods.schema';
import { shippingMethodSearch } from './shipping-methods.search';
import { serializeShippingMethodSettings } from './shipping-methods.serializer';
import {
  changeShippingMethod,
  createShippingMethod,
  getShippingMethod,
  listShippingMethods,
  removeShippingMethod,
} from './shipping-methods.service';

export function shippingMethodsRouter(): ApiRouter {
  const router = apiRouter('Shipping methods');

  endpoint(router, 'get /shipping_methods', {
    access: 'admin',
    summary: 'Ways to ship, with where they reach, what they carry and cost',
    search: shippingMethodSearch,
    paged: { key: 'shipping_methods', item: ShippingMethodSettingsJson },
    handle: async (ctx, { list }) =>
      mapPage(await listShippingMethods(ctx, list), serializeShippingMethodSettings),
  });
  endpoint(router, 'get /shipping_methods/new', {
    access: 'admin',
    summary: 'What a shipping method has, and needs',
    reply: AttributeListJson,
    handle: () =>
      Promise.resolve({
        attributes: [...SHIPPING_METHOD_ATTRIBUTES],
        required_attributes: [...SHIPPING_METHOD_REQUIRED],
      }),
  });
  endpoint(router, 'get /shipping_methods/:id', {
    access: 'admin',
    summary: 'One shipping method',
    params: IdParams,
    reply: ShippingMethodSettingsJson,
    handle: async (ctx, { params }) =>
      serializeShippingMethodSettings(await getShippingMethod(ctx, params.id)),
  });
  endpoint(router, 'post /shipping_methods', {
    access: 'admin',
    summary: 'Create a shipping method',
    input: ShippingMethodCreate,
    status: 201,
    reply: ShippingMethodSettingsJson,
    handle: async (ctx, { input }) =>
      serializeShippingMethodSettings(await createShippingMethod(ctx, input.shipping_method)),
  });
  endpoint(router, 'put /shipping_methods/:id', {
    access: 'admin',
    summary: 'Change a shipping method; zones and categories that are sent replace those it has',
    description: 'Preferences left out stay as they are. Rates already offered keep their cost.',
    params: IdParams,
    input: ShippingMethodUpdate,
    subject: (ctx, params) => getShippingMethod(ctx, params.id),
    reply: ShippingMethodSettingsJson,
    handle: async (ctx, { params, input }) =>
      serializeShippingMethodSettings(await changeShippingMethod(ctx, params.id, input.shipping_method)),
  });
  endpoint(router, 'delete /shipping_methods/:id', {
    access: 'admin',
    summary: 'Stop offering a shipping method',
    params: IdParams,
    status: 204,
    handle: (ctx, { params }) => removeShippingMethod(ctx, params.id),
  });
  return router;
}
