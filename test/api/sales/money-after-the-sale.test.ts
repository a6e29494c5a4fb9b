import { bogusGateway } from '../../../src/sales/payment-processing/gateways/bogus';
import type { GatewayResult, VoidScope } from '../../../src/sales/payment-processing/gateways/gateway';
import { aCustomer, anAdmin, asAdmin } from '../../support/accounts.factory';
import { subtract, toAmount } from '../../../src/platform/money';
import { api, makeTestApp } from '../../support/api';
import { testDb } from '../../support/database';
import { buildBogusGateway } from '../../support/gateways';
import { getPaymentMethodId, orderInState } from '../../support/orders.factory';
import { aPaidOrder } from '../../support/shipments.factory';
import { invalid } from '../../support/error-bodies';
import {
  aCardPayment,
  aCheckPayment,
  anOrderOf,
  aPaymentIn,
  getPaymentTotals,
} from '../../support/payments.factory';
import type { PayableOrder } from '../../support/payments.factory';

const buildGatewayError = (message: string) => ({
  error: `There was a problem with the payment gateway: ${message}`,
});

/** Changes the total of an order, as a later change of its contents does. */
async function setTotal(order: PayableOrder, total: string): Promise<void> {
  await testDb()('adjustments').where({ order_id: order.id }).update({ amount: total });
  await testDb()('orders').where({ id: order.id }).update({ total, adjustment_total: total });
}

const listPayments = async (order: PayableOrder): Promise<[string, string][]> =>
  (await (await asAdmin()).get(`/orders/${order.number}/payments`)).body.payments.map((payment: any) => [
    payment.state,
    payment.amount,
  ]);

describe('the ceiling of an authorized payment', () => {
  test('PUT lowers the amount and the ceiling, and never raises them', async () => {
    const order = await anOrderOf('15', { state: 'complete' });
    const path = await aPaymentIn('pending', order);
    const admin = api(await anAdmin());
    const raised = await admin.put(path, { payment: { amount: '5000' } });
    expect([raised.status, raised.body]).toEqual([
      422,
      invalid({ amount: ['must be less than or equal to 15.0'] }),
    ]);
    expect((await admin.put(path, { payment: { amount: '15' } })).status).toBe(200);
    expect((await admin.put(path, { payment: { amount: '9' } })).body.amount).toBe('9.0');
    expect((await admin.put(path, { payment: { amount: '9.01' } })).status).toBe(422);

    const over = await admin.put(`${path}/capture?amount=9.01`);
    expect([over.status, over.body]).toEqual([422, buildGatewayError('cannot capture more than 9.0')]);
    expect((await admin.put(`${path}/capture`)).body).toMatchObject({ state: 'completed', amount: '9.0' });
    expect(await listPayments(order)).toEqual([['completed', '9.0']]);
  });

  test('is kept in the database', async () => {
    const order = await anOrderOf('15', { state: 'complete' });
    await aPaymentIn('pending', order);
    const raise = testDb()('payments').where({ order_id: order.id }).update({ amount: '15.01' });
    await expect(raise).rejects.toMatchObject({ constraint: 'payments_amount_within_authorization' });
  });

  test('the rest of a partial capture has its own', async () => {
    const order = await anOrderOf('15', { state: 'complete' });
    const path = await aPaymentIn('pending', order);
    await (await asAdmin()).put(`${path}/capture?amount=4`);
    const rows = await testDb()('payments').where({ order_id: order.id }).orderBy('id');
    expect(rows).toMatchObject([
      { authorized_amount: '4.00', authorized_payment_id: null },
      { authorized_amount: '11.00', authorized_payment_id: rows[0].id },
    ]);
  });
});

