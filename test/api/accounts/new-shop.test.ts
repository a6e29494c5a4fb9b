import type { Caller } from '../../support/api';
import { createGermanShop, type GermanShop } from '../../support/german-shop';
import { GOOD_CARD } from '../../support/orders.factory';
import { createEmptyShop } from '../../support/own-shop';

/** Two lamps from Berlin at 19 percent, three books from Hamburg at 7 percent. */
const LAMP = { name: 'Lampe', price: '29.99' };
const BOOK = { name: 'Buch', price: '12.80' };

const germanAddress = (country_id: number) => ({
  firstname: 'Erika',
  lastname: 'Mustermann',
  address1: 'Heidestraße 17',
  city: 'Köln',
  zipcode: '51147',
  phone: '0221 5550100',
  country_id,
});
const swissAddress = (country_id: number) => ({
  firstname: 'Urs',
  lastname: 'Muster',
  address1: 'Bahnhofstrasse 1',
  city: 'Zürich',
  zipcode: '8001',
  phone: '044 555 01 00',
  country_id,
});

const tax = (label: string, amount: string, included: boolean) =>
  expect.objectContaining({ label, amount, included, source_type: 'Store::TaxRate' });

describe('a new shop without seed data', () => {
  let shop: GermanShop;
  beforeAll(async () => {
    shop = await createGermanShop();
  });
  afterAll(() => shop.close());

  /** Creates an order of these lines to that address, in delivery with its shipments. */
  const createOrderInDelivery = async (
    line_items: object[],
    address: object,
  ): Promise<{ order: any; caller: Caller; path: string }> => {
    const opened = await shop.as({}).post('/orders', { order: { line_items, email: 'erika@example.com' } });
    expect([opened.status, opened.body.currency]).toEqual([201, 'EUR']);
    const caller = { orderToken: opened.body.token };
    const path = `/checkouts/${opened.body.number}`;
    expect((await shop.as(caller).put(`${path}/next`)).body.state).toBe('address');
    const reply = await shop.as(caller).put(path, {
      order: { bill_address_attributes: address, use_billing: true },
    });
    expect([reply.status, reply.body.state]).toEqual([200, 'delivery']);
    return { order: reply.body, caller, path };
  };
  const buildPayment = () => ({
    order: { payments_attributes: [{ payment_method_id: shop.card }] },
    payment_source: { [shop.card]: GOOD_CARD },
  });
  const getStock = async (item: string): Promise<number> => (await shop.admin.get(item)).body.count_on_hand;

  test('sells, ships, accepts a return and refunds, to the cent', async () => {
    const lamp = await shop.aProduct(
      { ...LAMP, tax_category_id: shop.taxes.standard },
      { location: shop.locations.berlin, count: 5 },
    );
    const book = await shop.aProduct(
      { ...BOOK, tax_category_id: shop.taxes.reduced },
      { location: shop.locations.hamburg, count: 10 },
    );

    // 2 x 29.99 = 59.98; VAT inside: 59.98 x 0.19 / 1.19 = 11.3962 / 1.19 = 9.5766… -> 9.58
    // 3 x 12.80 = 38.40; VAT inside: 38.40 x 0.07 / 1.07 =  2.6880 / 1.07 = 2.5121… -> 2.51
    // 59.98 + 38.40 = 98.38; 9.58 + 2.51 = 12.09
    const { order, caller, path } = await createOrderInDelivery(
      [
        { variant_id: lamp.variant_id, quantity: 2 },
        { variant_id: book.variant_id, quantity: 3 },
      ],
      germanAddress(shop.countries.germany),
    );
    expect(order.line_items).toMatchObject([
      { price: '29.99', quantity: 2, total: '59.98', display_total: '€59.98' },
      { price: '12.8', quantity: 3, total: '38.4', display_total: '€38.40' },
    ]);
    expect(order.line_items[0].adjustments).toEqual([tax('USt. 19.0% (Included in Price)', '9.58', true)]);
    expect(order.line_items[1].adjustments).toEqual([tax('USt. 7.0% (Included in Price)', '2.51', true)]);

    // Berlin ships 59.98: Paket is free from 50.00. Hamburg ships 38.40: Paket costs 4.90.
    // VAT inside 4.90: 0.931 / 1.19 = 0.7823… -> 0.78; inside 9.90: 1.881 / 1.19 = 1.5806… -> 1.58
    const [berlin, hamburg] = ['Berlin', 'Hamburg'].map((name) =>
      order.shipments.find((shipment: any) => shipment.stock_location_name === name),
    );
    const listOffers = (shipment: any) =>
      shipment.shipping_rates.map((rate: any) => [rate.name, rate.cost, rate.display_cost, rate.selected]);
    expect(order.shipments).toHaveLength(2);
    expect(listOffers(berlin)).toEqual([
      ['Paket', '0.0', '€0.00', true],
      ['Express', '9.9', '€9.90 (incl. €1.58 USt.)', false],
    ]);
    expect(listOffers(hamburg)).toEqual([
      ['Paket', '4.9', '€4.90 (incl. €0.78 USt.)', true],
      ['Express', '9.9', '€9.90 (incl. €1.58 USt.)', false],
    ]);
    // 98.38 + 4.90 = 103.28; VAT 12.09 + 0.78 = 12.87, all of it included
    expect(order).toMatchObject({
      item_total: '98.38',
      ship_total: '4.9',
      total: '103.28',
      display_total: '€103.28',
      included_tax_total: '12.87',
      additional_tax_total: '0.0',
      tax_total: '12.87',
      adjustment_total: '0.0',
    });

    // The books are sent by Express: 98.38 + 9.90 = 108.28; VAT 12.09 + 1.58 = 13.67
    const express = hamburg.shipping_rates.find((rate: any) => rate.name === 'Express');
    const chosen = await shop.as(caller).put(path, {
      order: { shipments_attributes: [{ id: hamburg.id, selected_shipping_rate_id: express.id }] },
    });
    const sold = {
      item_total: '98.38',
      ship_total: '9.9',
      total: '108.28',
      included_tax_total: '13.67',
      additional_tax_total: '0.0',
      tax_total: '13.67',
    };
    expect(chosen.body).toMatchObject({ state: 'payment', ...sold });
    const confirmed = await shop.as(caller).put(path, buildPayment());
    expect(confirmed.body).toMatchObject({ state: 'confirm', payments: [{ amount: '108.28' }] });
    const completed = await shop.as(caller).put(path);
    expect([completed.status, completed.body]).toMatchObject([
      200,
      {
        state: 'complete',
        payment_state: 'balance_due',
        shipment_state: 'pending',
        payment_total: '0.0',
        ...sold,
        payments: [{ state: 'pending', amount: '108.28' }],
      },
    ]);
    expect(await getStock(lamp.item)).toBe(3); // 5 - 2
    expect(await getStock(book.item)).toBe(7); // 10 - 3

    const orderPath = `/orders/${order.number}`;
    const [paid] = completed.body.payments;
    const captured = await shop.employee.put(`${orderPath}/payments/${paid.id}/capture`);
    expect(captured.body).toMatchObject({ state: 'completed', amount: '108.28' });
    for (const [shipment, state] of [
      [berlin, 'partial'],
      [hamburg, 'shipped'],
    ]) {
      const shipped = await shop.employee.put(`/shipments/${shipment.number}/ship`, {
        shipment: { tracking: `T${shipment.id}` },
      });
      expect([shipped.status, shipped.body.state, shipped.body.tracking]).toEqual([
        ...[200, 'shipped', `T${shipment.id}`],
      ]);
      expect((await shop.admin.get(orderPath)).body).toMatchObject({
        payment_state: 'paid',
        payment_total: '108.28',
        shipment_state: state,
      });
    }

    // One lamp is returned to Hamburg: 29.99 of 108.28 leaves 78.29.
    const returns = `${orderPath}/return_authorizations`;
    const authorized = await shop.employee.post(returns, {
      return_authorization: {
        stock_location_id: shop.locations.hamburg,
        return_authorization_reason_id: shop.reason,
      },
    });
    expect(authorized.status).toBe(201);
    const added = await shop.employee.put(`${returns}/${authorized.body.id}/add`, {
      variant_id: lamp.variant_id,
      quantity: 1,
    });
    expect(added.status).toBe(200);
    expect((await shop.admin.get(orderPath)).body).toMatchObject({
      state: 'awaiting_return',
      total: '108.28',
    });
    const received = await shop.employee.put(`${returns}/${authorized.body.id}/receive`);
    expect([received.status, received.body]).toMatchObject([200, { state: 'received' }]);
    // VAT inside the returned lamp: 9.58 / 2 = 4.79; 13.67 - 4.79 = 8.88
    expect((await shop.admin.get(orderPath)).body).toMatchObject({
      item_total: '98.38',
      adjustment_total: '-29.99',
      total: '78.29',
      included_tax_total: '8.88',
      payment_total: '108.28',
      payment_state: 'credit_owed',
      adjustments: [{ label: 'RMA Credit', amount: '-29.99', source_type: 'Store::ReturnAuthorization' }],
    });
    const backAt = await shop.admin.get(
      `/stock_locations/${shop.locations.hamburg}/stock_items?q[variant_id_eq]=${lamp.variant_id}`,
    );
    expect(backAt.body.stock_items).toMatchObject([{ count_on_hand: 1 }]);
    expect(await getStock(lamp.item)).toBe(3);

    // The credit owed is 108.28 - 78.29 = 29.99; after it 78.29 can still be credited.
    const credited = await shop.employee.put(`${orderPath}/payments/${paid.id}/credit`);
    expect([credited.status, credited.body]).toMatchObject([200, { state: 'completed', amount: '108.28' }]);
    const settled = (await shop.admin.get(orderPath)).body;
    expect(settled).toMatchObject({ total: '78.29', payment_total: '78.29', payment_state: 'paid' });
    const tooMuch = await shop.employee.put(`${orderPath}/payments/${paid.id}/credit?amount=78.30`);
    expect([tooMuch.status, tooMuch.body.error]).toEqual([
      422,
      'This payment can only be credited up to 78.29. Please specify an amount less than or equal to this number.',
    ]);
  });

  test('removes included tax from prices of exported items', async () => {
    const book = await shop.aProduct(
      { ...BOOK, tax_category_id: shop.taxes.reduced },
      { location: shop.locations.hamburg, count: 1 },
    );
    // Inside 12.80: 12.80 x 0.07 / 1.07 = 0.896 / 1.07 = 0.8373… -> 0.84
    // Inside 15.00: 15.00 x 0.19 / 1.19 = 2.850 / 1.19 = 2.3949… -> 2.39
    // 12.80 + 15.00 - 0.84 - 2.39 = 24.57
    const { order, caller, path } = await createOrderInDelivery(
      [{ variant_id: book.variant_id }],
      swissAddress(shop.countries.switzerland),
    );
    expect(order).toMatchObject({
      item_total: '12.8',
      ship_total: '15.0',
      total: '24.57',
      included_tax_total: '0.0',
      additional_tax_total: '-3.23',
      tax_total: '-3.23',
      adjustment_total: '-3.23',
    });
    expect(order.line_items[0].adjustments).toEqual([
      tax('Refund USt. 7.0% (Included in Price)', '-0.84', false),
    ]);
    expect(order.shipments).toMatchObject([{ shipping_rates: [{ name: 'Ausland', cost: '15.0' }] }]);
    expect(order.shipments[0].adjustments).toEqual([
      tax('Refund USt. 19.0% (Included in Price)', '-2.39', false),
    ]);
    await shop.as(caller).put(`${path}/next`);
    await shop.as(caller).put(path, buildPayment());
    const completed = await shop.as(caller).put(path);
    expect(completed.body).toMatchObject({ state: 'complete', payments: [{ amount: '24.57' }] });
  });

  test('shows old orders unchanged after its settings are deleted', async () => {
    const lamp = await shop.aProduct(
      { ...LAMP, tax_category_id: shop.taxes.standard },
      { location: shop.locations.berlin, count: 1 },
    );
    const { body: rate } = await shop.admin.post('/tax_rates', {
      tax_rate: { name: 'Abgabe', amount: '0.01', tax_category_id: shop.taxes.standard },
    });
    const { body: card } = await shop.admin.post('/payment_methods', {
      payment_method: { name: 'Karte', gateway: 'bogus', auto_capture: true },
    });
    const { body: method } = await shop.admin.post('/shipping_methods', {
      shipping_method: {
        name: 'Bote',
        calculator_type: 'flat_rate',
        calculator_preferences: { amount: '1.50' },
        zone_ids: (await shop.admin.get('/zones?q[name_eq]=Deutschland')).body.zones.map(({ id }: any) => id),
        shipping_category_ids: (await shop.admin.get('/shipping_categories')).body.shipping_categories.map(
          ({ id }: any) => id,
        ),
      },
    });
    const { body: reason } = await shop.admin.post('/return_authorization_reasons', { name: 'Kaputt' });

    // 29.99 + 1.50 = 31.49; VAT in 29.99: 5.6981 / 1.19 = 4.7883… -> 4.79; Bote is not taxed.
    const { order, caller, path } = await createOrderInDelivery(
      [{ variant_id: lamp.variant_id }],
      germanAddress(shop.countries.germany),
    );
    await shop.as(caller).put(`${path}/next`);
    await shop.as(caller).put(path, {
      order: { payments_attributes: [{ payment_method_id: card.id }] },
      payment_source: { [card.id]: GOOD_CARD },
    });
    const completed = await shop.as(caller).put(path);
    expect(completed.body).toMatchObject({
      state: 'complete',
      total: '31.49',
      included_tax_total: '4.79',
      payment_state: 'paid',
      shipments: [{ selected_shipping_rate: { name: 'Bote', cost: '1.5' } }],
    });
    const orderPath = `/orders/${order.number}`;
    await shop.admin.put(`/shipments/${order.shipments[0].number}/ship`);
    const returned = await shop.admin.post(`${orderPath}/return_authorizations`, {
      return_authorization: {
        stock_location_id: shop.locations.berlin,
        return_authorization_reason_id: reason.id,
      },
    });
    expect(returned.status).toBe(201);
    const before = (await shop.admin.get(orderPath)).body;

    for (const gone of [
      `/tax_rates/${rate.id}`,
      `/payment_methods/${card.id}`,
      `/shipping_methods/${method.id}`,
    ])
      expect((await shop.admin.delete(gone)).status).toBe(204);
    const kept = await shop.admin.delete(`/return_authorization_reasons/${reason.id}`);
    expect(kept.body.errors).toEqual({ base: ['Reasons of return authorizations cannot be deleted'] });
    const off = await shop.admin.put(`/return_authorization_reasons/${reason.id}`, { active: false });
    expect(off.body).toMatchObject({ active: false });

    expect((await shop.admin.get(orderPath)).body).toEqual(before);
    const choices = await shop.admin.get(`${orderPath}/return_authorizations/new`);
    expect(choices.body.return_authorization_reasons.map(({ name }: any) => name)).toEqual(['Gefällt nicht']);
    // The payment of 31.49 can still be refunded by its deleted method.
    const [paid] = before.payments;
    const credited = await shop.admin.put(`${orderPath}/payments/${paid.id}/credit?amount=31.49`);
    expect(credited.status).toBe(200);
    expect((await shop.admin.get(orderPath)).body).toMatchObject({ payment_total: '0.0' });
  });
});

test('an empty shop has countries and nothing to sell', async () => {
  const shop = await createEmptyShop();
  try {
    expect((await shop.admin.get('/countries?per_page=1')).body.count).toBe(1);
    for (const list of [
      ...['stores', 'zones', 'tax_categories', 'tax_rates', 'shipping_categories', 'shipping_methods'],
      ...['payment_methods', 'stock_locations', 'return_authorization_reasons', 'products', 'taxonomies'],
    ])
      expect((await shop.admin.get(`/${list}`)).body[list]).toEqual([]);
  } finally {
    await shop.close();
  }
});
