import { asAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { expectNoViolations } from '../../support/invariants';
import { aSellableVariant, buildPaymentBody, orderInState } from '../../support/orders.factory';
import { aPromotion } from '../../support/promotions.factory';
import { getCountOnHand, readOrder } from '../../support/shipments.factory';
import { aStockItem, aStockLocation } from '../../support/stock.factory';

/*
 * Parcels of a complete order that become one: the customer pays what was sold, so the taxes and discounts of their
 * freight keep their sum. Freight costs 5.00 a parcel and is taxed at 9.06 percent.
 */

beforeAll(async () => {
  const admin = await asAdmin();
  const zone_id = (await testDb()('zones').where({ name: 'North America' }).first('id')).id;
  const tax_category_id = (await testDb()('tax_categories').where({ is_default: true }).first('id')).id;
  const rate = await admin.post('/tax_rates', {
    tax_rate: { name: 'Sales tax', amount: '0.0906', zone_id, tax_category_id },
  });
  expect(rate.status).toBe(201);
  for (const { id } of await testDb()('shipping_methods').select('id')) {
    const taxed = await admin.put(`/shipping_methods/${id}`, { shipping_method: { tax_category_id } });
    expect(taxed.status).toBe(200);
  }
});

/** Sells three pieces from two locations, so that there are two parcels. */
async function sellTwoParcels(code?: string): Promise<any> {
  const variant = await aSellableVariant({ stock: 1 });
  const depot = await aStockLocation({ propagate_all_variants: false });
  await aStockItem({ stock_location_id: depot.id, variant_id: variant.id, count_on_hand: 5 });
  const order = await orderInState('payment', { lines: [{ variant_id: variant.id, quantity: 3 }] });
  const shopper = api(order.caller);
  if (code !== undefined)
    await shopper.put(`/orders/${order.number}/apply_coupon_code`, { coupon_code: code });
  await shopper.put(`/checkouts/${order.number}`, await buildPaymentBody());
  const { body } = await shopper.put(`/checkouts/${order.number}/advance`);
  expect([body.state, body.shipments.length]).toEqual(['complete', 2]);
  return body;
}

async function transferAll(order: any, from: any, to: any): Promise<any> {
  const [{ variant_id, quantity }] = from.manifest;
  const reply = await (
    await asAdmin()
  ).post('/shipments/transfer_to_shipment', {
    original_shipment_number: from.number,
    target_shipment_number: to.number,
    variant_id,
    quantity,
  });
  expect(reply.status).toBe(201);
  await expectNoViolations({ order_ids: [order.id] });
  return readOrder(order.number);
}

const TOTALS = ['total', 'ship_total', 'tax_total', 'additional_tax_total', 'adjustment_total'] as const;
const listTotals = (order: any): unknown[] => TOTALS.map((name) => order[name]);

test('the taxes of two parcels keep their sum, to the cent', async () => {
  const order = await sellTwoParcels();
  const [one, other] = order.shipments;
  const taxOf = (shipment: any): string => shipment.adjustments[0].amount;
  expect([taxOf(one), taxOf(other)]).toEqual(['0.45', '0.45']);
  const merged = await transferAll(order, one, other);
  // Ten dollars at once would be taxed with 0.91.
  expect(merged.shipments).toMatchObject([{ cost: '10.0', adjustments: [{ amount: '0.9' }] }]);
  expect(listTotals(merged)).toEqual(listTotals(order));
});

test('a paid order whose parcels were merged ships', async () => {
  const order = await sellTwoParcels();
  const admin = await asAdmin();
  const { payments, shipments, line_items } = order;
  expect((await admin.put(`/orders/${order.number}/payments/${payments[0].id}/capture`)).status).toBe(200);
  await transferAll(order, shipments[0], shipments[1]);
  const shipped = await admin.put(`/shipments/${shipments[1].number}/ship`);
  expect([shipped.status, shipped.body.state]).toEqual([200, 'shipped']);
  expect(await readOrder(order.number)).toMatchObject({ payment_state: 'paid', shipment_state: 'shipped' });
  expect(await getCountOnHand(line_items[0].variant_id)).toBeGreaterThanOrEqual(0);
});

test('the tax follows a cost that staff set afterwards, and returns with the former cost', async () => {
  const order = await sellTwoParcels();
  const [one, other] = order.shipments;
  const merged = await transferAll(order, one, other);
  const admin = await asAdmin();
  const setCost = async (cost: string): Promise<any> => {
    expect((await admin.put(`/shipments/${other.number}`, { shipment: { cost } })).status).toBe(200);
    await expectNoViolations({ order_ids: [order.id] });
    return readOrder(order.number);
  };
  expect((await setCost('20')).shipments[0].adjustments).toMatchObject([{ amount: '1.81' }]);
  expect(listTotals(await setCost('10'))).toEqual(listTotals(merged));
});

test('a discount that does not count for the other parcel adds nothing to its own', async () => {
  const { code } = await aPromotion({ actions: [{ type: 'free_shipping' }] });
  const order = await sellTwoParcels(code);
  const [one, other] = order.shipments;
  const discounts = { source_type: 'Store::PromotionAction' };
  await testDb()('adjustments')
    .where({ shipment_id: other.id, ...discounts })
    .update({ eligible: false });
  const [{ variant_id, quantity }] = one.manifest;
  const reply = await (
    await asAdmin()
  ).post('/shipments/transfer_to_shipment', {
    original_shipment_number: one.number,
    target_shipment_number: other.number,
    variant_id,
    quantity,
  });
  expect(reply.status).toBe(201);
  const merged = await testDb()('adjustments').where({ shipment_id: other.id, ...discounts });
  expect(merged).toMatchObject([{ amount: '-5.00', eligible: true }]);
});

test('free freight does not make a parcel free that was charged after the sale', async () => {
  const { code } = await aPromotion({ actions: [{ type: 'free_shipping' }] });
  const order = await sellTwoParcels(code);
  const admin = await asAdmin();
  const depot = await aStockLocation({ propagate_all_variants: false });
  const { variant_id } = order.line_items[0];
  await aStockItem({ stock_location_id: depot.id, variant_id, count_on_hand: 5 });
  const divided = order.shipments.find(({ manifest }: any) => manifest[0].quantity === 2);
  const moved = await admin.post('/shipments/transfer_to_location', {
    original_shipment_number: divided.number,
    variant_id,
    quantity: 1,
    stock_location_id: depot.id,
  });
  expect(moved.status).toBe(201);
  const charged = (await readOrder(order.number)).shipments.find(({ cost }: any) => cost === '0.0');
  expect((await admin.put(`/shipments/${charged.number}`, { shipment: { cost: '3' } })).status).toBe(200);
  const before = await readOrder(order.number);
  const merged = await transferAll(order, charged, divided);
  expect(listTotals(merged)).toEqual(listTotals(before));
  const free = merged.shipments.find(({ number }: any) => number === divided.number);
  const discounts = free.adjustments.filter(({ amount }: any) => Number(amount) < 0);
  expect([free.cost, discounts]).toMatchObject(['8.0', [{ amount: '-5.0' }]]);
});
