import { pino } from 'pino';
import { recorders } from '../../../src/sales/payments/recorders';
import { settleInterruptedPayments } from '../../../src/sales/payment-processing/settle-interrupted-payments.job';
import type { GatewayRegistry } from '../../../src/sales/payment-processing/gateways/registry';
import { bogusGateway } from '../../../src/sales/payment-processing/gateways/bogus';
import { aCustomer, anAdmin } from '../../support/accounts.factory';
import { api, makeTestApp, testApp } from '../../support/api';
import { testDb } from '../../support/database';
import { invalid } from '../../support/error-bodies';
import { buildBogusGateway, UNREACHABLE } from '../../support/gateways';
import { expectNoViolations } from '../../support/invariants';
import { waitUntilBlockedBy } from '../../support/locks';
import { aSellableVariant, getTotalOnHand, orderInState, showOrder } from '../../support/orders.factory';
import {
  aCardPayment,
  ageOperations,
  anOrderOf,
  aPaymentIn,
  expireClaims,
  getPaymentTotals,
} from '../../support/payments.factory';
import { setEmptyStatistics } from '../../support/queries';
import { unique } from '../../support/unique';

const makeUnreachableApp = () => makeTestApp({ gateways: buildBogusGateway(UNREACHABLE) });

// Leave no interrupted payments to other tests, nor accept theirs.
const settleAll = async (): Promise<void> => {
  await expireClaims();
  await settleInterruptedPayments(testApp().deps, recorders);
};
beforeEach(settleAll);
afterEach(settleAll);

/** Starts an action on a payment whose gateway does not answer. */
async function interrupt(path: string, action: string): Promise<void> {
  const reply = await api(await anAdmin(), makeUnreachableApp()).put(`${path}/${action}`);
  expect(reply.status).toBe(503);
  await ageOperations(1);
}

const getResponseCode = async (path: string): Promise<unknown> =>
  (
    await testDb()('payments')
      .where({ id: path.split('/').at(-1) })
      .first('response_code')
  ).response_code;

const listReasons = async (order: { number: string }): Promise<[string, string, unknown][]> =>
  (await api(await anAdmin()).get(`/orders/${order.number}/history`)).body.state_changes.map(
    ({ to_state, reason, user }: any) => [to_state, reason, user?.id ?? null],
  );

