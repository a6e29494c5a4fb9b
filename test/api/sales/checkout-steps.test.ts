import { aCustomer, anAdmin } from '../../support/accounts.factory';
import { getPlaceIds } from '../../support/addresses.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import {
  aSellableVariant,
  buildMarylandAddress,
  getPaymentMethodId,
  getTotalOnHand,
  orderInState,
  buildPaymentBody,
  setStock,
  type ReachableState,
  showOrder,
  updateCheckout,
} from '../../support/orders.factory';
import { getDefaultLocationId } from '../../support/shipments.factory';
import { NOT_TRANSITIONED } from '../../support/error-bodies';

const INSUFFICIENT = 'Some line items in this order have insufficient quantity.';
const buildRefusal = (errors: object): unknown[] => [422, { error: NOT_TRANSITIONED, errors }];

/** Builds the errors of an order whose only line item has a shortage. */
function buildShortage({ line_items: [line] }: any, available: number): object {
  const { id, variant_id, quantity: requested, variant } = line;
  return { base: [INSUFFICIENT], line_items: [{ id, variant_id, sku: variant.sku, requested, available }] };
}

const next = (order: any) => api(order.caller).put(`/checkouts/${order.number}/next.json`);
const getState = async (order: any): Promise<string> => (await showOrder(order)).state;

