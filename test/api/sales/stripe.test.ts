import Stripe from 'stripe';
import { settleInterruptedPayments } from '../../../src/sales/payment-processing/settle-interrupted-payments.job';
import { publishEvents } from '../../../src/events/publish-events';
import { openCredentials } from '../../../src/sales/payment-processing/gateways/credentials';
import { sealStoredCredentials } from '../../../src/sales/payment-methods/payment-methods.service';
import { reconcilePayments } from '../../../src/sales/payment-processing/reconcile-payments';
import { recorders } from '../../../src/sales/payments/recorders';
import { aCustomer, anAdmin, asAdmin } from '../../support/accounts.factory';
import { api, makeTestApp, type Caller, type TestApp } from '../../support/api';
import { testDb } from '../../support/database';
import { expectNoViolations } from '../../support/invariants';
import { GOOD_CARD, orderInState } from '../../support/orders.factory';
import { expireClaims } from '../../support/payments.factory';
import { STRIPE_KEY, startStripe, type StripeServer } from '../../support/stripe-server';
import { unique } from '../../support/unique';

const WEBHOOK_SECRET = 'whsec_test';

let stripe: StripeServer;
let app: TestApp;
let methodId: number;

beforeAll(async () => {
  stripe = await startStripe();
  app = makeTestApp({ gateways: stripe.gateways });
  const preferences = {
    secret_key: STRIPE_KEY,
    publishable_key: 'pk_test_1',
    webhook_secret: WEBHOOK_SECRET,
  };
  const reply = await api(await anAdmin(), app).post('/payment_methods', {
    payment_method: { name: unique('Stripe'), gateway: 'stripe', preferences },
  });
  expect(reply.status).toBe(201);
  methodId = reply.body.id;
});

afterAll(() => stripe.close());

/** An order in `confirm` that is paid with a token. */
async function anOrderWith(token: string, caller?: Caller) {
  const order = await orderInState('payment', caller === undefined ? {} : { caller });
  const shopper = api(order.caller, app);
  const reply = await shopper.put(
    `/checkouts/${order.number}`,
    payBy({ gateway_payment_profile_id: unique(`${token}_`) }),
  );
  expect([reply.status, reply.body.state]).toEqual([200, 'confirm']);
  const payment = reply.body.payments.at(-1);
  const path = `/orders/${order.number}/payments/${payment.id}`;
  return { order, shopper, payment, path, number: order.number as string };
}

const payBy = (source: object) => ({
  order: { payments_attributes: [{ payment_method_id: methodId }] },
  payment_source: { [methodId]: source },
});

const intentOf = (number: string) =>
  [...stripe.intents.values()].find(({ metadata }) => metadata['payment'] === number)!;

/** Sends an event as Stripe does; without a signature if the secret is null. */
async function sendEvent(
  type: string,
  object: object,
  { id = unique('evt'), secret = WEBHOOK_SECRET }: { id?: string; secret?: string | null } = {},
) {
  const payload = JSON.stringify({ id, object: 'event', type, data: { object } });
  const sign = (key: string) => new Stripe('sk').webhooks.generateTestHeaderString({ payload, secret: key });
  const headers = {
    'Content-Type': 'application/json',
    ...(secret !== null && { 'Stripe-Signature': sign(secret) }),
  };
  return api({ headers }, app).post(`/gateways/${methodId}/events`, payload);
}

const cents = (total: string): number => Math.round(Number(total) * 100);
const settle = () => settleInterruptedPayments(app.deps, recorders);

test('a card is authorized, captured in part and refunded', async () => {
  const { number, shopper, payment, path, order } = await anOrderWith('pm_visa');
  const done = (await shopper.put(`/checkouts/${number}/next`)).body;
  expect(done).toMatchObject({ state: 'complete', payments: [{ state: 'pending', avs_response: 'Y' }] });
  expect(done.payments[0].source).toMatchObject({
    last_digits: '4242',
    month: '8',
    year: '2034',
    cc_type: 'visa',
  });
  const intent = intentOf(payment.number);
  expect(intent).toMatchObject({
    amount: cents(order.total),
    currency: 'usd',
    capture_method: 'manual',
    metadata: { payment: payment.number, order: number },
  });
  const admin = api(await anAdmin(), app);
  expect((await admin.put(`${path}/capture`, { amount: '10' })).body).toMatchObject({
    state: 'completed',
    amount: '10.0',
  });
  expect(intent).toMatchObject({ status: 'succeeded', amount_received: 1000 });
  expect((await admin.put(`${path}/credit`, { amount: '4' })).body.refunds).toMatchObject([
    { amount: '4.0' },
  ]);
  // The bank has released the rest with the capture.
  const rest = (await admin.get(`/orders/${number}`)).body.payments.at(-1);
  const refused = await admin.put(`/orders/${number}/payments/${rest.id}/capture`);
  expect([refused.status, refused.body.error]).toEqual([422, expect.stringContaining('status of succeeded')]);
  await expectNoViolations({ order_ids: [order.id] });
});

