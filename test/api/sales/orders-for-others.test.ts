import { aCustomer, anAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { invalid } from '../../support/error-bodies';
import {
  aSellableVariant,
  buildMarylandAddress,
  buildPaymentBody,
  orderInState,
} from '../../support/orders.factory';
import { unique } from '../../support/unique';

/** Creates an admin's order and returns the id of its user. */
async function ownerOf(client: ReturnType<typeof api>, order?: object): Promise<number | null> {
  const reply = await client.post('/orders', order === undefined ? undefined : { order });
  expect(reply.status).toBe(201);
  return reply.body.user_id;
}

describe("an admin's order", () => {
  test('is the admin’s own without a user and an e-mail, or with the own e-mail', async () => {
    const clerk = await anAdmin();
    expect(await ownerOf(api(clerk))).toBe(clerk.id);
    expect(await ownerOf(api(clerk), { email: clerk.email.toUpperCase() })).toBe(clerk.id);
    expect(await ownerOf(api(clerk), { email: ' ' })).toBe(clerk.id);
  });

  test('belongs to the user of its `user_id`, whatever its e-mail is', async () => {
    const [clerk, ann] = [await anAdmin(), await aCustomer()];
    expect(await ownerOf(api(clerk), { user_id: ann.id, email: 'other@example.com' })).toBe(ann.id);
    expect(await ownerOf(api(clerk), { user_id: ann.id })).toBe(ann.id);
  });

  test('belongs to the user with its e-mail, in any letter case', async () => {
    const [clerk, ann] = [await anAdmin(), await aCustomer()];
    const { body } = await api(clerk).post('/orders', { order: { email: ann.email.toUpperCase() } });
    expect(body).toMatchObject({ user_id: ann.id, email: ann.email.toUpperCase() });
  });

  test('with the e-mail of no user has no owner', async () => {
    const email = `${unique('stranger')}@example.com`;
    const { body } = await api(await anAdmin()).post('/orders', { order: { email } });
    expect(body).toMatchObject({ user_id: null, email });
  });

  test('moves to the buyer when the e-mail is entered later', async () => {
    const [clerk, ann] = [await anAdmin(), await aCustomer()];
    const { number } = (await api(clerk).post('/orders')).body;
    const reply = await api(clerk).put(`/orders/${number}`, { order: { email: ann.email } });
    expect(reply.body).toMatchObject({ user_id: ann.id, email: ann.email });
    const own = await api(clerk).put(`/orders/${number}`, { order: { email: clerk.email } });
    expect(own.body.user_id).toBe(ann.id);
  });

  test('presenting the token of an order does not make an admin its owner', async () => {
    const order = await orderInState('cart');
    const clerk = api({ ...(await anAdmin()), orderToken: order.token });
    expect((await clerk.put(`/orders/${order.number}`, { order: {} })).body.user_id).toBeNull();
    expect((await clerk.put(`/checkouts/${order.number}`, { order: {} })).body.user_id).toBeNull();
  });
});

test('a customer’s e-mail of another person does not move the order', async () => {
  const [ann, bea] = [await aCustomer(), await aCustomer()];
  expect(await ownerOf(api(ann), { email: bea.email })).toBe(ann.id);
  const { number } = (await api(ann).post('/orders')).body;
  const reply = await api(ann).put(`/orders/${number}`, { order: { email: bea.email } });
  expect(reply.body.user_id).toBe(ann.id);
});

describe('two phone orders of one clerk', () => {
  /** Takes an order by phone up to complete. */
  async function takePhoneOrder(
    clerk: ReturnType<typeof api>,
    email: string,
    { isEmailLate }: { isEmailLate: boolean },
  ): Promise<any> {
    const line_items = [{ variant_id: (await aSellableVariant()).id }];
    const opened = await clerk.post('/orders', {
      order: { line_items, ...(!isEmailLate && { email }) },
    });
    const path = `/checkouts/${opened.body.number}`;
    if (isEmailLate) await clerk.put(`/orders/${opened.body.number}`, { order: { email } });
    await clerk.put(`${path}/next`);
    const address = await buildMarylandAddress();
    await clerk.put(path, { order: { bill_address: address, ship_address: address } });
    await clerk.put(`${path}/next`);
    const payment = await clerk.put(path, await buildPaymentBody());
    expect(payment.body.state).toBe('confirm');
    return (await clerk.put(path)).body;
  }

  test.each([true, false])(
    'keep nothing in the clerk’s account (e-mail entered later: %s)',
    async (isEmailLate) => {
      const [admin, ann] = [await anAdmin(), await aCustomer()];
      const clerk = api(admin);
      const first = await takePhoneOrder(clerk, ann.email, { isEmailLate });
      const second = await takePhoneOrder(clerk, `${unique('bob')}@example.com`, { isEmailLate });
      expect(first).toMatchObject({ state: 'complete', user_id: ann.id });
      expect(second).toMatchObject({ state: 'complete', user_id: null });
      const saved = await clerk.get(`/users/${admin.id}`);
      expect(saved.body).toMatchObject({ bill_address: null, ship_address: null });
      expect(await testDb()('credit_cards').where({ user_id: admin.id })).toEqual([]);
      expect((await clerk.get(`/users/${ann.id}`)).body.ship_address).toMatchObject({ firstname: 'Ann' });
      expect(await testDb()('credit_cards').where({ user_id: ann.id })).toHaveLength(1);
      // The next order of the clerk starts without the card and the addresses of the first buyer.
      const next = (await clerk.post('/orders')).body;
      await clerk.post(`/orders/${next.number}/line_items`, {
        line_item: { variant_id: (await aSellableVariant()).id },
      });
      expect((await clerk.put(`/checkouts/${next.number}/next`)).body).toMatchObject({
        state: 'address',
        ship_address: null,
        payments: [],
      });
    },
  );
});

test.each(['confirm', 'complete'] as const)(
  'an order in state %s with the card of its user is not given to another user',
  async (state) => {
    const [ann, bob, clerk] = [await aCustomer(), await aCustomer(), api(await anAdmin())];
    const order = await orderInState(state, { caller: ann });
    const card = await testDb()('payments').where({ order_id: order.id }).first('credit_card_id');
    await testDb()('credit_cards').where({ id: card.credit_card_id }).update({ user_id: ann.id });
    const reply = await clerk.put(`/orders/${order.number}`, { order: { user_id: bob.id } });
    expect([reply.status, reply.body]).toEqual([
      422,
      invalid({ user_id: ['cannot change: a payment has a card of the current user'] }),
    ]);
    expect((await clerk.get(`/orders/${order.number}`)).body.user_id).toBe(ann.id);
  },
);

test.each(['Credit Card', 'Check'] as const)(
  'an order that a guest pays by %s can be given to a user',
  async (method) => {
    const [ann, clerk] = [await aCustomer(), api(await anAdmin())];
    const order = await orderInState('confirm', { method });
    const reply = await clerk.put(`/orders/${order.number}`, { order: { user_id: ann.id } });
    expect([reply.status, reply.body.user_id]).toEqual([200, ann.id]);
  },
);

test('an import that was completed in the future is refused', async () => {
  const number = unique('R').toUpperCase();
  const order = { number, completed_at: '2999-01-01T00:00:00Z' };
  const clerk = api(await anAdmin());
  const reply = await clerk.post('/orders', { order });
  expect([reply.status, reply.body]).toEqual([422, invalid({ completed_at: ['cannot be in the future'] })]);
  expect((await clerk.get(`/orders/${number}`)).status).toBe(404);
});
