import { subtract, toAmount, toDecimal, ZERO } from '../../../src/platform/money';
import { approveOrder, cancelOrder } from '../../../src/sales/orders/order-events.service';
import { PaymentCreate } from '../../../src/sales/payments/payments.schema';
import {
  performPaymentAction,
  type PaymentAction,
} from '../../../src/sales/payments/payment-actions.service';
import { createPayment } from '../../../src/sales/payments/payments.service';
import {
  ReturnAuthorizationCreate,
  type ReturnAuthorizationAttributes,
} from '../../../src/sales/return-authorizations/return-authorizations.schema';
import {
  addReturnedItems,
  receiveReturn,
} from '../../../src/sales/return-authorizations/return-authorizations.service';
import { createReturnAuthorization } from '../../../src/sales/return-authorizations/new-returns.service';
import { shipShipment } from '../../../src/sales/shipments/dispatch.service';
import { ShipmentUpdate } from '../../../src/sales/shipments/shipments.schema';
import { transferToLocation } from '../../../src/sales/shipments/transfers.service';
import type { Ending } from './stories';
import { createCtx, loadOrder, setStepTimes, type Replay } from './replay';

type StaffStep = (replay: Replay) => Promise<void>;

/** The steps after completion, by the ending of the story. */
const STAFF_STEPS: Partial<Record<Ending, readonly StaffStep[]>> = {
  paid: [capture],
  shipped: [capture, ship],
  partial: [split, capture, shipFirst],
  backordered: [capture],
  canceled: [cancel],
  awaiting_return: [capture, ship, authorizeReturn],
  returned: [capture, ship, authorizeReturn, receiveAndRefund],
  credited: [capture, ship, refundPart],
  approved: [approve, capture, ship],
};

/** Replays what staff does with a completed order. */
export async function replayStaffSteps(replay: Replay): Promise<void> {
  for (const step of STAFF_STEPS[replay.story.ending] ?? []) await step(replay);
}

async function approve(replay: Replay): Promise<void> {
  await approveOrder(createCtx(replay, replay.staff, 0.3), replay.story.number);
  await setStepTimes(replay, 0.3);
}

/** Captures all authorized payments and checks. */
async function capture(replay: Replay): Promise<void> {
  const { payments } = await loadOrder(replay);
  for (const { id, state } of payments) {
    if (state === 'pending' || state === 'checkout')
      await runPaymentAction(replay, id, { event: 'capture' }, 0.8);
  }
  await setStepTimes(replay, 0.8);
}

async function runPaymentAction(
  replay: Replay,
  id: number,
  action: PaymentAction,
  daysLater: number,
): Promise<void> {
  const path = { number: replay.story.number, id: String(id) };
  await performPaymentAction(createCtx(replay, replay.staff, daysLater), path, action);
}

async function ship(replay: Replay): Promise<void> {
  const { shipments } = await loadOrder(replay);
  for (const shipment of shipments) await dispatch(replay, shipment);
  await setStepTimes(replay, 1.9);
}

async function shipFirst(replay: Replay): Promise<void> {
  const [first] = (await loadOrder(replay)).shipments;
  if (first !== undefined) await dispatch(replay, first);
  await setStepTimes(replay, 1.9);
}

async function dispatch(replay: Replay, { id, number }: { id: number; number: string }): Promise<void> {
  const tracking = `1Z${String(id).padStart(6, '0')}${number.slice(1, 9)}`;
  const { shipment } = ShipmentUpdate.parse({ shipment: { tracking } });
  await shipShipment(createCtx(replay, replay.staff, 1.9), number, shipment);
}

/** Splits one unit into a second shipment. A check pays for the additional shipping cost. */
async function split(replay: Replay): Promise<void> {
  const { story, methods, stock_location_id } = replay;
  const before = await loadOrder(replay);
  const [shipment] = before.shipments;
  const [unit] = shipment?.units ?? [];
  if (shipment === undefined || unit === undefined) return;
  const ctx = createCtx(replay, replay.staff, 0.5);
  await transferToLocation(ctx, {
    original_shipment_number: shipment.number,
    variant_id: unit.variant_id,
    quantity: 1,
    stock_location_id,
  });
  const difference = subtract(toAmount((await loadOrder(replay)).total), toAmount(before.total));
  if (difference > ZERO) {
    const payment = { payment_method_id: methods.check, amount: toDecimal(difference) };
    const entry = PaymentCreate.parse({ payment });
    await createPayment(ctx, story.number, entry.payment);
  }
  await setStepTimes(replay, 0.5);
}

async function cancel(replay: Replay): Promise<void> {
  await cancelOrder(createCtx(replay, replay.staff, 0.6), replay.story.number);
  await setStepTimes(replay, 0.6);
}

async function authorizeReturn(replay: Replay): Promise<void> {
  const { story, order } = replay;
  const ctx = createCtx(replay, replay.staff, 9);
  const { authorization: made } = await createReturnAuthorization(ctx, story.number, {
    attributes: buildReturn(replay),
    items: [],
    receive: false,
    refund: false,
  });
  const path = { number: story.number, id: { name: made.number, id: null } };
  const returned = story.ending === 'returned' ? order.line_items : order.line_items.slice(0, 1);
  for (const { variant_id, quantity } of returned)
    await addReturnedItems(ctx, path, { variant_id, quantity, restock: true });
  await setStepTimes(replay, 9);
}

function buildReturn({ order, reason_ids, stock_location_id }: Replay): ReturnAuthorizationAttributes {
  return ReturnAuthorizationCreate.parse({
    return_authorization: {
      stock_location_id,
      return_authorization_reason_id: reason_ids[order.id % reason_ids.length],
      memo: 'Requested by e-mail.',
    },
  }).return_authorization;
}

async function receiveAndRefund(replay: Replay): Promise<void> {
  const { deps, story, order } = replay;
  const authorized = await deps
    .db('return_authorizations')
    .where({ order_id: order.id, state: 'authorized' })
    .select<{ number: string }[]>('number');
  for (const { number } of authorized) {
    await receiveReturn(createCtx(replay, replay.staff, 16), {
      number: story.number,
      id: { name: number, id: null },
    });
  }
  await setStepTimes(replay, 16);
  await credit(replay, {}, 17);
}

async function refundPart(replay: Replay): Promise<void> {
  await credit(replay, { amount: '5.00' }, 8);
}

/** Credits `part.amount`; defaults to the amount owed to the customer. */
async function credit(replay: Replay, part: { amount?: string }, daysLater: number): Promise<void> {
  const { payments } = await loadOrder(replay);
  const paid = payments.find(({ state }) => state === 'completed');
  if (paid !== undefined) await runPaymentAction(replay, paid.id, { event: 'credit', ...part }, daysLater);
  await setStepTimes(replay, daysLater);
}
