import { toDecimal } from '../../../src/platform/money';
import { findOwnMovements } from '../../../src/sales/payment-processing/movements.repository';
import { aCheckPayment, anOrderOf, aPaymentIn } from '../../support/payments.factory';
import { aCustomer, asAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { sellInGermany } from '../../support/german-sales';
import { createGermanShop, type GermanShop } from '../../support/german-shop';
import { aSellableVariant, orderInState } from '../../support/orders.factory';
import { expectNoViolations } from '../../support/invariants';
import { findReportProblems } from '../../support/report-sums';

const ALL_TIME = { from: new Date(0), to: new Date(8e15) };

const NAMES = ['sales', 'taxes', 'products', 'refunds', 'stock_value'];

const read = async (path: string) => {
  const reply = await (await asAdmin()).get(`/reports/${path}`);
  expect([reply.status, reply.body.errors]).toEqual([200, undefined]);
  return reply.body;
};

/** Creates a complete order that was completed at this time. */
async function sellAt(completed_at: string, wishes: Parameters<typeof orderInState>[1] = {}): Promise<any> {
  const order = await orderInState('complete', wishes);
  await testDb()('orders').where({ id: order.id }).update({ completed_at });
  return order;
}

const setStore = async (store: object): Promise<void> => {
  const { id } = await testDb()('stores').where({ is_default: true }).first('id');
  expect((await (await asAdmin()).put(`/stores/${id}`, { store })).status).toBe(200);
};

test('reports are for admins', async () => {
  const customer = api(await aCustomer());
  for (const name of NAMES.flatMap((one) => [one, `${one}.csv`])) {
    expect((await api({}).get(`/reports/${name}`)).status).toBe(401);
    expect((await customer.get(`/reports/${name}`)).status).toBe(401);
    expect((await (await asAdmin()).get(`/reports/${name}`)).status).toBe(200);
  }
});

test('unknown reports are 404, unknown groups, days and currencies 422', async () => {
  const admin = await asAdmin();
  for (const path of ['profit', 'profit.csv', 'sales.xml']) {
    expect((await admin.get(`/reports/${path}`)).status).toBe(404);
  }
  for (const [query, field] of [
    ['sales?group_by=hour', 'group_by'],
    ['sales.csv?group_by=hour', 'group_by'],
    ['taxes?group_by=week', 'group_by'],
    ['products?group_by=day', 'group_by'],
    ['sales?from=2026-02-30', 'from'],
    ['sales?from=yesterday', 'from'],
    ['sales?to=2026-3-1', 'to'],
    ['sales?from=0000-01-01', 'from'],
    ['refunds?from=2026-03-02&to=2026-03-01', 'to'],
    ['sales?currency=1', 'currency'],
    ['sales?currency=EUO', 'currency'],
    ['sales?from[]=2026-03-01', 'from'],
  ] as const) {
    const reply = await admin.get(`/reports/${query}`);
    expect([query, reply.status, Object.keys(reply.body.errors)]).toEqual([query, 422, [field]]);
  }
  expect((await admin.get('/reports/stock_value?from=never&to=2020-01-01')).status).toBe(200);
});

test('a time is no date of a report, and the hint names one; empty parameters count as missing', async () => {
  const admin = await asAdmin();
  const { status, headers } = await admin.get('/reports/sales?from=2026-03-01T09:30:00Z');
  expect([status, headers['x-error-hint']]).toEqual([422, 'Send a date, such as 2026-03-01.']);
  const { body } = await admin.get('/reports/sales?from=&to=&currency=&group_by=&basis=');
  expect(body).toEqual((await admin.get('/reports/sales')).body);
});

test('sales are counted by the day of the store', async () => {
  const day = 'from=2025-03-29&to=2025-03-31';
  // Berlin changes to summer time on 2025-03-30 at 01:00 UTC; its days begin at 23:00 and then at 22:00 UTC.
  for (const time of ['2025-03-28T22:59:59.999Z', '2025-03-28T23:00:00Z', '2025-03-29T22:59:59Z'])
    await sellAt(time);
  for (const time of ['2025-03-30T21:59:59Z', '2025-03-31T21:59:59.999Z', '2025-03-31T22:00:00Z'])
    await sellAt(time);
  const counts = async (group: string) =>
    (await read(`sales?${day}&group_by=${group}`)).rows.map((row: any) => [row.group, row.orders]);
  expect(await counts('day')).toEqual([
    ['2025-03-29', 1],
    ['2025-03-30', 1],
    ['2025-03-31', 2],
  ]);
  await setStore({ time_zone: 'Europe/Berlin' });
  expect(await counts('day')).toEqual([
    ['2025-03-29', 2],
    ['2025-03-30', 1],
    ['2025-03-31', 1],
  ]);
  expect(await counts('week')).toEqual([
    ['2025-W13', 3],
    ['2025-W14', 1],
  ]);
  expect(await counts('month')).toEqual([['2025-03', 4]]);
  expect(await counts('country')).toEqual([['US', 4]]);
  expect((await read(`sales?${day}`)).totals).toMatchObject({ orders: 4, units: 8 });
  // The clocks of the Azores went back from 01:00 to 00:00 on 2025-10-26, at 01:00 UTC.
  for (const time of ['2025-10-25T23:59:59.999Z', '2025-10-26T00:30:00Z', '2025-10-26T01:30:00Z'])
    await sellAt(time);
  await setStore({ time_zone: 'Atlantic/Azores' });
  const onDay = async (date: string) => (await read(`sales?from=${date}&to=${date}`)).rows;
  expect(await onDay('2025-10-25')).toEqual([expect.objectContaining({ group: '2025-10-25', orders: 1 })]);
  expect(await onDay('2025-10-26')).toEqual([expect.objectContaining({ group: '2025-10-26', orders: 2 })]);
  // Those of Greenland went forward from 23:00 to 00:00 on 2024-03-31, at 01:00 UTC.
  for (const time of ['2024-03-31T00:59:59.999Z', '2024-03-31T01:00:00Z']) await sellAt(time);
  await setStore({ time_zone: 'America/Nuuk' });
  for (const date of ['2024-03-30', '2024-03-31'])
    expect(await onDay(date)).toEqual([expect.objectContaining({ group: date, orders: 1 })]);
  await setStore({ time_zone: 'UTC' });
});

test('canceled and open orders and other currencies count in none', async () => {
  const period = 'from=2024-05-01&to=2024-05-01';
  const canceled = await sellAt('2024-05-01T10:00:00Z');
  const admin = await asAdmin();
  await admin.put(`/orders/${canceled.number}/payments/${canceled.payments[0].id}/capture`);
  await admin.put(`/orders/${canceled.number}/cancel`);
  await orderInState('confirm');
  const foreign = await sellAt('2024-05-01T10:00:00Z');
  await testDb()('orders').where({ id: foreign.id }).update({ currency: 'EUR' });
  const kept = await sellAt('2024-05-01T10:00:00Z');
  const sales = await read(`sales?${period}`);
  expect(sales).toEqual({
    rows: [
      {
        group: '2024-05-01',
        orders: 1,
        units: 2,
        item_total: kept.item_total,
        discount_total: '0.0',
        ship_total: kept.ship_total,
        tax_total: kept.tax_total,
        total: kept.total,
      },
    ],
    totals: expect.objectContaining({ orders: 1, total: kept.total }),
    currency: 'USD',
    time_zone: 'UTC',
  });
  expect((await read(`sales?${period}&currency=eur`)).totals.orders).toBe(1);
  expect((await read(`products?${period}`)).rows).toHaveLength(1);
});

test('a period without sales has no rows, and totals of zero', async () => {
  const sales = await read('sales?from=2001-01-01&to=2001-01-31&group_by=product');
  expect(sales.rows).toEqual([]);
  expect(sales.totals).toEqual({
    orders: 0,
    units: 0,
    item_total: '0.0',
    discount_total: '0.0',
    tax_total: '0.0',
    total: '0.0',
  });
});

test('payments are what gateways took and gave back, by day and gateway', async () => {
  const admin = await asAdmin();
  const at = async (path: string, time: string): Promise<void> => {
    const id = Number(path.split('/').at(-1));
    await testDb()('payment_operations').where({ payment_id: id }).update({ finished_at: time });
  };
  const order = await anOrderOf('30', { state: 'complete' });
  const captured = await aPaymentIn('completed', order);
  await at(captured, '2021-03-01T10:00:00Z');
  await admin.put(`${captured}/credit`, { amount: '4.5' });
  await testDb()('payment_operations')
    .where({ kind: 'credit', amount: '4.5' })
    .update({ finished_at: '2021-03-02T10:00:00Z' });
  const check = await aCheckPayment(order);
  await admin.put(`${check}/capture`);
  await at(check, '2021-03-01T12:00:00Z');
  // An authorization takes nothing.
  await at(await aPaymentIn('pending', order), '2021-03-01T12:00:00Z');
  const period = 'from=2021-03-01&to=2021-03-02';
  const none = { refunds: 0, refunded: '0.0' };
  const checkAmount = (await admin.get(check)).body.amount;
  expect((await read(`payments?${period}`)).rows).toEqual([
    { group: '2021-03-01', gateway: 'bogus', captures: 1, captured: '30.0', ...none, net: '30.0' },
    { group: '2021-03-01', gateway: 'check', captures: 1, captured: checkAmount, ...none, net: checkAmount },
    {
      group: '2021-03-02',
      gateway: 'bogus',
      captures: 0,
      captured: '0.0',
      refunds: 1,
      refunded: '4.5',
      net: '-4.5',
    },
  ]);
  const byGateway = await read(`payments?${period}&group_by=gateway`);
  expect(byGateway.rows.map(({ group, net }: any) => [group, net])).toEqual([
    ['bogus', '25.5'],
    ['check', checkAmount],
  ]);
});

test('payments count what the cancellation of an order gives back of each capture of an authorization', async () => {
  const admin = await asAdmin();
  const before = (await read('payments?group_by=gateway')).totals;
  const order = await anOrderOf('30', { state: 'complete' });
  const pending = await aPaymentIn('pending', order);
  await admin.put(`${pending}/capture`, { amount: '10' });
  const { payments } = (await admin.get(`/orders/${order.number}/payments`)).body;
  await admin.put(`/orders/${order.number}/payments/${payments[1].id}/capture`);
  const canceled = (await admin.put(`/orders/${order.number}/cancel`)).body;
  expect(canceled).toMatchObject({ payment_state: 'void', payment_total: '0.0' });
  const after = (await read('payments?group_by=gateway')).totals;
  expect(after.captured - before.captured).toBeCloseTo(30, 2);
  expect(after.refunded - before.refunded).toBeCloseTo(30, 2);
  const [{ payment_method_id }] = payments;
  const moved = await findOwnMovements(testDb(), payment_method_id, ALL_TIME);
  const own = moved.filter(({ payment_number }) => payment_number === payments[0].number);
  expect(own.map(({ kind, amount }) => [kind, toDecimal(amount)])).toEqual(
    expect.arrayContaining([
      ['capture', '10.0'],
      ['capture', '20.0'],
      ['refund', '30.0'],
    ]),
  );
});

test('the value of the stock is that of the units on hand at their cost', async () => {
  const variant = await aSellableVariant({ stock: 7 });
  const owed = await aSellableVariant({ stock: -2, backorderable: true });
  const admin = await asAdmin();
  await admin.put(`/variants/${variant.id}`, { variant: { cost_price: '4.35' } });
  await admin.put(`/variants/${owed.id}`, { variant: { cost_price: '9' } });
  const { rows, totals } = await read('stock_value?group_by=product');
  const find = (id: number) => rows.find(({ group }: any) => group === String(id));
  expect(find(variant.product_id)).toMatchObject({ units: 7, value: '30.45' });
  expect(find(owed.product_id)).toMatchObject({ units: 0, value: '0.0' });
  expect((await read('stock_value')).totals).toEqual(totals);
});

test('CSV has a header, the rows of the JSON, and no formulas', async () => {
  const variant = await aSellableVariant({ product: { name: '=1+1;"Mug"' } });
  await sellAt('2023-01-05T00:00:00Z', { lines: [{ variant_id: variant.id, quantity: 3 }] });
  const period = 'from=2023-01-05&to=2023-01-05';
  const reply = await (await asAdmin()).get(`/reports/products.csv?${period}`);
  expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(reply.headers['content-disposition']).toBe('inline; filename="products.csv"');
  expect(reply.text).toBe(
    `product_id,sku,name,units,returned,total\n${variant.product_id},,"'=1+1;""Mug""",3,0,47.97\n`,
  );
  const tax = await (await asAdmin()).get(`/reports/refunds.csv?${period}`);
  expect(tax.text).toBe('group,count,total\n');
});

describe('the accounts of a German shop', () => {
  let shop: GermanShop;
  beforeAll(async () => {
    shop = await createGermanShop();
  });
  afterAll(() => shop.close());

  const get = async (name: string, group_by = '', query = ''): Promise<any> => {
    const reply = await shop.admin.get(
      `/reports/${name}?${group_by === '' ? '' : `group_by=${group_by}`}&${query}`,
    );
    expect([reply.status, reply.body.errors]).toEqual([200, undefined]);
    return reply.body;
  };

  test('VAT, returns, refunds and cents', async () => {
    const address = {
      firstname: 'Zoë',
      lastname: 'Weiß',
      address1: 'Am Ring 1',
      city: 'Köln',
      zipcode: '50667',
      phone: '0221',
      country_id: shop.countries.germany,
    };
    const mug = await shop.aProduct(
      { name: 'Becher', price: '9.99', tax_category_id: shop.taxes.standard },
      { location: shop.locations.berlin, count: 50 },
    );
    const book = await shop.aProduct(
      { name: 'Buch', price: '12.49', tax_category_id: shop.taxes.reduced },
      { location: shop.locations.berlin, count: 50 },
    );
    const buy = async (lines: object[]): Promise<any> => {
      const opened = (await shop.as({}).post('/orders', { order: { line_items: lines } })).body;
      const shopper = shop.as({ orderToken: opened.token });
      const path = `/checkouts/${opened.number}`;
      await shopper.put(`${path}/next`);
      await shopper.put(path, {
        order: { email: 'z@example.com', bill_address_attributes: address, ship_address_attributes: address },
      });
      await shopper.put(`${path}/next`);
      await shopper.put(path, {
        order: { payments_attributes: [{ payment_method_id: shop.card }] },
        payment_source: {
          [shop.card]: {
            number: '4111111111111111',
            month: 1,
            year: 2035,
            verification_value: '123',
            name: 'Z',
          },
        },
      });
      const { body } = await shopper.put(`${path}/advance`);
      expect(body.state).toBe('complete');
      return body;
    };
    const giveBack = async (order: any, variant_id: number, attributes: object = {}): Promise<void> => {
      const path = `/orders/${order.number}/payments/${order.payments[0].id}`;
      await shop.admin.put(`${path}/capture`);
      await shop.admin.put(`/shipments/${order.shipments[0].number}/ship`);
      const returns = `/orders/${order.number}/return_authorizations`;
      const made = await shop.admin.post(returns, {
        return_authorization: {
          stock_location_id: shop.locations.berlin,
          return_authorization_reason_id: shop.reason,
          ...attributes,
        },
      });
      await shop.admin.put(`${returns}/${made.body.id}/add`, { variant_id, quantity: 1 });
      expect((await shop.admin.put(`${returns}/${made.body.id}/receive`)).status).toBe(200);
      expect((await shop.admin.put(`${path}/credit?reason=Retoure`)).status).toBe(200);
    };
    await buy([{ variant_id: mug.variant_id, quantity: 1 }]);
    const both = await buy([
      { variant_id: mug.variant_id, quantity: 3 },
      { variant_id: book.variant_id, quantity: 2 },
    ]);
    await giveBack(both, mug.variant_id);
    await giveBack(await buy([{ variant_id: mug.variant_id, quantity: 3 }]), mug.variant_id, { amount: '7' });

    expect(await findReportProblems(shop.db, get)).toEqual([]);
    const taxes = await get('taxes', 'rate');
    const taxed = taxes.rows.filter(({ rate }: any) => rate !== null);
    expect(taxed.map(({ name, rate, included }: any) => [name, rate, included])).toEqual([
      ['USt.', '0.19', true],
      ['USt.', '0.07', true],
    ]);
    // Two books at 12.49 with 7 percent: 24.98 / 1.07.
    expect(taxes.rows[1]).toMatchObject({ tax: '1.63', base: '23.35' });
    const products = await get('products');
    const own = new Set([...both.line_items.map((line: any) => line.variant.product_id)]);
    const rows = products.rows.filter((row: any) => own.has(row.product_id));
    expect(rows.map(({ name, units, returned }: any) => [name, units, returned])).toEqual([
      ['Becher', 7, 2],
      ['Buch', 2, 0],
    ]);
    expect((await get('refunds', 'reason')).rows).toContainEqual({
      group: 'Retoure',
      count: 2,
      total: '16.99',
    });

    // What a return gave back stays so when its line item becomes free: a mug of 8.39 with 1.60 of VAT.
    const line = `/orders/${both.number}/line_items/${both.line_items[0].id}`;
    expect((await shop.admin.put(line, { line_item: { price: '0' } })).status).toBe(200);
    expect(await findReportProblems(shop.db, get)).toEqual([]);
    const free = (await get('taxes')).totals;
    await shop.admin.put(line, { line_item: { price: '9.99' } });
    const sold = (await get('taxes')).totals;
    const lost = [sold.tax - free.tax, sold.base - free.base];
    expect(lost.map((one) => one.toFixed(2))).toEqual(['4.79', '25.18']);
  });

  const aMug = async (price: string): Promise<number> => {
    const mug = { name: 'Becher', price, tax_category_id: shop.taxes.standard };
    return (await shop.aProduct(mug, { location: shop.locations.berlin, count: 50 })).variant_id;
  };

  /** Ships an order and receives all of it. */
  const giveBackAll = async (order: any, amount: string | null, units: object): Promise<void> => {
    for (const { id } of order.payments)
      await shop.admin.put(`/orders/${order.number}/payments/${id}/capture`);
    for (const { number } of order.shipments) await shop.admin.put(`/shipments/${number}/ship`);
    const made = await shop.admin.post(`/orders/${order.number}/return_authorizations`, {
      return_authorization: {
        stock_location_id: shop.locations.berlin,
        return_authorization_reason_id: shop.reason,
        amount,
        items: [units],
        receive: true,
      },
    });
    expect([made.status, made.body.errors]).toEqual([201, undefined]);
  };

  test('a return that gives freight back leaves nothing taxed', async () => {
    const [before, variant_id] = [await get('taxes'), await aMug('20')];
    const order = await sellInGermany(shop, [{ variant_id, quantity: 2 }]);
    const sold = await get('taxes');
    expect((sold.totals.base - before.totals.base).toFixed(2)).toBe('37.73'); // 44.90 less 6.39 and 0.78
    await giveBackAll(order, '44.90', { variant_id, quantity: 2 });
    expect((await get('taxes')).totals).toEqual(before.totals);
    expect(await findReportProblems(shop.db, get)).toEqual([]);
  });

  test('turnover without tax has rows of its own, with the reason', async () => {
    const variant_id = await aMug('119');
    const exported = await sellInGermany(shop, [{ variant_id, quantity: 1 }], {
      country: shop.countries.switzerland,
    });
    expect(exported).toMatchObject({ total: '112.61', tax_total: '-21.39' });
    const readUntaxed = async (): Promise<any[]> =>
      (await get('taxes', 'rate')).rows.filter((row: any) => row.rate === null);
    const [exports, ...others] = await readUntaxed();
    expect(exports).toEqual({
      group: null,
      name: null,
      rate: null,
      included: null,
      reason: 'export',
      base: '112.61',
      tax: '0.0',
    });
    // What is given back of it, freight too, is taken off that row.
    const returned = await sellInGermany(shop, [{ variant_id: await aMug('20'), quantity: 2 }], {
      country: shop.countries.switzerland,
    });
    await giveBackAll(returned, returned.total, {
      variant_id: returned.line_items[0].variant_id,
      quantity: 2,
    });
    expect(await readUntaxed()).toEqual([exports, ...others]);
    const adjusted = await shop.admin.post(`/orders/${exported.number}/adjustments`, {
      adjustment: { label: 'Kulanz', amount: '-2.61' },
    });
    expect(adjusted.status).toBe(201);
    const [unchanged, { base, reason }] = await readUntaxed();
    expect([unchanged, reason]).toEqual([exports, null]);
    expect((base - (others[0]?.base ?? 0)).toFixed(2)).toBe('-2.61');
    expect(await findReportProblems(shop.db, get)).toEqual([]);
  });

  test('turnover keeps the reason for which it was not taxed until the order is sent elsewhere', async () => {
    const create = async (path: string, body: object): Promise<any> => {
      const reply = await shop.admin.post(path, body);
      expect(reply.status).toBe(201);
      return reply.body;
    };
    const untaxed = await create('/tax_categories', { tax_category: { name: 'Gutscheine' } });
    const gift = { name: 'Gutschein', price: '50', tax_category_id: untaxed.id };
    const { variant_id } = await shop.aProduct(gift, { location: shop.locations.berlin, count: 5 });
    const readReasons = async (): Promise<Record<string, string>> => {
      const { rows } = await get('taxes', 'rate', 'basis=booked');
      const free = rows.filter((row: any) => row.rate === null && row.reason !== null);
      return Object.fromEntries(free.map(({ reason, base }: any) => [reason, base]));
    };
    const readExempt = async (): Promise<number> => Number((await readReasons())['exempt'] ?? 0);
    const abroad = { country: shop.countries.switzerland };
    const order = await sellInGermany(shop, [{ variant_id, quantity: 1 }], abroad);
    const sold = await readReasons();
    const exempt = await readExempt();

    // Since the store is registered in Switzerland, what is not taxed there is exempt.
    const zone = (await shop.admin.get('/zones?q[name_eq]=Schweiz')).body.zones[0];
    const rate = await create('/tax_rates', {
      tax_rate: { name: 'MWST', amount: '0.081', zone_id: zone.id, tax_category_id: shop.taxes.standard },
    });
    await create(`/orders/${order.number}/adjustments`, { adjustment: { label: 'Kulanz', amount: '-1' } });
    expect(await readReasons()).toEqual(sold);

    const correct = (changed: object) =>
      shop.admin.put(`/orders/${order.number}`, {
        order: { ship_address: { ...order.ship_address, id: undefined, ...changed } },
      });
    expect((await correct({ phone: '030 1234567' })).status).toBe(200);
    expect(await readReasons()).toEqual(sold);
    await correct({ country_id: shop.countries.germany });
    expect(await readExempt()).toBe(exempt + 50);
    expect((await shop.admin.put(`/orders/${order.number}/cancel`)).status).toBe(200);
    expect((await shop.admin.delete(`/tax_rates/${rate.id}`)).status).toBe(204);
    expect(await findReportProblems(shop.db, get)).toEqual([]);
  });

  test('freight of an export that comes back with units without tax is booked once', async () => {
    const before = await get('taxes', 'rate');
    const category = await shop.admin.post('/tax_categories', { tax_category: { name: 'Steuerfrei' } });
    const stamp = { name: 'Marke', price: '10', tax_category_id: category.body.id };
    const untaxed = await shop.aProduct(stamp, { location: shop.locations.berlin, count: 50 });
    const variants = [await aMug('20'), untaxed.variant_id];
    const order = await sellInGermany(
      shop,
      variants.map((variant_id) => ({ variant_id, quantity: 1 })),
      { country: shop.countries.switzerland },
    );
    await giveBackAll(order, null, { variant_id: variants[0], quantity: 1 });
    await giveBackAll(order, '22.61', { variant_id: variants[1], quantity: 1 });
    expect(await get('taxes', 'rate')).toEqual(before);
    expect(await findReportProblems(shop.db, get)).toEqual([]);
  });

  test('a filed period does not change on the basis of what was booked', async () => {
    const variant_id = await aMug('10');
    const sell = async (quantity: number, shipments: object[]): Promise<any> => {
      const reply = await shop.admin.post('/orders', {
        order: { completed_at: '2024-03-05T12:00:00Z', line_items: [{ variant_id, quantity }], shipments },
      });
      expect(reply.status).toBe(201);
      return reply.body;
    };
    const canceled = await sell(1, []);
    const kept = await sell(3, [{ shipped_at: '2024-03-06T12:00:00Z' }]);
    const filed = 'basis=booked&from=2024-03-01&to=2024-03-31';
    const march = (query: string) =>
      Promise.all(['sales', 'taxes', 'products'].map((name) => get(name, '', query)));
    const [sales, taxes, products] = await march(filed);
    expect(sales.rows).toMatchObject([
      { group: '2024-03-05', orders: 2, units: 4, item_total: '40.0', total: '40.0' },
    ]);
    expect(taxes.totals).toEqual({ base: '40.0', tax: '0.0' });
    expect(products.rows).toMatchObject([{ units: 4, returned: 0, total: '40.0' }]);

    const today = async () => (await get('sales', '', `basis=booked&from=2024-04-01`)).totals;
    const before = await today();
    await giveBackAll(kept, null, { variant_id, quantity: 1 });
    expect((await shop.admin.put(`/orders/${canceled.number}/cancel`)).status).toBe(200);
    expect(await march(filed)).toEqual([sales, taxes, products]);
    const after = await today();
    expect([after.orders - before.orders, after.units - before.units, after.total - before.total]).toEqual([
      -1, -1, -20,
    ]);
    // On the basis of sales, March has what became of them.
    const [now, , left] = await march('from=2024-03-01&to=2024-03-31');
    expect(now.rows).toMatchObject([{ group: '2024-03-05', orders: 1, units: 3, total: '20.0' }]);
    expect(left.rows).toMatchObject([{ units: 3, returned: 1, total: '20.0' }]);
    for (const name of ['refunds', 'stock_value']) await get(name, '', 'basis=booked');
    expect((await shop.admin.get('/reports/sales?basis=paid')).status).toBe(422);
  });

  test('a return of what was refunded before is booked once', async () => {
    const variant_id = await aMug('10');
    const booked = async () => (await get('sales', '', 'basis=booked')).totals.total;
    const before = await booked();
    const order = await sellInGermany(shop, [{ variant_id, quantity: 1 }]);
    const payment = `/orders/${order.number}/payments/${order.payments[0].id}`;
    await shop.admin.put(`${payment}/capture`);
    await shop.admin.put(`/shipments/${order.shipments[0].number}/ship`);
    expect((await shop.admin.put(`${payment}/credit?amount=14.90`)).status).toBe(200);
    await giveBackAll(order, null, { variant_id, quantity: 1 });
    expect((await booked()) - before).toBeCloseTo(0);
    expect(await findReportProblems(shop.db, get)).toEqual([]);
    await expectNoViolations(undefined, shop.db);
  });

  test('refunds of canceled orders are refunds', async () => {
    const variant_id = await aMug('10');
    const before = (await get('refunds')).totals;
    const order = await sellInGermany(shop, [{ variant_id, quantity: 1 }]);
    await shop.admin.put(`/orders/${order.number}/payments/${order.payments[0].id}/capture`);
    const credit = await shop.admin.put(
      `/orders/${order.number}/payments/${order.payments[0].id}/credit?amount=3`,
    );
    expect(credit.status).toBe(200);
    const booked = (await get('sales', '', 'basis=booked')).totals;
    expect((await shop.admin.put(`/orders/${order.number}/cancel`)).body.state).toBe('canceled');
    const { totals } = await get('refunds');
    expect([totals.count - before.count, (totals.total - before.total).toFixed(2)]).toEqual([2, '14.90']);
    // The refund of 3.00 had been booked, and the cancellation books the rest.
    const canceled = (await get('sales', '', 'basis=booked')).totals;
    expect((canceled.total - booked.total).toFixed(2)).toBe('-11.90');
    expect(await findReportProblems(shop.db, get)).toEqual([]);
  });

  test('refunds for returns are one group, whatever the numbers of the returns', async () => {
    const variant_id = await aMug('10');
    const giveBack = async (): Promise<void> => {
      const order = await sellInGermany(shop, [{ variant_id, quantity: 1 }]);
      await shop.admin.put(`/orders/${order.number}/payments/${order.payments[0].id}/capture`);
      await shop.admin.put(`/shipments/${order.shipments[0].number}/ship`);
      const return_authorization = {
        stock_location_id: shop.locations.berlin,
        return_authorization_reason_id: shop.reason,
        items: [{ variant_id, quantity: 1 }],
        receive: true,
        refund: true,
      };
      const path = `/orders/${order.number}/return_authorizations`;
      expect((await shop.admin.post(path, { return_authorization })).status).toBe(201);
    };
    await giveBack();
    await giveBack();
    const { rows } = await get('refunds', 'reason');
    expect(rows.filter(({ group }: any) => group?.startsWith('Return'))).toEqual([
      { group: 'Return', count: 2, total: '20.0' },
    ]);
  });
});
