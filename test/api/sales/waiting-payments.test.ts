import { pino, type Logger } from 'pino';
import { signBogusEvent } from '../../../src/sales/payment-processing/gateways/bogus';
import type { GatewayAnswer, GatewayResult } from '../../../src/sales/payment-processing/gateways/gateway';
import { createRateLimits } from '../../../src/platform/rate-limits';
import { findOwnMovements } from '../../../src/sales/payment-processing/movements.repository';
import { settleInterruptedPayments } from '../../../src/sales/payment-processing/settle-interrupted-payments.job';
import { recorders } from '../../../src/sales/payments/recorders';
import { aCustomer, anAdmin, asAdmin } from '../../support/accounts.factory';
import { api, makeTestApp, testApp, type TestApp } from '../../support/api';
import { testDb } from '../../support/database';
import { buildBogusGateway } from '../../support/gateways';
import { expectNoViolations } from '../../support/invariants';
import {
  aSellableVariant,
  getPaymentMethodId,
  GOOD_CARD,
  orderInState,
  showOrder,
} from '../../support/orders.factory';
import {
  aCardPayment,
  ageOperations,
  anOrderOf,
  aPaymentIn,
  expireClaims,
  getPaymentTotals,
} from '../../support/payments.factory';
import { unique } from '../../support/unique';

const ACTION_CARD = { ...GOOD_CARD, number: '4000 0025 0000 3155' };
const PENDING_CARD = { ...GOOD_CARD, number: '4000000000000077' };
const LOSING_CARD = { ...GOOD_CARD, number: '4000000000000341' };

const cents = (total: string): number => Math.round(Number(total) * 100);

/** An order whose payment waits, after the request that would complete it. */
async function aWaitingOrder(card: object = ACTION_CARD) {
  const variant = await aSellableVariant({ stock: 5 });
  const order = await orderInState('confirm', { card, lines: [{ variant_id: variant.id, quantity: 2 }] });
  const shopper = api(order.caller);
  const reply = await shopper.put(`/checkouts/${order.number}/next`);
  const { id, number } = order.payments[0];
  return {
    order,
    shopper,
    variant,
    reply,
    payment: { id, number },
    path: `/orders/${order.number}/payments/${id}`,
  };
}

async function getStock(variant: { id: number }): Promise<number> {
  const row = await testDb()('stock_items').where({ variant_id: variant.id }).sum('count_on_hand').first();
  return Number(row?.['sum']);
}

/** Sends an event of the test gateway. */
async function sendEvent(event: object, { signature, app }: { signature?: string; app?: TestApp } = {}) {
  const body = JSON.stringify({ id: unique('evt'), ...event });
  const headers = {
    'X-Bogus-Signature': signature ?? signBogusEvent(body),
    'Content-Type': 'application/json',
  };
  return api({ headers }, app).post(`/gateways/${await getPaymentMethodId('Credit Card')}/events`, body);
}

/** Lets the time pass in which payments wait, and runs the settling job. */
async function expireWaits(app = testApp()): Promise<number> {
  await testDb()('payment_operations')
    .where({ state: 'started' })
    .whereNotNull('waits_until')
    .update({ waits_until: testDb().raw("now() - interval '1 second'") });
  await expireClaims();
  return settleInterruptedPayments(app.deps, recorders);
}

afterEach(async () => {
  await expireWaits();
});

const readState = async (order: any) => {
  const { state, payments, completed_at } = await showOrder(order);
  return { state, payment: payments.at(-1).state, isComplete: completed_at !== null };
};

