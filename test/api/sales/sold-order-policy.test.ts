import { aCustomer, asAdmin } from '../../support/accounts.factory';
import { anAddress } from '../../support/addresses.factory';
import { api, type Caller } from '../../support/api';
import { notTransitioned } from '../../support/error-bodies';
import {
  aSellableVariant,
  buildPaymentBody,
  GOOD_CARD,
  getPaymentMethodId,
  orderInState,
} from '../../support/orders.factory';
import { aPromotion } from '../../support/promotions.factory';
import { aPaidOrder, aShippedOrder, readOrder } from '../../support/shipments.factory';

const SOLD = notTransitioned({
  base: ['The order is complete and can only be changed by the store.'],
});

const SWISS = { country: { iso: 'CH' }, state: undefined, state_name: 'Zürich', zipcode: '8001' };
const GERMAN = { country: { iso: 'DE' }, state: undefined, state_name: 'Hessen', zipcode: '60311' };
const OREGON = { state: { abbr: 'OR' }, zipcode: '97201' };

type Send = (order: any, client: ReturnType<typeof api>) => Promise<{ status: number; body: any }>;

const line = (order: any): string => `/orders/${order.number}/line_items/${order.line_items[0].id}`;
const put = (order: any, client: ReturnType<typeof api>, attributes: object) =>
  client.put(`/orders/${order.number}`, { order: attributes });

/** Every way in which a shopper could change a sold order. */
const CHANGES: [string, Send][] = [
  ['another country', (order, client) => put(order, client, { ship_address: anAddress(GERMAN) })],
  ['another state', (order, client) => put(order, client, { ship_address_attributes: anAddress(OREGON) })],
  ['another bill address', (order, client) => put(order, client, { bill_address: anAddress(SWISS) })],
  ['the bill address as ship address', (order, client) => put(order, client, { use_billing: '1' })],
  [
    'an edited address',
    (order, client) =>
      client.put(`/orders/${order.number}/addresses/${order.ship_address.id}`, {
        address: anAddress(OREGON),
      }),
  ],
  [
    'an edited address under checkouts',
    (order, client) =>
      client.put(`/checkouts/${order.number}/addresses/${order.bill_address.id}`, {
        address: { city: 'Salem' },
      }),
  ],
  ['another e-mail', (order, client) => put(order, client, { email: 'other@example.com' })],
  ['special instructions', (order, client) => put(order, client, { special_instructions: 'ring' })],
  [
    'a lowered line',
    (order, client) => put(order, client, { line_items: [{ id: order.line_items[0].id, quantity: 1 }] }),
  ],
  [
    'an added line',
    (order, client) =>
      put(order, client, { line_items: [{ variant_id: order.line_items[0].variant_id, quantity: 1 }] }),
  ],
  [
    'another rate',
    (order, client) =>
      put(order, client, {
        shipments: [
          {
            id: order.shipments[0].id,
            selected_shipping_rate_id: order.shipments[0].shipping_rates[0].id,
          },
        ],
      }),
  ],
  ['a coupon', (order, client) => put(order, client, { coupon_code: 'ANY' })],
  [
    'a payment together with an e-mail',
    async (order, client) => {
      const body: any = await buildPaymentBody({ method: 'Check' });
      return put(order, client, { ...body.order, email: 'other@example.com' });
    },
  ],
  ['a lowered line at its path', (order, client) => client.put(line(order), { line_item: { quantity: 1 } })],
  ['a deleted line', (order, client) => client.delete(line(order))],
  [
    'an added line at its path',
    (order, client) =>
      client.post(`/orders/${order.number}/line_items`, {
        line_item: { variant_id: order.line_items[0].variant_id },
      }),
  ],
];

describe('a sold order is not changed by shoppers', () => {
  const orders: Record<string, any> = {};
  const callers: Record<string, (order: any) => Caller> = {
    token: (order) => ({ orderToken: order.caller.orderToken }),
    owner: (order) => ({ token: order.caller.token }),
  };
  beforeAll(async () => {
    orders['complete'] = await orderInState('complete', { caller: await aCustomer() });
    orders['shipped'] = await aShippedOrder({ caller: await aCustomer() });
  });

  const cases = ['complete', 'shipped'].flatMap((kind) =>
    ['token', 'owner'].flatMap((who) => CHANGES.map(([name, send]) => [name, kind, who, send] as const)),
  );
  test.each(cases)('%s is refused on a %s order for the %s', async (_name, kind, who, send) => {
    const order = orders[kind];
    const before = await readOrder(order.number);
    const reply = await send(order, api(callers[who]?.(order)));
    expect([reply.status, reply.body]).toEqual([422, SOLD]);
    expect(await readOrder(order.number)).toEqual(before);
  });

  test.each(['token', 'owner'])('PUT checkouts replies with the unchanged order to the %s', async (who) => {
    const order = orders['complete'];
    const before = await readOrder(order.number);
    const reply = await api(callers[who]?.(order)).put(`/checkouts/${order.number}`, {
      order: { email: 'other@example.com', ship_address: anAddress(GERMAN) },
    });
    expect(reply.status).toBe(200);
    expect(await readOrder(order.number)).toEqual(before);
  });

  test('a body without changes is a 200', async () => {
    const order = orders['complete'];
    const client = api(order.caller);
    expect((await client.put(`/orders/${order.number}`)).status).toBe(200);
    expect((await put(order, client, { line_items: [], user_id: 1 })).status).toBe(200);
  });
});

