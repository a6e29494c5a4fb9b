import { z } from 'zod';
import type { Ctx } from '../context';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { PathName } from '../../platform/http/path-parameters';
import { shipmentSearch } from '../fulfilment/shipments.search';
import { getPackingSlip, getPackingSlips, MAX_PACKING_SLIPS } from './packing-slips.service';

export function packingSlipsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Shipments', 'shipments');

  endpoint(router, 'get /shipments/packing_slips.pdf', {
    access: 'admin',
    summary: 'Get the packing slips of many shipments in one PDF',
    description: `Of the shipments of complete orders that \`q\` finds, by id, except canceled ones without units. Returns 404 if there are none and 422 if there are more than ${MAX_PACKING_SLIPS}.`,
    search: shipmentSearch,
    private: true,
    file: 'application/pdf',
    handle: (ctx, { list }) => getPackingSlips(ctx, list),
  });
  endpoint(router, 'get /shipments/:number/packing_slip.pdf', {
    access: 'admin',
    summary: 'Get the packing slip of a shipment as PDF',
    description: 'What is in the parcel, without prices. Returns 404 until the order is complete.',
    params: z.object({
      number: PathName.meta({ description: 'The current or a former number of the shipment.' }),
    }),
    private: true,
    file: 'application/pdf',
    handle: (ctx, { params }) => getPackingSlip(ctx, params.number),
  });
  return router;
}
