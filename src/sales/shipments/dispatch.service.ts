import { findDefaultStore } from '../../accounts/stores/stores.repository';
import type { Ctx } from '../context';
import { GatewayFailed } from '../../errors/errors';
import { Refused } from '../../platform/errors';
import type { Tx } from '../../platform/database/transaction';
import { toAmount, toDecimal, ZERO, type Amount } from '../../platform/money';
import type { ShipmentGraph } from '../order/order-graph';
import { updateOrder } from '../order-updater/order-updater';
import type { Cause } from '../order/state-changes.repository';
import type { LockedOrderGraph } from '../order/order-lock';
import type { GatewayRequest } from '../payment-processing/payment-operations.repository';
import { callAndRecord, performOnPayment } from '../payment-processing/payment-processing';
import { lockPayments } from '../payment-processing/payments.repository';
import { withTransactionAfterPayments } from '../payment-processing/retry-after-payments';
import { capturesFor, missingForDispatch } from '../fulfilment/dispatch-cover';
import { performOnShipment, shipmentFacts } from '../fulfilment/perform-on-shipment';
import { applyShipmentAttributes, leavingBy } from './shipment-attributes';
import { lockShipment, type LockedShipment } from '../fulfilment/shipment-lock';
import { isReadyExceptForPayment } from '../order/shipment.machine';
import type { ShipmentAttributes } from './shipments.schema';
import { causeFrom, placedIn, throwShipmentRefusal } from './shipments.service';
import type { PlacedShipment } from './shipments.service';
import { tellOrders } from '../../inventory/backorders';

/**
 * Ships a ready shipment: its goods leave, the order's shipment_state follows. Where the store captures on dispatch
 * (`auto_capture_on_dispatch`), what was authorized for it is captured first, payment by payment, outside of any
 * transaction; then it leaves even though other shipments of the order are still to be paid. Safe to repeat, and from
 * several callers at once: it ships once, and money for it is taken once.
 * @throws NotFound, InvalidResource; Refused unless it is ready, and then the attributes are not kept; GatewayFailed
 *   when the gateway declines a capture; Unavailable when it does not answer; PaymentInProgress
 */
export async function shipShipment(
  ctx: Ctx,
  number: string,
  attributes: ShipmentAttributes,
): Promise<PlacedShipment> {
  for (;;) {
    const result = await withTransactionAfterPayments(ctx, (tx) => shipOrAsk(tx, ctx, number, attributes));
    if ('shipment' in result) return result;
    const { outcome } = await callAndRecord(ctx, result.ask);
    if (!outcome.approved) throw new GatewayFailed(outcome.message);
  }
}

/** Ships, or starts the next capture that must come before. */
async function shipOrAsk(
  tx: Tx,
  ctx: Ctx,
  number: string,
  attributes: ShipmentAttributes,
): Promise<PlacedShipment | { ask: GatewayRequest }> {
  const locked = await lockShipment(tx, number, leavingBy(attributes));
  const capturesOnDispatch = await waitsForCapture(tx, locked);
  if (capturesOnDispatch) {
    const missing = missingForDispatch(locked.order, locked.shipment, costToBe(locked.shipment, attributes));
    if (missing > ZERO)
      return { ask: await startCapture(tx, locked.order, { missing, cause: causeFrom(ctx, 'ship') }) };
  }
  return ship(tx, ctx, locked, { attributes, capturesOnDispatch });
}

async function waitsForCapture(tx: Tx, placed: PlacedShipment): Promise<boolean> {
  if (placed.shipment.state !== 'pending' || !isReadyExceptForPayment(shipmentFacts(placed))) return false;
  return (await findDefaultStore(tx))?.auto_capture_on_dispatch === true;
}

/** A rate chosen along with the request counts already. */
function costToBe(shipment: ShipmentGraph, { selected_shipping_rate_id }: ShipmentAttributes): Amount {
  const chosen = shipment.rates.find((rate) => rate.id === selected_shipping_rate_id);
  return toAmount(chosen?.cost ?? shipment.cost);
}

/** One capture at a time: each answer is recorded before the next amount is calculated. */
async function startCapture(
  tx: Tx,
  order: LockedOrderGraph,
  { missing, cause }: { missing: Amount; cause: Cause },
): Promise<GatewayRequest> {
  const payments = await lockPayments(tx, order.id);
  const authorized = payments.filter(({ state }) => state === 'pending');
  const [next] = capturesFor(missing, authorized) ?? [];
  if (next === undefined) throw new Refused('Cannot ship shipment.');
  const { payment, amount } = next;
  const subject = { payment, order, amount: toDecimal(amount) };
  const ending = await performOnPayment(tx, 'capture', subject, { ...cause, purpose: 'payment' });
  if (ending.ended !== 'asks') throw new Refused('Cannot ship shipment.');
  return ending.question;
}

async function ship(
  tx: Tx,
  ctx: Ctx,
  locked: LockedShipment,
  { attributes, capturesOnDispatch }: { attributes: ShipmentAttributes; capturesOnDispatch: boolean },
): Promise<PlacedShipment> {
  const { id } = locked.shipment;
  const cause = causeFrom(ctx, 'ship');
  await applyShipmentAttributes(tx, locked, attributes, tellOrders(ctx, tx));
  const { order, shipment } = placedIn(await updateOrder(tx, locked.order, cause), id);
  const isPaid = capturesOnDispatch && missingForDispatch(order, shipment, toAmount(shipment.cost)) === ZERO;
  const ending = await performOnShipment(tx, 'ship', {
    order,
    shipment,
    at: ctx.now(),
    cause,
    isPaidOnDispatch: isPaid,
  });
  throwShipmentRefusal(ending);
  return ending.ended === 'unchanged'
    ? { order, shipment }
    : placedIn(await updateOrder(tx, order, cause), id);
}
