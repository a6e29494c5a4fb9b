import { aCustomer, createAsAdmin } from '../../support/accounts.factory';
import { getPlaceIds } from '../../support/addresses.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import {
  aSellableVariant,
  buildMarylandAddress,
  getTotalOnHand,
  orderInState,
  showOrder,
  updateCheckout,
} from '../../support/orders.factory';
import { aPromotion } from '../../support/promotions.factory';
import { unique } from '../../support/unique';

/* Writes of nested records that travel with the update of their order: selected rates and new line items. */

/** Creates a shipping category with one method for each amount. */
async function aShippingCategory(...amounts: string[]): Promise<number> {
  const { id } = await createAsAdmin('/shipping_categories', {
    shipping_category: { name: unique('class') },
  });
  const zone = await testDb()('zones').where({ name: 'North America' }).first('id');
  for (const amount of amounts) {
    await createAsAdmin('/shipping_methods', {
      shipping_method: {
        name: unique('Post'),
        calculator_type: 'flat_rate',
        calculator_preferences: { amount },
        zone_ids: [zone.id],
        shipping_category_ids: [id],
      },
    });
  }
  return id;
}

/** Builds the body that selects the rate of this cost for the first shipment. */
function select({ shipments: [shipment] }: any, cost: string): { order: any } {
  const rate = shipment.shipping_rates.find((one: any) => one.cost === cost);
  return { order: { shipments_attributes: [{ id: shipment.id, selected_shipping_rate_id: rate.id }] } };
}

/** Expects the reply of a change to be what a GET shows afterwards. */
async function expectStored(order: any, reply: { status: number; body: any }): Promise<any> {
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual(await showOrder(order));
  return reply.body;
}

test('a selected rate is stored with the step that follows', async () => {
  const shipping_category_id = await aShippingCategory('3', '7.5');
  const variant = await aSellableVariant({ price: '10', product: { shipping_category_id } });
  const order = await orderInState('delivery', { lines: [{ variant_id: variant.id, quantity: 1 }] });
  const body = await expectStored(order, await updateCheckout(order, select(order, '7.5')));
  expect(body).toMatchObject({
    state: 'payment',
    ship_total: '7.5',
    total: '17.5',
    shipments: [{ cost: '7.5', selected_shipping_rate: { cost: '7.5' } }],
  });
  expect(body.shipments[0].updated_at > order.shipments[0].updated_at).toBe(true);
});

test('the last of several choices for one shipment is selected', async () => {
  const shipping_category_id = await aShippingCategory('3', '4', '5');
  const variant = await aSellableVariant({ product: { shipping_category_id } });
  const order = await orderInState('delivery', { lines: [{ variant_id: variant.id }] });
  const [{ order: first }, { order: last }] = [select(order, '4.0'), select(order, '5.0')];
  const shipments_attributes = [...first.shipments_attributes, ...last.shipments_attributes];
  const reply = await updateCheckout(order, { order: { shipments_attributes } });
  expect(await expectStored(order, reply)).toMatchObject({ ship_total: '5.0' });
});

test('a rate that makes the order free is stored before the order is completed', async () => {
  const shipping_category_id = await aShippingCategory('0', '5');
  const gift = await aSellableVariant({ price: '0', stock: 3, product: { shipping_category_id } });
  const order = await orderInState('delivery', { lines: [{ variant_id: gift.id, quantity: 2 }] });
  const charged = await api(order.caller).put(`/orders/${order.number}`, select(order, '5.0'));
  expect(charged.body).toMatchObject({ state: 'delivery', total: '5.0' });
  const body = await expectStored(order, await updateCheckout(order, select(order, '0.0')));
  expect(body).toMatchObject({ state: 'complete', total: '0.0', shipments: [{ cost: '0.0' }] });
  expect(await getTotalOnHand(gift.id)).toBe(1);
});

test('a rate of a shipment that a new address deletes is not stored', async () => {
  const order = await orderInState('delivery');
  const rates = order.shipments[0].shipping_rates;
  const { country_id, state_id } = await getPlaceIds('US', 'CA');
  const ship_address_attributes = { ...(await buildMarylandAddress()), country_id, state_id };
  const selected = select(order, rates.at(-1).cost);
  const reply = await updateCheckout(order, { order: { ...selected.order, ship_address_attributes } });
  expect(reply.status).toBe(200);
  expect(reply.body.shipments).not.toMatchObject([{ id: order.shipments[0].id }]);
});

test('a selected rate is stored before the nested records are read again', async () => {
  const ann = await aCustomer();
  // Her card becomes the default one, which the next order gets in the same step.
  await orderInState('complete', { caller: ann });
  const shipping_category_id = await aShippingCategory('3', '6');
  const variant = await aSellableVariant({ product: { shipping_category_id } });
  const order = await orderInState('delivery', { caller: ann, lines: [{ variant_id: variant.id }] });
  const body = await expectStored(order, await updateCheckout(order, select(order, '6.0')));
  expect(body).toMatchObject({
    ship_total: '6.0',
    shipments: [{ cost: '6.0' }],
    payments: [{ state: 'checkout' }],
  });
});

describe('in a shop with promotions', () => {
  test('a selected rate is discounted and stored', async () => {
    const shipping_category_id = await aShippingCategory('3', '8');
    const variant = await aSellableVariant({ price: '10', product: { shipping_category_id } });
    const { code } = await aPromotion({ actions: [{ type: 'free_shipping' }] });
    const order = await orderInState('delivery', { lines: [{ variant_id: variant.id, quantity: 1 }] });
    await api(order.caller).put(`/orders/${order.number}`, { order: { coupon_code: code } });
    const { body } = await updateCheckout(order, select(order, '8.0'));
    const { id, cost, updated_at } = (await showOrder(order)).shipments[0];
    expect(body.shipments).toMatchObject([{ id, cost, updated_at }]);
    expect(body).toMatchObject({ ship_total: '8.0', adjustment_total: '-8.0', total: '10.0' });
  });

  test('a new line item is stored before its order', async () => {
    await aPromotion();
    const order = await orderInState('cart');
    const { id } = await aSellableVariant({ price: '4' });
    const added = await api(order.caller).post(`/orders/${order.number}/line_items`, { variant_id: id });
    expect((await showOrder(order)).line_items.map((line: any) => line.id)).toContain(added.body.id);
  });
});
