import { z } from 'zod';
import { apiRouter, endpoint, type ApiRouter } from '../../platform/http/endpoint';
import { PathName } from '../../platform/http/path-parameters';
import { openOrder } from '../orders/order-access';
import { loadOrderView } from '../orders/order-view';
import { LineItemJson } from '../orders/orders.schema';
import { serializeLineItem } from '../orders/orders.serializer';
import { LineItemCreate } from './line-items.schema';
import { addLineItem } from './line-items.service';

const NumberParams = z.object({ number: PathName });

export function lineItemsRouter(): ApiRouter {
  const router = apiRouter('Line items');

  endpoint(router, 'post /orders/:number/line_items', {
    summary: 'Add goods to an order',
    description: 'Adds to the line of that variant where there is one.',
    params: NumberParams,
    input: LineItemCreate,
    subject: (ctx, { number }) => openOrder(ctx, number),
    status: 201,
    reply: LineItemJson,
    private: true,
    handle: async (ctx, { params, input }) => {
      const { order, line } = await addLineItem(ctx, params.number, input.line_item);
      return serializeLineItem(await loadOrderView(ctx, order), line);
    },
  });
  return router;
}
