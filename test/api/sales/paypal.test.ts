import { toAmount } from '../../../src/platform/money';
import { createRateLimits } from '../../../src/platform/rate-limits';
import { createPaypalGateway } from '../../../src/sales/payment-processing/gateways/paypal';
import { createPaypalClients } from '../../../src/sales/payment-processing/gateways/paypal/client';
import { reconcilePayments } from '../../../src/sales/payment-processing/reconcile-payments';
import { settleInterruptedPayments } from '../../../src/sales/payment-processing/settle-interrupted-payments.job';
import { recorders } from '../../../src/sales/payments/recorders';
import { anAdmin } from '../../support/accounts.factory';
import { api, makeTestApp, type TestApp } from '../../support/api';
import { testDb } from '../../support/database';
import { expectNoViolations } from '../../support/invariants';
import { anAddress } from '../../support/limits';
import { listen } from '../../support/listen';
import { orderInState } from '../../support/orders.factory';
import { expireClaims } from '../../support/payments.factory';
import { PAYPAL_KEYS, PAYPAL_SIGNATURE, startPaypal, type PaypalServer } from '../../support/paypal-server';
import { unique } from '../../support/unique';

let paypal: PaypalServer;
let app: TestApp;
let methodId: number;

beforeAll(async () => {
  paypal = await startPaypal();
  app = makeTestApp({ gateways: paypal.gateways });
  const reply = await api(await anAdmin(), app).post('/payment_methods', {
    payment_method: { name: unique('PayPal'), gateway: 'paypal', preferences: PAYPAL_KEYS },
  });
  expect(reply.status).toBe(201);
  methodId = reply.body.id;
});

afterAll(() => paypal.close());

/** An order in `confirm` that is paid with a token. */
async function anOrderWith(token: string) {
  const order = await orderInState('payment');
  const shopper = api(order.caller, app);
  const reply = await shopper.put(`/checkouts/${order.number}`, {
    order: { payments_attributes: [{ payment_method_id: methodId }] },
    payment_source: { [methodId]: { gateway_payment_profile_id: token } },
  });
  expect([reply.status, reply.body.state]).toEqual([200, 'confirm']);
  const payment = reply.body.payments.at(-1);
  const path = `/orders/${order.number}/payments/${payment.id}`;
  return { order, shopper, payment, path, number: order.number as string, total: order.total as string };
}

const orderOf = (payment: { number: string }) =>
  [...paypal.orders.values()].find(({ custom_id }) => custom_id === payment.number)!;

const sendEvent = (
  event_type: string,
  resource: object,
  signature = PAYPAL_SIGNATURE,
  { store = app, address = anAddress() } = {},
) => {
  const names = ['auth-algo', 'cert-url', 'transmission-id', 'transmission-time'];
  const signed = Object.fromEntries(names.map((name) => [`paypal-${name}`, 'x']));
  const headers = {
    ...signed,
    'paypal-transmission-sig': signature,
    'Content-Type': 'application/json',
    'X-Forwarded-For': address,
  };
  const body = JSON.stringify({ id: unique('WH'), event_type, resource });
  return api({ headers }, store).post(`/gateways/${methodId}/events`, body);
};

test.each([['/v1/oauth2/token'], ['/v2/checkout/orders']])(
  'a redirect of %s is not followed',
  async (redirected) => {
    const visited: string[] = [];
    const server = await listen((incoming, reply) => {
      const address = incoming.url ?? '';
      visited.push(address);
      if (address === redirected) reply.writeHead(307, { Location: '/elsewhere' }).end();
      else reply.end(JSON.stringify({ access_token: 'A21', expires_in: 3600 }));
    });
    const send = createPaypalClients(server.url)({ ...PAYPAL_KEYS, environment: 'sandbox' });
    await expect(send({ path: '/v2/checkout/orders' })).rejects.toThrow('fetch failed');
    await server.close();
    expect(visited.at(-1)).toBe(redirected);
  },
);

test('a sign-in that PayPal refuses is named as such', async () => {
  const server = await listen((_incoming, reply) => reply.writeHead(401).end('{}'));
  const send = createPaypalClients(server.url)({ ...PAYPAL_KEYS, environment: 'sandbox' });
  const failure = await send({ path: '/v2/checkout/orders' }).catch((error: unknown) => error);
  await server.close();
  expect(failure).toMatchObject({ message: 'PayPal answers with status 401' });
});

