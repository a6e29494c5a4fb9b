import crypto from 'node:crypto';
import { aCustomer } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { buildPaymentBody, GOOD_CARD, orderInState, updateCheckout } from '../../support/orders.factory';
import { countQueries } from '../../support/queries';
import { unique } from '../../support/unique';

const CAPITALS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const DIGITS = '0123456789';

/** Makes the next random texts of an alphabet equal to these numbers without their first letter. */
function generateNext(alphabet: string, ...numbers: string[]): void {
  const indexes = numbers.flatMap((number) => [...number.slice(1)].map((letter) => alphabet.indexOf(letter)));
  const { randomInt } = crypto;
  jest.spyOn(crypto, 'randomInt').mockImplementation((max: number) => {
    const next = max === alphabet.length ? indexes.shift() : undefined;
    return next ?? randomInt(max);
  });
}

afterEach(() => jest.restoreAllMocks());

const readHistory = (order: { id: number }, subject_type: string) =>
  testDb()('state_changes')
    .where({ order_id: order.id, subject_type })
    .orderBy('id')
    .select('to_state', 'user_id');

describe('an order number that is taken', () => {
  test('is replaced by another one', async () => {
    const first = (await api({}).post('/orders')).body;
    generateNext(DIGITS, first.number);
    let reply: any;
    const count = await countQueries(async () => {
      reply = await api({}).post('/orders');
    });
    expect([reply.status, count]).toEqual([201, 2]);
    expect(reply.body.number).not.toBe(first.number);
    expect(await readHistory(reply.body, 'order')).toEqual([{ to_state: 'cart', user_id: null }]);
    expect(await readHistory(first, 'order')).toHaveLength(1);
  });

  test('gets one more digit after ten attempts', async () => {
    const taken = (await api({}).post('/orders')).body.number;
    generateNext(DIGITS, ...Array.from({ length: 10 }, () => taken));
    expect((await api({}).post('/orders')).body.number).toMatch(/^R\d{10}$/);
  });

  test('does not create a second cart for a repeated request', async () => {
    const customer = await aCustomer();
    const taken = (await api({}).post('/orders')).body.number;
    generateNext(DIGITS, taken);
    const client = api({ ...customer, headers: { 'Idempotency-Key': crypto.randomUUID() } });
    const first = await client.post('/orders');
    const again = await client.post('/orders');
    expect([first.status, again.text]).toEqual([201, first.text]);
    expect(await testDb()('orders').where({ user_id: customer.id }).pluck('number')).toEqual([
      first.body.number,
    ]);
  });
});

describe('a payment number that is taken', () => {
  test.each([
    ['a card number', GOOD_CARD],
    ['a token', { gateway_payment_profile_id: 'BGS-123456' }],
  ])('is replaced by another one, and the card is stored once: %s', async (_name, entered) => {
    const name = unique('Ann');
    const { payments } = await orderInState('confirm');
    const order = await orderInState('payment');
    generateNext(CAPITALS_AND_DIGITS, payments[0].number);
    const reply = await updateCheckout(order, await buildPaymentBody({ card: { ...entered, name } }));
    expect(reply.body).toMatchObject({ state: 'confirm', payments: [{ source: { name } }] });
    expect(reply.body.payments[0].number).not.toBe(payments[0].number);
    expect(await testDb()('credit_cards').where({ name }).pluck('id')).toEqual([
      reply.body.payments[0].source.id,
    ]);
    expect(await readHistory(order, 'payment')).toEqual([{ to_state: 'checkout', user_id: null }]);
  });
});
