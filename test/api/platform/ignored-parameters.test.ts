import { aCustomer, anAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import {
  aSellableVariant,
  buildMarylandAddress,
  orderInState,
  getPaymentMethodId,
} from '../../support/orders.factory';
import { aProduct, getDefaultShippingCategoryId } from '../../support/products.factory';
import { aPaidOrder, aShippedOrder, getDefaultLocationId } from '../../support/shipments.factory';
import { aTaxonomy } from '../../support/taxons.factory';
import { unique } from '../../support/unique';

const STRICT = { Prefer: 'handling=strict' };
const UNKNOWN = ['is not a known parameter'];

async function ignoredBy(sent: ReturnType<ReturnType<typeof api>['get']>): Promise<string | undefined> {
  const reply = await sent;
  expect(reply.status).toBeLessThan(300);
  return reply.headers['x-ignored-parameters'];
}

const aCategory = (attributes: object = {}) => ({ name: unique('Books'), ...attributes });

test('unknown attributes are named by their path, computed and foreign ones too', async () => {
  const admin = api(await anAdmin());
  const variant = await aSellableVariant();
  const order = {
    line_items: [{ variant_id: variant.id, quantity: 1, colour: 'red' }],
    total: '1.00',
    bill_address: { ...(await buildMarylandAddress()), planet: 'Mars', country: { iso: 'US', moon: 1 } },
  };
  expect(await ignoredBy(admin.post('/orders', { order, created_at: 'today' }))).toBe(
    'order.line_items.0.colour, order.total, order.bill_address.planet, order.bill_address.country.moon, created_at',
  );
});

test('lists in every spelling, and attributes without their wrapper', async () => {
  const admin = api(await anAdmin());
  const variant = await aSellableVariant();
  const line = `order[line_items][0][variant_id]=${variant.id}&order[line_items][0][colour]=red`;
  expect(await ignoredBy(admin.post('/orders', line))).toBe('order.line_items.0.colour');
  const one = { line_items: { variant_id: variant.id, colour: 'red' } };
  expect(await ignoredBy(admin.post('/orders', one))).toBe('line_items.colour');
  expect(await ignoredBy(admin.post('/tax_categories', { ...aCategory(), id: 7 }))).toBe('id');
  expect(await ignoredBy(admin.post('/tax_categories', { tax_category: aCategory(), name: 'x' }))).toBe(
    'name',
  );
});

test('what the path decides, and names in the query', async () => {
  const admin = api(await anAdmin());
  const { body } = await admin.post('/tax_categories', { tax_category: aCategory() });
  const path = `/tax_categories/${body.id}`;
  expect(await ignoredBy(admin.put(`${path}?colour=red`, { tax_category: {}, id: 7 }))).toBe('id, colour');
  expect(await ignoredBy(admin.get(`${path}?colour=red`))).toBe('colour');
  expect(await ignoredBy(api().get('/products?q[name_cont]=x&colour=red&page=1&ids=1&_=17&m=or'))).toBe(
    'colour',
  );
  expect(await ignoredBy(admin.delete(`${path}?really=yes`))).toBe('really');
});

test('fields that only admins may write', async () => {
  const variant = await aSellableVariant();
  const order = {
    user_id: 1,
    number: 'R1',
    currency: 'EUR',
    channel: 'till',
    completed_at: '2026-01-01',
    line_items: [{ variant_id: variant.id, price: '0.01' }],
  };
  const names = 'order.user_id, order.number, order.currency, order.channel, order.completed_at';
  expect(await ignoredBy(api().post('/orders', { order }))).toBe(`${names}, order.line_items.0.price`);
  const cart = await orderInState('cart');
  const line_item = { variant_id: variant.id, price: '0.01' };
  const path = `/orders/${cart.number}`;
  expect(await ignoredBy(api(cart.caller).post(`${path}/line_items`, { line_item }))).toBe('line_item.price');
  expect(await ignoredBy(api(await anAdmin()).post(`${path}/line_items`, { line_item }))).toBeUndefined();
  const payment = { payment_method_id: await getPaymentMethodId('Check'), amount: '1.00' };
  expect(await ignoredBy(api(cart.caller).post(`${path}/payments`, { payment }))).toBe('payment.amount');
  const customer = await aCustomer();
  const user = { roles: ['admin'] };
  expect(await ignoredBy(api(customer).put(`/users/${customer.id}`, { user }))).toBe('user.roles');
});

test('what is documented as accepted and not read is not named', async () => {
  const [credentials, order] = [await anAdmin(), await aShippedOrder()];
  const admin = api(credentials);
  const { number } = (await aPaidOrder()).shipments[0];
  const shipment = { tracking: 'T', unlock: 'yes' };
  expect(await ignoredBy(admin.put(`/shipments/${number}`, { shipment, _: '1' }))).toBeUndefined();
  const reason = await testDb()('return_authorization_reasons').first('id');
  const return_authorization = {
    stock_location_id: await getDefaultLocationId(),
    return_authorization_reason_id: reason.id,
    order_id: order.number,
  };
  const returns = `/orders/${order.number}/return_authorizations`;
  const made = admin.post(returns, {
    return_authorization,
    order_id: order.number,
    token: credentials.token,
  });
  expect(await ignoredBy(made)).toBeUndefined();
  const product = {
    name: unique('Lamp'),
    price: '9.00',
    deleted_at: null,
    shipping_category_id: await getDefaultShippingCategoryId(),
    variants: [{ price: '3.00', product_id: 1 }],
  };
  expect(await ignoredBy(admin.post('/products', { product }))).toBeUndefined();
});

test('attributes of cards, wherever they are', async () => {
  const order = await orderInState('payment');
  const id = await getPaymentMethodId('Credit Card');
  const card = { number: '4111111111111111', expiry: '12/40', verification_value: '123', name: 'A B' };
  const put = (body: object) => ignoredBy(api(order.caller).put(`/checkouts/${order.number}`, body));
  const payments_attributes = [{ payment_method_id: id, amount: '1.00' }];
  expect(
    await put({
      order: { payments_attributes, state: 'payment' },
      payment_source: { [id]: { ...card, mood: 'good' } },
      cvc_confirm: '123',
    }),
  ).toBe(`payment_source.${id}.mood`);
  const source_attributes = { ...card, cvc: '123' };
  expect(
    await put({ order: { payments: [{ payment_method_id: id, source_attributes }], state: 'payment' } }),
  ).toBe('order.payments.0.source_attributes.cvc');
});

test('at most twenty are named, and only in characters of a header', async () => {
  const admin = api(await anAdmin());
  const strays = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`stray${index}`, index]));
  const named = await ignoredBy(admin.post('/tax_categories', { tax_category: aCategory(), ...strays }));
  expect(named?.split(', ')).toHaveLength(20);
  const odd = { tax_category: aCategory({ 'farbe\r\nSet-Cookie: x': 1, ['l'.repeat(5000)]: 1 }) };
  expect(await ignoredBy(admin.post('/tax_categories', odd))).toBe(
    `tax_category.farbe??Set-Cookie??x, ${`tax_category.${'l'.repeat(5000)}`.slice(0, 100)}`,
  );
});

