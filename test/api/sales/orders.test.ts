import { aCustomer, anAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { expectNoViolations } from '../../support/invariants';
import {
  aSellableVariant,
  buildMarylandAddress,
  getTotalOnHand,
  orderInState,
  buildPaymentBody,
  setStock,
} from '../../support/orders.factory';
import { aVariant } from '../../support/products.factory';
import { countQueries } from '../../support/queries';
import { unique } from '../../support/unique';
import { INVALID } from '../../support/error-bodies';

describe('POST /orders', () => {
  test('without a body creates an empty guest cart', async () => {
    const reply = await api().post('/orders.json');
    expect(reply.status).toBe(201);
    expect(reply.headers['cache-control']).toBe('private, no-store');
    expect(reply.body).toEqual({
      id: expect.any(Number),
      number: expect.stringMatching(/^R\d{9}$/),
      item_total: '0.0',
      total: '0.0',
      ship_total: '0.0',
      state: 'cart',
      adjustment_total: '0.0',
      user_id: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: expect.any(String),
      completed_at: null,
      payment_total: '0.0',
      shipment_state: null,
      payment_state: null,
      email: null,
      special_instructions: null,
      vat_id: null,
      channel: 'store',
      included_tax_total: '0.0',
      additional_tax_total: '0.0',
      tax_total: '0.0',
      display_included_tax_total: '$0.00',
      display_additional_tax_total: '$0.00',
      currency: 'USD',
      considered_risky: false,
      canceler_id: null,
      display_item_total: '$0.00',
      total_quantity: 0,
      display_total: '$0.00',
      display_ship_total: '$0.00',
      display_tax_total: '$0.00',
      display_adjustment_total: '$0.00',
      token: expect.stringMatching(/^[\w-]{22}$/),
      checkout_steps: ['address', 'delivery', 'complete'],
      bill_address: null,
      ship_address: null,
      line_items: [],
      payments: [],
      shipments: [],
      adjustments: [],
      credit_cards: [],
      permissions: { can_update: true },
      public_metadata: {},
    });
  });

  test('an empty cart has one time of creation and update', async () => {
    // Two readings of the clock differ in about one of ten carts.
    const replies = await Promise.all(Array.from({ length: 60 }, () => api().post('/orders')));
    for (const { body } of replies) expect(body.updated_at).toBe(body.created_at);
  });

  test('the order belongs to the customer who creates it', async () => {
    const ann = await aCustomer();
    const reply = await api(ann).post('/orders', { order: { email: '' } });
    expect(reply.body).toMatchObject({ user_id: ann.id, email: ann.email });
    const other = await api(ann).post('/orders', { order: { email: ' gift@example.com ' } });
    expect(other.body).toMatchObject({ user_id: ann.id, email: 'gift@example.com' });
  });

  test('accepts addresses and lines by variant or SKU, and merges lines of one variant', async () => {
    const sku = unique('TOTE');
    const tote = await aSellableVariant({ price: '15.99', product: { sku } });
    const mug = await aSellableVariant({ price: '4.5' });
    const address = await buildMarylandAddress();
    const reply = await api().post('/orders', {
      order: {
        email: 'ann@example.com',
        special_instructions: 'Ring twice',
        line_items: [
          { variant_id: String(tote.id), quantity: 2 },
          { variant_id: mug.id },
          { sku, quantity: '1' },
        ],
        ship_address_attributes: address,
        bill_address: address,
      },
    });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      state: 'cart',
      email: 'ann@example.com',
      special_instructions: 'Ring twice',
      item_total: '52.47',
      total: '52.47',
      display_total: '$52.47',
      total_quantity: 4,
      shipments: [],
      line_items: [
        { variant_id: tote.id, quantity: 3, price: '15.99', total: '47.97' },
        { variant_id: mug.id, quantity: 1, price: '4.5' },
      ],
      ship_address: { city: 'Bethesda', state_text: 'MD' },
      bill_address: { full_name: 'Ann Lee' },
    });
  });

  test('use_billing makes the bill address the ship address, also of an imported sale', async () => {
    const { id } = await aSellableVariant();
    const admin = await anAdmin();
    for (const [caller, sale] of [
      [undefined, {}],
      [admin, { completed_at: '2026-01-02T03:04:05Z' }],
    ] as const) {
      const bill_address = await buildMarylandAddress();
      const reply = await api(caller).post('/orders', {
        order: { ...sale, use_billing: '1', bill_address, line_items: [{ variant_id: id }] },
      });
      expect([reply.status, reply.headers['x-ignored-parameters']]).toEqual([201, undefined]);
      expect(reply.body.ship_address).toEqual({
        ...reply.body.bill_address,
        id: expect.any(Number),
      });
      expect(reply.body.ship_address.id).not.toBe(reply.body.bill_address.id);
    }
  });

  test('accepts line items that all name a SKU', async () => {
    const sku = unique('TOTE');
    const { id } = await aSellableVariant({ product: { sku } });
    const reply = await api().post('/orders', { order: { line_items: [{ sku }] } });
    expect([reply.status, reply.body.line_items]).toMatchObject([201, [{ variant_id: id, quantity: 1 }]]);
  });

  test('an invalid line fails the whole request', async () => {
    const tote = await aSellableVariant({ stock: 1 });
    const email = `${unique('none')}@example.com`;
    const orderWith = async (line: object) =>
      api().post('/orders', { order: { email, line_items: [{ variant_id: tote.id }, line] } });
    const gone = await aSellableVariant();
    await api(await anAdmin()).delete(`/products/${gone.product_id}`);
    const future = await aSellableVariant({ product: { available_on: '2999-01-01' } });
    const scarce = await aSellableVariant({ stock: 1, product: { name: 'Ruby Tote' } });

    const unknown = { error: INVALID, errors: { 'line_items.variant': ["can't be blank"] } };
    for (const line of [
      { variant_id: 2147483647 },
      { variant_id: 99999999999 },
      { variant_id: 'tote' },
      { variant_id: [tote.id] },
      { variant_id: gone.id },
      { variant_id: future.id },
      { sku: 'no such' },
      {},
    ]) {
      const reply = await orderWith(line);
      expect([reply.status, reply.body]).toEqual([422, unknown]);
    }
    const quantities: [object, string[]][] = [
      [{ variant_id: scarce.id, quantity: 2 }, ['selected of "Ruby Tote" is not available.']],
      [{ variant_id: scarce.id, quantity: 1.5 }, ['must be an integer']],
      [{ variant_id: scarce.id, quantity: -1 }, ['must be greater than or equal to 0']],
      [{ variant_id: scarce.id, quantity: 0 }, ['must be greater than 0']],
      [{ variant_id: scarce.id, quantity: 2147483648 }, ['must be less than or equal to 2147483647']],
    ];
    for (const [line, messages] of quantities) {
      const reply = await orderWith(line);
      expect([reply.status, reply.body.errors]).toEqual([422, { 'line_items.quantity': messages }]);
    }
    expect(await testDb()('orders').where({ email })).toEqual([]);
  });

  test('names a variant that is out of stock by its options', async () => {
    const product = await aSellableVariant({ product: { name: 'Shirt' } });
    const variant = await aVariant(
      { id: product.product_id },
      {
        options: [
          { name: unique('Size'), value: 'M' },
          { name: unique('Color'), value: 'Red' },
        ],
      },
    );
    await setStock(variant.id, { stock: 0 });
    const reply = await api().post('/orders', { order: { line_items: [{ variant_id: variant.id }] } });
    expect(reply.body.errors['line_items.quantity']).toEqual([
      expect.stringMatching(/^selected of "Shirt \(Size\S*: M, Color\S*: Red\)" is not available\.$/),
    ]);
  });

  test('reports errors of nested addresses by dotted keys', async () => {
    const reply = await api().post('/orders', {
      order: { bill_address_attributes: { ...(await buildMarylandAddress()), firstname: '' } },
    });
    expect([reply.status, reply.body]).toEqual([
      422,
      { error: INVALID, errors: { 'bill_address.firstname': ["can't be blank"] } },
    ]);
    const email = await api().post('/orders', { order: { email: 'nonsense' } });
    expect(email.body.errors).toEqual({ email: ['is invalid'] });
  });

  test('ignores admin attributes from shoppers', async () => {
    const [ann, bob] = [await aCustomer(), await aCustomer()];
    const tote = await aSellableVariant({ price: '15.99' });
    const forged = {
      user_id: bob.id,
      number: 'R1',
      currency: 'EUR',
      channel: 'amazon',
      completed_at: '2020-01-01T00:00:00Z',
      state: 'complete',
      payment_state: 'paid',
      total: '0.01',
      token: 'mine',
      line_items: [{ variant_id: tote.id, price: '0.01' }],
    };
    for (const caller of [{}, ann]) {
      const reply = await api(caller).post('/orders', { order: forged });
      expect(reply.status).toBe(201);
      expect(reply.body).toMatchObject({
        user_id: caller === ann ? ann.id : null,
        currency: 'USD',
        channel: 'store',
        completed_at: null,
        state: 'cart',
        payment_state: null,
        total: '15.99',
      });
      expect(reply.body.number).not.toBe('R1');
      expect(reply.body.token).not.toBe('mine');
    }
  });

  test('admins may set owner, number, currency, channel and prices', async () => {
    const [admin, ann] = [await anAdmin(), await aCustomer()];
    const tote = await aSellableVariant();
    await testDb()('prices').insert({ variant_id: tote.id, currency: 'JPY', amount: '1235' });
    const number = unique('phone').replace(/[^a-z0-9]/gi, '');
    const reply = await api(admin).post('/orders', {
      order: {
        user_id: ann.id,
        number,
        currency: 'jpy',
        channel: 'phone',
        line_items: [{ variant_id: tote.id }],
      },
    });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      user_id: ann.id,
      email: ann.email,
      number: number.toUpperCase(),
      currency: 'JPY',
      channel: 'phone',
      // Yen are displayed without decimals, amounts keep one.
      total: '1235.0',
      display_total: '¥1,235',
    });
    const again = await api(admin).post('/orders', { order: { number } });
    expect([again.status, again.body.errors]).toEqual([422, { number: ['has already been taken'] }]);
    for (const [field, value] of [
      ['number', 'a/b'],
      ['number', 'mine'],
      ['number', 'Current'],
      ['currency', 'XXQ'],
      ['user_id', 2147483647],
    ]) {
      const refused = await api(admin).post('/orders', { order: { [String(field)]: value } });
      expect([refused.status, refused.body.errors]).toEqual([422, { [String(field)]: ['is invalid'] }]);
    }
    const priced = await api(admin).post('/orders', {
      order: { line_items: [{ variant_id: tote.id, price: '9.999' }] },
    });
    expect(priced.body.line_items[0].price).toBe('10.0');
    const unsold = await api(admin).post('/orders', {
      order: { currency: 'GBP', line_items: [{ variant_id: tote.id }] },
    });
    expect(unsold.body.errors).toEqual({ 'line_items.price': ["can't be blank"] });
  });

  test('an admin creates a complete order sold elsewhere, and its stock is taken', async () => {
    const tote = await aSellableVariant({ stock: 5, price: '10' });
    const reply = await api(await anAdmin()).post('/orders', {
      order: {
        completed_at: '2025-12-24T10:00:00Z',
        email: 'till@example.com',
        line_items: [{ variant_id: tote.id, quantity: 2 }],
      },
    });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      state: 'complete',
      completed_at: '2025-12-24T10:00:00.000Z',
      payment_state: 'balance_due',
      shipment_state: 'pending',
      total: '20.0',
      shipments: [{ manifest: [{ variant_id: tote.id, quantity: 2, states: { on_hand: 2 } }] }],
    });
    expect(await getTotalOnHand(tote.id)).toBe(3);
    await expectNoViolations({ order_ids: [reply.body.id] });
  });

  test.each([null, [], '', 5, 'text', { toString: 1 }, [[]]])(
    'accepts %j as no attributes',
    async (order) => {
      const reply = await api().post('/orders', { order });
      expect(reply.status).toBe(201);
      expect(reply.body.line_items).toEqual([]);
    },
  );
});

