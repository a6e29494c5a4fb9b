import { asAdmin } from '../../support/accounts.factory';
import { testDb } from '../../support/database';
import { expectNoViolations } from '../../support/invariants';
import { aSellableVariant } from '../../support/orders.factory';
import { aPaidOrder, readOrder } from '../../support/shipments.factory';
import { aStockItem, aStockLocation } from '../../support/stock.factory';

/*
 * The freight that was sold stays with a complete order when other items replace its own, also in another parcel. Freight
 * costs 5.00 a parcel ("UPS Ground"), 10.00 or 15.00, and is taxed at 9.06 percent.
 */

let tax: { id: number };

beforeAll(async () => {
  const admin = await asAdmin();
  const zone_id = (await testDb()('zones').where({ name: 'North America' }).first('id')).id;
  const tax_category_id = (await testDb()('tax_categories').where({ is_default: true }).first('id')).id;
  tax = (
    await admin.post('/tax_rates', {
      tax_rate: { name: 'Sales tax', amount: '0.0906', zone_id, tax_category_id },
    })
  ).body;
  for (const { id } of await testDb()('shipping_methods').select('id'))
    await admin.put(`/shipping_methods/${id}`, { shipping_method: { tax_category_id } });
});

/** Returns a variant that only another stock location has, so that its units need a parcel of their own. */
async function aVariantElsewhere(price?: string): Promise<number> {
  const variant = await aSellableVariant({ stock: 0, ...(price !== undefined && { price }) });
  const depot = await aStockLocation();
  await aStockItem({ stock_location_id: depot.id, variant_id: variant.id, count_on_hand: 5 });
  return variant.id;
}

/** Sells one item with the most expensive freight. */
async function sell(): Promise<any> {
  const { id: variant_id } = await aSellableVariant({ price: '15.99' });
  const order = await aPaidOrder({ lines: [{ variant_id, quantity: 1 }] });
  const [shipment] = order.shipments;
  const expensive = shipment.shipping_rates.at(-1);
  const chosen = { shipment: { selected_shipping_rate_id: expensive.id } };
  expect((await (await asAdmin()).put(`/shipments/${shipment.number}`, chosen)).status).toBe(200);
  return readOrder(order.number);
}

const FREIGHT = ['ship_total', 'total', 'tax_total', 'additional_tax_total'] as const;
const listFreight = (order: any): unknown[] => FREIGHT.map((name) => order[name]);
const nameMethods = (order: any): string[] =>
  order.shipments.map((shipment: any) => shipment.selected_shipping_rate.name);

async function exchange(order: any, rows: object[]): Promise<any> {
  const reply = await (await asAdmin()).put(`/orders/${order.number}`, { order: { line_items: rows } });
  expect(reply.status).toBe(200);
  await expectNoViolations({ order_ids: [order.id] });
  return readOrder(order.number);
}

test('a parcel that replaces another one takes over its cost, method and tax', async () => {
  const order = await sell();
  const variant_id = await aVariantElsewhere();
  // The tax of the freight stays the one it was sold with.
  const admin = await asAdmin();
  await admin.put(`/tax_rates/${tax.id}`, { tax_rate: { amount: '0.2' } });
  try {
    const after = await exchange(order, [
      { id: order.line_items[0].id, quantity: 0 },
      { variant_id, quantity: 1, price: '0' },
    ]);
    expect(after.shipments[0].id).not.toBe(order.shipments[0].id);
    expect([after.ship_total, nameMethods(after)]).toEqual(['15.0', nameMethods(order)]);
    expect(after.shipments).toMatchObject([{ cost: '15.0', adjustments: [{ amount: '1.36' }] }]);
    expect(after.total).toBe('16.36');
  } finally {
    await admin.put(`/tax_rates/${tax.id}`, { tax_rate: { amount: '0.0906' } });
  }
});

test('emptying an order gives up the freight that was sold, also of a parcel that an earlier change left without units', async () => {
  const order = await sell();
  const admin = await asAdmin();
  const lines = `/orders/${order.number}/line_items`;
  await admin.delete(`${lines}/${order.line_items[0].id}`);
  expect((await admin.put(`/orders/${order.number}/empty`)).status).toBe(204);
  await admin.post(lines, { line_item: { variant_id: await aVariantElsewhere(), price: '15.99' } });
  const after = await readOrder(order.number);
  expect(after.ship_total).toBe('0.0');
  await expectNoViolations({ order_ids: [order.id] });
});

test('the freight of a parcel that an earlier change left without units comes back with the next parcel', async () => {
  const order = await sell();
  const admin = await asAdmin();
  const lines = `/orders/${order.number}/line_items`;
  expect((await admin.delete(`${lines}/${order.line_items[0].id}`)).status).toBe(204);
  expect(await readOrder(order.number)).toMatchObject({ shipments: [], total: '0.0' });
  const variant_id = await aVariantElsewhere();
  await admin.post(lines, { line_item: { variant_id, price: '15.99' } });
  const after = await readOrder(order.number);
  expect([listFreight(after), nameMethods(after)]).toEqual([listFreight(order), nameMethods(order)]);
  // It was taken over once.
  const more = await exchange(order, [{ variant_id: await aVariantElsewhere(), quantity: 1 }]);
  expect(more.shipments.map(({ cost }: any) => cost)).toEqual(['15.0', '0.0']);
});

