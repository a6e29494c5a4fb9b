import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { PathName } from '../../platform/http/path-parameters';
import type { Ctx } from '../context';
import { getAuthorizedOrder } from '../order/order-access';
import {
  ReturnOfferJson,
  ReturnRequestInput,
  ReturnRequestJson,
  ReturnRequestListJson,
} from './return-requests.schema';
import { serializeReturnOffer, serializeReturnRequest } from './return-requests.serializer';
import { getReturnOffer, listReturnRequests, requestReturn } from './return-requests.service';

const OrderParams = z.object({ number: PathName });
/** Builds the router of returns that customers request. */
export function returnRequestsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Return authorizations', 'orders');

  endpoint(router, 'get /orders/:number/return_requests/new', {
    access: 'order',
    summary: 'What the customer of an order may return, and the reasons',
    description:
      'Units that have shipped within `return_days` of the store and are on no other return. Nothing if it is 0.',
    params: OrderParams,
    reply: ReturnOfferJson,
    private: true,
    handle: async (ctx, { params }) => serializeReturnOffer(await getReturnOffer(ctx, params.number)),
  });
  endpoint(router, 'get /orders/:number/return_requests', {
    access: 'order',
    summary: 'List the returns that the customer of an order requested',
    description: 'Their state says what staff decided.',
    params: OrderParams,
    reply: ReturnRequestListJson,
    private: true,
    handle: async (ctx, { params }) => ({
      return_requests: (await listReturnRequests(ctx, params.number)).map(serializeReturnRequest),
    }),
  });
  endpoint(router, 'post /orders/:number/return_requests', {
    access: 'order',
    summary: 'Request the return of shipped items',
    description:
      'For callers who may read the order, within `return_days` of the store after the dispatch; refused if it is 0. Staff find it among the return authorizations in the state `requested`, and approve or decline it.',
    params: OrderParams,
    input: ReturnRequestInput,
    subject: (ctx, { number }) => getAuthorizedOrder(ctx, number),
    status: 201,
    reply: ReturnRequestJson,
    private: true,
    handle: async (ctx, { params, input }) =>
      serializeReturnRequest(await requestReturn(ctx, params.number, input)),
  });
  return router;
}