describe('GET /orders/:number', () => {
  test('is allowed to the owner, the token and admins', async () => {
    const ann = await aCustomer();
    const { number, token } = (await api(ann).post('/orders')).body;
    const path = `/orders/${number}.json`;
    for (const caller of [ann, await anAdmin(), { orderToken: token }, { ...ann, orderToken: 'wrong' }]) {
      expect((await api(caller).get(path)).status).toBe(200);
    }
    expect((await api().get(`${path}?order_token=${token}`)).status).toBe(200);
    // A wrong token for an existing order is 401; an unknown order is 404.
    for (const caller of [{}, await aCustomer(), { orderToken: 'wrong' }]) {
      expect((await api(caller).get(path)).status).toBe(401);
    }
    for (const query of ['order_token=', 'order_token[]=', 'order_token[a]=1', `order_token[]=${token}`]) {
      expect((await api().get(`${path}?${query}`)).status).toBe(401);
    }
    expect((await api(ann).get('/orders/R000000000')).status).toBe(404);
    const { id } = await testDb()('orders').where({ number }).first('id');
    expect((await api(ann).get(`/orders/${id}`)).status).toBe(404);
    expect((await api(ann).get(`/orders/${number.toLowerCase()}`)).status).toBe(404);
  });

  test('of two order tokens the right one counts', async () => {
    const [{ number, token }, other] = [
      (await api().post('/orders')).body,
      (await api().post('/orders')).body,
    ];
    for (const [inHeader, inQuery, status] of [
      ['wrong', token, 200],
      [token, 'wrong', 200],
      [other.token, token, 200],
      ['wrong', other.token, 401],
    ]) {
      const reply = await api({ orderToken: inHeader }).get(`/orders/${number}?order_token=${inQuery}`);
      expect(reply.status).toBe(status);
    }
  });

  test('accepts an invalid API key together with the right order token', async () => {
    const { number, token } = (await api().post('/orders')).body;
    const path = `/orders/${number}`;
    for (const reply of [
      await api({ token: 'nope', orderToken: token }).get(path),
      await api({ token: 'nope' }).get(`${path}?order_token=${token}`),
      await api({ token: 'nope', orderToken: 'wrong' }).get(`${path}?order_token=${token}`),
      await api({ token }).get(path),
      await api().get(`${path}?token=${token}`),
      await api({ token }).put(path, { order: { email: 'ann@example.com' } }),
    ]) {
      expect(reply.body).toMatchObject({ number, user_id: null });
    }
    const line_item = { variant_id: (await aSellableVariant()).id };
    expect((await api({ token }).post(`${path}/line_items`, { line_item })).status).toBe(201);
    expect((await api({ token }).put(`${path}/approve`)).status).toBe(401);
  });

  test('returns 401 for an invalid API key without the right token of this order', async () => {
    const [{ number }, other] = [(await api().post('/orders')).body, (await api().post('/orders')).body];
    const refused = [401, { error: 'Invalid API key (nope) specified.' }];
    for (const [caller, path] of [
      [{ token: 'nope' }, `/orders/${number}`],
      [{ token: 'nope', orderToken: 'wrong' }, `/orders/${number}`],
      [{ token: 'nope', orderToken: other.token }, `/orders/${number}`],
      [{ token: 'nope', orderToken: other.token }, '/orders/R000000000'],
      [{ token: 'nope', orderToken: other.token }, '/orders/a%00b'],
      [{ token: 'nope', orderToken: other.token }, '/countries'],
    ] as const) {
      const reply = await api(caller).get(path);
      expect([reply.status, reply.body]).toEqual(refused);
    }
    expect((await api({ token: other.token }).get(`/orders/${number}`)).status).toBe(401);
  });

  test('in delivery shows the units of each shipment and of the order', async () => {
    const { number, caller, shipments } = await orderInState('delivery');
    const shown = await api(caller).get(`/orders/${number}`);
    const [shipment] = shown.body.shipments;
    expect(shipment.inventory_units).toHaveLength(2);
    const offered = shipment.shipping_rates.map(
      (rate: { shipping_method_id: number }) => rate.shipping_method_id,
    );
    expect(shipment.shipping_methods.map(({ id }: { id: number }) => id)).toEqual(offered);
    expect(shipment.inventory_units[0]).toMatchObject({ state: 'on_hand', shipment_id: shipments[0].id });
    expect(shipment.order).toMatchObject({ number });
    expect(shipment.order).not.toHaveProperty('shipments');
  });

  test('shows cost prices and gateway profiles to admins only', async () => {
    const variant = await aSellableVariant({ product: { cost_price: '98765.43' } });
    const order = await orderInState('confirm', { lines: [{ variant_id: variant.id }] });
    const path = `/orders/${order.number}`;
    const shopper = await api(order.caller).get(path);
    expect(shopper.text).not.toContain('98765.43');
    expect(shopper.text).not.toContain('BGS-');
    expect(shopper.text).not.toContain('4111111111111111');
    const admin = await api(await anAdmin()).get(path);
    expect(admin.body.line_items[0].variant.cost_price).toBe('98765.43');
    expect(admin.text).toContain('BGS-');
  });

  test('takes as many statements with twelve lines as with one', async () => {
    const lines: { variant_id: number }[] = [];
    for (let made = 0; made < 12; made++) lines.push({ variant_id: (await aSellableVariant()).id });
    const orderWith = async (count: number) => orderInState('delivery', { lines: lines.slice(0, count) });
    const statements = async (order: { number: string; caller: object }) =>
      countQueries(() => api(order.caller).get(`/orders/${order.number}`));
    expect(await statements(await orderWith(12))).toBe(await statements(await orderWith(1)));
  });
});

