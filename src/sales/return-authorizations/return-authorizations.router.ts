import { createApiRouter, type ApiRouter } from '../../access/api-router';
import type { EndpointScope } from '../../access/scopes';
import { z } from 'zod';
import type { Ctx } from '../context';
import { endpoint } from '../../platform/http/endpoint';
import { PathIdOrName, PathName } from '../../platform/http/path-parameters';
import { declareRecordEndpoints } from '../../platform/resource/record-endpoints';
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
import { serializeReturn } from './return-authorizations.serializer';
import {
  addReturnedItems,
  cancelReturn,
  changeReturnAuthorization,
  getReturnAuthorization,
  listAllReturnAuthorizations,
  listReturnChoices,
  listReturnAuthorizations,
  receiveReturn,
  removeReturnAuthorization,
} from './return-authorizations.service';
import { ReturnDecline } from './return-requests.schema';
import { approveReturn, declineReturn } from './return-requests.service';

/** Who sends parcels also receives what comes back. Only the credit of the order follows: refunds are payments. */
const RECEIVING = 'orders:write or shipments:write' satisfies EndpointScope;

const OrderParams = z.object({ number: PathName });

/** The returns of all orders, and those of one order. */
const RETURNS = { private: true, reply: ReturnAuthorizationJson, serialize: serializeReturn } as const;

export function returnAuthorizationsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Return authorizations', 'orders');

  declareRecordEndpoints(router, '/return_authorizations', {
    ...RETURNS,
    access: { read: 'admin', write: 'admin' },
    list: {
      summary: 'List the return authorizations of all orders',
      description: 'Filter and sort with `q`, for example `q[state_eq]=authorized`.',
      search: returnAuthorizationSearch,
      feed: true,
      handle: (ctx, { list }) => listAllReturnAuthorizations(ctx, list),
    },
  });
  endpoint(router, 'get /orders/:number/return_authorizations/new', {
    access: 'admin',
    summary: 'Attributes of a return authorization, the active reasons, and the stock locations',
    description:
      'Returns the names of the attributes, and the reasons and stock locations that new returns may use.',
    params: OrderParams,
    reply: NewReturnAuthorizationJson,
    private: true,
    handle: async (ctx, { params }) => {
      const { reasons, locations } = await listReturnChoices(ctx, params.number);
      return {
        ...RETURN_AUTHORIZATION_ATTRIBUTES,
        return_authorization_reasons: reasons.map(({ id, name }) => ({ id, name })),
        stock_locations: locations,
      };
    },
  });
  declareReturnsOfOrder(router);
  return router;
}

function declareReturnsOfOrder(router: ApiRouter<Ctx>): void {
  const action = declareRecordEndpoints(router, '/orders/:number/return_authorizations', {
    ...RETURNS,
    params: OrderParams,
    id: PathIdOrName.meta({ description: 'The id or number of the return authorization.' }),
    access: { read: 'admin', write: 'admin' },
    parent: (ctx, { number }) => getAuthorizedOrder(ctx, number),
    get: (ctx, params) => getReturnAuthorization(ctx, params),
    list: {
      summary: 'List the return authorizations of an order',
      description: 'Filter and sort with `q`.',
      search: returnAuthorizationSearch,
      handle: (ctx, { params, list }) => listReturnAuthorizations(ctx, params.number, list),
    },
    show: {
      summary: 'Get a return authorization',
      description: 'The state says whether the items have arrived.',
    },
    create: {
      summary: 'Create a return authorization',
      description:
        'The order must have shipped units. With `items`, `receive` and `refund`, one request adds the items, receives them and refunds the customer: all of it or nothing. The gateway is called afterwards; if it declines, the return is received, `refunds` says why, and the order owes the amount. Without them, add the items with `add` afterwards.',
      input: ReturnAuthorizationCreate,
      handle: (ctx, { params, input }) => createReturnAuthorization(ctx, params.number, readNewReturn(input)),
    },
    update: {
      summary: 'Update a return authorization that is not received or canceled',
      description:
        'Refused with `invalid_resource` otherwise. A new amount applies when the return is received.',
      input: ReturnAuthorizationUpdate,
      handle: (ctx, { params, input }) => changeReturnAuthorization(ctx, params, input.return_authorization),
    },
    delete: {
      summary: 'Delete a return authorization that is not received',
      description: 'Refused with `invalid_resource` otherwise.',
      handle: (ctx, { params }) => removeReturnAuthorization(ctx, params),
    },
  });
  action('add', {
    scope: RECEIVING,
    summary: 'Set the quantity of a variant to return',
    description:
      '`quantity` defaults to 1 and replaces the previous quantity of the variant. With `restock: false`, receiving the ' +
      'return does not put these units back into stock.',
    input: ReturnedItems,
    handle: (ctx, { params, input }) => addReturnedItems(ctx, params, input),
  });
  action('receive', {
    scope: RECEIVING,
    summary: 'Receive the returned items',
    description:
      'Restocks the items and credits the order with the amount of the return, or else with the share of its units in ' +
      'their line items, discounts and taxes. To refund the customer, credit a payment.',
    handle: (ctx, { params }) => receiveReturn(ctx, params),
  });
  action('cancel', {
    summary: 'Cancel a return authorization',
    description: 'The units can be returned by another return authorization. Refused once it is received.',
    handle: (ctx, { params }) => cancelReturn(ctx, params),
  });
  action('approve', {
    summary: 'Approve a return that a customer requested',
    description: 'Its items are put on the return, which becomes `authorized`.',
    handle: (ctx, { params }) => approveReturn(ctx, params),
  });
  action('decline', {
    summary: 'Decline a return that a customer requested',
    description: 'The customer sees the reason. The units may be requested again.',
    input: ReturnDecline,
    handle: (ctx, { params, input }) => declineReturn(ctx, params, input.reason ?? null),
  });
}
