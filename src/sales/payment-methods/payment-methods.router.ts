import { AttributeListJson } from '../../platform/http/attribute-list';
import { apiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { IdParams } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import {
  PAYMENT_METHOD_ATTRIBUTES,
  PAYMENT_METHOD_REQUIRED,
  PaymentMethodCreate,
  PaymentMethodSettingsJson,
  PaymentMethodUpdate,
} from './payment-methods.schema';
import { paymentMethodSearch } from './payment-methods.search';
import { serializePaymentMethodSettings } from './payment-methods.serializer';
import {
  changePaymentMethod,
  createPaymentMethod,
  getPaymentMethod,
  listPaymentMethods,
  removePaymentMethod,
} from './payment-methods.service';

export function paymentMethodsRouter(): ApiRouter {
  const router = apiRouter('Payment methods');

  endpoint(router, 'get /payment_methods', {
    access: 'admin',
    summary: 'Ways to pay, by position',
    search: paymentMethodSearch,
    paged: { key: 'payment_methods', item: PaymentMethodSettingsJson },
    private: true,
    handle: async (ctx, { list }) =>
      mapPage(await listPaymentMethods(ctx, list), serializePaymentMethodSettings),
  });
  endpoint(router, 'get /payment_methods/new', {
    access: 'admin',
    summary: 'What a payment method has, and needs',
    reply: AttributeListJson,
    handle: () =>
      Promise.resolve({
        attributes: [...PAYMENT_METHOD_ATTRIBUTES],
        required_attributes: [...PAYMENT_METHOD_REQUIRED],
      }),
  });
  endpoint(router, 'get /payment_methods/:id', {
    access: 'admin',
    summary: 'One payment method',
    params: IdParams,
    reply: PaymentMethodSettingsJson,
    private: true,
    handle: async (ctx, { params }) => serializePaymentMethodSettings(await getPaymentMethod(ctx, params.id)),
  });
  endpoint(router, 'post /payment_methods', {
    access: 'admin',
    summary: 'Create a payment method',
    input: PaymentMethodCreate,
    status: 201,
    reply: PaymentMethodSettingsJson,
    private: true,
    handle: async (ctx, { input }) =>
      serializePaymentMethodSettings(await createPaymentMethod(ctx, input.payment_method)),
  });
  endpoint(router, 'put /payment_methods/:id', {
    access: 'admin',
    summary: 'Change a payment method, or its credentials',
    params: IdParams,
    input: PaymentMethodUpdate,
    subject: (ctx, params) => getPaymentMethod(ctx, params.id),
    reply: PaymentMethodSettingsJson,
    private: true,
    handle: async (ctx, { params, input }) =>
      serializePaymentMethodSettings(await changePaymentMethod(ctx, params.id, input.payment_method)),
  });
  endpoint(router, 'delete /payment_methods/:id', {
    access: 'admin',
    summary: 'Stop offering a payment method; what was paid by it stays in reach',
    params: IdParams,
    status: 204,
    handle: (ctx, { params }) => removePaymentMethod(ctx, params.id),
  });
  return router;
}
