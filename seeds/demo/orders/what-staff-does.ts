import { subtract, toAmount, toDecimal, ZERO } from '../../../src/platform/money';
import { approveOrder, cancelOrder } from '../../../src/sales/orders/order-events.service';
import { PaymentCreate } from '../../../src/sales/payments/payments.schema';
import {
  actOnPayment,
  createPayment,
  type PaymentAction,
} from '../../../src/sales/payments/payments.service';
import {
  ReturnAuthorizationCreate,
  type ReturnAuthorizationAttributes,
} from '../../../src/sales/return-authorizations/return-authorizations.schema';
import {
  addReturnedGoods,
  createReturnAuthorization,
  receiveReturn,
} from '../../../src/sales/return-authorizations/return-authorizations.service';
import { shipShipment } from '../../../src/sales/shipments/dispatch.service';
import { ShipmentUpdate } from '../../../src/sales/shipments/shipments.schema';
import { transferToLocation } from '../../../src/sales/shipments/transfers.service';
import type { Ending } from './stories';
import { ctxOf, endChapter, orderNow, type Telling } from './telling';

type Chapter = (telling: Telling) => Promise<void>;

/** What becomes of a completed order, by how its story ends. */
const CHAPTERS: Partial<Record<Ending, readonly Chapter[]>> = {
  paid: [capture],
  shipped: [capture, ship],
  partial: [split, capture, shipFirst],
  backordered: [capture],
  canceled: [cancel],
  awaiting_return: [capture, ship, authorizeReturn],
  returned: [capture, ship, authorizeReturn, receiveAndPayBack],
  credited: [capture, ship, giveBackFive],
  approved: [approve, capture, ship],
};

/** Tells how staff deals with a completed order. */
export async function afterwards(telling: Telling): Promise<void> {
  for (const chapter of CHAPTERS[telling.story.ending] ?? []) await chapter(telling);
}

async function approve(telling: Telling): Promise<void> {
  await approveOrder(ctxOf(telling, telling.staff, 0.3), telling.story.number);
  await endChapter(telling, 0.3);
}

/** Takes all that was authorized or promised. */
async function capture(telling: Telling): Promise<void> {
  const { payments } = await orderNow(telling);
  for (const { id, state } of payments) {
    if (state === 'pending' || state === 'checkout') await onPayment(telling, id, { event: 'capture' }, 0.8);
  }
  await endChapter(telling, 0.8);
}

async function onPayment(
  telling: Telling,
  id: number,
  action: PaymentAction,
  daysLater: number,
): Promise<void> {
  const path = { number: telling.story.number, id: String(id) };
  await actOnPayment(ctxOf(telling, telling.staff, daysLater), path, action);
}

async function ship(telling: Telling): Promise<void> {
  const { shipments } = await orderNow(telling);
  for (const shipment of shipments) await dispatch(telling, shipment);
  await endChapter(telling, 1.9);
}

async function shipFirst(telling: Telling): Promise<void> {
  const [first] = (await orderNow(telling)).shipments;
  if (first !== undefined) await dispatch(telling, first);
  await endChapter(telling, 1.9);
}

async function dispatch(telling: Telling, { id, number }: { id: number; number: string }): Promise<void> {
  const tracking = `1Z${String(id).padStart(6, '0')}${number.slice(1, 9)}`;
  const { shipment } = ShipmentUpdate.parse({ shipment: { tracking } });
  await shipShipment(ctxOf(telling, telling.staff, 1.9), number, shipment);
}

/** One unit goes ahead in a parcel of its own, which costs more; a check pays for that. */
async function split(telling: Telling): Promise<void> {
  const { story, methods, stock_location_id } = telling;
  const before = await orderNow(telling);
  const [shipment] = before.shipments;
  const [unit] = shipment?.units ?? [];
  if (shipment === undefined || unit === undefined) return;
  const ctx = ctxOf(telling, telling.staff, 0.5);
  await transferToLocation(ctx, {
    original_shipment_number: shipment.number,
    variant_id: unit.variant_id,
    quantity: 1,
    stock_location_id,
  });
  const more = subtract(toAmount((await orderNow(telling)).total), toAmount(before.total));
  if (more > ZERO) {
    const payment = { payment_method_id: methods.check, amount: toDecimal(more) };
    const entry = PaymentCreate.parse({ payment });
    await createPayment(ctx, story.number, entry.payment);
  }
  await endChapter(telling, 0.5);
}

async function cancel(telling: Telling): Promise<void> {
  await cancelOrder(ctxOf(telling, telling.staff, 0.6), telling.story.number);
  await endChapter(telling, 0.6);
}

async function authorizeReturn(telling: Telling): Promise<void> {
  const { story, order } = telling;
  const ctx = ctxOf(telling, telling.staff, 9);
  const made = await createReturnAuthorization(ctx, story.number, returnOf(telling));
  const path = { number: story.number, id: { name: made.number, id: null } };
  const returned = story.ending === 'returned' ? order.line_items : order.line_items.slice(0, 1);
  for (const { variant_id, quantity } of returned)
    await addReturnedGoods(ctx, path, { variant_id, quantity });
  await endChapter(telling, 9);
}

function returnOf({ order, reason_ids, stock_location_id }: Telling): ReturnAuthorizationAttributes {
  return ReturnAuthorizationCreate.parse({
    return_authorization: {
      stock_location_id,
      return_authorization_reason_id: reason_ids[order.id % reason_ids.length],
      memo: 'Asked for by e-mail.',
    },
  }).return_authorization;
}

async function receiveAndPayBack(telling: Telling): Promise<void> {
  const { deps, story, order } = telling;
  const open = await deps
    .db('return_authorizations')
    .where({ order_id: order.id, state: 'authorized' })
    .select<{ number: string }[]>('number');
  for (const { number } of open) {
    await receiveReturn(ctxOf(telling, telling.staff, 16), {
      number: story.number,
      id: { name: number, id: null },
    });
  }
  await endChapter(telling, 16);
  await credit(telling, {}, 17);
}

async function giveBackFive(telling: Telling): Promise<void> {
  await credit(telling, { amount: '5.00' }, 8);
}

/** Without an amount: what the order owes. */
async function credit(telling: Telling, part: { amount?: string }, daysLater: number): Promise<void> {
  const { payments } = await orderNow(telling);
  const paid = payments.find(({ state }) => state === 'completed');
  if (paid !== undefined) await onPayment(telling, paid.id, { event: 'credit', ...part }, daysLater);
  await endChapter(telling, daysLater);
}