describe('GET /orders', () => {
  test('is allowed to admins only, not to owners', async () => {
    const order = await orderInState('cart', { caller: await aCustomer() });
    for (const caller of [{}, order.caller, await aCustomer()]) {
      expect((await api(caller).get('/orders')).status).toBe(401);
    }
  });

  test('searches, sorts and pages within three statements, in the index form', async () => {
    const admin = api(await anAdmin());
    const [zoe, ann] = [
      await aCustomer({ email: `zoe.${unique('s')}@example.com` }),
      await aCustomer({ email: `ann.${unique('s')}@example.com` }),
    ];
    const channel = unique('channel');
    const numbers: string[] = [];
    for (const user of [zoe, ann, zoe]) {
      const made = await admin.post('/orders', { order: { user_id: user.id, channel } });
      numbers.push(made.body.number);
    }
    const of = `q[channel_eq]=${channel}`;
    const listNumbers = async (query: string): Promise<string[]> =>
      (await admin.get(`/orders?${query}`)).body.orders.map((order: any) => order.number);

    expect(await listNumbers(of)).toEqual(numbers);
    expect(await listNumbers(`${of}&q[email_cont]=${zoe.email.slice(0, 6).toUpperCase()}`)).toEqual([
      numbers[0],
      numbers[2],
    ]);
    expect(await listNumbers(`${of}&q[s]=number%20desc`)).toEqual(numbers.toSorted().reverse());
    expect(await listNumbers(`${of}&q[s]=user_name%20asc`)).toEqual([numbers[1], numbers[0], numbers[2]]);
    expect(await listNumbers(`${of}&q[user_email_eq]=${ann.email}`)).toEqual([numbers[1]]);
    expect(await listNumbers(`${of}&q[state_eq]=complete`)).toEqual([]);

    const page = await admin.get(`/orders?${of}&per_page=1&page=2`);
    expect(page.body).toMatchObject({ count: 1, total_count: 3, current_page: 2, pages: 3, per_page: 1 });
    expect(page.body.orders[0]).toMatchObject({ number: numbers[1], display_total: '$0.00' });
    expect(page.body.orders[0]).not.toHaveProperty('line_items');
    expect(await countQueries(() => admin.get(`/orders?${of}`))).toBeLessThanOrEqual(3);
  });

  test('ignores conditions on tokens', async () => {
    const admin = api(await anAdmin());
    const all = (await admin.get('/orders')).body.total_count;
    for (const name of ['token_start', 'token_hash_eq', 'token_seed_eq', 'user_password_digest_start']) {
      const reply = await admin.get(`/orders?q[${name}]=a`);
      expect(reply.body.total_count).toBe(all);
      expect(reply.headers['x-ignored-conditions']).toBe(name);
    }
  });

  test('searches lines, shipments, payments and addresses without duplicate orders', async () => {
    const variant = await aSellableVariant();
    const order = await orderInState('complete', { lines: [{ variant_id: variant.id }] });
    const admin = api(await anAdmin());
    for (const query of [
      `q[number_eq]=${order.number}&q[payments_state_in][]=pending`,
      `q[line_items_variant_id_eq]=${variant.id}`,
      `q[shipments_number_eq]=${order.shipments[0].number}`,
      `q[number_eq]=${order.number}&q[bill_address_lastname_eq]=Lee&q[total_gt]=1`,
    ]) {
      const reply = await admin.get(`/orders?${query}`);
      expect(reply.body.orders.map((one: any) => one.number)).toEqual([order.number]);
      expect(reply.body.total_count).toBe(1);
    }
    const paid = await admin.get(`/orders?q[number_eq]=${order.number}&q[payments_state_eq]=completed`);
    expect(paid.body.total_count).toBe(0);
  });
});

