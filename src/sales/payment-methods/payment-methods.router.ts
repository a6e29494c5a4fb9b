import { apiRouter, type ApiRouter } from '../../access/api-router';
import { conventionalEndpoints } from '../../platform/resource/endpoints';
import { PaymentMethod } from './payment-methods.definition';
import { paymentMethods } from './payment-methods.service';

export function paymentMethodsRouter(): ApiRouter {
  const router = apiRouter('Payment methods');
  conventionalEndpoints(router, {
    definition: PaymentMethod,
    useCases: paymentMethods,
    serialize: (method) => PaymentMethod.serialize(method, method),
    access: { read: 'admin', write: 'admin' },
    private: true,
    summaries: {
      list: 'Payment methods, by position',
      update: 'Update a payment method, or its credentials',
      delete: 'Stop offering a payment method; payments made with it can still be changed',
    },
  });
  return router;
}