test.each([
  ['authorization', 422, 'PREVIOUSLY_VOIDED', [true, false]],
  ['remainder', 422, 'PREVIOUSLY_CAPTURED', [true, false]],
  ['authorization', 422, 'PREVIOUSLY_CAPTURED', [false, true]],
  ['authorization', 422, 'AUTHORIZATION_ALREADY_CAPTURED', [false, true]],
  ['authorization', 422, 'PERMISSION_DENIED', [false, false]],
  ['authorization', 404, 'RESOURCE_NOT_FOUND', [false, false]],
  ['sale', 404, 'RESOURCE_NOT_FOUND', [false, true]],
] as const)('a void of the %s that ends with %d %s', async (scope, status, issue, [approved, isSettled]) => {
  const server = await listen((incoming, reply) => {
    const isSignIn = incoming.url === '/v1/oauth2/token';
    const refusal = { name: 'REFUSED', message: 'refused', details: [{ issue }] };
    reply.writeHead(isSignIn ? 200 : status, { 'content-type': 'application/json' });
    reply.end(JSON.stringify(isSignIn ? { access_token: 'A21', expires_in: 3600 } : refusal));
  });
  const sent = { amount: toAmount('10'), currency: 'USD', idempotency_key: 'P1-void-1', order_number: 'R1' };
  const answer = await createPaypalGateway(server.url)
    .connect({ ...PAYPAL_KEYS, environment: 'sandbox' })
    .void({
      ...sent,
      scope,
      payment_number: 'P1',
      authorization: 'P1',
      response_code: 'AUT1',
      source: null,
      started_at: new Date(),
    });
  await server.close();
  expect(answer).toMatchObject({ approved, ...(isSettled && { is_settled: true }) });
  expect('is_settled' in answer).toBe(isSettled);
});

test('a buyer approves at PayPal; the payment is captured in part, refunded, and its rest voided', async () => {
  const { number, shopper, payment, path, order } = await anOrderWith('paypal');
  const reply = await shopper.put(`/checkouts/${number}/next`);
  const made = orderOf(payment);
  expect([reply.status, reply.body.errors.payments[0].requires_action]).toEqual([
    422,
    { redirect_url: `https://paypal.example/approve/${made.id}` },
  ]);
  expect((await shopper.put(`/payments/${payment.id}/confirm_action`)).body.state).toBe('processing');
  paypal.approve(made.id);
  // The buyer returns while the event arrives.
  const [confirmed, event] = await Promise.all([
    shopper.put(`/payments/${payment.id}/confirm_action`),
    sendEvent('CHECKOUT.ORDER.APPROVED', { id: made.id, purchase_units: [{ custom_id: payment.number }] }),
  ]);
  expect([confirmed.status, event.status]).toEqual([200, 200]);
  expect((await shopper.get(`/orders/${number}`)).body).toMatchObject({
    state: 'complete',
    payments: [{ state: 'pending', avs_response: 'Y' }],
  });
  expect(made.payments.authorizations).toHaveLength(1);
  const admin = api(await anAdmin(), app);
  expect((await admin.put(`${path}/capture`, { amount: '10' })).body.state).toBe('completed');
  expect((await admin.put(`${path}/credit`, { amount: '4' })).body.refunds).toMatchObject([
    { amount: '4.0' },
  ]);
  expect((await admin.put(`${path}/credit`, { amount: '6' })).status).toBe(200);
  const rest = (await admin.get(`/orders/${number}`)).body.payments.at(-1);
  expect((await admin.put(`/orders/${number}/payments/${rest.id}/void`)).body.state).toBe('void');
  await expectNoViolations({ order_ids: [order.id] });
});

/** Whoever has the public id of the app can create orders of it, with any amount and any `custom_id`, and approve them. */
function anOrderOfTheBuyer(payment: { number: string }) {
  const id = unique('OWN').toUpperCase();
  const none = { authorizations: [], captures: [] };
  const made = {
    id,
    intent: 'AUTHORIZE',
    token: null,
    custom_id: payment.number,
    currency: 'USD',
    payments: none,
  };
  paypal.orders.set(id, { ...made, amount: toAmount('0.01'), status: 'APPROVED' });
  return paypal.orders.get(id)!;
}

