import { findReportProblems } from '../../support/report-sums';
import { expectNoViolations } from '../../support/invariants';
import { createGermanShop, type GermanShop } from '../../support/german-shop';

/* What a sale that was made elsewhere was charged: taxes, discounts of its line items, its invoice. Nothing that is sent is dropped. */

let shop: GermanShop;
let mug: number;
let book: number;

beforeAll(async () => {
  shop = await createGermanShop();
  const sell = async (name: string, tax_category_id: number): Promise<number> =>
    (
      await shop.aProduct(
        { name, price: '9.99', tax_category_id },
        {
          location: shop.locations.berlin,
          count: 50,
        },
      )
    ).variant_id;
  mug = await sell('Becher', shop.taxes.standard);
  book = await sell('Buch', shop.taxes.reduced);
});
afterAll(async () => {
  try {
    await expectNoViolations(undefined, shop.db);
    const read = async (name: string, group = '') =>
      get(`/reports/${name}${group === '' ? '' : `?group_by=${group}`}`);
    expect(await findReportProblems(shop.db, read)).toEqual([]);
  } finally {
    await shop.close();
  }
});

const ADDRESS = {
  firstname: 'Ann',
  lastname: 'Lee',
  address1: 'Heidestraße 17',
  city: 'Köln',
  zipcode: '51147',
  phone: '0221',
};
const SOLD_AT = '2020-11-05T12:00:00.000Z';
let count = 0;

const post = (order: object) => {
  count += 1;
  return shop.admin.post('/orders', { order: { number: `OLD-${count}`, completed_at: SOLD_AT, ...order } });
};

async function importOrder(order: object): Promise<any> {
  const reply = await post(order);
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body;
}

const get = async (path: string): Promise<any> => (await shop.admin.get(path)).body;
const taxesBy = async (from: string): Promise<any[]> =>
  (await get(`/reports/taxes?group_by=rate&from=${from}&to=${from}`)).rows;

test('an import without a ship address has the tax-free reason of its bill address', async () => {
  const order = await importOrder({
    completed_at: '2020-11-01T12:00:00Z',
    bill_address: { ...ADDRESS, country_id: shop.countries.germany },
    line_items: [{ variant_id: book, price: '8.00' }],
  });
  expect(await taxesBy('2020-11-01')).toMatchObject([{ reason: 'exempt', base: '8.0' }]);
  const [document] = await shop.db('documents').where({ order_id: order.id });
  expect(document.entries[0].reason).toBe('exempt');
});

