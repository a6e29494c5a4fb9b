import { expectNoViolations } from '../../support/invariants';
import { invalid } from '../../support/error-bodies';
import { createGermanShop, type GermanShop } from '../../support/german-shop';
import { sellInGermany } from '../../support/german-sales';

/*
 * Complete orders whose tax changes after the sale: another tax zone, and manual adjustments that are taxed. Prices
 * include 19 percent; freight of 4.90 too, which is taxed with 19 percent.
 */

let shop: GermanShop;
let towel: { variant_id: number };

beforeAll(async () => {
  shop = await createGermanShop();
  towel = await shop.aProduct(
    { name: 'Handtuch', price: '11.90', tax_category_id: shop.taxes.standard },
    { location: shop.locations.berlin, count: 100 },
  );
});
afterAll(() => shop.close());

const sell = (quantity = 2): Promise<any> =>
  sellInGermany(shop, [{ variant_id: towel.variant_id, quantity }]);

const read = async (order: any): Promise<any> => (await shop.admin.get(`/orders/${order.number}`)).body;

const moveTo = (country_id: number, { ship_address }: any): object => ({
  ...ship_address,
  id: undefined,
  country: undefined,
  state: undefined,
  country_id,
});

async function redirect(order: any, country_id: number): Promise<any> {
  const reply = await shop.admin.put(`/orders/${order.number}`, {
    order: { ship_address_attributes: moveTo(country_id, order) },
  });
  expect(reply.status).toBe(200);
  return reply.body;
}

/** Taxes products of the standard category in a country at 20 percent. */
async function taxAt20Percent(iso: string): Promise<{ country: number; rate: number }> {
  const found = await shop.admin.get(`/countries?q[iso_eq]=${iso}`);
  const country = found.body.countries[0].id;
  const members = [{ zoneable_type: 'Country', zoneable_id: country }];
  const zone = await shop.admin.post('/zones', { zone: { name: iso, zone_members: members } });
  const terms = { amount: '0.2', included_in_price: true, tax_category_id: shop.taxes.standard };
  const made = await shop.admin.post('/tax_rates', {
    tax_rate: { name: `VAT of ${iso}`, zone_id: zone.body.id, ...terms },
  });
  expect(made.status).toBe(201);
  return { country, rate: made.body.id };
}

async function expectConsistent(order: any): Promise<void> {
  await expectNoViolations({ order_ids: [order.id] }, shop.db);
}

describe('a complete order that gets another ship address', () => {
  test('is offered the methods of the new destination, at the freight that was sold', async () => {
    const order = await sell();
    const redirected = await redirect(order, shop.countries.switzerland);
    expect(redirected.shipments).toMatchObject([
      {
        cost: '4.9',
        shipping_rates: [{ name: 'Ausland', cost: '15.0', selected: true }],
        selected_shipping_rate: { name: 'Ausland' },
      },
    ]);
    expect(redirected).toMatchObject({
      total: '28.7',
      included_tax_total: '4.58',
      payment_state: order.payment_state,
    });
    await expectConsistent(order);
    const back = await redirect(redirected, shop.countries.germany);
    expect(back.shipments[0].shipping_rates.map(({ name }: any) => name)).toEqual(['Paket', 'Express']);
    expect(back.total).toBe('28.7');
  });

  test('is offered methods for the items of the same request', async () => {
    const order = await sell();
    const other = await shop.aProduct(
      { name: 'Seife', price: '5', tax_category_id: shop.taxes.standard },
      {
        location: shop.locations.hamburg,
        count: 10,
      },
    );
    const reply = await shop.admin.put(`/orders/${order.number}`, {
      order: {
        line_items: [
          { id: order.line_items[0].id, quantity: 0 },
          { variant_id: other.variant_id, quantity: 1 },
        ],
        ship_address: moveTo(shop.countries.switzerland, order),
      },
    });
    expect(reply.status).toBe(200);
    expect((await read(order)).shipments).toMatchObject([
      { stock_location_name: 'Hamburg', cost: '4.9', shipping_rates: [{ name: 'Ausland', selected: true }] },
    ]);
    await expectConsistent(order);
  });

  test('keeps its rates if no method ships there', async () => {
    const order = await sell();
    const france = (await shop.admin.get('/countries?q[iso_eq]=FR')).body.countries[0].id;
    const redirected = await redirect(order, france);
    expect(redirected.shipments[0].selected_shipping_rate.name).toBe('Paket');
  });
});

