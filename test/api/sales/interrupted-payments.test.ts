import { recorders } from '../../../src/sales/payments/recorders';
import { findGatewayRequests } from '../../../src/sales/payment-processing/gateway-requests.repository';
import { settleInterruptedPayments } from '../../../src/sales/payment-processing/settle-interrupted-payments.job';
import type { GatewayRegistry } from '../../../src/sales/payment-processing/gateways/registry';
import { anAdmin } from '../../support/accounts.factory';
import { api, makeTestApp, testApp, type TestApp } from '../../support/api';
import { testDb } from '../../support/database';
import { buildBogusGateway, buildIdempotentGateway, UNREACHABLE } from '../../support/gateways';
import { expectNoViolations } from '../../support/invariants';
import { aSellableVariant, getTotalOnHand, orderInState } from '../../support/orders.factory';
import { anOrderOf, aPaymentIn, expireClaims, getPaymentTotals } from '../../support/payments.factory';

/** Creates an application whose gateway is unreachable. */
const makeUnreachableGatewayApp = (): TestApp => makeTestApp({ gateways: buildBogusGateway(UNREACHABLE) });

/** Runs the settle job with these gateways. */
async function settle(gateways?: GatewayRegistry): Promise<number> {
  const { deps } = gateways === undefined ? testApp() : makeTestApp({ gateways });
  return settleInterruptedPayments(deps, recorders);
}

const NO_CODES = { response_code: null, avs_response: null, cvv_response: null };

const buildDecliningGateway = () =>
  buildBogusGateway({
    authorize: () =>
      Promise.resolve({
        approved: false,
        message: 'Declined after all',
        ...NO_CODES,
      }),
  });

const getOperation = (path: string) =>
  testDb()('payment_operations')
    .where({ payment_id: Number(path.split('/').at(-1)) })
    .orderBy('id', 'desc')
    .first();

// Leave no interrupted payments to other tests, nor accept theirs.
const settleAll = async (): Promise<void> => {
  await expireClaims();
  await settle();
};
beforeEach(settleAll);
afterEach(settleAll);

test('an unreachable gateway returns 503, and the payment waits for its result', async () => {
  const order = await anOrderOf('41.98', { state: 'complete' });
  const path = await aPaymentIn('pending', order);
  const reply = await api(await anAdmin(), makeUnreachableGatewayApp()).put(`${path}/capture`);
  expect([reply.status, reply.body, reply.headers]).toEqual([
    503,
    { error: 'The payment gateway did not answer. The outcome will be known shortly.' },
    expect.objectContaining({ 'retry-after': '1', 'x-error-code': 'payment_gateway_unavailable' }),
  ]);
  expect((await api(await anAdmin()).get(path)).body.state).toBe('processing');
  expect(await getPaymentTotals(order)).toEqual({ payment_state: 'balance_due', payment_total: '0.00' });

  const impatient = await api(await anAdmin()).put(`${path}/void`);
  expect(impatient.status).toBe(409);
});

test('the job calls the gateway again with the same key and records the result once', async () => {
  const order = await anOrderOf('41.98', { state: 'complete' });
  const path = await aPaymentIn('pending', order);
  const admin = await anAdmin();
  await api(admin, makeUnreachableGatewayApp()).put(`${path}/capture`, { amount: '40' });
  const { idempotency_key } = await getOperation(path);
  const { gateways, ledger } = buildIdempotentGateway();

  expect(await settle(gateways)).toBe(0);
  expect(ledger.requests).toEqual([]);

  await expireClaims();
  const settled = await Promise.all([settle(gateways), settle(gateways), settle(gateways)]);
  expect(settled.reduce((sum, count) => sum + count)).toBe(1);
  expect(await settle(gateways)).toBe(0);

  expect(ledger.requests.map((request) => request.idempotency_key)).toEqual([idempotency_key]);
  expect([...ledger.moved]).toEqual([[idempotency_key, 4000n]]);
  expect((await api(admin).get(path)).body).toMatchObject({ state: 'completed', amount: '40.0' });
  expect(await getPaymentTotals(order)).toEqual({ payment_state: 'balance_due', payment_total: '40.00' });
  const steps = await testDb()('state_changes')
    .where({ subject_type: 'payment', subject_id: Number(path.split('/').at(-1)), to_state: 'completed' })
    .select('from_state', 'user_id');
  expect(steps).toEqual([{ from_state: 'processing', user_id: admin.id }]);
});

