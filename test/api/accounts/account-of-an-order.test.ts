import { aClerk, aCustomer, anAdmin, aLimitedToken, aSignedUpCustomer } from '../../support/accounts.factory';
import { api, type Caller } from '../../support/api';
import { testDb } from '../../support/database';
import { INVALID } from '../../support/error-bodies';
import { waitUntilBlockedBy } from '../../support/locks';
import {
  aSellableVariant,
  buildMarylandAddress,
  buildPaymentBody,
  orderInState,
  updateCheckout,
} from '../../support/orders.factory';

/*
 * An order token opens the order, not the account of its user: behaviour for callers who have only the token of an
 * order that belongs to a customer.
 */

/** Creates a customer with a saved default card and saved addresses, by an order. */
async function aKnownCustomer() {
  const ann = await aCustomer();
  const { payments } = await orderInState('complete', { caller: ann });
  return { ...ann, card: String(payments[0].source_id) };
}

/** Creates a cart of a customer with one line item, and returns the caller who has only its token. */
async function aCartOf(owner: { token: string }) {
  const line_items = [{ variant_id: (await aSellableVariant()).id, quantity: 1 }];
  const { body } = await api(owner).post('/orders', { order: { line_items } });
  return { number: body.number, holder: { orderToken: body.token } };
}

/** Takes an order of a customer to `confirm` by their default card. */
async function aPaidCart(owner: { token: string }) {
  const order = await orderInState('payment', { caller: owner });
  await updateCheckout(order);
  return order;
}

describe('saved addresses', () => {
  test('are filled in for the owner and for staff, not for the holder of the token', async () => {
    const [ann, clerk] = [await aKnownCustomer(), await aClerk(['orders:write'])];
    for (const other of [{}, await aCustomer()]) {
      const { number, holder } = await aCartOf(ann);
      const { body } = await api({ ...other, ...holder }).put(`/checkouts/${number}/next`);
      expect(body).toMatchObject({ state: 'address', bill_address: null, ship_address: null });
    }
    for (const caller of [ann, clerk]) {
      const { number } = await aCartOf(ann);
      const { body } = await api(caller).put(`/checkouts/${number}/next`);
      expect(body).toMatchObject({ state: 'address', ship_address: { address1: '12 Oak St' } });
    }
  });

  test('are not replaced by those that the holder of the token enters', async () => {
    const ann = await aKnownCustomer();
    const { number, holder } = await aCartOf(ann);
    const address = { ...(await buildMarylandAddress()), address1: '1 Elsewhere' };
    const order = { bill_address_attributes: address, ship_address_attributes: address };
    await api(holder).put(`/checkouts/${number}`, { order });
    const moved = await api(holder).put(`/checkouts/${number}`, {});
    expect(moved.body).toMatchObject({ state: 'delivery', ship_address: { address1: '1 Elsewhere' } });
    const own = await api(ann).get('/users/me');
    expect(own.body.ship_address).toMatchObject({ address1: '12 Oak St' });
  });
});