describe('PUT /orders/:number/retax', () => {
  test('taxes lines and unshipped freight by the present address', async () => {
    const order = await sell();
    await redirect(order, shop.countries.switzerland);
    const path = `/orders/${order.number}/retax`;
    const preview = await shop.admin.put(path, { dry_run: true });
    const before = {
      included_tax_total: '4.58',
      additional_tax_total: '0.0',
      tax_total: '4.58',
      adjustment_total: '0.0',
      total: '28.7',
    };
    const after = {
      included_tax_total: '0.0',
      additional_tax_total: '-4.58',
      tax_total: '-4.58',
      adjustment_total: '-4.58',
      total: '24.12',
    };
    expect([preview.status, preview.body]).toEqual([
      200,
      {
        before,
        after,
        difference: {
          included_tax_total: '-4.58',
          additional_tax_total: '-4.58',
          tax_total: '-9.16',
          adjustment_total: '-4.58',
          total: '-4.58',
        },
      },
    ]);
    expect(await read(order)).toMatchObject(before);
    const taxed = await shop.admin.put(path);
    expect([taxed.status, taxed.body]).toMatchObject([200, { number: order.number, ...after }]);
    await expectConsistent(order);
    // The taxes stay those of the new address when the order changes.
    const line = `/orders/${order.number}/line_items/${order.line_items[0].id}`;
    await shop.admin.put(line, { line_item: { quantity: 1 } });
    expect(await read(order)).toMatchObject({ total: '14.12', included_tax_total: '0.0' });
    await redirect(await read(order), shop.countries.germany);
    await shop.admin.put(path);
    expect(await read(order)).toMatchObject({ total: '16.8', included_tax_total: '2.68' });
    await expectConsistent(order);
  });

  test('moves turnover to the tax rate of another country that has the same percentage', async () => {
    const france = await taxAt20Percent('FR');
    const austria = await taxAt20Percent('AT');
    const order = await sell();
    const report = async (): Promise<any> => {
      const { rows } = (await shop.admin.get('/reports/taxes?group_by=rate&basis=booked')).body;
      const find = ({ rate }: { rate: number }) => rows.find(({ group }: any) => group === String(rate));
      return [france, austria].map((one) => find(one)?.tax ?? '0.0');
    };
    for (const { country } of [france, austria]) {
      await redirect(await read(order), country);
      expect((await shop.admin.put(`/orders/${order.number}/retax`)).status).toBe(200);
      await expectConsistent(order);
    }
    expect(await report()).toEqual(['0.0', '4.79']);
    const { documents } = (await shop.admin.get(`/orders/${order.number}/documents`)).body;
    expect(documents.map(({ kind, total }: any) => [kind, total])).toEqual([
      ['invoice', '28.7'],
      ['correction', '0.0'],
      ['correction', '0.0'],
    ]);
  });

  test('makes no correction if the tax rate was replaced by one with the same name and percentage', async () => {
    const { country, rate } = await taxAt20Percent('NL');
    const order = await sell();
    await redirect(order, country);
    const path = `/orders/${order.number}`;
    await shop.admin.put(`${path}/retax`);
    const listDocuments = async (): Promise<any> =>
      (await shop.admin.get(`${path}/documents`)).body.documents;
    const before = await listDocuments();
    const { name, amount, included_in_price, tax_category_id, zone_id } = (
      await shop.admin.get(`/tax_rates/${rate}`)
    ).body;
    await shop.admin.delete(`/tax_rates/${rate}`);
    const tax_rate = { name, amount, included_in_price, tax_category_id, zone_id };
    expect((await shop.admin.post('/tax_rates', { tax_rate })).status).toBe(201);
    expect((await shop.admin.put(`${path}/retax`)).status).toBe(200);
    expect(await listDocuments()).toEqual(before);
    await expectConsistent(order);
  });

  test('uses the rates of today, and keeps the tax of freight that has shipped', async () => {
    const order = await sell();
    const [payment] = order.payments;
    await shop.admin.put(`/orders/${order.number}/payments/${payment.id}/capture`);
    await shop.admin.put(`/shipments/${order.shipments[0].number}/ship`);
    const rate = `/tax_rates/${shop.rates.standard}`;
    await shop.admin.put(rate, { tax_rate: { amount: '0.16' } });
    try {
      await shop.admin.put(`/orders/${order.number}/retax`);
    } finally {
      await shop.admin.put(rate, { tax_rate: { amount: '0.19' } });
    }
    const now = await read(order);
    expect(now.line_items[0].adjustments).toMatchObject([{ amount: '3.28', included: true }]);
    expect(now.shipments[0].adjustments).toMatchObject([{ amount: '0.78', included: true }]);
    expect(now).toMatchObject({ total: '28.7', included_tax_total: '4.06', payment_state: 'paid' });
    await expectConsistent(order);
  });

  test('taxes the freight that waits for the next parcel', async () => {
    const order = await sell();
    const lines = `/orders/${order.number}/line_items`;
    await shop.admin.delete(`${lines}/${order.line_items[0].id}`);
    await redirect(order, shop.countries.switzerland);
    await shop.admin.put(`/orders/${order.number}/retax`);
    await shop.admin.post(lines, { line_item: { variant_id: towel.variant_id } });
    const now = await read(order);
    expect(now.shipments).toMatchObject([
      { cost: '4.9', adjustments: [{ amount: '-0.78', included: false }] },
    ]);
    await expectConsistent(order);
  });

  test('is refused for carts, canceled orders and returned units', async () => {
    const cart = (await shop.admin.post('/orders')).body;
    const open = await shop.admin.put(`/orders/${cart.number}/retax`);
    expect([open.status, open.body]).toEqual([422, invalid({ base: ['The order is not complete'] })]);
    const order = await sell();
    await shop.admin.put(`/orders/${order.number}/cancel`);
    const canceled = await shop.admin.put(`/orders/${order.number}/retax`);
    expect([canceled.status, canceled.body]).toEqual([422, invalid({ base: ['The order is canceled'] })]);
    const returned = await sell();
    await shop.admin.put(`/orders/${returned.number}/payments/${returned.payments[0].id}/capture`);
    await shop.admin.put(`/shipments/${returned.shipments[0].number}/ship`);
    const made = await shop.admin.post(`/orders/${returned.number}/return_authorizations`, {
      return_authorization: {
        stock_location_id: shop.locations.berlin,
        return_authorization_reason_id: shop.reason,
        items: [{ variant_id: towel.variant_id, quantity: 1 }],
        receive: true,
      },
    });
    expect(made.status).toBe(201);
    const reply = await shop.admin.put(`/orders/${returned.number}/retax`);
    expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, ['base']]);
  });
});

