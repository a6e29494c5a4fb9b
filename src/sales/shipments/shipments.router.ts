import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { z } from 'zod';
import type { Ctx } from '../context';
import { endpoint, type EndpointRequest } from '../../platform/http/endpoint';
import { PathName } from '../../platform/http/path-parameters';
import { shipShipment } from './dispatch.service';
import { OwnShipmentJson, ShipmentJson } from './shipment-replies.schema';
import { serializeOwnShipment, serializeShipment } from './shipment-replies.serializer';
import { loadOwnShipmentViews, loadShipmentView, loadShipmentViews } from './shipment-view';
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
import { ownShipmentSearch, shipmentSearch } from '../fulfilment/shipments.search';
import {
  addToShipment,
  cancelShipment,
  changeShipment,
  createShipment,
  getShipment,
  requireShipment,
  listOwnShipments,
  listShipments,
  markShipmentReady,
  removeFromShipment,
  type PlacedShipment,
} from './shipments.service';
import { transferToLocation, transferToShipment } from './transfers.service';

const NumberParams = z.object({
  number: PathName.describe('The current or a former number of the shipment.'),
});

const loadAndSerialize = async (ctx: Ctx, placed: PlacedShipment): Promise<ShipmentJson> =>
  serializeShipment(await loadShipmentView(ctx, placed));

export function shipmentsRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Shipments', 'shipments');
  addListEndpoints(router);
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

function addListEndpoints(router: ApiRouter<Ctx>): void {
  endpoint(router, 'get /shipments', {
    access: 'admin',
    summary: 'List shipments',
    description:
      'With the contents and the address that a picking list needs. Includes shipments of incomplete orders: filter with `q[state_eq]=ready`, `q[stock_location_id_eq]`, `q[order_number_eq]` or `q[updated_at_gt]`.',
    search: shipmentSearch,
    feed: true,
    paged: { key: 'shipments', item: ShipmentJson },
    private: true,
    handle: async (ctx, { list }) => {
      const page = await listShipments(ctx, list);
      return { ...page, rows: (await loadShipmentViews(ctx, page.rows)).map(serializeShipment) };
    },
  });
  endpoint(router, 'get /shipments/mine', {
    access: 'signed_in',
    summary: "List the shipments of the customer's orders, newest first",
    description: 'Shipments of complete orders, with their units and order.',
    search: ownShipmentSearch,
    paged: { key: 'shipments', item: OwnShipmentJson, bare: true },
    private: true,
    handle: async (ctx, { list }) => {
      const page = await listOwnShipments(ctx, list);
      return { ...page, rows: (await loadOwnShipmentViews(ctx, page.rows)).map(serializeOwnShipment) };
    },
  });
}

function addTransferEndpoints(router: ApiRouter<Ctx>): void {
  const spec = { status: 201, reply: TransferJson, refusal: TransferFailedJson, private: true } as const;
  endpoint(router, 'post /shipments/transfer_to_location', {
    access: 'admin',
    ...spec,
    summary: 'Move units into a new shipment at another location',
    description: 'Takes the units from a shipment that has not shipped. The other location needs the stock.',
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
    description:
      'Both shipments belong to one order, and neither has shipped. After the sale, the cost of a shipment moves with its last units, and its discounts and taxes keep their sum. If its cost is taxed at other rates than that of the other one, it stays listed as `canceled`, with its cost and without units; the cost can still be changed, and canceling it removes it.',
    input: TransferToShipment,
    handle: async (ctx, { input }) => {
      await transferToShipment(ctx, input);
      return transferred;
    },
  });
}

/** A change of a shipment, whose reply is the changed shipment. */
interface Change<I extends z.ZodType | undefined> {
  summary: string;
  description: string;
  input?: I;
  perform: (
    ctx: Ctx,
    number: string,
    input: EndpointRequest<typeof NumberParams, undefined, I>['input'],
  ) => Promise<PlacedShipment>;
}

function addMemberEndpoints(router: ApiRouter<Ctx>): void {
  endpoint(router, 'get /shipments/:number', {
    access: 'admin',
    summary: 'Get a shipment',
    description: 'With the contents, the rates and the address.',
    params: NumberParams,
    reply: ShipmentJson,
    // The reply shows the stock of its variants, which each sale changes.
    version: ({ updated_at }) => updated_at,
    private: true,
    handle: async (ctx, { params }) => loadAndSerialize(ctx, await getShipment(ctx, params.number)),
  });
  const change = <I extends z.ZodType | undefined = undefined>(
    action: '' | `/${string}`,
    { perform, ...own }: Change<I>,
  ): void =>
    endpoint(router, `put /shipments/:number${action}`, {
      access: 'admin',
      params: NumberParams,
      subject: (ctx, { number }) => requireShipment(ctx, number),
      reply: ShipmentJson,
      private: true,
      ...own,
      handle: async (ctx, { params, input }) =>
        loadAndSerialize(ctx, await perform(ctx, params.number, input)),
    });
  change('', {
    summary: 'Update tracking, number, location, rate or cost of a shipment',
    description:
      'A cost that is set here is not changed by rates afterwards. After the sale, only an admin who sets the cost or selects another rate changes it. Rate, cost and location of a shipped or canceled shipment cannot change (422), except the cost that a canceled one kept when its units moved into another.',
    input: ShipmentUpdate,
    perform: (ctx, number, { shipment }) => changeShipment(ctx, number, shipment),
  });
  change('/ready', {
    summary: 'Mark a shipment as ready',
    description:
      'Refused unless the order is paid and no unit is backordered. Attributes may be updated in the same request.',
    input: ShipmentUpdate,
    perform: (ctx, number, { shipment }) => markShipmentReady(ctx, number, shipment),
  });
  change('/ship', {
    summary: 'Ship a ready shipment',
    description:
      'May be repeated. If the store captures on dispatch, the authorized payments are captured first.',
    input: ShipmentUpdate,
    perform: (ctx, number, { shipment }) => shipShipment(ctx, number, shipment),
  });
  change('/cancel', {
    summary: 'Cancel a shipment',
    description:
      'Restocks its unshipped units, removes them from the line items of the order, and removes its cost. It stays listed as `canceled`. May be repeated, which also removes the cost that a canceled shipment kept when its units moved into another. If some of its units have shipped, it becomes `shipped` and keeps its cost. Refused if it has shipped or the order is not complete.',
    perform: cancelShipment,
  });
  change('/add', {
    summary: 'Add units to a shipment',
    description: 'Adds them to the line item of the order too. `quantity` defaults to 1.',
    input: ContentChange,
    perform: addToShipment,
  });
  change('/remove', {
    summary: 'Remove units from a shipment',
    description:
      'Removes them from the line item of the order too. `quantity` defaults to all units of the variant. An empty shipment is deleted.',
    input: ContentChange,
    perform: removeFromShipment,
  });
}
