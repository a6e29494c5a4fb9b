import type { Ctx } from '../context';
import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { limitCouponCodes } from '../order-input/coupon-limit';
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
  const router = createApiRouter<Ctx>('Checkout', 'orders');

  endpoint(router, 'put /checkouts/:number/next', {
    access: 'order',
    summary: 'Take one step of the checkout',
    description:
      'The steps are cart, address, delivery, payment, confirm and complete. A refused step reports what is missing in `errors`.',
    params: NumberParams,
    reply: OrderDetailJson,
    private: true,
    handle: async (ctx, { params }) =>
      serializeOrderDetail(await loadOrderView(ctx, await takeNextStep(ctx, params.number))),
  });
  endpoint(router, 'put /checkouts/:number/advance', {
    access: 'order',
    summary: 'Take as many steps of the checkout as possible',
    description: 'Returns the order after the last step; it may be complete.',
    params: NumberParams,
    reply: OrderDetailJson,
    private: true,
    handle: async (ctx, { params }) =>
      serializeOrderDetail(await loadOrderView(ctx, await advanceOrder(ctx, params.number))),
  });
  endpoint(router, 'put /checkouts/:number', {
    access: 'order',
    summary: 'Apply addresses, rates or a payment, then take one step of the checkout',
    description:
      'If the step is refused, the applied attributes are kept. In `payment` and `confirm`, a body that selects shipping rates and has no payment takes no step. A complete order is returned unchanged.',
    params: NumberParams,
    input: CheckoutUpdate,
    subject: (ctx, { number }) => getAuthorizedOrder(ctx, number),
    reply: OrderDetailJson,
    private: true,
    handle: async (ctx, { params: { number }, input }) => {
      const update = () => updateCheckout(ctx, number, input);
      const order = await limitCouponCodes(ctx, { number, code: input.order.coupon_code }, update);
      return serializeOrderDetail(await loadOrderView(ctx, order));
    },
  });
  return router;
}