describe('requirements of each step', () => {
  test('cart: at least one line', async () => {
    const opened = (await api().post('/orders')).body;
    const cart = { ...opened, caller: { orderToken: opened.token } };
    const reply = await next(cart);
    expect([reply.status, reply.body]).toEqual(
      buildRefusal({
        base: ['There are no items for this order. Please add an item to the order to continue.'],
      }),
    );
    expect(await getState(cart)).toBe('cart');
  });

  test('cart does not require an e-mail, address does', async () => {
    const order = await orderInState('cart');
    expect((await next(order)).body.state).toBe('address');
    const reply = await next(order);
    expect([reply.status, reply.body]).toEqual(buildRefusal({ email: ["can't be blank"] }));
    expect(await getState(order)).toBe('address');
  });

  test('address: an e-mail, then both addresses, then shipping rates', async () => {
    const order = await orderInState('address');
    const address = await buildMarylandAddress();
    const withEmail = await updateCheckout(order, { order: { email: 'ann@example.com' } });
    expect([withEmail.status, withEmail.body]).toEqual(
      buildRefusal({ bill_address: ["can't be blank"], ship_address: ["can't be blank"] }),
    );
    // Attributes saved before the failed step stay.
    expect(await showOrder(order)).toMatchObject({ state: 'address', email: 'ann@example.com' });
    const withBill = await updateCheckout(order, { order: { bill_address_attributes: address } });
    expect(withBill.body.errors).toEqual({ ship_address: ["can't be blank"] });

    const abroad = {
      ...address,
      zipcode: '10115',
      country_id: undefined,
      state_id: undefined,
      country: { iso: 'DE' },
      state: { name: 'Berlin' },
    };
    const unreachable = await updateCheckout(order, { order: { ship_address_attributes: abroad } });
    expect([unreachable.status, unreachable.body]).toEqual(
      buildRefusal({ base: ['We are unable to calculate shipping rates for the selected items.'] }),
    );
    expect(await showOrder(order)).toMatchObject({
      state: 'address',
      shipments: [],
      ship_address: { zipcode: '10115' },
    });
    const reached = await updateCheckout(order, { order: { use_billing: true } });
    expect([reached.status, reached.body]).toMatchObject([200, { state: 'delivery', ship_total: '5.0' }]);
  });

  test('address: shipments that an admin created are removed if no shipping method serves the address', async () => {
    const order = await orderInState('address');
    const { id: variant_id } = await aSellableVariant();
    const stock_location_id = await getDefaultLocationId();
    const whole = { order_id: order.number, stock_location_id, variant_id, quantity: 1 };
    expect((await api(await anAdmin()).post('/shipments', whole)).status).toBe(200);
    expect((await showOrder(order)).shipments).toHaveLength(1);
    const address = { ...(await buildMarylandAddress()), state_id: undefined, country_id: undefined };
    const abroad = { ...address, zipcode: '10115', country: { iso: 'DE' }, state: { name: 'Berlin' } };
    const addresses = { bill_address_attributes: abroad, ship_address_attributes: abroad };
    const reply = await updateCheckout(order, { order: { email: 'ann@example.com', ...addresses } });
    expect([reply.status, reply.body]).toEqual(
      buildRefusal({ base: ['We are unable to calculate shipping rates for the selected items.'] }),
    );
    expect(await showOrder(order)).toMatchObject({ state: 'address', shipments: [], ship_total: '0.0' });
  });

  test('an invalid address changes nothing', async () => {
    const order = await orderInState('address');
    const address = await buildMarylandAddress();
    const reply = await updateCheckout(order, {
      order: {
        email: 'ann@example.com',
        bill_address_attributes: { ...address, firstname: '', phone: null },
        ship_address_attributes: address,
      },
    });
    expect([reply.status, reply.body]).toEqual([
      422,
      {
        error: 'Invalid resource. Please fix errors and try again.',
        errors: { 'bill_address.firstname': ["can't be blank"], 'bill_address.phone': ["can't be blank"] },
      },
    ]);
    expect(await showOrder(order)).toMatchObject({ state: 'address', email: null, ship_address: null });
  });

  test('a state of another country returns 422', async () => {
    const order = await orderInState('address');
    const address = await buildMarylandAddress();
    const { state_id } = await getPlaceIds('CA', 'ON');
    const reply = await updateCheckout(order, {
      order: { ship_address_attributes: { ...address, state_id } },
    });
    // The e-mail, which is missing too, is reported at once.
    expect(reply.body.errors).toEqual({
      'ship_address.state': ['is invalid'],
      email: ["can't be blank"],
    });
  });

  test('delivery: a selected rate for every shipment', async () => {
    const order = await orderInState('delivery');
    await testDb()('shipping_rates')
      .where({ shipment_id: order.shipments[0].id })
      .update({ selected: false });
    const reply = await next(order);
    expect([reply.status, reply.body]).toEqual(
      buildRefusal({ base: ['Please select a shipping rate for every shipment'] }),
    );
  });

  test('payment: a payment', async () => {
    const order = await orderInState('payment');
    const reply = await next(order);
    expect([reply.status, reply.body]).toEqual(buildRefusal({ base: ['No payment found'] }));
    const invalid = await orderInState('confirm');
    await api(await anAdmin()).put(`/orders/${invalid.number}/payments/${invalid.payments[0].id}/void`);
    const voided = await next(invalid);
    expect([voided.status, voided.body]).toEqual(buildRefusal({ base: ['No payment found'] }));
  });

  test('the e-mail cannot be removed from delivery on', async () => {
    const order = await orderInState('delivery');
    const reply = await updateCheckout(order, { order: { email: '' } });
    expect([reply.status, reply.body.errors]).toEqual([422, { email: ["can't be blank"] }]);
    expect(await showOrder(order)).toMatchObject({ state: 'delivery', email: 'ann@example.com' });
    // Replacing the e-mail keeps the state.
    const changed = await api(order.caller).put(`/orders/${order.number}`, {
      order: { email: 'b@example.com' },
    });
    expect(changed.body).toMatchObject({ state: 'delivery', email: 'b@example.com' });
    expect(changed.body.shipments.map(({ id }: any) => id)).toEqual(order.shipments.map(({ id }: any) => id));
  });
});

