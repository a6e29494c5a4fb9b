import type { Decided } from '../../src/platform/perform';
import { withTransaction } from '../../src/platform/database/transaction';
import { buildAdjustment } from '../../src/sales/pricing/new-adjustment';
import { lockOrder } from '../../src/sales/order/order-lock';
import { generateOrderToken, deriveOrderToken } from '../../src/sales/order/order-token';
import { createDraft, patchDraft } from '../../src/sales/order-updater/order-draft';
import { saveRecalculated } from '../../src/sales/order-updater/order-updater';
import { insertOrder } from '../../src/sales/order/new-orders.repository';
import type { PaymentState } from '../../src/sales/order/payment.machine';
import { asAdmin } from './accounts.factory';
import { testApp } from './api';
import { testDb } from './database';
import { DECLINED_CARD, GOOD_CARD, getPaymentMethodId } from './orders.factory';

export interface PayableOrder {
  id: number;
  number: string;
  /** The order token. */
  token: string;
}

/**
 * Creates an order with the total `total` and without line items: one adjustment of the order. Payments need
 * nothing else of an order.
 */
export async function anOrderOf(
  total: string,
  attributes: { user_id?: number; state?: 'cart' | 'complete' | 'canceled' } = {},
): Promise<PayableOrder> {
  const { user_id = null, state = 'cart' } = attributes;
  const { deps } = testApp();
  return withTransaction(deps, async (tx) => {
    const order = await insertOrder(
      tx,
      {
        ...generateOrderToken(deps.secret),
        user_id,
        email: 'ann@example.com',
        currency: 'USD',
      },
      { user_id: null, reason: 'test' },
    );
    const orderWide = { source_type: null, source_id: null, line_item_id: null, shipment_id: null };
    const draft = createDraft(await lockOrder(tx, { id: order.id }));
    const goods = buildAdjustment(draft.order, { ...orderWide, amount: total, label: 'Goods', closed: true });
    const cause = { user_id: null, reason: 'test' };
    // Directly, because no transition leads an order without lines to this state.
    const completed =
      state === 'cart' ? {} : { state: state as Decided<typeof state>, completed_at: deps.now() };
    const changed = { ...draft, order: { ...draft.order, adjustments: [goods] } };
    await saveRecalculated(tx, patchDraft(changed, completed, cause), cause);
    return { id: order.id, number: order.number, token: deriveOrderToken(deps.secret, order.token_seed) };
  });
}

/** Creates a payment as an admin, with a card of the order's user. @returns the body of the reply */
export async function aCardPayment(order: PayableOrder, attributes: object = {}): Promise<any> {
  const payment = {
    payment_method_id: await getPaymentMethodId('Credit Card'),
    source_attributes: GOOD_CARD,
    ...attributes,
  };
  const reply = await (await asAdmin()).post(`/orders/${order.number}/payments`, { payment });
  expect(reply.status).toBe(201);
  return reply.body;
}

/** The events that take a new card payment to a state. */
const ACTIONS_TO_REACH: Record<
  Exclude<PaymentState, 'processing' | 'failed' | 'invalid'>,
  readonly string[]
> = {
  checkout: [],
  pending: ['authorize'],
  completed: ['purchase'],
  void: ['authorize', 'void'],
};

/** Creates a card payment in that state through the API. @returns its path */
export async function aPaymentIn(
  state: Exclude<PaymentState, 'processing'>,
  order: PayableOrder,
): Promise<string> {
  const card = state === 'failed' ? DECLINED_CARD : GOOD_CARD;
  const path = `/orders/${order.number}/payments/${(await aCardPayment(order, { source_attributes: card })).id}`;
  const admin = await asAdmin();
  if (state === 'invalid') await aCardPayment(order);
  else if (state === 'failed') expect((await admin.put(`${path}/authorize`)).status).toBe(422);
  else
    for (const action of ACTIONS_TO_REACH[state])
      expect((await admin.put(`${path}/${action}`)).status).toBe(200);
  return path;
}

/** Creates a check payment in checkout. @returns its path */
export async function aCheckPayment(order: PayableOrder): Promise<string> {
  const body = await aCardPayment(order, { payment_method_id: await getPaymentMethodId('Check') });
  return `/orders/${order.number}/payments/${body.id}`;
}

/** Returns the payment state and total of an order. */
export async function getPaymentTotals(order: PayableOrder): Promise<Record<string, unknown>> {
  return testDb()('orders').where({ id: order.id }).first('payment_state', 'payment_total');
}

/** Makes all started operations this old. Their claims expire. */
export async function ageOperations(minutes: number): Promise<void> {
  const time = testDb().raw('now() - make_interval(mins => ?)', [minutes]);
  await testDb()('payment_operations')
    .where({ state: 'started' })
    .update({ started_at: time, claimed_until: time });
}

/** Expires the claims of all started operations, as they do some seconds after a process was killed. */
export async function expireClaims(): Promise<void> {
  await testDb()('payment_operations')
    .where({ state: 'started' })
    .update({ claimed_until: testDb().raw("now() - interval '1 second'") });
}
