import { aClerk, aCustomer, asAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { expectNoViolations } from '../../support/invariants';
import { aSellableVariant, orderInState } from '../../support/orders.factory';
import {
  aPaidOrder,
  aShippedOrder,
  getCountOnHand,
  getDefaultLocationId,
  listHistory,
  readOrder,
} from '../../support/shipments.factory';
import { aStockLocation } from '../../support/stock.factory';
import { invalid, notTransitioned } from '../../support/error-bodies';

async function getReasonId(): Promise<number> {
  const reason = await testDb()('return_authorization_reasons')
    .where({ name: 'Damaged/Defective' })
    .first('id');
  return reason.id;
}

async function buildAttributes(more: object = {}): Promise<object> {
  return {
    stock_location_id: await getDefaultLocationId(),
    return_authorization_reason_id: await getReasonId(),
    ...more,
  };
}

/** Creates a return of an order. */
async function aReturn(order: any, more: object = {}) {
  const admin = await asAdmin();
  const path = `/orders/${order.number}/return_authorizations`;
  const reply = await admin.post(path, { return_authorization: await buildAttributes(more) });
  expect(reply.status).toBe(201);
  return { admin, made: reply.body, path: `${path}/${reply.body.id}` };
}

/** Creates a shipped order of `quantity` units at 15.99, and a return of it. */
async function createShippedOrderWithReturn(more: object = {}, quantity = 2) {
  const variant = await aSellableVariant();
  const order = await aShippedOrder({ lines: [{ variant_id: variant.id, quantity }] });
  return { order, variant, ...(await aReturn(order, more)) };
}

test('staff who ship parcels receive what comes back, and refund nothing', async () => {
  const { order, variant, path } = await createShippedOrderWithReturn();
  const warehouse = api(await aClerk(['stock:write', 'orders:read', 'shipments:write']));
  const added = await warehouse.put(`${path}/add`, { variant_id: variant.id, quantity: 1, restock: false });
  expect([added.status, (await warehouse.put(`${path}/receive`)).status]).toEqual([200, 200]);
  expect(await readOrder(order.number)).toMatchObject({ payment_state: 'credit_owed' });
  const { id } = order.payments[0];
  const body = { return_authorization: await buildAttributes({ refund: true, receive: true }) };
  const refused = [
    await warehouse.put(path, { return_authorization: { amount: '1' } }),
    await warehouse.post(`/orders/${order.number}/return_authorizations`, body),
    await warehouse.put(`/orders/${order.number}/payments/${id}/credit`, { amount: '1' }),
    await api(await aClerk(['orders:read', 'stock:write'])).put(`${path}/receive`),
  ];
  expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
});

test('an order whose units all came back cannot be emptied: they count as shipped', async () => {
  const { order, variant, admin, path } = await createShippedOrderWithReturn({}, 1);
  await admin.put(`${path}/add`, { variant_id: variant.id, quantity: 1 });
  expect((await admin.put(`${path}/receive`)).status).toBe(200);
  const reply = await admin.put(`/orders/${order.number}/empty`);
  expect([reply.status, reply.body]).toEqual([
    422,
    notTransitioned({ base: ['The order has shipped items'] }),
  ]);
  expect(await readOrder(order.number)).toMatchObject({ state: 'returned', total_quantity: 1 });
  expect(await getCountOnHand(variant.id)).toBe(10);
});

describe('creating', () => {
  test('stores amount, memo and location, and has no units yet', async () => {
    const order = await aShippedOrder();
    const admin = await asAdmin();
    const path = `/orders/${order.number}/return_authorizations`;
    const reply = await admin.post(path, {
      order_id: 'R0',
      return_authorization: await buildAttributes({ amount: '15.99', memo: 'torn' }),
    });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      state: 'authorized',
      order_id: order.id,
      memo: 'torn',
      amount: '15.99',
      stock_location_id: await getDefaultLocationId(),
    });
    expect(reply.body.number).toMatch(/^RA\d{9}$/);
    for (const key of [reply.body.id, reply.body.number]) {
      expect((await admin.get(`${path}/${key}`)).body).toEqual(reply.body);
    }
    // No units have been added yet.
    expect(await readOrder(order.number)).toMatchObject({ state: 'complete', payment_state: 'paid' });
    expect(await listHistory(order.id)).toContain('return_authorization:  > authorized');
  });

  test('requires a shipped unit, a reason and a location', async () => {
    const order = await aPaidOrder();
    const admin = await asAdmin();
    const path = `/orders/${order.number}/return_authorizations`;
    const reply = await admin.post(path);
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual(
      invalid({
        order: ['has no shipped units'],
        reason: ["can't be blank"],
        stock_location: ["can't be blank"],
      }),
    );
    const whole = await buildAttributes();
    const early = await admin.post(path, { return_authorization: whole });
    expect(early.body).toEqual(invalid({ order: ['has no shipped units'] }));

    await admin.put(`/shipments/${order.shipments[0].number}/ship`);
    const unknown = { stock_location_id: 'x', return_authorization_reason_id: 2147483647 };
    const missing = await admin.post(path, { return_authorization: unknown });
    expect(missing.body).toEqual(invalid({ reason: ["can't be blank"], stock_location: ["can't be blank"] }));
    const text = await admin.post(path, { return_authorization: { ...whole, amount: 'much' } });
    expect(text.body).toEqual(invalid({ amount: ['is not a number'] }));
    expect((await admin.get(path)).body.return_authorizations).toEqual([]);
  });

  test('an inactive reason returns 422', async () => {
    const order = await aShippedOrder();
    const [reason] = await testDb()('return_authorization_reasons')
      .insert({ name: 'Not given any more', active: false })
      .returning('id');
    const reply = await (
      await asAdmin()
    ).post(`/orders/${order.number}/return_authorizations`, {
      return_authorization: await buildAttributes({ return_authorization_reason_id: reason.id }),
    });
    expect(reply.body).toEqual(invalid({ reason: ["can't be blank"] }));
    const listed = await (await asAdmin()).get(`/orders/${order.number}/return_authorizations/new`);
    expect(listed.body.required_attributes).toEqual(['stock_location_id', 'return_authorization_reason_id']);
    const names = listed.body.return_authorization_reasons.map((one: any) => one.name);
    expect(names).toContain('Damaged/Defective');
    expect(names).not.toContain('Not given any more');
  });

  test('staff without access to the stock sees where items may come back to', async () => {
    const order = await aShippedOrder();
    const place = await aStockLocation({ default: true });
    const clerk = api(await aClerk(['orders:write']));
    expect((await clerk.get('/stock_locations')).status).toBe(401);
    const listed = await clerk.get(`/orders/${order.number}/return_authorizations/new`);
    expect(listed.body.stock_locations[0]).toEqual({ id: place.id, name: place.name });
    const made = await clerk.post(`/orders/${order.number}/return_authorizations`, {
      return_authorization: await buildAttributes({ stock_location_id: place.id }),
    });
    expect([made.status, made.body.stock_location_id]).toEqual([201, place.id]);
  });

  test('the sign of an amount is ignored', async () => {
    const { made } = await createShippedOrderWithReturn({ amount: '-12.5' });
    expect(made.amount).toBe('12.5');
  });
});