describe('next, advance and update', () => {
  test('advance goes as far as possible and does not report why it stopped', async () => {
    const order = await orderInState('cart');
    const advance = () => api(order.caller).put(`/checkouts/${order.number}/advance.json`);
    const early = await advance();
    expect([early.status, early.body.state]).toEqual([200, 'address']);
    const address = await buildMarylandAddress();
    await api(order.caller).put(`/orders/${order.number}`, {
      order: { email: 'ann@example.com', bill_address: address, ship_address: address },
    });
    expect((await advance()).body).toMatchObject({ state: 'payment', total: '36.98' });
    const { order: attributes, payment_source } = Object(await buildPaymentBody());
    await api(order.caller).put(`/orders/${order.number}`, { order: attributes, payment_source });
    expect((await advance()).body).toMatchObject({ state: 'complete', payments: [{ state: 'pending' }] });
    expect((await advance()).body.state).toBe('complete');
  });

  test('advance stops before a declined payment', async () => {
    const declined = {
      number: '4000000000000002',
      month: '1',
      year: '2035',
      verification_value: '1',
      name: 'A',
    };
    const order = await orderInState('confirm', { card: declined });
    const reply = await api(order.caller).put(`/checkouts/${order.number}/advance`);
    expect([reply.status, reply.body]).toMatchObject([
      200,
      { state: 'confirm', payments: [{ state: 'failed' }] },
    ]);
  });

  test('for a complete order next returns 422 and update returns it unchanged, also twice', async () => {
    const order = await orderInState('complete');
    const reply = await next(order);
    expect([reply.status, reply.body]).toEqual(buildRefusal({ state: ['cannot transition via "next"'] }));
    const shown = await showOrder(order);
    const body = {
      order: { email: 'other@example.com', line_items: [{ id: order.line_items[0].id, quantity: 9 }] },
    };
    for (const sent of [body, body, await buildPaymentBody(), { order: { existing_card: '999999' } }, {}]) {
      const again = await updateCheckout(order, sent);
      expect([again.status, again.body]).toEqual([200, shown]);
    }
  });

  test.each(['delivery', 'payment', 'confirm'] as const)(
    'in %s `state` accepts earlier steps only',
    async (state: ReachableState) => {
      const order = await orderInState(state);
      const put = (wanted: unknown) => updateCheckout(order, { order: {}, state: wanted });
      // Back to address, and from there one step forward with new shipments.
      const back = await put('address');
      expect([back.status, back.body.state]).toEqual([200, 'delivery']);
      expect(back.body.shipments[0].id).not.toBe(order.shipments[0].id);
      const forward = await put('complete');
      expect(forward.body.state).toBe('payment');
    },
  );

  test('`state` inside the order is ignored', async () => {
    const order = await orderInState('payment');
    const reply = await updateCheckout(order, {
      order: { state: 'cart', ...Object(await buildPaymentBody({ method: 'Check' })).order },
    });
    expect([reply.status, reply.body.state]).toEqual([200, 'confirm']);
    expect(reply.headers['x-ignored-parameters']).toBeUndefined();
  });

  test('a payment sent twice for the state `payment` does not buy', async () => {
    const order = await orderInState('payment');
    const body = { ...(await buildPaymentBody()), state: 'payment' };
    for (const states of [['checkout'], ['invalid', 'checkout']]) {
      const reply = await updateCheckout(order, body);
      expect([reply.status, reply.body.state]).toEqual([200, 'confirm']);
      expect(reply.body.payments.map(({ state }: any) => state)).toEqual(states);
    }
    expect((await updateCheckout(order)).body.state).toBe('complete');
  });

  test('PUT orders ignores `state`', async () => {
    const order = await orderInState('payment');
    const reply = await api(order.caller).put(`/orders/${order.number}`, { order: {}, state: 'cart' });
    expect([reply.status, reply.body.state]).toEqual([200, 'payment']);
  });

  test.each(['payment', 'confirm'] as const)('in %s a selected rate keeps the state', async (state) => {
    const order = await orderInState(state);
    const { id, shipping_rates } = order.shipments[0];
    const choose = (rate: number, rest = {}) =>
      updateCheckout(order, {
        order: { shipments_attributes: [{ id, selected_shipping_rate_id: shipping_rates[rate].id }] },
        ...rest,
      });
    for (const rate of [1, 1]) {
      const reply = await choose(rate);
      expect([reply.status, reply.body]).toMatchObject([200, { state, ship_total: '10.0', total: '41.98' }]);
    }
    // A payment is what the next step needs.
    const { order: paid, ...source } = Object(await buildPaymentBody());
    const stepped = await updateCheckout(order, {
      order: { ...paid, shipments_attributes: [{ id, selected_shipping_rate_id: shipping_rates[0].id }] },
      ...source,
    });
    expect([stepped.status, stepped.body]).toMatchObject([
      200,
      { state: state === 'payment' ? 'confirm' : 'complete', total: '36.98' },
    ]);
  });

  test('a rate selected after going back to `delivery` takes the step', async () => {
    const order = await orderInState('confirm');
    const { id, shipping_rates } = order.shipments[0];
    const reply = await updateCheckout(order, {
      order: { shipments_attributes: [{ id, selected_shipping_rate_id: shipping_rates[1].id }] },
      state: 'delivery',
    });
    expect([reply.status, reply.body]).toMatchObject([200, { state: 'payment', total: '41.98' }]);
  });

  test.each(['cart', 'address', 'delivery', 'payment', 'confirm', 'complete'] as const)(
    'payment_methods are shown in payment and confirm only: %s',
    async (state) => {
      const order = await orderInState(state);
      const check = { id: await getPaymentMethodId('Check'), name: 'Check', method_type: 'check' };
      const isShown = state === 'payment' || state === 'confirm';
      for (const { payment_methods } of [order, await showOrder(order)]) {
        if (isShown) expect(payment_methods).toContainEqual(check);
        else expect(payment_methods).toBeUndefined();
      }
    },
  );

  test('the e-mail can be removed after going back to the cart', async () => {
    const order = await orderInState('payment');
    const reply = await updateCheckout(order, { order: { email: '' }, state: 'cart' });
    expect([reply.status, reply.body]).toMatchObject([200, { state: 'address', email: null }]);
  });

  test('checkout_steps lists the steps, fewer for a free order', async () => {
    const paid = await orderInState('cart');
    expect(paid.checkout_steps).toEqual(['address', 'delivery', 'payment', 'confirm', 'complete']);
    const free = await orderInState('cart', {
      lines: [{ variant_id: (await aSellableVariant({ price: '0' })).id }],
    });
    expect(free.checkout_steps).toEqual(['address', 'delivery', 'complete']);
  });

  test('an order of a customer starts with the saved addresses', async () => {
    const ann = await aCustomer();
    const first = await orderInState('delivery', { caller: ann });
    const second = await orderInState('cart', { caller: ann });
    const stepped = await next(second);
    expect(stepped.body).toMatchObject({
      state: 'address',
      bill_address: { full_name: 'Ann Lee', city: 'Bethesda' },
      ship_address: { full_name: 'Ann Lee' },
    });
    const ids = [first, stepped.body].flatMap((one) => [one.bill_address.id, one.ship_address.id]);
    expect(new Set(ids).size).toBe(4);
    // The order keeps its own copy, also when the saved address changes.
    await api(ann).put(`/users/${ann.id}`, {
      user: { ship_address: { ...(await buildMarylandAddress()), city: 'Rockville' } },
    });
    expect((await showOrder(second)).ship_address.city).toBe('Bethesda');
    expect((await next(second)).body.state).toBe('delivery');
  });

  test('other callers cannot change the checkout', async () => {
    const order = await orderInState('address');
    for (const caller of [{}, await aCustomer(), { orderToken: 'wrong' }]) {
      for (const step of ['/next', '/advance', '']) {
        expect((await api(caller).put(`/checkouts/${order.number}${step}`)).status).toBe(401);
      }
    }
    expect((await api(order.caller).put('/checkouts/R000000000/next')).status).toBe(404);
    expect(await getState(order)).toBe('address');
  });

  test('details of invalid input are returned only to callers who may see the order', async () => {
    const order = await orderInState('address');
    const body = { order: { email: { a: 1 } } };
    expect((await api().put(`/checkouts/${order.number}`, body)).status).toBe(401);
    expect((await api().put('/checkouts/R000000000', body)).status).toBe(404);
    expect((await updateCheckout(order, body)).status).toBe(422);
  });
});