describe('saved cards', () => {
  test('pay for the owner and for staff with payments:write only', async () => {
    const ann = await aKnownCustomer();
    const refused = [422, { error: INVALID, errors: { base: ['Invalid credit card.'] } }];
    const [bob, support] = [await aCustomer(), await aClerk(['orders:write', 'payments:read'])];
    const order = await orderInState('delivery', { caller: ann });
    const { orderToken } = order.caller;
    const body = { order: { existing_card: ann.card } };
    for (const caller of [{ orderToken }, { ...bob, orderToken }, support]) {
      for (const path of [`/checkouts/${order.number}`, `/orders/${order.number}`]) {
        const reply = await api(caller).put(path, body);
        expect([reply.status, reply.body]).toEqual(refused);
      }
    }
    const created = (caller: object) =>
      api(caller).post(`/orders/${order.number}/payments`, { payment: { existing_card: ann.card } });
    for (const caller of [{ orderToken }, { ...bob, orderToken }]) {
      const reply = await created(caller);
      expect([reply.status, reply.body]).toEqual(refused);
    }
    const { body: shown } = await api(ann).get(`/orders/${order.number}`);
    expect(shown.payments).toEqual([]);
    const cashier = await aClerk(['orders:write', 'payments:write']);
    expect((await created(cashier)).status).toBe(201);
    expect((await api(cashier).put(`/orders/${order.number}`, body)).status).toBe(200);
    expect((await api(ann).put(`/orders/${order.number}`, body)).status).toBe(200);
  });

  test('do not pay for an order that gets another owner while the payment waits for its lock', async () => {
    const [ann, bob] = [await aKnownCustomer(), await aCustomer()];
    const order = await orderInState('delivery', { caller: ann });
    const cashier = await aClerk(['orders:write', 'payments:write']);
    const reply = await testDb().transaction(async (tx) => {
      await tx('orders').where({ id: order.id }).update({ user_id: bob.id });
      const sent = api(cashier).post(`/orders/${order.number}/payments`, {
        payment: { existing_card: ann.card },
      });
      const started = sent.then((answer) => answer);
      await waitUntilBlockedBy(tx);
      return { started };
    });
    const answer = await reply.started;
    expect([answer.status, answer.body]).toEqual([
      422,
      { error: INVALID, errors: { base: ['Invalid credit card.'] } },
    ]);
  });

  test('do not pay with a token of the owner that may not pay', async () => {
    const ann = await aKnownCustomer();
    const limited = await api(ann).post(`/users/${ann.id}/tokens`, {
      api_token: { name: 'carts', scopes: ['orders:write'] },
    });
    const { number } = await aCartOf(ann);
    const reply = await api({ token: limited.body.token }).put(`/orders/${number}`, {
      order: { existing_card: ann.card },
    });
    expect(reply.status).toBe(422);
  });

  test('are the default payment for the owner and staff with payments:write only', async () => {
    const ann = await aKnownCustomer();
    const [support, cashier] = [
      await aClerk(['orders:write', 'payments:read']),
      await aClerk(['orders:write', 'payments:write']),
    ];
    const enter = async (caller: Caller) => {
      const order = await orderInState('delivery', { caller: ann });
      const chosen = caller.token === undefined ? { orderToken: order.caller.orderToken } : caller;
      const { body } = await api(chosen).put(`/checkouts/${order.number}/next`);
      return [body.state, body.payments.length];
    };
    expect(await enter({})).toEqual(['payment', 0]);
    expect(await enter(support)).toEqual(['payment', 0]);
    expect(await enter(cashier)).toEqual(['payment', 1]);
    expect(await enter(ann)).toEqual(['payment', 1]);
  });

  test('do not grow by the card of the holder of the token, whose new card pays', async () => {
    const ann = await aKnownCustomer();
    const order = await orderInState('delivery', { caller: ann });
    const holder = { orderToken: order.caller.orderToken };
    await api(holder).put(`/checkouts/${order.number}/next`);
    await api(holder).put(`/checkouts/${order.number}`, await buildPaymentBody());
    const { body } = await api(holder).put(`/checkouts/${order.number}`, {});
    expect(body).toMatchObject({ state: 'complete', payments: [{ state: 'pending' }] });
    const cards = (await api(ann).get('/users/me/credit_cards')).body.credit_cards;
    expect(cards).toMatchObject([{ id: Number(ann.card), default: true }]);
  });

  test('do not pay after the holder of the token has changed the ship address', async () => {
    const [ann, bob] = [await aKnownCustomer(), await aCustomer()];
    const address = { ...(await buildMarylandAddress()), address1: '1 Elsewhere' };
    const body = { order: { ship_address_attributes: address } };
    const pay = async (caller: Caller, path: string, { number }: any) => {
      expect((await api(caller).put(path, body)).status).toBe(200);
      const { state, payments } = (await api(caller).put(`/checkouts/${number}/advance`)).body;
      return [state, payments.map((payment: any) => payment.state)];
    };
    for (const other of [{}, bob]) {
      const order = await aPaidCart(ann);
      const caller = { ...other, orderToken: order.caller.orderToken };
      const refused = [expect.not.stringMatching('complete'), ['invalid']];
      expect(await pay(caller, `/orders/${order.number}`, order)).toEqual(refused);
    }
    const named = await aPaidCart(ann);
    const path = `/orders/${named.number}/addresses/${named.ship_address.id}`;
    const holder = { orderToken: named.caller.orderToken };
    await api(holder).put(path, { address });
    expect((await api(ann).get(`/orders/${named.number}`)).body.payments).toMatchObject([
      { state: 'invalid' },
    ]);
    const own = await aPaidCart(ann);
    expect(await pay(ann, `/orders/${own.number}`, own)).toEqual(['complete', ['pending']]);
  });

  test('pay what the owner has chosen, whoever completes the order', async () => {
    const ann = await aKnownCustomer();
    const support = await aClerk(['orders:write', 'payments:read']);
    for (const completes of ['holder', 'support']) {
      const order = await aPaidCart(ann);
      const caller = completes === 'holder' ? { orderToken: order.caller.orderToken } : support;
      const { body } = await api(caller).put(`/checkouts/${order.number}/advance`);
      expect(body).toMatchObject({ state: 'complete', payments: [{ state: 'pending' }], credit_cards: [] });
      const shown = await api(ann).get(`/orders/${order.number}`);
      expect(shown.body.credit_cards.map((card: any) => String(card.id))).toEqual([ann.card]);
    }
  });

  test('are listed in replies for the owner and for staff with payments:write only', async () => {
    const ann = await aKnownCustomer();
    const { number, caller } = await aPaidCart(ann);
    const { orderToken } = caller;
    const [support, cashier, bob] = [
      await aClerk(['orders:write', 'payments:read']),
      await aClerk(['orders:write', 'payments:write']),
      await aCustomer(),
    ];
    const listed = async (who: object) => {
      const { body } = await api(who).get(`/orders/${number}`);
      return body.credit_cards.map((card: any) => String(card.id));
    };
    for (const who of [ann, { ...ann, orderToken }, cashier, await anAdmin()]) {
      expect(await listed(who)).toEqual([ann.card]);
    }
    for (const who of [{ orderToken }, { ...bob, orderToken }, support])
      expect(await listed(who)).toEqual([]);
    const reader = await aLimitedToken('admin', ['orders:read']);
    expect(await listed(reader)).toEqual([]);
  });
});

