import { findDefaultStore } from '../../accounts/stores/stores.repository';
import type { Ctx } from '../context';
import { GatewayFailed } from '../../errors/errors';
import { Refused } from '../../platform/errors';
import type { Tx } from '../../platform/database/transaction';
import { toAmount, toDecimal, ZERO, type Amount } from '../../platform/money';
import { isRefused } from '../../platform/state-machine';
import { shipUnits } from '../fulfilment/inventory-units.repository';
import type { OrderGraph, ShipmentGraph } from '../order/order-graph';
import { updateOrder } from '../order-updater/order-updater';
import type { Cause } from '../order/state-changes.repository';
import type { PaymentQuestion } from '../payment-processing/payment-operations.repository';
import {
  askAndRecord,
  decidePayment,
  startOperation,
  type Start,
} from '../payment-processing/payment-processing';
import { lockPayments } from '../payment-processing/payments.repository';
import { settledTransaction } from '../payment-processing/when-settled';
import { capturesFor, missingForDispatch } from '../fulfilment/dispatch-cover';
import { noteShipped } from '../fulfilment/ship-emptied';
import { applyShipmentAttributes, leavingBy } from './shipment-attributes';
import { lockShipment, type LockedShipment } from '../fulfilment/shipment-lock';
import { waitsOnlyForMoney, type ShipmentEffect } from '../order/shipment.machine';
import type { ShipmentAttributes } from './shipments.schema';
import { causeFrom, decideShipment, placedIn, shipmentFacts, type PlacedShipment } from './shipments.service';
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
    const result = await settledTransaction(ctx, (tx) => shipOrAsk(tx, ctx, number, attributes));
    if ('shipment' in result) return result;
    const { outcome } = await askAndRecord(ctx, result.ask);
    if (!outcome.approved) throw new GatewayFailed(outcome.message);
  }
}

/** Ships, or starts the next capture that must come before. */
async function shipOrAsk(
  tx: Tx,
  ctx: Ctx,
  number: string,
  attributes: ShipmentAttributes,
): Promise<PlacedShipment | { ask: PaymentQuestion }> {
  const locked = await lockShipment(tx, number, leavingBy(attributes));
  const capturesOnDispatch = await waitsForCapture(tx, locked);
  if (capturesOnDispatch) {
    const missing = missingForDispatch(locked.order, locked.shipment, costToBe(locked.shipment, attributes));
    if (missing > ZERO) return { ask: await startCapture(tx, ctx, locked.order, missing) };
  }
  return ship(tx, ctx, locked, { attributes, capturesOnDispatch });
}

async function waitsForCapture(tx: Tx, placed: PlacedShipment): Promise<boolean> {
  if (placed.shipment.state !== 'pending' || !waitsOnlyForMoney(shipmentFacts(placed))) return false;
  return (await findDefaultStore(tx))?.auto_capture_on_dispatch === true;
}

/** A rate chosen along with the request counts already. */
function costToBe(shipment: ShipmentGraph, { selected_shipping_rate_id }: ShipmentAttributes): Amount {
  const chosen = shipment.rates.find((rate) => rate.id === selected_shipping_rate_id);
  return toAmount(chosen?.cost ?? shipment.cost);
}

/** One capture at a time: each answer is recorded before it is decided what else is missing. */
async function startCapture(tx: Tx, ctx: Ctx, order: OrderGraph, missing: Amount): Promise<PaymentQuestion> {
  const payments = await lockPayments(tx, order.id);
  const authorized = payments.filter(({ state }) => state === 'pending');
  const [next] = capturesFor(missing, authorized) ?? [];
  if (next === undefined) throw new Refused('Cannot ship shipment.');
  const decision = decidePayment(next.payment, 'capture', order);
  if (isRefused(decision) || decision.calls === null) throw new Refused('Cannot ship shipment.');
  const start: Start = {
    payment: next.payment,
    event: 'capture',
    kind: decision.calls,
    through: decision.through,
    amount: toDecimal(next.amount),
  };
  const cause = causeFrom(ctx, 'ship');
  return startOperation(tx, start, { ...cause, purpose: 'payment' });
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
  const { then } = decideShipment({ order, shipment }, 'ship', isPaid);
  if (then.length === 0) return { order, shipment };
  for (const effect of then) await effects[effect]({ tx, shipment, at: ctx.now(), cause });
  return placedIn(await updateOrder(tx, order, cause), id);
}

interface Dispatch {
  tx: Tx;
  shipment: ShipmentGraph;
  at: Date;
  cause: Cause;
}

const effects: Record<ShipmentEffect, (dispatch: Dispatch) => Promise<void>> = {
  ship_units: ({ tx, shipment }) => shipUnits(tx, shipment.id),
  stamp_shipped_at: ({ tx, shipment, at, cause }) => noteShipped(tx, shipment, { at, cause }),
};