describe('selecting shipping rates', () => {
  test('updates the costs immediately', async () => {
    const order = await orderInState('delivery');
    const [shipment] = order.shipments;
    const mostExpensive = shipment.shipping_rates.at(-1);
    const reply = await updateCheckout(order, {
      order: {
        shipments_attributes: { 0: { id: String(shipment.id), selected_shipping_rate_id: mostExpensive.id } },
      },
    });
    expect(reply.body).toMatchObject({
      state: 'payment',
      ship_total: mostExpensive.cost,
      shipments: [
        { cost: mostExpensive.cost, selected_shipping_rate: { id: mostExpensive.id, selected: true } },
      ],
    });
    const selected = reply.body.shipments[0].shipping_rates.filter((rate: any) => rate.selected);
    expect(selected).toHaveLength(1);
  });

  test('rates and shipments of other orders return 422', async () => {
    const [order, other] = [await orderInState('delivery'), await orderInState('delivery')];
    const choose = (choice: object) => updateCheckout(order, { order: { shipments_attributes: [choice] } });
    const [own, foreign] = [order.shipments[0], other.shipments[0]];
    const rate = await choose({ id: own.id, selected_shipping_rate_id: foreign.shipping_rates[1].id });
    expect([rate.status, rate.body.errors]).toEqual([
      422,
      { 'shipments.selected_shipping_rate_id': ['is invalid'] },
    ]);
    const shipment = await choose({
      id: foreign.id,
      selected_shipping_rate_id: foreign.shipping_rates[1].id,
    });
    expect(shipment.status).toBe(422);
    expect((await showOrder(other)).ship_total).toBe('5.0');
  });
});