test('the job repeats each call exactly as it was sent first', async () => {
  const sent: object[] = [];
  const lose = (request: { started_at: Date }) => {
    const { started_at, ...others } = request;
    expect(Math.abs(Date.now() - started_at.getTime())).toBeLessThan(600_000);
    sent.push(others);
    return Promise.reject(new Error('lost'));
  };
  const gateways = buildBogusGateway({
    authorize: lose,
    purchase: lose,
    capture: lose,
    void: lose,
    credit: lose,
  });
  const admin = await anAdmin();
  const captured = await aPaymentIn('pending', await anOrderOf('30', { state: 'complete' }));
  await api(admin).put(`${captured}/capture`, { amount: '10' });
  await api(admin).put(`${captured}/credit`, { amount: '1' });
  const { payments } = (await api(admin).get(captured.replace(/\/payments.*/, ''))).body;
  const rest = captured.replace(/[^/]+$/, String(payments.find((one: any) => one.state === 'pending').id));
  const calls: [path: string, event: string][] = [
    [await aPaymentIn('checkout', await anOrderOf('10')), 'authorize'],
    [await aPaymentIn('checkout', await anOrderOf('10')), 'purchase'],
    [await aPaymentIn('pending', await anOrderOf('10', { state: 'complete' })), 'capture'],
    [await aPaymentIn('completed', await anOrderOf('10', { state: 'complete' })), 'void'],
    [captured, 'credit'],
    [rest, 'void'],
  ];
  for (const [path, event] of calls) {
    sent.length = 0;
    const reply = await api(admin, makeTestApp({ gateways })).put(`${path}/${event}`, { amount: '2' });
    expect([event, reply.status]).toEqual([event, 503]);
    await expireClaims();
    await settle(gateways);
    expect(sent).toEqual([sent[0], sent[0]]);
    await settleAll();
  }
});

test('an unsettled credit is not counted; settled, it is counted once', async () => {
  const order = await anOrderOf('10', { state: 'complete' });
  const path = await aPaymentIn('completed', order);
  await api(await anAdmin(), makeUnreachableGatewayApp()).put(`${path}/credit`, { amount: '4' });
  // Other updates of the order in between must not treat the payment as unpaid.
  const { deps } = testApp();
  await deps.db.transaction((tx: any) =>
    deps.onBackordersFilled(tx, { units: [], order_ids: [order.id], user_id: null }),
  );
  expect(await getPaymentTotals(order)).toEqual({ payment_state: 'paid', payment_total: '10.00' });

  await expireClaims();
  await settle();
  expect(await getPaymentTotals(order)).toEqual({ payment_state: 'balance_due', payment_total: '6.00' });
  expect((await api(await anAdmin()).get(path)).body).toMatchObject({ state: 'completed', amount: '10.0' });
});

test('the job changes nothing while the gateway is unreachable', async () => {
  const path = await aPaymentIn('pending', await anOrderOf('10', { state: 'complete' }));
  await api(await anAdmin(), makeUnreachableGatewayApp()).put(`${path}/capture`);
  await expireClaims();
  expect(await settleInterruptedPayments(makeUnreachableGatewayApp().deps, recorders)).toBe(0);
  expect((await api(await anAdmin()).get(path)).body.state).toBe('processing');
});

