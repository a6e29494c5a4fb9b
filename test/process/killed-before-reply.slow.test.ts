import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { startJobs } from '../../src/boot/jobs';
import { anAdmin } from '../support/accounts.factory';
import { testApp, type Caller } from '../support/api';
import { ensureTestDatabase, testDb } from '../support/database';
import { fetchOptions, MOMENTS_OF_PAYMENTS, type FatalRequest } from '../support/fatal-request';
import { anImageOwner } from '../support/images.factory';
import { expectNoViolations } from '../support/invariants';
import { listen } from '../support/listen';
import { aSellableVariant, orderInState } from '../support/orders.factory';
import { anOrderOf, aPaymentIn } from '../support/payments.factory';
import { aPicture } from '../support/pictures';
import { getDefaultShippingCategoryId } from '../support/products.factory';
import { aPaidOrder, getCountOnHand, readOrder } from '../support/shipments.factory';
import { aStockItem, getStockCounts } from '../support/stock.factory';
import { STORAGE_FOLDER } from '../support/storage';
import { unique } from '../support/unique';

function headersOf(caller: Caller): Record<string, string> {
  return {
    'Idempotency-Key': randomUUID(),
    ...(caller.token !== undefined && { 'X-Store-Token': caller.token }),
    ...(caller.orderToken !== undefined && { 'X-Order-Token': caller.orderToken }),
  };
}