describe('Prefer: handling=strict', () => {
  test('refuses them, names all, and changes nothing', async () => {
    const admin = api({ ...(await anAdmin()), headers: STRICT });
    const name = unique('Books');
    const reply = await admin.post('/tax_categories', { tax_category: { name, colour: 1 }, stray: 2 });
    expect([reply.status, reply.body]).toEqual([
      422,
      {
        error: 'Invalid resource. Please fix errors and try again.',
        errors: { 'tax_category.colour': UNKNOWN, stray: UNKNOWN },
      },
    ]);
    expect(await testDb()('tax_categories').where({ name })).toEqual([]);
    const invalid = await admin.post('/tax_categories', { tax_category: { name: '', colour: 1 } });
    expect(invalid.body.errors).toEqual({ 'tax_category.colour': UNKNOWN, name: ["can't be blank"] });
    expect((await admin.post('/tax_categories', { tax_category: { name } })).status).toBe(201);
  });

  test('refuses ignored conditions and sorts, also where a reply to the same request is kept', async () => {
    const path = '/products?q[colour_eq]=red&q[name_cont]=x&q[s]=mood';
    const lenient = await api().get(path);
    expect([lenient.status, lenient.headers['x-ignored-conditions']]).toEqual([200, 'colour_eq, mood']);
    const strict = await api({ headers: { Prefer: 'respond-async, handling="strict"' } }).get(path);
    expect([strict.status, strict.body.errors]).toEqual([422, { 'q.colour_eq': UNKNOWN, 'q.s': UNKNOWN }]);
    expect((await api({ headers: STRICT }).get('/products?q[name_cont]=x')).status).toBe(200);
    expect((await api({ headers: { Prefer: 'handling=lenient' } }).get(path)).status).toBe(200);
  });

  test('does not come before what hides a record', async () => {
    const order = await orderInState('cart');
    const stranger = api({ headers: STRICT });
    expect((await stranger.put(`/orders/${order.number}`, { order: { colour: 1 } })).status).toBe(401);
    expect((await stranger.put('/orders/R000', { order: { colour: 1 } })).status).toBe(404);
    const product = await aProduct();
    expect((await stranger.get(`/products/${product.id}?colour=red`)).status).toBe(422);
  });
});