test.each([[false], [true]])(
  'an order that the buyer has made at PayPal pays nothing (the answer about ours lost: %s)',
  async (isLost) => {
    const { number, shopper, payment, order } = await anOrderWith('paypal');
    paypal.loses = isLost;
    expect((await shopper.put(`/checkouts/${number}/next`)).status).toBe(isLost ? 503 : 422);
    paypal.loses = false;
    const made = orderOf(payment);
    const own = anOrderOfTheBuyer(payment);
    const sendFor = ({ id }: { id: string }) =>
      sendEvent('CHECKOUT.ORDER.APPROVED', { id, purchase_units: [{ custom_id: payment.number }] });
    expect((await sendFor(own)).status).toBe(200);
    expect((await shopper.get(`/orders/${number}`)).body.state).toBe('confirm');
    expect(own.payments.authorizations).toEqual([]);

    await expireClaims();
    await settleInterruptedPayments(app.deps, recorders);
    paypal.approve(made.id);
    expect((await sendFor(made)).status).toBe(200);
    expect((await shopper.get(`/orders/${number}`)).body.state).toBe('complete');
    expect([own.payments.authorizations.length, made.payments.authorizations.length]).toEqual([0, 1]);
    await expectNoViolations({ order_ids: [order.id] });
  },
);

test('an order at PayPal whose amount or currency has been changed is not authorized', async () => {
  for (const change of [{ amount: toAmount('0.01') }, { currency: 'EUR' }]) {
    const { number, shopper, payment } = await anOrderWith('paypal');
    await shopper.put(`/checkouts/${number}/next`);
    const made = orderOf(payment);
    Object.assign(made, change);
    paypal.approve(made.id);
    await shopper.put(`/payments/${payment.id}/confirm_action`);
    const { body } = await shopper.get(`/orders/${number}`);
    expect([body.state, body.payments.at(-1).state]).toEqual(['confirm', 'failed']);
    expect(made.payments.authorizations).toEqual([]);
  }
});

test('a token of the vault pays at once, a canceled sale is refunded, and a declined one is reported', async () => {
  const { number, shopper, path, order } = await anOrderWith('good-1');
  expect((await shopper.put(`/checkouts/${number}/next`)).body.state).toBe('complete');
  const admin = api(await anAdmin(), app);
  await admin.put(`${path}/capture`);
  expect((await admin.put(`/orders/${number}/cancel`)).body).toMatchObject({ payment_total: '0.0' });
  const declined = await anOrderWith('bad-1');
  const refused = await declined.shopper.put(`/checkouts/${declined.number}/next`);
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    { base: ['The instrument presented was declined.'] },
  ]);
  await expectNoViolations({ order_ids: [order.id, declined.order.id] });
  expect(paypal.signIns).toBe(1);
});

test('an answer that gets lost charges once', async () => {
  const { number, shopper, payment, order } = await anOrderWith('good-2');
  paypal.loses = true;
  expect((await shopper.put(`/checkouts/${number}/next`)).status).toBe(503);
  paypal.loses = false;
  await expireClaims();
  expect(await settleInterruptedPayments(app.deps, recorders)).toBe(1);
  expect((await shopper.get(`/orders/${number}`)).body.state).toBe('complete');
  expect([...paypal.orders.values()].filter(({ custom_id }) => custom_id === payment.number)).toHaveLength(1);
  await expectNoViolations({ order_ids: [order.id] });
});

test('a payment that is approved after the buyer gave it up is returned', async () => {
  const { number, shopper, payment } = await anOrderWith('paypal');
  await shopper.put(`/checkouts/${number}/next`);
  expect((await shopper.put(`/payments/${payment.id}/cancel_action`)).body.state).toBe('failed');
  const made = orderOf(payment);
  paypal.approve(made.id);
  const event = { id: made.id, purchase_units: [{ custom_id: payment.number }] };
  expect((await sendEvent('CHECKOUT.ORDER.APPROVED', event)).status).toBe(200);
  const { body } = await shopper.get(`/orders/${number}`);
  expect([body.state, body.payments.at(-1).state]).toEqual(['confirm', 'void']);
});

test('a capture that is pending counts when PayPal has completed it', async () => {
  const { number, shopper, payment, path, order } = await anOrderWith('good-3');
  await shopper.put(`/checkouts/${number}/next`);
  paypal.status = 'PENDING';
  const pending = await api(await anAdmin(), app).put(`${path}/capture`);
  paypal.status = 'COMPLETED';
  expect([pending.status, pending.body.state]).toEqual([200, 'processing']);
  const capture = orderOf(payment).payments.captures[0];
  paypal.complete(capture.id);
  await sendEvent('PAYMENT.CAPTURE.COMPLETED', { id: capture.id, custom_id: payment.number });
  expect((await shopper.get(`/orders/${number}`)).body.payments[0].state).toBe('completed');
  await expectNoViolations({ order_ids: [order.id] });
});