test('a bank that allows several captures keeps the rest', async () => {
  const { number, shopper, payment, path, order } = await anOrderWith('pm_multi');
  await shopper.put(`/checkouts/${number}/next`);
  const admin = api(await anAdmin(), app);
  await admin.put(`${path}/capture`, { amount: '10' });
  const rest = (await admin.get(`/orders/${number}`)).body.payments.at(-1);
  expect((await admin.put(`/orders/${number}/payments/${rest.id}/capture`)).body.state).toBe('completed');
  expect(intentOf(payment.number)).toMatchObject({
    status: 'succeeded',
    amount_received: cents(order.total),
  });
});

test('what was captured of a canceled order is refunded, also while a bank keeps the rest for more captures', async () => {
  const { number, shopper, payment, path, order } = await anOrderWith('pm_multi');
  await shopper.put(`/checkouts/${number}/next`);
  const admin = api(await anAdmin(), app);
  await admin.put(`${path}/capture`, { amount: '10' });
  const canceled = (await admin.put(`/orders/${number}/cancel`)).body;
  expect(canceled).toMatchObject({
    payment_state: 'void',
    payments: [{ state: 'completed', refunds: [{ amount: '10.0' }] }, { state: 'void' }],
  });
  const { id, status } = intentOf(payment.number);
  const refunded = [...stripe.refunds.values()].filter((refund) => refund.payment_intent === id);
  expect([status, refunded.map(({ amount }) => amount)]).toEqual(['canceled', [1000]]);
  await expectNoViolations({ order_ids: [order.id] });
});

test('a decline is reported with the message of the provider', async () => {
  const { number, shopper, order } = await anOrderWith('pm_declined');
  const reply = await shopper.put(`/checkouts/${number}/next`);
  expect([reply.status, reply.headers['x-error-code'], reply.body.errors]).toEqual([
    422,
    'payment_declined',
    { base: ['Your card was declined.'] },
  ]);
  await expectNoViolations({ order_ids: [order.id] });
});

