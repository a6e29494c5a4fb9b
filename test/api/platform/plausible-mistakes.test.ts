import request from 'supertest';
import { api, makeTestApp, testApp } from '../../support/api';
import { aCustomer, anAdmin, asAdmin } from '../../support/accounts.factory';
import { UNKNOWN_ID } from '../../support/error-bodies';
import { aPicture } from '../../support/pictures';
import { aSellableVariant, DECLINED_CARD, orderInState } from '../../support/orders.factory';
import { aProduct } from '../../support/products.factory';
import { unique } from '../../support/unique';

/** Sends a request as it is: no token, no Content-Type, no validation against the document. */
const raw = () => request(testApp().app);

const codeOf = ({ headers }: { headers: Record<string, string> }) => headers['x-error-code'];
const hintOf = ({ headers }: { headers: Record<string, string> }) => headers['x-error-hint'];

describe('a body that cannot be read', () => {
  test.each([
    ['a trailing comma', '{\n  "product": {"name": "Mug",}\n}', 'line 2, column 29'],
    ['a missing quote', '{"product": {name: 1}}', 'line 1, column 14'],
    ['single quotes', "{'a': 1}", 'line 1, column 2'],
    ['a missing brace', '{"a": 1', 'line 1, column 8'],
    ['a comment', '{"a": 1 /* one */}', 'line 1, column 9'],
    ['plain text', 'hello', 'line 1, column 1'],
  ])('is located: %s', async (_name, body, place) => {
    const reply = await raw().post('/api/v1/orders').set('Content-Type', 'application/json').send(body);

    expect(reply.status).toBe(400);
    expect(codeOf(reply)).toBe('bad_request');
    expect(hintOf(reply)).toContain(place);
  });

  // The last one is what `curl -d` sends.
  test.each([
    ['text/plain', 415, 'unsupported_media_type'],
    ['application/xml', 415, 'unsupported_media_type'],
    ['nonsense', 415, 'unsupported_media_type'],
    ['application/x-www-form-urlencoded', 400, 'bad_request'],
  ])('has Content-Type %s', async (type, status, code) => {
    const { token } = await anAdmin();
    const reply = await raw()
      .post('/api/v1/products')
      .set({ 'X-Store-Token': token, 'Content-Type': type })
      .send('{"product":{"name":"Mug"}}');

    expect([reply.status, codeOf(reply)]).toEqual([status, code]);
    expect(hintOf(reply)).toContain('Content-Type: application/json');
    const cart = await raw().post('/api/v1/orders').set('Content-Type', type).send('{"order":{}}');
    expect([cart.status, codeOf(cart)]).toEqual([status, code]);
  });

  test('has a Content-Type, but the route takes no body', async () => {
    const { number, token } = (await raw().post('/api/v1/orders')).body;
    const reply = await raw()
      .put(`/api/v1/orders/${number}/empty`)
      .set({ 'X-Order-Token': token, 'Content-Type': 'text/plain' })
      .send('now');
    expect(reply.status).toBe(204);
  });

  test.each(['image/png', 'text/csv', 'application/octet-stream'])(
    'is a file of its own: %s',
    async (type) => {
      const product = await aProduct();
      const { token } = await anAdmin();
      const reply = await raw()
        .post(`/api/v1/products/${product.id}/images`)
        .set({ 'X-Store-Token': token, 'Content-Type': type })
        .send(Buffer.from('bytes'));

      expect([reply.status, codeOf(reply)]).toEqual([415, 'unsupported_media_type']);
      expect(hintOf(reply)).toContain('multipart/form-data');
    },
  );

  test.each([
    ['Content-Type', 'application/json; charset=latin1'],
    ['Content-Encoding', 'compress'],
  ])('has an encoding that is not supported: %s %s', async (header, value) => {
    const reply = await raw()
      .post('/api/v1/orders')
      .set({ 'Content-Type': 'application/json', [header]: value })
      .send('{}');

    expect(reply.status).toBe(400);
    expect(hintOf(reply)).toBe('Send the body in UTF-8, plain or compressed with gzip, deflate or br.');
  });

  test.each([
    ['application/json', '{"order":{"special_instructions":"café"}}'],
    ['application/json; charset=utf-8', '{"order":{"special_instructions":"café"}}'],
    ['application/x-www-form-urlencoded', 'order[special_instructions]=café'],
  ])('is Latin-1 that does not say so: %s', async (type, body) => {
    const send = (encoding: BufferEncoding, contentType = type) => {
      const test = raw().post('/api/v1/orders').set('Content-Type', contentType);
      void test.write(Buffer.from(body, encoding)); // `send` would serialize the bytes
      return test;
    };

    const refused = await send('latin1');
    expect([refused.status, hintOf(refused)]).toEqual([
      400,
      'Send the body in UTF-8, plain or compressed with gzip, deflate or br.',
    ]);
    const [media = ''] = type.split(';');
    const accepted = [
      await send('utf8'),
      await send('utf8', `${media}; charset=utf8`),
      await send('utf16le', `${media}; charset=utf-16le`),
    ];
    expect(accepted.map(({ status, body: order }) => [status, order.special_instructions])).toEqual(
      accepted.map(() => [201, 'café']),
    );
  });

  test('is multipart in Latin-1 that does not say so', async () => {
    const send = (encoding: BufferEncoding, type = '') => {
      const test = raw().post('/api/v1/orders').set('Content-Type', 'multipart/form-data; boundary=b');
      const head = `--b\r\nContent-Disposition: form-data; name="order[special_instructions]"${type}`;
      void test.write(Buffer.from(`${head}\r\n\r\ncaf\u00e9\r\n--b--\r\n`, encoding));
      return test;
    };

    const refused = await send('latin1');
    expect([refused.status, hintOf(refused)]).toEqual([400, 'Send the fields in UTF-8.']);
    for (const accepted of [
      await send('utf8'),
      await send('latin1', '\r\nContent-Type: text/plain; charset=iso-8859-1'),
    ])
      expect([accepted.status, accepted.body.special_instructions]).toEqual([201, 'caf\u00e9']);
  });

  test.each([{ product: 'Mug' }, { product: [{ name: 'Mug' }] }])('is no record: %j', async (body) => {
    const reply = await (await asAdmin()).post('/products', body);

    expect([reply.status, hintOf(reply)]).toEqual([
      422,
      'The attributes are sent in a record named "product".',
    ]);
  });

  test('is nested in another record', async () => {
    const reply = await (await asAdmin()).post('/products', { data: { product: { name: 'Mug' } } });

    expect([reply.status, codeOf(reply)]).toEqual([422, 'invalid_resource']);
    expect(hintOf(reply)).toBe(
      '`data` was ignored; did you mean `product`? The attributes are sent in a record named "product".',
    );
  });
});