describe('a capture without an amount', () => {
  test('takes what an order that became smaller owes; the rest stays pending', async () => {
    const order = await anOrderOf('50', { state: 'complete' });
    const path = await aPaymentIn('pending', order);
    await setTotal(order, '30');
    const admin = api(await anAdmin());

    expect((await admin.put(`${path}/capture`)).body).toMatchObject({ state: 'completed', amount: '30.0' });

    expect(await listPayments(order)).toEqual([
      ['completed', '30.0'],
      ['pending', '20.0'],
    ]);
    expect(await getPaymentTotals(order)).toEqual({ payment_state: 'paid', payment_total: '30.00' });
    const rest = (await admin.get(`/orders/${order.number}/payments`)).body.payments[1];
    const again = await admin.put(`/orders/${order.number}/payments/${rest.id}/capture`);
    expect([again.status, again.body]).toEqual([422, invalid({ amount: ["can't be blank"] })]);
    expect((await listPayments(order))[1]).toEqual(['pending', '20.0']);
  });

  test('takes at most the authorized amount', async () => {
    const order = await anOrderOf('50', { state: 'complete' });
    const path = await aPaymentIn('pending', order);
    await setTotal(order, '80');
    await (await asAdmin()).put(`${path}/capture`);
    expect(await listPayments(order)).toEqual([['completed', '50.0']]);
  });

  test('takes the whole of a payment with an amount of its own, and of an incomplete order', async () => {
    const order = await anOrderOf('50', { state: 'complete' });
    const { id } = await aCardPayment(order, { amount: '60' });
    const path = `/orders/${order.number}/payments/${id}`;
    await (await asAdmin()).put(`${path}/authorize`);
    expect((await (await asAdmin()).put(`${path}/capture`)).body.amount).toBe('60.0');

    const cart = await anOrderOf('50');
    const entered = await aPaymentIn('pending', cart);
    await setTotal(cart, '30');
    expect((await (await asAdmin()).put(`${entered}/capture`)).body.amount).toBe('50.0');
  });

  test('takes of a check what is owed', async () => {
    const order = await anOrderOf('50', { state: 'complete' });
    const path = await aCheckPayment(order);
    await setTotal(order, '30');
    expect((await (await asAdmin()).put(`${path}/capture`)).body.amount).toBe('30.0');
  });
});

test('a purchase by card for more than a complete order owes returns 422', async () => {
  const order = await anOrderOf('17.40', { state: 'complete' });
  await aPaymentIn('completed', order);
  const admin = api(await anAdmin());
  const { id } = await aCardPayment(order, { amount: '500' });
  const path = `/orders/${order.number}/payments/${id}`;
  const refusal = [422, invalid({ amount: ['must be less than or equal to 0.0'] })];
  const entered = await admin.put(`${path}/purchase`);
  expect([entered.status, entered.body]).toEqual(refusal);
  await admin.put(`${path}/authorize`);
  const authorized = await admin.put(`${path}/purchase`);
  expect([authorized.status, authorized.body]).toEqual(refusal);
  expect((await listPayments(order))[1]).toEqual(['pending', '500.0']);
});

test('a new payment makes an order with a failed one balance_due', async () => {
  const order = await anOrderOf('10', { state: 'complete' });
  await aPaymentIn('failed', order);
  expect(await getPaymentTotals(order)).toMatchObject({ payment_state: 'failed' });
  const payments = [{ payment_method_id: await getPaymentMethodId('Check') }];
  const reply = await (await asAdmin()).put(`/orders/${order.number}`, { order: { payments } });
  expect([reply.status, reply.body.payment_state]).toEqual([200, 'balance_due']);
});

test('a purchase by card may be more than an open order costs so far', async () => {
  const order = await anOrderOf('17.40');
  const { id } = await aCardPayment(order, { amount: '20' });
  expect((await (await asAdmin()).put(`/orders/${order.number}/payments/${id}/purchase`)).status).toBe(200);
  expect(await listPayments(order)).toEqual([['completed', '20.0']]);
});

