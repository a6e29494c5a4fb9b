import type { Ctx } from '../context';
import { z } from 'zod';
import { AddressInput, AddressJson } from '../../geography/addresses/addresses.schema';
import { serializeAddress } from '../../geography/addresses/addresses.serializer';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { wrapped } from '../../platform/http/field-schemas';
import { PathId, PathName } from '../../platform/http/path-parameters';
import { getAuthorizedOrder } from '../order/order-access';
import { changeOrderAddress, getOrderAddress } from './order-addresses.service';

const AddressParams = z.object({ number: PathName, id: PathId });
const AddressUpdate = wrapped('address', AddressInput);

export function orderAddressesRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Orders', 'orders');

  endpoint(router, 'get /orders/:number/addresses/:id', {
    access: 'order',
    summary: "Get an order's bill or ship address",
    description: 'Returns 401 for any other address.',
    params: AddressParams,
    reply: AddressJson,
    private: true,
    handle: async (ctx, { params }) => serializeAddress(await getOrderAddress(ctx, params)),
  });
  endpoint(router, 'put /orders/:number/addresses/:id', {
    access: 'order',
    summary: "Update an order's bill or ship address",
    description:
      'A new country, state or postal code of the ship address restarts the checkout of an open order.',
    params: AddressParams,
    input: AddressUpdate,
    subject: (ctx, { number }) => getAuthorizedOrder(ctx, number),
    reply: AddressJson,
    private: true,
    handle: async (ctx, { params, input }) =>
      serializeAddress(await changeOrderAddress(ctx, params, input.address)),
  });
  return router;
}