test('an address that sends wrong events does not make the store ask PayPal about more of them', async () => {
  const narrow = { gateways: paypal.gateways, limits: createRateLimits(testDb(), 0.03) };
  const limited = makeTestApp(narrow, { trustProxy: 1 });
  const [stranger, provider] = [anAddress(), anAddress()];
  const send = async (address: string, signature?: string) =>
    (await sendEvent('PAYMENT.UNKNOWN', {}, signature, { store: limited, address })).status;
  const statuses = [];
  for (let times = 0; times < 4; times += 1) statuses.push(await send(stranger, 'forged'));
  expect(statuses).toEqual([401, 401, 401, 429]);
  const asked = paypal.checks;
  expect(await send(stranger)).toBe(429);
  expect(paypal.checks).toBe(asked);
  for (let times = 0; times < 4; times += 1) expect(await send(provider)).toBe(200);
});

test('events with a wrong signature are refused; failed refunds and disputes are recorded', async () => {
  const { number, shopper, payment, path, order, total } = await anOrderWith('good-4');
  await shopper.put(`/checkouts/${number}/next`);
  const admin = api(await anAdmin(), app);
  await admin.put(`${path}/capture`);
  await admin.put(`${path}/credit`, { amount: '4' });
  const refund = [...paypal.refunds.values()].at(-1);
  const failed = { id: refund.id, custom_id: payment.number };
  expect((await sendEvent('PAYMENT.REFUND.FAILED', failed, 'forged')).status).toBe(401);
  expect((await admin.get(`/orders/${number}`)).body.payment_total).not.toBe(total);
  expect((await sendEvent('PAYMENT.REFUND.FAILED', failed)).status).toBe(200);
  expect((await admin.get(`/orders/${number}`)).body.payment_total).toBe(total);
  const dispute = {
    dispute_id: 'PP-D-1',
    reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
    status: 'OPEN',
    dispute_amount: { currency_code: 'USD', value: '10.00' },
    disputed_transactions: [{ seller_transaction_id: orderOf(payment).payments.captures[0].id }],
  };
  for (const status of ['OPEN', 'RESOLVED'])
    await sendEvent('CUSTOMER.DISPUTE.UPDATED', { ...dispute, status });
  expect(await testDb()('disputes').where({ payment_id: payment.id }).select('state', 'amount')).toEqual([
    { state: 'resolved', amount: '10.00' },
  ]);
  await expectNoViolations({ order_ids: [order.id] });
});

test('a refund that is made at PayPal is recorded once; one that the store has made is none', async () => {
  const { number, shopper, payment, path, order } = await anOrderWith('good-6');
  await shopper.put(`/checkouts/${number}/next`);
  const admin = api(await anAdmin(), app);
  await admin.put(`${path}/capture`);
  await admin.put(`${path}/credit`, { amount: '4' });
  const [capture] = orderOf(payment).payments.captures;
  const up = { rel: 'up', href: `https://api.paypal.example/v2/payments/captures/${capture.id}` };
  const send = (id: string, value: string, currency_code = 'USD', links: object[] = [up]) =>
    sendEvent('PAYMENT.CAPTURE.REFUNDED', {
      id,
      status: 'COMPLETED',
      custom_id: payment.number,
      amount: { currency_code, value },
      links,
    });
  const own = [...paypal.refunds.keys()].at(-1) ?? '';
  const replies = await Promise.all([
    send(own, '4.00'),
    send('REF-BY-HAND', '5.00'),
    send('REF-BY-HAND', '5.00'),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await admin.get(path)).body.refunds).toMatchObject([{ amount: '4.0' }, { amount: '5.0' }]);
  // More than was captured, in another currency, and without the link to what was captured.
  expect((await send('REF-TOO-MUCH', '5000.00')).status).toBe(200);
  expect((await send('REF-UNLINKED', '1.00', 'USD', [])).status).toBe(200);
  expect((await send('REF-IN-EURO', '1.00', 'EUR')).status).toBe(200);
  expect((await admin.get(path)).body.refunds).toHaveLength(2);
  await expectNoViolations({ order_ids: [order.id] });
});