/** Sends the request to a separate process, which is killed after the effect is committed and before the reply. */
async function sendAndDie(fatal: FatalRequest): Promise<void> {
  const script = path.join(__dirname, '../support/dying-server.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', script, JSON.stringify(fatal)], {
    cwd: path.resolve(__dirname, '../..'),
    env: {
      PATH: process.env.PATH,
      STORE_URL: await ensureTestDatabase(),
      STORE_FILES: STORAGE_FOLDER,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [, signal] = await once(child, 'close');
  expect(signal).toBe('SIGKILL');
}

/** Repeats the request twice, on a running server. @returns the reply, which is the same for both */
async function repeat(fatal: FatalRequest): Promise<{ status: number; body: any }> {
  const server = await listen(testApp().app);
  try {
    const url = `${server.url}/api/v1${fatal.path}`;
    const [first, second] = [await fetch(url, fetchOptions(fatal)), await fetch(url, fetchOptions(fatal))];
    const [text, again] = [await first.text(), await second.text()];
    expect([second.status, again]).toEqual([first.status, text]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    return { status: first.status, body: JSON.parse(text) };
  } finally {
    await server.close();
  }
}

/**
 * Ends the claim on the key of the request that died, which lapses by itself after seconds. PUT checkouts and the payments below wait
 * for that.
 */
async function endClaims(): Promise<void> {
  await testDb()('idempotency_keys').update({ claimed_until: testDb().fn.now() });
}

async function survive(
  method: string,
  where: string,
  { caller = {}, body, picture }: { caller?: Caller; body?: object; picture?: Buffer },
): Promise<{ status: number; body: any }> {
  const fatal: FatalRequest = {
    method,
    path: where,
    headers: headersOf(caller),
    ...(body !== undefined && { json: JSON.stringify(body) }),
    ...(picture !== undefined && { picture: picture.toString('base64') }),
  };
  await sendAndDie(fatal);
  if (!where.startsWith('/checkouts/')) await endClaims();
  return repeat(fatal);
}

describe('killed between the effect and the reply: a repeated request gets the first effect', () => {
  test('POST orders', async () => {
    const variant = await aSellableVariant();
    const order = { line_items: [{ variant_id: variant.id, quantity: 2 }] };
    const made = await survive('POST', '/orders', { body: { order } });
    expect([made.status, made.body.total_quantity]).toEqual([201, 2]);
    expect(await testDb()('line_items').where({ variant_id: variant.id })).toHaveLength(1);
    expect((await readOrder(made.body.number)).token).toBe(made.body.token);
  });

  test('POST line_items', async () => {
    const variant = await aSellableVariant();
    const order = await orderInState('cart', { lines: [{ variant_id: variant.id }] });
    const body = { line_item: { variant_id: variant.id, quantity: 2 } };
    const line = await survive('POST', `/orders/${order.number}/line_items`, { caller: order.caller, body });
    expect([line.status, line.body.quantity]).toEqual([201, 3]);
    expect((await readOrder(order.number)).total_quantity).toBe(3);
  });

  test('PUT payments/:id/credit', async () => {
    const order = await anOrderOf('30.00', { state: 'complete' });
    const payment = await aPaymentIn('completed', order);
    const reply = await survive('PUT', `${payment}/credit`, {
      caller: await anAdmin(),
      body: { amount: '5.00' },
    });
    expect([reply.status, reply.body.amount]).toEqual([200, '30.0']);
    const id = Number(payment.split('/').at(-1));
    expect(await testDb()('refunds').where({ payment_id: id }).pluck('amount')).toEqual(['5.00']);
  });

  test('PUT shipments/:number/ship', async () => {
    const order = await aPaidOrder();
    const { number } = order.shipments[0];
    const reply = await survive('PUT', `/shipments/${number}/ship`, { caller: await anAdmin() });
    expect([reply.status, reply.body.state]).toEqual([200, 'shipped']);
    const where = { order_id: order.id, subject_type: 'shipment', to_state: 'shipped' };
    expect(await testDb()('state_changes').where(where)).toHaveLength(1);
  });

  test('PUT checkouts/:number, which completes the order', async () => {
    const variant = await aSellableVariant({ stock: 5 });
    const order = await orderInState('confirm', { lines: [{ variant_id: variant.id, quantity: 2 }] });
    const done = await survive('PUT', `/checkouts/${order.number}`, { caller: order.caller, body: {} });
    expect([done.status, done.body.state]).toEqual([200, 'complete']);
    expect(await getCountOnHand(variant.id)).toBe(3);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('POST stock_movements', async () => {
    const item = await aStockItem({ count_on_hand: 1 });
    const where = `/stock_locations/${item.stock_location_id}/stock_movements`;
    const body = { stock_movement: { stock_item_id: item.id, quantity: 5 } };
    expect((await survive('POST', where, { caller: await anAdmin(), body })).status).toBe(201);
    expect(await getStockCounts(item)).toEqual({ count_on_hand: 6, ledger: 6 });
  });

  test('POST products, and a picture for one', async () => {
    const product = {
      name: unique('Lamp'),
      price: '9.00',
      shipping_category_id: await getDefaultShippingCategoryId(),
    };
    const caller = await anAdmin();
    const made = await survive('POST', '/products', { caller, body: { product } });
    expect(made.status).toBe(201);
    expect(await testDb()('products').where({ name: product.name }).pluck('id')).toEqual([made.body.id]);
    const owner = await anImageOwner();
    const image = await survive('POST', `/products/${owner.id}/images`, {
      caller,
      picture: await aPicture(),
    });
    expect(image.status).toBe(201);
    const server = await listen(testApp().app);
    try {
      const stored = await fetch(`${server.url}${image.body.mini_url}`);
      expect([stored.status, stored.headers.get('content-type')]).toEqual([200, 'image/png']);
      const { images } = (await (
        await fetch(`${server.url}/api/v1/products/${owner.id}/images`)
      ).json()) as any;
      expect(images.map(({ id }: { id: number }) => id)).toEqual([image.body.id]);
    } finally {
      await server.close();
    }
  });
});

describe('killed while the payment of a completion is processed: a repeated request completes the order, and charges once', () => {
  test.each(MOMENTS_OF_PAYMENTS)('%s', async (dies) => {
    const variant = await aSellableVariant({ stock: 5 });
    const order = await orderInState('confirm', { lines: [{ variant_id: variant.id, quantity: 2 }] });
    const request: FatalRequest = {
      method: 'PUT',
      path: `/checkouts/${order.number}`,
      headers: headersOf(order.caller),
      json: '{}',
      dies,
    };
    await sendAndDie(request);
    expect(await readOrder(order.number)).toMatchObject({ state: 'confirm' });
    const operations = () =>
      testDb()('payment_operations')
        .join('payments', 'payments.id', 'payment_id')
        .where({ order_id: order.id })
        .select('payment_operations.state', 'idempotency_key');
    const [started] = await operations();
    expect(started).toMatchObject({ state: 'started' });

    const jobs = startJobs(testApp().deps, () => true);
    const server = await listen(testApp().app);
    const send = async () => {
      const reply = await fetch(`${server.url}/api/v1${request.path}`, fetchOptions(request));
      return { status: reply.status, body: (await reply.json()) as any }; // JSON of an order or an error
    };
    try {
      let reply = await send();
      for (; [409, 503].includes(reply.status); reply = await send());
      expect(reply).toMatchObject({
        status: 200,
        body: { state: 'complete', payments: [{ state: 'pending' }] },
      });
      expect(reply.body.payments).toHaveLength(1);
      expect(await send()).toEqual(reply);
    } finally {
      await server.close();
      await Promise.all(jobs.map((job) => job.stop()));
    }
    expect(await operations()).toEqual([{ state: 'approved', idempotency_key: started?.idempotency_key }]);
    expect(await getCountOnHand(variant.id)).toBe(3);
    await expectNoViolations({ order_ids: [order.id] });
  });
});
