import { recorders } from '../../../src/sales/payments/recorders';
import { withTransaction } from '../../../src/platform/database/transaction';
import type { Decided } from '../../../src/platform/perform';
import { subtract, toAmount, toDecimal } from '../../../src/platform/money';
import { lockOrder } from '../../../src/sales/order/order-lock';
import { createDraft, patchDraft } from '../../../src/sales/order-updater/order-draft';
import { saveRecalculated } from '../../../src/sales/order-updater/order-updater';
import {
  processCancellations,
  startCancellations,
} from '../../../src/sales/payment-processing/cancel-payments';
import { settleInterruptedPayments } from '../../../src/sales/payment-processing/settle-interrupted-payments.job';
import type { GatewayRegistry } from '../../../src/sales/payment-processing/gateways/registry';
import { anAdmin } from '../../support/accounts.factory';
import { api, makeTestApp, testApp } from '../../support/api';
import { testDb } from '../../support/database';
import { buildBogusGateway, buildIdempotentGateway } from '../../support/gateways';
import { buildPaymentBody, getPaymentMethodId, orderInState } from '../../support/orders.factory';
import {
  aCardPayment,
  aCheckPayment,
  anOrderOf,
  aPaymentIn,
  expireClaims,
  getPaymentTotals,
  type PayableOrder,
} from '../../support/payments.factory';

describe('at completion', () => {
  const setAutoCapture = async (settings: { method?: boolean | null; store?: boolean }): Promise<void> => {
    const { method = null, store = false } = settings;
    await testDb()('payment_methods').update({ auto_capture: method });
    await testDb()('stores').where({ is_default: true }).update({ auto_capture: store });
  };
  afterEach(() => setAutoCapture({}));

  test.each([
    [{}, 'pending', 'balance_due'],
    [{ store: true }, 'completed', 'paid'],
    [{ method: true }, 'completed', 'paid'],
    [{ method: false, store: true }, 'pending', 'balance_due'],
  ] as const)('with auto_capture %j a card payment is %s', async (settings, state, payment_state) => {
    await setAutoCapture(settings);
    const order = await orderInState('complete');
    expect(order).toMatchObject({
      state: 'complete',
      payment_state,
      payments: [{ state, amount: order.total }],
    });
  });

  test('a check payment stays in checkout', async () => {
    const order = await orderInState('complete', { method: 'Check' });
    expect(order).toMatchObject({
      payment_state: 'balance_due',
      payments: [{ state: 'checkout', source: null }],
    });
  });

  test('the default amount of a payment excludes one that an admin authorized before', async () => {
    const order = await orderInState('payment');
    const admin = api(await anAdmin());
    const base = `/orders/${order.number}/payments`;
    const payment = { payment_method_id: await getPaymentMethodId('Check'), amount: '10' };
    const { id } = (await admin.post(base, { payment })).body;
    await admin.put(`${base}/${id}/authorize`);
    const shopper = api({ orderToken: order.token });
    const rest = await shopper.post(base, { payment: { payment_method_id: payment.payment_method_id } });
    expect(rest.body.amount).toBe(toDecimal(subtract(toAmount(order.total), toAmount('10'))));
  });

  test('an explicit amount is kept, and the rest is a balance due', async () => {
    const order = await orderInState('payment');
    await aCardPayment(order, { amount: '7' });
    const shopper = api({ orderToken: order.token });
    await shopper.put(`/checkouts/${order.number}`);
    const done = await shopper.put(`/checkouts/${order.number}`);
    expect(done.body).toMatchObject({
      state: 'complete',
      payment_state: 'balance_due',
      payments: [{ state: 'pending', amount: '7.0' }],
    });
  });

  test('an order has at most 100 payments', async () => {
    const order = await orderInState('payment');
    const shopper = api({ orderToken: order.token });
    const add = async () =>
      shopper.post(`/orders/${order.number}/payments`, {
        payment: { payment_method_id: await getPaymentMethodId('Check') },
      });
    expect((await add()).status).toBe(201);
    await testDb().raw(
      `INSERT INTO payments (order_id, payment_method_id, number, amount, state)
       SELECT order_id, payment_method_id, 'P' || 7000000 + copy, amount, 'invalid'
         FROM payments, generate_series(1, 98) AS copy WHERE order_id = ?`,
      [order.id],
    );
    expect((await add()).status).toBe(201);
    const refused = await add();
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { base: ['An order has at most 100 payments.'] },
    ]);
    const read = await shopper.get(`/orders/${order.number}`);
    expect(read.body.payments).toHaveLength(100);
  });

  test('a declined payment keeps its amount when the order changes, and the next one pays the new total', async () => {
    const order = await orderInState('payment');
    await aPaymentIn('failed', order);
    const shopper = api({ orderToken: order.token });
    await shopper.put(`/checkouts/${order.number}`, await buildPaymentBody());
    const [line] = order.line_items;
    await shopper.put(`/orders/${order.number}/line_items/${line.id}`, { line_item: { quantity: 3 } });
    const { body } = await shopper.put(`/checkouts/${order.number}/advance`);
    expect(toAmount(body.total) > toAmount(order.total)).toBe(true);
    expect(body.payments.map((payment: any) => [payment.state, payment.amount])).toEqual([
      ['failed', order.total],
      ['pending', body.total],
    ]);
  });

  test('a card payment without a card cannot complete an order', async () => {
    const order = await orderInState('payment');
    await aCardPayment(order, { source_attributes: undefined });
    const shopper = api({ orderToken: order.token });
    await shopper.put(`/checkouts/${order.number}`);
    const refused = await shopper.put(`/checkouts/${order.number}`);
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toEqual({
      base: ['Payment could not be processed, please check the details you entered'],
    });
    const shown = (await shopper.get(`/orders/${order.number}`)).body;
    expect(shown).toMatchObject({ state: 'confirm', payments: [{ state: 'checkout' }] });
  });
});