test('a parcel that staff add takes over the freight of one that staff emptied', async () => {
  const order = await sell();
  const admin = await asAdmin();
  const [{ variant_id }] = order.line_items;
  const emptied = await admin.put(`/shipments/${order.shipments[0].number}/remove`, { variant_id });
  expect(emptied.status).toBe(200);
  const made = await admin.post('/shipments', {
    shipment: { order_id: order.number, stock_location_id: 1 },
    variant_id,
    stock_location_id: (await testDb()('stock_locations').where({ name: 'default' }).first('id')).id,
  });
  expect([made.status, made.body.cost]).toEqual([200, '15.0']);
  expect(listFreight(await readOrder(order.number))).toEqual(listFreight(order));
  await expectNoViolations({ order_ids: [order.id] });
});

test('staff who set what a parcel costs decide about the freight: nothing comes back', async () => {
  const order = await sell();
  const admin = await asAdmin();
  const added = await exchange(order, [{ variant_id: await aVariantElsewhere(), quantity: 1 }]);
  await exchange(added, [{ id: order.line_items[0].id, quantity: 0 }]);
  const [left] = (await readOrder(order.number)).shipments;
  await admin.put(`/shipments/${left.number}`, { shipment: { cost: '7' } });
  const after = await exchange(order, [{ variant_id: await aVariantElsewhere(), quantity: 1 }]);
  expect(after.shipments.map(({ cost }: any) => cost)).toEqual(['7.0', '0.0']);
});

test('freight that was credited is not credited again when another parcel has taken it over', async () => {
  const admin = await asAdmin();
  const { id: staying } = await aSellableVariant({ price: '15.99' });
  const leaving = await aVariantElsewhere();
  const order = await aPaidOrder({
    lines: [
      { variant_id: staying, quantity: 2 },
      { variant_id: leaving, quantity: 1 },
    ],
  });
  const ship = async (variantId: number): Promise<void> => {
    const { shipments } = await readOrder(order.number);
    const parcel = shipments.find(({ manifest }: any) =>
      manifest.some((one: any) => one.variant_id === variantId),
    );
    expect((await admin.put(`/shipments/${parcel.number}/ship`)).status).toBe(200);
  };
  const giveBack = async (variant_id: number, amount: string): Promise<void> => {
    const reply = await admin.post(`/orders/${order.number}/return_authorizations`, {
      return_authorization: {
        amount,
        stock_location_id: order.shipments[0].stock_location_id ?? 1,
        return_authorization_reason_id: 1,
      },
      items: [{ variant_id, quantity: 1 }],
      receive: true,
    });
    expect([reply.status, reply.body.state]).toEqual([201, 'received']);
  };
  const listCredits = async (): Promise<string[]> =>
    testDb()('return_freights')
      .join('return_authorizations', 'return_authorizations.id', 'return_authorization_id')
      .where({ order_id: order.id })
      .orderBy('return_freights.id')
      .pluck('return_freights.amount');

  await ship(staying);
  // The item with its tax, the freight of its parcel, and 2.00 of the freight of the other parcel.
  await giveBack(staying, '24.89');
  expect(await listCredits()).toEqual(['5.45', '2.00']);
  const arriving = await aVariantElsewhere();
  const line = order.line_items.find(({ variant_id }: any) => variant_id === leaving);
  await exchange(order, [
    { id: line.id, quantity: 0 },
    { variant_id: arriving, quantity: 1 },
  ]);
  await ship(arriving);
  await giveBack(arriving, '22.89');
  expect(await listCredits()).toEqual(['5.45', '2.00', '3.45']);
  await expectNoViolations({ order_ids: [order.id] });
});

test('the freight of the parcel that carried a returned item is credited before that of others', async () => {
  const admin = await asAdmin();
  const { id: staying } = await aSellableVariant({ price: '15.99' });
  const returned = await aVariantElsewhere('10');
  const order = await aPaidOrder({
    lines: [
      { variant_id: staying, quantity: 1 },
      { variant_id: returned, quantity: 1 },
    ],
  });
  const { shipments } = await readOrder(order.number);
  for (const { number } of shipments) expect((await admin.put(`/shipments/${number}/ship`)).status).toBe(200);
  // The item with its tax, and 5.00 of freight with its tax.
  const reply = await admin.post(`/orders/${order.number}/return_authorizations`, {
    return_authorization: { amount: '16.36', stock_location_id: 1, return_authorization_reason_id: 1 },
    items: [{ variant_id: returned, quantity: 1 }],
    receive: true,
  });
  expect([reply.status, reply.body.state]).toEqual([201, 'received']);
  const carrier = shipments.find(({ manifest }: any) => manifest[0].variant_id === returned);
  expect(
    await testDb()('return_freights')
      .where({ return_authorization_id: reply.body.id })
      .select('shipment_id', 'amount'),
  ).toEqual([{ shipment_id: carrier.id, amount: '5.45' }]);
  await expectNoViolations({ order_ids: [order.id] });
});
