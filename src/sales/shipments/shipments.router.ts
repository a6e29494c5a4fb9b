import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { z } from 'zod';
import type { Ctx } from '../context';
import { endpoint } from '../../platform/http/endpoint';
import { PathName } from '../../platform/http/path-parameters';
import { shipShipment } from './dispatch.service';
import { OwnShipmentJson, ShipmentJson } from './shipment-replies.schema';
import { serializeOwnShipment, serializeShipment } from './shipment-replies.serializer';
import { loadOwnShipmentViews, loadShipmentView } from './shipment-view';
import {
  ContentChange,
  ShipmentCreate,
  ShipmentUpdate,
  TransferFailedJson,
  TransferJson,
  TransferToLocation,
  TransferToShipment,
  transferred,
} from './shipments.schema';
import { shipmentSearch } from '../fulfilment/shipments.search';
import {
  addToShipment,
  changeShipment,
  createShipment,
  requireShipment,
  listOwnShipments,
  markShipmentReady,
  removeFromShipment,
  type PlacedShipment,
} from './shipments.service';
import { transferToLocation, transferToShipment } from './transfers.service';

const NumberParams = z.object({
  number: PathName.meta({ description: 'The current or a former number of the shipment.' }),
});

const loadAndSerialize = async (ctx: Ctx, placed: PlacedShipment): Promise<ShipmentJson> =>
  serializeShipment(await loadShipmentView(ctx, placed));

export function shipmentsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Shipments', 'shipments');

  endpoint(router, 'get /shipments/mine', {
    access: 'signed_in',
    summary: "List the shipments of the customer's orders, newest first",
    search: shipmentSearch,
    paged: { key: 'shipments', item: OwnShipmentJson, bare: true },
    private: true,
    handle: async (ctx, { list }) => {
      const page = await listOwnShipments(ctx, list);
      return { ...page, rows: (await loadOwnShipmentViews(ctx, page.rows)).map(serializeOwnShipment) };
    },
  });
  endpoint(router, 'post /shipments', {
    access: 'admin',
    summary: 'Create a shipment',
    description:
      'Creates a shipment with units of one variant and adds them to the line item of the order; `quantity` defaults to 1. The fields may also be sent inside `shipment`.',
    input: ShipmentCreate,
    reply: ShipmentJson,
    private: true,
    handle: async (ctx, { input }) => loadAndSerialize(ctx, await createShipment(ctx, input)),
  });
  addTransferEndpoints(router);
  addMemberEndpoints(router);
  return router;
}

function addTransferEndpoints(router: ApiRouter<Ctx>): void {
  const spec = { status: 201, reply: TransferJson, refusal: TransferFailedJson, private: true } as const;
  endpoint(router, 'post /shipments/transfer_to_location', {
    access: 'admin',
    ...spec,
    summary: 'Move units into a new shipment at another location',
    input: TransferToLocation,
    handle: async (ctx, { input }) => {
      await transferToLocation(ctx, input);
      return transferred;
    },
  });
  endpoint(router, 'post /shipments/transfer_to_shipment', {
    access: 'admin',
    ...spec,
    summary: 'Move units into another shipment of the order',
    input: TransferToShipment,
    handle: async (ctx, { input }) => {
      await transferToShipment(ctx, input);
      return transferred;
    },
  });
}

function addMemberEndpoints(router: ApiRouter<Ctx>): void {
  const spec = {
    params: NumberParams,
    subject: (ctx: Ctx, { number }: z.output<typeof NumberParams>) => requireShipment(ctx, number),
    reply: ShipmentJson,
    private: true,
  } as const;
  endpoint(router, 'put /shipments/:number', {
    access: 'admin',
    ...spec,
    summary: 'Update tracking, number, location or rate of a shipment',
    input: ShipmentUpdate,
    handle: async (ctx, { params, input }) =>
      loadAndSerialize(ctx, await changeShipment(ctx, params.number, input.shipment)),
  });
  endpoint(router, 'put /shipments/:number/ready', {
    access: 'admin',
    ...spec,
    summary: 'Mark a shipment as ready',
    description:
      'Refused unless the order is paid and no unit is backordered. Attributes may be updated in the same request.',
    input: ShipmentUpdate,
    handle: async (ctx, { params, input }) =>
      loadAndSerialize(ctx, await markShipmentReady(ctx, params.number, input.shipment)),
  });
  endpoint(router, 'put /shipments/:number/ship', {
    access: 'admin',
    ...spec,
    summary: 'Ship a ready shipment',
    description:
      'May be repeated. If the store captures on dispatch, the authorized payments are captured first.',
    input: ShipmentUpdate,
    handle: async (ctx, { params, input }) =>
      loadAndSerialize(ctx, await shipShipment(ctx, params.number, input.shipment)),
  });
  endpoint(router, 'put /shipments/:number/add', {
    access: 'admin',
    ...spec,
    summary: 'Add units to a shipment',
    description: 'Adds them to the line item of the order too. `quantity` defaults to 1.',
    input: ContentChange,
    handle: async (ctx, { params, input }) =>
      loadAndSerialize(ctx, await addToShipment(ctx, params.number, input)),
  });
  endpoint(router, 'put /shipments/:number/remove', {
    access: 'admin',
    ...spec,
    summary: 'Remove units from a shipment',
    description:
      'Removes them from the line item of the order too. `quantity` defaults to all units of the variant. An empty shipment is deleted.',
    input: ContentChange,
    handle: async (ctx, { params, input }) =>
      loadAndSerialize(ctx, await removeFromShipment(ctx, params.number, input)),
  });
}
