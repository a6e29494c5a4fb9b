import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { PathName } from '../../platform/http/path-parameters';
import type { Ctx } from '../context';
import { getAuthorizedOrder } from '../order/order-access';
import { AdjustmentJson } from '../order-replies/adjustments.schema';
import { serializeAdjustment } from '../order-replies/adjustments.serializer';
import { adjustmentSearch } from '../pricing/adjustments.search';
import { AdjustmentCreate, AdjustmentUpdate } from './adjustments.schema';
import {
  changeAdjustment,
  createAdjustment,
  getAdjustment,
  listAdjustments,
  removeAdjustment,
  type ListedAdjustment,
} from './adjustments.service';
import { declareRecordEndpoints } from '../../platform/resource/record-endpoints';

const OrderParams = z.object({ number: PathName });

const serialize = (listed: ListedAdjustment): AdjustmentJson =>
  serializeAdjustment(listed.adjustment, listed);

const LIMIT = '422 `amount` if the order, the line item or the shipment would cost less than nothing.';

export function adjustmentsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Adjustments', 'orders');

  declareRecordEndpoints(router, '/orders/:number/adjustments', {
    params: OrderParams,
    access: { read: 'admin', write: 'admin' },
    private: true,
    parent: (ctx, { number }) => getAuthorizedOrder(ctx, number),
    get: getAdjustment,
    reply: AdjustmentJson,
    serialize,
    list: {
      summary: 'List the adjustments of an order, its line items and its shipments',
      description:
        'Taxes, discounts, credits of returns, and manual adjustments, whose `source_type` is null.',
      search: adjustmentSearch,
      handle: (ctx, { params, list }) => listAdjustments(ctx, params.number, list),
    },
    create: {
      summary: 'Create a manual adjustment',
      description: `Adds \`amount\` to the total of an order that is not canceled. It does not change taxes, unless \`taxed\` taxes it as its line item or shipment is. ${LIMIT}`,
      input: AdjustmentCreate,
      handle: (ctx, { params, input }) => createAdjustment(ctx, params.number, input.adjustment),
    },
    update: {
      summary: 'Update a manual adjustment',
      description: `Taxes, discounts and credits of returns cannot be changed. ${LIMIT}`,
      input: AdjustmentUpdate,
      handle: (ctx, { params, input }) => changeAdjustment(ctx, params, input.adjustment),
    },
    delete: {
      summary: 'Delete a manual adjustment',
      description: `Taxes, discounts and credits of returns cannot be deleted. ${LIMIT}`,
      handle: (ctx, { params }) => removeAdjustment(ctx, params),
    },
  });
  return router;
}
