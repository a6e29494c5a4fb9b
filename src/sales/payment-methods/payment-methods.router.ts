import type { Ctx } from '../context';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { paymentMethods } from './payment-methods.service';
import { declareEndpoints } from '../../platform/resource/endpoints';
import { PaymentMethod } from './payment-methods.definition';

export function paymentMethodsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Payment methods', 'settings');
  declareEndpoints(router, {
    definition: PaymentMethod,
    useCases: paymentMethods,
    serialize: (method) => PaymentMethod.serialize(method, method),
    access: { read: 'admin', write: 'admin' },
    private: true,
    summaries: {
      list: 'List payment methods, by position',
      update: 'Update a payment method, or its credentials',
      delete: 'Stop offering a payment method; payments made with it can still be changed',
    },
  });
  return router;
}