describe('a change during checkout', () => {
  test.each(['delivery', 'payment', 'confirm'] as const)(
    'of the cart in %s goes back to address',
    async (state) => {
      const order = await orderInState(state);
      const path = `/orders/${order.number}/line_items/${order.line_items[0].id}`;
      expect((await api(order.caller).put(path, { line_item: { quantity: 1 } })).status).toBe(200);
      const shown = await showOrder(order);
      expect(shown).toMatchObject({ state: 'address', ship_total: '0.0', shipments: [], total: '15.99' });
      expect(shown.payments).toHaveLength(order.payments.length);
    },
  );

  test('of the destination goes back to address, and the same request goes on with new shipments', async () => {
    const order = await orderInState('payment');
    const address = { ...(await buildMarylandAddress()), zipcode: '20815' };
    const reply = await updateCheckout(order, { order: { ship_address_attributes: address } });
    expect([reply.status, reply.body]).toMatchObject([200, { state: 'delivery', ship_total: '5.0' }]);
    expect(reply.body.shipments[0].id).not.toBe(order.shipments[0].id);
  });

  test('of other fields of the ship address, or of the bill address, keeps the state', async () => {
    const order = await orderInState('payment');
    const address = { ...(await buildMarylandAddress()), address1: '14 Oak St' };
    const reply = await updateCheckout(order, {
      order: { ship_address_attributes: address, bill_address_attributes: { ...address, zipcode: '20815' } },
    });
    expect([reply.status, reply.body.errors]).toEqual([422, { base: ['No payment found'] }]);
    expect(await showOrder(order)).toMatchObject({
      state: 'payment',
      ship_address: { address1: '14 Oak St' },
      bill_address: { zipcode: '20815' },
      shipments: [{ id: order.shipments[0].id }],
    });
  });
});

describe('a shortage', () => {
  test.each(['cart', 'address', 'delivery', 'payment'] as const)('in %s fails the step', async (state) => {
    const tote = await aSellableVariant({ stock: 2 });
    const order = await orderInState(state, { lines: [{ variant_id: tote.id, quantity: 2 }] });
    await setStock(tote.id, { stock: 1 });
    const address = await buildMarylandAddress();
    const attributes = { email: 'ann@example.com', bill_address: address, ship_address: address };
    const reply =
      state === 'address' ? await updateCheckout(order, { order: attributes }) : await next(order);
    expect([reply.status, reply.body]).toEqual(buildRefusal(buildShortage(order, 1)));
    expect(await getState(order)).toBe(state);
  });

  test('at completion goes back to address and charges nothing', async () => {
    const tote = await aSellableVariant({ stock: 2 });
    const order = await orderInState('confirm', { lines: [{ variant_id: tote.id, quantity: 2 }] });
    await setStock(tote.id, { stock: 1 });
    const reply = await next(order);
    expect([reply.status, reply.body]).toEqual(buildRefusal(buildShortage(order, 1)));
    expect(await showOrder(order)).toMatchObject({
      state: 'address',
      shipments: [],
      completed_at: null,
      payments: [{ state: 'checkout' }],
    });
    expect(await getTotalOnHand(tote.id)).toBe(1);
    // With fewer units the order completes, with the payment added before.
    await api(order.caller).put(`/orders/${order.number}/line_items/${order.line_items[0].id}`, {
      line_item: { quantity: 1 },
    });
    const bought = await api(order.caller).put(`/checkouts/${order.number}/advance`);
    expect(bought.body).toMatchObject({
      state: 'complete',
      total: '20.99',
      payments: [{ state: 'pending', amount: '20.99' }],
    });
    expect(await getTotalOnHand(tote.id)).toBe(0);
  });

  test('a variant that is no longer sold goes back to address', async () => {
    const tote = await aSellableVariant();
    const order = await orderInState('confirm', { lines: [{ variant_id: tote.id }] });
    await api(await anAdmin()).delete(`/products/${tote.product_id}`);
    const reply = await next(order);
    expect([reply.status, reply.body]).toEqual(
      buildRefusal({ base: ['Some line items in this order have products that are no longer available.'] }),
    );
    const shown = await showOrder(order);
    expect(shown).toMatchObject({ state: 'address', line_items: [{ variant: { is_destroyed: true } }] });
  });
});
