import { buildTasks } from '../../../src/boot/tasks';
import type { EventNote } from '../../../src/events/event-notes.repository';
import { buildOrderEvents } from '../../../src/events/order-event-data';
import { publishEvents } from '../../../src/events/publish-events';
import { withTransaction } from '../../../src/platform/database/transaction';
import {
  aClerk,
  aCustomer,
  anAdmin,
  asAdmin,
  aSignedUpCustomer,
  createAsAdmin,
} from '../../support/accounts.factory';
import { api, testApp } from '../../support/api';
import { testDb } from '../../support/database';
import { expectNoViolations } from '../../support/invariants';
import {
  aSellableVariant,
  buildMarylandAddress,
  buildPaymentBody,
  DECLINED_CARD,
  orderInState,
  setStock,
  updateCheckout,
} from '../../support/orders.factory';
import { explainQueries, listQueries, setEmptyStatistics } from '../../support/queries';
import { aProduct } from '../../support/products.factory';
import {
  aPaidOrder,
  aShippedOrder,
  getDefaultLocationId,
  readOrder,
  withStoreSetting,
} from '../../support/shipments.factory';
import { aStockItem, aWaitingOrder } from '../../support/stock.factory';
import { unique } from '../../support/unique';

/** Reads all events after an id, page by page. */
async function listAfter(after: number, query = ''): Promise<any[]> {
  const admin = api(await anAdmin());
  const events: any[] = [];
  for (let next = after; ;) {
    const { status, body } = await admin.get(`/events?after=${next}&per_page=3${query}`);
    expect(status).toBe(200);
    events.push(...body.events);
    next = body.last_id;
    if (!body.more) return events;
  }
}

async function findLast(): Promise<number> {
  const { body } = await (await asAdmin()).get(`/events?after=${Number.MAX_SAFE_INTEGER}`);
  expect(body).toMatchObject({ events: [], more: false });
  await publishEvents(testApp().deps);
  const [last] = await testDb()('events').max('id');
  return Number(last?.max ?? 0);
}

const isOfOrder = (note: EventNote): note is Extract<EventNote, { kind: 'order' }> => note.kind === 'order';

const typesOf = (events: any[]): string[] => events.map(({ type }) => type);

