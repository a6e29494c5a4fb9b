import type { Response } from 'supertest';
import { signBogusEvent } from '../../src/sales/payment-processing/gateways/bogus';
import { anAdmin } from '../support/accounts.factory';
import { api, makeTestApp, type TestApp } from '../support/api';
import { testDb } from '../support/database';
import { buildSlowGateway, buildIdempotentGateway, type Ledger } from '../support/gateways';
import { expectNoViolations } from '../support/invariants';
import {
  aSellableVariant,
  getPaymentMethodId,
  getTotalOnHand,
  GOOD_CARD,
  orderInState,
  showOrder,
} from '../support/orders.factory';
import {
  aCardPayment,
  anOrderOf,
  aPaymentIn,
  getPaymentTotals,
  type PayableOrder,
} from '../support/payments.factory';
import { unique } from '../support/unique';

let app: TestApp;
let ledger: Ledger;
let admin: { token: string };

beforeEach(async () => {
  const remembering = buildIdempotentGateway();
  ledger = remembering.ledger;
  app = makeTestApp({ gateways: remembering.gateways });
  admin = await anAdmin();
});

/** Sends the same request several times concurrently. */
function atOnce(times: number, path: string, body?: object): Promise<Response[]> {
  return Promise.all(Array.from({ length: times }, () => api(admin, app).put(path, body)));
}

const statuses = (replies: readonly Response[]): number[] => replies.map((reply) => reply.status);

/** Checks that the payments of an order are consistent once no request is running. */
async function expectConsistentPayments(order: PayableOrder): Promise<void> {
  const { rows } = await testDb().raw(
    `SELECT o.payment_total::text,
            (SELECT coalesce(sum(p.amount), 0) FROM payments p WHERE p.order_id = o.id AND p.state = 'completed')
            - (SELECT coalesce(sum(r.amount), 0) FROM refunds r JOIN payments p ON p.id = r.payment_id
                WHERE p.order_id = o.id AND p.state = 'completed') = o.payment_total AS adds_up,
            EXISTS (SELECT 1 FROM payments p WHERE p.order_id = o.id AND p.state = 'processing') AS is_open,
            EXISTS (SELECT 1 FROM payments p WHERE p.order_id = o.id AND p.amount <
                (SELECT coalesce(sum(r.amount), 0) FROM refunds r WHERE r.payment_id = p.id)) AS is_overdrawn,
            (SELECT count(*)::integer FROM payment_operations op JOIN payments p ON p.id = op.payment_id
              WHERE p.order_id = o.id AND op.state = 'started') AS started
       FROM orders o WHERE o.id = ?`,
    [order.id],
  );
  expect(rows[0]).toMatchObject({ adds_up: true, is_open: false, is_overdrawn: false, started: 0 });
  await expectNoViolations({ order_ids: [order.id] });
}

test('20 concurrent captures capture once, and all return 200', async () => {
  const order = await anOrderOf('41.98', { state: 'complete' });
  const path = await aPaymentIn('pending', order);
  const replies = await atOnce(20, `${path}/capture`);
  expect(new Set(statuses(replies))).toEqual(new Set([200]));
  expect(new Set(replies.map((reply) => reply.body.state))).toEqual(new Set(['completed']));
  expect(ledger.requests).toHaveLength(1);
  expect(await getPaymentTotals(order)).toEqual({ payment_state: 'paid', payment_total: '41.98' });
  await expectConsistentPayments(order);
});

test('20 concurrent partial captures capture the amount once', async () => {
  const order = await anOrderOf('41.98', { state: 'complete' });
  const path = await aPaymentIn('pending', order);
  const replies = await atOnce(20, `${path}/capture`, { amount: '20' });
  expect(new Set(statuses(replies))).toEqual(new Set([200]));
  expect([...ledger.moved.values()]).toEqual([2000n]);
  const { payments } = (await api(admin).get(`/orders/${order.number}/payments`)).body;
  expect(payments.map((payment: any) => [payment.state, payment.amount])).toEqual([
    ['completed', '20.0'],
    ['pending', '21.98'],
  ]);
  await expectConsistentPayments(order);
});

test('concurrent purchase and authorize requests call the gateway once', async () => {
  const order = await anOrderOf('10', { state: 'complete' });
  const bought = await aPaymentIn('checkout', order);
  expect(new Set(statuses(await atOnce(20, `${bought}/purchase`)))).toEqual(new Set([200]));
  const reserved = await aPaymentIn('checkout', order);
  expect(new Set(statuses(await atOnce(20, `${reserved}/authorize`)))).toEqual(new Set([200]));
  const { rows } = await testDb().raw(
    `SELECT op.kind, count(*)::integer FROM payment_operations op JOIN payments p ON p.id = op.payment_id
      WHERE p.order_id = ? GROUP BY op.kind ORDER BY op.kind`,
    [order.id],
  );
  expect(rows).toEqual([
    { kind: 'authorize', count: 1 },
    { kind: 'purchase', count: 1 },
  ]);
  await expectConsistentPayments(order);
});