describe('refunds', () => {
  test('are shown in their payment, and listed for all who may read the order', async () => {
    const owner = await aCustomer();
    const order = await anOrderOf('30', { state: 'complete', user_id: owner.id });
    const path = await aPaymentIn('completed', order);
    const admin = await anAdmin();
    expect((await api(admin).get(path)).body).toMatchObject({ credit_allowed: '30.0', refunds: [] });
    const reply = await api(admin).put(`${path}/credit`, { amount: '10', reason: ' Damaged in transit ' });
    await api(admin).put(`${path}/credit?amount=2.5`);

    const first = {
      id: expect.any(Number),
      amount: '10.0',
      reason: 'Damaged in transit',
      user_id: admin.id,
      created_at: expect.stringMatching(/Z$/),
    };
    expect(reply.body).toMatchObject({ state: 'completed', amount: '30.0', credit_allowed: '20.0' });
    expect(reply.body.refunds).toEqual([first]);
    const refunds = [first, { ...first, amount: '2.5', reason: null }];
    for (const caller of [owner, { orderToken: order.token }, admin]) {
      const listed = await api(caller).get(`/orders/${order.number}/refunds`);
      expect(listed.status).toBe(200);
      expect(listed.body).toMatchObject({ count: 2, current_page: 1, pages: 1 });
      const payment_id = reply.body.id;
      expect(listed.body.refunds).toEqual(refunds.map((refund) => ({ ...refund, payment_id })));
      const shown = (await api(caller).get(`/orders/${order.number}`)).body.payments[0];
      expect(shown).toMatchObject({ credit_allowed: '17.5', refunds });
    }
    expect((await api(await aCustomer()).get(`/orders/${order.number}/refunds`)).status).toBe(401);
    expect((await api().get('/orders/R000/refunds')).status).toBe(404);
  });

  test('each have a row in the history, with amount and reason', async () => {
    const order = await anOrderOf('30', { state: 'complete' });
    const path = await aPaymentIn('completed', order);
    const admin = await anAdmin();
    await api(admin).put(`${path}/credit`, { amount: '10', reason: 'Late' });
    await api(admin).put(`${path}/credit?amount=2.5`);
    const { state_changes } = (await api(admin).get(`/orders/${order.number}/history`)).body;
    const refunds = state_changes.filter(({ reason }: { reason: string }) => reason.includes('refund of'));
    expect(refunds).toMatchObject([
      { subject_type: 'payment', reason: 'payment credit: refund of 10.0, Late', user: { id: admin.id } },
      { subject_type: 'payment', reason: 'payment credit: refund of 2.5' },
    ]);
  });

  test('a repeated credit refunds what is owed once', async () => {
    const order = await anOrderOf('50', { state: 'complete' });
    const path = await aPaymentIn('completed', order);
    await setTotal(order, '20');
    const admin = api(await anAdmin());
    expect((await admin.put(`${path}/credit`)).body.credit_allowed).toBe('20.0');
    const again = await admin.put(`${path}/credit`);
    expect([again.status, again.body]).toEqual([422, invalid({ amount: ["can't be blank"] })]);
    expect(await getPaymentTotals(order)).toEqual({ payment_state: 'paid', payment_total: '20.00' });
  });

  test('of a payment that is not completed exceed its limit, also without an amount', async () => {
    const path = await aPaymentIn('pending', await anOrderOf('50', { state: 'complete' }));
    const reply = await (await asAdmin()).put(`${path}/credit`);
    expect([reply.status, reply.body.error]).toEqual([
      422,
      expect.stringContaining('only be credited up to 0.0'),
    ]);
  });

  test('refuse a reason that cannot be stored', async () => {
    const path = await aPaymentIn('completed', await anOrderOf('50', { state: 'complete' }));
    const reply = await (await asAdmin()).put(`${path}/credit`, { amount: '1', reason: 'x'.repeat(1001) });
    expect(reply.status).toBe(422);
    expect((await (await asAdmin()).get(path)).body.refunds).toEqual([]);
  });
});