describe('taxes of an import', () => {
  test('with another name are not booked at an equal tax rate of the store', async () => {
    const day = '2020-11-02';
    const soldAt = (time: string, label?: string) =>
      importOrder({
        completed_at: `${day}T${time}:00Z`,
        documents: false,
        line_items: [
          {
            variant_id: book,
            quantity: 1,
            price: '10.70',
            adjustments: [{ label, amount: '0.70', included: true, rate: '0.07' }],
          },
        ],
      });
    await soldAt('10:00', 'Alter Satz 7 %');
    await soldAt('11:00', 'USt.');
    await soldAt('12:00');
    expect(await taxesBy(day)).toMatchObject([
      { group: String(shop.rates.reduced), name: 'USt.', rate: '0.07', base: '20.0', tax: '1.4' },
      { group: null, name: 'Alter Satz 7 %', rate: '0.07', base: '10.0', tax: '0.7' },
    ]);
  });

  test('are those of its line items and shipments, and follow them later', async () => {
    const order = await importOrder({
      completed_at: '2020-11-08T12:00:00Z',
      line_items: [
        {
          variant_id: mug,
          quantity: 2,
          price: '11.60',
          adjustments: [{ label: 'USt. 16 %', amount: '3.20', included: true, rate: '0.16' }],
        },
        {
          variant_id: book,
          quantity: 1,
          price: '10.70',
          adjustments: [{ tax_rate: 'USt.', amount: '0.70' }],
        },
      ],
      shipments: [
        {
          shipping_method: 'Paket',
          cost: '4.90',
          shipped_at: '2020-11-09T12:00:00Z',
          adjustments: [{ tax_rate_id: shop.rates.standard, amount: '0.78' }],
        },
      ],
    });
    expect(order).toMatchObject({
      item_total: '33.9',
      ship_total: '4.9',
      total: '38.8',
      adjustment_total: '0.0',
      included_tax_total: '4.68',
      additional_tax_total: '0.0',
      tax_total: '4.68',
    });
    const labels = order.line_items.map(({ adjustments }: any) =>
      adjustments.map((one: any) => [one.label, one.amount]),
    );
    expect(labels).toEqual([[['USt. 16 %', '3.2']], [['USt.', '0.7']]]);
    expect(await taxesBy('2020-11-08')).toMatchObject([
      { name: 'USt.', rate: '0.19', base: '4.12', tax: '0.78' },
      { name: 'USt.', rate: '0.07', base: '10.0', tax: '0.7' },
      { group: null, name: 'USt. 16 %', rate: '0.16', included: true, base: '20.0', tax: '3.2' },
    ]);
    // A later change of the line is taxed at the rate of the sale.
    const path = `/orders/${order.number}/line_items/${order.line_items[0].id}`;
    expect((await shop.admin.put(path, { line_item: { quantity: 3 } })).status).toBe(200);
    expect(await get(`/orders/${order.number}`)).toMatchObject({ included_tax_total: '6.28', total: '50.4' });
  });

  test('need their rate if the tax rate that they name has another amount now', async () => {
    const sold = (quantity: number, tax: object) => ({
      line_items: [{ variant_id: mug, quantity, price: '11.60', adjustments: [tax] }],
    });
    const named = { tax_rate_id: shop.rates.standard };
    const refused = await post(sold(2, { ...named, amount: '3.20' }));
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { 'line_items.adjustments.rate': ['must be sent if the tax rate has another amount now'] },
    ]);
    const freight = await post({
      ...sold(1, { ...named, amount: '1.85' }),
      shipments: [{ shipping_method: 'Paket', cost: '4.90', adjustments: [{ ...named, amount: '0.68' }] }],
    });
    expect(freight.body.errors).toEqual({
      'shipments.adjustments.rate': ['must be sent if the tax rate has another amount now'],
    });
    const order = await importOrder(sold(2, { ...named, amount: '3.20', rate: '0.16' }));
    const [tax] = order.line_items[0].adjustments;
    expect(await shop.db('adjustments').where({ id: tax.id }).pluck('rate')).toEqual(['0.16']);
    // Other systems round the tax of each unit: 3 x 1.85.
    expect((await post(sold(3, { ...named, amount: '5.55' }))).status).toBe(201);
  });

  test('name their rate by its id too, as a file does', async () => {
    const adjustments = [{ tax_rate: String(shop.rates.reduced), amount: '0.70' }];
    const order = await importOrder({
      completed_at: '2020-11-10T12:00:00Z',
      line_items: [{ variant_id: book, quantity: 1, price: '10.70', adjustments }],
    });
    expect(order.included_tax_total).toBe('0.7');
    expect(await taxesBy('2020-11-10')).toMatchObject([{ name: 'USt.', rate: '0.07', tax: '0.7' }]);
  });

  test('keep the amounts of the other system, and its added taxes', async () => {
    const order = await importOrder({
      completed_at: '2020-11-07T12:00:00Z',
      line_items: [
        {
          variant_id: mug,
          quantity: 1,
          price: '10.00',
          // The discount came before the tax, which was rounded down.
          adjustments: [
            { label: 'Rabatt', amount: '-1.00' },
            { label: 'Sales tax', amount: '0.79', rate: '0.08875' },
          ],
        },
      ],
      adjustments: [{ label: 'Stadt', amount: '0.21', rate: '0.01' }],
    });
    expect(order).toMatchObject({ total: '10.0', additional_tax_total: '1.0', adjustment_total: '0.0' });
    expect(await taxesBy('2020-11-07')).toMatchObject([
      { name: 'Sales tax', rate: '0.08875', included: false, base: '9.0', tax: '0.79' },
      { name: 'Stadt', rate: '0.01', base: '0.0', tax: '0.21' },
    ]);
  });

  test('of the whole order are shared among its line items and shipments if these have none', async () => {
    const order = await importOrder({
      completed_at: '2020-11-06T12:00:00Z',
      line_items: [
        { variant_id: mug, quantity: 3, price: '10.00', adjustments: [{ label: 'Rabatt', amount: '-2.00' }] },
        { variant_id: book, quantity: 1, price: '9.99' },
      ],
      shipments: [{ shipping_method: 'Paket', cost: '4.90', shipped_at: '2020-11-07T12:00:00Z' }],
      adjustments: [
        { label: 'MwSt', amount: '6.85', included: true, rate: '0.19' },
        { label: 'Gutschein', amount: '-1.00' },
      ],
    });
    expect(order).toMatchObject({ total: '41.89', included_tax_total: '6.85', adjustment_total: '-3.0' });
    expect(order.adjustments).toMatchObject([{ label: 'Gutschein', amount: '-1.0' }]);
    const taxesOf = (part: { adjustments: { source_type: string | null; amount: string }[] }) =>
      part.adjustments
        .filter(({ source_type }) => source_type === 'Store::TaxRate')
        .map(({ amount }) => amount);
    expect([...order.line_items, ...order.shipments].map(taxesOf)).toEqual([['4.47'], ['1.6'], ['0.78']]);
    expect(await taxesBy('2020-11-06')).toMatchObject([
      { name: 'MwSt', rate: '0.19', included: true, base: '36.04', tax: '6.85' },
      { rate: null, base: '-1.0', tax: '0.0' },
    ]);
    const line = `/orders/${order.number}/line_items/${order.line_items[1].id}`;
    await shop.admin.put(line, { line_item: { price: '5.00' } });
    expect(await get(`/orders/${order.number}`)).toMatchObject({ included_tax_total: '6.05' });
  });

  test('of the whole order stay its own if a line item has a tax of its own', async () => {
    const tax = (amount: string) => ({ label: 'MwSt', amount, included: true, rate: '0.19' });
    const order = await importOrder({
      line_items: [
        { variant_id: mug, quantity: 1, price: '11.90', adjustments: [tax('1.90')] },
        { variant_id: book, quantity: 1, price: '5.95' },
      ],
      adjustments: [tax('0.95')],
    });
    const amounts = ({ adjustments }: { adjustments: { amount: string }[] }) =>
      adjustments.map(({ amount }) => amount);
    expect([amounts(order), ...order.line_items.map(amounts)]).toEqual([['0.95'], ['1.9'], []]);
    expect(order).toMatchObject({ total: '17.85', included_tax_total: '2.85' });
  });

  test('of the whole order are none if nothing costs anything', async () => {
    const tax = { label: 'MwSt', amount: '0', included: true, rate: '0.19' };
    const free = await importOrder({
      line_items: [{ variant_id: mug, quantity: 1, price: '0' }],
      adjustments: [tax],
    });
    expect(free).toMatchObject({ total: '0.0', tax_total: '0.0' });
  });

  test.each([
    ['line_items.adjustments.tax_rate', { tax_rate: 'MwSt.', amount: '1' }],
    ['line_items.adjustments.tax_rate', { tax_rate: 'USt.', amount: '1.23' }],
    ['line_items.adjustments.amount', { tax_rate_id: 'rate' }],
    ['line_items.adjustments.amount', { label: 'Tax', included: true, amount: '-1' }],
    ['line_items.adjustments.label', { amount: '1', included: true }],
    ['line_items.adjustments.label', { amount: '1' }],
    ['line_items.adjustments.taxed', { label: 'Tax', amount: '1', included: true, taxed: true }],
  ])('are refused as %s', async (field, adjustment: any) => {
    const row = {
      ...adjustment,
      ...(adjustment.tax_rate_id === 'rate' && { tax_rate_id: shop.rates.standard }),
    };
    const reply = await post({ line_items: [{ variant_id: mug, price: '20', adjustments: [row] }] });
    expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, [field]]);
  });

  test('of an order that is not sold yet are refused', async () => {
    const lines = [{ variant_id: mug, adjustments: [{ tax_rate_id: shop.rates.standard, amount: '1' }] }];
    const reply = await shop.admin.post('/orders', { order: { line_items: lines } });
    expect([reply.status, Object.keys(reply.body.errors)]).toEqual([
      422,
      ['line_items.adjustments.tax_rate'],
    ]);
    const { status, body } = await shop.as({}).post('/orders', {
      order: { line_items: [{ variant_id: mug, adjustments: [{ label: 'Rabatt', amount: '-5' }] }] },
    });
    expect([status, body.total]).toEqual([201, '9.99']);
  });
});

