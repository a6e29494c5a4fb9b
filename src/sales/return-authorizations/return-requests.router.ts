import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { PathIdOrName, PathName } from '../../platform/http/path-parameters';
import type { Ctx } from '../context';
import { getAuthorizedOrder } from '../order/order-access';
import { ReturnAuthorizationJson } from './return-authorizations.schema';
import { serializeReturnAuthorization } from './return-authorizations.serializer';
import { getReturnAuthorization } from './return-authorizations.service';
import {
  ReturnDecline,
  ReturnOfferJson,
  ReturnRequestInput,
  ReturnRequestJson,
  ReturnRequestListJson,
} from './return-requests.schema';
import { serializeReturnOffer, serializeReturnRequest } from './return-requests.serializer';
import {
  approveReturn,
  declineReturn,
  getReturnOffer,
  listReturnRequests,
  requestReturn,
} from './return-requests.service';

const OrderParams = z.object({ number: PathName });
const ReturnParams = OrderParams.extend({
  id: PathIdOrName.meta({ description: 'The id or number of the return authorization.' }),
});

/** Builds the router of returns that customers request, and staff decide on. */
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
      'For whoever may read the order, within `return_days` of the store after the dispatch; refused if it is 0. Staff find it among the return authorizations in the state `requested`, and approve or decline it.',
    params: OrderParams,
    input: ReturnRequestInput,
    subject: (ctx, { number }) => getAuthorizedOrder(ctx, number),
    status: 201,
    reply: ReturnRequestJson,
    private: true,
    handle: async (ctx, { params, input }) =>
      serializeReturnRequest(await requestReturn(ctx, params.number, input)),
  });
  const decision = {
    params: ReturnParams,
    subject: (ctx: Ctx, params: z.output<typeof ReturnParams>) => getReturnAuthorization(ctx, params),
    reply: ReturnAuthorizationJson,
    private: true,
  } as const;
  endpoint(router, 'put /orders/:number/return_authorizations/:id/approve', {
    access: 'admin',
    ...decision,
    summary: 'Approve a return that a customer requested',
    description: 'Its items are put on the return, which becomes `authorized`.',
    handle: async (ctx, { params }) => serializeReturnAuthorization(await approveReturn(ctx, params)),
  });
  endpoint(router, 'put /orders/:number/return_authorizations/:id/decline', {
    access: 'admin',
    ...decision,
    summary: 'Decline a return that a customer requested',
    description: 'The customer sees the reason. The units may be requested again.',
    input: ReturnDecline,
    handle: async (ctx, { params, input }) =>
      serializeReturnAuthorization(await declineReturn(ctx, params, input.reason ?? null)),
  });
  return router;
}