test('a sale from the checkout to the return has its events in order, each with the record as it was', async () => {
  const variant = await aSellableVariant({ stock: 6 });
  const after = await findLast();
  const order = await orderInState('complete', { lines: [{ variant_id: variant.id, quantity: 2 }] });
  const admin = await asAdmin();
  const [payment] = order.payments;
  const [shipment] = order.shipments;
  await admin.put(`/orders/${order.number}/payments/${payment.id}/capture`);
  await admin.put(`/shipments/${shipment.number}`, { shipment: { tracking: 'T-1' } });
  await admin.put(`/shipments/${shipment.number}/ship`);
  await admin.put(`/orders/${order.number}/payments/${payment.id}/credit?amount=1.5`);
  const stock_location_id = await getDefaultLocationId();
  const [reason] = (await admin.get('/return_authorization_reasons')).body.return_authorization_reasons;
  const { body: made } = await admin.post(`/orders/${order.number}/return_authorizations`, {
    return_authorization: { stock_location_id, return_authorization_reason_id: reason.id },
  });
  const returned = `/orders/${order.number}/return_authorizations/${made.id}`;
  await admin.put(`${returned}/add`, { variant_id: variant.id, quantity: 1 });
  await admin.put(`${returned}/receive`);
  await admin.put(`/orders/${order.number}/payments/${payment.id}/credit`);

  const events = await listAfter(after);
  const own = events.filter(({ type }) => !/^(customer|product|variant)\./.test(type));
  expect(typesOf(own)).toEqual([
    ...['stock.changed', 'stock.low', 'payment.authorized', 'order.completed'],
    ...['payment.captured', 'shipment.ready', 'order.updated', 'order.paid'],
    ...['shipment.updated', 'order.updated', 'shipment.shipped', 'order.updated'],
    ...['payment.refunded', 'order.updated', 'return.created', 'order.updated'],
    ...['stock.changed', 'return.received', 'order.updated'],
    // Paid again, once what the return has left over is given back.
    ...['payment.refunded', 'order.updated', 'order.paid'],
  ]);
  const ids = events.map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted((one, other) => one - other));

  const find = (type: string) => own.find((event) => event.type === type);
  const subject = { type: 'order', id: order.id, number: order.number };
  expect(find('order.completed')).toMatchObject({
    subject,
    data: {
      id: order.id,
      number: order.number,
      state: 'complete',
      total: order.total,
      payment_state: 'balance_due',
      line_items: [{ variant_id: variant.id, quantity: 2, variant: { id: variant.id } }],
      payments: [{ number: payment.number, state: 'pending' }],
      ship_address: { city: order.ship_address.city },
      shipments: [{ number: shipment.number }],
    },
  });
  expect(find('order.completed').data).not.toHaveProperty('token');
  expect(find('order.paid')).toMatchObject({ subject, data: { payment_state: 'paid' } });
  expect(find('payment.authorized')).toMatchObject({
    subject: { type: 'payment', id: payment.id, number: payment.number },
    data: { state: 'pending', order_number: order.number },
  });
  expect(find('payment.captured')).toMatchObject({ data: { state: 'completed' } });
  expect(find('payment.refunded')).toMatchObject({ data: { refunds: [{ amount: '1.5' }] } });
  expect(find('shipment.ready')).toMatchObject({
    subject: { number: shipment.number },
    data: { state: 'ready' },
  });
  expect(find('shipment.updated')).toMatchObject({ data: { tracking: 'T-1', state: 'ready' } });
  expect(find('shipment.shipped')).toMatchObject({ data: { state: 'shipped', order_number: order.number } });
  expect(find('return.created')).toMatchObject({
    subject: { type: 'return' },
    data: { state: 'authorized' },
  });
  expect(find('return.received')).toMatchObject({ data: { state: 'received', order_id: order.id } });
  expect(own.filter(({ type }) => type === 'stock.changed').map(({ data }) => data.count_on_hand)).toEqual([
    4, 5,
  ]);
  expect(find('stock.low')).toMatchObject({
    subject: { type: 'stock_item', number: expect.any(String) },
    data: { count_on_hand: 4, variant_id: variant.id },
  });
  expect(JSON.stringify(events)).not.toContain(order.token);
  await expectNoViolations({ order_ids: [order.id] });
});

test('the events of one transaction are made of one record, which is serialized once', async () => {
  const { id } = await orderInState('complete');
  const notes = await testDb()<EventNote>('event_notes')
    .where({ kind: 'order', subject_id: id })
    .orderBy('id');
  const built = await buildOrderEvents(testDb(), notes.filter(isOfOrder));
  const [authorized, completed] = [...built.values()].flat();
  expect([authorized?.type, completed?.type]).toEqual(['payment.authorized', 'order.completed']);
  const { payments } = completed?.data as any;
  expect(authorized?.data['source']).toEqual(expect.any(Object));
  expect(authorized?.data['source']).toBe(payments[0].source);
});

test('a completion is noted once: by its writer, or by the trigger for a writer of an earlier version', async () => {
  const sent = await listQueries(() => orderInState('complete'));
  expect(sent.filter((sql) => sql.includes('store.noted_completion'))).toHaveLength(1);
  const { id } = await orderInState('confirm');
  const countNotes = async (noted: string): Promise<unknown> => {
    const tx = await testDb().transaction();
    try {
      await tx.raw("SELECT set_config('store.noted_completion', ?, true)", [noted]);
      await tx('orders').where({ id }).update({ state: 'complete', completed_at: new Date() });
      await tx.raw('SET CONSTRAINTS orders_event_completed IMMEDIATE');
      const [row] = await tx('event_notes').where({ kind: 'order', subject_id: id }).count();
      return Number(row?.['count']);
    } finally {
      await tx.rollback();
    }
  };
  expect([await countNotes(''), await countNotes('1'), await countNotes(String(id))]).toEqual([1, 1, 0]);
});

