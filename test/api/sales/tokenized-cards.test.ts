import { aCustomer, anAdmin, asAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { invalid } from '../../support/error-bodies';
import {
  buildPaymentBody,
  getPaymentMethodId,
  GOOD_CARD,
  orderInState,
  updateCheckout,
} from '../../support/orders.factory';
import { aCardPayment, anOrderOf } from '../../support/payments.factory';

let next = 100_000 + Math.floor(Math.random() * 800_000);
const buildToken = () => `BGS-${(next += 1)}`;

/** Creates a payment by a token as an admin and authorizes it. @returns the status and the payment */
async function pay(order: { number: string }, source: object): Promise<[number, any]> {
  const admin = await asAdmin();
  const payment = { payment_method_id: await getPaymentMethodId('Credit Card'), source_attributes: source };
  const { status, body } = await admin.post(`/orders/${order.number}/payments`, { payment });
  if (status !== 201) return [status, body];
  const path = `/orders/${order.number}/payments/${body.id}`;
  const { status: authorized } = await admin.put(`${path}/authorize`);
  return [authorized, (await admin.get(path)).body];
}

describe('a tokenized card', () => {
  test('needs neither number nor verification value, and pays a checkout', async () => {
    const token = buildToken();
    const card = {
      gateway_payment_profile_id: token,
      month: '7',
      year: '2036',
      last_digits: '4242',
      name: 'Ann',
    };
    const order = await orderInState('complete', { card: { ...card, cc_type: 'mastercard' } });
    expect(order.payments).toMatchObject([
      {
        state: 'pending',
        source: { month: '7', year: '2036', last_digits: '4242', cc_type: 'master', name: 'Ann' },
      },
    ]);
    expect(JSON.stringify(order)).not.toContain(token);
  });

  test('needs only its token', async () => {
    const order = await orderInState('complete', { card: { gateway_payment_profile_id: buildToken() } });
    expect(order.payments).toMatchObject([
      { state: 'pending', source: { month: '', year: '', last_digits: '', cc_type: null, name: '' } },
    ]);
    // Half of an expiry date is not checked.
    const half = { gateway_payment_profile_id: buildToken(), year: '2036' };
    expect((await pay(await anOrderOf('10'), half))[0]).toBe(200);
  });

  test('is checked for what is sent', async () => {
    const order = await anOrderOf('10');
    const token = { gateway_payment_profile_id: buildToken() };
    const cases: [object, string[]][] = [
      [{ ...token, month: 'x' }, ['Month is not a number']],
      [{ ...token, expiry: '13/40' }, ['Card expiration is invalid']],
      [{ ...token, month: '1', year: '2020' }, ['Card has expired']],
      [{ ...token, name: 'x'.repeat(256) }, ['Name is too long (maximum is 255 characters)']],
      [{ gateway_payment_profile_id: '4111 1111 1111 1111' }, ['Gateway payment profile is invalid']],
      [{ gateway_payment_profile_id: 'x'.repeat(256) }, ['Gateway payment profile is invalid']],
    ];
    for (const [source, messages] of cases)
      expect(await pay(order, source)).toEqual([422, invalid({ 'Credit Card': messages })]);
    expect(await testDb()('credit_cards').where({ name: '', last_digits: '4111' })).toEqual([]);
  });

  test('with a number is entered like any other card', async () => {
    const order = await anOrderOf('10');
    const both = { ...GOOD_CARD, gateway_payment_profile_id: 'other' };
    expect((await pay(order, both))[1]).toMatchObject({ state: 'pending' });
    const { verification_value, ...rest } = both;
    expect(await pay(order, rest)).toEqual([
      422,
      invalid({ 'Credit Card': ["Verification Value can't be blank"] }),
    ]);
    expect(verification_value).toBe('123');
  });

  test('is declined when the payment is processed, if the gateway does not confirm it', async () => {
    for (const token of ['BGS-1', 'tok_visa', 'BGS-1234567']) {
      const [status, payment] = await pay(await anOrderOf('10'), { gateway_payment_profile_id: token });
      expect([status, payment.state]).toEqual([422, 'failed']);
    }
  });

  test('becomes a saved card of the user once it is confirmed, and not before', async () => {
    const user = await aCustomer();
    const token = buildToken();
    const order = await anOrderOf('10', { user_id: user.id });
    const card = { gateway_payment_profile_id: token, last_digits: '4242' };
    const { source_id } = await aCardPayment(order, { source_attributes: card });
    const listCards = async () => (await api(user).get(`/users/${user.id}/credit_cards`)).body.credit_cards;
    expect(await listCards()).toEqual([]);
    await pay(order, card);
    expect(await listCards()).toMatchObject([{ last_digits: '4242' }]);
    expect((await listCards())[0].id).not.toBe(source_id);

    const existing_card = (await listCards())[0].id;
    const reused = await api(user).post(`/orders/${order.number}/payments`, { payment: { existing_card } });
    expect(reused.status).toBe(201);
    const admin = api(await anAdmin());
    const path = `/orders/${order.number}/payments/${reused.body.id}`;
    expect((await admin.put(`${path}/authorize`)).body.state).toBe('pending');
  });

  test('that another user has saved is declined, for users and guests', async () => {
    const user = await aCustomer();
    const { source_id } = await aCardPayment(await anOrderOf('10', { user_id: user.id }));
    const saved = await testDb()('credit_cards')
      .where({ id: source_id })
      .first('gateway_customer_profile_id');
    const tokens = [saved.gateway_customer_profile_id, buildToken()];
    await pay(await anOrderOf('10', { user_id: user.id }), { gateway_payment_profile_id: tokens[1] });
    for (const gateway_payment_profile_id of tokens) {
      for (const thief of [{ user_id: (await aCustomer()).id }, {}]) {
        const [status, payment] = await pay(await anOrderOf('10', thief), { gateway_payment_profile_id });
        expect([status, payment.state]).toEqual([422, 'failed']);
      }
      const own = await pay(await anOrderOf('10', { user_id: user.id }), { gateway_payment_profile_id });
      expect(own).toMatchObject([200, { state: 'pending' }]);
    }
  });
});

test('a saved card of another user is declined in the request that enters its token and completes the order', async () => {
  const user = await aCustomer();
  const token = buildToken();
  await pay(await anOrderOf('10', { user_id: user.id }), { gateway_payment_profile_id: token });
  const order = await orderInState('confirm');
  const body = await buildPaymentBody({ card: { gateway_payment_profile_id: token } });
  const declined = await updateCheckout(order, body);
  const { payments } = (await api(order.caller).get(`/orders/${order.number}`)).body;
  expect([declined.status, payments.at(-1).state]).toEqual([422, 'failed']);
  const own = await updateCheckout(
    order,
    await buildPaymentBody({ card: { gateway_payment_profile_id: buildToken() } }),
  );
  expect([own.status, own.body.state]).toEqual([200, 'complete']);
});

describe('a saved card that has expired', () => {
  test('cannot be used for a payment, nor in a checkout', async () => {
    const user = await aCustomer();
    const { source_id } = await aCardPayment(await anOrderOf('10', { user_id: user.id }));
    await testDb()('credit_cards').where({ id: source_id }).update({ year: '2020' });
    const order = await anOrderOf('10', { user_id: user.id });
    const entered = await api(user).post(`/orders/${order.number}/payments`, {
      payment: { existing_card: source_id },
    });
    expect([entered.status, entered.body]).toEqual([422, invalid({ 'Credit Card': ['Card has expired'] })]);

    const checkout = await orderInState('payment', { caller: user });
    const reply = await api(user).put(`/checkouts/${checkout.number}`, {
      order: { existing_card: String(source_id) },
    });
    expect([reply.status, reply.body]).toEqual([
      422,
      invalid({ 'payments.Credit Card': ['Card has expired'] }),
    ]);
    expect((await api(user).get(`/orders/${checkout.number}`)).body.payments).toEqual([]);
  });
});