test('limits of a token are never dropped', async () => {
  const customer = await aCustomer();
  const path = `/users/${customer.id}/tokens`;
  for (const body of [
    { api_token: { name: 'till', scopes: ['orders:read'], expires_at: '2126-01-01' } },
    { api_token: { name: 'till' }, scopes: ['orders:read'], expires_at: '2126-01-01' },
    { name: 'till', scopes: ['orders:read'], expires_at: '2126-01-01' },
  ]) {
    const reply = await api(customer).post(path, body);
    expect(reply.headers).not.toHaveProperty('x-ignored-parameters');
    expect(reply.body).toMatchObject({ scopes: ['orders:read'], expires_at: '2126-01-01T00:00:00.000Z' });
  }
});

test('unknown names in `facets` and `fields`', async () => {
  const path = '/products?per_page=1&facets=options,bogus,price&fields=id,colour,slug';
  const reply = await api().get(path);
  expect(reply.headers['x-ignored-parameters']).toBe('facets.bogus, fields.colour');
  expect(Object.keys(reply.body.facets)).toEqual(['options', 'price', 'option_facets']);
  expect(await ignoredBy(api().get('/products?per_page=1&facets[]=bogus&fields=id'))).toBe('facets.bogus');
  expect(await ignoredBy(api().get('/products?per_page=1&facets=price,in_stock&fields=id'))).toBeUndefined();
  const strict = await api({ headers: STRICT }).get(path);
  expect([strict.status, strict.body.errors]).toEqual([
    422,
    { 'facets.bogus': UNKNOWN, 'fields.colour': UNKNOWN },
  ]);
  const admin = api(await anAdmin());
  const product = await aProduct();
  const { root } = await aTaxonomy();
  for (const list of [`/products/${product.id}/variants`, '/orders', `/taxons/products?id=${root.id}`])
    expect(
      await ignoredBy(admin.get(`${list}${list.includes('?') ? '&' : '?'}fields=id,colour,updated_at`)),
    ).toBe('fields.colour');
});

test('every field of a record can be named in `fields`', async () => {
  const admin = api(await anAdmin());
  await orderInState('complete');
  const product = await aProduct();
  for (const [path, key] of [
    ['/products', 'products'],
    [`/products/${product.id}/variants`, 'variants'],
    ['/orders', 'orders'],
  ] as const)
    for (const caller of [admin, ...(key === 'orders' ? [] : [api()])]) {
      const { body } = await caller.get(path);
      const fields = Object.keys(body[key][0]);
      for (const field of fields)
        expect(await ignoredBy(caller.get(`${path}?fields=${field}`))).toBeUndefined();
    }
});