test('a completion and a cancellation at once are two events with two states', async () => {
  const after = await findLast();
  const order = await orderInState('complete');
  await (await asAdmin()).put(`/orders/${order.number}/cancel`);
  const events = await listAfter(after, '&types=order.completed,order.canceled,payment.voided');
  expect(events.map(({ type, data }) => [type, data.state])).toEqual([
    ['order.completed', 'complete'],
    ['order.canceled', 'canceled'],
    ...events.filter(({ type }) => type === 'payment.voided').map(() => ['payment.voided', 'void']),
  ]);
  expect(typesOf(events)).toContain('payment.voided');
});

test('carts have no events except of their payments', async () => {
  const cart = await orderInState('payment');
  const after = await findLast();
  await updateCheckout(cart, await buildPaymentBody({ card: DECLINED_CARD }));
  await updateCheckout(cart);
  const types = typesOf(await listAfter(after)).filter((type) => !/^(stock|customer)/.test(type));
  expect(types).toEqual(['payment.failed']);
});

test('stock that runs out has one event, whatever the number of changes in a transaction', async () => {
  const variant = await aSellableVariant({ stock: 2 });
  const after = await findLast();
  await orderInState('complete', { lines: [{ variant_id: variant.id, quantity: 2 }] });
  const events = await listAfter(after, '&types=stock.changed,stock.low,stock.out');
  expect(events.map(({ type, data }) => [type, data.count_on_hand])).toEqual([
    ['stock.changed', 0],
    ['stock.out', 0],
  ]);
});

test('products, variants and customers have events when they are created, changed and gone', async () => {
  const after = await findLast();
  const product = await aProduct({ name: 'Counted' });
  const admin = await asAdmin();
  await admin.put(`/products/${product.id}`, { product: { name: 'Retold' } });
  const variant = await createAsAdmin(`/products/${product.id}/variants`, {
    variant: { sku: `COUNTED-${product.id}` },
  });
  await admin.put(`/variants/${variant.id}`, { variant: { price: '7.00' } });
  await admin.delete(`/variants/${variant.id}`);
  await admin.delete(`/products/${product.id}`);
  const customer = await aSignedUpCustomer();
  await findLast();
  await admin.put(`/users/${customer.id}`, { user: { email: 'retold@example.com' } });
  const created = await listAfter(after, '&types=customer.created');
  expect(created.map(({ data }) => data.email)).toContain(customer.email);
  await admin.put(`/users/${customer.id}/erase`);

  const events = await listAfter(after);
  const of = (type: string, id: number) =>
    typesOf(events.filter(({ subject }) => subject.type === type && subject.id === id));
  expect(of('product', product.id)).toEqual([
    'product.created',
    ...of('product', product.id)
      .slice(1, -1)
      .map(() => 'product.updated'),
    'product.deleted',
  ]);
  expect(of('product', product.id)).toContain('product.updated');
  expect(of('variant', variant.id)).toEqual(['variant.created', 'variant.updated', 'variant.deleted']);
  expect(of('customer', customer.id)).toEqual(['customer.created', 'customer.updated', 'customer.erased']);
  expect(events.find(({ type }) => type === 'product.deleted').data).toMatchObject({ name: 'Retold' });
  expect(JSON.stringify(events)).not.toMatch(/password/);
  expect(JSON.stringify(events)).not.toContain(customer.email);
});

test('a variant in an event is the record that lists have, with its stock and committed units', async () => {
  const product = await aProduct();
  const variant = await createAsAdmin(`/products/${product.id}/variants`, { variant: { price: '5' } });
  await setStock(variant.id, { stock: 6 });
  await orderInState('complete', { lines: [{ variant_id: variant.id, quantity: 2 }] });
  const after = await findLast();
  const admin = await asAdmin();
  const { body } = await admin.put(`/variants/${variant.id}`, { variant: { weight: '2.5' } });
  expect(body).toMatchObject({ committed: 2, stock_items: [{ count_on_hand: 4, committed: 2 }] });
  const events = await listAfter(after, '&types=variant.updated');
  expect(events.map(({ data }) => data)).toEqual([body]);
});