describe('orders of a customer', () => {
  test('lists complete ones first, newest first, with details and a constant number of statements', async () => {
    const ann = await aCustomer();
    const first = await orderInState('cart', { caller: ann });
    const done = await orderInState('complete', { caller: ann });
    const one = await countQueries(() => api(ann).get('/orders/mine?per_page=1'));
    const doneLater = await orderInState('complete', { caller: ann });
    const second = await orderInState('delivery', { caller: ann });

    const mine = await api(ann).get('/orders/mine');
    expect(mine.body.orders.map((order: any) => order.number)).toEqual(
      [doneLater, done, second, first].map(({ number }) => number),
    );
    expect(mine.body.orders[0].line_items).toHaveLength(1);
    expect(mine.body).toMatchObject({ count: 4, current_page: 1, pages: 1 });
    const many = await countQueries(() => api(ann).get('/orders/mine?per_page=3'));
    expect(many).toBe(one);
    const found = await api(ann).get(`/orders/mine?q[state_eq]=delivery`);
    expect(found.body.orders.map((order: any) => order.number)).toEqual([second.number]);
    expect((await api(await aCustomer()).get('/orders/mine')).body.orders).toEqual([]);
    expect((await api().get('/orders/mine')).status).toBe(401);
  });

  test('the newest incomplete order is current; without one the status is 204', async () => {
    const ann = await aCustomer();
    const none = await api(ann).get('/orders/current');
    expect([none.status, none.text]).toEqual([204, '']);
    await orderInState('complete', { caller: ann });
    expect((await api(ann).get('/orders/current')).status).toBe(204);
    await orderInState('cart', { caller: ann });
    const newest = await orderInState('cart', { caller: ann });
    const current = await api(ann).get('/orders/current.json');
    expect(current.body).toMatchObject({ number: newest.number, line_items: [{ quantity: 2 }] });
    expect((await api().get('/orders/current')).status).toBe(401);
  });
});

