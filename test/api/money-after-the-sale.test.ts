import { anAdmin, asAdmin } from '../support/accounts.factory';
import { api } from '../support/api';
import { testDb } from '../support/database';
import { invalid } from '../support/error-bodies';
import {
  aCardPayment,
  aCheckPayment,
  anOrderOf,
  aPaymentIn,
  getPaymentTotals,
} from '../support/payments.factory';
import type { PayableOrder } from '../support/payments.factory';

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
