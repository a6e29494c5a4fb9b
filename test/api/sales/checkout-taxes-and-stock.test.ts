import { anAdmin, createAsAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import {
  aSellableVariant,
  getTotalOnHand,
  orderInState,
  buildPaymentBody,
  setStock,
  showOrder,
  updateCheckout,
} from '../../support/orders.factory';
import { aPromotion } from '../../support/promotions.factory';
import { aStockItem, aStockLocation } from '../../support/stock.factory';
import { unique } from '../../support/unique';

async function getNorthAmericaId(): Promise<number> {
  return (await testDb()('zones').where({ name: 'North America' }).first('id')).id;
}

/** Creates a tax rate with its own tax category, so that it applies to no other products. */
async function aTax(attributes: object): Promise<{ category: number; rate: number }> {
  const { id } = await createAsAdmin('/tax_categories', { tax_category: { name: unique('taxed') } });
  const rate = await createAsAdmin('/tax_rates', {
    tax_rate: { name: 'VAT', tax_category_id: id, zone_id: await getNorthAmericaId(), ...attributes },
  });
  return { category: id, rate: rate.id };
}

/** Creates a shipping category whose only method costs `amount`. */
async function createShippingCategory(amount: string, attributes: object = {}): Promise<number> {
  const { id } = await createAsAdmin('/shipping_categories', {
    shipping_category: { name: unique('class') },
  });
  await createAsAdmin('/shipping_methods', {
    shipping_method: {
      name: unique('Post'),
      calculator_type: 'flat_rate',
      calculator_preferences: { amount },
      zone_ids: [await getNorthAmericaId()],
      shipping_category_ids: [id],
      ...attributes,
    },
  });
  return id;
}

describe('a free order', () => {
  test('goes from delivery to complete without a payment', async () => {
    const shipping_category_id = await createShippingCategory('0');
    const gift = await aSellableVariant({ price: '0', stock: 3, product: { shipping_category_id } });
    const order = await orderInState('delivery', { lines: [{ variant_id: gift.id, quantity: 2 }] });
    expect(order).toMatchObject({ total: '0.0', checkout_steps: ['address', 'delivery', 'complete'] });
    const reply = await updateCheckout(order);
    expect([reply.status, reply.body]).toMatchObject([
      200,
      { state: 'complete', payment_state: 'paid', shipment_state: 'ready', payments: [] },
    ]);
    expect(await getTotalOnHand(gift.id)).toBe(1);
  });

  test('that a manual adjustment makes free is backordered when its last unit was sold meanwhile', async () => {
    const shipping_category_id = await createShippingCategory('0');
    const tote = await aSellableVariant({
      price: '10',
      stock: 1,
      backorderable: true,
      product: { shipping_category_id },
    });
    const order = await orderInState('delivery', { lines: [{ variant_id: tote.id }] });
    const adjustment = { label: 'Gift', amount: '-10' };
    await api(await anAdmin()).post(`/orders/${order.number}/adjustments`, { adjustment });
    await setStock(tote.id, { stock: 0, backorderable: true });
    expect((await updateCheckout(order)).body).toMatchObject({
      state: 'complete',
      total: '0.0',
      shipment_state: 'backorder',
      shipments: [{ state: 'pending', manifest: [{ states: { backordered: 1 } }] }],
    });
    const adjustments = await testDb()('adjustments').where({ order_id: order.id });
    expect(adjustments).toMatchObject([{ label: 'Gift', closed: true }]);
  });

  test('takes stock like any other order', async () => {
    const shipping_category_id = await createShippingCategory('0');
    const gift = await aSellableVariant({ price: '0', stock: 1, product: { shipping_category_id } });
    const order = await orderInState('delivery', { lines: [{ variant_id: gift.id }] });
    await setStock(gift.id, { stock: 0 });
    const reply = await updateCheckout(order);
    expect(reply.body.errors).toMatchObject({
      base: ['Some line items in this order have insufficient quantity.'],
    });
    expect((await showOrder(order)).state).toBe('address');
  });
});

describe('taxes', () => {
  test('not included in prices are added to the total', async () => {
    const tax = await aTax({ amount: '0.07', show_rate_in_label: true });
    const tote = await aSellableVariant({ price: '19.99', product: { tax_category_id: tax.category } });
    const order = await orderInState('delivery', { lines: [{ variant_id: tote.id, quantity: 3 }] });
    // 59.97 x 0.07 = 4.1979
    expect(order).toMatchObject({
      item_total: '59.97',
      additional_tax_total: '4.2',
      included_tax_total: '0.0',
      tax_total: '4.2',
      adjustment_total: '4.2',
      ship_total: '5.0',
      total: '69.17',
      display_tax_total: '$4.20',
      adjustments: [],
      line_items: [
        {
          total: '64.17',
          adjustments: [
            {
              label: 'VAT 7.0%',
              amount: '4.2',
              included: false,
              source_type: 'Store::TaxRate',
              locked: false,
            },
          ],
        },
      ],
    });
    await updateCheckout(order);
    await updateCheckout(order, await buildPaymentBody());
    const complete = await updateCheckout(order);
    expect(complete.body).toMatchObject({
      state: 'complete',
      total: '69.17',
      payments: [{ amount: '69.17' }],
    });
    expect(complete.body.line_items[0].adjustments[0].locked).toBe(true);
  });

  test('included in prices do not change the total', async () => {
    const tax = await aTax({ amount: '0.19', included_in_price: true, show_rate_in_label: false });
    const tote = await aSellableVariant({ price: '11.9', product: { tax_category_id: tax.category } });
    const order = await orderInState('delivery', { lines: [{ variant_id: tote.id, quantity: 2 }] });
    expect(order).toMatchObject({
      item_total: '23.8',
      included_tax_total: '3.8',
      additional_tax_total: '0.0',
      adjustment_total: '0.0',
      total: '28.8',
      line_items: [{ total: '23.8', adjustments: [{ label: 'VAT (Included in Price)', amount: '3.8' }] }],
    });
  });

  test('are charged on what the best promotion leaves, whatever another one would leave', async () => {
    const tax = await aTax({ amount: '0.1' });
    const tote = await aSellableVariant({ price: '10', product: { tax_category_id: tax.category } });
    const order = await orderInState('delivery', { lines: [{ variant_id: tote.id, quantity: 2 }] });
    for (const percent of ['10', '20']) {
      const { code } = await aPromotion({ actions: [{ type: 'line_percent', percent }] });
      await api(order.caller).put(`/orders/${order.number}/apply_coupon_code`, { coupon_code: code });
    }
    const { line_items, additional_tax_total, adjustment_total, total } = await showOrder(order);
    expect(line_items[0].adjustments).toMatchObject([
      { amount: '1.6' },
      { amount: '-2.0', eligible: false },
      { amount: '-4.0', eligible: true },
    ]);
    expect([additional_tax_total, adjustment_total, total]).toEqual(['1.6', '-2.4', '22.6']);
  });

  test('follow quantity and destination', async () => {
    const tax = await aTax({ amount: '0.1' });
    const tote = await aSellableVariant({ price: '10', product: { tax_category_id: tax.category } });
    const order = await orderInState('delivery', { lines: [{ variant_id: tote.id, quantity: 1 }] });
    expect(order.tax_total).toBe('1.0');
    const path = `/orders/${order.number}/line_items/${order.line_items[0].id}`;
    const line = await api(order.caller).put(path, { line_item: { quantity: 2 } });
    expect(line.body).toMatchObject({ total: '22.0', adjustments: [{ amount: '2.0' }] });
    const abroad = { city: 'Berlin', zipcode: '10115', country: { iso: 'DE' }, state: { name: 'Berlin' } };
    const moved = await api(order.caller).put(`/orders/${order.number}`, {
      order: { ship_address: { id: order.ship_address.id, ...abroad } },
    });
    expect(moved.body).toMatchObject({ tax_total: '0.0', total: '20.0', line_items: [{ adjustments: [] }] });
  });

  test('on shipping are shown in the rates and added to the shipment', async () => {
    const tax = await aTax({ amount: '0.2', name: 'Sales tax' });
    const shipping_category_id = await createShippingCategory('5', { tax_category_id: tax.category });
    const tote = await aSellableVariant({ price: '10', product: { shipping_category_id } });
    const order = await orderInState('delivery', { lines: [{ variant_id: tote.id }] });
    expect(order).toMatchObject({
      ship_total: '5.0',
      tax_total: '1.0',
      total: '16.0',
      shipments: [
        {
          cost: '5.0',
          adjustments: [{ amount: '1.0', adjustable_type: 'Store::Shipment' }],
          shipping_rates: [{ cost: '5.0', display_cost: '$5.00 (+ $1.00 Sales tax)' }],
        },
      ],
    });
  });
});

test('a tax rate that is deleted before the order completes is not charged', async () => {
  const tax = await aTax({ amount: '0.5' });
  const tote = await aSellableVariant({ price: '10', product: { tax_category_id: tax.category } });
  const order = await orderInState('confirm', { lines: [{ variant_id: tote.id }] });
  expect((await showOrder(order)).total).toBe('20.0');
  await api(await anAdmin()).delete(`/tax_rates/${tax.rate}`);
  expect((await updateCheckout(order)).body).toMatchObject({
    state: 'complete',
    total: '15.0',
    tax_total: '0.0',
    payments: [{ amount: '15.0', state: 'pending' }],
  });
});

test('a tax rate that is deleted is not charged either when units become backordered', async () => {
  const tax = await aTax({ amount: '0.5' });
  const tote = await aSellableVariant({
    price: '10',
    stock: 1,
    backorderable: true,
    product: { tax_category_id: tax.category },
  });
  const order = await orderInState('confirm', { lines: [{ variant_id: tote.id }] });
  await api(await anAdmin()).delete(`/tax_rates/${tax.rate}`);
  await setStock(tote.id, { stock: 0, backorderable: true });
  expect((await updateCheckout(order)).body).toMatchObject({
    state: 'complete',
    total: '15.0',
    shipment_state: 'backorder',
    payments: [{ amount: '15.0', state: 'pending' }],
  });
});

test('of two tax rates only the deleted one is no longer charged', async () => {
  const [ended, kept] = [await aTax({ amount: '0.5' }), await aTax({ amount: '0.1' })];
  const lines = [];
  for (const { category } of [ended, kept]) {
    const { id } = await aSellableVariant({ price: '10', product: { tax_category_id: category } });
    lines.push({ variant_id: id });
  }
  const order = await orderInState('confirm', { lines });
  expect((await showOrder(order)).tax_total).toBe('6.0');
  await api(await anAdmin()).delete(`/tax_rates/${ended.rate}`);
  expect((await updateCheckout(order)).body).toMatchObject({
    state: 'complete',
    total: '26.0',
    tax_total: '1.0',
    payments: [{ amount: '26.0', state: 'pending' }],
  });
});

test('a tax rate that changes before the payment step is charged at its new value', async () => {
  const tax = await aTax({ amount: '0.1' });
  const tote = await aSellableVariant({ price: '10', product: { tax_category_id: tax.category } });
  const order = await orderInState('delivery', { lines: [{ variant_id: tote.id }] });
  expect(order.tax_total).toBe('1.0');
  await api(await anAdmin()).put(`/tax_rates/${tax.rate}`, { tax_rate: { amount: '0.2' } });
  expect((await updateCheckout(order)).body).toMatchObject({
    state: 'payment',
    tax_total: '2.0',
    total: '17.0',
  });
});

describe('packages', () => {
  test('are worth the prices of their line items', async () => {
    const shipping_category_id = await createShippingCategory('0', {
      calculator_type: 'price_sack',
      calculator_preferences: { minimal_amount: '50', normal_amount: '9', discount_amount: '0' },
    });
    const tote = await aSellableVariant({ price: '60', product: { shipping_category_id } });
    const order = await orderInState('delivery', { lines: [{ variant_id: tote.id }] });
    expect(order.ship_total).toBe('0.0');
    const line = `/orders/${order.number}/line_items/${order.line_items[0].id}`;
    await api(await anAdmin()).put(line, { line_item: { price: '10' } });
    expect((await updateCheckout(order)).body).toMatchObject({ state: 'delivery', ship_total: '9.0' });
  });

  test('a second stock location ships what the default one lacks, in its own shipment', async () => {
    const tote = await aSellableVariant({ stock: 2 });
    const depot = await aStockLocation();
    const item = await aStockItem({ stock_location_id: depot.id, variant_id: tote.id, count_on_hand: 5 });
    const order = await orderInState('complete', { lines: [{ variant_id: tote.id, quantity: 4 }] });
    expect(
      order.shipments.map((one: any) => [one.stock_location_name, one.manifest[0].quantity, one.cost]),
    ).toEqual([
      ['default', 2, '5.0'],
      [depot.name, 2, '5.0'],
    ]);
    expect(order.ship_total).toBe('10.0');
    expect(await getTotalOnHand(tote.id)).toBe(3);
    const left = await testDb()('stock_items').where({ id: item.id }).first('count_on_hand');
    expect(left.count_on_hand).toBe(3);
  });

  test('every package needs an available and a selected rate', async () => {
    const [category, other] = [await createShippingCategory('3'), await createShippingCategory('4')];
    const order = await orderInState('delivery', {
      lines: [
        { variant_id: (await aSellableVariant({ product: { shipping_category_id: category } })).id },
        { variant_id: (await aSellableVariant({ product: { shipping_category_id: other } })).id },
      ],
    });
    expect(order.shipments.map(({ cost }: any) => cost)).toEqual(['3.0', '4.0']);
    expect(order.ship_total).toBe('7.0');
  });

  test('backorderable variants are backordered; untracked variants are always in stock', async () => {
    const later = await aSellableVariant({ stock: 1, backorderable: true, price: '3' });
    const file = await aSellableVariant({ stock: 0, price: '2' });
    await api(await anAdmin()).put(`/variants/${file.id}`, { variant: { track_inventory: false } });
    const order = await orderInState('complete', {
      lines: [
        { variant_id: later.id, quantity: 3 },
        { variant_id: file.id, quantity: 2 },
      ],
    });
    const states: Record<string, number> = {};
    for (const { manifest } of order.shipments) {
      for (const entry of manifest) {
        for (const [state, count] of Object.entries(entry.states)) {
          states[`${entry.variant_id} ${state}`] = Number(count);
        }
      }
    }
    expect(states).toEqual({
      [`${later.id} on_hand`]: 1,
      [`${later.id} backordered`]: 2,
      [`${file.id} on_hand`]: 2,
    });
    expect(order.shipment_state).toBe('backorder');
    expect(await getTotalOnHand(later.id)).toBe(-2);
    expect(await getTotalOnHand(file.id)).toBeNull();
  });

  test('completion corrects units that were planned on hand but are out of stock', async () => {
    const tote = await aSellableVariant({ stock: 2, backorderable: true });
    const order = await orderInState('confirm', { lines: [{ variant_id: tote.id, quantity: 2 }] });
    expect(order.shipments[0].manifest[0].states).toEqual({ on_hand: 2 });
    await setStock(tote.id, { stock: 1, backorderable: true });
    const reply = await updateCheckout(order);
    expect(reply.body).toMatchObject({
      state: 'complete',
      shipment_state: 'backorder',
      shipments: [{ state: 'pending', manifest: [{ states: { on_hand: 1, backordered: 1 } }] }],
    });
  });

  test('stock in another location does not cover a shipment of this location', async () => {
    const tote = await aSellableVariant({ stock: 2 });
    const order = await orderInState('confirm', { lines: [{ variant_id: tote.id, quantity: 2 }] });
    await setStock(tote.id, { stock: 0 });
    await aStockItem({ variant_id: tote.id, count_on_hand: 9 });
    expect((await updateCheckout(order)).status).toBe(422);
    expect((await showOrder(order)).state).toBe('address');
    const again = await api(order.caller).put(`/checkouts/${order.number}/advance`);
    expect(again.body).toMatchObject({ state: 'complete' });
    expect(await getTotalOnHand(tote.id)).toBe(7);
  });

  test('shipments of a deactivated location are packed again from another location', async () => {
    const tote = await aSellableVariant({ stock: 0 });
    const depot = await aStockLocation();
    await aStockItem({ stock_location_id: depot.id, variant_id: tote.id, count_on_hand: 5 });
    const order = await orderInState('confirm', { lines: [{ variant_id: tote.id, quantity: 2 }] });
    expect(order.shipments).toMatchObject([{ stock_location_name: depot.name }]);
    const admin = api(await anAdmin());
    await admin.put(`/stock_locations/${depot.id}`, { stock_location: { active: false } });
    const refused = await updateCheckout(order);
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toMatchObject({
      base: ['Some line items in this order have insufficient quantity.'],
    });
    expect(await showOrder(order)).toMatchObject({
      state: 'address',
      shipments: [],
      payments: [{ state: 'checkout' }],
    });

    await setStock(tote.id, { stock: 2 });
    const again = await api(order.caller).put(`/checkouts/${order.number}/advance`);
    expect(again.body).toMatchObject({ state: 'complete', shipments: [{ stock_location_name: 'default' }] });
    expect(await getTotalOnHand(tote.id)).toBe(0);
  });
});