describe('taxed manual adjustments', () => {
  async function adjust(order: any, adjustment: object): Promise<any> {
    const reply = await shop.admin.post(`/orders/${order.number}/adjustments`, { adjustment });
    expect(reply.status).toBe(201);
    await expectConsistent(order);
    return reply.body;
  }

  test('of a complete order are taxed at the rates of their line item or shipment', async () => {
    const order = await sell();
    const [{ id: line_item_id }] = order.line_items;
    const scratch = { label: 'Kratzer', amount: '-11.90', line_item_id };
    const untaxed = await adjust(order, scratch);
    expect(untaxed.taxed).toBe(false);
    expect(await read(order)).toMatchObject({ total: '16.8', included_tax_total: '4.58' });
    const path = `/orders/${order.number}/adjustments/${untaxed.id}`;
    const changed = await shop.admin.put(path, { adjustment: { taxed: true } });
    expect([changed.status, changed.body.taxed]).toEqual([200, true]);
    expect(await read(order)).toMatchObject({ total: '16.8', included_tax_total: '2.68' });
    const late = { label: 'Verspätet', amount: '-2.38', shipment_id: order.shipments[0].id, taxed: true };
    await adjust(order, late);
    expect(await read(order)).toMatchObject({ total: '14.42', included_tax_total: '2.3' });
    await shop.admin.delete(path);
    expect(await read(order)).toMatchObject({ total: '26.32', included_tax_total: '4.2' });
    await expectConsistent(order);
  });

  test('are part of the net amount of their rate in documents', async () => {
    const order = await sell();
    const [{ id: line_item_id }] = order.line_items;
    await adjust(order, { label: 'Kratzer', amount: '-11.90', line_item_id, taxed: true });
    const { rows } = await shop.db.raw('SELECT list_sold_positions(?) AS positions', [order.id]);
    const [line] = rows[0].positions;
    expect(line).toMatchObject({ kind: 'line', net: '10.00', tax: '1.90', total: '11.90' });
    expect(rows[0].positions).toHaveLength(2);
    const { body } = await shop.admin.get(`/orders/${order.number}/documents`);
    expect(body.documents).toMatchObject([{ kind: 'invoice' }, { kind: 'correction', total: '-11.9' }]);
  });

  test('of a cart are taxed too', async () => {
    const order = await sell();
    const address = { ...order.ship_address, id: undefined };
    const { body: cart } = await shop.admin.post('/orders', {
      order: {
        email: 'kunde@example.com',
        line_items: [{ variant_id: towel.variant_id, quantity: 1 }],
        bill_address: address,
        ship_address: address,
      },
    });
    for (const step of ['next', 'next']) await shop.admin.put(`/checkouts/${cart.number}/${step}`);
    const [{ id: line_item_id }] = cart.line_items;
    await adjust(cart, { label: 'Geschenk', amount: '2.38', line_item_id, taxed: true });
    expect((await read(cart)).line_items[0].adjustments).toMatchObject([
      { included: true, amount: '2.28' },
      { label: 'Geschenk', taxed: true },
    ]);
  });

  test('need a line item or a shipment', async () => {
    const order = await sell();
    const reply = await shop.admin.post(`/orders/${order.number}/adjustments`, {
      adjustment: { label: 'Kulanz', amount: '-1', taxed: true },
    });
    expect([reply.status, reply.body]).toEqual([
      422,
      invalid({ taxed: ['needs a line item or a shipment'] }),
    ]);
  });
});
