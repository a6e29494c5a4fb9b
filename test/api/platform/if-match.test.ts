import { anAdmin } from '../../support/accounts.factory';
import { api, testApp, makeTestApp } from '../../support/api';
import { testDb } from '../../support/database';
import { withTransaction } from '../../../src/platform/database/transaction';
import { lockOrder } from '../../../src/sales/order/order-lock';
import { createDraft, saveDraft } from '../../../src/sales/order-updater/order-draft';
import { performOnPayment } from '../../../src/sales/payment-processing/start-payment';
import { settleInterruptedPayments } from '../../../src/sales/payment-processing/settle-interrupted-payments.job';
import { recorders } from '../../../src/sales/payments/recorders';
import { waitUntilBlockedBy } from '../../support/locks';
import { expireClaims } from '../../support/payments.factory';
import { aSellableVariant, orderInState } from '../../support/orders.factory';
import { aProduct } from '../../support/products.factory';
import { aPaidOrder } from '../../support/shipments.factory';
import { unique } from '../../support/unique';

const STALE = [412, { error: 'The record has changed. Fetch it again.' }];
const onlyIf = (etag: string | undefined) => ({ headers: { 'If-Match': etag ?? '' } });

describe('If-Match', () => {
  test('allows a change while the record is unchanged', async () => {
    const admin = await anAdmin();
    const product = await aProduct();
    const path = `/products/${product.id}`;
    const { etag } = (await api(admin).get(path)).headers;
    const first = await api({ ...admin, ...onlyIf(etag) }).put(path, { product: { name: unique('Lamp') } });
    expect(first.status).toBe(200);
    const second = await api({ ...admin, ...onlyIf(etag) }).patch(path, { product: { name: 'Other' } });
    expect([second.status, second.body]).toEqual(STALE);
    expect((await api(admin).get(path)).body.name).toBe(first.body.name);
    expect((await api({ ...admin, ...onlyIf(etag) }).delete(path)).status).toBe(412);
    const currentEtag = (await api(admin).get(path)).headers['etag'];
    expect((await api({ ...admin, ...onlyIf(`"other", ${currentEtag}`) }).delete(path)).status).toBe(204);
  });

  test('is not in replies to changes or errors, where it would match no record', async () => {
    const client = api(await anAdmin());
    const product = await aProduct();
    const changed = await client.put(`/products/${product.id}`, { product: { name: unique('Lamp') } });
    const refused = await client.put(`/products/${product.id}`, { product: { name: '' } });
    const created = await client.post('/option_types', {
      option_type: { name: unique('size'), presentation: 'Size' },
    });
    const tags = [changed, refused, created].map(({ status, headers }) => [status, headers['etag']]);
    expect(tags).toEqual([200, 422, 201].map((status) => [status, undefined]));
  });

  test('is compared with the reply that the caller itself gets', async () => {
    const order = await orderInState('cart');
    const shopper = api(order.caller);
    const { etag } = (await shopper.get(`/orders/${order.number}`)).headers;
    const send = (name: string) =>
      api({ ...order.caller, ...onlyIf(etag) }).put(`/checkouts/${order.number}`, {
        order: { email: `${name}@example.com` },
      });
    expect((await send('ann')).status).toBe(200);
    expect((await send('ben')).status).toBe(412);
    expect((await shopper.get(`/orders/${order.number}`)).body.email).toBe('ann@example.com');
  });

  test('is compared again when the record changes while a completion waits for it', async () => {
    const order = await orderInState('confirm');
    const path = `/orders/${order.number}`;
    const { etag } = (await api(order.caller).get(path)).headers;
    const completing = await testDb().transaction(async (tx) => {
      await tx('orders').where({ id: order.id }).forUpdate().first('id');
      const reply = api({ ...order.caller, ...onlyIf(etag) }).put(`/checkouts/${order.number}`, {});
      const sent = reply.then((received) => received);
      await waitUntilBlockedBy(tx);
      await tx('orders').where({ id: order.id }).update({ email: 'ben@example.com' });
      return { sent };
    });
    const reply = await completing.sent;
    expect([reply.status, reply.body]).toEqual(STALE);
  });

  test('is compared with the own account, whose path has no id', async () => {
    const admin = await anAdmin();
    const { etag } = (await api(admin).get('/users/me')).headers;
    const rename = (code: string) =>
      api({ ...admin, ...onlyIf(etag) }).put('/users/me', { user: { vat_id: code } });
    expect((await rename('DE136695976')).status).toBe(200);
    const second = await rename('DE129273398');
    expect([second.status, second.body]).toEqual(STALE);
    expect((await api(admin).get('/users/me')).body.vat_id).toBe('DE136695976');
  });

  test('of a record without its own GET is the ETag of its parent', async () => {
    const variant = await aSellableVariant();
    const order = await orderInState('cart', { lines: [{ variant_id: variant.id }] });
    const path = `/orders/${order.number}`;
    const { etag } = (await api(order.caller).get(path)).headers;
    const line = `${path}/line_items/${order.line_items[0].id}`;
    const client = api({ ...order.caller, ...onlyIf(etag) });
    expect((await client.put(line, { line_item: { quantity: 3 } })).status).toBe(200);
    expect((await client.delete(line)).status).toBe(412);
  });

  test('of an order ignores the stock of its variants, which other sales change', async () => {
    const variant = await aSellableVariant();
    const { number } = await orderInState('complete', { lines: [{ variant_id: variant.id }] });
    const admin = await anAdmin();
    const path = `/orders/${number}`;
    const read = await api(admin).get(path);
    const change = (vat_id: string) =>
      api({ ...admin, ...onlyIf(read.headers['etag']) }).put(path, { order: { vat_id } });
    await orderInState('complete', { lines: [{ variant_id: variant.id }] });
    // Caches still tell the replies apart.
    const unchanged = { ...admin, headers: { 'If-None-Match': read.headers['etag'] ?? '' } };
    const reread = await api(unchanged).get(path);
    expect([reread.status, reread.body.updated_at]).toEqual([200, read.body.updated_at]);
    expect(reread.body.line_items[0].variant.total_on_hand).toBe(
      read.body.line_items[0].variant.total_on_hand - 1,
    );
    expect((await change('DE136695976')).status).toBe(200);
    const second = await change('DE129273398');
    expect([second.status, second.body]).toEqual(STALE);
    // A reply without the version of the record has none to compare.
    const { etag } = (await api(admin).get(`${path}?fields=number`)).headers;
    expect((await api({ ...admin, ...onlyIf(etag) }).put(path, { order: {} })).status).toBe(412);
  });

  test('of a product ignores its stock', async () => {
    const variant = await aSellableVariant();
    const admin = await anAdmin();
    const path = `/products/${variant.product_id}`;
    const { etag } = (await api(admin).get(path)).headers;
    const change = (meta_title: string) =>
      api({ ...admin, ...onlyIf(etag) }).put(path, { product: { meta_title } });
    await orderInState('complete', { lines: [{ variant_id: variant.id }] });
    expect((await api(admin).get(path)).headers['etag']).not.toBe(etag);
    expect((await change('One')).status).toBe(200);
    expect((await change('Other')).status).toBe(412);
  });

  test.each<[string, (sold: any) => string, (at: number) => object]>([
    [
      'variant',
      ({ line_items: [line] }) => `/variants/${line.variant_id}`,
      (at) => ({ variant: { weight: at } }),
    ],
    [
      'variant of its product',
      ({ line_items: [{ variant }] }) => `/products/${variant.product_id}/variants/${variant.id}`,
      (at) => ({ variant: { weight: at } }),
    ],
    [
      'shipment',
      ({ shipments: [{ number }] }) => `/shipments/${number}`,
      (at) => ({ shipment: { tracking: `T${at}` } }),
    ],
  ])('of a %s ignores its stock', async (_what, pathOf, bodyOf) => {
    const lines = [{ variant_id: (await aSellableVariant()).id }];
    const admin = await anAdmin();
    const path = pathOf(await orderInState('complete', { lines }));
    const { etag } = (await api(admin).get(path)).headers;
    const change = (at: number) => api({ ...admin, ...onlyIf(etag) }).put(path, bodyOf(at));
    await orderInState('complete', { lines });
    expect((await api(admin).get(path)).headers['etag']).not.toBe(etag);
    expect((await change(1)).status).toBe(200);
    expect((await change(2)).status).toBe(412);
  });

  test('is rejected, not ignored, where there is nothing to compare', async () => {
    const admin = await anAdmin();
    const path = '/classifications';
    expect((await api({ ...admin, ...onlyIf('*') }).put(path)).status).toBe(412);
    expect((await api(admin).put(path)).status).toBe(422);
  });

  test('of an event of a shipment is the ETag of the shipment', async () => {
    const admin = await anAdmin();
    const order = await aPaidOrder();
    const path = `/shipments/${order.shipments[0].number}`;
    const { etag } = (await api(admin).get(path)).headers;
    const first = api({ ...admin, ...onlyIf(etag) });
    expect((await first.put(path, { shipment: { tracking: 'A' } })).status).toBe(200);
    expect((await first.put(`${path}/ship`)).status).toBe(412);
  });

  test('sees a gateway call that starts between its check and the lock of the order', async () => {
    const order = await orderInState('complete');
    const admin = await anAdmin();
    const path = `/orders/${order.number}`;
    const { etag } = (await api(admin).get(path)).headers;
    const cause = { user_id: null, reason: 'payment capture' };
    const act = { event: 'capture', purpose: 'payment', cause } as const;
    const changed = await withTransaction(testApp().deps, async (tx) => {
      const locked = await lockOrder(tx, { id: order.id }, { whilePaid: true });
      const [payment] = locked.payments;
      if (payment === undefined) throw new Error('no payment');
      const reply = api({ ...admin, ...onlyIf(etag) }).put(path, { order: { email: 'new@example.com' } });
      await waitUntilBlockedBy(tx);
      const { draft } = await performOnPayment(tx, createDraft(locked), act, { payment });
      await saveDraft(tx, draft);
      return { reply };
    });
    expect((await changed.reply).status).toBe(412);
    await expireClaims();
    await settleInterruptedPayments(testApp().deps, recorders);
    expect((await api(admin).get(path)).body).toMatchObject({ email: order.email, payment_state: 'paid' });
  });

  test('of several concurrent changes allows one', async () => {
    const admin = await anAdmin();
    const made = await api(admin).post('/tax_categories', { tax_category: { name: unique('Books') } });
    const path = `/tax_categories/${made.body.id}`;
    const { etag } = (await api(admin).get(path)).headers;
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        api({ ...admin, ...onlyIf(etag) }).put(path, {
          tax_category: { description: `number ${index}` },
        }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412]);
  });

  test('a repeated change with the same key gets the first reply', async () => {
    const admin = await anAdmin();
    const made = await api(admin).post('/tax_categories', { tax_category: { name: unique('Books') } });
    const path = `/tax_categories/${made.body.id}`;
    const { etag } = (await api(admin).get(path)).headers;
    const headers = { ...onlyIf(etag).headers, 'Idempotency-Key': unique('key') };
    const client = api({ ...admin, headers });
    const change = { tax_category: { description: 'x' } };
    expect((await client.put(path, change)).status).toBe(200);
    expect((await client.put(path, change)).status).toBe(200);
    expect(await testDb()('tax_categories').where({ id: made.body.id }).pluck('description')).toEqual(['x']);
  });

  test('an ETag holds across instances and while nothing changes', async () => {
    const admin = await anAdmin();
    const product = await aProduct();
    const path = `/products/${product.id}`;
    const [one, two] = [await api(admin).get(path), await api(admin, makeTestApp({})).get(path)];
    expect(one.headers['etag']).toBe(two.headers['etag']);
    expect(testApp()).toBeDefined();
  });
});
