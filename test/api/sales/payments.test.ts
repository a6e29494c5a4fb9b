import { pino } from 'pino';
import { aCustomer, anAdmin } from '../../support/accounts.factory';
import { api, makeTestApp } from '../../support/api';
import { testDb } from '../../support/database';
import { DECLINED_CARD, GOOD_CARD, getPaymentMethodId } from '../../support/orders.factory';
import {
  aCardPayment,
  aCheckPayment,
  anOrderOf,
  aPaymentIn,
  getPaymentTotals,
} from '../../support/payments.factory';
import { listQueries } from '../../support/queries';
import { unique } from '../../support/unique';
import { NOT_FOUND, invalid } from '../../support/error-bodies';

const NOT_ALLOWED = { error: 'You are not authorized to perform that action.' };
const buildGatewayError = (message: string) => ({
  error: `There was a problem with the payment gateway: ${message}`,
});

const getState = async (path: string): Promise<string> =>
  (await api(await anAdmin()).get(path)).body.state as string;

describe('creating a payment', () => {
  test('accepts method and amount in the query, by an admin', async () => {
    const order = await anOrderOf('41.98');
    const id = await getPaymentMethodId('Credit Card');
    const reply = await api(await anAdmin()).post(
      `/orders/${order.number}/payments?payment[payment_method_id]=${id}&payment[amount]=10`,
    );
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      source_type: null,
      source_id: null,
      amount: '10.0',
      display_amount: '$10.00',
      payment_method_id: id,
      state: 'checkout',
      avs_response: null,
      number: expect.stringMatching(/^P[A-Z0-9]{7}$/),
    });
  });

  test('a card is stored without its number and belongs to the user of the order', async () => {
    const owner = await aCustomer();
    const order = await anOrderOf('5', { user_id: owner.id });
    const body = await aCardPayment(order, { source_attributes: { ...GOOD_CARD, cc_type: '' } });
    expect(body).toMatchObject({ source_type: 'Store::CreditCard', amount: '5.0' });
    expect(await testDb()('credit_cards').where({ id: body.source_id }).first()).toMatchObject({
      user_id: owner.id,
      month: '1',
      year: '2035',
      cc_type: 'visa',
      last_digits: '1111',
      name: 'Ann Lee',
      gateway_customer_profile_id: expect.stringMatching(/^BGS-\d{6}$/),
    });
  });

  test('the amount defaults to the outstanding balance; a shopper cannot set another', async () => {
    const order = await anOrderOf('41.98');
    const payment = { payment_method_id: String(await getPaymentMethodId('Credit Card')) };
    const post = (caller: object, amount?: unknown) =>
      api(caller).post(`/orders/${order.number}/payments`, { payment: { ...payment, amount } });

    expect((await post(await anAdmin())).body.amount).toBe('41.98');
    expect((await post(await anAdmin(), ' ')).body.amount).toBe('41.98');
    expect((await post({ orderToken: order.token }, '0.01')).body.amount).toBe('41.98');
    expect((await post(await anAdmin(), '10.005')).body.amount).toBe('10.01');
  });

  test('the default amount excludes captured payments', async () => {
    const order = await anOrderOf('41.98', { state: 'complete' });
    const path = await aPaymentIn('pending', order);
    await api(await anAdmin()).put(`${path}/capture`, { amount: '40' });
    expect((await aCardPayment(order)).amount).toBe('1.98');
  });

  test.each([
    ['-1', 'must be greater than or equal to 0'],
    ['much', 'is not a number'],
    [{ toString: 1 }, 'is not a number'],
    ['1e30', 'must be less than or equal to 99999999.99'],
  ])('an amount of %j returns 422', async (amount, message) => {
    const order = await anOrderOf('10');
    const payment = { payment_method_id: await getPaymentMethodId('Check'), amount };
    // The amount of a shopper is ignored, but an invalid one is an error for everyone.
    for (const caller of [await anAdmin(), { orderToken: order.token }]) {
      const reply = await api(caller).post(`/orders/${order.number}/payments`, { payment });
      expect(reply.status).toBe(422);
      expect(reply.body).toEqual(invalid({ amount: [message] }));
    }
    expect((await api(await anAdmin()).get(`/orders/${order.number}/payments`)).body.count).toBe(0);
  });

  test.each([[undefined], [null], ['x'], [0], [2147483647], ['99999999999'], [[]], [{ a: 1 }]])(
    'the method %j returns 422',
    async (payment_method_id) => {
      const order = await anOrderOf('10');
      const reply = await api({ orderToken: order.token }).post(`/orders/${order.number}/payments`, {
        payment: { payment_method_id },
      });
      expect(reply.status).toBe(422);
      expect(reply.body).toEqual(invalid({ payment_method: ["can't be blank"] }));
    },
  );

  test('inactive and deleted methods cannot be used, back end methods only by admins', async () => {
    const order = await anOrderOf('10');
    const add = async (columns: object): Promise<number> => {
      const row = { name: unique('method'), gateway: 'check', method_type: 'check', ...columns };
      const [made] = await testDb()('payment_methods').insert(row).returning('id');
      return made.id;
    };
    const hidden = await add({ display_on: 'back_end' });
    const gone = [await add({ active: false }), await add({ deleted_at: new Date() })];
    const admin = await anAdmin();
    const post = (caller: object, id: number) =>
      api(caller).post(`/orders/${order.number}/payments`, { payment: { payment_method_id: id } });
    const listOfferedMethods = async (caller: object): Promise<number[]> =>
      (await api(caller).get(`/orders/${order.number}/payments/new`)).body.payment_methods.map(
        (method: { id: number }) => method.id,
      );

    expect((await post(admin, hidden)).status).toBe(201);
    expect((await post({ orderToken: order.token }, hidden)).status).toBe(422);
    for (const id of gone) expect((await post(admin, id)).status).toBe(422);
    expect(await listOfferedMethods(admin)).toContain(hidden);
    expect(await listOfferedMethods({ orderToken: order.token })).not.toContain(hidden);
    for (const id of gone) expect(await listOfferedMethods(admin)).not.toContain(id);
    await testDb()('payment_methods')
      .whereIn('id', [hidden, ...gone])
      .update({ active: false });
  });

  test('card errors are sentences, and nothing is stored', async () => {
    const order = await anOrderOf('10');
    const post = async (source_attributes: unknown) =>
      api({ orderToken: order.token }).post(`/orders/${order.number}/payments`, {
        payment: { payment_method_id: await getPaymentMethodId('Credit Card'), source_attributes },
      });
    const empty = await post({});
    expect(empty.status).toBe(422);
    expect(empty.body).toEqual(
      invalid({
        'Credit Card': [
          "Number can't be blank",
          'Month is not a number',
          'Year is not a number',
          "Verification Value can't be blank",
          "Name can't be blank",
        ],
      }),
    );
    for (const source of ['4111111111111111', 4111, [GOOD_CARD]]) {
      expect((await post(source)).body).toEqual(invalid({ source: ['is invalid'] }));
    }
    const messages = async (changes: object) =>
      (await post({ ...GOOD_CARD, ...changes })).body.errors['Credit Card'];
    expect(await messages({ year: '2020' })).toEqual(['Card has expired']);
    expect(await messages({ month: '13' })).toEqual(['Card expiration is invalid']);
    expect(await messages({ name: 'x'.repeat(300) })).toEqual([
      'Name is too long (maximum is 255 characters)',
    ]);
    expect(await messages({ name: 'a\u0000b' })).toEqual(['Name is invalid']);
    expect(await messages({ name: 'a\ud800' })).toEqual(['Name is invalid']);
    expect((await api(await anAdmin()).get(`/orders/${order.number}/payments`)).body.payments).toEqual([]);
  });

  test('a number that the gateway will decline is accepted', async () => {
    const order = await anOrderOf('10');
    const { id } = await aCardPayment(order, { source_attributes: DECLINED_CARD });
    const reply = await api(await anAdmin()).put(`/orders/${order.number}/payments/${id}/authorize`);
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual(buildGatewayError('Bogus Gateway: Forced failure'));
    expect(await getState(`/orders/${order.number}/payments/${id}`)).toBe('failed');
  });

  test('a new payment invalidates older ones in checkout, and no others', async () => {
    const order = await anOrderOf('10');
    const pending = await aPaymentIn('pending', order);
    const entered = await aPaymentIn('checkout', order);
    const newest = await aPaymentIn('checkout', order);
    expect(await Promise.all([pending, entered, newest].map(getState))).toEqual([
      'pending',
      'invalid',
      'checkout',
    ]);
  });

  test('a saved card can be used only for orders of its owner', async () => {
    const [owner, other] = [await aCustomer(), await aCustomer()];
    const { source_id: saved } = await aCardPayment(await anOrderOf('10', { user_id: owner.id }));
    const { source_id: unkept } = await aCardPayment(await anOrderOf('10', { user_id: owner.id }), {
      source_attributes: DECLINED_CARD,
    });
    const { source_id: guests } = await aCardPayment(await anOrderOf('10'));
    const pay = async (user_id: number | null, existing_card: unknown) => {
      const order = await anOrderOf('10', user_id === null ? {} : { user_id });
      const path = `/orders/${order.number}/payments`;
      const caller = [owner, other].find(({ id }) => id === user_id) ?? { orderToken: order.token };
      return api(caller).post(path, { payment: { existing_card } });
    };

    const reply = await pay(owner.id, String(saved));
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({ source_id: saved, state: 'checkout' });
    for (const [user, card] of [
      [other.id, saved],
      [null, saved],
      [null, guests],
      [owner.id, guests],
      [owner.id, unkept],
      [owner.id, 'x'],
      [owner.id, 2147483647],
    ] as const) {
      const refused = await pay(user, card);
      expect(refused.status).toBe(422);
      expect(refused.body).toEqual(invalid({ base: ['Invalid credit card.'] }));
    }
  });
});