describe('3-D Secure', () => {
  test.each([
    [true, 'complete', 'pending', 200],
    [false, 'confirm', 'failed', 422],
  ])('authenticated: %s', async (succeeds, state, paymentState, status) => {
    const { number, shopper, payment, order } = await anOrderWith('pm_3ds');
    const reply = await shopper.put(`/checkouts/${number}/next`);
    expect([reply.status, reply.body.errors.payments]).toEqual([
      422,
      [{ id: payment.id, number: payment.number, requires_action: { client_secret: 'pi_secret' } }],
    ]);
    const early = await shopper.put(`/payments/${payment.id}/confirm_action`);
    expect([early.status, early.body.state]).toEqual([200, 'processing']);
    const intent = intentOf(payment.number);
    stripe.authenticate(intent.id, succeeds);
    // The event may arrive while the page of the shop confirms.
    const [confirmed, event] = await Promise.all([
      shopper.put(`/payments/${payment.id}/confirm_action`),
      sendEvent('payment_intent.amount_capturable_updated', intent),
    ]);
    expect([confirmed.status, event.status]).toEqual([status, 200]);
    const after = (await shopper.get(`/orders/${number}`)).body;
    expect([after.state, after.payments[0].state]).toEqual([state, paymentState]);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('that never happens returns the items to stock and cancels the payment', async () => {
    const { number, shopper, payment } = await anOrderWith('pm_3ds');
    await shopper.put(`/checkouts/${number}/next`);
    expect((await shopper.put(`/payments/${payment.id}/cancel_action`)).body.state).toBe('failed');
    expect(intentOf(payment.number).status).toBe('canceled');
  });
});

test('a time-out after the charge charges once', async () => {
  const { number, shopper, payment, order } = await anOrderWith('pm_visa');
  stripe.loses = true;
  expect((await shopper.put(`/checkouts/${number}/next`)).status).toBe(503);
  stripe.loses = false;
  await expireClaims();
  expect(await settle()).toBe(1);
  expect((await shopper.get(`/orders/${number}`)).body).toMatchObject({ state: 'complete' });
  const charged = [...stripe.intents.values()].filter(
    ({ metadata }) => metadata['payment'] === payment.number,
  );
  expect(charged).toHaveLength(1);
  await expectNoViolations({ order_ids: [order.id] });
});

test('a request that is older than what Stripe remembers is not repeated', async () => {
  const { number, shopper, payment } = await anOrderWith('pm_visa');
  stripe.loses = true;
  await shopper.put(`/checkouts/${number}/next`);
  stripe.loses = false;
  await expireClaims();
  const old = testDb().raw("now() - interval '24 hours'");
  await testDb()('payment_operations').where({ payment_id: payment.id }).update({ started_at: old });
  const before = stripe.requests.length;
  expect(await settle()).toBe(0);
  expect(stripe.requests.length).toBe(before);
  await testDb()('payment_operations')
    .where({ payment_id: payment.id })
    .update({ started_at: testDb().fn.now() });
  await expireClaims();
  expect(await settle()).toBe(1);
});

test('events that come twice, late or with a wrong signature change nothing', async () => {
  const { number, shopper, payment, order } = await anOrderWith('pm_visa');
  await shopper.put(`/checkouts/${number}/next`);
  const before = (await shopper.get(`/orders/${number}`)).body;
  const intent = intentOf(payment.number);
  for (const secret of ['whsec_other', null])
    expect((await sendEvent('payment_intent.succeeded', intent, { secret })).status).toBe(401);
  const id = unique('evt');
  for (const type of ['payment_intent.succeeded', 'payment_intent.succeeded', 'payment_intent.created'])
    expect((await sendEvent(type, { ...intent, status: 'canceled' }, { id })).status).toBe(200);
  // Of another authorization than ours.
  const other = { ...intent, id: 'pi_other', status: 'canceled' };
  expect((await sendEvent('payment_intent.canceled', other)).status).toBe(200);
  expect((await sendEvent('customer.created', { object: 'customer', id: 'cus_1' })).status).toBe(200);
  expect((await shopper.get(`/orders/${number}`)).body).toEqual(before);
  expect(await testDb()('gateway_events').where({ event_id: id }).count()).toEqual([{ count: '1' }]);
  await expectNoViolations({ order_ids: [order.id] });
});

test('a refund that settles later counts when it has', async () => {
  const { number, shopper, path, order } = await anOrderWith('pm_visa');
  await shopper.put(`/checkouts/${number}/next`);
  const admin = api(await anAdmin(), app);
  await admin.put(`${path}/capture`);
  stripe.refundStatus = 'pending';
  const pending = await admin.put(`${path}/credit`, { amount: '4' });
  stripe.refundStatus = 'succeeded';
  expect([pending.status, pending.body.state, pending.body.refunds]).toEqual([200, 'processing', []]);
  const refund = [...stripe.refunds.values()].at(-1);
  refund.status = 'succeeded';
  await sendEvent('refund.updated', refund);
  expect((await admin.get(path)).body).toMatchObject({ state: 'completed', refunds: [{ amount: '4.0' }] });
  // The code of the payment stays, which later refunds need.
  expect((await admin.put(`${path}/credit`, { amount: '1' })).body.refunds).toHaveLength(2);
  await expectNoViolations({ order_ids: [order.id] });
});

/** Lists the failure of a refund as Stripe does, as a movement beside the refund. */
function failAtStripe(refundId: string): void {
  const refund = stripe.movements.find(({ source }) => source.id === refundId);
  stripe.movements.push({ ...refund, id: unique('txn'), type: 'refund_failure', amount: -refund.amount });
}

/** Returns what the comparison with Stripe says about a payment and a refund. */
async function listDifferences(paymentNumber: string, refundId: string) {
  const period = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) };
  const methods = await reconcilePayments(app.deps, period);
  return methods
    .flatMap(({ differences }) => differences)
    .filter(
      ({ payment_number, references }) => payment_number === paymentNumber || references.includes(refundId),
    );
}