describe('canceling and emptying', () => {
  const SETTLED: GatewayResult = {
    approved: false,
    response_code: null,
    avs_response: null,
    cvv_response: null,
    message: 'settled',
    is_settled: true,
  };

  /** A gateway that records its requests, and whose captures of `settled` cents can no longer be voided. */
  function buildSettlingGateway(settled: readonly bigint[]) {
    const calls: [string, bigint][] = [];
    const scopes: VoidScope[] = [];
    const approved: GatewayResult = {
      approved: true,
      response_code: '12345',
      avs_response: null,
      cvv_response: null,
      message: 'ok',
    };
    const gateways = buildBogusGateway({
      void: ({ amount, scope }) => {
        calls.push(['void', amount]);
        scopes.push(scope);
        return Promise.resolve(settled.includes(amount) ? SETTLED : approved);
      },
      credit: ({ amount }) => {
        calls.push(['credit', amount]);
        return Promise.resolve(approved);
      },
    });
    return { calls, scopes, app: makeTestApp({ gateways }) };
  }

  /** Captures ten dollars of the payment of a new order; the rest stays authorized. */
  async function aPartlyCapturedOrder(): Promise<{ order: any; rest: bigint }> {
    const order = await orderInState('complete');
    const path = `/orders/${order.number}/payments/${order.payments[0].id}/capture?amount=10`;
    expect((await (await asAdmin()).put(path)).status).toBe(200);
    return { order, rest: subtract(toAmount(order.total), toAmount('10')) };
  }

  const readOrder = async (order: any) => (await (await asAdmin()).get(`/orders/${order.number}`)).body;

  test('a settled payment is credited in full', async () => {
    const order = await aPaidOrder();
    const total = toAmount(order.total);
    const { calls, app } = buildSettlingGateway([total]);
    const reply = await api(await anAdmin(), app).put(`/orders/${order.number}/cancel`);
    expect(reply.body).toMatchObject({ state: 'canceled', payment_state: 'void', payment_total: '0.0' });
    expect(calls).toEqual([
      ['void', total],
      ['credit', total],
    ]);
    expect((await readOrder(order)).payments).toMatchObject([
      {
        state: 'completed',
        credit_allowed: '0.0',
        refunds: [{ amount: order.total, reason: 'order cancel' }],
      },
    ]);
  });

  test('one authorization is voided once, with everything captured under it', async () => {
    const { order } = await aPartlyCapturedOrder();
    const { calls, scopes, app } = buildSettlingGateway([]);
    await api(await anAdmin(), app).put(`/orders/${order.number}/cancel`);
    expect([calls, scopes]).toEqual([[['void', 1000n]], ['sale']]);
    expect(await readOrder(order)).toMatchObject({
      payment_state: 'void',
      payments: [{ state: 'void' }, { state: 'void' }],
    });
  });

  test('after a settled capture is credited, its rest is voided', async () => {
    const { order, rest } = await aPartlyCapturedOrder();
    const { calls, scopes, app } = buildSettlingGateway([1000n]);
    await api(await anAdmin(), app).put(`/orders/${order.number}/cancel`);
    expect(calls).toEqual([
      ['void', 1000n],
      ['credit', 1000n],
      ['void', rest],
    ]);
    expect(scopes).toEqual(['sale', 'remainder']);
    expect(await readOrder(order)).toMatchObject({
      payment_state: 'void',
      payments: [{ state: 'completed', refunds: [{ amount: '10.0' }] }, { state: 'void' }],
    });
  });

  test('after a refund, each capture of an authorization is canceled by itself, and its remainder once', async () => {
    const { order } = await aPartlyCapturedOrder();
    const admin = await asAdmin();
    const path = `/orders/${order.number}/payments`;
    const [first, rest] = (await readOrder(order)).payments;
    expect((await admin.put(`${path}/${rest.id}/capture?amount=5`)).status).toBe(200);
    expect((await admin.put(`${path}/${first.id}/credit?amount=2`)).status).toBe(200);
    const moved: [string, string | null, bigint][] = [];
    const bogus = bogusGateway.connect({});
    const app = makeTestApp({
      gateways: buildBogusGateway({
        void: (request) => {
          moved.push(['void', request.scope, request.amount]);
          return bogus.void(request);
        },
        credit: (request) => {
          moved.push(['credit', null, request.amount]);
          return bogus.credit(request);
        },
      }),
    });
    const canceled = await api(await anAdmin(), app).put(`/orders/${order.number}/cancel`);
    expect(canceled.body).toMatchObject({ state: 'canceled', payment_state: 'void', payment_total: '0.0' });
    const remainder = subtract(toAmount(order.total), toAmount('15'));
    expect(moved.sort()).toEqual([
      ['credit', null, 800n],
      ['void', 'capture', 500n],
      ['void', 'remainder', remainder],
    ]);
    expect((await readOrder(order)).payments).toMatchObject([
      { state: 'completed', credit_allowed: '0.0' },
      { state: 'void' },
      { state: 'void' },
    ]);
  });

  test('after a refund, a declined void of one capture does not keep the others from being canceled', async () => {
    const { order } = await aPartlyCapturedOrder();
    const admin = await asAdmin();
    const path = `/orders/${order.number}/payments`;
    const [, rest] = (await readOrder(order)).payments;
    expect((await admin.put(`${path}/${rest.id}/capture?amount=5`)).status).toBe(200);
    expect((await admin.put(`${path}/${rest.id}/credit?amount=2`)).status).toBe(200);
    const bogus = bogusGateway.connect({});
    const app = makeTestApp({
      gateways: buildBogusGateway({
        void: (request) =>
          request.scope === 'capture'
            ? Promise.resolve({
                approved: false,
                message: 'declined',
                response_code: null,
                avs_response: null,
                cvv_response: null,
              })
            : bogus.void(request),
        credit: (request) => bogus.credit(request),
      }),
    });
    await api(await anAdmin(), app).put(`/orders/${order.number}/cancel`);
    expect(await readOrder(order)).toMatchObject({
      state: 'canceled',
      payment_state: 'credit_owed',
      payment_total: '10.0',
      payments: [
        { state: 'completed', credit_allowed: '10.0' },
        { state: 'completed', credit_allowed: '0.0' },
        { state: 'void' },
      ],
    });
  });

  test('after one settled capture is credited, other captures of the authorization are voided alone', async () => {
    const { order } = await aPartlyCapturedOrder();
    const admin = await asAdmin();
    const [, rest] = (await readOrder(order)).payments;
    const captured = await admin.put(`/orders/${order.number}/payments/${rest.id}/capture?amount=5`);
    expect(captured.status).toBe(200);
    const { calls, scopes, app } = buildSettlingGateway([1000n]);
    await api(await anAdmin(), app).put(`/orders/${order.number}/cancel`);
    const remainder = subtract(toAmount(order.total), toAmount('15'));
    expect(calls).toEqual([
      ['void', 1000n],
      ['credit', 1000n],
      ['void', 500n],
      ['void', remainder],
    ]);
    expect(scopes).toEqual(['sale', 'capture', 'remainder']);
    expect(await readOrder(order)).toMatchObject({ payment_state: 'void', payment_total: '0.0' });
  });

  test('after a settled capture is credited, its rest is voided even if a check paid too', async () => {
    const order = await orderInState('complete');
    const admin = await asAdmin();
    const method = await getPaymentMethodId('Check');
    const check = await aCardPayment(order, { payment_method_id: method, amount: '5' });
    const path = `/orders/${order.number}/payments`;
    expect((await admin.put(`${path}/${check.id}/capture`)).body.state).toBe('completed');
    expect((await admin.put(`${path}/${order.payments[0].id}/capture?amount=10`)).status).toBe(200);
    const { calls, app } = buildSettlingGateway([1000n]);
    await api(await anAdmin(), app).put(`/orders/${order.number}/cancel`);
    const rest = subtract(toAmount(order.total), toAmount('10'));
    expect(calls).toEqual([
      ['void', 1000n],
      ['credit', 1000n],
      ['void', rest],
    ]);
  });

  test('a void names what it ends: the rest of a capture, the capture, or an authorization', async () => {
    const { order } = await aPartlyCapturedOrder();
    const { scopes, app } = buildSettlingGateway([]);
    const admin = api(await anAdmin(), app);
    const [captured, rest] = (await readOrder(order)).payments;
    expect(captured.response_code).toBe(rest.response_code);
    const path = `/orders/${order.number}/payments`;
    expect((await admin.put(`${path}/${rest.id}/void`)).body.state).toBe('void');
    expect((await admin.put(`${path}/${captured.id}/void`)).body.state).toBe('void');
    const authorized = await aPaymentIn('pending', order);
    expect((await admin.put(`${authorized}/void`)).body.state).toBe('void');
    expect(scopes).toEqual(['remainder', 'capture', 'authorization']);
  });

  test('a check that was paid is owed until it is refunded', async () => {
    const order = await orderInState('complete', { method: 'Check' });
    const admin = await asAdmin();
    const path = `/orders/${order.number}/payments/${order.payments[0].id}`;
    await admin.put(`${path}/capture`);
    const canceled = await admin.put(`/orders/${order.number}/cancel`);
    expect(canceled.body).toMatchObject({
      state: 'canceled',
      payment_state: 'credit_owed',
      payments: [{ state: 'completed' }],
    });
    expect((await admin.put(`${path}/credit`)).status).toBe(200);
    expect(await readOrder(order)).toMatchObject({ payment_state: 'void', payment_total: '0.0' });
  });

  test('emptying a complete order voids its authorization', async () => {
    const order = await orderInState('complete');
    const admin = await asAdmin();
    expect((await admin.put(`/orders/${order.number}/empty`)).status).toBe(204);
    expect((await readOrder(order)).payments).toMatchObject([{ state: 'void' }]);
    const path = `/orders/${order.number}/payments/${order.payments[0].id}`;
    expect((await admin.put(`${path}/capture?amount=1`)).status).toBe(422);
  });

  test.each(['empty', 'cancel'])('an authorization that stays after %s cannot be captured', async (event) => {
    const order = await orderInState('complete');
    const declined: GatewayResult = {
      approved: false,
      response_code: null,
      avs_response: null,
      cvv_response: null,
      message: 'No',
    };
    const app = makeTestApp({ gateways: buildBogusGateway({ void: () => Promise.resolve(declined) }) });
    await api(await anAdmin(), app).put(`/orders/${order.number}/${event}`);
    const admin = await asAdmin();
    const path = `/orders/${order.number}/payments/${order.payments[0].id}`;
    for (const action of ['capture', 'capture?amount=1', 'purchase'])
      expect((await admin.put(`${path}/${action}`)).status).toBe(422);
    expect((await readOrder(order)).payments).toMatchObject([{ state: 'pending' }]);
  });
});
