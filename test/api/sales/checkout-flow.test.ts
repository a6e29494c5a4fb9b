import { anAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import {
  aSellableVariant,
  buildMarylandAddress,
  orderInState,
  buildPaymentBody,
} from '../../support/orders.factory';

describe('a checkout from cart to complete', () => {
  test('a guest buys two totes by card', async () => {
    const variant = await aSellableVariant({ stock: 10, price: '15.99' });
    const opened = await api().post('/orders.json');
    expect(opened.status).toBe(201);
    expect(opened.body).toMatchObject({
      state: 'cart',
      total: '0.0',
      checkout_steps: ['address', 'delivery', 'complete'],
    });

    const { number, token } = opened.body;
    const shopper = api({ orderToken: token });
    const line = await shopper.post(`/orders/${number}/line_items.json`, {
      line_item: { variant_id: variant.id, quantity: 1 },
    });
    expect(line.status).toBe(201);
    const again = await shopper.post(`/orders/${number}/line_items.json`, {
      line_item: { variant_id: variant.id, quantity: 1 },
    });
    expect(again.body).toMatchObject({
      id: line.body.id,
      quantity: 2,
      price: '15.99',
      total: '31.98',
      display_total: '$31.98',
    });

    const toAddress = await shopper.put(`/checkouts/${number}/next.json`);
    expect(toAddress.body).toMatchObject({
      state: 'address',
      total: '31.98',
      total_quantity: 2,
      checkout_steps: ['address', 'delivery', 'payment', 'confirm', 'complete'],
    });
    const early = await shopper.put(`/checkouts/${number}/next.json`);
    expect(early.status).toBe(422);
    expect(early.body).toEqual({
      error: 'The order could not be transitioned. Please fix the errors and try again.',
      errors: { email: ["can't be blank"] },
    });

    const address = await buildMarylandAddress();
    const toDelivery = await shopper.put(`/checkouts/${number}.json`, {
      order: { email: 'ann@example.com', bill_address_attributes: address, ship_address_attributes: address },
    });
    expect(toDelivery.status).toBe(200);
    expect(toDelivery.body).toMatchObject({ state: 'delivery', ship_total: '5.0', total: '36.98' });
    const [shipment] = toDelivery.body.shipments;
    expect(shipment.manifest).toEqual([{ variant_id: variant.id, quantity: 2, states: { on_hand: 2 } }]);
    expect(shipment.selected_shipping_rate).toMatchObject({
      name: 'UPS Ground (USD)',
      cost: '5.0',
      display_cost: '$5.00',
    });

    const twoDay = shipment.shipping_rates.find((rate: any) => rate.cost === '10.0');
    const toPayment = await shopper.put(`/checkouts/${number}.json`, {
      order: { shipments_attributes: { 0: { id: shipment.id, selected_shipping_rate_id: twoDay.id } } },
    });
    expect(toPayment.body).toMatchObject({ state: 'payment', ship_total: '10.0', total: '41.98' });
    expect(toPayment.body.payment_methods.map((method: any) => method.name)).toEqual([
      'Credit Card',
      'Check',
    ]);

    const toConfirm = await shopper.put(`/checkouts/${number}.json`, await buildPaymentBody());
    expect(toConfirm.body).toMatchObject({
      state: 'confirm',
      payments: [{ amount: '41.98', state: 'checkout', source: { last_digits: '1111' } }],
    });

    const complete = await shopper.put(`/checkouts/${number}.json`);
    expect(complete.status).toBe(200);
    expect(complete.body).toMatchObject({
      state: 'complete',
      payment_state: 'balance_due',
      shipment_state: 'pending',
      payment_total: '0.0',
      payments: [{ state: 'pending', avs_response: 'D' }],
    });
    const repeated = await shopper.put(`/checkouts/${number}.json`);
    expect(repeated.body).toEqual(complete.body);
    const stock = await api(await anAdmin()).get(`/variants/${variant.id}`);
    expect(stock.body.total_on_hand).toBe(8);
  });

  test('a check payment stays in checkout until it is captured', async () => {
    const order = await orderInState('complete', { method: 'Check' });
    expect(order).toMatchObject({
      state: 'complete',
      payment_state: 'balance_due',
      payments: [{ state: 'checkout' }],
    });
  });
});