describe.each([
  ['20', 'flat'],
  ['50', 'flat'],
])('a coupon of %s off', (amount) => {
  test('is not kept on fewer lines', async () => {
    const variant = await aSellableVariant({ price: '25.00', stock: 20 });
    const { code } = await aPromotion({
      actions: [{ type: 'order_amount', amount }],
      rules: [{ type: 'item_total', amount_min: '100', currency: 'USD' }],
    });
    const cart = await orderInState('payment', { lines: [{ variant_id: variant.id, quantity: 4 }] });
    const client = api(cart.caller);
    const path = `/checkouts/${cart.number}`;
    expect((await client.put(`${path}/apply_coupon_code`, { coupon_code: code })).body.error).toBeNull();
    await client.put(path, await buildPaymentBody());
    const order = (await client.put(path)).body;
    expect(order).toMatchObject({ state: 'complete', adjustment_total: `-${amount}.0` });
    const reply = await client.put(line(order), { line_item: { quantity: 1 } });
    expect([reply.status, reply.body]).toEqual([422, SOLD]);
    expect(await readOrder(order.number)).toMatchObject({ total: order.total, item_total: '100.0' });
  });
});

test('free shipping stays with the lines it was given for', async () => {
  const { code } = await aPromotion({ actions: [{ type: 'free_shipping' }] });
  const cart = await orderInState('payment');
  const client = api(cart.caller);
  await client.put(`/orders/${cart.number}/apply_coupon_code`, { coupon_code: code });
  await client.put(`/checkouts/${cart.number}`, await buildPaymentBody());
  const order = (await client.put(`/checkouts/${cart.number}`)).body;
  expect(order).toMatchObject({ state: 'complete', adjustment_total: '-5.0' });
  const reply = await client.delete(line(order));
  expect([reply.status, reply.body]).toEqual([422, SOLD]);
});

describe('what stays with shoppers', () => {
  test('paying what is owed by PUT orders', async () => {
    const order = await aPaidOrder();
    await (await asAdmin()).put(line(order), { line_item: { quantity: 3 } });
    const reply = await api(order.caller).put(`/orders/${order.number}`, await buildPaymentBody());
    expect([reply.status, reply.body.payments.at(-1)]).toMatchObject([
      200,
      { state: 'checkout', amount: '15.99' },
    ]);
  });

  test('paying what is owed by POST payments', async () => {
    const order = await aPaidOrder();
    await (await asAdmin()).put(line(order), { line_item: { quantity: 3 } });
    const reply = await api(order.caller).post(`/orders/${order.number}/payments`, {
      payment: {
        payment_method_id: await getPaymentMethodId('Credit Card'),
        source_attributes: GOOD_CARD,
      },
    });
    expect([reply.status, reply.body.amount]).toEqual([201, '15.99']);
  });

  test('canceling, and emptying, while nothing is shipped', async () => {
    const first = await orderInState('complete');
    expect((await api(first.caller).put(`/orders/${first.number}/cancel`)).status).toBe(200);
    const second = await orderInState('complete');
    expect((await api(second.caller).put(`/orders/${second.number}/empty`)).status).toBe(204);
  });
});

test('admins change a sold order', async () => {
  const order = await orderInState('complete');
  const admin = await asAdmin();
  const reply = await put(order, admin, {
    email: 'other@example.com',
    special_instructions: 'ring',
    ship_address: anAddress(OREGON),
  });
  expect([reply.status, reply.body]).toMatchObject([
    200,
    { email: 'other@example.com', special_instructions: 'ring', ship_address: { zipcode: '97201' } },
  ]);
});

test('the coupons of a sold order cannot be changed, not even by admins', async () => {
  const order = await orderInState('complete');
  const { code } = await aPromotion();
  for (const client of [api(order.caller), await asAdmin()]) {
    for (const path of ['apply_coupon_code', 'remove_coupon_code']) {
      const reply = await client.put(`/orders/${order.number}/${path}`, { coupon_code: code });
      expect([path, reply.status, reply.body]).toMatchObject([
        path,
        422,
        { successful: false, status_code: 'coupon_code_not_eligible' },
      ]);
    }
  }
});