describe('a path that does not exist', () => {
  test.each([
    ['get', '/products', '/api/v1/products'],
    ['get', '/products/1/variants', '/api/v1/products/:product_id/variants'],
    ['get', '/api/products', '/api/v1/products'],
    ['get', '/v1/products', '/api/v1/products'],
    ['get', '/api/v2/product/1', '/api/v1/products/:id'],
    ['get', '/api/v1/api/v1/products', '/api/v1/products'],
    ['get', '/api/v1/product', '/api/v1/products'],
    ['get', '/api/v1/reports/sale', '/api/v1/reports/sales'],
    ['post', '/api/v1/orders/R1/line_item', '/api/v1/orders/:number/line_items'],
    ['put', '/api/v1/checkout/R1/next', '/api/v1/checkouts/:number/next'],
    ['get', '/api/v1/nothing/like/this', undefined],
    ['get', `/api/v1/${'a'.repeat(200)}`, undefined],
  ] as const)('%s %s', async (method, path, similar) => {
    const reply = await raw()[method](path);

    expect([reply.status, codeOf(reply)]).toEqual([404, 'route_unknown']);
    expect(hintOf(reply)).toBe(similar === undefined ? undefined : `A similar path is ${similar}.`);
    expect(reply.headers['allow']).toBeUndefined();
  });

  test.each([
    ['post', '/api/v1/orders/R1/cancel', 'PATCH, PUT'],
    ['delete', '/api/v1/products', 'GET, HEAD, POST'],
    ['get', '/api/v1/orders/R1/approve', 'PATCH, PUT'],
    ['put', '/api/v1/products.json', 'GET, HEAD, POST'],
  ] as const)('for the method: %s %s', async (method, path, allowed) => {
    const reply = await raw()[method](path);

    expect([reply.status, codeOf(reply)]).toEqual([404, 'method_unknown']);
    expect(reply.headers['allow']).toBe(allowed);
    expect(reply.body).toEqual({ error: 'The resource you were looking for could not be found.' });
  });
});