test('an account that is deleted or merged has an event, and so have the orders that move', async () => {
  const [kept, ended, gone] = [await aCustomer(), await aCustomer(), await aCustomer()];
  const order = await orderInState('complete', { caller: ended });
  const after = await findLast();
  const admin = await asAdmin();
  const profile = (await readOrder(order.number)).payments[0].source.gateway_customer_profile_id;
  await admin.put(`/users/${kept.id}/merge`, { user_id: ended.id });
  await admin.delete(`/users/${gone.id}`);
  const events = await listAfter(after, '&types=customer.deleted,order.updated');
  expect(events).toMatchObject([
    { type: 'order.updated', subject: { id: order.id }, data: { user_id: kept.id } },
    { type: 'customer.deleted', subject: { id: ended.id }, data: { id: ended.id } },
    { type: 'customer.deleted', subject: { id: gone.id } },
  ]);
  expect(profile).toEqual(expect.any(String));
  expect(JSON.stringify(events)).not.toContain(profile);
});

test('a request that writes what is stored moves no times and is no event, so that copies may be written back', async () => {
  const admin = await asAdmin();
  const variant = await aSellableVariant({ price: '12.50' });
  const customer = await aCustomer();
  const metadata = { erp: { ids: [7, 8] } };
  const writes = [
    [`/products/${variant.product_id}`, { product: { meta_title: 'Mug', price: '12.50', metadata } }],
    [`/variants/${variant.id}`, { variant: { sku: unique('sku'), price: '12.50', weight: '0.50' } }],
    [
      `/products/${variant.product_id}`,
      { product: { variants: [{ id: variant.id, price: '12.50', depth: '3' }] } },
    ],
    [`/users/${customer.id}`, { user: { vat_id: 'DE123456789', metadata } }],
  ] as const;
  for (const [path, body] of writes) expect(await admin.put(path, body)).toMatchObject({ status: 200 });
  const readTimes = async () =>
    Promise.all(writes.map(async ([path]) => (await admin.get(path)).body.updated_at as string));
  const listUpdates = async (after: number) =>
    typesOf(await listAfter(after)).filter((type) => type.endsWith('.updated'));
  const times = await readTimes();
  const after = await findLast();
  for (const [path, body] of writes) expect(await admin.put(path, body)).toMatchObject({ status: 200 });
  expect(await listUpdates(after)).toEqual([]);
  expect(await readTimes()).toEqual(times);

  await admin.put(`/users/${customer.id}`, { user: { metadata: { erp: { ids: [8, 7] } } } });
  expect(await listUpdates(after)).toEqual(['customer.updated']);
});

test('a change of a default address is an event of its customer', async () => {
  const customer = await aSignedUpCustomer();
  const path = '/users/me/addresses';
  const made = await api(customer).post(path, {
    address: { ...(await buildMarylandAddress()), default_bill: true },
  });
  const after = await findLast();
  await api(customer).put(`${path}/${made.body.id}`, { address: { city: 'Bowie' } });
  expect(await listAfter(after, '&types=customer.updated')).toMatchObject([
    { subject: { id: customer.id }, data: { bill_address: { city: 'Bowie' } } },
  ]);
});

test('an erasure is an event of each sold order, and covers the events of accounts that were merged', async () => {
  const [kept, ended] = [await aCustomer(), await aSignedUpCustomer()];
  const admin = await asAdmin();
  const before = await findLast();
  await admin.put(`/users/${ended.id}`, { user: { vat_id: 'DE123' } });
  const order = await orderInState('complete', { caller: ended });
  const cart = await orderInState('cart', { caller: ended });
  await admin.put(`/users/${kept.id}/merge`, { user_id: ended.id });
  const after = await findLast();
  await admin.put(`/users/${kept.id}/erase?force=true`);
  const erased = await listAfter(after, '&types=order.updated');
  expect(erased).toMatchObject([
    { subject: { id: order.id }, data: { email: expect.stringMatching(/^erased-/) } },
  ]);
  expect(erased.map(({ subject }) => subject.id)).not.toContain(cart.id);
  const text = JSON.stringify(await listAfter(before));
  expect(text).not.toContain(ended.email);
  expect(text).not.toContain('DE123');
});

