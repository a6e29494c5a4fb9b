import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { z } from 'zod';
import type { Ctx } from '../context';
import { endpoint } from '../../platform/http/endpoint';
import { PathIdOrName, PathName } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import { getAuthorizedOrder } from '../order/order-access';
import {
  NewReturnAuthorizationJson,
  RETURN_AUTHORIZATION_ATTRIBUTES,
  ReturnAuthorizationCreate,
  ReturnAuthorizationJson,
  ReturnAuthorizationUpdate,
  ReturnedItems,
  readNewReturn,
} from './return-authorizations.schema';
import { createReturnAuthorization } from './new-returns.service';
import { returnAuthorizationSearch } from './return-authorizations.search';
import { serializeCreatedReturn, serializeReturnAuthorization } from './return-authorizations.serializer';
import {
  addReturnedItems,
  cancelReturn,
  changeReturnAuthorization,
  getReturnAuthorization,
  listAllReturnAuthorizations,
  listOfferedReasons,
  listReturnAuthorizations,
  receiveReturn,
  removeReturnAuthorization,
} from './return-authorizations.service';

const OrderParams = z.object({ number: PathName });
const ReturnParams = OrderParams.extend({
  id: PathIdOrName.meta({ description: 'The id or number of the return authorization.' }),
});

export function returnAuthorizationsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Return authorizations', 'orders');

  endpoint(router, 'get /return_authorizations', {
    access: 'admin',
    summary: 'List the return authorizations of all orders',
    description: 'Filter and sort with `q`, for example `q[state_eq]=authorized`.',
    search: returnAuthorizationSearch,
    feed: true,
    paged: { key: 'return_authorizations', item: ReturnAuthorizationJson },
    private: true,
    handle: async (ctx, { list }) =>
      mapPage(await listAllReturnAuthorizations(ctx, list), serializeReturnAuthorization),
  });
  endpoint(router, 'get /orders/:number/return_authorizations', {
    access: 'admin',
    summary: 'List the return authorizations of an order',
    description: 'Filter and sort with `q`.',
    params: OrderParams,
    search: returnAuthorizationSearch,
    paged: { key: 'return_authorizations', item: ReturnAuthorizationJson },
    private: true,
    handle: async (ctx, { params, list }) =>
      mapPage(await listReturnAuthorizations(ctx, params.number, list), serializeReturnAuthorization),
  });
  endpoint(router, 'get /orders/:number/return_authorizations/new', {
    access: 'admin',
    summary: 'Attributes of a return authorization, and the active reasons',
    description: 'Returns the names of the attributes and the reasons that new returns may use.',
    params: OrderParams,
    reply: NewReturnAuthorizationJson,
    private: true,
    handle: async (ctx, { params }) => ({
      ...RETURN_AUTHORIZATION_ATTRIBUTES,
      return_authorization_reasons: (await listOfferedReasons(ctx, params.number)).map(({ id, name }) => ({
        id,
        name,
      })),
    }),
  });
  endpoint(router, 'post /orders/:number/return_authorizations', {
    access: 'admin',
    summary: 'Create a return authorization',
    description:
      'The order must have shipped units. With `items`, `receive` and `refund`, one request adds the items, receives them and refunds the customer: all of it or nothing. The gateway is called afterwards; if it declines, the return is received, `refunds` says why, and the order owes the amount. Without them, add the items with `add` afterwards.',
    params: OrderParams,
    input: ReturnAuthorizationCreate,
    subject: (ctx, { number }) => getAuthorizedOrder(ctx, number),
    status: 201,
    reply: ReturnAuthorizationJson,
    private: true,
    handle: async (ctx, { params, input }) =>
      serializeCreatedReturn(await createReturnAuthorization(ctx, params.number, readNewReturn(input))),
  });
  addMemberEndpoints(router);
  addStepEndpoints(router);
  return router;
}

const spec = {
  params: ReturnParams,
  subject: (ctx: Ctx, params: z.output<typeof ReturnParams>) => getReturnAuthorization(ctx, params),
  private: true,
} as const;

function addMemberEndpoints(router: ApiRouter<Ctx>): void {
  endpoint(router, 'get /orders/:number/return_authorizations/:id', {
    access: 'admin',
    ...spec,
    summary: 'Get a return authorization',
    description: 'The state says whether the items have arrived.',
    reply: ReturnAuthorizationJson,
    handle: async (ctx, { params }) =>
      serializeReturnAuthorization(await getReturnAuthorization(ctx, params)),
  });
  endpoint(router, 'put /orders/:number/return_authorizations/:id', {
    access: 'admin',
    ...spec,
    summary: 'Update a return authorization that is not received or canceled',
    description: 'Refused with `action_refused` otherwise. A new amount applies when the return is received.',
    input: ReturnAuthorizationUpdate,
    reply: ReturnAuthorizationJson,
    handle: async (ctx, { params, input }) =>
      serializeReturnAuthorization(await changeReturnAuthorization(ctx, params, input.return_authorization)),
  });
  endpoint(router, 'delete /orders/:number/return_authorizations/:id', {
    access: 'admin',
    ...spec,
    summary: 'Delete a return authorization that is not received',
    description: 'Refused with `action_refused` otherwise.',
    status: 204,
    handle: async (ctx, { params }) => removeReturnAuthorization(ctx, params),
  });
}

function addStepEndpoints(router: ApiRouter<Ctx>): void {
  endpoint(router, 'put /orders/:number/return_authorizations/:id/add', {
    access: 'admin',
    ...spec,
    summary: 'Set the quantity of a variant to return',
    description:
      '`quantity` defaults to 1 and replaces the previous quantity of the variant. With `restock: false`, receiving the ' +
      'return does not put these units back into stock.',
    input: ReturnedItems,
    reply: ReturnAuthorizationJson,
    handle: async (ctx, { params, input }) =>
      serializeReturnAuthorization(await addReturnedItems(ctx, params, input)),
  });
  endpoint(router, 'put /orders/:number/return_authorizations/:id/receive', {
    access: 'admin',
    ...spec,
    summary: 'Receive the returned items',
    description:
      'Restocks the items and credits the order with the amount of the return, or else with the share of its units in ' +
      'their line items, discounts and taxes. To refund the customer, credit a payment.',
    reply: ReturnAuthorizationJson,
    handle: async (ctx, { params }) => serializeReturnAuthorization(await receiveReturn(ctx, params)),
  });
  endpoint(router, 'put /orders/:number/return_authorizations/:id/cancel', {
    access: 'admin',
    ...spec,
    summary: 'Cancel a return authorization',
    description: 'The units can be returned by another return authorization. Refused once it is received.',
    reply: ReturnAuthorizationJson,
    handle: async (ctx, { params }) => serializeReturnAuthorization(await cancelReturn(ctx, params)),
  });
}
