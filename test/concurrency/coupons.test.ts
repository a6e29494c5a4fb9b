import { aCustomer, anAdmin } from '../support/accounts.factory';
import { api } from '../support/api';
import { expectNoViolations } from '../support/invariants';
import { aSellableVariant, orderInState, type OrderOptions } from '../support/orders.factory';
import { aPromotion } from '../support/promotions.factory';

/** An order of 10.0 and 5.0 shipping, one request away from complete, with the code applied. */
async function createOrder(code: string, variant: { id: number }, options: OrderOptions = {}): Promise<any> {
  const order = await orderInState('confirm', { ...options, lines: [{ variant_id: variant.id }] });
  const reply = await api(order.caller).put(`/orders/${order.number}/apply_coupon_code`, {
    coupon_code: code,
  });
  if (reply.status !== 200) throw new Error(`not applied: ${reply.text}`);
  return order;
}

async function createOrders(count: number, code: string, options: OrderOptions = {}): Promise<any[]> {
  const variant = await aSellableVariant({ price: '10', stock: 100 });
  const orders = [];
  for (let index = 0; index < count; index++) orders.push(await createOrder(code, variant, options));
  return orders;
}

const complete = (order: any) => api(order.caller).put(`/checkouts/${order.number}/next`);

async function countUses(promotion: { id: number }): Promise<number> {
  return (await api(await anAdmin()).get(`/promotions/${promotion.id}`)).body.usage_count;
}

test('of eight concurrent orders exactly two get the last two uses; the others continue at full price', async () => {
  const promotion = await aPromotion({ usage_limit: 2 });
  const orders = await createOrders(8, promotion.code);
  const replies = await Promise.all(orders.map(complete));
  const won = replies.filter(({ status }) => status === 200);
  expect(won.map(({ body }) => [body.state, body.total])).toEqual([
    ['complete', '14.0'],
    ['complete', '14.0'],
  ]);
  const lost = replies.filter(({ status }) => status !== 200);
  expect(lost.map(({ status, body }) => [status, body.errors])).toEqual(
    lost.map(() => [422, { base: ['Coupon code usage limit exceeded'] }]),
  );
  expect(await countUses(promotion)).toBe(2);

  const losers = orders.filter((_, index) => replies[index]?.status !== 200);
  const later = await Promise.all(losers.map(complete));
  expect(later.map(({ status, body }) => [status, body.state, body.total, body.payments[0].amount])).toEqual(
    losers.map(() => [200, 'complete', '15.0', '15.0']),
  );
  expect(await countUses(promotion)).toBe(2);
  await expectNoViolations({ order_ids: orders.map(({ id }) => id) });
});

test('a user who completes two orders concurrently uses the code once', async () => {
  const caller = await aCustomer();
  const promotion = await aPromotion({ rules: [{ type: 'one_use_per_user' }] });
  const orders = await createOrders(2, promotion.code, { caller });
  const replies = await Promise.all(orders.map(complete));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 422]);
  expect(await countUses(promotion)).toBe(1);
});

test('a code applied by concurrent requests is applied once', async () => {
  const promotion = await aPromotion();
  const variant = await aSellableVariant({ price: '10' });
  const order = await orderInState('cart', { lines: [{ variant_id: variant.id }] });
  const replies = await Promise.all(
    Array.from({ length: 4 }, () =>
      api(order.caller).put(`/orders/${order.number}/apply_coupon_code`, { coupon_code: promotion.code }),
    ),
  );
  expect(replies.map(({ body }) => body.status_code).sort()).toEqual([
    ...Array.from({ length: 3 }, () => 'coupon_code_already_applied'),
    'coupon_code_applied',
  ]);
  const now = await api(order.caller).get(`/orders/${order.number}`);
  expect(now.body).toMatchObject({ total: '9.0', adjustment_total: '-1.0' });
});

test('an order completed by concurrent requests counts one use', async () => {
  const promotion = await aPromotion({ usage_limit: 1 });
  const [order] = await createOrders(1, promotion.code);
  const replies = await Promise.all(
    Array.from({ length: 6 }, () => api(order.caller).put(`/checkouts/${order.number}`)),
  );
  expect(replies.map(({ status, body }) => [status, body.total])).toEqual(replies.map(() => [200, '14.0']));
  expect(await countUses(promotion)).toBe(1);
});

test('promotions can be updated while orders with them complete', async () => {
  const admin = api(await anAdmin());
  const promotion = await aPromotion({ usage_limit: 10 });
  const orders = await createOrders(4, promotion.code);
  const edits = Array.from({ length: 4 }, (_, index) =>
    admin.put(`/promotions/${promotion.id}`, { promotion: { usage_limit: 10 + index } }),
  );
  const replies = await Promise.all([...orders.map(complete), ...edits]);
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  expect(await countUses(promotion)).toBe(4);
});

test('deleting a promotion while orders apply it causes no errors', async () => {
  const admin = api(await anAdmin());
  for (let round = 0; round < 3; round++) {
    const promotion = await aPromotion();
    const [confirmed] = await createOrders(1, promotion.code);
    const cart = await orderInState('cart');
    const [completing, applying, deleting] = await Promise.all([
      complete(confirmed),
      api(cart.caller).put(`/orders/${cart.number}/apply_coupon_code`, { coupon_code: promotion.code }),
      admin.delete(`/promotions/${promotion.id}`),
    ]);
    expect([200, 422]).toContain(completing.status);
    expect(['coupon_code_applied', 'coupon_code_not_found']).toContain(applying.body.status_code);
    expect(deleting.status).toBe(204);
    await expectNoViolations({ order_ids: [confirmed.id, cart.id] });
  }
});