test('stock that arrives for an order is an event of the order', async () => {
  const item = await aStockItem({ count_on_hand: 0, backorderable: true });
  const order = await aWaitingOrder(item);
  const after = await findLast();
  await createAsAdmin(`/stock_locations/${item.stock_location_id}/stock_movements`, {
    stock_movement: { stock_item_id: item.id, quantity: 1 },
  });
  const events = await listAfter(after, '&types=order.updated,shipment.ready');
  expect(events).toMatchObject([
    { type: 'shipment.ready', subject: { id: order.shipment_id } },
    { type: 'order.updated', subject: { id: order.id }, data: { shipment_state: 'ready' } },
  ]);
});

test('a shipment that must wait again has an event', async () => {
  const order = await aPaidOrder();
  const after = await findLast();
  const path = `/orders/${order.number}/payments/${order.payments[0].id}/void`;
  expect((await (await asAdmin()).put(path)).status).toBe(200);
  expect(await listAfter(after, '&types=shipment.updated')).toMatchObject([
    { subject: { id: order.shipments[0].id }, data: { state: 'pending' } },
  ]);
});

test('the records in an event have the times of the change', async () => {
  const order = await aPaidOrder();
  const after = await findLast();
  await (await asAdmin()).put(`/shipments/${order.shipments[0].number}/ship`);
  const [shipped, updated] = await listAfter(after, '&types=shipment.shipped,order.updated');
  const shown = await readOrder(order.number);
  expect(shipped.data.updated_at).toBe(shown.shipments[0].updated_at);
  expect(updated.data.updated_at).toBe(shown.updated_at);
  expect(updated.data.shipments).toMatchObject([{ updated_at: shown.shipments[0].updated_at }]);
});

test('the event of a requested return has the requested items', async () => {
  const order = await aShippedOrder();
  const reason_id = await testDb()('return_authorization_reasons').first('id');
  const items = [{ line_item_id: order.line_items[0].id, quantity: 1, reason_id: reason_id.id }];
  await withStoreSetting({ return_days: 14 }, async () => {
    const after = await findLast();
    const made = await api(order.caller).post(`/orders/${order.number}/return_requests`, { items });
    expect(made.status).toBe(201);
    const [event] = await listAfter(after, '&types=return.created');
    expect(event.data).toMatchObject({ state: 'requested', requested_items: items });
    const path = `/orders/${order.number}/return_authorizations/${made.body.id}`;
    expect((await (await asAdmin()).get(path)).body).toEqual(event.data);
  });
});

test('a canceled return has an event', async () => {
  const order = await aShippedOrder();
  const admin = await asAdmin();
  const returns = `/orders/${order.number}/return_authorizations`;
  const items = [{ variant_id: order.line_items[0].variant_id, quantity: 1 }];
  const stock_location_id = await getDefaultLocationId();
  const reason = await testDb()('return_authorization_reasons').first('id');
  const { status, body: made } = await admin.post(returns, {
    return_authorization: { stock_location_id, return_authorization_reason_id: reason.id, items },
  });
  expect([status, made]).toMatchObject([201, { state: 'authorized' }]);
  const after = await findLast();
  await admin.put(`${returns}/${made.id}/cancel`);
  const [event] = await listAfter(after, '&types=return.canceled');
  expect(event).toMatchObject({ subject: { id: made.id, number: made.number }, data: { state: 'canceled' } });
  expect((await admin.get(`${returns}/${made.id}`)).body).toEqual(event.data);
});

