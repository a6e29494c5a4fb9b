import { aCustomer, anAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { DECLINED_CARD, orderInState } from '../../support/orders.factory';
import { aCardPayment, anOrderOf } from '../../support/payments.factory';

const listDefaultCards = async (userId: number): Promise<number[]> =>
  testDb()('credit_cards').where({ user_id: userId, is_default: true }).pluck('id');

test('lists the cards of a user that the gateway knows, with profile ids for admins only', async () => {
  const user = await aCustomer();
  const { source_id } = await aCardPayment(await anOrderOf('10', { user_id: user.id }));
  await aCardPayment(await anOrderOf('10', { user_id: user.id }), { source_attributes: DECLINED_CARD });
  await aCardPayment(await anOrderOf('10', { user_id: (await aCustomer()).id }));

  const own = await api(user).get(`/users/${user.id}/credit_cards`);
  expect(own.body).toEqual({
    credit_cards: [
      {
        id: source_id,
        month: '1',
        year: '2035',
        cc_type: null,
        last_digits: '1111',
        name: 'Ann Lee',
        default: expect.any(Boolean),
      },
    ],
    count: 1,
    total_count: 1,
    current_page: 1,
    per_page: 25,
    pages: 1,
  });
  const shown = await api(await anAdmin()).get(`/users/${user.id}/credit_cards?q[name_cont]=lee`);
  expect(shown.body.credit_cards).toMatchObject([
    { id: source_id, gateway_customer_profile_id: expect.stringMatching(/^BGS-/) },
  ]);
});

test('other callers get 404 for that user', async () => {
  const user = await aCustomer();
  for (const caller of [{}, await aCustomer()]) {
    expect((await api(caller).get(`/users/${user.id}/credit_cards`)).status).toBe(404);
  }
  expect((await api(await anAdmin()).get('/users/2147483647/credit_cards')).status).toBe(404);
  expect(
    (await api(user).get(`/users/${user.id}/credit_cards?q[last_digits_eq]=1111`)).headers,
  ).toMatchObject({
    'x-ignored-conditions': 'last_digits_eq',
  });
});

test('the card that paid an order becomes the default and is the payment of the next checkout', async () => {
  const user = await aCustomer();
  const first = await orderInState('complete', { caller: user });
  expect(await listDefaultCards(user.id)).toEqual([first.payments[0].source.id]);

  const next = await orderInState('payment', { caller: user });
  expect(next.payments).toMatchObject([
    { state: 'checkout', amount: next.total, source: { id: first.payments[0].source.id } },
  ]);
  const other = await orderInState('complete', { caller: user });
  expect(other.payments.at(-1).source.id).not.toBe(first.payments[0].source.id);
  expect(await listDefaultCards(user.id)).toEqual([other.payments.at(-1).source.id]);
  expect((await orderInState('payment', { caller: user })).payments).toMatchObject([
    { source: { id: other.payments.at(-1).source.id } },
  ]);
});

test('a check leaves the default card unchanged', async () => {
  const user = await aCustomer();
  const first = await orderInState('complete', { caller: user });
  await orderInState('complete', { caller: user, method: 'Check' });
  expect(await listDefaultCards(user.id)).toEqual([first.payments[0].source.id]);
});
