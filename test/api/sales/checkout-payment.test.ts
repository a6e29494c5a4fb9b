import { aClerk, aCustomer, anAdmin, asAdmin } from '../../support/accounts.factory';
import { api, makeTestApp, type Caller } from '../../support/api';
import { testDb } from '../../support/database';
import {
  aSellableVariant,
  DECLINED_CARD,
  GOOD_CARD,
  getTotalOnHand,
  orderInState,
  buildPaymentBody,
  getPaymentMethodId,
  showOrder,
  updateCheckout,
} from '../../support/orders.factory';
import { INVALID, NOT_TRANSITIONED } from '../../support/error-bodies';
import { buildBogusGateway } from '../../support/gateways';
import { expectNoViolations } from '../../support/invariants';

describe('adding a payment', () => {
  test.each(['array', 'object', 'inside the order', 'source attributes', 'short name'])(
    'accepts the format: %s',
    async (form) => {
      const id = await getPaymentMethodId('Credit Card');
      const source = { [id]: GOOD_CARD };
      const bodies: Record<string, object> = {
        array: {
          order: { payments_attributes: [{ payment_method_id: String(id) }] },
          payment_source: source,
        },
        object: { order: { payments_attributes: { payment_method_id: id } }, payment_source: source },
        'inside the order': {
          order: { payments_attributes: { payment_method_id: String(id) }, payment_source: source },
        },
        'source attributes': {
          order: { payments_attributes: [{ payment_method_id: id, source_attributes: GOOD_CARD }] },
        },
        'short name': { order: { payments: [{ payment_method_id: id }], payment_source: source } },
      };
      const order = await orderInState('payment');
      const reply = await updateCheckout(order, bodies[form]);
      expect([reply.status, reply.body]).toMatchObject([
        200,
        {
          state: 'confirm',
          payments: [
            {
              source_type: 'Store::CreditCard',
              amount: '36.98',
              display_amount: '$36.98',
              payment_method_id: id,
              state: 'checkout',
              avs_response: null,
              number: expect.stringMatching(/^P[A-Z0-9]{7}$/),
              payment_method: { id, name: 'Credit Card' },
              source: { month: '1', year: '2035', cc_type: null, last_digits: '1111', name: 'Ann Lee' },
            },
          ],
          // For the owner only, and orders of guests have none.
          credit_cards: [],
        },
      ]);
      expect(reply.text).not.toContain(GOOD_CARD.number);
    },
  );

  test('accepts form encoding', async () => {
    const id = await getPaymentMethodId('Credit Card');
    const order = await orderInState('payment');
    const card = Object.entries(GOOD_CARD).map(
      ([key, value]) => `payment_source[${id}][${key}]=${encodeURIComponent(value)}`,
    );
    const reply = await updateCheckout(
      order,
      `order[payments_attributes][][payment_method_id]=${id}&${card.join('&')}` as any,
    );
    expect([reply.status, reply.body.state]).toEqual([200, 'confirm']);
  });

  test('the amount is the order total, whatever the client sends', async () => {
    const id = await getPaymentMethodId('Check');
    const order = await orderInState('payment');
    const reply = await updateCheckout(order, {
      order: { payments_attributes: [{ payment_method_id: id, amount: '0.01', state: 'completed' }] },
    });
    expect(reply.body).toMatchObject({
      payment_total: '0.0',
      payments: [{ amount: '36.98', state: 'checkout', source_type: null, source: null }],
    });
  });

  test('ignores sources of payment methods other than the chosen one', async () => {
    const [card, check] = [await getPaymentMethodId('Credit Card'), await getPaymentMethodId('Check')];
    const order = await orderInState('payment');
    const reply = await updateCheckout(order, {
      order: { payments_attributes: [{ payment_method_id: check }] },
      payment_source: { [card]: GOOD_CARD, [check]: {}, 999999: GOOD_CARD },
    });
    expect(reply.body.payments).toMatchObject([{ payment_method_id: check, source_id: null }]);
  });

  test.each([null, '', []])('a payment source that is %j counts as no card', async (source) => {
    const card = await getPaymentMethodId('Credit Card');
    const order = await orderInState('payment');
    const reply = await updateCheckout(order, {
      order: { payments_attributes: [{ payment_method_id: card }] },
      payment_source: { [card]: source },
    });
    expect([reply.status, reply.body.payments]).toMatchObject([
      200,
      [{ payment_method_id: card, state: 'checkout', source_id: null }],
    ]);
  });

  test.each([
    ['of the chosen method', 'payment_source', (card: number, source: unknown) => ({ [card]: source })],
    ['that is no object', 'payment_source', (_card: number, source: unknown) => source],
    ['inside the payment', 'payments.source', null],
  ])('refuses a source %s that is no card', async (_where, key, buildSource) => {
    const card = await getPaymentMethodId('Credit Card');
    const order = await orderInState('payment');
    for (const source of ['4111111111111111', 4111, true, [GOOD_CARD]]) {
      const bodies =
        buildSource === null
          ? [{ order: { payments_attributes: [{ payment_method_id: card, source_attributes: source }] } }]
          : [
              { order: { payments: { payment_method_id: card } }, payment_source: buildSource(card, source) },
              { order: { payments: { payment_method_id: card }, payment_source: buildSource(card, source) } },
            ];
      for (const body of bodies) {
        const reply = await updateCheckout(order, body);
        expect([reply.status, reply.body]).toEqual([
          422,
          { error: INVALID, errors: { [key]: ['is invalid'] } },
        ]);
      }
    }
    expect(await showOrder(order)).toMatchObject({ state: 'payment', payments: [] });
  });

  test.each([null, '', []])(
    'a source of all methods that is %j counts as no card',
    async (payment_source) => {
      const card = await getPaymentMethodId('Credit Card');
      const order = await orderInState('payment');
      const body = { order: { payments: { payment_method_id: card } }, payment_source };
      const reply = await updateCheckout(order, body);
      expect([reply.status, reply.body.payments]).toMatchObject([200, [{ source_id: null }]]);
    },
  );

  test.each(['another method', 'no method', 'a check', 'inside the order'])(
    'refuses sources of no chosen payment method: %s',
    async (form) => {
      const [card, check] = [await getPaymentMethodId('Credit Card'), await getPaymentMethodId('Check')];
      const order = await orderInState('payment');
      const payments_attributes = [{ payment_method_id: card }];
      const bodies: Record<string, object> = {
        'another method': { order: { payments_attributes }, payment_source: { [card + 1000]: GOOD_CARD } },
        'no method': { order: {}, payment_source: { [card]: GOOD_CARD } },
        'a check': {
          order: { payments_attributes: [{ payment_method_id: check }] },
          payment_source: { [card]: GOOD_CARD },
        },
        'inside the order': { order: { payments_attributes, payment_source: { 0: GOOD_CARD } } },
      };
      for (const path of ['checkouts', 'orders']) {
        const reply = await api(order.caller).put(`/${path}/${order.number}`, bodies[form]);
        expect([reply.status, reply.body]).toEqual([
          422,
          {
            error: INVALID,
            errors: { payment_source: ['names no payment method of this request'] },
          },
        ]);
      }
      expect(await showOrder(order)).toMatchObject({ state: 'payment', payments: [] });
    },
  );

  test.each([
    [{ ...GOOD_CARD, number: '' }, ["Number can't be blank"]],
    [
      {},
      [
        "Number can't be blank",
        'Month is not a number',
        'Year is not a number',
        "Verification Value can't be blank",
        "Name can't be blank",
      ],
    ],
    [{ ...GOOD_CARD, month: '13' }, ['Card expiration is invalid']],
    [{ ...GOOD_CARD, year: '2020' }, ['Card has expired']],
  ])('an invalid card returns 422: %#', async (card, messages) => {
    const order = await orderInState('payment');
    const reply = await updateCheckout(order, await buildPaymentBody({ card }));
    expect([reply.status, reply.body]).toEqual([
      422,
      { error: INVALID, errors: { 'payments.Credit Card': messages } },
    ]);
    expect(await showOrder(order)).toMatchObject({ state: 'payment', payments: [] });
  });

  test('an unknown, inactive or missing payment method returns 422', async () => {
    const order = await orderInState('payment');
    const [inactive] = await testDb()('payment_methods')
      .insert({ name: 'Old', method_type: 'check', gateway: 'check', active: false })
      .returning('id');
    for (const payment_method_id of ['2147483647', inactive.id, null, 'abc']) {
      const reply = await updateCheckout(order, { order: { payments_attributes: [{ payment_method_id }] } });
      expect([reply.status, reply.body.errors]).toEqual([
        422,
        { 'payments.payment_method': ["can't be blank"] },
      ]);
    }
  });

  test('is accepted before payment; a new payment replaces it, and its amount follows the order total', async () => {
    const order = await orderInState('address');
    const early = await updateCheckout(order, await buildPaymentBody({ method: 'Check' }));
    expect(early.status).toBe(422); // There is no e-mail yet, but the payment is saved.
    expect((await showOrder(order)).payments).toMatchObject([{ state: 'checkout', amount: '31.98' }]);
    await api(order.caller).put(`/orders/${order.number}`, Object(await buildPaymentBody()));
    expect((await showOrder(order)).payments.map(({ state }: any) => state)).toEqual(['invalid', 'checkout']);
    const ready = await orderInState('payment');
    await api(ready.caller).put(`/orders/${ready.number}`, await buildPaymentBody());
    const { id, shipping_rates } = ready.shipments[0];
    await api(ready.caller).put(`/orders/${ready.number}`, {
      order: { shipments_attributes: [{ id, selected_shipping_rate_id: shipping_rates[1].id }] },
    });
    const confirmed = await updateCheckout(ready);
    expect(confirmed.body).toMatchObject({
      state: 'confirm',
      total: '41.98',
      payments: [{ amount: '41.98' }],
    });
  });
});