test('a refund that fails before it was approved is no difference', async () => {
  const { number, shopper, payment, path, order } = await anOrderWith('pm_visa');
  await shopper.put(`/checkouts/${number}/next`);
  const admin = api(await anAdmin(), app);
  await admin.put(`${path}/capture`);
  stripe.refundStatus = 'failed';
  const refused = await admin.put(`${path}/credit`, { amount: '4' });
  stripe.refundStatus = 'succeeded';
  expect([refused.status, refused.body.error]).toEqual([422, expect.stringContaining('the refund failed')]);
  const { id } = [...stripe.refunds.values()].at(-1);
  failAtStripe(id);
  expect(await listDifferences(payment.number, id)).toEqual([]);
  // One that was approved is, until its event has come.
  await admin.put(`${path}/credit`, { amount: '4' });
  const approved = [...stripe.refunds.values()].at(-1);
  failAtStripe(approved.id);
  expect(await listDifferences(payment.number, approved.id)).toMatchObject([
    { kind: 'failed_refund', there: '4.0' },
  ]);
  await sendEvent('refund.failed', { ...approved, status: 'failed' });
  expect(await listDifferences(payment.number, approved.id)).toEqual([]);
  await expectNoViolations({ order_ids: [order.id] });
});

test('the captures and refunds of Stripe are compared with ours', async () => {
  const { number, shopper, path, payment } = await anOrderWith('pm_visa');
  await shopper.put(`/checkouts/${number}/next`);
  const admin = api(await anAdmin(), app);
  await admin.put(`${path}/capture`);
  await admin.put(`${path}/credit`, { amount: '4' });
  const other = await anOrderWith('pm_visa');
  await other.shopper.put(`/checkouts/${other.number}/next`);
  const period = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) };
  const compare = async () => {
    const methods = await reconcilePayments(app.deps, period);
    const { differences } = methods.find(({ payment_method_id: id }) => id === methodId)!;
    const numbers = [payment.number, other.payment.number, 'P000000000'];
    return differences.filter(({ payment_number }) => numbers.includes(payment_number ?? ''));
  };
  expect(await compare()).toEqual([]);

  const moved = (type: string) =>
    stripe.movements.findIndex((one) => one.type === type && one.source.metadata.payment === payment.number);
  const capture = stripe.movements[moved('charge')];
  stripe.movements.splice(moved('refund'), 1);
  capture.amount += 1;
  const copy = (name: string) => ({
    ...capture,
    id: unique('txn'),
    source: { ...capture.source, metadata: { payment: name } },
  });
  stripe.movements.push(copy(other.payment.number), copy('P000000000'));
  const found = await compare();
  expect(found.map(({ payment_number, kind, problem }) => [payment_number, kind, problem]).sort()).toEqual(
    [
      [payment.number, 'capture', 'other_amount'],
      [payment.number, 'refund', 'missing_there'],
      [other.payment.number, 'capture', 'other_state'],
      ['P000000000', 'capture', 'missing_here'],
    ].sort(),
  );
});

test('a void of a captured payment is a refund, and of an authorized one a cancellation', async () => {
  const admin = api(await anAdmin(), app);
  const captured = await anOrderWith('pm_visa');
  await captured.shopper.put(`/checkouts/${captured.number}/next`);
  await admin.put(`${captured.path}/capture`);
  expect((await admin.put(`/orders/${captured.number}/cancel`)).body).toMatchObject({
    payment_state: 'void',
    payment_total: '0.0',
  });
  expect([...stripe.refunds.values()].at(-1).payment_intent).toBe(intentOf(captured.payment.number).id);
  const authorized = await anOrderWith('pm_visa');
  await authorized.shopper.put(`/checkouts/${authorized.number}/next`);
  expect((await admin.put(`${authorized.path}/void`)).body.state).toBe('void');
  expect(intentOf(authorized.payment.number).status).toBe('canceled');
  // The bank has released the rest of a partial capture, so that its void needs nothing.
  const part = await anOrderWith('pm_visa');
  await part.shopper.put(`/checkouts/${part.number}/next`);
  await admin.put(`${part.path}/capture`, { amount: '10' });
  const refunds = stripe.refunds.size;
  const rest = (await admin.get(`/orders/${part.number}`)).body.payments.at(-1);
  expect((await admin.put(`/orders/${part.number}/payments/${rest.id}/void`)).body.state).toBe('void');
  expect([stripe.refunds.size, intentOf(part.payment.number).amount_received]).toEqual([refunds, 1000]);
  await expectNoViolations({ order_ids: [captured, authorized, part].map(({ order }) => order.id) });
});