describe('the invoice of an import', () => {
  const line_items = [{ variant_id: 0, quantity: 1, price: '10' }];
  const sell = (order: object) =>
    importOrder({ line_items: [{ ...line_items[0], variant_id: mug }], ...order });
  const listDocuments = async ({ number }: { number: string }): Promise<any[]> =>
    (await get(`/orders/${number}/documents`)).documents;

  test('is kept by its number, and later documents refer to it', async () => {
    const order = await sell({ invoice_number: 'RE-2020-17', invoiced_at: '2020-11-06T09:00:00Z' });
    const kept = {
      kind: 'invoice',
      number: 'RE-2020-17',
      created_at: '2020-11-06T09:00:00.000Z',
      total: '10.0',
      url: null,
    };
    expect(await listDocuments(order)).toEqual([kept]);
    expect((await shop.admin.get(`/orders/${order.number}/invoice.pdf`)).status).toBe(404);
    const all = await get(`/documents?q[order_number_eq]=${order.number}`);
    expect(all.documents).toEqual([]);
    await shop.admin.post(`/orders/${order.number}/adjustments`, {
      adjustment: { label: 'Kulanz', amount: '-1' },
    });
    const [, correction] = await listDocuments(order);
    expect(correction).toMatchObject({ kind: 'correction', total: '-1.0' });
    const { snapshot } = await shop.db('documents').where({ number: correction.number }).first('snapshot');
    expect(snapshot.invoice.number).toBe('RE-2020-17');
    expect((await get(`/orders?search=re-2020-17`)).orders.map(({ number }: any) => number)).toEqual([
      order.number,
    ]);
  });

  test('is not made with documents: false', async () => {
    const order = await sell({ documents: false });
    expect(await listDocuments(order)).toMatchObject([{ kind: 'invoice', number: order.number, url: null }]);
    const [own] = await listDocuments(await sell({ documents: true }));
    expect(own).toMatchObject({ number: expect.stringMatching(/^INV-/), url: expect.stringMatching(/pdf$/) });
  });

  test('cannot have a number that this store has given or will give', async () => {
    const [own] = await listDocuments(await sell({}));
    const [, digits = ''] = /^INV-(\d+)$/.exec(own.number) ?? [];
    const next = (beyond: number) => `INV-${String(Number(digits) + beyond).padStart(6, '0')}`;
    const send = async (invoice_number: string): Promise<unknown> => {
      const { status, body } = await post({ line_items: [{ variant_id: mug }], invoice_number });
      return status === 201 ? status : body.errors.invoice_number;
    };
    expect(await send(own.number)).toEqual(['has already been taken']);
    const message =
      'will be given by this store; change its invoice_prefix, or raise its invoice_start before its first invoice';
    for (const beyond of [1, 2_000_000]) expect(await send(next(beyond))).toEqual([message]);
    const [store] = (await get('/stores')).stores;
    const set = (settings: object) => shop.admin.put(`/stores/${store.id}`, { store: settings });
    await set({ invoice_prefix: 'RE-', invoice_start: 816, document_numbers_yearly: true });
    const year = new Date().getUTCFullYear();
    for (const number of [`RE-${year}-000816`, `RE-${year + 1}-000816`])
      expect(await send(number)).toEqual([message]);
    // Numbers before the first one, of an earlier year or in another format are never given.
    for (const number of [
      `RE-${year}-000815`,
      `RE-${year + 1}-000815`,
      `RE-${year - 1}-000816`,
      `RE-${year}-0000816`,
      `RE-${year}-816`,
    ]) {
      expect([number, await send(number)]).toEqual([number, 201]);
    }
    await set({ invoice_prefix: 'INV-', invoice_start: 1, document_numbers_yearly: false });
    // One invoice may cover several orders.
    expect([await send('SAMMEL-1'), await send('SAMMEL-1')]).toEqual([201, 201]);
  });

  test('needs a sold order and a number', async () => {
    const cart = await shop.admin.post('/orders', { order: { invoice_number: '1', documents: false } });
    expect([cart.status, Object.keys(cart.body.errors)]).toEqual([422, ['invoice_number', 'documents']]);
    const sold = await post({ line_items: [{ variant_id: mug }], invoiced_at: SOLD_AT });
    expect([sold.status, Object.keys(sold.body.errors)]).toEqual([422, ['invoice_number']]);
  });
});

test('whatever an import cannot store is refused and named', async () => {
  const refusals: [string, object][] = [
    ['order.tax_total', { tax_total: '1.00' }],
    ['order.line_items.0.discount', { line_items: [{ variant_id: mug, discount: '1' }] }],
    ['order.shipments.0.carrier', { shipments: [{ carrier: 'DHL' }] }],
    ['line_items', { line_items_attributes: [{ variant_id: mug }] }],
    ['line_items.id', { line_items: [{ variant_id: mug, id: 7 }] }],
    ['line_items.quantity', { line_items: [{ variant_id: mug, quantity: 0 }] }],
  ];
  for (const [field, order] of refusals) {
    const { status, body } = await post({ line_items: [{ variant_id: mug }], ...order });
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
  }
});