describe('a card that needs an action', () => {
  test('leaves the order in confirm with its stock held, and reports the required action', async () => {
    const { order, shopper, variant, reply, payment } = await aWaitingOrder();
    const requires_action = { redirect_url: 'https://bank.example/confirm' };
    expect([reply.status, reply.headers['x-error-code'], reply.body]).toEqual([
      422,
      'payment_action_required',
      {
        error: 'The order could not be transitioned. Please fix the errors and try again.',
        errors: {
          base: ['The payment requires an action of the buyer'],
          payments: [{ ...payment, requires_action }],
        },
      },
    ]);
    expect(await showOrder(order)).toMatchObject({
      state: 'confirm',
      completed_at: null,
      payments: [{ state: 'processing', requires_action }],
    });
    expect(await getStock(variant)).toBe(3);
    // Repeated, the same answer, and nothing is charged again.
    expect((await shopper.put(`/checkouts/${order.number}/next`)).body).toEqual(reply.body);
    expect((await shopper.put(`/checkouts/${order.number}`, {})).body).toEqual(reply.body);
    const advanced = await shopper.put(`/checkouts/${order.number}/advance`);
    expect([advanced.status, advanced.body.state]).toEqual([200, 'confirm']);
    expect(await testDb()('payment_operations').where({ payment_id: payment.id }).count()).toEqual([
      { count: '1' },
    ]);
    // The stock is held, so the cart does not change.
    const refused = await shopper.put(`/orders/${order.number}/empty`);
    expect([refused.status, refused.headers['x-error-hint']]).toEqual([
      409,
      'A payment of the order waits for the buyer or its provider. Finish it with PUT /payments/:id/confirm_action, or end it with PUT /payments/:id/cancel_action.',
    ]);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('is finished by confirm_action, once', async () => {
    const { order, shopper, variant, payment, path } = await aWaitingOrder();
    const reply = await shopper.put(`/payments/${payment.id}/confirm_action`);
    expect([reply.status, reply.body]).toMatchObject([
      200,
      { state: 'pending', avs_response: 'D', requires_action: null },
    ]);
    expect(await readState(order)).toEqual({ state: 'complete', payment: 'pending', isComplete: true });
    expect(await getStock(variant)).toBe(3);
    const again = await shopper.put(`${path}/confirm_action`);
    expect([again.status, again.body]).toEqual([200, reply.body]);
    expect((await shopper.put(`/checkouts/${order.number}`)).body.state).toBe('complete');
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('is refused to strangers, and for payments that never waited', async () => {
    const { payment } = await aWaitingOrder();
    for (const action of ['confirm_action', 'cancel_action']) {
      expect((await api().put(`/payments/${payment.id}/${action}`)).status).toBe(401);
      expect((await api({ orderToken: 'x' }).put(`/payments/${payment.number}/${action}`)).status).toBe(401);
      expect((await api().put(`/payments/2000000000/${action}`)).status).toBe(401);
      expect((await (await asAdmin()).put(`/payments/2000000000/${action}`)).status).toBe(404);
    }
    const entered = await aCardPayment(await anOrderOf('10'));
    const reply = await (await asAdmin()).put(`/payments/${entered.id}/confirm_action`);
    expect([reply.status, reply.body]).toEqual([
      422,
      { error: 'There was a problem with the payment gateway: cannot confirm a payment that is checkout' },
    ]);
  });

  test('can be given up, so that the buyer pays another way', async () => {
    const { order, shopper, variant, path } = await aWaitingOrder();
    const reply = await shopper.put(`${path}/cancel_action`);
    expect([reply.status, reply.body]).toMatchObject([200, { state: 'failed', requires_action: null }]);
    expect(await getStock(variant)).toBe(5);
    expect((await shopper.put(`${path}/cancel_action`)).body).toEqual(reply.body);
    expect((await shopper.put(`${path}/confirm_action`)).status).toBe(422);
    const id = await getPaymentMethodId('Credit Card');
    const card = {
      order: { payments_attributes: [{ payment_method_id: id }] },
      payment_source: { [id]: GOOD_CARD },
    };
    expect((await shopper.put(`/checkouts/${order.number}`, card)).body).toMatchObject({ state: 'complete' });
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('returns the items to stock when its time is over', async () => {
    const { order, variant, path, shopper } = await aWaitingOrder();
    const { waits_until } = await testDb()('payment_operations').orderBy('id', 'desc').first();
    const minutes = (waits_until.getTime() - Date.now()) / 60_000;
    expect(Math.round(minutes)).toBe(60);
    expect(await settleInterruptedPayments(testApp().deps, recorders)).toBe(0);
    expect(await expireWaits()).toBe(1);
    expect(await readState(order)).toEqual({ state: 'confirm', payment: 'failed', isComplete: false });
    expect(await getStock(variant)).toBe(5);
    expect((await shopper.put(`${path}/confirm_action`)).status).toBe(422);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('is a payment of an admin, too', async () => {
    const order = await anOrderOf('10', { state: 'complete' });
    const admin = await asAdmin();
    const { id } = await aCardPayment(order, { source_attributes: ACTION_CARD });
    const path = `/orders/${order.number}/payments/${id}`;
    const reply = await admin.put(`${path}/purchase`);
    expect([reply.status, reply.body]).toMatchObject([
      200,
      { state: 'processing', requires_action: { redirect_url: 'https://bank.example/confirm' } },
    ]);
    expect(await getPaymentTotals(order)).toEqual({ payment_state: 'balance_due', payment_total: '0.00' });
    expect((await admin.put(`${path}/void`)).status).toBe(422);
    expect((await admin.put(`${path}/confirm_action`)).body).toMatchObject({
      state: 'completed',
      avs_response: 'M',
    });
    expect(await getPaymentTotals(order)).toEqual({ payment_state: 'paid', payment_total: '10.00' });
  });
});

test.each(['confirm_action', 'cancel_action'])(
  '%s of a payment that has changed since asks no provider',
  async (action) => {
    const { order, shopper, path } = await aWaitingOrder();
    const send = (etag = '') =>
      api({ ...order.caller, headers: { 'If-Match': etag } }).put(`${path}/${action}`);
    expect((await send('"other"')).status).toBe(412);
    expect(await readState(order)).toMatchObject({ state: 'confirm', payment: 'processing' });
    const reply = await send((await shopper.get(path)).headers['etag']);
    expect([reply.status, reply.body.state]).toEqual([
      200,
      action === 'confirm_action' ? 'pending' : 'failed',
    ]);
  },
);

test('a buyer cannot let the store ask the provider without end', async () => {
  const { answers, app } = buildWaitingGateway(['authorize']);
  const { bogus } = app.deps.gateways;
  if (bogus === undefined) throw new Error('there is no test gateway');
  let asked = 0;
  const confirm = () => {
    asked += 1;
    return Promise.resolve(PENDING);
  };
  const limited = makeTestApp({
    gateways: buildBogusGateway({ ...bogus.connect({}), confirm }),
    limits: createRateLimits(testDb(), 0.01),
  });
  const order = await orderInState('confirm');
  await api(order.caller, app).put(`/checkouts/${order.number}/next`);
  const path = `/orders/${order.number}/payments/${order.payments[0].id}/confirm_action`;
  const statuses = [];
  for (let times = 0; times < 3; times += 1)
    statuses.push((await api(order.caller, limited).put(path)).status);
  expect([statuses, asked, answers.calls]).toEqual([[200, 200, 429], 2, ['authorize']]);
  expect((await api(await anAdmin(), limited).put(path)).status).toBe(200);
});

describe('a card that waits for its provider', () => {
  test('completes the order when an event approves it; more events change nothing', async () => {
    const { order, reply, payment, shopper, path } = await aWaitingOrder(PENDING_CARD);
    expect([reply.status, reply.headers['x-error-code'], reply.body.errors]).toEqual([
      422,
      'payment_pending',
      {
        base: ['The payment is waiting for the provider'],
        payments: [{ ...payment, requires_action: null }],
      },
    ]);
    expect((await shopper.put(`${path}/confirm_action`)).body.state).toBe('processing');
    const approval = { id: unique('evt'), type: 'payment.approved', payment: payment.number };
    const event = await sendEvent(approval);
    expect([event.status, event.body]).toEqual([200, { received: true }]);
    expect(await readState(order)).toEqual({ state: 'complete', payment: 'pending', isComplete: true });
    const before = await showOrder(order);
    for (const event of [
      approval,
      { ...approval, id: unique('evt') },
      { ...approval, id: unique('evt'), type: 'payment.declined' },
    ])
      expect((await sendEvent(event)).status).toBe(200);
    expect(await showOrder(order)).toEqual(before);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('returns the items to stock when an event declines it', async () => {
    const { order, payment, variant } = await aWaitingOrder(PENDING_CARD);
    await sendEvent({ type: 'payment.declined', payment: payment.number });
    expect(await readState(order)).toEqual({ state: 'confirm', payment: 'failed', isComplete: false });
    expect(await getStock(variant)).toBe(5);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('is finished by a form without the id of an event, once the provider has decided', async () => {
    const { order, payment } = await aWaitingOrder(PENDING_CARD);
    const bodies: string[] = [];
    let state = 'open';
    const gateways = buildBogusGateway({
      readEvent: ({ body }) => {
        bodies.push(body);
        const event = { type: state, payment_number: payment.number, response_code: null };
        return Promise.resolve({ ...event, id: `${payment.number} ${state}` });
      },
      confirm: (request) => {
        const { response_code } = request;
        if (state === 'open') return Promise.resolve({ waiting: true, response_code, requires_action: null });
        const codes = { response_code, avs_response: null, cvv_response: null };
        return Promise.resolve({ approved: true, ...codes, message: 'paid' });
      },
    });
    const form = { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };
    const provider = api(form, makeTestApp({ gateways }));
    const path = `/gateways/${await getPaymentMethodId('Credit Card')}/events`;
    expect((await provider.post(path, 'id=tr_7%2B')).status).toBe(200);
    expect((await readState(order)).state).toBe('confirm');
    state = 'paid';
    expect((await provider.post(path, 'id=tr_7%2B')).status).toBe(200);
    expect(await readState(order)).toMatchObject({ state: 'complete', isComplete: true });
    expect(bodies).toEqual(['id=tr_7%2B', 'id=tr_7%2B']);
  });

  test('refuses events with a wrong signature, and ignores those about nothing', async () => {
    const { order, payment } = await aWaitingOrder(PENDING_CARD);
    const event = { type: 'payment.approved', payment: payment.number };
    for (const signature of ['', 'x', signBogusEvent('{}')]) {
      const { status, headers } = await sendEvent(event, { signature });
      expect([status, headers['x-error-hint']]).toEqual([
        401,
        'The signature of the event is wrong. Compare the secret of the payment method with the secret at the provider.',
      ]);
    }
    expect((await sendEvent({ type: 'payment.approved', payment: 'P0000000' })).status).toBe(200);
    expect((await sendEvent({ type: 'other', payment: payment.number })).status).toBe(200);
    expect((await readState(order)).state).toBe('confirm');
    const check = await api().post(`/gateways/${await getPaymentMethodId('Check')}/events`, {});
    expect(check.status).toBe(404);
    expect((await api().post('/gateways/2000000000/events', {})).status).toBe(404);
  });
});

test('a card whose answer is lost after it was charged is charged once', async () => {
  const { order, reply, shopper } = await aWaitingOrder(LOSING_CARD);
  expect(reply.status).toBe(503);
  await expireClaims();
  expect(await settleInterruptedPayments(testApp().deps, recorders)).toBe(1);
  expect((await shopper.put(`/checkouts/${order.number}`)).body).toMatchObject({
    state: 'complete',
    payments: [{ state: 'pending' }],
  });
  await expectNoViolations({ order_ids: [order.id] });
});

const APPROVED: GatewayResult = {
  approved: true,
  response_code: '12345',
  avs_response: null,
  cvv_response: null,
  message: 'ok',
};
const DECLINED: GatewayResult = { ...APPROVED, approved: false, message: 'no' };
const PENDING: GatewayAnswer = { waiting: true, response_code: '12345', requires_action: null };

/** A gateway whose calls of `kind` wait until `answers.now` is another answer. */
function buildWaitingGateway(kinds: readonly ('capture' | 'credit' | 'authorize')[], log?: Logger) {
  const answers: { now: GatewayAnswer; calls: string[] } = { now: PENDING, calls: [] };
  const record = (name: string) => () => {
    answers.calls.push(name);
    return Promise.resolve(name === 'void' ? APPROVED : answers.now);
  };
  const names = [...kinds, 'confirm', 'abandon', 'void'];
  const gateways = buildBogusGateway(Object.fromEntries(names.map((name) => [name, record(name)])));
  return { answers, app: makeTestApp({ gateways, ...(log !== undefined && { log }) }) };
}

test('a cart whose payment waits stays as it is when its customer takes over another one', async () => {
  const ann = await aCustomer();
  const older = await orderInState('confirm', { caller: ann, card: PENDING_CARD });
  await api(ann).put(`/checkouts/${older.number}/next`);
  const cart = await orderInState('cart');
  const reply = await api({ ...ann, ...cart.caller }).put(`/orders/${cart.number}/associate`);
  expect([reply.status, reply.body.user_id, reply.body.line_items]).toMatchObject([200, ann.id, [{}]]);
  await sendEvent({ type: 'payment.approved', payment: older.payments[0].number });
  expect(await readState(older)).toEqual({ state: 'complete', payment: 'pending', isComplete: true });
  await expectNoViolations({ order_ids: [older.id, cart.id] });
});

test('a payment is added to a sold order while another one waits', async () => {
  const order = await anOrderOf('10', { state: 'complete' });
  const pathOf = ({ id }: { id: number }) => `/orders/${order.number}/payments/${id}`;
  const waiting = await aCardPayment(order, { source_attributes: PENDING_CARD });
  const admin = await asAdmin();
  expect((await admin.put(`${pathOf(waiting)}/authorize`)).body.state).toBe('processing');
  const added = await aCardPayment(order);
  expect((await admin.put(`${pathOf(added)}/purchase`)).body.state).toBe('completed');
  expect((await admin.get(pathOf(waiting))).body.state).toBe('processing');
  await expectNoViolations({ order_ids: [order.id] });
});

test('a payment that staff settle while it waits keeps the code of its gateway, which its capture needs', async () => {
  const { order, path } = await aWaitingOrder(PENDING_CARD);
  await ageOperations(1);
  const admin = await asAdmin();
  const settled = await admin.put(`${path}/settle`, { outcome: 'approved', reason: 'Seen' });
  expect(settled.body.state).toBe('pending');
  expect(await showOrder(order)).toMatchObject({ state: 'complete' });
  await expectNoViolations({ order_ids: [order.id] });
  expect((await admin.put(`${path}/capture`)).body.state).toBe('completed');
});

describe('captures and refunds that settle later', () => {
  test.each([
    ['capture', 'pending', 'completed', '10.00'],
    ['credit', 'completed', 'completed', '6.00'],
  ] as const)(
    '%s: the order may change meanwhile, and the decision counts once',
    async (kind, before, after, paid) => {
      const { answers, app } = buildWaitingGateway([kind]);
      const order = await anOrderOf('10', { state: 'complete' });
      const path = await aPaymentIn(before, order);
      const { number } = (await (await asAdmin()).get(path)).body;
      const admin = api(await anAdmin(), app);
      const first = await getPaymentTotals(order);
      const body = kind === 'credit' ? { amount: '4' } : {};
      expect((await admin.put(`${path}/${kind}`, body)).body.state).toBe('processing');
      expect(await getPaymentTotals(order)).toEqual(first);
      expect((await admin.put(`${path}/${kind}`, body)).status).toBe(422);
      expect((await admin.put(`${path}/cancel_action`)).body.error).toMatch(
        `cannot cancel a ${kind} that waits`,
      );
      expect(answers.calls).toEqual([kind]);
      expect(
        (await admin.put(`/orders/${order.number}`, { order: { special_instructions: 'x' } })).status,
      ).toBe(200);
      // Still undecided at the next `confirm`.
      expect(await expireWaits(app)).toBe(1);
      answers.now = APPROVED;
      await sendEvent({ type: 'payment.approved', payment: number }, { app });
      await sendEvent({ type: 'payment.approved', payment: number }, { app });
      expect((await admin.get(path)).body.state).toBe(after);
      expect((await getPaymentTotals(order))['payment_total']).toBe(paid);
      await expectNoViolations({ order_ids: [order.id] });
    },
  );

  test.each([
    ['approved', APPROVED, 1],
    ['declined', DECLINED, 0],
    ['undecided', PENDING, 0],
  ] as const)(
    'a refund that staff settled as declined and the provider reports as %s is logged if that differs',
    async (_name, decision, count) => {
      const lines: any[] = [];
      const log = pino({ level: 'error' }, { write: (line: string) => lines.push(JSON.parse(line)) });
      const { answers, app } = buildWaitingGateway(['credit'], log);
      const order = await anOrderOf('10', { state: 'complete' });
      const path = await aPaymentIn('completed', order);
      const admin = api(await anAdmin(), app);
      const { number } = (await admin.put(`${path}/credit`, { amount: '4' })).body;
      await ageOperations(1);
      const settled = await admin.put(`${path}/settle`, { outcome: 'declined', reason: 'Not found there' });
      expect(settled.body).toMatchObject({ state: 'completed', refunds: [] });
      answers.now = decision;
      await sendEvent({ type: 'payment.approved', payment: number }, { app });
      const logged = {
        order: order.number,
        payment: number,
        kind: 'credit',
        recorded: false,
        answered: true,
      };
      expect(lines).toMatchObject(Array.from({ length: count }, () => logged));
      expect((await admin.get(path)).body).toMatchObject({ state: 'completed', refunds: [] });
      await expectNoViolations({ order_ids: [order.id] });
    },
  );

  test('a capture approved after its order was canceled is given back', async () => {
    const { answers, app } = buildWaitingGateway(['capture']);
    const order = await orderInState('complete');
    const path = `/orders/${order.number}/payments/${order.payments[0].id}`;
    const admin = api(await anAdmin(), app);
    await admin.put(`${path}/capture`);
    expect((await admin.put(`/orders/${order.number}/cancel`)).body.state).toBe('canceled');
    answers.now = APPROVED;
    await sendEvent({ type: 'payment.approved', payment: order.payments[0].number }, { app });
    expect((await admin.get(path)).body.state).toBe('void');
    expect(answers.calls).toEqual(['capture', 'confirm', 'void']);
    await expectNoViolations({ order_ids: [order.id] });
  });
});

describe('a refund that is decided after its order was canceled', () => {
  test.each([
    ['approved', APPROVED, 'credit', { state: 'completed', refunds: [{ amount: '4.0' }, { amount: '6.0' }] }],
    ['declined', DECLINED, 'void', { state: 'void', refunds: [] }],
  ] as const)('%s: what is left of the payment is given back', async (_name, decision, call, payment) => {
    const { answers, app } = buildWaitingGateway(['credit']);
    const order = await anOrderOf('10', { state: 'complete' });
    const path = await aPaymentIn('completed', order);
    const admin = api(await anAdmin(), app);
    const { number } = (await admin.put(`${path}/credit`, { amount: '4' })).body;
    const canceled = (await admin.put(`/orders/${order.number}/cancel`)).body;
    expect([canceled.state, canceled.payment_state]).toEqual(['canceled', 'credit_owed']);
    answers.now = decision;
    const approve = () => sendEvent({ type: 'payment.approved', payment: number }, { app });
    for (let times = 0; times < 2; times += 1) await approve();
    if (call === 'credit') expect((await admin.get(path)).body.refunds[1].reason).toBe('order cancel');
    expect((await admin.get(path)).body).toMatchObject(payment);
    expect((await admin.get(`/orders/${order.number}`)).body.payment_state).toBe('void');
    expect(answers.calls).toEqual(['credit', 'confirm', call]);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('a later refund of a part of a canceled order stays one of a part', async () => {
    const { answers, app } = buildWaitingGateway(['credit']);
    const order = await anOrderOf('10', { state: 'complete' });
    const path = await aPaymentIn('completed', order);
    answers.now = DECLINED;
    const admin = api(await anAdmin(), app);
    const refusing = buildBogusGateway({ void: () => Promise.resolve(DECLINED) });
    await api(await anAdmin(), makeTestApp({ gateways: refusing })).put(`/orders/${order.number}/cancel`);
    answers.now = PENDING;
    const { number } = (await admin.put(`${path}/credit`, { amount: '4' })).body;
    answers.now = APPROVED;
    await sendEvent({ type: 'payment.approved', payment: number }, { app });
    expect((await admin.get(path)).body).toMatchObject({ state: 'completed', refunds: [{ amount: '4.0' }] });
    await expectNoViolations({ order_ids: [order.id] });
  });
});

test('an order is resumed only when the refunds of its cancellation are decided', async () => {
  const { answers, app } = buildWaitingGateway(['credit']);
  const { bogus } = app.deps.gateways;
  if (bogus === undefined) throw new Error('there is no test gateway');
  const settled: GatewayResult = { ...DECLINED, is_settled: true };
  const settling = buildBogusGateway({ ...bogus.connect({}), void: () => Promise.resolve(settled) });
  const settlingApp = makeTestApp({ gateways: settling });
  const admin = api(await anAdmin(), settlingApp);
  const order = await orderInState('complete');
  const path = `/orders/${order.number}`;
  // Two payments of one authorization, so that the second refund follows the first.
  const [{ id, number }] = order.payments;
  await admin.put(`${path}/payments/${id}/capture`, { amount: '4' });
  const rest = (await admin.get(path)).body.payments[1];
  await admin.put(`${path}/payments/${rest.id}/capture`);
  expect((await admin.put(`${path}/cancel`)).body.payments).toMatchObject([{ state: 'processing' }, {}]);
  const refused = await admin.put(`${path}/resume`);
  expect([refused.status, (await admin.get(path)).body.state]).toEqual([409, 'canceled']);
  answers.now = APPROVED;
  await sendEvent({ type: 'payment.approved', payment: number }, { app: settlingApp });
  expect((await admin.put(`${path}/resume`)).body).toMatchObject({
    state: 'resumed',
    payment_state: 'balance_due',
    payment_total: '0.0',
  });
  await expectNoViolations({ order_ids: [order.id] });
});

test('a charge approved after it was given up is returned', async () => {
  const { answers, app } = buildWaitingGateway(['authorize']);
  const variant = await aSellableVariant({ stock: 5 });
  const order = await orderInState('confirm', { lines: [{ variant_id: variant.id, quantity: 2 }] });
  const payment = order.payments[0];
  await api(order.caller, app).put(`/checkouts/${order.number}/next`);
  // The provider cannot end it, but the stock is not held any longer.
  expect(await expireWaits(app)).toBe(1);
  expect([await getStock(variant), (await readState(order)).payment]).toEqual([5, 'failed']);
  answers.now = APPROVED;
  for (let times = 0; times < 2; times += 1)
    await sendEvent({ type: 'payment.approved', payment: payment.number }, { app });
  expect(await readState(order)).toEqual({ state: 'confirm', payment: 'void', isComplete: false });
  expect(answers.calls).toEqual(['authorize', 'abandon', 'void']);
  await expectNoViolations({ order_ids: [order.id] });
});

test('a charge approved after it was given up is returned, although its cart was merged into another one', async () => {
  const { answers, app } = buildWaitingGateway(['authorize']);
  const [ann, variant] = [await aCustomer(), await aSellableVariant({ stock: 5 })];
  const older = await orderInState('confirm', {
    caller: ann,
    lines: [{ variant_id: variant.id, quantity: 2 }],
  });
  await api(older.caller, app).put(`/checkouts/${older.number}/next`);
  expect(await expireWaits(app)).toBe(1);
  const cart = await orderInState('cart');
  const merged = await api({ ...ann, ...cart.caller }).put(`/orders/${cart.number}/associate`);
  expect(merged.body.line_items).toMatchObject([{}, { variant_id: variant.id, quantity: 2 }]);
  answers.now = APPROVED;
  await sendEvent({ type: 'payment.approved', payment: older.payments[0].number }, { app });
  const { line_items, payments } = (await api(ann).get(`/orders/${older.number}`)).body;
  expect([line_items, payments]).toMatchObject([[], [{ state: 'void' }]]);
  expect(answers.calls).toEqual(['authorize', 'abandon', 'void']);
  await expectNoViolations({ order_ids: [older.id, cart.id] });
});

test.each(['an event', 'confirm_action'])(
  'a charge given up while %s asks the provider, which approves it, is returned',
  async (asking) => {
    const variant = await aSellableVariant({ stock: 5 });
    const order = await orderInState('confirm', { lines: [{ variant_id: variant.id, quantity: 2 }] });
    const payment = order.payments[0];
    const { answers, app } = buildWaitingGateway(['authorize']);
    const { bogus } = app.deps.gateways;
    if (bogus === undefined) throw new Error('there is no test gateway');
    const racing = makeTestApp({
      gateways: buildBogusGateway({
        ...bogus.connect({}),
        confirm: async () => {
          expect(await expireWaits(app)).toBe(1);
          return APPROVED;
        },
        readEvent: () =>
          Promise.resolve({
            id: unique('evt'),
            type: 'succeeded',
            payment_number: payment.number,
            response_code: '12345',
          }),
      }),
    });
    const shopper = api(order.caller, racing);
    await shopper.put(`/checkouts/${order.number}/next`);
    const reply =
      asking === 'an event'
        ? await sendEvent({}, { app: racing })
        : await shopper.put(`/payments/${payment.id}/confirm_action`);
    expect(reply.status).toBe(asking === 'an event' ? 200 : 422);
    expect(await readState(order)).toEqual({ state: 'confirm', payment: 'void', isComplete: false });
    expect(await getStock(variant)).toBe(5);
    expect(answers.calls).toEqual(['authorize', 'abandon', 'void']);
    await expectNoViolations({ order_ids: [order.id] });
  },
);

test('a charge that is approved late is returned after the next charge of its order', async () => {
  const { answers, app } = buildWaitingGateway(['authorize']);
  const order = await orderInState('confirm');
  const shopper = api(order.caller, app);
  await shopper.put(`/checkouts/${order.number}/next`);
  expect(await expireWaits(app)).toBe(1);
  const second = await aCardPayment(order);
  let finish: (answer: GatewayAnswer) => void = () => {};
  const decided = new Promise<GatewayAnswer>((resolve) => (finish = resolve));
  let begin: () => void = () => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const slow = makeTestApp({
    gateways: buildBogusGateway({
      authorize: () => {
        begin();
        return decided;
      },
    }),
  });
  const completing = api(order.caller, slow).put(`/checkouts/${order.number}/next`);
  await begun;
  // The second charge is answered when the event waits for it.
  const finishWhenAwaited = ({ sql }: { sql: string }) => {
    if (sql.includes('bool_and')) finish(APPROVED);
  };
  testDb().on('query', finishWhenAwaited);
  answers.now = APPROVED;
  const event = await sendEvent(
    { type: 'payment.approved', payment: order.payments[0].number },
    { app },
  ).finally(() => {
    testDb().off('query', finishWhenAwaited);
    finish(APPROVED);
  });
  expect([event.status, (await completing).body.state]).toEqual([200, 'complete']);
  const { payments } = (await (await asAdmin()).get(`/orders/${order.number}`)).body;
  expect(payments.map(({ id, state }: any) => [id, state])).toEqual([
    [order.payments[0].id, 'void'],
    [second.id, 'pending'],
  ]);
  await expectNoViolations({ order_ids: [order.id] });
});

test.each(['days later', 'at once'])(
  'a late charge whose refund fails %s is a payment of its order, once',
  async (moment) => {
    const settled: GatewayResult = { ...APPROVED, approved: false, message: 'settled', is_settled: true };
    const refused: GatewayResult = { ...APPROVED, approved: false, message: 'the account is closed' };
    const isLater = moment === 'days later';
    const order = await orderInState('confirm');
    const [payment] = order.payments;
    const event = { type: 'changed', payment_number: payment.number, response_code: '12345' };
    let failed: { failed_refund?: string } = {};
    const answer = (result: GatewayAnswer) => () => Promise.resolve(result);
    const app = makeTestApp({
      gateways: buildBogusGateway({
        authorize: answer(PENDING),
        abandon: answer(PENDING),
        confirm: answer(APPROVED),
        void: answer(settled),
        credit: answer(isLater ? { ...APPROVED, response_code: 're_late' } : refused),
        readEvent: () => Promise.resolve({ ...event, id: unique('evt'), ...failed }),
      }),
    });
    const admin = await asAdmin();
    const report = async () => (await admin.get('/reports/payments?group_by=gateway')).body.totals;
    const before = await report();
    await api(order.caller, app).put(`/checkouts/${order.number}/next`);
    expect(await expireWaits(app)).toBe(1);
    for (let times = 0; times < 2; times += 1) expect((await sendEvent({}, { app })).status).toBe(200);
    expect(await readState(order)).toMatchObject({ state: 'confirm', isComplete: false });
    failed = { failed_refund: 're_late' };
    for (let times = 0; times < 2; times += 1) expect((await sendEvent({}, { app })).status).toBe(200);
    const { payments, payment_total } = (await admin.get(`/orders/${order.number}`)).body;
    expect(payments.map(({ state, amount }: any) => [state, amount])).toEqual([
      [isLater ? 'void' : 'failed', payment.amount],
      ['completed', payment.amount],
    ]);
    expect(payment_total).toBe(payment.amount);
    const after = await report();
    const grown = ['captured', 'refunded', 'net'].map((sum) => cents(after[sum]) - cents(before[sum] ?? '0'));
    expect(grown).toEqual([cents(payment.amount), 0, cents(payment.amount)]);
    const method = await getPaymentMethodId('Credit Card');
    const moved = await findOwnMovements(testDb(), method, { from: new Date(0), to: new Date(8e15) });
    const kinds = moved.flatMap((one) => (one.payment_number === payment.number ? one.kind : []));
    expect(kinds.sort()).toEqual(isLater ? ['capture', 'failed_refund', 'refund'] : ['capture']);
    // The buyer has paid, so nothing else is charged.
    const reply = await api(order.caller, app).put(`/checkouts/${order.number}/next`);
    expect([reply.body.state, reply.body.payment_state]).toEqual(['complete', 'paid']);
    await expectNoViolations({ order_ids: [order.id] });
  },
);

test('what an order gives back that is not paid fills the backorder of another, not its own', async () => {
  const variant = await aSellableVariant({ stock: 1, backorderable: true });
  const wait = async (quantity: number) => {
    const lines = [{ variant_id: variant.id, quantity }];
    const order = await orderInState('confirm', { card: ACTION_CARD, lines });
    await api(order.caller).put(`/checkouts/${order.number}/next`);
    return {
      order,
      act: (name: string) => api(order.caller).put(`/payments/${order.payments[0].id}/${name}`),
    };
  };
  const [unpaid, paid] = [await wait(2), await wait(1)];
  expect(await getStock(variant)).toBe(-2);
  expect((await unpaid.act('cancel_action')).body.state).toBe('failed');
  expect((await paid.act('confirm_action')).status).toBe(200);
  const { shipments } = (await (await asAdmin()).get(`/orders/${paid.order.number}`)).body;
  expect(shipments.map(({ manifest }: any) => manifest[0].states)).toEqual([{ on_hand: 1 }]);
  expect(await getStock(variant)).toBe(0);
  await expectNoViolations({ order_ids: [unpaid.order.id, paid.order.id] });
});

test('a void of what has settled is answered by a credit', async () => {
  const settled: GatewayResult = { ...APPROVED, approved: false, message: 'settled', is_settled: true };
  const app = makeTestApp({ gateways: buildBogusGateway({ void: () => Promise.resolve(settled) }) });
  const order = await anOrderOf('10', { state: 'complete' });
  const path = await aPaymentIn('completed', order);
  const reply = await api(await anAdmin(), app).put(`${path}/void`);
  expect([reply.status, reply.body]).toMatchObject([
    200,
    { state: 'completed', refunds: [{ amount: '10.0' }] },
  ]);
  await expectNoViolations({ order_ids: [order.id] });
});

describe('at once', () => {
  test.each([
    ['an event and confirm_action', PENDING_CARD, 'payment.approved'],
    ['an event and the end of its time', PENDING_CARD, 'payment.approved'],
    ['a declining event and confirm_action', ACTION_CARD, 'payment.declined'],
  ])('%s decide once', async (name, card, type) => {
    const { order, shopper, payment, variant, path } = await aWaitingOrder(card);
    const event = { type, payment: payment.number };
    await Promise.all([
      ...Array.from({ length: 3 }, () => sendEvent(event)),
      name.includes('time') ? expireWaits() : shopper.put(`${path}/confirm_action`),
      shopper.put(`${path}/confirm_action`),
      shopper.put(`/checkouts/${order.number}/next`),
    ]);
    const { state, payment: paid } = await readState(order);
    expect([
      ['complete', 'pending'],
      ['confirm', 'failed'],
    ]).toContainEqual([state, paid]);
    expect(await getStock(variant)).toBe(state === 'complete' ? 3 : 5);
    const steps = await testDb()('state_changes')
      .where({ subject_type: 'payment', subject_id: payment.id, from_state: 'processing' })
      .count();
    expect(steps).toEqual([{ count: '1' }]);
    await expectNoViolations({ order_ids: [order.id] });
  });
});