describe('an admin settles a payment', () => {
  test('as approved: it is captured, and the history names who settled it and why', async () => {
    const order = await anOrderOf('41.98', { state: 'complete' });
    const path = await aPaymentIn('pending', order);
    await interrupt(path, 'capture?amount=40');
    const admin = await anAdmin();
    const settled = await api(admin).put(`${path}/settle`, {
      outcome: 'approved',
      reason: ' Seen in the dashboard ',
      response_code: 'ch_1',
    });
    expect([settled.status, settled.body]).toMatchObject([200, { state: 'completed', amount: '40.0' }]);
    expect(await getResponseCode(path)).toBe('ch_1');
    expect(await getPaymentTotals(order)).toEqual({ payment_state: 'balance_due', payment_total: '40.00' });
    expect(await listReasons(order)).toContainEqual([
      'completed',
      'payment capture, settled as approved: Seen in the dashboard',
      admin.id,
    ]);
    expect(await testDb()('payment_operations').where({ state: 'started' })).toEqual([]);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('as declined: it stays as it was, and keeps its response code', async () => {
    const order = await anOrderOf('10', { state: 'complete' });
    const path = await aPaymentIn('completed', order);
    await interrupt(path, 'credit?amount=4');
    const settled = await api(await anAdmin()).put(`${path}/settle`, { outcome: 'declined', reason: 'No' });
    expect(settled.body).toMatchObject({ state: 'completed', refunds: [] });
    expect(await getResponseCode(path)).toBe('12345');
    expect((await api(await anAdmin()).put(`${path}/credit?amount=4`)).status).toBe(200);
  });

  async function interruptCompletion(stock: { stock: number; backorderable?: boolean } = { stock: 5 }) {
    const variant = await aSellableVariant(stock);
    const order = await orderInState('confirm', { lines: [{ variant_id: variant.id, quantity: 2 }] });
    expect((await api(order.caller, makeUnreachableApp()).put(`/checkouts/${order.number}`)).status).toBe(
      503,
    );
    await ageOperations(1);
    return { order, variant, path: `/orders/${order.number}/payments/${order.payments[0].id}` };
  }

  test('as approved: its order is completed', async () => {
    const { order, variant, path } = await interruptCompletion();
    const settled = await api(await anAdmin()).put(`${path}/settle`, { outcome: 'approved', reason: 'Seen' });
    expect(settled.body.state).toBe('pending');
    expect(await showOrder(order)).toMatchObject({ state: 'complete', payment_state: 'balance_due' });
    expect(await getTotalOnHand(variant.id)).toBe(3);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('as declined: the items of its order return to stock', async () => {
    const { order, variant, path } = await interruptCompletion();
    const settled = await api(await anAdmin()).put(`${path}/settle`, { outcome: 'declined', reason: 'Gone' });
    expect(settled.body.state).toBe('failed');
    expect(await showOrder(order)).toMatchObject({ state: 'confirm', completed_at: null });
    expect(await getTotalOnHand(variant.id)).toBe(5);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('meanwhile the settling job does not call the gateway', async () => {
    const { order, variant, path } = await interruptCompletion({ stock: 2, backorderable: true });
    const waiting = await orderInState('complete', { lines: [{ variant_id: variant.id, quantity: 1 }] });
    const admin = api(await anAdmin());
    let calls = 0;
    const fail = () => {
      calls++;
      return Promise.reject(new Error('socket hang up'));
    };
    const { deps } = makeTestApp({ gateways: buildBogusGateway({ authorize: fail }) });
    const { sent } = await testDb().transaction(async (tx) => {
      // The stock that the declined payment returns fills the backorder of this order.
      await tx('orders').where({ id: waiting.id }).forUpdate().first('id');
      const reply = admin.put(`${path}/settle`, { outcome: 'declined', reason: 'Gone' });
      await waitUntilBlockedBy(tx);
      expect(await settleInterruptedPayments(deps, recorders)).toBe(0);
      return { sent: reply };
    });
    expect((await sent).body.state).toBe('failed');
    expect(calls).toBe(0);
    await expectNoViolations({ order_ids: [order.id, waiting.id] });
  });

  test('of a canceled order: the money is refunded', async () => {
    const order = await orderInState('complete');
    const admin = api(await anAdmin(), makeUnreachableApp());
    expect((await admin.put(`/orders/${order.number}/cancel`)).status).toBe(200);
    await ageOperations(1);
    const path = `/orders/${order.number}/payments/${order.payments[0].id}`;
    await api(await anAdmin()).put(`${path}/settle`, { outcome: 'approved', reason: 'Seen' });
    expect(await showOrder(order)).toMatchObject({ payment_state: 'void', payments: [{ state: 'void' }] });
  });

  test('only while it waits for an answer, and not in the first seconds of a call', async () => {
    const path = await aPaymentIn('pending', await anOrderOf('10', { state: 'complete' }));
    const admin = api(await anAdmin());
    const body = { outcome: 'approved', reason: 'Seen' };
    const idle = await admin.put(`${path}/settle`, body);
    expect([idle.status, idle.body.error]).toEqual([
      422,
      'There was a problem with the payment gateway: cannot settle a payment that is pending',
    ]);
    await api(await anAdmin(), makeUnreachableApp()).put(`${path}/capture`);
    expect((await admin.put(`${path}/settle`, body)).status).toBe(409);
    await ageOperations(1);
    const blank = await admin.put(`${path}/settle`, { outcome: 'maybe' });
    expect([blank.status, blank.body]).toEqual([
      422,
      invalid({ outcome: ['is not included in the list'], reason: ["can't be blank"] }),
    ]);
    expect((await admin.put(`${path}/settle`, body)).status).toBe(200);
    expect((await admin.put(`${path}/settle`, body)).status).toBe(422);
  });

  test('others do not', async () => {
    const owner = await aCustomer();
    const order = await anOrderOf('10', { state: 'complete', user_id: owner.id });
    const path = await aPaymentIn('pending', order);
    await interrupt(path, 'capture');
    for (const caller of [{}, owner, { orderToken: order.token }])
      expect((await api(caller).put(`${path}/settle`, { outcome: 'approved', reason: 'x' })).status).toBe(
        401,
      );
    const admin = api(await anAdmin());
    const other = await anOrderOf('10', { state: 'complete' });
    const foreign = path.replace(order.number, other.number);
    expect((await admin.put(`${foreign}/settle`, { outcome: 'approved', reason: 'x' })).status).toBe(404);
  });

  test('a repeated request with the same key gets the first reply', async () => {
    const path = await aPaymentIn('pending', await anOrderOf('10', { state: 'complete' }));
    await interrupt(path, 'capture');
    const admin = { ...(await anAdmin()), headers: { 'Idempotency-Key': unique('settle') } };
    const body = { outcome: 'approved', reason: 'Seen' };
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => api(admin).put(`${path}/settle`, body)),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect((await api(await anAdmin()).get(path)).body.state).toBe('completed');
  });

  test('a contradicting answer that comes later changes nothing and is logged as an error', async () => {
    const order = await anOrderOf('10', { state: 'complete' });
    const path = await aPaymentIn('pending', order);
    const lines: any[] = [];
    const log = pino({ level: 'error' }, { write: (line: string) => lines.push(JSON.parse(line)) });
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const gateways = buildBogusGateway({
      capture: async (request) => {
        await answered;
        return bogusGateway.connect({}).capture(request);
      },
    });
    const captured = api(await anAdmin(), makeTestApp({ gateways, log })).put(`${path}/capture`);
    void captured.then(() => undefined);
    await untilProcessing(path);
    await ageOperations(1);
    const settled = await api(await anAdmin()).put(`${path}/settle`, { outcome: 'declined', reason: 'Gone' });
    expect(settled.body.state).toBe('failed');
    answer();
    expect((await captured).status).toBe(422);
    expect((await api(await anAdmin()).get(path)).body.state).toBe('failed');
    expect(lines).toMatchObject([
      { order: order.number, payment: settled.body.number, recorded: false, answered: true },
    ]);
  });

  async function untilProcessing(path: string): Promise<void> {
    const id = Number(path.split('/').at(-1));
    const deadline = Date.now() + 60_000;
    while (Date.now() < deadline) {
      if (await testDb()('payments').where({ id, state: 'processing' }).first('id')) return;
    }
    throw new Error('the payment is not being processed');
  }
});

test('an unanswered payment is reported in the log once per interval, by one instance', async () => {
  const order = await anOrderOf('10', { state: 'complete' });
  const path = await aPaymentIn('pending', order);
  await interrupt(path, 'capture');
  const lines: any[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const { deps } = makeTestApp({ gateways: buildBogusGateway(UNREACHABLE), log });
  await settleInterruptedPayments(deps, recorders);
  expect(lines).toEqual([]);
  await ageOperations(11);
  await Promise.all([1, 2, 3].map(() => settleInterruptedPayments(deps, recorders)));
  await settleInterruptedPayments(deps, recorders);
  expect(lines).toMatchObject([
    { level: 50, count: 1, payments: [{ order: order.number, kind: 'capture' }] },
  ]);
  await testDb()('payment_operations')
    .where({ state: 'started' })
    .update({ alerted_at: testDb().raw("now() - interval '61 minutes'") });
  await settleInterruptedPayments(deps, recorders);
  expect(lines).toHaveLength(2);
});

test('a provider that does not answer delays no other provider', async () => {
  const admin = api(await anAdmin());
  const method = { name: unique('Slow'), gateway: 'slow', method_type: 'gateway', display_on: 'both' };
  const [slow] = await testDb()('payment_methods')
    .insert({ ...method, position: 99, preferences: '{}' })
    .returning('id');
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let hanging = 0;
  const bogus = bogusGateway.connect({});
  const gateways: GatewayRegistry = {
    ...buildBogusGateway({}),
    slow: {
      method_type: 'gateway',
      connect: () => ({
        ...bogus,
        authorize: async (request) => {
          hanging += 1;
          await released;
          return bogus.authorize(request);
        },
      }),
    },
  };
  const order = await anOrderOf('1000', { state: 'complete' });
  const card = await aCardPayment(order, { amount: '1' });
  const { source_id } = card;
  const slowPayments = await testDb()('payments')
    .insert(
      [1, 2, 3, 4, 5, 6].map((n) => ({
        order_id: order.id,
        payment_method_id: slow.id,
        credit_card_id: source_id,
        amount: 1,
        number: `${unique('P')}${n}`,
        state: 'processing',
      })),
    )
    .returning('id');
  await testDb()('payment_operations').insert(
    slowPayments.map(({ id }: { id: number }) => ({
      payment_id: id,
      kind: 'authorize',
      event: 'authorize',
      amount: 1,
      state_before: 'checkout',
      idempotency_key: unique('slow'),
      claimed_until: testDb().raw("now() - interval '1 minute'"),
    })),
  );
  const quick = await aPaymentIn('pending', await anOrderOf('10', { state: 'complete' }));
  await interrupt(quick, 'capture');

  // The selection of a claim is then joined by a nested loop, which repeated it and claimed more than its limit.
  await setEmptyStatistics('payment_operations', 'payments');
  const settling = settleInterruptedPayments(makeTestApp({ gateways }).deps, recorders);
  const deadline = Date.now() + 60_000;
  let state = '';
  // Which of them begins first is left to chance.
  while ((state !== 'completed' || hanging < 4) && Date.now() < deadline)
    state = (await admin.get(quick)).body.state;
  expect([state, hanging]).toEqual(['completed', 4]);
  release();
  expect(await settling).toBe(7);
});