test('concurrent credits stay within the limit, and every refusal contains the remaining amount', async () => {
  const order = await anOrderOf('50', { state: 'complete' });
  const path = await aPaymentIn('completed', order);
  const replies = await atOnce(20, `${path}/credit`, { amount: '7' });
  const given = replies.filter((reply) => reply.status === 200);
  expect(given).toHaveLength(7);
  for (const reply of replies.filter((candidate) => candidate.status !== 200)) {
    expect([422, reply.body.error]).toEqual([reply.status, expect.stringContaining('credited up to 1.0.')]);
  }
  expect(ledger.moved.size).toBe(7);
  expect(await getPaymentTotals(order)).toEqual({ payment_state: 'balance_due', payment_total: '1.00' });
  await expectConsistentPayments(order);
});

test('concurrent credits wait for each other, even if together they exceed the time limit of one', async () => {
  const order = await anOrderOf('50', { state: 'complete' });
  const path = await aPaymentIn('completed', order);
  // Together they take longer than a request waits for one interrupted operation.
  const slow = makeTestApp({ gateways: buildSlowGateway(450, ['credit']) });
  const replies = await Promise.all(
    Array.from({ length: 6 }, () => api(admin, slow).put(`${path}/credit`, { amount: '10' })),
  );
  expect(statuses(replies).sort()).toEqual([200, 200, 200, 200, 200, 422]);
  expect(await getPaymentTotals(order)).toEqual({ payment_state: 'balance_due', payment_total: '0.00' });
  await expectConsistentPayments(order);
});

test('payment total and state agree after a concurrent void and capture', async () => {
  for (let round = 0; round < 5; round++) {
    const order = await anOrderOf('10', { state: 'complete' });
    const path = await aPaymentIn('pending', order);
    const [voided, captured] = await Promise.all([
      api(admin, app).put(`${path}/void`),
      api(admin, app).put(`${path}/capture`),
    ]);
    expect(voided.status).toBe(200);
    expect([200, 422]).toContain(captured.status);
    expect((await api(admin).get(path)).body.state).toBe('void');
    expect(await getPaymentTotals(order)).toMatchObject({ payment_total: '0.00' });
    await expectConsistentPayments(order);
  }
});

test('of concurrently created payments exactly one stays valid', async () => {
  const order = await anOrderOf('10');
  await Promise.all(Array.from({ length: 12 }, () => aCardPayment(order)));
  const { payments } = (await api(admin).get(`/orders/${order.number}/payments`)).body;
  expect(payments.filter((payment: any) => payment.state === 'checkout')).toHaveLength(1);
  expect(payments.filter((payment: any) => payment.state === 'invalid')).toHaveLength(11);
});

test('an event that approves a waiting payment, and its cancellation at the same instant, decide once', async () => {
  const variant = await aSellableVariant({ stock: 30 });
  const method = await getPaymentMethodId('Credit Card');
  for (let round = 0; round < 2; round++) {
    const before = await getTotalOnHand(variant.id);
    const order = await orderInState('confirm', {
      card: { ...GOOD_CARD, number: '4000000000000077' },
      lines: [{ variant_id: variant.id, quantity: 2 }],
    });
    const shopper = api(order.caller);
    await shopper.put(`/checkouts/${order.number}/next`);
    const [payment] = order.payments;
    const sendEvent = () => {
      const event = { id: unique('evt'), type: 'payment.approved', payment: payment.number };
      const body = JSON.stringify(event);
      const headers = { 'X-Bogus-Signature': signBogusEvent(body), 'Content-Type': 'application/json' };
      return api({ headers }).post(`/gateways/${method}/events`, body);
    };
    const cancel = () => shopper.put(`/payments/${payment.id}/cancel_action`);
    // The one that is sent first tends to win.
    const sent = round % 2 === 0 ? [sendEvent, cancel] : [cancel, sendEvent];
    const replies = await Promise.all([...sent, ...sent].map((send) => send()));
    for (const { status } of replies) expect([200, 422]).toContain(status);
    const { state, payments } = await showOrder(order);
    const isPaid = state === 'complete';
    expect([state, payments.map((one: any) => one.state)]).toEqual(
      isPaid ? ['complete', ['pending']] : ['confirm', ['failed']],
    );
    expect(await getTotalOnHand(variant.id)).toBe(isPaid ? before - 2 : before);
    const moves = await testDb()('state_changes')
      .where({ subject_type: 'payment', subject_id: payment.id, from_state: 'processing' })
      .count();
    expect(moves).toEqual([{ count: '1' }]);
    await expectConsistentPayments(order);
  }
});