describe('a token in the wrong place', () => {
  test.each(['Authorization', 'X-Spree-Token', 'X-API-Key', 'X-Auth-Token'])('%s', async (header) => {
    const { token } = await anAdmin();
    const value = header === 'Authorization' ? `Bearer ${token}` : token;
    const reply = await raw().get('/api/v1/orders').set(header, value);

    expect([reply.status, codeOf(reply)]).toEqual([401, 'not_authorized']);
    expect(hintOf(reply)).toBe(`Send the API token in the header X-Store-Token; ${header} is not read.`);
  });

  test("the order's token under another name", async () => {
    const order = await orderInState('cart');
    const reply = await raw().get(`/api/v1/orders/${order.number}`).set('X-Spree-Order-Token', order.token);

    expect(reply.status).toBe(401);
    expect(hintOf(reply)).toBe(
      'Send the token of the order in the header X-Order-Token; X-Spree-Order-Token is not read.',
    );
  });

  test("another order's token", async () => {
    const [order, other] = [await orderInState('cart'), await orderInState('cart')];
    const reply = await raw().get(`/api/v1/orders/${order.number}`).set('X-Order-Token', other.token);

    expect([reply.status, codeOf(reply)]).toEqual([401, 'not_authorized']);
    expect(hintOf(reply)).toBe(
      'X-Order-Token does not permit this. Send the token that the creation of the order returned, or sign in.',
    );
  });

  test('no token', async () => {
    const order = await orderInState('cart');
    const [ofOrder, ofUser] = await Promise.all([
      raw().get(`/api/v1/orders/${order.number}`),
      raw().get('/api/v1/users/me'),
    ]);

    expect(hintOf(ofOrder)).toContain('X-Order-Token');
    expect(hintOf(ofUser)).toBe('Sign in, and send the token in the header X-Store-Token.');
  });

  test('a token that lacks the right has no hint', async () => {
    const reply = await api(await aCustomer()).get('/stock_locations');

    expect([reply.status, codeOf(reply), hintOf(reply)]).toEqual([401, 'not_authorized', undefined]);
  });

  test('a token after the name of a scheme, which is not echoed', async () => {
    const { token } = await anAdmin();
    const reply = await api({ token: `Bearer ${token}` }).get('/products');

    expect([reply.status, codeOf(reply)]).toEqual([401, 'invalid_api_key']);
    expect(hintOf(reply)).toBe('Send the token alone in X-Store-Token, without "Bearer".');
    expect(JSON.stringify([reply.body, reply.headers])).not.toContain(token);
  });

  test('an unknown token', async () => {
    const reply = await api({ token: 'unknown' }).get('/products');

    expect([reply.status, codeOf(reply)]).toEqual([401, 'invalid_api_key']);
  });
});

describe('values that cannot be read', () => {
  test.each([
    ['per_page=abc', 'per_page'],
    ['page=-1', 'page'],
    ['q[available_on_gt]=yesterday', 'q.available_on_gt'],
    ['q[id_eq]=first', 'q.id_eq'],
    ['q[id_in][]=1&q[id_in][]=x', 'q.id_in'],
    ['q=mug', 'q'],
  ])('of a list are reported: %s', async (query, path) => {
    const reply = await api().get(`/products?${encodeURI(query)}`);
    const strict = await api({ headers: { Prefer: 'handling=strict' } }).get(`/products?${encodeURI(query)}`);

    expect([reply.status, reply.headers['x-ignored-parameters']]).toEqual([200, path]);
    expect([strict.status, strict.body.errors]).toEqual([422, { [path]: ['is invalid'] }]);
  });

  test.each([
    ['option=navy', 'option'],
    ['property=cotton', 'property'],
    ['search[]=mug', 'search'],
    ['taxon[id]=1', 'taxon'],
    ['price_min=cheap', 'price_min'],
  ])('of a filter of products are errors: %s', async (query, field) => {
    const reply = await api().get(`/products?${encodeURI(query)}`);

    expect([reply.status, codeOf(reply)]).toEqual([422, 'invalid_resource']);
    expect(Object.keys(reply.body.errors)).toEqual([field]);
  });

  test.each([
    [{ available_on: 'soon' }, 'available_on'],
    [{ price: 'ten' }, 'price'],
    [{ shipping_category_id: 'default' }, 'shipping_category_id'],
  ])('of a record are errors: %j', async (attributes, field) => {
    const reply = await (
      await asAdmin()
    ).post('/products', { product: { name: 'Mug', price: '1', ...attributes } });

    expect([reply.status, codeOf(reply)]).toEqual([422, 'invalid_resource']);
    expect(Object.keys(reply.body.errors)).toContain(field);
  });
});

