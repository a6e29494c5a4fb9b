import { z } from 'zod';
import type { Ctx } from '../context';
import { AttributeListJson } from '../../platform/http/attribute-list';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { PathId, PathName } from '../../platform/http/path-parameters';
import { getAuthorizedOrder } from '../order/order-access';
import { loadOrderView } from '../order-replies/order-view';
import { LineItemJson } from '../order-replies/orders.schema';
import { serializeLineItem } from '../order-replies/orders.serializer';
import { LINE_ITEM_ATTRIBUTES, LineItemCreate, LineItemUpdate } from './line-items.schema';
import {
  addLineItem,
  changeLineItem,
  removeLineItem,
  requireLineItem,
  type OrderLine,
} from './line-items.service';

const OrderParams = z.object({ number: PathName });
const LineParams = OrderParams.extend({ id: PathId });

async function serializeLine(ctx: Ctx, { order, line }: OrderLine): Promise<LineItemJson> {
  return serializeLineItem(await loadOrderView(ctx, order), line);
}

export function lineItemsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Line items', 'orders');

  endpoint(router, 'get /orders/:number/line_items/new', {
    access: 'order',
    summary: 'Attributes of a line item',
    description: 'Returns the names of the attributes, for example to build a form.',
    params: OrderParams,
    private: true,
    reply: AttributeListJson,
    handle: async (ctx, { params }) => {
      await getAuthorizedOrder(ctx, params.number);
      return LINE_ITEM_ATTRIBUTES;
    },
  });
  endpoint(router, 'post /orders/:number/line_items', {
    access: 'order',
    summary: 'Add a line item to an order',
    description: 'If the order already has a line item of the variant, its quantity is increased.',
    params: OrderParams,
    input: LineItemCreate,
    subject: (ctx, { number }) => getAuthorizedOrder(ctx, number),
    status: 201,
    reply: LineItemJson,
    private: true,
    handle: async (ctx, { params, input }) =>
      serializeLine(ctx, await addLineItem(ctx, params.number, input.line_item)),
  });
  endpoint(router, 'put /orders/:number/line_items/:id', {
    access: 'order',
    summary: 'Update a line item',
    description: 'Quantity 0 removes the line item and returns 204.',
    params: LineParams,
    input: LineItemUpdate,
    subject: requireLineItem,
    reply: LineItemJson,
    mayBeEmpty: true,
    private: true,
    handle: async (ctx, { params, input }) => {
      const changed = await changeLineItem(ctx, params, input.line_item);
      return changed === null ? undefined : serializeLine(ctx, changed);
    },
  });
  endpoint(router, 'delete /orders/:number/line_items/:id', {
    access: 'order',
    summary: 'Remove a line item from an order',
    description:
      'Restarts the checkout of an open order. Admins also remove line items of complete orders, which restocks them.',
    params: LineParams,
    status: 204,
    private: true,
    handle: (ctx, { params }) => removeLineItem(ctx, params),
  });
  return router;
}
