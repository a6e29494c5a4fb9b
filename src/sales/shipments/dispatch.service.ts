import type { Actor } from '../../access/actor';
import type { Ctx } from '../context';
import { GatewayFailed } from '../../errors/errors';
import { Refused } from '../../platform/errors';
import type { Tx } from '../../platform/database/transaction';
import { roundMoney, toAmount, toDecimal, ZERO, type Amount } from '../../platform/money';
import { createDraft, saveDraft } from '../order-updater/order-draft';
import { recalculateDraft } from '../order-updater/order-updater';
import type { Cause } from '../order/state-changes.repository';
import type { LockedOrderGraph } from '../order/order-lock';
import type { GatewayRequest } from '../payment-processing/gateway-request';
import { callAndRecord } from '../payment-processing/process-operation';
import { performOnPayment } from '../payment-processing/start-payment';
import { withTransactionAfterPayments } from '../payment-processing/retry-after-payments';
import { planCaptures, calculateDispatchShortfall } from '../fulfilment/dispatch-cover';
import { performOnShipment, buildShipmentFacts } from '../fulfilment/perform-on-shipment';
import { applyShipmentAttributes, buildRestockEstimate } from './shipment-attributes';
import { isUnshipped } from '../fulfilment/shipment-units';
import { lockShipment, type LockedShipment } from '../fulfilment/shipment-lock';
import { isReadyExceptForPayment } from '../order/shipment.machine';
import type { ShipmentAttributes } from './shipments.schema';
import { buildCause, getPlacedShipment, throwShipmentRefusal } from './shipments.service';
import type { PlacedShipment } from './shipments.service';
import { notifyOrders, type OnBackordersFilled } from '../../inventory/backorders';

/**
 * Ships a ready shipment and updates the order's `shipment_state`. If the store captures on dispatch
 * (`auto_capture_on_dispatch`), authorized payments are captured first, one by one and outside any transaction. The
 * shipment then ships even if other shipments of the order are not paid. Safe to repeat and to call concurrently: it
 * ships once, and its amount is captured once.
 * @throws NotFound, InvalidResource, PaymentInProgress; Refused unless it is ready, which also discards the attributes;
 *   GatewayFailed if the gateway declines a capture; Unavailable if the gateway does not respond
 */
export async function shipShipment(
  ctx: Ctx,
  number: string,
  attributes: ShipmentAttributes,
): Promise<PlacedShipment> {
  for (;;) {
    const result = await withTransactionAfterPayments(ctx, async (tx) =>
      shipOrStartCapture(tx, await lockShipment(tx, number, buildRestockEstimate(attributes)), {
        attributes,
        actor: ctx.actor,
        at: ctx.now(),
        cause: buildCause(ctx, 'ship'),
        onBackordersFilled: notifyOrders(ctx, tx),
      }),
    );
    if ('shipment' in result) return result;
    const { outcome } = await callAndRecord(ctx, result.capture);
    if (!outcome.approved) throw new GatewayFailed(outcome.message);
  }
}

/** What the steps of a dispatch know of the request. */
interface Dispatch {
  attributes: ShipmentAttributes;
  actor: Actor;
  at: Date;
  cause: Cause;
  onBackordersFilled: OnBackordersFilled;
}

/** Ships the shipment, or starts the next capture that must precede it. */
async function shipOrStartCapture(
  tx: Tx,
  locked: LockedShipment,
  dispatch: Dispatch,
): Promise<PlacedShipment | { capture: GatewayRequest }> {
  const { attributes, cause } = dispatch;
  const isCapturedOnDispatch = isCapturedWhenShipped(locked);
  if (isCapturedOnDispatch) {
    const missing = calculateDispatchShortfall(
      locked.order,
      locked.shipment,
      findNewCost(locked, attributes),
    );
    if (missing > ZERO) return { capture: await startCapture(tx, locked.order, { missing, cause }) };
  }
  return ship(tx, locked, dispatch, isCapturedOnDispatch);
}

/** Whether the store captures on dispatch, and the shipment lacks nothing but its payment. */
export function isCapturedWhenShipped(placed: PlacedShipment): boolean {
  return (
    placed.order.captures_on_dispatch &&
    isUnshipped(placed.shipment) &&
    isReadyExceptForPayment(buildShipmentFacts(placed))
  );
}

/** Returns the cost of the shipment with the cost or the rate of the request. */
function findNewCost(
  { order, shipment }: PlacedShipment,
  { cost, selected_shipping_rate_id }: ShipmentAttributes,
): Amount {
  if (cost !== undefined) return toAmount(roundMoney(cost, order.currency));
  const chosen = shipment.rates.find((rate) => !rate.selected && rate.id === selected_shipping_rate_id);
  return toAmount(chosen?.cost ?? shipment.cost);
}

/** Starts one capture. Its result is recorded before the amount of the next one is calculated. */
export async function startCapture(
  tx: Tx,
  order: LockedOrderGraph,
  { missing, cause }: { missing: Amount; cause: Cause },
): Promise<GatewayRequest> {
  const authorized = order.payments.filter(({ state }) => state === 'pending');
  const [next] = planCaptures(missing, authorized) ?? [];
  if (next === undefined) throw new Refused('Cannot ship shipment.');
  const { payment, amount } = next;
  const act = { event: 'capture', purpose: 'payment', cause } as const;
  const subject = { payment, amount: toDecimal(amount) };
  const { draft, ending } = await performOnPayment(tx, createDraft(order), act, subject);
  await saveDraft(tx, draft);
  if (ending.ended !== 'calls') throw new Refused('Cannot ship shipment.');
  return ending.request;
}

async function ship(
  tx: Tx,
  locked: LockedShipment,
  { attributes, actor, at, cause, onBackordersFilled }: Dispatch,
  isCapturedOnDispatch: boolean,
): Promise<PlacedShipment> {
  const { id } = locked.shipment;
  const applied = await applyShipmentAttributes(tx, locked, attributes, { actor, onBackordersFilled });
  const draft = await recalculateDraft(tx, applied, cause);
  const { order, shipment } = getPlacedShipment(draft.order, id);
  const isPaid =
    isCapturedOnDispatch && calculateDispatchShortfall(order, shipment, toAmount(shipment.cost)) === ZERO;
  const { ending, draft: left } = performOnShipment('ship', {
    draft,
    shipment,
    at,
    cause,
    isPaidOnDispatch: isPaid,
  });
  throwShipmentRefusal(ending);
  const shipped = ending.ended === 'moved' ? await recalculateDraft(tx, left, cause) : draft;
  return getPlacedShipment(await saveDraft(tx, shipped), id);
}