describe('PUT and PATCH /orders/:number', () => {
  test('update attributes and keep the state', async () => {
    const order = await orderInState('address');
    const address = await buildMarylandAddress();
    const reply = await api(order.caller).patch(`/orders/${order.number}.json`, {
      order: {
        email: ' Ann@Example.com ',
        special_instructions: 'Ring twice',
        bill_address: address,
        use_billing: '1',
      },
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      state: 'address',
      email: 'Ann@Example.com',
      special_instructions: 'Ring twice',
      bill_address: { city: 'Bethesda' },
      ship_address: { city: 'Bethesda' },
    });
    expect(reply.body.ship_address.id).not.toBe(reply.body.bill_address.id);
    const untouched = await api(order.caller).put(`/orders/${order.number}.json`);
    expect(untouched.body).toEqual(reply.body);
  });

  test('an address with the id of the current one updates it, any other id creates a new one', async () => {
    const order = await orderInState('delivery');
    const put = (ship_address: object) =>
      api(order.caller).put(`/orders/${order.number}`, { order: { ship_address } });
    const changed = await put({ id: order.ship_address.id, city: 'Chevy Chase' });
    expect(changed.body.ship_address).toMatchObject({ id: order.ship_address.id, city: 'Chevy Chase' });
    // A new street alone keeps the state.
    expect(changed.body).toMatchObject({ state: 'delivery', ship_total: '5.0' });
    const foreign = await orderInState('delivery');
    const partial = await put({ id: foreign.ship_address.id, city: 'Chevy Chase' });
    expect(partial.status).toBe(422);
    expect(Object.keys(partial.body.errors)).toContain('ship_address.firstname');
    const fresh = await put({
      ...(await buildMarylandAddress()),
      id: foreign.ship_address.id,
      address1: 'New',
    });
    expect(fresh.body.ship_address.id).not.toBe(foreign.ship_address.id);
    expect(fresh.body.ship_address.id).not.toBe(order.ship_address.id);
  });

  test('lines: an id updates, quantity 0 deletes, a variant adds and merges, unknown ids are ignored', async () => {
    const [tote, mug, pen] = [await aSellableVariant(), await aSellableVariant(), await aSellableVariant()];
    const order = await orderInState('cart', {
      lines: [{ variant_id: tote.id, quantity: 1 }, { variant_id: mug.id }],
    });
    const other = await orderInState('cart');
    const [toteLine, mugLine] = order.line_items;
    const reply = await api(order.caller).put(`/orders/${order.number}`, {
      order: {
        line_items: {
          0: { id: toteLine.id, quantity: 4, variant_id: pen.id, price: '0.01' },
          1: { id: mugLine.id, quantity: 0 },
          2: { variant_id: pen.id, quantity: 2 },
          3: { variant_id: pen.id },
          4: { id: other.line_items[0].id, quantity: 9 },
        },
      },
    });
    expect(reply.status).toBe(200);
    expect(reply.body.line_items).toMatchObject([
      { id: toteLine.id, quantity: 4, variant_id: tote.id, price: '15.99' },
      { quantity: 3, variant_id: pen.id },
    ]);
    expect((await api(other.caller).get(`/orders/${other.number}`)).body.line_items[0].quantity).toBe(2);
  });

  test('a changed cart goes back to address, a changed e-mail does not', async () => {
    const order = await orderInState('payment');
    const put = (attributes: object) =>
      api(order.caller).put(`/orders/${order.number}`, { order: attributes });
    expect((await put({ email: 'new@example.com' })).body).toMatchObject({
      state: 'payment',
      ship_total: '5.0',
      email: 'new@example.com',
    });
    const line = order.line_items[0];
    expect((await put({ line_items: [{ id: line.id, quantity: line.quantity }] })).body.state).toBe(
      'payment',
    );
    expect((await put({ line_items: [{ id: line.id, quantity: 1 }] })).body).toMatchObject({
      state: 'address',
      ship_total: '0.0',
      shipments: [],
      total: '15.99',
    });
  });

  test('shoppers cannot set state, owner, price or totals', async () => {
    const [ann, bob] = [await aCustomer(), await aCustomer()];
    const order = await orderInState('payment', { caller: ann });
    const reply = await api(ann).put(`/orders/${order.number}`, {
      order: {
        state: 'cart',
        user_id: bob.id,
        completed_at: '2020-01-01',
        payment_state: 'paid',
        total: '1',
        number: 'R1',
        currency: 'EUR',
        considered_risky: true,
        line_items: [{ id: order.line_items[0].id, price: '0.01' }],
      },
    });
    expect(reply.body).toEqual({ ...order, caller: undefined, updated_at: reply.body.updated_at });
  });

  test('admins may assign a user and set prices', async () => {
    const ann = await aCustomer();
    const order = await orderInState('cart');
    const admin = api(await anAdmin());
    const reply = await admin.put(`/orders/${order.number}`, {
      order: { user_id: ann.id, line_items: [{ id: order.line_items[0].id, price: '1.5' }] },
    });
    expect(reply.body).toMatchObject({ user_id: ann.id, email: ann.email, total: '3.0' });
    const unknown = await admin.put(`/orders/${order.number}`, { order: { user_id: 2147483647 } });
    expect(unknown.body.errors).toEqual({ user_id: ['is invalid'] });
  });

  test('accept a payment and a rate like the checkout, and keep the state', async () => {
    const order = await orderInState('delivery');
    const [shipment] = order.shipments;
    const mostExpensive = shipment.shipping_rates.at(-1);
    const reply = await api(order.caller).put(`/orders/${order.number}`, {
      order: {
        shipments_attributes: [{ id: shipment.id, selected_shipping_rate_id: mostExpensive.id }],
        ...Object(await buildPaymentBody()).order,
      },
      payment_source: Object(await buildPaymentBody()).payment_source,
    });
    expect(reply.body).toMatchObject({
      state: 'delivery',
      ship_total: mostExpensive.cost,
      payments: [{ state: 'checkout' }],
    });
  });

  test('a customer who sends the token of a guest order becomes its owner, with their e-mail', async () => {
    const [ann, bob] = [await aCustomer(), await aCustomer()];
    const { number, token } = (await api().post('/orders')).body;
    const claimed = await api({ ...ann, orderToken: token }).put(`/orders/${number}`);
    expect(claimed.body).toMatchObject({ user_id: ann.id, email: ann.email });
    const { token: newToken } = claimed.body;
    const lent = await api({ ...bob, orderToken: newToken }).put(`/orders/${number}`, { order: {} });
    expect(lent.body).toMatchObject({ user_id: ann.id, email: ann.email, token: newToken });
    const history = await api(ann).get(`/orders/${number}`);
    expect(history.status).toBe(200);
  });

  test('claiming keeps an existing e-mail, and admins claim nothing', async () => {
    const [ann, admin] = [await aCustomer(), await anAdmin()];
    const { number, token } = (await api().post('/orders', { order: { email: 'gift@example.com' } })).body;
    const seen = await api({ ...admin, orderToken: token }).put(`/orders/${number}`);
    expect(seen.body.user_id).toBeNull();
    const claimed = await api({ ...ann, orderToken: token }).put(`/checkouts/${number}`, { order: {} });
    expect(claimed.status).toBe(422); // The cart is empty; the claim stays.
    const shown = await api(ann).get(`/orders/${number}`);
    expect(shown.body).toMatchObject({ user_id: ann.id, email: 'gift@example.com' });
  });

  test('the e-mail must be valid and cannot be removed after address', async () => {
    const early = await orderInState('cart');
    const put = (order: { number: string; caller: object }, email: unknown) =>
      api(order.caller).put(`/orders/${order.number}`, { order: { email } });
    expect((await put(early, 'nonsense')).body.errors).toEqual({ email: ['is invalid'] });
    expect((await put(early, '')).body.email).toBeNull();
    const late = await orderInState('delivery');
    expect((await put(late, '')).body.errors).toEqual({ email: ["can't be blank"] });
    expect((await put(late, 'a b@example.com')).body.errors).toEqual({ email: ['is invalid'] });
  });
});