test('an abandoned cart has one event', async () => {
  const cart = await orderInState('delivery');
  await withStoreSetting({ abandoned_cart_hours: 48 }, async () => {
    await withTransaction(testApp().deps, async (tx) => {
      await tx.raw('SET LOCAL session_replication_role = replica');
      await tx.raw("UPDATE orders SET updated_at = now() - interval '50 hours' WHERE id = ?", [cart.id]);
    });
    const after = await findLast();
    const run = { isRunning: () => true, attempt: 1 };
    const { note_abandoned_carts: note } = buildTasks({ cartMaxAgeDays: 90 });
    await note?.(testApp().deps, {}, run);
    await note?.(testApp().deps, {}, run);
    const events = await listAfter(after, '&types=cart.abandoned');
    expect(events).toMatchObject([
      { subject: { type: 'order', number: cart.number }, data: { email: cart.email } },
    ]);
  });
});

test('an event of a transaction that takes long is not skipped', async () => {
  const after = await findLast();
  const other = await aProduct();
  const late = await testDb().transaction();
  await late('products').where({ id: other.id }).update({ updated_at: late.fn.now() });
  const quick = await aProduct();
  const first = await listAfter(after, '&types=product.created,product.updated');
  expect(first.map(({ subject }) => subject.id)).toContain(quick.id);
  await late.commit();
  const next = await listAfter(first.at(-1).id, '&types=product.updated');
  expect(next.map(({ subject }) => subject.id)).toContain(other.id);
});

test('two processes that publish at once publish each event once', async () => {
  const after = await findLast();
  const products = [await aProduct(), await aProduct(), await aProduct()];
  await Promise.all([1, 2, 3, 4].map(() => publishEvents(testApp().deps, { waits: true })));
  const events = await listAfter(after, '&types=product.created');
  expect(events.map(({ subject }) => subject.id)).toEqual(products.map(({ id }) => id));
});

test('publishing nothing takes one statement, which reads the index and not what was published', async () => {
  await publishEvents(testApp().deps);
  const sent = await listQueries(() => publishEvents(testApp().deps));
  expect(sent).toEqual([expect.stringContaining('order by "id"')]);
});

test('however many notes wait, each is read once to take some of them, whatever the statistics say', async () => {
  await setEmptyStatistics('event_notes');
  const plans = await explainQueries('WITH taken AS', async () => {
    await aProduct();
    await publishEvents(testApp().deps);
  });
  expect(plans).toHaveLength(1);
  expect(plans[0]).not.toContain('Nested Loop');
});

test('only staff with events:read may read, and unknown types are refused', async () => {
  expect((await api().get('/events')).status).toBe(401);
  expect((await api(await aClerk(['orders:write'])).get('/events')).status).toBe(401);
  expect((await api(await aClerk(['events:read'])).get('/events')).status).toBe(200);
  const admin = await asAdmin();
  for (const query of ['types=order.sold', 'after=x', 'after=-1'])
    expect([query, (await admin.get(`/events?${query}`)).status]).toEqual([query, 422]);
});

test('per_page is read as in all lists: cut to its maximum, and the default if it is no number of records', async () => {
  const admin = await asAdmin();
  const after = await findLast();
  await testDb().raw(
    "INSERT INTO users (email, password_digest) SELECT ? || n, 'none' FROM generate_series(1, 101) AS n",
    [`${unique('ann')}@example.com`],
  );
  const countEvents = async (query: string) =>
    (await admin.get(`/events?after=${after}&${query}`)).body.events?.length;
  for (const [query, count] of [
    ['per_page=101', 100],
    ['per_page=100000', 100],
    ['per_page=0', 25],
    ['per_page=ten', 25],
    ['', 25],
  ] as const)
    expect([query, await countEvents(query)]).toEqual([query, count]);
});

test('events are kept for 30 days', async () => {
  for (const days of [29, 32, 40])
    await testDb().raw('SELECT prepare_events_of(current_date - ?::integer)', [days]);
  const count = async () =>
    (
      await testDb().raw(
        "SELECT count(*)::integer AS n FROM pg_inherits WHERE inhparent = 'events'::regclass",
      )
    ).rows[0].n;
  const before = await count();
  await buildTasks({ cartMaxAgeDays: 90 }).drop_old_events?.(
    testApp().deps,
    {},
    { isRunning: () => true, attempt: 1 },
  );
  expect(await count()).toBe(before - 2);
});
