import { aClerk, anAdmin, asAdmin } from '../../support/accounts.factory';
import { api, makeTestApp } from '../../support/api';
import { testDb } from '../../support/database';
import { buildBogusGateway } from '../../support/gateways';
import { INVALID } from '../../support/error-bodies';
import { expectNoViolations } from '../../support/invariants';
import { aSellableVariant, getPaymentMethodId } from '../../support/orders.factory';
import {
  aShippedOrder,
  getCountOnHand,
  getDefaultLocationId,
  readOrder,
} from '../../support/shipments.factory';
import { unique } from '../../support/unique';

async function buildReturn(more: object): Promise<object> {
  const reason = await testDb()('return_authorization_reasons').where({ active: true }).first('id');
  const stock_location_id = await getDefaultLocationId();
  return { return_authorization: { stock_location_id, return_authorization_reason_id: reason.id, ...more } };
}

/** Creates a shipped and paid order of two units, and the request that returns one of them. */
async function aReturnable(card?: object) {
  const variant = await aSellableVariant();
  const lines = [{ variant_id: variant.id, quantity: 2 }];
  const order = await aShippedOrder({ lines, ...(card !== undefined && { card }) });
  const path = `/orders/${order.number}/return_authorizations`;
  const items = [{ variant_id: variant.id, quantity: 1, restock: false }];
  return { order, variant, path, items, admin: await asAdmin() };
}

const DECLINED = {
  approved: false,
  response_code: null,
  avs_response: null,
  cvv_response: null,
  message: 'No',
};

async function listRefunds(number: string): Promise<string[]> {
  const reply = await (await asAdmin()).get(`/orders/${number}/refunds`);
  return reply.body.refunds.map(({ amount }: { amount: string }) => amount);
}

/** Counts the returns of an order. */
async function countReturns(order: { id: number }): Promise<number> {
  return (await testDb()('return_authorizations').where({ order_id: order.id })).length;
}

test('one request returns, receives and refunds a damaged item', async () => {
  const { order, variant, path, items, admin } = await aReturnable();
  const reply = await admin.post(path, await buildReturn({ items, receive: true, refund: true }));
  expect(reply.status).toBe(201);
  const { amount, state, refunds } = reply.body;
  expect(state).toBe('received');
  expect(Number(amount)).toBeGreaterThan(0);
  expect(refunds).toEqual([{ payment_id: order.payments[0].id, amount, approved: true, message: null }]);
  expect(await listRefunds(order.number)).toEqual([amount]);
  expect(await readOrder(order.number)).toMatchObject({ payment_state: 'paid' });
  expect(await getCountOnHand(variant.id)).toBe(8);
  await expectNoViolations();
});

test('items with restock are back in stock, and the steps may be next to the wrapper', async () => {
  const { order, variant, path, admin } = await aReturnable();
  const items = [{ variant_id: variant.id, quantity: 2 }];
  const reply = await admin.post(path, { ...(await buildReturn({})), items, receive: true });
  expect([reply.status, reply.body.state, reply.body.refunds]).toEqual([201, 'received', undefined]);
  expect(await getCountOnHand(variant.id)).toBe(10);
  expect(await readOrder(order.number)).toMatchObject({ state: 'returned', payment_state: 'credit_owed' });
});

test('items alone are added', async () => {
  const { order, path, items, admin } = await aReturnable();
  const reply = await admin.post(path, await buildReturn({ items }));
  expect([reply.status, reply.body.state]).toEqual([201, 'authorized']);
  expect(await readOrder(order.number)).toMatchObject({ state: 'awaiting_return' });
});

