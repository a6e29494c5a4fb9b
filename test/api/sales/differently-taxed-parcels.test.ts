import { asAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { expectNoViolations } from '../../support/invariants';
import { aSellableVariant, buildPaymentBody, orderInState } from '../../support/orders.factory';
import { getDefaultLocationId, listHistory, readOrder } from '../../support/shipments.factory';
import { aStockItem, aStockLocation } from '../../support/stock.factory';

/*
 * Parcels of a complete order that become one although their freight is taxed differently: that of "UPS Ground" (5.00) at 9 percent,
 * that of the others at 5. Documents and books tell what is taxed at which rate, so each keeps its cost. Replies are `any`, because the
 * contract tests compare all of them with their schemas.
 */

beforeAll(async () => {
  const admin = await asAdmin();
  const zone_id = (await testDb()('zones').where({ name: 'North America' }).first('id')).id;
  const standard = (await testDb()('tax_categories').where({ is_default: true }).first('id')).id;
  const { id: reduced } = (await admin.post('/tax_categories', { tax_category: { name: 'Reduced' } })).body;
  const aRate = (amount: string, tax_category_id: number) =>
    admin.post('/tax_rates', { tax_rate: { name: amount, amount, zone_id, tax_category_id } });
  await aRate('0.09', standard);
  await aRate('0.05', reduced);
  for (const { id, name } of await testDb()('shipping_methods').select('id', 'name')) {
    const tax_category_id = name.startsWith('UPS Ground') ? standard : reduced;
    await admin.put(`/shipping_methods/${id}`, { shipping_method: { tax_category_id } });
  }
});

/** Returns a variant in the default location and one in a depot, which gets the first one too once it is sold. */
async function twoVariants(): Promise<{ near: number; far: number; stockUp: () => Promise<unknown> }> {
  const [near, far] = [await aSellableVariant({ stock: 1 }), await aSellableVariant({ stock: 0 })];
  const { id: stock_location_id } = await aStockLocation({ propagate_all_variants: false });
  const stock = (variant_id: number) => aStockItem({ stock_location_id, variant_id, count_on_hand: 5 });
  await stock(far.id);
  return { near: near.id, far: far.id, stockUp: () => stock(near.id) };
}

/** Sells two parcels, whose freight is taxed at 9 percent (5.00) and at 5 percent (15.00). */
async function sell(): Promise<any> {
  const { near, far, stockUp } = await twoVariants();
  const lines = [near, far].map((variant_id) => ({ variant_id, quantity: 1 }));
  const order = await orderInState('delivery', { lines });
  const shopper = api(order.caller);
  const { shipments } = (await shopper.get(`/orders/${order.number}`)).body;
  const choose = (shipment: any, name: string): object => {
    const rate = shipment.shipping_rates.find((one: any) => one.name.startsWith(name));
    return { id: shipment.id, selected_shipping_rate_id: rate.id };
  };
  const chosen = [choose(shipments[0], 'UPS Ground'), choose(shipments[1], 'UPS One Day')];
  await shopper.put(`/checkouts/${order.number}`, { order: { shipments_attributes: chosen } });
  await shopper.put(`/checkouts/${order.number}`, await buildPaymentBody());
  const { body } = await shopper.put(`/checkouts/${order.number}/advance`);
  expect([body.state, describeParcels(body)]).toEqual(['complete', SOLD]);
  const paid = await (await asAdmin()).put(`/orders/${order.number}/payments/${body.payments[0].id}/capture`);
  expect(paid.status).toBe(200);
  await stockUp();
  return readOrder(order.number);
}

const SOLD = ['5.0 at 9', '15.0 at 5'];

const BOOKED = [
  [0.05, 15, 0.75],
  [0.09, 5, 0.45],
];

/** Lists the parcels: what each costs, and at which percentages its cost is taxed. */
function describeParcels({ shipments }: { shipments: TaxedParcel[] }): string[] {
  return shipments.map(({ cost, adjustments }) => {
    const at = adjustments.map(({ amount }) => Math.round((100 * Number(amount)) / Number(cost)));
    return [cost, 'at', ...at].join(' ');
  });
}

interface TaxedParcel {
  cost: string;
  adjustments: { amount: string }[];
}

const TOTALS = ['total', 'ship_total', 'tax_total', 'item_total'] as const;
const listTotals = (order: any): unknown[] => TOTALS.map((name) => order[name]);

/** What the books say of the freight: rate, base and tax. */
async function listBooked(order: any): Promise<unknown[]> {
  const rows = await testDb()('book_entries')
    .where({ order_id: order.id, kind: 'freight' })
    .groupBy('rate')
    .orderBy('rate')
    .select('rate')
    .sum({ base: 'base', tax: 'tax' })
    .havingRaw('sum(base) <> 0');
  return rows.map(({ rate, base, tax }: any) => [rate, base, tax].map(Number));
}

async function transferAll(order: any, from: any, to: any): Promise<any> {
  const admin = await asAdmin();
  const [{ variant_id, quantity }] = from.manifest;
  const units = { original_shipment_number: from.number, variant_id, quantity };
  const reply = await admin.post('/shipments/transfer_to_shipment', {
    ...units,
    target_shipment_number: to.number,
  });
  expect(reply.status).toBe(201);
  await expectNoViolations({ order_ids: [order.id] });
  return readOrder(order.number);
}

async function listDocuments(order: any): Promise<any[]> {
  return (await (await asAdmin()).get(`/orders/${order.number}/documents`)).body.documents;
}

test('a parcel that gives its units to one whose freight is taxed otherwise keeps its cost, canceled', async () => {
  const order = await sell();
  const [one, other] = order.shipments;
  const documents = await listDocuments(order);
  const merged = await transferAll(order, one, other);
  expect(merged.shipments).toMatchObject([
    { number: one.number, state: 'canceled', manifest: [], cost: '5.0' },
    { number: other.number, state: 'ready', cost: '15.0' },
  ]);
  expect([describeParcels(merged), listTotals(merged)]).toEqual([SOLD, listTotals(order)]);
  expect(await listDocuments(order)).toEqual(documents);
  expect(await listBooked(order)).toEqual(BOOKED);
  expect(await listHistory(order.id)).toContain('shipment: ready > canceled');
});

test('the other parcel ships, and both costs are given back with the order', async () => {
  const order = await sell();
  const [one, other] = order.shipments;
  await transferAll(order, one, other);
  const admin = await asAdmin();
  const shipped = await admin.put(`/shipments/${other.number}/ship`);
  expect(shipped.status).toBe(200);
  const sold = await readOrder(order.number);
  expect(sold.shipment_state).toBe('shipped');
  const reason = await testDb()('return_authorization_reasons').where({ active: true }).first('id');
  const returned = await admin.post(`/orders/${order.number}/return_authorizations`, {
    return_authorization: {
      amount: sold.total,
      return_authorization_reason_id: reason.id,
      stock_location_id: await getDefaultLocationId(),
      items: order.line_items.map(({ variant_id }: any) => ({ variant_id, quantity: 1 })),
      receive: true,
      refund: true,
    },
  });
  expect(returned.status).toBe(201);
  await expectNoViolations({ order_ids: [order.id] });
  expect(await readOrder(order.number)).toMatchObject({ total: '0.0', tax_total: '0.0' });
});

test('a parcel that costs nothing takes over the rate with the cost', async () => {
  const order = await sell();
  const [one, other] = order.shipments;
  const admin = await asAdmin();
  expect((await admin.put(`/shipments/${other.number}`, { shipment: { cost: '0' } })).status).toBe(200);
  const before = await readOrder(order.number);
  const merged = await transferAll(order, one, other);
  expect([describeParcels(merged), listTotals(merged)]).toEqual([['5.0 at 9'], listTotals(before)]);
  expect(await listBooked(order)).toEqual([[0.09, 5, 0.45]]);
});

test('a parcel that costs nothing leaves no rate to the other one', async () => {
  const order = await sell();
  const [one, other] = order.shipments;
  const admin = await asAdmin();
  expect((await admin.put(`/shipments/${one.number}`, { shipment: { cost: '0' } })).status).toBe(200);
  const before = await readOrder(order.number);
  const merged = await transferAll(order, one, other);
  expect([describeParcels(merged), listTotals(merged)]).toEqual([['15.0 at 5'], listTotals(before)]);
  expect(await listBooked(order)).toEqual([[0.05, 15, 0.75]]);
});

test('a parcel that replaces both takes over the freight of the first; that of the other is kept, canceled', async () => {
  const order = await sell();
  const documents = await listDocuments(order);
  const { far } = await twoVariants();
  const rows = [
    ...order.line_items.map(({ id }: any) => ({ id, quantity: 0 })),
    { variant_id: far, quantity: 2, price: order.line_items[0].price },
  ];
  const reply = await (await asAdmin()).put(`/orders/${order.number}`, { order: { line_items: rows } });
  expect(reply.status).toBe(200);
  await expectNoViolations({ order_ids: [order.id] });
  const after = await readOrder(order.number);
  expect(describeParcels(after)).toEqual(SOLD);
  expect(after.shipments).toMatchObject([
    { state: 'ready', selected_shipping_rate: { name: expect.stringContaining('Ground') } },
    { state: 'canceled', manifest: [], selected_shipping_rate: { name: expect.stringContaining('One Day') } },
  ]);
  expect([after.ship_total, after.total, after.payment_state]).toEqual(['20.0', order.total, 'paid']);
  expect(await listBooked(order)).toEqual(BOOKED);
  const [correction] = (await listDocuments(order)).slice(documents.length);
  expect(correction).toMatchObject({ kind: 'correction', total: '0.0' });
});

test('an order that is taxed anew taxes the freight of the canceled parcel, too', async () => {
  const order = await sell();
  const [one, other] = order.shipments;
  await transferAll(order, one, other);
  const admin = await asAdmin();
  const rate = await testDb()('tax_rates').where({ name: '0.09' }).first('id');
  await admin.put(`/tax_rates/${rate.id}`, { tax_rate: { amount: '0.12' } });
  try {
    expect((await admin.put(`/orders/${order.number}/retax`)).status).toBe(200);
    await expectNoViolations({ order_ids: [order.id] });
    expect(describeParcels(await readOrder(order.number))).toEqual(['5.0 at 12', '15.0 at 5']);
  } finally {
    await admin.put(`/tax_rates/${rate.id}`, { tax_rate: { amount: '0.09' } });
  }
});

/** Sells an order and merges its first parcel, whose freight is taxed at 9 percent, into the other one. */
async function sellMerged(): Promise<any> {
  const order = await sell();
  const [one, other] = order.shipments;
  return transferAll(order, one, other);
}

test('staff change the cost of the canceled parcel, at its own rate', async () => {
  const order = await sellMerged();
  const [one] = order.shipments;
  const admin = await asAdmin();
  const changed = await admin.put(`/shipments/${one.number}`, { shipment: { cost: '3.00' } });
  expect([changed.status, changed.body.state, changed.body.cost]).toEqual([200, 'canceled', '3.0']);
  await expectNoViolations({ order_ids: [order.id] });
  expect(describeParcels(await readOrder(order.number))).toEqual(['3.0 at 9', '15.0 at 5']);
  const charge = { label: 'Goodwill', amount: '-1.00', shipment_id: one.id, taxed: true };
  const adjusted = await admin.post(`/orders/${order.number}/adjustments`, { adjustment: charge });
  expect(adjusted.status).toBe(201);
  await expectNoViolations({ order_ids: [order.id] });
  expect(await listBooked(order)).toEqual([
    [0.05, 15, 0.75],
    [0.09, 2, 0.18],
  ]);
});

test('canceling the canceled parcel removes its cost', async () => {
  const order = await sellMerged();
  const [one, other] = order.shipments;
  const admin = await asAdmin();
  const cancel = () => admin.put(`/shipments/${one.number}/cancel`);
  for (const { status, body } of [await cancel(), await cancel()]) {
    expect([status, body.state, body.cost]).toEqual([200, 'canceled', '0.0']);
  }
  await expectNoViolations({ order_ids: [order.id] });
  expect(await listBooked(order)).toEqual([[0.05, 15, 0.75]]);
  const refused = await admin.put(`/shipments/${one.number}`, { shipment: { cost: '3.00' } });
  expect(refused.body.errors).toEqual({ base: ['The shipment is canceled'] });
  await admin.put(`/shipments/${other.number}/cancel`);
  expect(await readOrder(order.number)).toMatchObject({ total: '0.0', tax_total: '0.0' });
});

test('the parcels of a canceled order keep their cost', async () => {
  const order = await sellMerged();
  const [one] = order.shipments;
  const admin = await asAdmin();
  expect((await admin.put(`/orders/${order.number}/cancel`)).status).toBe(200);
  expect((await admin.put(`/shipments/${one.number}/cancel`)).body.cost).toBe('5.0');
  const refused = await admin.put(`/shipments/${one.number}`, { shipment: { cost: '3.00' } });
  expect(refused.body.errors).toEqual({ base: ['The shipment is canceled'] });
  await expectNoViolations({ order_ids: [order.id] });
});

test('an order that has left keeps the taxes of all its freight when it is taxed anew', async () => {
  const order = await sellMerged();
  const admin = await asAdmin();
  expect((await admin.put(`/shipments/${order.shipments[1].number}/ship`)).status).toBe(200);
  const rate = await testDb()('tax_rates').where({ name: '0.09' }).first('id');
  await admin.put(`/tax_rates/${rate.id}`, { tax_rate: { amount: '0.12' } });
  try {
    expect((await admin.put(`/orders/${order.number}/retax`)).status).toBe(200);
    await expectNoViolations({ order_ids: [order.id] });
    expect(describeParcels(await readOrder(order.number))).toEqual(SOLD);
  } finally {
    await admin.put(`/tax_rates/${rate.id}`, { tax_rate: { amount: '0.09' } });
  }
});

/** Sells an order whose first parcel comes back, with its freight and with 3.00 of that of the other one, which has not shipped. */
async function sellAndReturn(): Promise<any> {
  const order = await sell();
  const admin = await asAdmin();
  const [one] = order.shipments;
  expect((await admin.put(`/shipments/${one.number}/ship`)).status).toBe(200);
  const [{ variant_id, quantity }] = one.manifest;
  const { total } = order.line_items.find((line: any) => line.variant_id === variant_id);
  const reason = await testDb()('return_authorization_reasons').where({ active: true }).first('id');
  const returned = await admin.post(`/orders/${order.number}/return_authorizations`, {
    return_authorization: {
      amount: (Number(total) + 5.45 + 3).toFixed(2),
      return_authorization_reason_id: reason.id,
      stock_location_id: await getDefaultLocationId(),
      items: [{ variant_id, quantity }],
      receive: true,
      refund: true,
    },
  });
  expect(returned.status).toBe(201);
  // Without it the order would cost less than nothing when its other parcel is canceled.
  const adjustment = { label: 'Service', amount: '10.00' };
  expect((await admin.post(`/orders/${order.number}/adjustments`, { adjustment })).status).toBe(201);
  await expectNoViolations({ order_ids: [order.id] });
  return readOrder(order.number);
}

/** What returns took back, by rate. */
async function listReturned(order: any): Promise<unknown[]> {
  return testDb()('book_entries')
    .where({ order_id: order.id, kind: 'return' })
    .groupBy('rate')
    .orderBy('rate')
    .select('rate')
    .sum({ base: 'base', tax: 'tax' });
}

const CHANGES: Record<string, (order: any, parcel: any) => Promise<number>> = {
  'is canceled': async (_order, { number }) =>
    (await (await asAdmin()).put(`/shipments/${number}/cancel`)).status,
  'becomes free': async (_order, { number }) =>
    (await (await asAdmin()).put(`/shipments/${number}`, { shipment: { cost: '0' } })).status,
  'loses its line item': async (order, { manifest: [{ variant_id }] }) => {
    const { id } = order.line_items.find((line: any) => line.variant_id === variant_id);
    return (await (await asAdmin()).delete(`/orders/${order.number}/line_items/${id}`)).status;
  },
  'moves to another location': async (_order, { number, manifest: [{ variant_id, quantity }] }) => {
    const { id: stock_location_id } = await aStockLocation({ propagate_all_variants: false });
    await aStockItem({ stock_location_id, variant_id, count_on_hand: 5 });
    const units = { original_shipment_number: number, variant_id, quantity, stock_location_id };
    return (await (await asAdmin()).post('/shipments/transfer_to_location', units)).status;
  },
};

test.each(Object.keys(CHANGES))('returned freight keeps its taxes when its parcel %s', async (name) => {
  const order = await sellAndReturn();
  const returned = await listReturned(order);
  expect(await CHANGES[name]?.(order, order.shipments[1])).toBeLessThan(300);
  await expectNoViolations({ order_ids: [order.id] });
  expect(await listReturned(order)).toEqual(returned);
});