describe('an order that was being completed', () => {
  async function interruptCompletion() {
    const variant = await aSellableVariant({ stock: 5 });
    const order = await orderInState('confirm', { lines: [{ variant_id: variant.id, quantity: 2 }] });
    const shopper = { orderToken: order.token as string };
    const reply = await api(shopper, makeUnreachableGatewayApp()).put(`/checkouts/${order.number}`);
    expect(reply.status).toBe(503);
    const getStock = async (): Promise<number> =>
      Number(
        (await testDb()('stock_items').where({ variant_id: variant.id }).sum('count_on_hand').first())?.[
          'sum'
        ],
      );
    return { order, shopper, stock: getStock };
  }

  test('is completed when the gateway has approved the payment', async () => {
    const { order, shopper, stock } = await interruptCompletion();
    expect(await stock()).toBe(3);
    expect((await api(shopper).get(`/orders/${order.number}`)).body).toMatchObject({
      state: 'confirm',
      payments: [{ state: 'processing' }],
    });
    await expireClaims();
    expect(await settle()).toBe(1);
    const done = (await api(shopper).put(`/checkouts/${order.number}`)).body;
    expect(done).toMatchObject({ state: 'complete', payments: [{ state: 'pending', avs_response: 'D' }] });
    expect(await stock()).toBe(3);
  });

  test('is reset when the gateway has declined, and can be paid another way', async () => {
    const { order, shopper, stock } = await interruptCompletion();
    await expireClaims();
    expect(await settle(buildDecliningGateway())).toBe(1);
    expect(await stock()).toBe(5);
    expect((await api(shopper).get(`/orders/${order.number}`)).body).toMatchObject({
      state: 'confirm',
      completed_at: null,
      payments: [{ state: 'failed' }],
    });
    expect(await settle()).toBe(0);

    const [question] = await findGatewayRequests(testDb(), [
      (await getOperation(`/${order.payments[0].id}`)).id,
    ]);
    if (question === undefined) throw new Error('no question');
    await recorders.complete_order(testApp().deps, question, {
      approved: false,
      message: 'late',
      ...NO_CODES,
    });
    expect(await stock()).toBe(5);
  });
});

describe('stock that arrives while a completion waits for its gateway', () => {
  /** Completes an order of three backordered units whose gateway fails, then receives `arrived` units. */
  async function interruptBackorderedCompletion(
    arrived: number,
  ): Promise<{ order: any; variant: { id: number } }> {
    const variant = await aSellableVariant({ stock: 0, backorderable: true });
    const order = await orderInState('confirm', { lines: [{ variant_id: variant.id, quantity: 3 }] });
    const reply = await api(order.caller, makeUnreachableGatewayApp()).put(`/checkouts/${order.number}`);
    expect(reply.status).toBe(503);
    const item = await testDb()('stock_items').where({ variant_id: variant.id }).first();
    expect(item.count_on_hand).toBe(-3);
    const { status } = await api(await anAdmin()).put(`/stock_items/${item.id}`, {
      stock_item: { count_on_hand: arrived },
    });
    expect(status).toBe(200);
    await expireClaims();
    return { order, variant };
  }

  test.each([
    { arrived: 2, states: { on_hand: 2, backordered: 1 } },
    { arrived: 3, states: { on_hand: 3 } },
    { arrived: 5, states: { on_hand: 3 } },
  ])('goes to the order when it completes: $arrived of three', async ({ arrived, states }) => {
    const { order, variant } = await interruptBackorderedCompletion(arrived);
    await settle();
    const shown = (await api(order.caller).get(`/orders/${order.number}`)).body;
    expect(shown).toMatchObject({ state: 'complete', shipments: [{ manifest: [{ quantity: 3, states }] }] });
    expect(await getTotalOnHand(variant.id)).toBe(arrived - 3);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('is free for other orders when it does not complete', async () => {
    const { order, variant } = await interruptBackorderedCompletion(2);
    const other = await orderInState('complete', { lines: [{ variant_id: variant.id, quantity: 2 }] });
    await settle(buildDecliningGateway());
    const listUnitStates = async ({ number, caller }: any) =>
      (await api(caller).get(`/orders/${number}`)).body.shipments[0].manifest[0].states;
    expect(await listUnitStates(other)).toEqual({ on_hand: 2 });
    expect((await api(order.caller).get(`/orders/${order.number}`)).body.state).toBe('confirm');
    expect(await getTotalOnHand(variant.id)).toBe(0);
    await expectNoViolations({ order_ids: [order.id, other.id] });
  });
});