describe('paying with a saved card', () => {
  /** Saves a card of the customer that the gateway knows. */
  async function createSavedCard(ann: { token: string; id: number }): Promise<string> {
    await orderInState('complete', { caller: ann });
    const cards = await api(ann).get(`/users/${ann.id}/credit_cards`);
    return String(cards.body.credit_cards[0].id);
  }

  test('succeeds for its owner', async () => {
    const ann = await aCustomer();
    const existing_card = await createSavedCard(ann);
    const order = await orderInState('payment', { caller: ann });
    const reply = await updateCheckout(order, { order: { existing_card }, cvc_confirm: '123' });
    expect([reply.status, reply.body]).toMatchObject([
      200,
      {
        state: 'confirm',
        // It replaces the payment that entering payment created.
        payments: [{ state: 'invalid' }, { state: 'checkout', source_id: Number(existing_card) }],
      },
    ]);
    expect((await updateCheckout(order)).body).toMatchObject({ state: 'complete' });
  });

  test('is the default payment when the checkout enters payment', async () => {
    const ann = await aCustomer();
    const existing_card = await createSavedCard(ann);
    const order = await orderInState('payment', { caller: ann });
    expect(order.payments).toMatchObject([
      { state: 'checkout', amount: '36.98', source_id: Number(existing_card) },
    ]);
    expect((await updateCheckout(order)).body.state).toBe('confirm');
  });

  test('is not the default payment once it has expired', async () => {
    const ann = await aCustomer();
    const id = Number(await createSavedCard(ann));
    await testDb()('credit_cards').where({ id }).update({ year: '2020' });
    expect(await orderInState('payment', { caller: ann })).toMatchObject({ state: 'payment', payments: [] });
  });

  test('returns 422 for other customers, guests and unknown cards', async () => {
    const [ann, bob] = [await aCustomer(), await aCustomer()];
    const existing_card = await createSavedCard(ann);
    const guests = await orderInState('complete');
    const guestCard = guests.payments[0].source_id;
    const refused = [422, { error: INVALID, errors: { base: ['Invalid credit card.'] } }];
    for (const caller of [bob, {}]) {
      const order = await orderInState('payment', { caller });
      for (const card of [existing_card, guestCard, '2147483647']) {
        const reply = await updateCheckout(order, { order: { existing_card: card } });
        expect([reply.status, reply.body]).toEqual(refused);
      }
      // The owner's card cannot pay another customer's order, even with that order's token.
      const lent = await api({ ...(await anAdmin()) }).put(`/checkouts/${order.number}`, {
        order: { existing_card },
      });
      expect([lent.status, lent.body]).toEqual(refused);
      expect((await showOrder(order)).payments).toEqual([]);
    }
  });

  test('succeeds in the request that claims a guest order', async () => {
    const ann = await aCustomer();
    const existing_card = await createSavedCard(ann);
    const order = await orderInState('payment');
    const reply = await api({ ...ann, orderToken: order.token }).put(`/checkouts/${order.number}`, {
      order: { existing_card },
    });
    expect([reply.status, reply.body]).toMatchObject([200, { state: 'confirm', user_id: ann.id }]);
  });
});