describe('adding units', () => {
  test('sets the quantity, and the order is awaiting_return', async () => {
    const { order, variant, path, admin } = await createShippedOrderWithReturn({}, 3);
    const add = (quantity?: number) => admin.put(`${path}/add`, { variant_id: variant.id, quantity });
    expect((await admin.put(`${path}/add?variant_id=${variant.id}&quantity=3`)).body.state).toBe(
      'authorized',
    );
    expect((await readOrder(order.number)).state).toBe('awaiting_return');
    const held = () =>
      testDb()('inventory_units').whereNotNull('return_authorization_id').where({ order_id: order.id });
    expect(await held()).toHaveLength(3);
    await add(1);
    expect(await held()).toHaveLength(1);
    await add();
    expect(await held()).toHaveLength(1);
    const none = await add(0);
    expect(none.status).toBe(200);
    expect(await held()).toHaveLength(0);
    expect((await readOrder(order.number)).state).toBe('complete');
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('shows what is on the return, and counts as a change of it', async () => {
    const { order, variant, path, admin } = await createShippedOrderWithReturn({}, 3);
    const listed = () => admin.get(`/orders/${order.number}/return_authorizations`);
    const { body: empty } = await admin.get(path);
    expect(empty.items).toEqual([]);
    await admin.put(`${path}/add`, { variant_id: variant.id, quantity: 2, restock: false });
    const { body: filled } = await admin.get(path);
    const [{ id: line_item_id }] = order.line_items;
    expect(filled.items).toEqual([{ line_item_id, variant_id: variant.id, quantity: 2, restock: false }]);
    expect(Date.parse(filled.updated_at)).toBeGreaterThan(Date.parse(empty.updated_at));
    expect((await listed()).body.return_authorizations).toEqual([filled]);
    await admin.put(`${path}/cancel`);
    expect((await admin.get(path)).body.items).toEqual([]);
  });

  test('is limited to shipped units that are on no other return', async () => {
    const { order, variant, path, admin } = await createShippedOrderWithReturn();
    const other = await aReturn(order);
    await admin.put(`${path}/add`, { variant_id: variant.id, quantity: 1 });
    const reply = await admin.put(`${other.path}/add`, { variant_id: variant.id, quantity: 2 });
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual(invalid({ quantity: ['must be less than or equal to 1'] }));
    const foreign = await admin.put(`${path}/add`, { variant_id: 2147483647, quantity: 1 });
    expect(foreign.body).toEqual(invalid({ quantity: ['must be less than or equal to 0'] }));
    expect((await admin.put(`${path}/add`)).body).toEqual(invalid({ variant_id: ["can't be blank"] }));
    for (const quantity of [-1, 'x', 1.5]) {
      expect((await admin.put(`${path}/add`, { variant_id: variant.id, quantity })).status).toBe(422);
    }
  });
});

describe('receiving', () => {
  test('one of two units: restocks, adjusts the order and leaves a credit owed', async () => {
    const { order, variant, made, path, admin } = await createShippedOrderWithReturn({ amount: '15.99' });
    await admin.put(`${path}/add?variant_id=${variant.id}&quantity=1`);
    expect(await getCountOnHand(variant.id)).toBe(8);
    const reply = await admin.put(`${path}/receive`);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ id: made.id, state: 'received' });
    expect(await getCountOnHand(variant.id)).toBe(9);
    expect(await readOrder(order.number)).toMatchObject({
      state: 'complete',
      adjustment_total: '-15.99',
      total: '20.99',
      payment_state: 'credit_owed',
      adjustments: [
        {
          label: 'RMA Credit',
          amount: '-15.99',
          display_amount: '-$15.99',
          source_type: 'Store::ReturnAuthorization',
          source_id: made.id,
          locked: true,
        },
      ],
      shipments: [{ state: 'shipped', manifest: [{ states: { shipped: 1, returned: 1 } }] }],
    });
    expect(await listHistory(order.id)).toContain('return_authorization: authorized > received');
    const movement = await testDb()('stock_movements').orderBy('id', 'desc').first('*');
    expect(movement).toMatchObject({
      quantity: 1,
      originator_type: 'Store::ReturnAuthorization',
      originator_id: made.id,
    });

    // Crediting the payment pays what the store owes.
    const [payment] = order.payments;
    await admin.put(`/orders/${order.number}/payments/${payment.id}/credit?amount=15.99`);
    expect((await readOrder(order.number)).payment_state).toBe('paid');
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('all units in two returns: the order is returned and the items are credited to the cent', async () => {
    const variant = await aSellableVariant({ price: '9.99' });
    const order = await aShippedOrder({ lines: [{ variant_id: variant.id, quantity: 3 }] });
    // A third of it does not divide evenly.
    const [line] = order.line_items;
    await testDb()('adjustments').insert({
      order_id: order.id,
      line_item_id: line.id,
      amount: '-1.00',
      label: 'Goodwill',
      closed: true,
    });
    for (const quantity of [1, 2]) {
      const { path, admin } = await aReturn(order);
      await admin.put(`${path}/add`, { variant_id: variant.id, quantity });
      expect((await admin.put(`${path}/receive`)).status).toBe(200);
    }
    const { state, adjustments, total, shipments } = await readOrder(order.number);
    expect(state).toBe('returned');
    expect(adjustments.map((one: any) => one.amount)).toEqual(['-9.66', '-19.31']);
    expect(total).toBe(shipments[0].cost);
    expect(await getCountOnHand(variant.id)).toBe(10);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('an explicit amount is limited to what the order still costs', async () => {
    const { order, variant, path, admin } = await createShippedOrderWithReturn({ amount: '37' });
    await admin.put(`${path}/add`, { variant_id: variant.id });
    const refused = await admin.put(`${path}/receive`);
    expect(refused.status).toBe(422);
    expect(refused.body).toEqual(invalid({ amount: ['must be less than or equal to 36.98'] }));
    expect(await getCountOnHand(variant.id)).toBe(8);
    expect(await readOrder(order.number)).toMatchObject({ total: '36.98', adjustments: [] });

    await admin.put(path, { return_authorization: { amount: '36.98' } });
    expect((await admin.put(`${path}/receive`)).status).toBe(200);
    expect(await readOrder(order.number)).toMatchObject({ total: '0.0', payment_state: 'credit_owed' });
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('the value of the units is limited to what earlier returns have left', async () => {
    const { order, variant, path, admin } = await createShippedOrderWithReturn({ amount: '30' });
    await admin.put(`${path}/add`, { variant_id: variant.id });
    await admin.put(`${path}/receive`);
    const second = await aReturn(order);
    await admin.put(`${second.path}/add`, { variant_id: variant.id });
    expect((await admin.put(`${second.path}/receive`)).status).toBe(200);
    const { state, total, adjustments } = await readOrder(order.number);
    expect({ state, total }).toEqual({ state: 'returned', total: '0.0' });
    expect(adjustments.map((one: any) => one.amount)).toEqual(['-30.0', '-6.98']);
  });

  test('a value that was limited stays right when the order costs more later', async () => {
    const { order, variant, path, admin } = await createShippedOrderWithReturn({ amount: '30' });
    await admin.put(`${path}/add`, { variant_id: variant.id });
    await admin.put(`${path}/receive`);
    const second = await aReturn(order);
    await admin.put(`${second.path}/add`, { variant_id: variant.id });
    await admin.put(`${second.path}/receive`);
    await expectNoViolations({ order_ids: [order.id] });
    const adjustment = { label: 'Return freight', amount: '4' };
    expect((await admin.post(`/orders/${order.number}/adjustments`, { adjustment })).status).toBe(201);
    expect(await readOrder(order.number)).toMatchObject({ total: '4.0', payment_state: 'credit_owed' });
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('a return credit limits how far the rest of the order can be reduced', async () => {
    const { order, variant, path, admin } = await createShippedOrderWithReturn();
    await admin.put(`${path}/add`, { variant_id: variant.id, quantity: 2 });
    await admin.put(`${path}/receive`);
    const line = `/orders/${order.number}/line_items/${order.line_items[0].id}`;
    const refused = await admin.put(line, { line_item: { price: '13.48' } });
    expect(refused.status).toBe(422);
    expect(refused.body).toEqual(invalid({ total: ['must be greater than or equal to 0'] }));
    expect(await readOrder(order.number)).toMatchObject({ item_total: '31.98', total: '5.0' });

    expect((await admin.put(line, { line_item: { price: '13.49' } })).status).toBe(200);
    expect(await readOrder(order.number)).toMatchObject({ item_total: '26.98', total: '0.0' });
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('is possible only once and only with units', async () => {
    const { variant, path, admin } = await createShippedOrderWithReturn();
    const empty = await admin.put(`${path}/receive`);
    expect(empty.status).toBe(422);
    expect(empty.body).toEqual(notTransitioned({ base: ['Please add at least one item to return'] }));
    await admin.put(`${path}/add`, { variant_id: variant.id, quantity: 2 });
    await admin.put(`${path}/receive`);
    for (const event of ['receive', 'cancel', 'add']) {
      const reply = await admin.put(`${path}/${event}`, { variant_id: variant.id });
      expect(reply.status).toBe(422);
      expect(reply.body).toEqual(notTransitioned({ state: [`cannot transition via "${event}"`] }));
    }
    expect(await getCountOnHand(variant.id)).toBe(10);
  });

  test('does not restock locations without a stock item; units count as their sale did', async () => {
    const { order, variant, path, admin } = await createShippedOrderWithReturn();
    const elsewhere = await aStockLocation();
    await admin.put(path, { return_authorization: { stock_location_id: elsewhere.id } });
    await admin.put(`${path}/add`, { variant_id: variant.id });
    expect((await admin.put(`${path}/receive`)).status).toBe(200);
    expect(await getCountOnHand(variant.id)).toBe(8);

    await testDb()('variants').where({ id: variant.id }).update({ track_inventory: false });
    const second = await aReturn(order);
    await admin.put(`${second.path}/add`, { variant_id: variant.id });
    expect((await admin.put(`${second.path}/receive`)).status).toBe(200);
    // The sale was counted, so the return is, although the variant is no longer tracked.
    expect(await getCountOnHand(variant.id)).toBe(9);
    expect((await readOrder(order.number)).state).toBe('returned');
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('returned stock fills backorders', async () => {
    const variant = await aSellableVariant({ stock: 1, backorderable: true });
    const order = await aShippedOrder({ lines: [{ variant_id: variant.id }] });
    const waiting = await aPaidOrder({ lines: [{ variant_id: variant.id }] });
    const { path, admin } = await aReturn(order);
    await admin.put(`${path}/add`, { variant_id: variant.id });
    await admin.put(`${path}/receive`);
    expect((await readOrder(waiting.number)).shipments).toMatchObject([{ state: 'ready' }]);
    expect(await getCountOnHand(variant.id)).toBe(0);
    await expectNoViolations({ order_ids: [order.id, waiting.id] });
  });

  test('the return of a deleted variant is still credited', async () => {
    const { order, variant, path, admin } = await createShippedOrderWithReturn();
    await admin.put(`${path}/add`, { variant_id: variant.id, quantity: 2 });
    await admin.delete(`/products/${variant.product_id}`);
    expect((await admin.put(`${path}/receive`)).status).toBe(200);
    expect(await readOrder(order.number)).toMatchObject({
      state: 'returned',
      adjustment_total: '-31.98',
      payment_state: 'credit_owed',
    });
  });
});

describe('the credit', () => {
  /** Adds units to a new return of the order and receives it. Returns the received return. */
  async function returnUnits(order: any, variant_id: number, quantity: number, more: object = {}) {
    const { path, admin } = await aReturn(order, more);
    expect((await admin.put(`${path}/add`, { variant_id, quantity })).status).toBe(200);
    const reply = await admin.put(`${path}/receive`);
    expect(reply.status).toBe(200);
    await expectNoViolations({ order_ids: [order.id] });
    return reply.body;
  }

  async function createShippedOrder(price: string, quantity: number) {
    const variant = await aSellableVariant({ price });
    const order = await aShippedOrder({ lines: [{ variant_id: variant.id, quantity }] });
    return { order, variant, line: `/orders/${order.number}/line_items/${order.line_items[0].id}` };
  }

  test('of an amount that is not given is shown when the return is received', async () => {
    const { variant, made, path, admin } = await createShippedOrderWithReturn();
    expect(made.amount).toBe('0.0');
    await admin.put(path, { return_authorization: { amount: '3' } });
    const cleared = await admin.put(path, { return_authorization: { amount: null } });
    expect(cleared.body.amount).toBe('0.0');
    await admin.put(`${path}/add`, { variant_id: variant.id, quantity: 1 });
    expect((await admin.get(path)).body.amount).toBe('0.0');
    expect((await admin.put(`${path}/receive`)).body.amount).toBe('15.99');
    expect((await admin.get(path)).body.amount).toBe('15.99');
  });

  test('of an explicit 0 is nothing', async () => {
    const { order, variant } = await createShippedOrder('10', 2);
    const received = await returnUnits(order, variant.id, 1, { amount: '0' });
    expect(received.amount).toBe('0.0');
    expect(await readOrder(order.number)).toMatchObject({
      total: '25.0',
      adjustments: [],
      state: 'complete',
    });
    expect((await returnUnits(order, variant.id, 1)).amount).toBe('10.0');
  });

  test('of earlier returns is kept when the price changes', async () => {
    const { order, variant, line } = await createShippedOrder('10', 3);
    const first = await returnUnits(order, variant.id, 1);
    await (await asAdmin()).put(line, { line_item: { price: '12' } });
    expect(await readOrder(order.number)).toMatchObject({ adjustments: [{ amount: '-10.0' }] });
    expect((await returnUnits(order, variant.id, 1)).amount).toBe('12.0');
    await (await asAdmin()).put(line, { line_item: { price: '9' } });
    expect((await returnUnits(order, variant.id, 1)).amount).toBe('9.0');
    const path = `/orders/${order.number}/return_authorizations/${first.id}`;
    expect((await (await asAdmin()).get(path)).body.amount).toBe('10.0');
  });

  test('of all units is what they cost, if a discount was added in between', async () => {
    const { order, variant } = await createShippedOrder('10', 3);
    await returnUnits(order, variant.id, 1);
    await (
      await asAdmin()
    ).post(`/orders/${order.number}/adjustments`, {
      adjustment: { label: 'Scratch', amount: '-5', line_item_id: order.line_items[0].id },
    });
    expect((await returnUnits(order, variant.id, 1)).amount).toBe('6.67');
    expect((await returnUnits(order, variant.id, 1)).amount).toBe('8.33');
    expect(await readOrder(order.number)).toMatchObject({ state: 'returned', total: '5.0' });
  });

  test('refunds its taxes, an explicit amount its own share of them', async () => {
    const zone = await testDb()('zones').where({ name: 'North America' }).first('id');
    const category = await testDb()('tax_categories').where({ is_default: true }).first('id');
    const [rate] = await testDb()('tax_rates')
      .insert({ name: 'Tax', amount: '0.1', zone_id: zone.id, tax_category_id: category.id })
      .returning('id');
    const { order, variant } = await createShippedOrder('10', 3);
    await testDb()('tax_rates').where({ id: rate.id }).update({ deleted_at: new Date() });
    expect(order).toMatchObject({ additional_tax_total: '3.0', total: '38.0' });
    expect((await returnUnits(order, variant.id, 1)).amount).toBe('11.0');
    expect(await readOrder(order.number)).toMatchObject({
      additional_tax_total: '2.0',
      tax_total: '2.0',
      adjustment_total: '-8.0',
      total: '27.0',
      line_items: [{ adjustments: [{ amount: '3.0' }] }],
    });
    await returnUnits(order, variant.id, 1, { amount: '5.5' });
    expect(await readOrder(order.number)).toMatchObject({ additional_tax_total: '1.5', total: '21.5' });
    await returnUnits(order, variant.id, 1, { amount: '21.5' });
    expect(await readOrder(order.number)).toMatchObject({ state: 'returned', total: '0.0' });
  });

  test('is not restocked if the units cannot be sold', async () => {
    const { order, variant } = await createShippedOrder('10', 3);
    const { path, admin } = await aReturn(order);
    await admin.put(`${path}/add`, { variant_id: variant.id, quantity: 2, restock: false });
    expect((await admin.put(`${path}/receive`)).body.amount).toBe('20.0');
    expect(await getCountOnHand(variant.id)).toBe(7);
    const movement = await testDb()('stock_movements').orderBy('id', 'desc').first('*');
    expect(movement).toMatchObject({
      quantity: 0,
      action: 'not restocked',
      originator_type: 'Store::ReturnAuthorization',
    });
    const second = await aReturn(order);
    await admin.put(`${second.path}/add`, { variant_id: variant.id, quantity: 1, restock: false });
    await admin.put(`${second.path}/add`, { variant_id: variant.id, quantity: 1 });
    await admin.put(`${second.path}/receive`);
    expect(await getCountOnHand(variant.id)).toBe(8);
    await expectNoViolations({ order_ids: [order.id] });
  });
});

describe('the order', () => {
  test('is complete again when no return is open and not all units came back', async () => {
    const { order, variant, path, admin } = await createShippedOrderWithReturn({}, 3);
    const other = await aReturn(order);
    await admin.put(`${path}/add`, { variant_id: variant.id });
    await admin.put(`${other.path}/add`, { variant_id: variant.id });
    await admin.put(`${path}/receive`);
    expect((await readOrder(order.number)).state).toBe('awaiting_return');
    await admin.put(`${other.path}/receive`);
    expect((await readOrder(order.number)).state).toBe('complete');
    const last = await aReturn(order);
    await admin.put(`${last.path}/add`, { variant_id: variant.id });
    expect((await readOrder(order.number)).state).toBe('awaiting_return');
    await admin.put(`${last.path}/receive`);
    expect((await readOrder(order.number)).state).toBe('returned');
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('takes nothing new when all units came back', async () => {
    const { order, variant, path, admin } = await createShippedOrderWithReturn({}, 1);
    await admin.put(`${path}/add`, { variant_id: variant.id });
    await admin.put(`${path}/receive`);
    const other = await aSellableVariant();
    const lines = `/orders/${order.number}/line_items`;
    const location = await getDefaultLocationId();
    const refused = invalid({ base: ['The order is returned'] });
    for (const reply of [
      await admin.post(lines, { line_item: { variant_id: other.id } }),
      await admin.put(`${lines}/${order.line_items[0].id}`, { line_item: { quantity: 2 } }),
      await admin.put(`/orders/${order.number}`, { order: { line_items: [{ variant_id: other.id }] } }),
      await admin.post('/shipments', {
        order_id: order.number,
        stock_location_id: location,
        variant_id: other.id,
      }),
    ]) {
      expect([reply.status, reply.body]).toEqual([422, refused]);
    }
    expect(await readOrder(order.number)).toMatchObject({ state: 'returned', total_quantity: 1 });
  });
});

describe('canceling and deleting', () => {
  test.each(['cancel', 'delete'])('%s releases the units and completes the order again', async (how) => {
    const { order, variant, path, admin } = await createShippedOrderWithReturn();
    const other = await aReturn(order);
    await admin.put(`${path}/add`, { variant_id: variant.id });
    await admin.put(`${other.path}/add`, { variant_id: variant.id });
    const end = (one: string) => (how === 'cancel' ? admin.put(`${one}/cancel`) : admin.delete(one));
    const reply = await end(path);
    expect(reply.status).toBe(how === 'cancel' ? 200 : 204);
    if (how === 'cancel') expect(reply.body.state).toBe('canceled');
    else expect((await admin.get(path)).status).toBe(404);
    expect((await readOrder(order.number)).state).toBe('awaiting_return');
    await end(other.path);
    expect((await readOrder(order.number)).state).toBe('complete');
    expect(await getCountOnHand(variant.id)).toBe(8);
    const held = await testDb()('inventory_units')
      .where({ order_id: order.id })
      .whereNotNull('return_authorization_id');
    expect(held).toEqual([]);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('a received return cannot be canceled or deleted', async () => {
    const { variant, path, admin } = await createShippedOrderWithReturn();
    await admin.put(`${path}/add`, { variant_id: variant.id });
    await admin.put(`${path}/receive`);
    const reply = await admin.delete(path);
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual(invalid({ base: ['A received return cannot be deleted'] }));
    const late = await admin.put(path, { return_authorization: { memo: 'late' } });
    expect(late.body).toEqual(invalid({ base: ['Only an authorized return can be changed'] }));
  });
});

describe('updating and listing', () => {
  test('updates memo, amount, location and reason', async () => {
    const { made, path, admin } = await createShippedOrderWithReturn();
    const depot = await aStockLocation();
    const memo = await admin.put(`${path}?return_authorization[memo]=worn`);
    expect(memo.body).toMatchObject({ memo: 'worn', amount: '0.0', number: made.number });
    const rest = await admin.put(path, { return_authorization: { amount: -3, stock_location_id: depot.id } });
    expect(rest.body).toMatchObject({ memo: 'worn', amount: '3.0', stock_location_id: depot.id });
    const unknown = await admin.put(path, {
      return_authorization: { stock_location_id: 2147483647, return_authorization_reason_id: 2147483647 },
    });
    expect(unknown.body).toEqual(invalid({ reason: ["can't be blank"], stock_location: ["can't be blank"] }));
    expect((await admin.put(path, {})).status).toBe(200);
  });

  test('searches by memo, sorts by amount, pages', async () => {
    const order = await aShippedOrder();
    for (const [amount, memo] of [
      ['20', 'torn bag'],
      ['5', 'Torn strap'],
      ['10', 'stained'],
    ]) {
      await aReturn(order, { amount, memo });
    }
    const admin = await asAdmin();
    const path = `/orders/${order.number}/return_authorizations`;
    const sorted = await admin.get(`${path}?q[s]=amount asc`);
    expect(sorted.body.return_authorizations.map((one: any) => one.amount)).toEqual(['5.0', '10.0', '20.0']);
    const found = await admin.get(`${path}?q[memo_cont]=torn`);
    expect(found.body).toMatchObject({ count: 2, current_page: 1, pages: 1 });
    const page = await admin.get(`${path}?per_page=2&page=2`);
    expect(page.body).toMatchObject({ count: 1, total_count: 3, pages: 2 });
  });

  test('a return of another order returns 404', async () => {
    const { path, made, admin } = await createShippedOrderWithReturn();
    const other = await orderInState('complete');
    for (const key of [made.id, made.number, '99999999999', 'RA0']) {
      expect((await admin.get(`/orders/${other.number}/return_authorizations/${key}`)).status).toBe(404);
      expect((await admin.put(`/orders/${other.number}/return_authorizations/${key}/receive`)).status).toBe(
        404,
      );
    }
    expect((await admin.get('/orders/R0/return_authorizations')).status).toBe(404);
    expect((await admin.get(path)).status).toBe(200);
  });

  test('is allowed to admins only, not to owners', async () => {
    const customer = await aCustomer();
    const order = await aShippedOrder({ caller: customer });
    const path = `/orders/${order.number}/return_authorizations`;
    for (const caller of [{}, customer, { orderToken: order.token }]) {
      const visitor = api(caller);
      const replies = [
        await visitor.get(path),
        await visitor.get(`${path}/new`),
        await visitor.post(path, { return_authorization: await buildAttributes() }),
        await visitor.put(`${path}/1/add`),
        await visitor.put(`${path}/1/receive`),
        await visitor.put(`${path}/1/cancel`),
        await visitor.delete(`${path}/1`),
      ];
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 401));
    }
  });

  test.each([[null], [[]], [{}], [''], [5], [{ toString: 1 }]])(
    'input %j returns a status below 500',
    async (value) => {
      const { path, order, admin } = await createShippedOrderWithReturn();
      const collection = `/orders/${order.number}/return_authorizations`;
      for (const key of ['memo', 'amount', 'stock_location_id', 'return_authorization_reason_id']) {
        expect((await admin.put(path, { return_authorization: { [key]: value } })).status).toBeLessThan(500);
        expect((await admin.post(collection, { return_authorization: { [key]: value } })).status).toBe(422);
      }
      expect((await admin.put(`${path}/add`, { variant_id: value, quantity: value })).status).toBe(422);
      expect((await admin.put(path, { return_authorization: value })).status).toBe(200);
    },
  );
});