describe('countries and states', () => {
  const ADDRESS = {
    firstname: 'Ann',
    lastname: 'Lee',
    address1: '1 Harbour Street',
    city: 'Portland',
    zipcode: '04101',
    phone: '207-555-0100',
  };
  const maine = { state: { abbr: 'ME' }, country: { iso: 'US' } };

  test.each([
    { country: 'US', state: 'ME' },
    { country: 'usa', state: 'maine' },
    { country: 'United States', state: 'US-ME' },
    { country_id: 'US', state_id: 'ME' },
    { country_id: 'United States', state_id: 'Maine' },
    { country: { name: 'US' }, state: { name: 'ME' } },
  ])('of addresses are named by code or name: %j', async (places) => {
    const ann = await aCustomer();
    const address = { ...ADDRESS, ...places };
    const saved = await api(ann).post('/users/me/addresses', { address });
    expect([saved.status, saved.body]).toMatchObject([201, maine]);
    const order = { order: { bill_address: address } };
    expect((await api(ann).post('/orders', order)).body.bill_address).toMatchObject(maine);
  });

  test.each([
    ['DE', { country: 'Deutschland', zipcode: '10115' }],
    ['AT', { country: 'O\u0308sterreich', zipcode: '1010' }],
    ['GB', { country: 'Royaume-Uni', zipcode: 'SW1A 1AA' }],
    ['JP', { country: '日本', state: '東京', zipcode: '100-0001' }],
    ['US', { country: 'アメリカ', state: 'ME', zipcode: '04101' }],
  ])('of addresses are named in languages of documents: %s', async (iso, place) => {
    const { body } = await api().post('/orders', { order: { bill_address: { ...ADDRESS, ...place } } });
    expect(body.bill_address).toMatchObject({ country: { iso } });
  });

  test('of stock locations and zones, too', async () => {
    const admin = await asAdmin();
    const create = (stock_location: object) => admin.post('/stock_locations', { stock_location });
    const depot = await create({ name: 'Depot', country_id: 'US', state_id: 'ME' });
    expect(depot.body).toMatchObject(maine);
    const path = `/stock_locations/${depot.body.id}`;
    expect((await admin.put(path, { stock_location: { state_id: 'Vermont' } })).body.state.abbr).toBe('VT');
    const unknown = await create({ name: 'Depot', state_id: 'Vermont', country_id: 'Canada' });
    expect([unknown.status, unknown.body.errors]).toEqual([422, { state_id: ['is invalid'] }]);

    const member = (zoneable_type: string, zoneable_id: string) => ({ zoneable_type, zoneable_id });
    const zone = (...zone_members: object[]) =>
      admin.post('/zones', { zone: { name: unique('zone'), zone_members } });
    const both = await zone(member('Country', 'US'), member('Country', 'Canada'));
    const names = both.body.zone_members.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['United States', 'Canada']);
    const states = await zone(member('State', 'US-ME'));
    expect(states.body.zone_members).toMatchObject([{ name: 'Maine' }]);
  });
});

describe('errors name ignored parameters', () => {
  test.each([
    [
      { user: { e_mail: 'a@example.com', colour: 'red' } },
      'user.e_mail, user.colour',
      '`user.e_mail` was ignored; did you mean `email`?',
    ],
    [{ user: { emial: 'a@example.com' } }, 'user.emial', '`user.emial` was ignored; did you mean `email`?'],
    [{ user: { colour: 'red' } }, 'user.colour', undefined],
  ])('%j', async (body, ignored, hint) => {
    const reply = await api().post('/users', body);
    expect([reply.status, reply.headers['x-ignored-parameters']]).toEqual([422, ignored]);
    if (hint === undefined) expect(hintOf(reply)).toBeUndefined();
    else expect(hintOf(reply)).toContain(hint);
  });

  test('also of requests that are repeated by key', async () => {
    const { token } = await anAdmin();
    const headers = { 'Idempotency-Key': unique('key') };
    const send = () => api({ token, headers }).post('/properties', { property: { title: 'Material' } });
    for (const reply of [await send(), await send()]) {
      expect([reply.status, reply.headers['x-ignored-parameters']]).toEqual([422, 'property.title']);
      expect(hintOf(reply)).toBe('`property.title` was ignored; did you mean `name`?');
    }
  });
});

