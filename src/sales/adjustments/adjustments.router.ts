import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { PathId, PathName } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import type { Ctx } from '../context';
import { getAuthorizedOrder } from '../order/order-access';
import { AdjustmentJson } from '../order-replies/adjustments.schema';
import { serializeAdjustment } from '../order-replies/adjustments.serializer';
import { adjustmentSearch } from '../pricing/adjustments.search';
import { AdjustmentCreate, AdjustmentUpdate } from './adjustments.schema';
import {
  changeAdjustment,
  createAdjustment,
  listAdjustments,
  removeAdjustment,
  type ListedAdjustment,
} from './adjustments.service';

const OrderParams = z.object({ number: PathName });
const AdjustmentParams = OrderParams.extend({ id: PathId });

const serialize = (listed: ListedAdjustment): AdjustmentJson =>
  serializeAdjustment(listed.adjustment, listed);

const LIMIT = '422 `amount` if the order, the line item or the shipment would cost less than nothing.';

export function adjustmentsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Adjustments', 'orders');

  endpoint(router, 'get /orders/:number/adjustments', {
    access: 'admin',
    summary: 'List the adjustments of an order, its line items and its shipments',
    description: 'Taxes, discounts, credits of returns, and manual adjustments, whose `source_type` is null.',
    params: OrderParams,
    search: adjustmentSearch,
    private: true,
    paged: { key: 'adjustments', item: AdjustmentJson },
    handle: async (ctx, { params, list }) =>
      mapPage(await listAdjustments(ctx, params.number, list), serialize),
  });
  endpoint(router, 'post /orders/:number/adjustments', {
    access: 'admin',
    summary: 'Create a manual adjustment',
    description: `Adds \`amount\` to the total of an order that is not canceled. It does not change taxes, unless \`taxed\` taxes it as its line item or shipment is. ${LIMIT}`,
    params: OrderParams,
    input: AdjustmentCreate,
    subject: (ctx, { number }) => getAuthorizedOrder(ctx, number),
    status: 201,
    reply: AdjustmentJson,
    private: true,
    handle: async (ctx, { params, input }) =>
      serialize(await createAdjustment(ctx, params.number, input.adjustment)),
  });
  endpoint(router, 'put /orders/:number/adjustments/:id', {
    access: 'admin',
    summary: 'Update a manual adjustment',
    description: `Taxes, discounts and credits of returns cannot be changed. ${LIMIT}`,
    params: AdjustmentParams,
    input: AdjustmentUpdate,
    subject: (ctx, { number }) => getAuthorizedOrder(ctx, number),
    reply: AdjustmentJson,
    private: true,
    handle: async (ctx, { params, input }) =>
      serialize(await changeAdjustment(ctx, params, input.adjustment)),
  });
  endpoint(router, 'delete /orders/:number/adjustments/:id', {
    access: 'admin',
    summary: 'Delete a manual adjustment',
    description: `Taxes, discounts and credits of returns cannot be deleted. ${LIMIT}`,
    params: AdjustmentParams,
    status: 204,
    private: true,
    handle: (ctx, { params }) => removeAdjustment(ctx, params),
  });
  return router;
}
