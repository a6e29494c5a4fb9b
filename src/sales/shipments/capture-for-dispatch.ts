import type { Deps } from '../context';
import { withTransaction, type Tx, type TransactionContext } from '../../platform/database/transaction';
import { calculateDispatchShortfall } from '../fulfilment/dispatch-cover';
import { toAmount } from '../../platform/money';
import { isBeingPaid } from '../order/order-lock';
import type { GatewayRequest } from '../payment-processing/gateway-request';
import { callAndRecord } from '../payment-processing/process-operation';
import { assumeShipped, findCover, lockNamedOrders } from './dispatch-rows';
import type { DispatchRow } from './dispatch-rows.schema';
import { capturesOnDispatch } from './dispatch-settings.repository';
import { startCapture } from './dispatch.service';

/** The number of gateway calls at the same time. */
const CALLS = 4;

/**
 * Captures what these shipments need before they leave, if the store captures on dispatch: of each order one payment at
 * a time, until nothing is missing. Each capture is committed by itself. Repeatable: what is captured needs no capture.
 * @returns the messages of the gateway, by the id of the order whose capture it declined
 * @throws Unavailable if the gateway does not respond
 */
export async function captureForDispatch(
  ctx: Deps & TransactionContext,
  rows: readonly DispatchRow[],
  user_id: number | null,
): Promise<Map<number, string>> {
  const declined = new Map<number, string>();
  for (;;) {
    const requests = await withTransaction(ctx, (tx) =>
      startDueCaptures(tx, { rows, declined, cause: { user_id, reason: 'shipment ship' } }),
    );
    if (requests.length === 0) return declined;
    for (let first = 0; first < requests.length; first += CALLS) {
      const calls = requests.slice(first, first + CALLS).map(async (request) => {
        const { outcome } = await callAndRecord(ctx, request);
        if (!outcome.approved) declined.set(request.order_id, outcome.message);
      });
      const ended = await Promise.allSettled(calls);
      for (const one of ended) if (one.status === 'rejected') throw one.reason;
    }
  }
}

/** Starts the next capture of each order whose shipments need one. Shipments of earlier rows leave before those of later ones. */
async function startDueCaptures(
  tx: Tx,
  {
    rows,
    declined,
    cause,
  }: {
    rows: readonly DispatchRow[];
    declined: ReadonlyMap<number, string>;
    cause: { user_id: number | null; reason: string };
  },
): Promise<GatewayRequest[]> {
  if (!(await capturesOnDispatch(tx))) return [];
  const shipped = rows.filter(({ ship }) => ship === true);
  const { keys, orders } = await lockNamedOrders(tx, shipped);
  const requests: GatewayRequest[] = [];
  const started = new Set<number>();
  // In these orders, shipments that are paid for count as shipped: what they cost is not left for the others.
  const dispatched = new Map(orders);
  for (const key of keys) {
    const order = orders.get(key?.order_id ?? 0);
    const rest = dispatched.get(key?.order_id ?? 0);
    const shipment = rest?.shipments.find(({ id }) => id === key?.id);
    if (order === undefined || rest === undefined || shipment === undefined) continue;
    if (isBeingPaid(order) || started.has(order.id) || declined.has(order.id)) continue;
    const cover = findCover(rest, { order: rest, shipment });
    if (cover === 'paid') dispatched.set(order.id, assumeShipped(rest, shipment.id));
    if (cover !== 'capturable') continue;
    const missing = calculateDispatchShortfall(rest, shipment, toAmount(shipment.cost));
    started.add(order.id);
    requests.push(await startCapture(tx, order, { missing, cause }));
  }
  return requests;
}