test('a refund that fails after it was approved is taken back, once', async () => {
  const { number, shopper, path, order } = await anOrderWith('pm_visa');
  await shopper.put(`/checkouts/${number}/next`);
  const admin = api(await anAdmin(), app);
  await admin.put(`${path}/capture`);
  await admin.put(`${path}/credit`, { amount: '4' });
  const refund = [...stripe.refunds.values()].at(-1);
  const paid = async () => cents((await admin.get(`/orders/${number}`)).body.payment_total);
  const report = async () => {
    const byGateway = (await admin.get('/reports/payments?group_by=gateway')).body.rows;
    const { refunded } = byGateway.find(({ gateway }: any) => gateway === 'stripe');
    return [cents(refunded), cents((await admin.get('/reports/refunds')).body.totals.total)];
  };
  const total = await paid();
  const refunded = await report();
  const failed = { ...refund, status: 'failed', failure_reason: 'lost_or_stolen_card' };
  // Stripe reports it by several events, which may come at once.
  const replies = await Promise.all(
    ['refund.failed', 'refund.updated', 'charge.refund.updated'].map((type) => sendEvent(type, failed)),
  );
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  const { payments, payment_total } = (await admin.get(`/orders/${number}`)).body;
  expect([cents(payment_total), ...(await report())]).toEqual([
    total + 400,
    ...refunded.map((sum) => sum - 400),
  ]);
  const back = payments.at(-1);
  expect(back).toMatchObject({ state: 'completed', amount: '4.0' });
  expect(payments).toHaveLength(2);
  refund.status = 'failed';
  const again = await admin.put(`/orders/${number}/payments/${back.id}/credit`, { amount: 4 });
  expect([again.status, again.body.refunds]).toMatchObject([200, [{ amount: '4.0' }]]);
  expect(await paid()).toBe(total);
  await expectNoViolations({ order_ids: [order.id] });
});