describe('what is done to an authorization at PayPal', () => {
  async function anAuthorizedOrder(token: string) {
    const made = await anOrderWith(token);
    await made.shopper.put(`/checkouts/${made.number}/next`);
    const admin = api(await anAdmin(), app);
    const { id } = orderOf(made.payment).payments.authorizations[0];
    const show = async () => (await admin.get(`/orders/${made.number}`)).body;
    const sendCapture = (capture: string, value: string, whole = `authorizations/${id}`) =>
      sendEvent('PAYMENT.CAPTURE.COMPLETED', {
        id: capture,
        status: 'COMPLETED',
        custom_id: made.payment.number,
        amount: { currency_code: 'USD', value },
        links: [{ rel: 'up', href: `https://api.paypal.example/v2/payments/${whole}` }],
      });
    return { ...made, admin, show, sendCapture, authorization: id as string };
  }

  test('a capture is recorded once; one that the store has made is none', async () => {
    const { path, order, admin, show, sendCapture, authorization } = await anAuthorizedOrder('good-7');
    await admin.put(`${path}/capture`, { amount: '5' });
    const [own] = orderOf((await show()).payments[0]).payments.captures;
    const before = await show();
    await sendCapture(own.id, '5.00');
    // Of an order that the buyer has made with our number.
    await sendCapture('CAP-OF-BUYER', '6.00', 'authorizations/AUT-OF-BUYER');
    await sendCapture('CAP-OF-OTHER-KIND', '6.00', `captures/${authorization}`);
    expect(await show()).toEqual(before);
    const replies = await Promise.all([1, 2].map(() => sendCapture('CAP-BY-HAND', '6.00')));
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect((await show()).payments).toMatchObject([
      { state: 'completed', amount: '5.0' },
      { state: 'completed', amount: '6.0' },
      { state: 'pending' },
    ]);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('a void, or its expiry, voids the payment once', async () => {
    const { payment, order, show, authorization } = await anAuthorizedOrder('good-8');
    for (const custom_id of [payment.number, undefined])
      await sendEvent('PAYMENT.AUTHORIZATION.VOIDED', { id: authorization, status: 'VOIDED', custom_id });
    expect(await show()).toMatchObject({ payment_state: 'balance_due', payments: [{ state: 'void' }] });
    await expectNoViolations({ order_ids: [order.id] });
  });
});

test('an amount that PayPal would round is declined', async () => {
  const gateway = paypal.gateways['paypal']!.connect(PAYPAL_KEYS);
  const charge = (amount: string) =>
    gateway.authorize({
      amount: toAmount(amount),
      currency: 'TWD',
      idempotency_key: unique('key'),
      order_number: 'R1',
      payment_number: unique('P'),
      authorization: 'P1',
      started_at: new Date(),
      source: {
        gateway_customer_profile_id: null,
        gateway_payment_profile_id: 'good-7',
        is_saved_by_another_user: false,
      },
    });
  expect(await charge('100')).toMatchObject({ approved: true });
  expect(await charge('100.50')).toMatchObject({
    approved: false,
    message: 'PayPal takes no decimals in TWD',
  });
});

test('the transactions of PayPal are compared with ours', async () => {
  const { number, shopper, payment, path } = await anOrderWith('good-5');
  await shopper.put(`/checkouts/${number}/next`);
  const admin = api(await anAdmin(), app);
  await admin.put(`${path}/capture`);
  await admin.put(`${path}/credit`, { amount: '4' });
  const period = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) };
  const compare = async () => {
    const methods = await reconcilePayments(app.deps, period);
    const found = methods.find(({ payment_method_id: id }) => id === methodId)!.differences;
    return found.filter(({ payment_number }) => payment_number === payment.number);
  };
  expect(await compare()).toEqual([]);
  const [capture, refund] = paypal.transactions
    .map(({ transaction_info: one }) => one)
    .filter(({ custom_field }) => custom_field === payment.number);
  // A payment that is pending has not moved money.
  capture.transaction_status = 'P';
  expect(await compare()).toMatchObject([{ kind: 'capture', problem: 'missing_there' }]);
  // PayPal marks a payment as reversed when it is refunded, and a refund when it has failed.
  capture.transaction_status = 'V';
  expect(await compare()).toEqual([]);
  refund.transaction_status = 'V';
  await sendEvent('PAYMENT.REFUND.FAILED', { id: refund.transaction_id, custom_id: payment.number });
  expect(await compare()).toEqual([]);
  capture.transaction_amount.value = '1.00';
  expect(await compare()).toMatchObject([{ kind: 'capture', problem: 'other_amount', there: '1.0' }]);
});

test('its credentials are required, and pages get the id of the app', async () => {
  const admin = api(await anAdmin(), app);
  const incomplete = await admin.post('/payment_methods', {
    payment_method: { name: 'x', gateway: 'paypal', preferences: { client_id: 'app' } },
  });
  expect([incomplete.status, incomplete.body.errors.preferences]).toEqual([
    422,
    ['client_secret', 'webhook_id', 'return_url'].map((name) => `${name} can't be blank`),
  ]);
  const order = await orderInState('payment');
  const { body } = await api(order.caller, app).get(`/orders/${order.number}/payments/new`);
  expect(body.payment_methods.find(({ id }: any) => id === methodId).public_preferences).toEqual({
    client_id: 'app',
  });
});