test('a refused step leaves nothing', async () => {
  const { order, variant, path, items, admin } = await aReturnable();
  const refuse = async (more: object, errors: object) => {
    const reply = await admin.post(path, await buildReturn(more));
    expect([reply.status, reply.body]).toEqual([422, { error: INVALID, errors }]);
    expect([await countReturns(order), await getCountOnHand(variant.id)]).toEqual([0, 8]);
  };
  const all = { receive: true, refund: true };
  await refuse(
    { items: [{ variant_id: variant.id, quantity: 3 }], ...all },
    { 'items.quantity': ['must be less than or equal to 2'] },
  );
  await refuse({ items: [...items, ...items], ...all }, { 'items.variant_id': ['is listed twice'] });
  await refuse({ items, refund: true }, { refund: ['needs receive'] });
  await refuse({ ...all }, { items: ["can't be blank"] });
  await refuse(
    { items: [{ variant_id: variant.id, quantity: 0 }] },
    { 'items.quantity': ['must be greater than or equal to 1'] },
  );
  const [payment] = order.payments;
  await admin.put(`/orders/${order.number}/payments/${payment.id}/credit`, { amount: order.total });
  await refuse({ items, ...all }, { refund: ['the order owes the customer nothing'] });
});

test('a payment that was refunded already is left out', async () => {
  const { order, path, items, admin } = await aReturnable();
  const [card] = order.payments;
  await admin.put(`/orders/${order.number}/payments/${card.id}/credit`, { amount: order.total });
  const check = { payment_method_id: await getPaymentMethodId('Check'), amount: order.total };
  const paid = await admin.post(`/orders/${order.number}/payments`, { payment: check });
  await admin.put(`/orders/${order.number}/payments/${paid.body.id}/capture`);
  const reply = await admin.post(path, await buildReturn({ items, receive: true, refund: true }));
  const { amount, refunds } = reply.body;
  expect(refunds).toEqual([{ payment_id: paid.body.id, amount, approved: true, message: null }]);
});

test('a repeated request refunds once', async () => {
  const { order, path, items, admin } = await aReturnable();
  const body = await buildReturn({ items: [{ ...items[0], quantity: 2 }], receive: true, refund: true });
  const key = { 'Idempotency-Key': unique('key') };
  const clerk = api({ ...(await aClerk(['orders:write', 'payments:write'])), headers: key });
  const [first, second] = [await clerk.post(path, body), await clerk.post(path, body)];
  expect([first.status, second.status, second.body]).toEqual([201, 201, first.body]);
  expect((await admin.post(path, body)).status).toBe(422);
  expect(await listRefunds(order.number)).toEqual([first.body.amount]);
});

test('two requests at the same time refund once', async () => {
  const { order, path, items, admin } = await aReturnable();
  const body = await buildReturn({ items: [{ ...items[0], quantity: 2 }], receive: true, refund: true });
  const replies = await Promise.all([admin.post(path, body), admin.post(path, body)]);
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 422]);
  expect(await listRefunds(order.number)).toHaveLength(1);
});

test('a refund needs the scope of payments', async () => {
  const { order, path, items } = await aReturnable();
  const clerk = api(await aClerk(['orders:write']));
  const refused = await clerk.post(path, await buildReturn({ items, receive: true, refund: true }));
  expect([refused.status, await countReturns(order)]).toEqual([401, 0]);
  expect((await clerk.post(path, await buildReturn({ items, receive: true }))).status).toBe(201);
});

test('a declined refund leaves the return received, and says why', async () => {
  const { order, path, items } = await aReturnable();
  const app = makeTestApp({ gateways: buildBogusGateway({ credit: () => Promise.resolve(DECLINED) }) });
  const reply = await api(await anAdmin(), app).post(
    path,
    await buildReturn({ items, receive: true, refund: true }),
  );
  const [payment] = order.payments;
  expect([reply.status, reply.body.state]).toEqual([201, 'received']);
  expect(reply.body.refunds).toEqual([
    { payment_id: payment.id, amount: reply.body.amount, approved: false, message: 'No' },
  ]);
  expect(await listRefunds(order.number)).toEqual([]);
  expect(await readOrder(order.number)).toMatchObject({ payment_state: 'credit_owed' });
});
