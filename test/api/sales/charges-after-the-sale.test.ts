import { asAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { createGermanShop, type GermanShop } from '../../support/german-shop';
import { expectNoViolations } from '../../support/invariants';
import { unique } from '../../support/unique';
import { aSellableVariant, buildPaymentBody, GOOD_CARD, orderInState } from '../../support/orders.factory';
import { aPromotion } from '../../support/promotions.factory';
import { findViolations } from '../../../src/sales/verify/find-violations';
import { getDefaultLocationId, readOrder } from '../../support/shipments.factory';

/** Lists what was charged for the first line item of an order, discounts first, and the total of the order. */
function listCharges(order: any): unknown[] {
  const [line] = order.line_items;
  const amounts: string[] = line.adjustments.map(({ amount }: any) => amount);
  return [line.total, amounts.sort((one, other) => Number(one) - Number(other)), order.total];
}

describe('in the US, with a sales tax of 9.06 percent', () => {
  let zone_id: number;
  let tax_category_id: number;

  beforeAll(async () => {
    zone_id = (await testDb()('zones').where({ name: 'North America' }).first('id')).id;
    tax_category_id = (await testDb()('tax_categories').where({ is_default: true }).first('id')).id;
    await aRate({ name: 'Sales tax', amount: '0.0906' });
  });

  async function aRate(tax_rate: object): Promise<number> {
    const reply = await (
      await asAdmin()
    ).post('/tax_rates', { tax_rate: { zone_id, tax_category_id, ...tax_rate } });
    expect(reply.status).toBe(201);
    return reply.body.id;
  }

  /** Creates a complete order of `quantity` pieces, at 15.99 unless they are given, with a coupon of these actions. */
  async function sell(quantity: number, actions?: object[], of?: { id: number }): Promise<any> {
    const variant = of ?? (await aSellableVariant({ stock: 50 }));
    const order = await orderInState('payment', { lines: [{ variant_id: variant.id, quantity }] });
    const shopper = api(order.caller);
    if (actions !== undefined) {
      const { code } = await aPromotion({ actions });
      await shopper.put(`/orders/${order.number}/apply_coupon_code`, { coupon_code: code });
    }
    await shopper.put(`/checkouts/${order.number}`, await buildPaymentBody());
    const { body } = await shopper.put(`/checkouts/${order.number}/advance`);
    expect(body.state).toBe('complete');
    return body;
  }

  async function changeLine(order: any, line_item: object): Promise<unknown[]> {
    const path = `/orders/${order.number}/line_items/${order.line_items[0].id}`;
    expect((await (await asAdmin()).put(path, { line_item })).status).toBe(200);
    await expectNoViolations({ order_ids: [order.id] });
    return listCharges(await readOrder(order.number));
  }

  test('the tax follows the quantity both ways and the price', async () => {
    const order = await sell(1);
    expect(listCharges(order)).toEqual(['17.44', ['1.45'], '22.44']);
    expect((await changeLine(order, { quantity: 10 })).slice(0, 2)).toEqual(['174.39', ['14.49']]);
    expect((await changeLine(order, { quantity: 1 })).slice(0, 2)).toEqual(['17.44', ['1.45']]);
    expect((await changeLine(order, { price: '100' })).slice(0, 2)).toEqual(['109.06', ['9.06']]);
    const { additional_tax_total, tax_total } = await readOrder(order.number);
    expect([additional_tax_total, tax_total]).toEqual(['9.06', '9.06']);
  });

  test('the tax of ten pieces becomes that of one', async () => {
    const order = await sell(10);
    expect(listCharges(order).slice(0, 2)).toEqual(['174.39', ['14.49']]);
    expect((await changeLine(order, { quantity: 1 })).slice(0, 2)).toEqual(['17.44', ['1.45']]);
  });

  test('a coupon of 10 percent and the tax after it follow the quantity, after the promotion has ended', async () => {
    const order = await sell(1, [{ type: 'order_percent', percent: '10' }]);
    // 15.99 - 1.60 = 14.39; 14.39 x 0.0906 = 1.3037
    expect(listCharges(order).slice(0, 2)).toEqual(['15.69', ['-1.6', '1.3']]);
    await testDb()('promotions').update({ expires_at: new Date() });
    await testDb()('promotion_actions').update({ percent: '90' }).whereNotNull('percent');
    // 159.90 - 15.99 = 143.91; 143.91 x 0.0906 = 13.0382
    expect((await changeLine(order, { quantity: 10 })).slice(0, 2)).toEqual(['156.95', ['-15.99', '13.04']]);
    expect((await changeLine(order, { quantity: 1 })).slice(0, 2)).toEqual(['15.69', ['-1.6', '1.3']]);
  });

  test('a flat coupon shrinks with its line item and grows back to what it was', async () => {
    const order = await sell(2, [{ type: 'order_amount', amount: '20' }]);
    expect(listCharges(order)).toMatchObject(['13.07', ['-20.0', '1.09'], '18.07']);
    expect(await changeLine(order, { quantity: 1 })).toMatchObject(['6.53', ['-10.0', '0.54'], '11.53']);
    expect(await changeLine(order, { quantity: 10 })).toMatchObject(['152.57', ['-20.0', '12.67'], '157.57']);
    expect(await changeLine(order, { quantity: 2 })).toEqual(listCharges(order));
  });

  test('a discount that becomes zero is not listed, and comes back', async () => {
    const order = await sell(1, [{ type: 'line_amount', amount: '5' }]);
    expect(await changeLine(order, { price: '0' })).toEqual(['0.0', [], '5.0']);
    expect(await changeLine(order, { price: '15.99' })).toEqual(listCharges(order));
  });

  test('a line item that is added later keeps the taxes of its day, and gets no promotion', async () => {
    const order = await sell(1, [{ type: 'line_percent', percent: '10' }]);
    const added = await aSellableVariant({ price: '100', stock: 20 });
    const admin = await asAdmin();
    const reply = await admin.post(`/orders/${order.number}/line_items`, {
      line_item: { variant_id: added.id },
    });
    expect(reply.body.adjustments).toMatchObject([{ amount: '9.06', locked: true }]);
    const sold = await readOrder(order.number);

    const later = await aRate({ name: 'New tax', amount: '0.5' });
    const [shipment] = sold.shipments;
    await admin.put(`/shipments/${shipment.number}`, { shipment: { tracking: '1Z' } });
    expect(listCharges(await readOrder(order.number))).toEqual(listCharges(sold));
    const path = `/orders/${order.number}/line_items/${reply.body.id}`;
    const raised = await admin.put(path, { line_item: { quantity: 2 } });
    expect(raised.body.adjustments).toMatchObject([{ amount: '18.12' }]);
    await admin.delete(`/tax_rates/${later}`);
    await expectNoViolations({ order_ids: [order.id] });
  });

  /** A unit leaves and comes back; with the freight, so that nothing is left that could pay for a cent. */
  async function returnOneUnit(order: any, value: string): Promise<void> {
    const admin = await asAdmin();
    const unit = await testDb()('inventory_units').where({ order_id: order.id }).orderBy('id').first('id');
    expect((await admin.put(`/inventory_units/${unit.id}?fire=ship`)).status).toBe(200);
    const reason = await testDb()('return_authorization_reasons').first('id');
    const return_authorization = {
      stock_location_id: order.shipments[0].stock_location_id ?? (await getDefaultLocationId()),
      return_authorization_reason_id: reason.id,
      amount: String((Number(value) * 100 + 500) / 100),
      items: [{ variant_id: order.line_items[0].variant_id, quantity: 1 }],
      receive: true,
    };
    const path = `/orders/${order.number}/return_authorizations`;
    expect((await admin.post(path, { return_authorization })).status).toBe(201);
  }

  describe('of two units one has come back at a share that was rounded up', () => {
    // Two taxes: (6.66 + 0.27 + 0.32) / 2 = 3.625, and one alone costs 3.33 + 0.13 + 0.16 = 3.62.
    // A discount: (6.70 - 0.67) / 2 = 3.015, and one alone costs 3.35 - 0.34 = 3.01.
    test.each([
      ['taxes', '3.33', ['0.04', '0.04875'], undefined, '3.63', ['0.14', '0.16']],
      ['a discount', '3.35', [], { type: 'order_percent', percent: '10' }, '3.02', ['-0.33']],
      [
        'a discount and a tax',
        '3.35',
        ['0.04'],
        { type: 'line_amount', amount: '0.67' },
        '3.14',
        ['-0.33', '0.12'],
      ],
    ])('with %s: the other one can be taken off', async (_name, price, rates, action, value, charges) => {
      const admin = await asAdmin();
      const category = await admin.post('/tax_categories', { tax_category: { name: unique('Category') } });
      for (const amount of rates) await aRate({ name: amount, amount, tax_category_id: category.body.id });
      const product = { price, tax_category_id: category.body.id };
      const sold = await sell(2, action && [action], await aSellableVariant({ stock: 50, product }));
      await admin.put(`/orders/${sold.number}/payments/${sold.payments[0].id}/capture`);
      await returnOneUnit(sold, value);
      expect(await changeLine(sold, { quantity: 1 })).toEqual([value, charges, '0.0']);
      expect(await readOrder(sold.number)).toMatchObject({ tax_total: '0.0' });
      expect((await changeLine(sold, { quantity: 2 })).slice(0, 2)).toEqual(listCharges(sold).slice(0, 2));
      const [shipment] = (await readOrder(sold.number)).shipments.filter(
        ({ state }: any) => state !== 'shipped',
      );
      expect((await admin.put(`/shipments/${shipment.number}/cancel`)).status).toBe(200);
      expect(listCharges(await readOrder(sold.number))).toEqual([value, charges, '0.0']);
      await expectNoViolations({ order_ids: [sold.id] });
    });
  });

  test('the rest of a line item can be taken off that was raised beyond its flat discount', async () => {
    const admin = await asAdmin();
    const of = await aSellableVariant({ stock: 50, product: { price: '10' } });
    const sold = await sell(1, [{ type: 'line_amount', amount: '2' }], of);
    await admin.put(`/orders/${sold.number}/payments/${sold.payments[0].id}/capture`);
    // 20 - 2 = 18, and 1.63 of tax. One of two costs 9.815, and one alone would cost 8.72.
    expect(await changeLine(sold, { quantity: 2 })).toEqual(['19.63', ['-2.0', '1.63'], '24.63']);
    const { body: payment } = await admin.post(`/orders/${sold.number}/payments`, {
      payment: { payment_method_id: sold.payments[0].payment_method_id, source_attributes: GOOD_CARD },
    });
    await admin.put(`/orders/${sold.number}/payments/${payment.id}/purchase`);
    await returnOneUnit(sold, '9.82');
    expect(await changeLine(sold, { quantity: 1 })).toEqual(['9.82', ['-1.0', '0.82'], '0.0']);
    expect(await readOrder(sold.number)).toMatchObject({ tax_total: '0.0', payment_state: 'credit_owed' });
    expect((await changeLine(sold, { quantity: 2 })).slice(0, 2)).toEqual(['19.63', ['-2.0', '1.63']]);
  });

  test('the last unit of a raised line item comes back without changing what the line item costs', async () => {
    const admin = await asAdmin();
    const of = await aSellableVariant({ stock: 50, product: { price: '5' } });
    const sold = await sell(2, [{ type: 'line_amount', amount: '10' }], of);
    await admin.put(`/orders/${sold.number}/payments/${sold.payments[0].id}/capture`);
    // 20 - 10 = 10, and 0.91 of tax. One of four costs 2.73, and two alone would cost nothing.
    expect(await changeLine(sold, { quantity: 4 })).toEqual(['10.91', ['-10.0', '0.91'], '15.91']);
    const { body: payment } = await admin.post(`/orders/${sold.number}/payments`, {
      payment: { payment_method_id: sold.payments[0].payment_method_id, source_attributes: GOOD_CARD },
    });
    await admin.put(`/orders/${sold.number}/payments/${payment.id}/purchase`);
    const units = await testDb()('inventory_units').where({ order_id: sold.id }).orderBy('id').limit(2);
    for (const { id } of units)
      expect((await admin.put(`/inventory_units/${id}?fire=ship`)).status).toBe(200);
    const reason = await testDb()('return_authorization_reasons').first('id');
    const takeBack = async (amount: string | null): Promise<string> => {
      const return_authorization = {
        stock_location_id: await getDefaultLocationId(),
        return_authorization_reason_id: reason.id,
        amount,
        items: [{ variant_id: of.id, quantity: 1 }],
        receive: true,
      };
      const { body } = await admin.post(`/orders/${sold.number}/return_authorizations`, {
        return_authorization,
      });
      return body.amount;
    };
    expect(await takeBack(null)).toBe('2.73');
    expect(await changeLine(sold, { quantity: 2 })).toEqual(['0.0', ['-10.0'], '2.27']);
    expect(await takeBack('2.27')).toBe('2.27');
    expect(listCharges(await readOrder(sold.number))).toEqual(['0.0', ['-10.0'], '0.0']);
    await expectNoViolations({ order_ids: [sold.id] });
  });

  test('a new tax rate does not reprice an imported order when a tracking number is set', async () => {
    const variant = await aSellableVariant();
    const admin = await asAdmin();
    const imported = await admin.post('/orders', {
      order: {
        email: 'ann@example.com',
        completed_at: '2026-01-05T10:00:00Z',
        line_items: [{ variant_id: variant.id, quantity: 2, price: '10' }],
      },
    });
    expect(imported.body).toMatchObject({
      state: 'complete',
      additional_tax_total: '0.0',
      item_total: '20.0',
    });
    const later = await aRate({ name: 'New tax', amount: '0.5' });
    const [shipment] = imported.body.shipments;
    expect((await admin.put(`/shipments/${shipment.number}`, { shipment: { tracking: '1Z' } })).status).toBe(
      200,
    );
    expect(await readOrder(imported.body.number)).toMatchObject({
      total: imported.body.total,
      tax_total: '0.0',
    });
    await admin.delete(`/tax_rates/${later}`);
    await expectNoViolations({ order_ids: [imported.body.id] });
  });
});

describe('in Germany, with prices that include 19 percent', () => {
  let shop: GermanShop;
  beforeAll(async () => {
    shop = await createGermanShop();
  });
  afterAll(() => shop.close());

  const aLamp = async (price: string): Promise<number> => {
    const attributes = { name: 'Lampe', price, tax_category_id: shop.taxes.standard };
    return (await shop.aProduct(attributes, { location: shop.locations.berlin, count: 50 })).variant_id;
  };

  /** Creates an order of one variant, in delivery to a country. */
  async function createOrderInDelivery(
    client: GermanShop['employee'],
    line: object,
    country_id: number,
  ): Promise<any> {
    const opened = await client.post('/orders', {
      order: { line_items: [line], email: 'erika@example.com' },
    });
    const path = `/checkouts/${opened.body.number}`;
    const shopper = shop.as({ orderToken: opened.body.token });
    const address = {
      firstname: 'Erika',
      lastname: 'Mustermann',
      address1: 'Heidestraße 17',
      city: 'Köln',
      zipcode: '51147',
      phone: '0221 5550100',
      country_id,
    };
    await shopper.put(`${path}/next`);
    const { body } = await shopper.put(path, {
      order: { bill_address_attributes: address, use_billing: true },
    });
    expect(body.state).toBe('delivery');
    return { ...body, path, shopper };
  }

  /** Sells one lamp of 119.00 to a country. */
  async function sell(country_id: number): Promise<any> {
    const line = { variant_id: await aLamp('119') };
    const { path, shopper } = await createOrderInDelivery(shop.as({}), line, country_id);
    await shopper.put(`${path}/next`);
    await shopper.put(path, {
      order: { payments_attributes: [{ payment_method_id: shop.card }] },
      payment_source: { [shop.card]: GOOD_CARD },
    });
    const { body } = await shopper.put(`${path}/advance`);
    expect(body.state).toBe('complete');
    return body;
  }

  test.each([
    ['40', '4.9'],
    ['50', '0.0'],
  ])('a parcel of a lamp of 60.00 that is sold at %s costs %s', async (price, cost) => {
    const line = { variant_id: await aLamp('60'), price };
    const { shipments } = await createOrderInDelivery(shop.admin, line, shop.countries.germany);
    const rates: any[] = shipments[0].shipping_rates;
    expect(rates.find(({ name }) => name === 'Paket')).toMatchObject({ cost });
  });

  async function setQuantity(order: any, quantity: number): Promise<any> {
    const path = `/orders/${order.number}/line_items/${order.line_items[0].id}`;
    expect((await shop.admin.put(path, { line_item: { quantity } })).status).toBe(200);
    expect(await findViolations(shop.db)).toEqual([]);
    return (await shop.admin.get(`/orders/${order.number}`)).body;
  }

  test('the included tax follows the quantity and leaves the price', async () => {
    const order = await sell(shop.countries.germany);
    expect(listCharges(order).slice(0, 2)).toEqual(['119.0', ['19.0']]);
    expect(listCharges(await setQuantity(order, 10)).slice(0, 2)).toEqual(['1190.0', ['190.0']]);
    expect(await setQuantity(order, 1)).toMatchObject({
      included_tax_total: order.included_tax_total,
      adjustment_total: '0.0',
    });
  });

  test('the refund of an export follows the quantity', async () => {
    const order = await sell(shop.countries.switzerland);
    expect(listCharges(order).slice(0, 2)).toEqual(['100.0', ['-19.0']]);
    expect(listCharges(await setQuantity(order, 10)).slice(0, 2)).toEqual(['1000.0', ['-190.0']]);
    expect(listCharges(await setQuantity(order, 1)).slice(0, 2)).toEqual(['100.0', ['-19.0']]);
  });

  test('a returned unit takes its share of the tax with it', async () => {
    const order = await sell(shop.countries.germany);
    const grown = await setQuantity(order, 3);
    const [payment] = grown.payments;
    await shop.admin.put(`/orders/${order.number}/payments/${payment.id}/capture`);
    await shop.admin.post(`/orders/${order.number}/payments`, {
      payment: { payment_method_id: shop.card, source_attributes: GOOD_CARD },
    });
    const rest = (await shop.admin.get(`/orders/${order.number}`)).body.payments.at(-1);
    await shop.admin.put(`/orders/${order.number}/payments/${rest.id}/purchase`);
    for (const { number } of grown.shipments) {
      expect((await shop.admin.put(`/shipments/${number}/ship`)).status).toBe(200);
    }
    const returns = `/orders/${order.number}/return_authorizations`;
    const made = await shop.admin.post(returns, {
      return_authorization: {
        stock_location_id: shop.locations.berlin,
        return_authorization_reason_id: shop.reason,
      },
    });
    const path = `${returns}/${made.body.id}`;
    await shop.admin.put(`${path}/add`, { variant_id: grown.line_items[0].variant_id, quantity: 2 });
    expect((await shop.admin.put(`${path}/receive`)).body.amount).toBe('238.0');
    const left = (await shop.admin.get(`/orders/${order.number}`)).body;
    expect(left.line_items[0].adjustments).toMatchObject([{ amount: '57.0' }]);
    expect(left).toMatchObject({ state: 'complete', included_tax_total: '19.0', tax_total: '19.0' });
    expect(await findViolations(shop.db)).toEqual([]);
  });

  /** Sells two lamps of 20.00 with a parcel of 4.90 and captures the payment. */
  async function sellWithFreight(): Promise<any> {
    const line = { variant_id: await aLamp('20'), quantity: 2 };
    const { path, shopper } = await createOrderInDelivery(shop.as({}), line, shop.countries.germany);
    await shopper.put(`${path}/next`);
    await shopper.put(path, {
      order: { payments_attributes: [{ payment_method_id: shop.card }] },
      payment_source: { [shop.card]: GOOD_CARD },
    });
    const { body } = await shopper.put(`${path}/advance`);
    expect(body).toMatchObject({ state: 'complete', total: '44.9', included_tax_total: '7.17' });
    await shop.admin.put(`/orders/${body.number}/payments/${body.payments[0].id}/capture`);
    expect((await shop.admin.put(`/shipments/${body.shipments[0].number}/ship`)).status).toBe(200);
    return body;
  }

  async function returnLamps(order: any, quantity: number, amount: string | null): Promise<any> {
    const returns = `/orders/${order.number}/return_authorizations`;
    const made = await shop.admin.post(returns, {
      return_authorization: {
        ...(amount === null ? {} : { amount }),
        stock_location_id: shop.locations.berlin,
        return_authorization_reason_id: shop.reason,
      },
    });
    const path = `${returns}/${made.body.id}`;
    await shop.admin.put(`${path}/add`, { variant_id: order.line_items[0].variant_id, quantity });
    expect((await shop.admin.put(`${path}/receive`)).body).toMatchObject({ state: 'received' });
    expect(await findViolations(shop.db)).toEqual([]);
    return (await shop.admin.get(`/orders/${order.number}`)).body;
  }

  test('a sale that is given back with its freight has no tax', async () => {
    const order = await sellWithFreight();
    expect(await returnLamps(order, 2, '44.90')).toMatchObject({
      state: 'returned',
      total: '0.0',
      included_tax_total: '0.0',
      tax_total: '0.0',
    });
    const [credit] = await shop.db('return_freights').where({ shipment_id: order.shipments[0].id });
    expect(credit).toMatchObject({ amount: '4.90', included_tax: '0.78' });
  });

  test('freight that is given back in parts takes its tax with it, to the cent', async () => {
    const order = await sellWithFreight();
    const first = await returnLamps(order, 1, '22.45');
    expect(first).toMatchObject({ total: '22.45', included_tax_total: '3.58' });
    const second = await returnLamps(order, 1, '22.45');
    expect(second).toMatchObject({ total: '0.0', included_tax_total: '0.0' });
  });

  test('a sale is given back whole although an earlier return credited nothing', async () => {
    const order = await sellWithFreight();
    expect(await returnLamps(order, 1, '0')).toMatchObject({ total: '44.9', included_tax_total: '7.17' });
    expect(await returnLamps(order, 1, '44.90')).toMatchObject({ total: '0.0', included_tax_total: '0.0' });
  });
});