test('/ leads to the storefront, once the store has one, else to the reference', async () => {
  const admin = await asAdmin();
  const { body } = await admin.get('/stores');
  const store = body.stores.find((one: { is_default: boolean }) => one.is_default);
  const target = async () => {
    const reply = await raw().get('/');
    return [reply.status, reply.headers['location']];
  };
  expect(await target()).toEqual([302, '/docs']);
  await admin.put(`/stores/${store.id}`, { store: { url: 'shop.test' } });
  expect(await target()).toEqual([302, 'https://shop.test']);
  await admin.put(`/stores/${store.id}`, { store: { url: store.url } });
});

describe('records that do not exist', () => {
  test('the variant of a line item, not its order', async () => {
    const order = await orderInState('cart');
    const reply = await api({ orderToken: order.token }).post(`/orders/${order.number}/line_items`, {
      line_item: { variant_id: UNKNOWN_ID, quantity: 1 },
    });

    expect([reply.status, codeOf(reply)]).toEqual([404, 'not_found']);
    expect(hintOf(reply)).toBe('The order exists; no variant on sale has this variant_id.');
  });

  test('the variant of a line item in the body of an order, by the place of the item', async () => {
    const known = await aSellableVariant();
    for (const [second, hint] of [
      [{ variant_id: UNKNOWN_ID }, 'No variant on sale has the variant_id of line_items.1.'],
      [{ sku: 'none' }, 'No variant on sale has the sku of line_items.1.'],
      [{ quantity: 2 }, 'line_items.1 needs the variant_id or the sku of a variant on sale.'],
    ] as const) {
      const line_items = [{ variant_id: known.id }, second];
      const cart = await orderInState('cart');
      for (const reply of [
        await api().post('/orders', { order: { line_items } }),
        await api(cart.caller).put(`/orders/${cart.number}`, { order: { line_items } }),
      ]) {
        expect([reply.status, reply.body.errors]).toEqual([
          422,
          { 'line_items.variant': ["can't be blank"] },
        ]);
        expect(hintOf(reply)).toBe(hint);
      }
    }
  });

  test('an id that is not a number', async () => {
    const reply = await api().get('/variants/first');

    expect([reply.status, codeOf(reply), hintOf(reply)]).toEqual([404, 'not_found', undefined]);
  });
});

test('an image in a part with another name', async () => {
  const product = await aProduct();
  const reply = await (
    await asAdmin()
  ).multipart('post', `/products/${product.id}/images`, {
    files: [{ part: 'file', bytes: await aPicture(), name: 'mug.png' }],
  });

  expect(reply.status).toBe(422);
  expect(hintOf(reply)).toBe('Send one file, in the part image[attachment].');
});

describe('refusals of the checkout have codes', () => {
  test('insufficient stock', async () => {
    const variant = await aSellableVariant({ stock: 1 });
    const order = await orderInState('cart');
    const reply = await api({ orderToken: order.token }).post(`/orders/${order.number}/line_items`, {
      line_item: { variant_id: variant.id, quantity: 2 },
    });

    expect([reply.status, codeOf(reply)]).toEqual([422, 'insufficient_stock']);
  });

  test('a missing payment', async () => {
    const order = await orderInState('payment');
    const reply = await api({ orderToken: order.token }).put(`/checkouts/${order.number}/next`);

    expect([reply.status, codeOf(reply)]).toEqual([422, 'payment_missing']);
  });

  test('a declined card', async () => {
    const order = await orderInState('confirm', { card: DECLINED_CARD });
    const reply = await api({ orderToken: order.token }).put(`/checkouts/${order.number}/next`);

    expect([reply.status, codeOf(reply)]).toEqual([422, 'payment_declined']);
  });

  test('a change of a complete order', async () => {
    const order = await orderInState('complete');
    const reply = await api({ orderToken: order.token }).put(`/orders/${order.number}`, {
      order: { email: 'new@example.com' },
    });

    expect([reply.status, codeOf(reply)]).toEqual([422, 'order_complete']);
  });

  test('a coupon code', async () => {
    const order = await orderInState('cart');
    const reply = await api({ orderToken: order.token }).put(
      `/orders/${order.number}/apply_coupon_code?coupon_code=unknown`,
    );

    expect([reply.status, codeOf(reply)]).toEqual([422, 'coupon_refused']);
  });
});

test('an unexpected error has a code', async () => {
  const { deps } = testApp();
  const db = new Proxy(deps.db, {
    get: (target, name) => {
      // The application listens to its statements when it is built.
      if (name === 'on') return target.on.bind(target);
      throw new Error('broken');
    },
  });
  const reply = await request(makeTestApp({ db }).app).get('/api/v1/products');

  expect([reply.status, codeOf(reply)]).toEqual([500, 'internal_error']);
});