describe('reading payments', () => {
  test('lists the payments of an order in creation order, with search and sort', async () => {
    const order = await anOrderOf('10', { state: 'complete' });
    await aPaymentIn('pending', order);
    await aPaymentIn('checkout', order);
    const caller = api({ orderToken: order.token });
    const all = await caller.get(`/orders/${order.number}/payments.json`);
    expect(all.body).toMatchObject({ count: 2, current_page: 1, pages: 1 });
    expect(all.body.payments.map((payment: any) => payment.state)).toEqual(['pending', 'checkout']);
    expect(all.headers['cache-control']).toBe('private, no-store');

    const found = await caller.get(`/orders/${order.number}/payments?q[response_code_cont]=234`);
    expect(found.body.payments.map((payment: any) => payment.state)).toEqual(['pending']);
    const page = await caller.get(`/orders/${order.number}/payments?per_page=1&page=2&q[s]=state desc`);
    expect(page.body).toMatchObject({ count: 1, current_page: 2, pages: 2 });
    expect(page.body.payments[0].state).toBe('checkout');
  });

  test('later pages do not read the refunds of the payments before them', async () => {
    const order = await anOrderOf('10', { state: 'complete' });
    for (const state of ['pending', 'checkout'] as const) await aPaymentIn(state, order);
    const caller = api({ orderToken: order.token });
    const statements = await listQueries(async () => {
      const { body } = await caller.get(`/orders/${order.number}/payments?per_page=1&page=2`);
      expect(body).toMatchObject({ count: 1, pages: 2, payments: [{ state: 'checkout', refunds: [] }] });
    });
    expect(statements.filter((sql) => / offset /.test(sql) && /FROM refunds/.test(sql))).toEqual([]);
  });

  test('lists the payments of all orders for admins', async () => {
    const order = await anOrderOf('10');
    const { id } = await aCardPayment(order);
    const admin = api(await anAdmin());
    const reply = await admin.get(`/payments?q[order_number_eq]=${order.number}&q[s]=state desc`);
    expect(reply.body.payments).toMatchObject([{ id, display_amount: '$10.00' }]);
    expect((await admin.get('/payments?q[gateway_customer_profile_id_start]=BGS')).headers).toMatchObject({
      'x-ignored-conditions': 'gateway_customer_profile_id_start',
    });
    for (const caller of [{}, await aCustomer(), { orderToken: order.token }]) {
      expect((await api(caller).get('/payments')).status).toBe(401);
    }
  });

  test('finds a payment by id or number, only below its order', async () => {
    const [order, other] = [await anOrderOf('10'), await anOrderOf('10')];
    const payment = await aCardPayment(order);
    const caller = api({ orderToken: order.token });
    for (const key of [payment.id, payment.number]) {
      expect((await caller.get(`/orders/${order.number}/payments/${key}`)).body).toEqual(payment);
      const elsewhere = await api(await anAdmin()).get(`/orders/${other.number}/payments/${key}`);
      expect([elsewhere.status, elsewhere.body]).toEqual([404, NOT_FOUND]);
      expect((await api(await anAdmin()).put(`/orders/${other.number}/payments/${key}/capture`)).status).toBe(
        404,
      );
    }
    for (const key of ['99999999999999', 'abc', '0', '-1', payment.number.toLowerCase()]) {
      expect((await caller.get(`/orders/${order.number}/payments/${key}`)).status).toBe(404);
    }
  });

  test('reports an unknown payment before invalid input', async () => {
    const order = await anOrderOf('10');
    const admin = api(await anAdmin());
    const url = `/orders/${order.number}/payments/0`;
    const replies = [
      await admin.put(url, { payment: { amount: 'x' } }),
      await admin.put(`${url}/credit?reason=${'x'.repeat(1001)}`),
      await admin.put(`${url}/settle`, {}),
    ];
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  test('new returns the attributes of a payment and the available methods', async () => {
    const order = await anOrderOf('10');
    const reply = await api({ orderToken: order.token }).get(`/orders/${order.number}/payments/new`);
    expect(reply.body.attributes).toEqual([
      'id',
      'source_type',
      'source_id',
      'amount',
      'display_amount',
      'payment_method_id',
      'state',
      'avs_response',
      'created_at',
      'updated_at',
      'number',
    ]);
    expect(reply.body.payment_methods).toMatchObject([
      { name: 'Credit Card', method_type: 'gateway', description: expect.any(String) },
      { name: 'Check', method_type: 'check' },
    ]);
  });
});

describe('authorization', () => {
  test('owner, token holder and admin may read and create payments; others get 401', async () => {
    const owner = await aCustomer();
    const order = await anOrderOf('10', { user_id: owner.id });
    const { id } = await aCardPayment(order);
    const base = `/orders/${order.number}/payments`;
    const check = await getPaymentMethodId('Check');
    for (const caller of [owner, { orderToken: order.token }, await anAdmin()]) {
      expect((await api(caller).get(base)).status).toBe(200);
      expect((await api(caller).get(`${base}/new`)).status).toBe(200);
      expect((await api(caller).get(`${base}/${id}`)).status).toBe(200);
      expect((await api(caller).post(base, { payment: { payment_method_id: check } })).status).toBe(201);
    }
    for (const caller of [{}, await aCustomer(), { orderToken: 'wrong' }]) {
      for (const path of [base, `${base}/new`, `${base}/${id}`]) {
        const reply = await api(caller).get(path);
        expect([reply.status, reply.body]).toEqual([401, NOT_ALLOWED]);
      }
      expect((await api(caller).post(base, {})).status).toBe(401);
    }
    expect((await api().get('/orders/R000/payments')).status).toBe(404);
  });

  test('only admins may update payments and use payment events', async () => {
    const owner = await aCustomer();
    const order = await anOrderOf('10', { user_id: owner.id });
    const path = await aPaymentIn('checkout', order);
    for (const caller of [{}, await aCustomer(), owner, { orderToken: order.token }]) {
      for (const action of ['', '/authorize', '/capture', '/purchase', '/void', '/credit']) {
        const reply = await api(caller).put(`${path}${action}`, { amount: '1' });
        expect([reply.status, reply.body]).toEqual([401, NOT_ALLOWED]);
      }
    }
    expect(await getState(path)).toBe('checkout');
  });
});

describe('events', () => {
  const buildStateError = (action: string, state: string) =>
    buildGatewayError(`cannot ${action} a payment that is ${state}`);

  /** The resulting state, or null if the event returns 422. */
  test.each([
    [
      'authorize',
      { checkout: 'pending', pending: 'pending', completed: null, failed: null, void: null, invalid: null },
    ],
    [
      'purchase',
      {
        checkout: 'completed',
        pending: 'completed',
        completed: 'completed',
        failed: null,
        void: null,
        invalid: null,
      },
    ],
    [
      'capture',
      {
        checkout: null,
        pending: 'completed',
        completed: 'completed',
        failed: null,
        void: null,
        invalid: null,
      },
    ],
    [
      'void',
      { checkout: 'void', pending: 'void', completed: 'void', failed: null, void: 'void', invalid: null },
    ],
  ] as const)('%s in every state', async (action, outcomes) => {
    const admin = api(await anAdmin());
    for (const [from, to] of Object.entries(outcomes)) {
      const path = await aPaymentIn(
        from as keyof typeof outcomes,
        await anOrderOf('10', { state: 'complete' }),
      );
      const reply = await admin.put(`${path}/${action}`);
      if (to === null)
        expect([from, reply.status, reply.body]).toEqual([from, 422, buildStateError(action, from)]);
      else expect([from, reply.status, reply.body.state]).toEqual([from, 200, to]);
      expect(await getState(path)).toBe(to ?? from);
    }
  });

  test('capturing pays the order, and its shipments become ready', async () => {
    const order = await anOrderOf('41.98', { state: 'complete' });
    const location = await testDb()('stock_locations').first('id');
    const [shipment] = await testDb()('shipments')
      .insert({ order_id: order.id, number: unique('H'), stock_location_id: location.id })
      .returning('id');
    const path = await aPaymentIn('pending', order);
    expect(await getPaymentTotals(order)).toEqual({ payment_state: 'balance_due', payment_total: '0.00' });

    const reply = await api(await anAdmin()).put(`${path}/capture`);

    expect(reply.body).toMatchObject({ amount: '41.98', state: 'completed', avs_response: 'D' });
    expect(await getPaymentTotals(order)).toEqual({ payment_state: 'paid', payment_total: '41.98' });
    const getShipmentState = async () =>
      (await testDb()('shipments').where({ id: shipment.id }).first('state')).state;
    expect(await getShipmentState()).toBe('ready');
    await api(await anAdmin()).put(`${path}/void`);
    expect(await getPaymentTotals(order)).toEqual({ payment_state: 'balance_due', payment_total: '0.00' });
    expect(await getShipmentState()).toBe('pending');
  });

  test('a partial capture leaves the rest as a new pending payment', async () => {
    const order = await anOrderOf('41.98', { state: 'complete' });
    const path = await aPaymentIn('pending', order);
    const admin = api(await anAdmin());
    expect((await admin.put(`${path}/capture?amount=42`)).body).toEqual(
      buildGatewayError('cannot capture more than 41.98'),
    );
    expect((await admin.put(`${path}/capture?amount=0`)).body).toEqual(
      invalid({ amount: ['must be greater than 0'] }),
    );

    const reply = await admin.put(`${path}/capture?amount=40`);

    expect(reply.body).toMatchObject({ amount: '40.0', state: 'completed' });
    const { payments } = (await admin.get(`/orders/${order.number}/payments`)).body;
    expect(payments).toMatchObject([
      { amount: '40.0', state: 'completed' },
      { amount: '1.98', state: 'pending', source_id: reply.body.source_id, avs_response: 'D' },
    ]);
    expect(await getPaymentTotals(order)).toEqual({ payment_state: 'balance_due', payment_total: '40.00' });
    await admin.put(`/orders/${order.number}/payments/${payments[1].id}/capture`);
    expect(await getPaymentTotals(order)).toEqual({ payment_state: 'paid', payment_total: '41.98' });
  });

  test('checks need no card: every event succeeds, also capture from checkout', async () => {
    const admin = api(await anAdmin());
    const order = await anOrderOf('10', { state: 'complete' });
    const path = await aCheckPayment(order);
    expect((await admin.get(path)).body).toMatchObject({ source_type: null, source_id: null });
    expect((await admin.put(`${path}/capture`)).body.state).toBe('completed');
    expect((await admin.put(`${path}/credit?amount=1`)).status).toBe(200);
    expect(await getPaymentTotals(order)).toEqual({ payment_state: 'balance_due', payment_total: '9.00' });
    const other = await aCheckPayment(order);
    expect((await admin.put(`${other}/authorize`)).body.state).toBe('pending');
    expect((await admin.put(`${other}/void`)).body.state).toBe('void');
  });

  test('a card payment without a card returns 422 and is kept', async () => {
    const order = await anOrderOf('10');
    const { id } = await aCardPayment(order, { source_attributes: undefined });
    const path = `/orders/${order.number}/payments/${id}`;
    for (const action of ['authorize', 'purchase']) {
      const reply = await api(await anAdmin()).put(`${path}/${action}`);
      expect([reply.status, reply.body]).toEqual([
        422,
        buildGatewayError('Payment could not be processed, please check the details you entered'),
      ]);
    }
    expect(await getState(path)).toBe('checkout');
  });

  test('payments of a canceled order cannot be captured', async () => {
    const order = await anOrderOf('10', { state: 'canceled' });
    const path = await aPaymentIn('checkout', order);
    for (const action of ['authorize', 'purchase']) {
      expect((await api(await anAdmin()).put(`${path}/${action}`)).status).toBe(422);
    }
    expect((await api(await anAdmin()).put(`${path}/void`)).body.state).toBe('void');
  });

  test('every step is in the history with its actor', async () => {
    const order = await anOrderOf('10', { state: 'complete' });
    const path = await aPaymentIn('checkout', order);
    const admin = await anAdmin();
    await api(admin).put(`${path}/purchase`);
    const id = Number(path.split('/').at(-1));
    const rows = await testDb()('state_changes')
      .where({ subject_type: 'payment', subject_id: id })
      .orderBy('id');
    expect(rows.map((row) => [row.from_state, row.to_state, row.reason])).toEqual([
      [null, 'checkout', 'payment create'],
      ['checkout', 'processing', 'payment purchase'],
      ['processing', 'completed', 'payment purchase'],
    ]);
    expect(rows.at(-1).user_id).toBe(admin.id);
  });
});

describe('credit', () => {
  const buildLimitError = (limit: string) => ({
    error: `This payment can only be credited up to ${limit}. Please specify an amount less than or equal to this number.`,
  });

  test('is allowed up to the limit; one cent more returns 422 with the limit', async () => {
    const order = await anOrderOf('41.98', { state: 'complete' });
    const path = await aPaymentIn('completed', order);
    const admin = api(await anAdmin());
    const before = (await admin.get(path)).body;
    const first = await admin.put(`${path}/credit?amount=15.99`);
    expect(first.status).toBe(200);
    const refunds = [expect.objectContaining({ amount: '15.99' })];
    expect(first.body).toEqual({
      ...before,
      updated_at: first.body.updated_at,
      credit_allowed: '25.99',
      refunds,
    });
    expect(await getPaymentTotals(order)).toEqual({ payment_state: 'balance_due', payment_total: '25.99' });

    const cent = await admin.put(`${path}/credit?amount=26.00`);
    expect([cent.status, cent.body]).toEqual([422, buildLimitError('25.99')]);
    expect((await admin.put(`${path}/credit`, { amount: 25.99 })).status).toBe(200);
    expect((await admin.put(`${path}/credit?amount=0.01`)).body).toEqual(buildLimitError('0.0'));
    expect(await getPaymentTotals(order)).toEqual({ payment_state: 'balance_due', payment_total: '0.00' });
    const voided = await admin.put(`${path}/void`);
    expect(voided.body).toEqual(buildGatewayError('cannot void a payment that is completed'));
    expect(voided.headers['x-error-hint']).toMatch(/^The payment has refunds/);
  });

  test('a blank reason is none', async () => {
    const path = await aPaymentIn('completed', await anOrderOf('10', { state: 'complete' }));
    const admin = api(await anAdmin());
    for (const reason of [undefined, null, '', 'Goodwill'])
      expect((await admin.put(`${path}/credit`, { amount: '1', reason })).status).toBe(200);
    const { refunds } = (await admin.get(path)).body;
    const usual = refunds[0].reason;
    expect(usual).not.toBe('');
    expect(refunds.map(({ reason }: { reason: string }) => reason)).toEqual([
      usual,
      usual,
      usual,
      'Goodwill',
    ]);
  });

  test('the amount defaults to the credit owed, and is required if none is owed', async () => {
    const order = await anOrderOf('30', { state: 'complete' });
    const admin = api(await anAdmin());
    const path = await aPaymentIn('completed', order);
    const { id } = await aCardPayment(order, { amount: '12' });
    for (const action of ['authorize', 'capture'])
      await admin.put(`/orders/${order.number}/payments/${id}/${action}`);
    expect(await getPaymentTotals(order)).toEqual({ payment_state: 'credit_owed', payment_total: '42.00' });
    await admin.put(`${path}/credit`);
    expect(await getPaymentTotals(order)).toEqual({ payment_state: 'paid', payment_total: '30.00' });
    const again = await admin.put(`${path}/credit`);
    expect([again.status, again.body]).toEqual([422, invalid({ amount: ["can't be blank"] })]);
    expect(await getPaymentTotals(order)).toEqual({ payment_state: 'paid', payment_total: '30.00' });
  });

  test.each([['0'], ['-5'], ['abc'], [{ a: 1 }], ['1e99']])('an amount of %j returns 422', async (amount) => {
    const path = await aPaymentIn('completed', await anOrderOf('10', { state: 'complete' }));
    const reply = await api(await anAdmin()).put(`${path}/credit`, { amount });
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual(invalid({ amount: ['must be greater than 0'] }));
  });

  test.each(['checkout', 'pending', 'failed', 'void', 'invalid'] as const)(
    'returns 422 for a payment that is %s',
    async (state) => {
      const path = await aPaymentIn(state, await anOrderOf('10', { state: 'complete' }));
      const reply = await api(await anAdmin()).put(`${path}/credit?amount=1`);
      expect([reply.status, reply.body]).toEqual([422, buildLimitError('0.0')]);
      expect(await getState(path)).toBe(state);
    },
  );
});

describe('updating a payment', () => {
  test('changes amount and method before the payment is authorized', async () => {
    const order = await anOrderOf('10');
    const path = await aPaymentIn('checkout', order);
    const admin = api(await anAdmin());
    const changed = await admin.put(path, { payment: { amount: 4.5 } });
    expect([changed.status, changed.body.amount]).toEqual([200, '4.5']);
    const check = await getPaymentMethodId('Check');
    expect((await admin.patch(path, { payment: { payment_method_id: check } })).body).toMatchObject({
      payment_method_id: check,
      source_id: null,
      amount: '4.5',
    });
    expect((await admin.put(path, { payment: { amount: 'x' } })).body).toEqual(
      invalid({ amount: ['is not a number'] }),
    );
    expect((await admin.put(path, { payment: { payment_method_id: 2147483647 } })).status).toBe(422);
    expect((await admin.put(path, 'payment=x')).body.amount).toBe('4.5');
    const authorized = await aPaymentIn('pending', order);
    expect((await admin.put(authorized, { amount: '3' })).body.amount).toBe('3.0');
    expect((await admin.put(authorized, { payment_method_id: check })).body.errors).toEqual({
      payment_method: ['cannot be changed once authorized'],
    });
  });

  test.each(['completed', 'failed', 'void', 'invalid'] as const)(
    'returns 403 once it is %s',
    async (state) => {
      const path = await aPaymentIn(state, await anOrderOf('10', { state: 'complete' }));
      const reply = await api(await anAdmin()).put(path, { payment: { amount: '1' } });
      expect([reply.status, reply.body]).toEqual([
        403,
        { error: `This payment cannot be updated because it is ${state}.` },
      ]);
    },
  );
});

test('card numbers and verification values are never in replies, logs or tables', async () => {
  const lines: string[] = [];
  const app = makeTestApp({ log: pino({ level: 'trace' }, { write: (line: string) => lines.push(line) }) });
  const number = '5105105105105100';
  const verification_value = '90817263';
  const order = await anOrderOf('10');
  const card = { ...GOOD_CARD, number, verification_value };
  const id = await getPaymentMethodId('Credit Card');
  const replies: string[] = [];
  for (const source_attributes of [card, { ...card, year: 'x' }, { ...card, name: 'a\u0000' }]) {
    const reply = await api({ orderToken: order.token }, app).post(`/orders/${order.number}/payments`, {
      payment: { payment_method_id: id, source_attributes },
    });
    replies.push(reply.text);
  }
  const [{ id: paymentId }] = (await api(await anAdmin(), app).get(`/orders/${order.number}/payments`)).body
    .payments;
  replies.push(
    (await api(await anAdmin(), app).put(`/orders/${order.number}/payments/${paymentId}/purchase`)).text,
  );
  replies.push((await api(await anAdmin(), app).get(`/orders/${order.number}/payments`)).text);

  const tables: { tablename: string }[] = await testDb()('pg_tables')
    .where({ schemaname: 'public' })
    .select('tablename');
  const rows: string[] = [];
  for (const { tablename } of tables) {
    const { rows: found } = await testDb().raw(
      `SELECT row_to_json(t)::text AS text FROM ?? t WHERE row_to_json(t)::text LIKE ANY (?)`,
      [tablename, [`%${number}%`, `%${verification_value}%`]],
    );
    rows.push(...found.map((row: { text: string }) => `${tablename}: ${row.text}`));
  }
  expect(rows).toEqual([]);
  expect(tables.length).toBeGreaterThan(20);
  expect(lines.length).toBeGreaterThan(4);
  for (const secret of [number, verification_value]) {
    expect(replies.filter((text) => text.includes(secret))).toEqual([]);
    expect(lines.filter((line) => line.includes(secret))).toEqual([]);
  }
});