describe('cancellation of the order', () => {
  /** Cancels the payments of an order as the cancellation of an order does. */
  async function cancel(order: PayableOrder, gateways?: GatewayRegistry): Promise<void> {
    const { deps } = gateways === undefined ? testApp() : makeTestApp({ gateways });
    const cause = { user_id: null, reason: 'order cancel' };
    const operations = await withTransaction(deps, async (tx) => {
      const locked = await lockOrder(tx, { id: order.id }, { whilePaid: true });
      const { draft, requests } = await startCancellations(tx, createDraft(locked), cause);
      // Without the machine, because the order has no shipments to restock.
      const canceled = patchDraft(draft, { state: 'canceled' as Decided<'canceled'> }, cause);
      await saveRecalculated(tx, canceled, cause);
      return requests;
    });
    await processCancellations(deps, operations);
  }

  const listPayments = async (order: PayableOrder): Promise<[string, string][]> =>
    (await api(await anAdmin()).get(`/orders/${order.number}/payments`)).body.payments.map((payment: any) => [
      payment.state,
      payment.amount,
    ]);

  test('voids captured and authorized payments and leaves those in checkout', async () => {
    const order = await anOrderOf('30', { state: 'complete' });
    await aPaymentIn('completed', order);
    await aPaymentIn('pending', order);
    await aPaymentIn('failed', order);
    await aCheckPayment(order);
    const { gateways, ledger } = buildIdempotentGateway();
    await cancel(order, gateways);
    expect((await listPayments(order)).map(([state]) => state)).toEqual([
      'void',
      'void',
      'failed',
      'checkout',
    ]);
    expect(ledger.requests).toHaveLength(2);
    expect(await getPaymentTotals(order)).toEqual({ payment_state: 'void', payment_total: '0.00' });
  });

  test('credits only the rest of a partly refunded payment, for the reason of the cancellation', async () => {
    const order = await anOrderOf('30', { state: 'complete' });
    const path = await aPaymentIn('completed', order);
    await api(await anAdmin()).put(`${path}/credit?amount=12.34`);
    const { gateways, ledger } = buildIdempotentGateway();
    await cancel(order, gateways);
    expect([...ledger.moved.values()]).toEqual([1766n]);
    expect(await listPayments(order)).toEqual([['completed', '30.0']]);
    expect((await api(await anAdmin()).get(path)).body.refunds).toMatchObject([
      { amount: '12.34', reason: null },
      { amount: '17.66', reason: 'order cancel' },
    ]);
    expect(await getPaymentTotals(order)).toEqual({ payment_state: 'void', payment_total: '0.00' });
  });

  test('leaves a fully refunded payment unchanged', async () => {
    const order = await anOrderOf('30', { state: 'complete' });
    const path = await aPaymentIn('completed', order);
    await api(await anAdmin()).put(`${path}/credit?amount=30`);
    const { gateways, ledger } = buildIdempotentGateway();
    await cancel(order, gateways);
    expect(ledger.requests).toEqual([]);
    expect(await listPayments(order)).toEqual([['completed', '30.0']]);
  });

  test('a declined void leaves a credit owed, an unreachable gateway an interrupted operation', async () => {
    const [refused, open] = [
      await anOrderOf('30', { state: 'complete' }),
      await anOrderOf('30', { state: 'complete' }),
    ];
    await aPaymentIn('completed', refused);
    await aPaymentIn('completed', open);
    const no = {
      approved: false,
      response_code: null,
      avs_response: null,
      cvv_response: null,
      message: 'No',
    } as const;
    await cancel(refused, buildBogusGateway({ void: () => Promise.resolve(no) }));
    expect(await listPayments(refused)).toEqual([['completed', '30.0']]);
    expect(await getPaymentTotals(refused)).toEqual({ payment_state: 'credit_owed', payment_total: '30.00' });

    await cancel(open, buildBogusGateway({ void: () => Promise.reject(new Error('hung up')) }));
    expect(await listPayments(open)).toEqual([['processing', '30.0']]);
    expect(await getPaymentTotals(open)).toEqual({ payment_state: 'credit_owed', payment_total: '30.00' });

    await expireClaims();
    await settleInterruptedPayments(testApp().deps, recorders);
    expect(await listPayments(open)).toEqual([['void', '30.0']]);
    expect(await getPaymentTotals(open)).toEqual({ payment_state: 'void', payment_total: '0.00' });
  });
});
