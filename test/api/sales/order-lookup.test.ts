import { createRateLimits } from '../../../src/platform/rate-limits';
import { aClerk, anAdmin } from '../../support/accounts.factory';
import { api, makeTestApp } from '../../support/api';
import { testDb } from '../../support/database';
import { anAddress } from '../../support/limits';
import { readMailTo } from '../../support/mail';
import { orderInState } from '../../support/orders.factory';
import { withStoreSetting } from '../../support/shipments.factory';
import { unique } from '../../support/unique';

/** Returns an order with an e-mail address of its own. */
async function anOrder(state: 'complete' | 'payment'): Promise<any> {
  const order = await orderInState(state);
  const email = `${unique('guest')}@example.com`;
  await testDb()('orders').where({ id: order.id }).update({ email });
  return { ...order, email };
}

const lookUp = (number: string, email: string) => api().post('/orders/lookup', { number, email });

test('a guest gets the link of a complete order by number and e-mail address, in any case', async () => {
  const order = await anOrder('complete');
  const template = 'https://shop.example.com/o/{number}?t={token}';
  await withStoreSetting({ order_url: template }, async () => {
    const reply = await lookUp(` ${order.number.toLowerCase()} `, ` ${order.email.toUpperCase()} `);
    expect([reply.status, reply.body]).toEqual([202, {}]);
  });
  const mails = await readMailTo(order.email);
  expect(mails).toHaveLength(1);
  const [, number, token] = mails[0]?.match(/https:\/\/shop\.example\.com\/o\/(\w+)\?t=([\w-]+)/) ?? [];
  expect(number).toBe(order.number);
  const shown = await api({ orderToken: String(token) }).get(`/orders/${order.number}`);
  expect([shown.status, shown.body.number]).toEqual([200, order.number]);
});

test('the link leads to the storefront by default', async () => {
  const order = await anOrder('complete');
  await lookUp(order.number, order.email);
  const [mail] = await readMailTo(order.email);
  expect(mail).toMatch(new RegExp(`https?://[^\\s"]+/orders/${order.number}\\?order_token=[\\w-]{22}`));
});

test('the reply is the same for unknown numbers, other addresses and carts, and no mail is sent', async () => {
  const [order, cart] = [await anOrder('complete'), await anOrder('payment')];
  const stranger = `${unique('no')}@example.com`;
  const known = await lookUp(order.number, order.email);
  const replies = [
    await lookUp(order.number, stranger),
    await lookUp('R000000000', order.email),
    await lookUp(cart.number, cart.email),
  ];
  for (const reply of replies) {
    expect([reply.status, reply.body]).toEqual([known.status, known.body]);
    expect(Object.keys(reply.headers)).toEqual(Object.keys(known.headers));
  }
  expect(await readMailTo(stranger)).toEqual([]);
  expect(await readMailTo(cart.email)).toEqual([]);
  expect(await readMailTo(order.email)).toHaveLength(1);
  const blank = await api().post('/orders/lookup', { number: '' });
  expect(blank.body.errors).toEqual({ number: ["can't be blank"], email: ["can't be blank"] });
});

test('requests are limited by e-mail address, equally for unknown ones, and by network address', async () => {
  const limited = makeTestApp({ limits: createRateLimits(testDb(), 1) }, { trustProxy: 1 });
  const from = (address: string) => api({ headers: { 'X-Forwarded-For': address } }, limited);
  const order = await anOrder('complete');
  for (const email of [order.email, `${unique('no')}@example.com`]) {
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      statuses.push((await from(anAddress()).post('/orders/lookup', { number: order.number, email })).status);
    }
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
  }
});

test('the page of orders is an address with both placeholders, which only full administrators change', async () => {
  const admin = api(await anAdmin());
  const store = await testDb()('stores').where({ is_default: true }).first('id', 'order_url');
  const path = `/stores/${store.id}`;
  const errorsOf = async (order_url: string) =>
    (await admin.put(path, { store: { order_url } })).body.errors?.order_url;
  expect(await errorsOf('javascript:{number}{token}')).toEqual(['is invalid']);
  expect(await errorsOf('https://shop.example.com/{number}')).toEqual(['must contain {number} and {token}']);
  const order_url = 'https://evil.example.com/{number}/{token}';
  const clerk = api(await aClerk(['settings:write']));
  expect((await clerk.put(path, { store: { order_url } })).status).toBe(401);
  expect((await clerk.put(path, { store: { order_url: null } })).status).toBe(200);
});
