import type { Ctx } from '../context';
import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { PathName } from '../../platform/http/path-parameters';
import { getAuthorizedOrder } from '../order/order-access';
import { loadOrderView } from '../order-replies/order-view';
import { OrderDetailJson } from '../order-replies/orders.schema';
import { serializeOrderDetail } from '../order-replies/orders.serializer';
import { CheckoutUpdate } from '../order-input/checkout.schema';
import { advanceOrder, takeNextStep, updateCheckout } from './checkout.service';

const NumberParams = z.object({ number: PathName });

export function checkoutRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Checkout');

  endpoint(router, 'put /checkouts/:number/next', {
    access: 'order',
    summary: 'One step forward',
    description:
      'cart, address, delivery, payment, confirm, complete; what is missing for the step is told under `errors`.',
    params: NumberParams,
    reply: OrderDetailJson,
    private: true,
    handle: async (ctx, { params }) =>
      serializeOrderDetail(await loadOrderView(ctx, await takeNextStep(ctx, params.number))),
  });
  endpoint(router, 'put /checkouts/:number/advance', {
    access: 'order',
    summary: 'Steps forward as far as they go',
    description: 'Always answers the order where it stopped; it may be complete then.',
    params: NumberParams,
    reply: OrderDetailJson,
    private: true,
    handle: async (ctx, { params }) =>
      serializeOrderDetail(await loadOrderView(ctx, await advanceOrder(ctx, params.number))),
  });
  endpoint(router, 'put /checkouts/:number', {
    access: 'order',
    summary: 'Apply addresses, rates or a payment, then take one step',
    description: 'When the step is refused, what was applied stays. A completed order is answered as it is.',
    params: NumberParams,
    input: CheckoutUpdate,
    subject: (ctx, { number }) => getAuthorizedOrder(ctx, number),
    reply: OrderDetailJson,
    private: true,
    handle: async (ctx, { params, input }) =>
      serializeOrderDetail(await loadOrderView(ctx, await updateCheckout(ctx, params.number, input))),
  });
  return router;
}