test.each([false, 'false'])('a card with save %j pays its order only', async (save) => {
  const ann = await aCustomer();
  const paid = await orderInState('payment', { caller: ann });
  const id = await getPaymentMethodId('Credit Card');
  await updateCheckout(paid, {
    order: { payments_attributes: [{ payment_method_id: id }] },
    payment_source: { [id]: { ...GOOD_CARD, save } },
  });
  const bought = await updateCheckout(paid);
  expect(bought.body).toMatchObject({ state: 'complete', payments: [{ state: 'pending' }] });
  expect((await api(ann).get(`/users/${ann.id}/credit_cards`)).body.credit_cards).toEqual([]);
  const next = await orderInState('payment', { caller: ann });
  expect(next.payments).toEqual([]);
  const existing_card = bought.body.payments[0].source_id;
  expect((await updateCheckout(next, { order: { existing_card } })).status).toBe(422);
});

describe('completing an order', () => {
  test('takes the stock, authorizes the payment and saves the card; a repetition changes nothing', async () => {
    const ann = await aCustomer();
    const tote = await aSellableVariant({ stock: 5 });
    const order = await orderInState('confirm', {
      caller: ann,
      lines: [{ variant_id: tote.id, quantity: 2 }],
    });
    expect(await getTotalOnHand(tote.id)).toBe(5); // Carts reserve no stock.
    const reply = await updateCheckout(order);
    expect([reply.status, reply.body]).toMatchObject([
      200,
      {
        state: 'complete',
        completed_at: expect.any(String),
        payment_state: 'balance_due',
        shipment_state: 'pending',
        considered_risky: false,
        payment_total: '0.0',
        payments: [{ state: 'pending', avs_response: 'D' }],
        shipments: [{ state: 'pending' }],
      },
    ]);
    expect(await getTotalOnHand(tote.id)).toBe(3);
    expect((await updateCheckout(order)).body).toEqual(reply.body);
    expect(await getTotalOnHand(tote.id)).toBe(3);
    const card = await testDb()('credit_cards').where({ id: reply.body.payments[0].source_id }).first();
    expect(card).toMatchObject({ user_id: ann.id, is_default: true });
    const [operations] = await testDb()('payment_operations')
      .where({ payment_id: reply.body.payments[0].id })
      .count();
    expect(Number(operations?.['count'])).toBe(1);
  });

  test('captures with auto_capture: the order is paid and ready to ship', async () => {
    const order = await orderInState('confirm');
    const id = await getPaymentMethodId('Credit Card');
    await testDb()('payment_methods').where({ id }).update({ auto_capture: true });
    const reply = await updateCheckout(order);
    await testDb()('payment_methods').where({ id }).update({ auto_capture: null });
    expect(reply.body).toMatchObject({
      state: 'complete',
      payment_state: 'paid',
      payment_total: '36.98',
      payments: [{ state: 'completed', avs_response: 'M' }],
      shipments: [{ state: 'ready' }],
      shipment_state: 'ready',
      considered_risky: false,
    });
  });

  test('a card whose security code does not match is charged, and its order is risky', async () => {
    const order = await orderInState('confirm');
    const authorize = () =>
      Promise.resolve({
        approved: true,
        response_code: '1',
        avs_response: 'M',
        cvv_response: 'N',
        message: 'ok',
      });
    const gateway = makeTestApp({ gateways: buildBogusGateway({ authorize }) });
    const reply = await api(order.caller, gateway).put(`/checkouts/${order.number}`);
    expect(reply.body).toMatchObject({
      state: 'complete',
      considered_risky: true,
      payments: [{ state: 'pending', avs_response: 'M' }],
    });
  });

  test('a declined card leaves the order in confirm and takes no stock; another card completes it', async () => {
    const tote = await aSellableVariant({ stock: 5 });
    const order = await orderInState('confirm', { card: DECLINED_CARD, lines: [{ variant_id: tote.id }] });
    const declined = await updateCheckout(order);
    expect([declined.status, declined.body]).toEqual([
      422,
      { error: NOT_TRANSITIONED, errors: { base: ['Bogus Gateway: Forced failure'] } },
    ]);
    expect(await showOrder(order)).toMatchObject({
      state: 'confirm',
      completed_at: null,
      considered_risky: true,
      payments: [{ state: 'failed' }],
      credit_cards: [],
    });
    expect(await getTotalOnHand(tote.id)).toBe(5);
    const again = await updateCheckout(order);
    expect([again.status, again.body.errors]).toEqual([422, { base: ['No payment found'] }]);
    const paid = await updateCheckout(order, await buildPaymentBody());
    expect([paid.status, paid.body]).toMatchObject([
      200,
      { state: 'complete', considered_risky: true, payments: [{ state: 'failed' }, { state: 'pending' }] },
    ]);
    expect(await getTotalOnHand(tote.id)).toBe(4);
  });

  test('the cards of an order exclude declined and replaced ones', async () => {
    const order = await orderInState('confirm', { card: DECLINED_CARD });
    expect((await updateCheckout(order)).status).toBe(422);
    for (const name of ['Ann Lee', 'Bea Lee']) {
      const body = await buildPaymentBody({ card: { ...GOOD_CARD, name } });
      expect((await api(order.caller).put(`/orders/${order.number}`, body)).status).toBe(200);
    }
    const { payments, credit_cards } = (await (await asAdmin()).get(`/orders/${order.number}`)).body;
    expect(payments).toMatchObject([{ state: 'failed' }, { state: 'invalid' }, { state: 'checkout' }]);
    expect(credit_cards).toMatchObject([{ name: 'Bea Lee', last_digits: '1111' }]);
  });

  test('only the user of an order and staff with payments:write see its cards', async () => {
    const ann = await aCustomer();
    const order = await orderInState('confirm', { caller: ann });
    const listCards = async (caller: Caller): Promise<unknown[]> =>
      (await api(caller).get(`/orders/${order.number}`)).body.credit_cards;
    for (const caller of [ann, await aClerk(['orders:read', 'payments:write'])])
      expect(await listCards(caller)).toMatchObject([{ last_digits: '1111' }]);
    for (const caller of [await aClerk(['orders:read']), { orderToken: order.caller.orderToken }])
      expect(await listCards(caller)).toEqual([]);
  });

  test('a declined order that becomes free is paid and ships', async () => {
    const order = await orderInState('confirm', { card: DECLINED_CARD });
    expect((await updateCheckout(order)).status).toBe(422);
    const admin = await asAdmin();
    const gift = await admin.post(`/orders/${order.number}/adjustments`, {
      adjustment: { label: 'Gift', amount: `-${order.total}` },
    });
    expect(gift.status).toBe(201);
    const completed = await updateCheckout(order);
    expect([completed.status, completed.body]).toMatchObject([
      200,
      { state: 'complete', total: '0.0', payment_state: 'paid', shipments: [{ state: 'ready' }] },
    ]);
    const shipped = await admin.put(`/shipments/${completed.body.shipments[0].number}/ship`);
    expect([shipped.status, shipped.body.state]).toEqual([200, 'shipped']);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('a card that was entered before the order became free is for nothing', async () => {
    const order = await orderInState('confirm');
    const admin = await asAdmin();
    await admin.post(`/orders/${order.number}/adjustments`, {
      adjustment: { label: 'Gift', amount: `-${order.total}` },
    });
    expect((await updateCheckout(order)).body).toMatchObject({
      state: 'complete',
      payments: [{ state: 'checkout', amount: '0.0' }],
    });
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('a card payment without a card returns 422 and is kept', async () => {
    const id = await getPaymentMethodId('Credit Card');
    const tote = await aSellableVariant({ stock: 3 });
    const order = await orderInState('payment', { lines: [{ variant_id: tote.id }] });
    // It is a valid payment until the gateway is called.
    expect(
      (await updateCheckout(order, { order: { payments_attributes: [{ payment_method_id: id }] } })).body
        .state,
    ).toBe('confirm');
    const reply = await updateCheckout(order);
    expect(await getTotalOnHand(tote.id)).toBe(3);
    expect([reply.status, reply.body.errors]).toEqual([
      422,
      { base: ['Payment could not be processed, please check the details you entered'] },
    ]);
    expect(await showOrder(order)).toMatchObject({ state: 'confirm', payments: [{ state: 'checkout' }] });
  });

  test('an authorized payment is not authorized again', async () => {
    const order = await orderInState('confirm');
    const path = `/orders/${order.number}/payments/${order.payments[0].id}`;
    expect((await api(await anAdmin()).put(`${path}/authorize`)).status).toBe(200);
    const reply = await updateCheckout(order);
    expect(reply.body).toMatchObject({ state: 'complete', payments: [{ state: 'pending' }] });
    const operations = await testDb()('payment_operations')
      .where({ payment_id: order.payments[0].id })
      .pluck('kind');
    expect(operations).toEqual(['authorize']);
  });

  test('a payment that an authorized one makes unnecessary is not processed', async () => {
    const order = await orderInState('confirm');
    const admin = api(await anAdmin());
    const path = `/orders/${order.number}/payments`;
    expect((await admin.put(`${path}/${order.payments[0].id}/authorize`)).status).toBe(200);
    const payment = { payment_method_id: await getPaymentMethodId('Credit Card'), amount: '5' };
    const second = await admin.post(path, { payment: { ...payment, source_attributes: GOOD_CARD } });
    const completed = await updateCheckout(order);
    expect(completed.body).toMatchObject({
      state: 'complete',
      payments: [
        { state: 'pending', amount: order.total },
        { id: second.body.id, state: 'checkout' },
      ],
    });
    expect(await testDb()('payment_operations').where({ payment_id: second.body.id })).toEqual([]);
  });

  test('payments below the total leave a balance due', async () => {
    const order = await orderInState('payment');
    const admin = api(await anAdmin());
    await admin.post(`/orders/${order.number}/payments`, {
      payment: {
        payment_method_id: await getPaymentMethodId('Credit Card'),
        amount: '10',
        source_attributes: GOOD_CARD,
      },
    });
    await updateCheckout(order);
    const reply = await updateCheckout(order);
    expect(reply.body).toMatchObject({ state: 'complete', payments: [{ amount: '10.0', state: 'pending' }] });
    await admin.put(`/orders/${order.number}/payments/${reply.body.payments[0].id}/capture`);
    expect(await showOrder(order)).toMatchObject({ payment_total: '10.0', payment_state: 'balance_due' });
  });
});

test('the reply to a completion shows its payment as it is stored', async () => {
  const order = await orderInState('confirm');
  const { payments } = (await updateCheckout(order)).body;
  expect(payments).toMatchObject([{ state: 'pending' }]);
  expect(payments).toEqual((await showOrder(order)).payments);
});