describe('a refund that is made in the dashboard of Stripe', () => {
  /** Makes a refund there, and sends its events. */
  async function refundAtStripe(number: string, amount: number) {
    const made = await fetch(`http://127.0.0.1:${stripe.port}/v1/refunds`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${STRIPE_KEY}` },
      body: new URLSearchParams({ payment_intent: intentOf(number).id, amount: String(amount) }),
    });
    const refund = (await made.json()) as Stripe.Refund; // the stand-in replies as Stripe does
    const replies = await Promise.all(
      ['refund.created', 'refund.updated', 'charge.refund.updated'].map((type) => sendEvent(type, refund)),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    return refund;
  }

  test('is recorded once, with its credit note, and is taken back if it fails', async () => {
    const { number, shopper, payment, path, order } = await anOrderWith('pm_visa');
    await shopper.put(`/checkouts/${number}/next`);
    const admin = api(await anAdmin(), app);
    await admin.put(`${path}/capture`);
    const requests = stripe.requests.length;
    const refund = await refundAtStripe(payment.number, 500);
    expect(stripe.requests.slice(requests)).toEqual(['POST /v1/refunds']);
    const show = async () => (await admin.get(`/orders/${number}`)).body;
    const [total, paid] = [cents(order.total), cents((await show()).payment_total)];
    expect([total - paid, (await show()).payments]).toMatchObject([
      500,
      [{ state: 'completed', refunds: [{ amount: '5.0', reason: 'Refund at the provider' }] }],
    ]);
    const { documents } = (await admin.get(`/orders/${number}/documents`)).body;
    expect(documents).toMatchObject([{ kind: 'invoice' }, { kind: 'credit_note', total: '5.0' }]);
    expect(await listDifferences(payment.number, refund.id)).toEqual([]);
    failAtStripe(refund.id);
    await sendEvent('refund.failed', { ...refund, status: 'failed' });
    expect((await show()).payment_total).toBe(order.total);
    expect(await listDifferences(payment.number, refund.id)).toEqual([]);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('is shared out to the captures of one payment', async () => {
    const { number, shopper, payment, path, order } = await anOrderWith('pm_multi');
    await shopper.put(`/checkouts/${number}/next`);
    const admin = api(await anAdmin(), app);
    await admin.put(`${path}/capture`, { amount: '10' });
    const [, rest] = (await admin.get(`/orders/${number}`)).body.payments;
    await admin.put(`/orders/${number}/payments/${rest.id}/capture`);
    await admin.put(`${path}/credit`, { amount: '4' });
    await refundAtStripe(payment.number, 700);
    expect((await admin.get(`/orders/${number}`)).body.payments).toMatchObject([
      { refunds: [{ amount: '4.0' }, { amount: '6.0' }] },
      { refunds: [{ amount: '1.0' }] },
    ]);
    // The order is canceled: what is left is given back.
    expect((await admin.put(`/orders/${number}/cancel`)).body).toMatchObject({ payment_state: 'void' });
    const refunds = [...stripe.refunds.values()].filter(
      (one) => one.payment_intent === intentOf(payment.number).id,
    );
    expect(refunds.reduce<number>((sum, { amount }) => sum + amount, 0)).toBe(cents(order.total));
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('is not recorded if staff have settled it before its answer', async () => {
    const { number, shopper, payment, path, order } = await anOrderWith('pm_visa');
    await shopper.put(`/checkouts/${number}/next`);
    const admin = api(await anAdmin(), app);
    await admin.put(`${path}/capture`);
    stripe.loses = true;
    expect((await admin.put(`${path}/credit`, { amount: '5' })).status).toBe(503);
    stripe.loses = false;
    await expireClaims();
    await testDb()('payment_operations')
      .where({ payment_id: payment.id, kind: 'credit' })
      .update({ started_at: testDb().raw("now() - interval '1 minute'") });
    expect((await admin.put(`${path}/settle`, { outcome: 'approved', reason: 'Seen' })).status).toBe(200);
    const refund = { ...[...stripe.refunds.values()].at(-1), metadata: {} };
    expect((await sendEvent('refund.updated', refund)).status).toBe(200);
    expect((await admin.get(path)).body.refunds).toHaveLength(1);
    await expectNoViolations({ order_ids: [order.id] });
  });
});

describe('what is done to an authorization in the dashboard of Stripe', () => {
  /** Captures or cancels there, and sends the event of it, also a second time. */
  async function actAtStripe(
    number: string,
    action: 'capture' | 'cancel',
    body: Record<string, string> = {},
  ) {
    const { id } = intentOf(number);
    const made = await fetch(`http://127.0.0.1:${stripe.port}/v1/payment_intents/${id}/${action}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${STRIPE_KEY}` },
      body: new URLSearchParams(body),
    });
    expect(made.status).toBe(200);
    const requests = stripe.requests.length;
    const type = action === 'capture' ? 'payment_intent.succeeded' : 'payment_intent.canceled';
    const replies = await Promise.all([1, 2].map(() => sendEvent(type, { ...intentOf(number) })));
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(stripe.requests.slice(requests)).toEqual([]);
  }

  async function anAuthorizedOrder(token = 'pm_visa') {
    const made = await anOrderWith(token);
    await made.shopper.put(`/checkouts/${made.number}/next`);
    const admin = api(await anAdmin(), app);
    const show = async () => (await admin.get(`/orders/${made.number}`)).body;
    return { ...made, admin, show };
  }

  test('a capture is recorded once, and the order can be shipped and refunded', async () => {
    const { number, payment, path, order, admin, show } = await anAuthorizedOrder();
    await actAtStripe(payment.number, 'capture', { amount_to_capture: String(cents(order.total)) });
    const captured = await show();
    expect(captured).toMatchObject({
      payment_state: 'paid',
      payment_total: order.total,
      payments: [{ state: 'completed', amount: order.total }],
      shipments: [{ state: 'ready' }],
    });
    expect(captured.payments).toHaveLength(1);
    expect((await admin.get(`/orders/${number}/history`)).text).toContain('Captured at the provider');
    expect(await listDifferences(payment.number, '')).toEqual([]);
    expect((await admin.put(`${path}/credit`, { amount: '4' })).status).toBe(200);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('a capture in part leaves the rest, and one that the store has made is none', async () => {
    const { payment, order, show } = await anAuthorizedOrder();
    await actAtStripe(payment.number, 'capture', { amount_to_capture: '1000' });
    const { payments } = await show();
    expect(payments).toMatchObject([{ state: 'completed', amount: '10.0' }, { state: 'pending' }]);
    const own = await anAuthorizedOrder('pm_multi');
    await own.admin.put(`${own.path}/capture`, { amount: '10' });
    const before = await own.show();
    await sendEvent('payment_intent.succeeded', { ...intentOf(own.payment.number), status: 'succeeded' });
    expect(await own.show()).toEqual(before);
    // More than was authorized fits no payment.
    const tooMuch = { ...intentOf(payment.number), amount_received: cents(order.total) + 1 };
    expect((await sendEvent('payment_intent.succeeded', tooMuch)).status).toBe(200);
    expect((await show()).payments).toEqual(payments);
    await expectNoViolations({ order_ids: [order.id, own.order.id] });
  });

  test('a cancellation voids the payment once', async () => {
    const { payment, order, show } = await anAuthorizedOrder();
    await actAtStripe(payment.number, 'cancel');
    expect(await show()).toMatchObject({ payment_state: 'balance_due', payments: [{ state: 'void' }] });
    await expectNoViolations({ order_ids: [order.id] });
  });
});

test('a refund of a canceled order that fails leaves the credit owed', async () => {
  const { number, shopper, path, order } = await anOrderWith('pm_visa');
  await shopper.put(`/checkouts/${number}/next`);
  const admin = api(await anAdmin(), app);
  await admin.put(`${path}/capture`);
  await admin.put(`/orders/${number}/cancel`);
  await sendEvent('refund.failed', { ...[...stripe.refunds.values()].at(-1), status: 'failed' });
  expect((await admin.get(`/orders/${number}`)).body).toMatchObject({
    state: 'canceled',
    payment_total: order.total,
    payment_state: 'credit_owed',
  });
  await expectNoViolations({ order_ids: [order.id] });
});

test('a dispute is recorded with its payment, and an event in each of its states', async () => {
  const { number, shopper, payment } = await anOrderWith('pm_visa');
  await shopper.put(`/checkouts/${number}/next`);
  await publishEvents(app.deps);
  const dispute = {
    id: unique('dp'),
    object: 'dispute',
    amount: 1000,
    currency: 'usd',
    reason: 'fraudulent',
  };
  const payment_intent = intentOf(payment.number).id;
  const send = (status: string, id: string) =>
    sendEvent('charge.dispute.updated', { ...dispute, status, payment_intent }, { id });
  const first = unique('evt');
  // The provider repeats the first one.
  for (const status of ['needs_response', 'under_review', 'needs_response', 'won', 'under_review'])
    expect((await send(status, status === 'needs_response' ? first : unique('evt'))).status).toBe(200);
  expect(
    await testDb()('disputes').where({ payment_id: payment.id }).select('state', 'amount', 'reason'),
  ).toEqual([{ state: 'won', amount: '10.00', reason: 'fraudulent' }]);
  const { body } = await api(await anAdmin(), app).get('/events?types=payment.disputed&per_page=100');
  expect(body.events.filter(({ subject }: any) => subject.id === payment.id)).toMatchObject(
    ['needs_response', 'under_review', 'won'].map((state) => ({
      subject: { type: 'payment', number: payment.number },
      data: { order_number: number, dispute: { state, amount: '10.0', reason: 'fraudulent' } },
    })),
  );
});

test('a card of an account is kept and pays again', async () => {
  const customer = await aCustomer();
  const first = await anOrderWith('pm_visa', customer);
  await first.shopper.put(`/checkouts/${first.number}/next`);
  const { body } = await api(customer, app).get('/users/me/credit_cards');
  const [card] = body.credit_cards;
  expect(card).toMatchObject({ last_digits: '4242' });
  const next = await orderInState('delivery', { caller: customer });
  const shopper = api(next.caller, app);
  await shopper.put(`/checkouts/${next.number}/next`);
  await shopper.put(`/checkouts/${next.number}`, { order: { existing_card: card.id } });
  const done = (await shopper.put(`/checkouts/${next.number}/advance`)).body;
  expect(done.state).toBe('complete');
  const used = intentOf(done.payments.at(-1).number);
  expect(used.customer).toBe(intentOf(first.payment.number).customer);
  expect(used.customer).toMatch(/^cus_/);
});

test('a kept card of another user is not charged', async () => {
  const owner = await anOrderWith('pm_visa', await aCustomer());
  await owner.shopper.put(`/checkouts/${owner.number}/next`);
  const stolen = intentOf(owner.payment.number).payment_method;
  const order = await orderInState('payment');
  const shopper = api(order.caller, app);
  await shopper.put(`/checkouts/${order.number}`, payBy({ gateway_payment_profile_id: stolen }));
  const before = stripe.requests.length;
  expect((await shopper.put(`/checkouts/${order.number}/next`)).status).toBe(422);
  expect(stripe.requests.length).toBe(before);
});

test('a card without a token is not charged', async () => {
  const { number, shopper, payment } = await anOrderWith('pm_visa');
  await testDb()('credit_cards')
    .where({ id: payment.source.id })
    .update({ gateway_payment_profile_id: null });
  const before = stripe.requests.length;
  expect((await shopper.put(`/checkouts/${number}/next`)).status).toBe(422);
  expect(stripe.requests.length).toBe(before);
});

test('card numbers are refused', async () => {
  const order = await orderInState('payment');
  const reply = await api(order.caller, app).put(`/checkouts/${order.number}`, payBy(GOOD_CARD));
  expect([reply.status, reply.body.errors]).toEqual([
    422,
    { 'payments.Credit Card': [expect.stringMatching(/^Number is not accepted: send the token/)] },
  ]);
  const posted = await api(order.caller, app).post(`/orders/${order.number}/payments`, {
    payment: { payment_method_id: methodId, source_attributes: GOOD_CARD },
  });
  expect([posted.status, Object.keys(posted.body.errors)]).toEqual([422, ['Credit Card']]);
});

describe('the credentials', () => {
  test('are sealed, never shown, and required; pages get the publishable key', async () => {
    const row = await testDb()('payment_methods').where({ id: methodId }).first();
    expect(Object.keys(row.preferences)).toEqual(['sealed']);
    expect(JSON.stringify(row)).not.toContain(STRIPE_KEY);
    const shown = await api(await anAdmin(), app).get(`/payment_methods/${methodId}`);
    expect([shown.body.has_preferences, JSON.stringify(shown.body).includes('sk_test')]).toEqual([
      true,
      false,
    ]);
    const order = await orderInState('payment');
    const { body } = await api(order.caller, app).get(`/orders/${order.number}/payments/new`);
    expect(body.payment_methods.find(({ id }: any) => id === methodId)).toMatchObject({
      gateway: 'stripe',
      public_preferences: { publishable_key: expect.stringMatching(/^pk_test/) },
    });
    const incomplete = await (
      await asAdmin()
    ).post('/payment_methods', {
      payment_method: { name: 'x', gateway: 'stripe', preferences: { secret_key: 'sk' } },
    });
    expect([incomplete.status, incomplete.body.errors]).toEqual([
      422,
      { preferences: ["webhook_secret can't be blank"] },
    ]);
  });

  test('of earlier versions are sealed at the start', async () => {
    const plain = { name: unique('Old'), gateway: 'check', method_type: 'check', preferences: { key: 'k' } };
    const [{ id }] = await testDb()('payment_methods')
      .insert({ ...plain, position: 99 })
      .returning('id');
    expect(await sealStoredCredentials(app.deps)).toBe(1);
    expect(await sealStoredCredentials(app.deps)).toBe(0);
    const row = await testDb()('payment_methods').where({ id }).first();
    expect(openCredentials(app.deps.secret, row.preferences)).toEqual({ key: 'k' });
    expect(openCredentials(app.deps.secret, null)).toEqual({});
  });

  test('are merged with the ones that are stored', async () => {
    const admin = api(await anAdmin(), app);
    await admin.put(`/payment_methods/${methodId}`, {
      payment_method: { preferences: { publishable_key: 'pk_test_2' } },
    });
    const { number, shopper } = await anOrderWith('pm_visa');
    expect((await shopper.put(`/checkouts/${number}/next`)).body.state).toBe('complete');
  });
});