describe('the token of an order that gets an owner', () => {
  const opens = async (number: string, orderToken: string) =>
    (await api({ orderToken }).get(`/orders/${number}`)).status;

  /** Expects that only the new token opens the order. */
  async function expectReplaced(number: string, before: string, after: string): Promise<void> {
    expect(after).toMatch(/^[\w-]{22}$/);
    expect([await opens(number, before), await opens(number, after)]).toEqual([401, 200]);
  }

  test('is replaced by an association, of carts and of complete orders', async () => {
    for (const state of ['address', 'complete'] as const) {
      const [ann, order] = [await aCustomer(), await orderInState(state)];
      const { body } = await api({ ...ann, ...order.caller }).put(`/orders/${order.number}/associate`);
      await expectReplaced(order.number, order.token, body.token);
      const again = await api({ ...ann, ...order.caller }).put(`/orders/${order.number}/associate`);
      expect(again.body.token).toBe(body.token);
    }
  });

  test('is replaced by a claim', async () => {
    const [ann, order] = [await aCustomer(), await orderInState('cart')];
    const { body } = await api({ ...ann, ...order.caller }).put(`/orders/${order.number}`, {
      order: { special_instructions: 'none' },
    });
    expect(body.user_id).toBe(ann.id);
    await expectReplaced(order.number, order.token, body.token);
    const [bob, other] = [await aCustomer(), await orderInState('cart')];
    const step = await api({ ...bob, ...other.caller }).put(`/checkouts/${other.number}`, {});
    await expectReplaced(other.number, other.token, step.body.token);
  });

  test('is replaced when staff assign the order', async () => {
    const [ann, bob, order] = [await aCustomer(), await aCustomer(), await orderInState('cart')];
    const admin = api(await anAdmin());
    let before = order.token;
    for (const user_id of [ann.id, bob.id]) {
      const { body } = await admin.put(`/orders/${order.number}`, { order: { user_id } });
      await expectReplaced(order.number, before, body.token);
      before = body.token;
    }
    const same = await admin.put(`/orders/${order.number}`, { order: { user_id: bob.id } });
    expect(same.body.token).toBe(before);
  });

  test('is replaced when the account of its owner is merged into another one', async () => {
    const [ann, old] = [await aCustomer(), await aCustomer()];
    const orders = [
      await orderInState('complete', { caller: old }),
      await orderInState('cart', { caller: old }),
    ];
    const merged = await api(await anAdmin()).put(`/users/${ann.id}/merge`, { user_id: old.id });
    expect(merged.status).toBe(200);
    for (const { number, token } of orders) {
      const { body } = await api(ann).get(`/orders/${number}`);
      await expectReplaced(number, token, body.token);
    }
  });

  test('is replaced by sign-in and sign-up, whose replies have the new one', async () => {
    const user = await aSignedUpCustomer();
    const { email, password } = user;
    const first = await orderInState('cart');
    const session = await api().post('/sessions', {
      email,
      password,
      order_number: first.number,
      order_token: first.token,
    });
    expect(session.body).toMatchObject({ order_number: first.number });
    await expectReplaced(first.number, first.token, session.body.order_token);
    const second = await orderInState('cart');
    const made = await api().post('/users', {
      user: { email: `x${user.email}`, password },
      order_number: second.number,
      order_token: second.token,
    });
    expect(made.body).toMatchObject({ order_number: second.number });
    await expectReplaced(second.number, second.token, made.body.order_token);
    const failed = await api().post('/sessions', {
      email,
      password,
      order_number: second.number,
      order_token: second.token,
    });
    expect([failed.status, 'order_token' in failed.body]).toEqual([201, false]);
  });
});
