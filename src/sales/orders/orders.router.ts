import { z } from 'zod';
import { apiRouter, endpoint, type ApiRouter } from '../../platform/http/endpoint';
import { PathName } from '../../platform/http/path-parameters';
import { OrderCreate } from './order-input.schema';
import { loadOrderView } from './order-view';
import { OrderDetailJson } from './orders.schema';
import { serializeOrderDetail } from './orders.serializer';
import { createOrder, getOrder } from './orders.service';

const NumberParams = z.object({ number: PathName });

export function ordersRouter(): ApiRouter {
  const router = apiRouter('Orders');

  endpoint(router, 'post /orders', {
    summary: 'Open an order',
    description: 'Guests and customers alike; without a body it is an empty cart.',
    input: OrderCreate,
    status: 201,
    reply: OrderDetailJson,
    private: true,
    handle: async (ctx, { input }) =>
      serializeOrderDetail(await loadOrderView(ctx, await createOrder(ctx, input.order))),
  });
  endpoint(router, 'get /orders/:number', {
    summary: 'One order with all its parts',
    params: NumberParams,
    reply: OrderDetailJson,
    private: true,
    handle: async (ctx, { params }) =>
      serializeOrderDetail(await loadOrderView(ctx, await getOrder(ctx, params.number), { units: true })),
  });
  return router;
}
