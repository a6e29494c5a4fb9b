import { createGermanShop, type GermanShop } from '../support/german-shop';
import { readPdf } from '../support/pdf';
import { GOOD_CARD } from '../support/orders.factory';
import { sellInGermany } from '../support/german-sales';
import { findViolations } from '../../src/sales/verify/find-violations';
import type { Db } from '../../src/platform/database/knex';

let shop: GermanShop;
let coat: number;
let book: number;

beforeAll(async () => {
  shop = await createGermanShop();
  const stock = { location: shop.locations.berlin, count: 100 };
  const product = (name: string, price: string, tax_category_id: number) =>
    shop.aProduct({ name, price, tax_category_id }, stock);
  coat = (await product('Mantel', '119.00', shop.taxes.standard)).variant_id;
  book = (await product('Buch', '10.70', shop.taxes.reduced)).variant_id;
});

afterAll(async () => {
  expect(await findViolations(shop.db)).toEqual([]);
  await shop.close();
});

const sell = (order: object = {}, country?: number, inConfirm?: () => Promise<void>) =>
  sellInGermany(
    shop,
    [
      { variant_id: coat, quantity: 1 },
      { variant_id: book, quantity: 2 },
    ],
    { order, ...(country !== undefined && { country }), ...(inConfirm !== undefined && { inConfirm }) },
  );

const admin = async (method: 'post' | 'put' | 'delete', path: string, body: object = {}): Promise<any> => {
  const reply = await shop.admin[method](path, body);
  if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${reply.text}`);
  return reply.body;
};

const listDocuments = async ({ id }: { id: number }, db: Db = shop.db) =>
  db('documents').where({ order_id: id }).orderBy('id').select();

/** Kind, total, and net, tax and total by rate. */
const summarize = async (order: any, db?: Db) =>
  (await listDocuments(order, db)).map(({ kind, total, snapshot }) => [
    kind,
    total,
    ...snapshot.rates.map((rate: any) => [rate.rate, rate.net, rate.tax, rate.total]),
  ]);

const pay = (order: any) => admin('put', `/orders/${order.number}/payments/${order.payments[0].id}/capture`);

const credit = (order: any, amount: string) =>
  admin('put', `/orders/${order.number}/payments/${order.payments[0].id}/credit`, { amount });

const ship = async (order: any) => {
  const { shipments } = (await shop.admin.get(`/orders/${order.number}`)).body;
  for (const { number } of shipments) await admin('put', `/shipments/${number}/ship`);
};

const takeBack = async (order: any, variant_id: number, quantity: number, amount?: string) => {
  const returns = `/orders/${order.number}/return_authorizations`;
  const made = await admin('post', returns, {
    return_authorization: {
      stock_location_id: shop.locations.berlin,
      return_authorization_reason_id: shop.reason,
      amount,
    },
  });
  await admin('put', `${returns}/${made.id}/add`, { variant_id, quantity });
  await admin('put', `${returns}/${made.id}/receive`);
};

afterEach(async () => {
  // With a scope, what belongs to the database as a whole is left out, which takes longer than all else; it is checked at the end.
  const order_ids = await shop.db('orders').pluck('id');
  expect(await findViolations(shop.db, { order_ids })).toEqual([]);
});

const INVOICE = [
  'invoice',
  '140.40',
  ['0.19', '100.00', '19.00', '119.00'],
  ['0.07', '20.00', '1.40', '21.40'],
];

test('an invoice has net, tax and total of each rate, and of each line', async () => {
  const order = await sell({ vat_id: 'ATU12345678' });
  expect(await summarize(order)).toEqual([INVOICE]);
  const [{ entries, snapshot }] = await listDocuments(order);
  expect(entries).toEqual([
    expect.objectContaining({
      kind: 'line',
      label: 'Mantel',
      quantity: 1,
      price: '119.00',
      net: '100.00',
      tax: '19.00',
      total: '119.00',
      taxes: [
        expect.objectContaining({
          rate: '0.19',
          name: 'USt.',
          included: true,
          reduced: false,
          amount: '19.00',
        }),
      ],
    }),
    expect.objectContaining({
      kind: 'line',
      label: 'Buch',
      quantity: 2,
      price: '10.70',
      net: '20.00',
      tax: '1.40',
      total: '21.40',
      taxes: [expect.objectContaining({ rate: '0.07', reduced: true, amount: '1.40' })],
    }),
    expect.objectContaining({ kind: 'freight', label: 'Paket', quantity: null, net: '0.00', total: '0.00' }),
  ]);
  expect(snapshot).toMatchObject({
    net_total: '120.00',
    tax_total: '20.40',
    total: '140.40',
    vat_id: 'ATU12345678',
    locale: 'en',
    payments: [expect.objectContaining({ method: 'Kreditkarte', state: 'pending', amount: '140.40' })],
  });
});

test('what was sold before a rate was raised keeps the name and the rate of the sale', async () => {
  const rate = `/tax_rates/${shop.rates.standard}`;
  await admin('put', rate, { tax_rate: { name: 'USt. 19 %' } });
  const order = await sell();
  await admin('put', rate, { tax_rate: { name: 'USt. 21 %', amount: '0.21' } });
  try {
    const line = `/orders/${order.number}/line_items/${order.line_items[0].id}`;
    await admin('put', line, { line_item: { quantity: 2 } });
    const name = ({ snapshot }: { snapshot: { rates: { name: string }[] } }) => snapshot.rates[0]?.name;
    expect((await listDocuments(order)).map(name)).toEqual(['USt. 19 %', 'USt. 19 %']);
    const { rows } = (await shop.admin.get('/reports/taxes?group_by=rate')).body;
    expect(rows).toContainEqual(expect.objectContaining({ name: 'Regelsatz', rate: '0.19' }));
    expect(rows).not.toContainEqual(expect.objectContaining({ name: 'USt. 21 %' }));
  } finally {
    await admin('put', rate, { tax_rate: { name: 'USt.', amount: '0.19' } });
  }
});

test('what a return refunds beyond its items and freight lists no charges', async () => {
  const order = await sell();
  await pay(order);
  const path = `/orders/${order.number}/adjustments`;
  const charge = { label: 'Nachnahme', amount: '3', shipment_id: order.shipments[0].id, taxed: true };
  await admin('post', path, { adjustment: charge });
  await admin('post', path, { adjustment: { label: 'Kulanz', amount: '-5' } });
  await ship(order);
  await admin('post', `/orders/${order.number}/return_authorizations`, {
    return_authorization: {
      stock_location_id: shop.locations.berlin,
      return_authorization_reason_id: shop.reason,
      amount: '138.40',
      items: [
        { variant_id: coat, quantity: 1 },
        { variant_id: book, quantity: 2 },
      ],
      receive: true,
    },
  });
  const documents = await listDocuments(order);
  const { kind, entries } = documents.at(-1);
  expect(kind).toBe('credit_note');
  expect(
    entries.map(({ key, total }: { key: string; total: string }) => [
      key.split(':').slice(2).join(':'),
      total,
    ]),
  ).toEqual(expect.arrayContaining([[expect.stringContaining('remainder'), '-3.00']]));
  expect(entries.filter((entry: object) => 'charges' in entry)).toEqual([]);
  expect(documents[1].entries).toContainEqual(
    expect.objectContaining({ charges: [{ label: 'Nachnahme', amount: '3.00' }] }),
  );
});

test('a changed sale gets a correction of the difference, by line and rate', async () => {
  const order = await sell();
  const lines = `/orders/${order.number}/line_items`;
  const [coatLine, bookLine] = order.line_items;
  await admin('put', `${lines}/${bookLine.id}`, { line_item: { quantity: 3 } });
  await admin('put', `${lines}/${coatLine.id}`, { line_item: { price: '107.10' } });
  await admin('post', `/orders/${order.number}/adjustments`, {
    adjustment: { label: 'Kulanz', amount: '-5' },
  });
  expect(await summarize(order)).toEqual([
    INVOICE,
    ['correction', '10.70', ['0.07', '10.00', '0.70', '10.70']],
    ['correction', '-11.90', ['0.19', '-10.00', '-1.90', '-11.90']],
    ['correction', '-5.00', [null, '-5.00', '0', '-5.00']],
  ]);
  const [, more] = await listDocuments(order);
  expect(more.snapshot.invoice.number).toMatch(/^INV-/);
  expect(more.entries).toEqual([
    expect.objectContaining({
      label: 'Buch',
      quantity: 1,
      total: '10.70',
      was: { quantity: 2, price: '10.70' },
      held: { quantity: 3, price: '10.70' },
    }),
  ]);
});

test('documents name the taxed adjustments of a line item, and corrections those that changed', async () => {
  const order = await sell();
  const { id } = order.line_items.find(({ variant_id }: any) => variant_id === coat);
  const adjust = (label: string, amount: string) =>
    admin('post', `/orders/${order.number}/adjustments`, {
      adjustment: { label, amount, line_item_id: id, taxed: true },
    });
  await adjust('Gravur', '5.95');
  const box = await adjust('Etui', '11.90');
  await admin('put', `/orders/${order.number}/line_items/${id}`, { line_item: { quantity: 2 } });
  await admin('delete', `/orders/${order.number}/adjustments/${box.id}`);
  await admin('put', `/orders/${order.number}/cancel`);
  const documents = await listDocuments(order);
  const ofCoat = documents.map(({ entries }) => entries.find(({ label }: any) => label === 'Mantel').charges);
  expect(ofCoat).toEqual([
    undefined,
    [{ label: 'Gravur', amount: '5.95' }],
    [{ label: 'Etui', amount: '11.90' }],
    undefined,
    [{ label: 'Etui', amount: '-11.90' }],
    [{ label: 'Gravur', amount: '-5.95' }],
  ]);
  const text = async (place: number): Promise<string> => {
    const path = `/orders/${order.number}/documents/${documents[place].id}.pdf`;
    return readPdf((await shop.admin.get(path)).body);
  };
  expect(await text(4)).toContain('Etui -€11.90');
  expect(await text(5)).toContain('Gravur €5.95');
});

test('changes of one request are one correction, also if the total stays', async () => {
  const order = await sell();
  const [coatLine, bookLine] = order.line_items;
  await admin('put', `/orders/${order.number}`, {
    order: {
      line_items: [
        { id: coatLine.id, price: '117.00' },
        { id: bookLine.id, price: '11.70' },
      ],
    },
  });
  expect(await summarize(order)).toEqual([
    INVOICE,
    ['correction', '0.00', ['0.19', '-1.68', '-0.32', '-2.00'], ['0.07', '1.87', '0.13', '2.00']],
  ]);
});

test('a return makes a credit note, and its refund no second one', async () => {
  const order = await sell();
  await pay(order);
  await ship(order);
  await takeBack(order, book, 1);
  await credit(order, '10.70');
  expect(await summarize(order)).toEqual([
    INVOICE,
    ['credit_note', '10.70', ['0.07', '10.00', '0.70', '10.70']],
  ]);
  // An edit afterwards is not taken for a refund in advance.
  await admin('post', `/orders/${order.number}/adjustments`, { adjustment: { label: 'Porto', amount: '3' } });
  expect((await summarize(order)).at(-1)).toEqual(['correction', '3.00', [null, '3.00', '0', '3.00']]);
});

test('a return of another amount than its units are worth is credited by rate', async () => {
  const order = await sell();
  await pay(order);
  await ship(order);
  await takeBack(order, coat, 1, '59.50');
  expect((await summarize(order)).at(-1)).toEqual([
    'credit_note',
    '59.50',
    ['0.19', '50.00', '9.50', '59.50'],
  ]);
});

test('a refund alone has a credit note over all rates; a return of as much makes no second one', async () => {
  const order = await sell();
  await pay(order);
  await ship(order);
  await credit(order, '14.04');
  expect((await summarize(order)).at(-1)).toEqual([
    ...['credit_note', '14.04'],
    ...[
      ['0.19', '10.00', '1.90', '11.90'],
      ['0.07', '2.00', '0.14', '2.14'],
    ],
  ]);
  await takeBack(order, book, 2);
  const documents = await summarize(order);
  expect(documents).toHaveLength(3);
  expect(documents.at(-1)?.slice(0, 2)).toEqual(['credit_note', '7.36']);
  await credit(order, '7.36');
  expect(await summarize(order)).toHaveLength(3);
});

test('a return that a refund covers makes no document, and the next one prints only what follows', async () => {
  const order = await sellInGermany(shop, [{ variant_id: coat, quantity: 2 }]);
  await pay(order);
  await ship(order);
  await credit(order, '119.00');
  await takeBack(order, coat, 1);
  expect(await listDocuments(order)).toHaveLength(2);
  await takeBack(order, coat, 1);
  const [, , note, ...others] = await listDocuments(order);
  expect([note.kind, note.total, others]).toEqual(['credit_note', '119.00', []]);
  expect(note.entries).toMatchObject([{ kind: 'return', quantity: -1, total: '-119.00' }]);
  expect(note.entries).toHaveLength(1);
});

test('a cancellation that a refund covers makes no document', async () => {
  const order = await sell();
  await pay(order);
  await credit(order, '140.40');
  await admin('put', `/orders/${order.number}/cancel`);
  expect((await summarize(order)).map(([kind, total]) => [kind, total])).toEqual([
    ['invoice', '140.40'],
    ['credit_note', '140.40'],
  ]);
});

test('a payment after a refund restores what the refund took back', async () => {
  const order = await sell();
  await pay(order);
  await credit(order, '40.40');
  const made = await admin('post', `/orders/${order.number}/payments`, {
    payment: { payment_method_id: shop.card, amount: '40.40', source_attributes: GOOD_CARD },
  });
  await admin('put', `/orders/${order.number}/payments/${made.id}/purchase`);
  expect((await summarize(order)).map(([kind, total]) => [kind, total])).toEqual([
    ['invoice', '140.40'],
    ['credit_note', '40.40'],
    ['correction', '40.40'],
  ]);
});

test('a cancellation takes back all that is documented', async () => {
  const order = await sell();
  await pay(order);
  await admin('post', `/orders/${order.number}/adjustments`, { adjustment: { label: 'Porto', amount: '5' } });
  await admin('put', `/orders/${order.number}/cancel`);
  const documents = await summarize(order);
  expect(documents.map(([kind, total]) => [kind, total])).toEqual([
    ['invoice', '140.40'],
    ['correction', '5.00'],
    ['credit_note', '145.40'],
  ]);
  expect(documents.at(-1)?.slice(2)).toEqual([
    ['0.19', '100.00', '19.00', '119.00'],
    ['0.07', '20.00', '1.40', '21.40'],
    [null, '5.00', '0', '5.00'],
  ]);
});

test('an order from abroad is net, with the reason', async () => {
  const order = await sell({}, shop.countries.switzerland);
  const [invoice] = await listDocuments(order);
  expect(invoice.snapshot.rates).toEqual([
    expect.objectContaining({ rate: null, reason: 'export', net: invoice.total, tax: '0' }),
  ]);
  expect(invoice.entries[0]).toMatchObject({ net: '100.00', tax: '0', relief: '-19.00', reason: 'export' });
});

test('what goes to a country of the EU without rates is no export, nor is its return', async () => {
  const countryId = async (iso: string): Promise<number> =>
    (await shop.db('countries').where({ iso }).first()).id;
  const [france, spain] = [await countryId('FR'), await countryId('ES')];
  const zone_members = [{ zoneable_type: 'Country', zoneable_id: france }];
  const zone = await admin('post', '/zones', { zone: { name: 'Frankreich', zone_members } });
  const [ware] = (await shop.admin.get('/shipping_categories')).body.shipping_categories.slice(-1);
  await admin('post', '/shipping_methods', {
    shipping_method: {
      name: 'Frankreich',
      code: 'FR',
      tax_category_id: shop.taxes.standard,
      calculator_type: 'flat_rate',
      calculator_preferences: { amount: '11.90', currency: 'EUR' },
      zone_ids: [zone.id],
      shipping_category_ids: [ware.id],
    },
  });
  const order = await sell({}, france);
  await pay(order);
  await ship(order);
  await takeBack(order, coat, 1, order.total);
  const documents = await listDocuments(order);
  expect(documents[0].entries[0]).toMatchObject({
    net: '100.00',
    tax: '0',
    relief: '-19.00',
    reason: 'no_zone',
  });
  const reasons = documents.flatMap(({ snapshot, entries }: any) =>
    [...snapshot.rates, ...entries].map(({ reason }: any) => reason),
  );
  expect(new Set(reasons.filter((reason: any) => reason !== null))).toEqual(new Set(['no_zone']));
  const { url } = (await shop.admin.get(`/orders/${order.number}/documents`)).body.documents.at(-1);
  expect(await readPdf((await shop.admin.get(url.replace('/api/v1', ''))).body)).not.toContain('Discount');
  expect(await findViolations(shop.db)).toEqual([]);

  const isWithin = async (to: number, state: number | null): Promise<boolean> =>
    (await shop.db.raw('SELECT is_within_eu(?, ?, ?) AS yes', [france, to, state])).rows[0].yes;
  const stateId = async (abbr: string): Promise<number> =>
    (await shop.db('states').where({ abbr, country_id: spain }).first()).id;
  expect(await isWithin(spain, await stateId('M'))).toBe(true);
  expect(await isWithin(spain, await stateId('GC'))).toBe(false);
  expect(await isWithin(shop.countries.switzerland, null)).toBe(false);
});

test('a sale that is taxed anew elsewhere takes back its rates, net and tax, and names the reason', async () => {
  const order = await sell();
  const { bill_address } = order;
  const address = { ...bill_address, id: undefined, country_id: shop.countries.switzerland };
  await admin('put', `/orders/${order.number}`, {
    order: { ship_address: address, bill_address: address },
  });
  await admin('put', `/orders/${order.number}/retax`);
  expect(await summarize(order)).toEqual([
    INVOICE,
    [
      ...['correction', '-20.40'],
      ['0.19', '-100.00', '-19.00', '-119.00'],
      ['0.07', '-20.00', '-1.40', '-21.40'],
      [null, '120.00', '0', '120.00'],
    ],
  ]);
  const [, correction] = await listDocuments(order);
  expect(correction.snapshot.rates.at(-1)).toMatchObject({ reason: 'export' });
  expect(
    correction.entries.map(({ label, was, held, net }: any) => [label, was.quantity, held.quantity, net]),
  ).toEqual([
    ['Mantel', 1, 0, '-100.00'],
    ['Buch', 2, 0, '-20.00'],
    ['Mantel', 0, 1, '100.00'],
    ['Buch', 0, 2, '20.00'],
  ]);
});

test('a sale without tax that is sent abroad is corrected from one reason to the other', async () => {
  const { id: tax_category_id } = (await admin('post', '/tax_categories', {
    tax_category: { name: 'Gutscheine abroad' },
  })) as { id: number };
  const gift = { name: 'Gutschein', price: '50', tax_category_id } as { tax_category_id: number };
  const { variant_id } = await shop.aProduct(gift, { location: shop.locations.berlin, count: 1 });
  const order = await sellInGermany(shop, [{ variant_id, quantity: 1 }]);
  // The freight of what has left does not change with the address.
  await pay(order);
  await admin('put', `/shipments/${order.shipments[0].number}/ship`);
  const address = { ...order.bill_address, id: undefined, country_id: shop.countries.switzerland };
  await admin('put', `/orders/${order.number}`, { order: { ship_address: address } });
  expect(await findViolations(shop.db)).toEqual([]);
  const [invoice, correction] = await listDocuments(order);
  const amounts = ({ snapshot }: any) => snapshot.rates.map(({ reason, total }: any) => [reason, total]);
  expect(amounts(invoice)).toContainEqual(['exempt', '50.00']);
  expect(Object.fromEntries(amounts(correction))).toEqual({ exempt: '-50.00', export: '50.00' });
  await admin('put', `/orders/${order.number}/retax`);
  expect(await findViolations(shop.db)).toEqual([]);
});

test('what a returned export gives back stays an export when its address moves home', async () => {
  const { id: tax_category_id } = (await admin('post', '/tax_categories', {
    tax_category: { name: 'Marken' },
  })) as { id: number };
  const stamps = { name: 'Marken', price: '5', tax_category_id } as { tax_category_id: number };
  const { variant_id } = await shop.aProduct(stamps, { location: shop.locations.berlin, count: 1 });
  const lines = [
    { variant_id, quantity: 1 },
    { variant_id: coat, quantity: 2 },
  ];
  const order = await sellInGermany(shop, lines, { country: shop.countries.switzerland });
  await pay(order);
  await ship(order);
  const items = [
    { variant_id, quantity: 1 },
    { variant_id: coat, quantity: 1 },
  ];
  const { total } = (await shop.admin.get(`/orders/${order.number}`)).body;
  await admin('post', `/orders/${order.number}/return_authorizations`, {
    return_authorization: {
      stock_location_id: shop.locations.berlin,
      return_authorization_reason_id: shop.reason,
      amount: String(Number(total) - 10),
      items,
      receive: true,
    },
  });
  const address = { ...order.bill_address, id: undefined, country_id: shop.countries.germany };
  await admin('put', `/orders/${order.number}`, { order: { bill_address: address, ship_address: address } });
  expect(await findViolations(shop.db)).toEqual([]);
  const corrections = (await listDocuments(order)).filter(({ kind }: any) => kind === 'correction');
  const moved = corrections.flatMap(({ entries }: any) => entries.map(({ key }: any) => key.split(':')[0]));
  expect(moved.sort()).toEqual(['line', 'line', 'return', 'return']);
});

test('a rate is reduced beside those of its time, not beside later ones', async () => {
  const [zone] = (await shop.admin.get('/zones?q[name_eq]=Schweiz')).body.zones;
  const aRate = async (amount: string): Promise<string> => {
    const tax_rate = { name: 'MWST', amount, zone_id: zone.id, tax_category_id: shop.taxes.standard };
    return `/tax_rates/${(await admin('post', '/tax_rates', { tax_rate })).id}`;
  };
  const former = await aRate('0.077');
  const order = await sell({}, shop.countries.switzerland);
  const later = await aRate('0.081');
  await admin('delete', former);
  await pay(order);
  await ship(order);
  await takeBack(order, coat, 1);
  await admin('delete', later);
  const marks = (await listDocuments(order)).map(({ snapshot }: any) =>
    snapshot.rates.filter(({ rate }: any) => rate === '0.077').map(({ reduced }: any) => reduced),
  );
  expect(marks).toEqual([[false], [false]]);
});

test('shipments with the same method but different taxes are separate lines', async () => {
  const far = await shop.aProduct(
    { name: 'Karte', price: '10.70', tax_category_id: shop.taxes.reduced },
    {
      location: shop.locations.hamburg,
      count: 10,
    },
  );
  const order = await sellInGermany(shop, [
    { variant_id: book, quantity: 1 },
    { variant_id: far.variant_id, quantity: 1 },
  ]);
  await pay(order);
  const [parcel] = (await shop.admin.get(`/orders/${order.number}`)).body.shipments;
  await admin('put', `/shipments/${parcel.number}/ship`);
  const rate = `/tax_rates/${shop.rates.standard}`;
  await admin('put', rate, { tax_rate: { amount: '0.16' } });
  try {
    await admin('put', `/orders/${order.number}/retax`);
  } finally {
    await admin('put', rate, { tax_rate: { amount: '0.19' } });
  }
  expect(await summarize(order)).toEqual([
    ['invoice', '31.20', ['0.19', '8.24', '1.56', '9.80'], ['0.07', '20.00', '1.40', '21.40']],
    ['correction', '0.00', ['0.19', '-4.12', '-0.78', '-4.90'], ['0.16', '4.22', '0.68', '4.90']],
  ]);
  const { rows } = (await shop.admin.get('/reports/taxes?group_by=rate')).body;
  expect(rows.find((row: { rate: string | null }) => row.rate === '0.16')).toMatchObject({
    base: '4.22',
    tax: '0.68',
  });
});

test('renaming a shipping method makes no corrections of earlier orders', async () => {
  const order = await sellInGermany(shop, [{ variant_id: book, quantity: 2 }]);
  const [parcel] = (await shop.admin.get(`/orders/${order.number}`)).body.shipments;
  const method = `/shipping_methods/${shop.methods.parcel}`;
  await admin('put', method, { shipping_method: { name: 'Eilpaket' } });
  try {
    await pay(order);
    await ship(order);
    await takeBack(order, book, 1);
    const [invoice, credited] = [
      ['invoice', '26.30', ['0.19', '4.12', '0.78', '4.90'], ['0.07', '20.00', '1.40', '21.40']],
      ['credit_note', '10.70', ['0.07', '10.00', '0.70', '10.70']],
    ];
    expect(await summarize(order)).toEqual([invoice, credited]);
    const adjustment = { label: 'Insurance', amount: '1.19', shipment_id: parcel.id, taxed: true };
    await admin('post', `/orders/${order.number}/adjustments`, { adjustment });
    expect(await summarize(order)).toEqual([
      invoice,
      credited,
      ['correction', '1.19', ['0.19', '1.00', '0.19', '1.19']],
    ]);
    const [, , { entries }] = await listDocuments(order);
    expect(entries.map(({ label, total }: { label: string; total: string }) => [label, total])).toEqual([
      ['Paket', '-4.90'],
      ['Eilpaket', '6.09'],
    ]);
  } finally {
    await admin('put', method, { shipping_method: { name: 'Paket' } });
  }
});

test('a rate that was reduced at the sale stays so when the rates change', async () => {
  const setRates = async (standard: string, reduced: string): Promise<void> => {
    await admin('put', `/tax_rates/${shop.rates.standard}`, { tax_rate: { amount: standard } });
    await admin('put', `/tax_rates/${shop.rates.reduced}`, { tax_rate: { amount: reduced } });
  };
  const order = await sell();
  await pay(order);
  await ship(order);
  await setRates('0.05', '0.16');
  await takeBack(order, coat, 1);
  await takeBack(order, book, 1);
  await setRates('0.19', '0.07');
  const marks = (await listDocuments(order)).map(({ snapshot }: any) =>
    snapshot.rates.map(({ rate, reduced }: any) => [rate, reduced]),
  );
  expect(marks).toEqual([
    [
      ['0.19', false],
      ['0.07', true],
    ],
    [['0.19', false]],
    [['0.07', true]],
  ]);
});

test('a rate is reduced as it was when the order was taxed, whatever its record says when the order is confirmed', async () => {
  const setRates = async (standard: string, reduced: string): Promise<void> => {
    await admin('put', `/tax_rates/${shop.rates.standard}`, { tax_rate: { amount: standard } });
    await admin('put', `/tax_rates/${shop.rates.reduced}`, { tax_rate: { amount: reduced } });
  };
  const marks: unknown[] = [];
  for (const changed of [
    ['0.19', '0.19'],
    ['0.21', '0.07'],
  ] as const) {
    const [standard, reduced] = changed;
    const order = await sell({}, undefined, () => setRates(standard, reduced));
    await setRates('0.19', '0.07');
    const [{ snapshot }] = await listDocuments(order);
    marks.push(snapshot.rates.map(({ rate, reduced }: any) => [rate, reduced]));
  }
  const sold = [
    ['0.19', false],
    ['0.07', true],
  ];
  expect(marks).toEqual([sold, sold]);
});

test('what costs nothing any longer keeps the rates at which it was last taxed', async () => {
  const entry = (quantity: number, net: string, tax?: { rate: string; amount: string }) => ({
    key: 'line:1',
    kind: 'line',
    quantity,
    net,
    taxes: tax === undefined ? [] : [{ source: 1, included: false, ...tax }],
  });
  const before = [
    entry(1, '100', { rate: '0.19', amount: '19' }),
    entry(-1, '-100', { rate: '0.19', amount: '-19' }),
    entry(1, '100', { rate: '0.07', amount: '7' }),
  ];
  const { rows } = await shop.db.raw('SELECT difference_of_positions(?::jsonb, ?::jsonb) AS changes', [
    JSON.stringify([entry(1, '0')]),
    JSON.stringify(before),
  ]);
  expect(rows[0].changes).toMatchObject([{ quantity: 0, net: '-100', tax: '-7', taxes: [{ rate: '0.07' }] }]);
});

test('freight by another method is a difference only if its net amount or tax differs', async () => {
  const freight = (method: string, net: string, amount: string) => ({
    key: `freight:${method}`,
    kind: 'freight',
    quantity: null,
    net,
    taxes: [{ source: 1, rate: '0.19', included: true, amount }],
  });
  const compare = async (now: object, before: object): Promise<any> => {
    const lists = [now, before].map((entry) => JSON.stringify([entry]));
    const { rows } = await shop.db.raw(
      'SELECT difference_of_positions(?::jsonb, ?::jsonb) AS changes',
      lists,
    );
    return rows[0].changes.map(({ net, tax }: { net: string; tax: string }) => [net, tax]);
  };
  const sold = freight('Paket', '10.00', '1.90');
  expect(await compare(freight('Express', '10.00', '1.90'), sold)).toEqual([]);
  const others = [
    ['10.00', '1.91'],
    ['10.01', '1.90'],
  ] as const;
  for (const [net, tax] of others) {
    expect(await compare(freight('Express', net, tax), sold)).toEqual([
      ['-10.00', '-1.90'],
      [net, tax],
    ]);
  }
});

test('taxes of a document can be rounded once per rate, whatever their names', async () => {
  const { id } = (await shop.admin.get('/stores')).body.stores[0];
  await admin('put', `/stores/${id}`, { store: { document_tax_rounding: 'document' } });
  const { id: tax_category_id } = await admin('post', '/tax_categories', {
    tax_category: { name: 'Papier' },
  });
  const standard = await shop.db('tax_rates').where({ id: shop.rates.standard }).first();
  const { zone_id, included_in_price } = standard;
  const paper = await admin('post', '/tax_rates', {
    tax_rate: { name: 'USt Papier', amount: '0.19', zone_id, tax_category_id, included_in_price },
  });
  const buy = async (name: string, price: string, category: number) => {
    const attributes = { name, price, tax_category_id: category } as any; // which other tests do not set
    const stock = { location: shop.locations.berlin, count: 10 };
    return { variant_id: (await shop.aProduct(attributes, stock)).variant_id, quantity: 1 };
  };
  const lines = [
    await buy('Stift', '0.99', shop.taxes.standard),
    await buy('Tinte', '0.99', shop.taxes.standard),
    await buy('Block', '0.98', tax_category_id),
  ];
  const same = await sellInGermany(shop, lines.slice(0, 2));
  const mixed = await sellInGermany(shop, lines);
  // 0.99 and 0.99 include 0.16 each, 4.90 of freight 0.78; 6.88 at once include 1.10. 0.98 includes 0.16; 7.86 at once 1.25.
  expect((await listDocuments(same))[0].snapshot.rates).toMatchObject([
    { name: standard.name, net: '5.78', tax: '1.10', total: '6.88' },
  ]);
  expect((await listDocuments(mixed))[0].snapshot.rates).toMatchObject([
    { rate: '0.19', name: null, net: '6.61', tax: '1.25', total: '7.86' },
  ]);
  await admin('put', `/stores/${id}`, { store: { document_tax_rounding: 'line' } });
  const byLine = await sellInGermany(shop, lines);
  expect((await listDocuments(byLine))[0].snapshot.rates).toMatchObject([
    { name: 'USt Papier', net: '0.82', tax: '0.16' },
    { name: standard.name, net: '5.78', tax: '1.10' },
  ]);
  await admin('delete', `/tax_rates/${paper.id}`);
});

test('a rate that was the standard one is rounded apart from the reduced one of the same percentage', async () => {
  const { id } = (await shop.admin.get('/stores')).body.stores[0];
  await admin('put', `/stores/${id}`, { store: { document_tax_rounding: 'document' } });
  const rate = `/tax_rates/${shop.rates.standard}`;
  const { amount } = await shop.db('tax_rates').where({ id: shop.rates.standard }).first();
  const stock = { location: shop.locations.berlin, count: 10 };
  const aLine = async (tax_category_id: number) => ({
    variant_id: (await shop.aProduct({ name: 'Stift', price: '0.99', tax_category_id }, stock)).variant_id,
    quantity: 1,
  });
  await admin('put', rate, { tax_rate: { amount: '0.07' } });
  const order = await sellInGermany(shop, [
    await aLine(shop.taxes.standard),
    await aLine(shop.taxes.standard),
    await aLine(shop.taxes.reduced),
  ]);
  await admin('put', rate, { tax_rate: { amount } });
  const [pen, ink] = (await shop.admin.get(`/orders/${order.number}`)).body.line_items;
  await admin('put', `/orders/${order.number}`, {
    order: {
      line_items: [{ id: pen.id, quantity: 0 }, { id: ink.id, quantity: 0 }, await aLine(shop.taxes.reduced)],
    },
  });
  await admin('put', `/stores/${id}`, { store: { document_tax_rounding: 'line' } });
  // Each line includes 0.06, the two of the former standard rate at once 0.13.
  expect((await listDocuments(order))[1].snapshot.rates).toMatchObject([
    { rate: '0.07', reduced: false, tax: '-0.13', total: '-1.98' },
    { rate: '0.07', reduced: true, tax: '0.06', total: '0.99' },
  ]);
  expect(await findViolations(shop.db, { order_ids: [order.id] })).toEqual([]);
});

test('numbers have a series for each prefix, and if set for each year in the time zone of the store', async () => {
  const { id, time_zone } = (await shop.admin.get('/stores')).body.stores[0];
  await admin('put', `/stores/${id}`, {
    store: {
      invoice_prefix: 'RE-',
      invoice_start: 1001,
      document_numbers_yearly: true,
      time_zone: 'Asia/Tokyo',
    },
  });
  const year = new Intl.DateTimeFormat('en', { timeZone: 'Asia/Tokyo', year: 'numeric' }).format(new Date());
  const numbers = [];
  for (let count = 0; count < 2; count++) numbers.push((await listDocuments(await sell()))[0].number);
  expect(numbers).toEqual([`RE-${year}-001001`, `RE-${year}-001002`]);
  // The year ends in Tokyo nine hours before it ends in UTC. No document gets these numbers.
  const taken = [];
  for (const time of ['2031-12-31T14:59:59Z', '2031-12-31T15:00:00Z']) {
    const { rows } = await shop.db.raw(`SELECT * FROM take_next_document_number('invoice', ?)`, [time]);
    taken.push([rows[0].series_prefix, rows[0].next]);
  }
  expect(taken).toEqual([
    ['RE-2031-', 1001],
    ['RE-2032-', 1001],
  ]);
  await shop.db('document_counters').whereIn('series', ['RE-2031-', 'RE-2032-']).delete();
  await admin('put', `/stores/${id}`, {
    store: { invoice_prefix: 'INV-', invoice_start: 1, document_numbers_yearly: false, time_zone },
  });
});

test('a return that gives back freight names it on its credit note', async () => {
  const order = await sellInGermany(shop, [{ variant_id: book, quantity: 1 }]);
  await pay(order);
  await ship(order);
  await takeBack(order, book, 1, '15.60');
  const note = (await listDocuments(order)).at(-1);
  expect([note.kind, note.total]).toEqual(['credit_note', '15.60']);
  expect(note.entries).toEqual([
    expect.objectContaining({ kind: 'return', label: 'Buch', quantity: -1, total: '-10.70' }),
    expect.objectContaining({
      kind: 'return',
      label: 'Paket',
      line_item_id: null,
      net: '-4.12',
      tax: '-0.78',
    }),
  ]);
  const { url } = (await shop.admin.get(`/orders/${order.number}/documents`)).body.documents.at(-1);
  const file = await shop.admin.get(url.replace('/api/v1', ''));
  expect(await readPdf(file.body)).toContain('Returned: Shipping Paket');
});

test('a return of items of two rates, freight and more credits each part at its own rate', async () => {
  const pen = await shop.aProduct(
    { name: 'Füller', price: '9.90', tax_category_id: shop.taxes.standard },
    { location: shop.locations.berlin, count: 5 },
  );
  const units = [
    { variant_id: pen.variant_id, quantity: 1 },
    { variant_id: book, quantity: 1 },
  ];
  const order = await sellInGermany(shop, units);
  await pay(order);
  await ship(order);
  await admin('post', `/orders/${order.number}/adjustments`, {
    adjustment: { label: 'Geschenkpapier', amount: '3' },
  });
  await admin('post', `/orders/${order.number}/return_authorizations`, {
    return_authorization: {
      stock_location_id: shop.locations.berlin,
      return_authorization_reason_id: shop.reason,
      amount: '27.50',
      items: units,
      receive: true,
    },
  });
  expect((await summarize(order)).at(-1)).toEqual([
    ...['credit_note', '27.50'],
    ...[
      ['0.19', '12.44', '2.36', '14.80'],
      ['0.07', '10.00', '0.70', '10.70'],
      [null, '2.00', '0', '2.00'],
    ],
  ]);
  const note = (await listDocuments(order)).at(-1);
  expect(note.entries.map(({ label, net, tax, reason }: any) => [label, net, tax, reason])).toEqual([
    ['Füller', '-8.32', '-1.58', null],
    ['Buch', '-10.00', '-0.70', null],
    ['Paket', '-4.12', '-0.78', null],
    [null, '-2.00', '0', null],
  ]);
  const { url } = (await shop.admin.get(`/orders/${order.number}/documents`)).body.documents.at(-1);
  const text = (await readPdf((await shop.admin.get(url.replace('/api/v1', ''))).body)).replaceAll(
    '\u00a0',
    ' ',
  );
  for (const part of ['Returned: Shipping Paket', '€14.80', '€10.70', '€27.50', '19%', '7%']) {
    expect(text).toContain(part);
  }
});

test('adjustments without tax of a line item and of its freight come back without tax, the rest at its rate', async () => {
  const order = await sellInGermany(shop, [{ variant_id: coat, quantity: 2 }]);
  await pay(order);
  await ship(order);
  const adjust = (adjustment: object) =>
    admin('post', `/orders/${order.number}/adjustments`, { adjustment: { label: 'Kulanz', ...adjustment } });
  await adjust({ amount: '-20.01', line_item_id: order.line_items[0].id });
  await adjust({ amount: '2.75', shipment_id: order.shipments[0].id });
  const sums = async () => (await summarize(order)).at(-1);
  await takeBack(order, coat, 1);
  const half = [
    ['0.19', '100.00', '19.00', '119.00'],
    [null, '-10.00', '0', '-10.00'],
  ];
  expect(await sums()).toEqual(['credit_note', '109.00', ...half]);
  // Less than the unit is worth, and in parts of its value.
  await takeBack(order, coat, 1, '54.00');
  expect(await sums()).toEqual([
    ...['credit_note', '54.00'],
    ...[
      ['0.19', '49.55', '9.41', '58.96'],
      [null, '-4.96', '0', '-4.96'],
    ],
  ]);
  expect(await findViolations(shop.db)).toEqual([]);
});

test('a surcharge on free freight comes back without tax, as it was charged, and a whole sale leaves nothing', async () => {
  const order = await sellInGermany(shop, [{ variant_id: coat, quantity: 1 }]);
  await pay(order);
  await ship(order);
  await admin('post', `/orders/${order.number}/adjustments`, {
    adjustment: { label: 'Versicherung', amount: '2.75', shipment_id: order.shipments[0].id },
  });
  await admin('post', `/orders/${order.number}/adjustments`, {
    adjustment: { label: 'Knopf', amount: '-9.00', line_item_id: order.line_items[0].id },
  });
  await takeBack(order, coat, 1, '112.75');
  const coatRates = ['0.19', '100.00', '19.00', '119.00'];
  expect((await summarize(order)).at(-1)).toEqual([
    ...['credit_note', '112.75'],
    ...[coatRates, [null, '-6.25', '0', '-6.25']],
  ]);
  const booked = await shop
    .db('book_entries')
    .where({ order_id: order.id })
    .groupBy('rate', 'reason')
    .select('rate', 'reason')
    .sum({ base: 'base', tax: 'tax' });
  expect(booked.map(({ base, tax }) => [Number(base), Number(tax)])).toEqual(booked.map(() => [0, 0]));
  expect(await findViolations(shop.db)).toEqual([]);
});

/** What the books and the documents of an order have at each rate and without tax, if anything; refunds apart. */
const listLeftOver = async ({ id }: { id: number }) => {
  const { rows } = await shop.db.raw(
    `SELECT place, rate, reason, sum(net) AS net, sum(tax) AS tax
       FROM (SELECT 'books' AS place, rate, reason, base AS net, tax FROM book_entries WHERE order_id = :id AND kind <> 'refund'
              UNION ALL
             SELECT 'documents', (tax ->> 'rate')::numeric, CASE WHEN tax IS NULL THEN entry ->> 'reason' END,
                    (entry ->> 'net')::numeric, coalesce((tax ->> 'amount')::numeric, 0)
               FROM jsonb_array_elements(list_documented_entries(:id)) entry
               LEFT JOIN jsonb_array_elements(entry -> 'taxes') tax ON true
              WHERE entry ->> 'kind' <> 'refund') part
      GROUP BY place, rate, reason HAVING sum(net) <> 0 OR sum(tax) <> 0
      ORDER BY place, rate, reason`,
    { id },
  );
  return rows;
};

const adjust = (order: any, adjustment: object) =>
  admin('post', `/orders/${order.number}/adjustments`, { adjustment: { label: 'Kulanz', ...adjustment } });

const sellBook = () => sellInGermany(shop, [{ variant_id: book, quantity: 1 }]);

test.each<[string, () => Promise<any>, (order: any) => Promise<unknown>]>([
  [
    'freight that an adjustment without tax has made free',
    sellBook,
    async (order) => {
      await adjust(order, { amount: '-4.90', shipment_id: order.shipments[0].id });
      await takeBack(order, book, 1);
    },
  ],
  [
    'less than its items are worth, because the order was adjusted without tax',
    sell,
    async (order) => {
      await adjust(order, { amount: '-5.00' });
      await takeBack(order, coat, 1);
      await takeBack(order, book, 2);
    },
  ],
  [
    'what was not credited of items at another rate',
    sell,
    async (order) => {
      await takeBack(order, coat, 1, '50.00');
      await takeBack(order, book, 2, '90.40');
    },
  ],
  [
    'less than its items are worth, because more than items and freight was credited before',
    () => sellInGermany(shop, [{ variant_id: book, quantity: 2 }]),
    async (order) => {
      await takeBack(order, book, 1, '22.60');
      await takeBack(order, book, 1);
    },
  ],
  [
    'nothing, because it was forgiven without tax',
    sellBook,
    async (order) => {
      await adjust(order, { amount: '-15.60' });
      await takeBack(order, book, 1);
    },
  ],
])(
  'a sale that is given back whole leaves nothing at any rate: its last return credits %s',
  async (_title, open, giveBack) => {
    const order = await open();
    await pay(order);
    await ship(order);
    await giveBack(order);
    const { total, tax_total, state } = (await shop.admin.get(`/orders/${order.number}`)).body;
    expect({ total, tax_total, state }).toEqual({ total: '0.0', tax_total: '0.0', state: 'returned' });
    expect(await listLeftOver(order)).toEqual([]);
    // What staff do afterwards has a document of its own.
    const before = await listDocuments(order);
    await adjust(order, { amount: '2.00' });
    const after = await listDocuments(order);
    expect(after.slice(before.length).map(({ kind, total }: any) => [kind, total])).toEqual([
      ['correction', '2.00'],
    ]);
    expect(await listLeftOver(order)).toEqual([
      expect.objectContaining({ place: 'books', rate: null, net: '2.00' }),
      expect.objectContaining({ place: 'documents', rate: null, net: '2.00' }),
    ]);
  },
);

test.each(['a return', 'a cancellation'])(
  'the credit note of %s prints the tax that an export took off its price',
  async (how) => {
    const order = await sell({}, shop.countries.switzerland);
    await pay(order);
    if (how === 'a return') {
      await ship(order);
      await takeBack(order, coat, 1);
      await credit(order, '100.00');
    } else await admin('put', `/orders/${order.number}/cancel`);
    const documents = await listDocuments(order);
    const [invoice, note] = await Promise.all(
      documents.map(async ({ id }: any) => {
        const { body } = await shop.admin.get(`/orders/${order.number}/documents/${id}.pdf`);
        return (await readPdf(body)).replaceAll('\u00a0', ' ');
      }),
    );
    expect(documents.map(({ kind }: any) => kind)).toEqual(['invoice', 'credit_note']);
    for (const text of [invoice, note]) {
      expect(text).toContain('Tax -€19.00');
      expect(text).not.toMatch(/Discount|surcharge/);
    }
    const books = await shop
      .db('book_entries')
      .where({ order_id: order.id, kind: how === 'a return' ? 'return' : 'line' })
      .sum('relief');
    expect(books).toEqual([{ sum: how === 'a return' ? '19.00' : '0.00' }]);
    expect(await findViolations(shop.db)).toEqual([]);
  },
);

test('what a return of an export gives back beyond items and freight has no reason, in documents as in the books', async () => {
  const order = await sellInGermany(shop, [{ variant_id: coat, quantity: 3 }], {
    country: shop.countries.switzerland,
  });
  for (const { id } of order.payments) await admin('put', `/orders/${order.number}/payments/${id}/capture`);
  for (const { number } of order.shipments) await admin('put', `/shipments/${number}/ship`);
  const [line] = order.line_items;
  const relief = line.adjustments.reduce((all: number, { amount }: any) => all + Number(amount), 0);
  const items = Number(order.item_total) + relief;
  const freight = Number((Number(order.total) - items).toFixed(2));
  const giveBack = async (beyond: number): Promise<void> => {
    const amount = (items / 3 + beyond).toFixed(2);
    await admin('post', `/orders/${order.number}/return_authorizations`, {
      return_authorization: {
        stock_location_id: shop.locations.berlin,
        return_authorization_reason_id: shop.reason,
        amount,
        items: [{ variant_id: coat, quantity: 1 }],
        receive: true,
      },
    });
  };
  await giveBack(freight);
  await giveBack(1);
  const entries = (await listDocuments(order)).flatMap((document: any) => document.entries);
  const beyond = entries.filter(({ kind, sku }: any) => kind === 'return' && sku === null);
  expect(beyond.map(({ total, reason }: any) => [Number(total), reason])).toEqual([
    [-freight, 'export'],
    [-1, null],
  ]);
  const booked = await shop
    .db('book_entries')
    .where({ order_id: order.id, kind: 'return', net: '-1.00' })
    .pluck('reason');
  expect(booked).toEqual([null]);
  expect(await findViolations(shop.db)).toEqual([]);
});

/** Writes to an order and its history in one transaction, and reads before it is rolled back. */
const readChange = async <T>(
  order: any,
  write: (tx: Db) => Promise<unknown>,
  read: (tx: Db) => Promise<T>,
): Promise<T> => {
  const tx = await shop.db.transaction();
  try {
    await tx.raw("SET LOCAL track_functions = 'pl'");
    await write(tx);
    await tx('order_changes').insert({
      order_id: order.id,
      subject_type: 'line_item',
      subject_id: order.line_items[0].id,
      changes: '{}',
      reason: '',
    });
    // The triggers run here as they do at the commit.
    await tx.raw('SET CONSTRAINTS ALL IMMEDIATE');
    return await read(tx);
  } finally {
    await tx.rollback();
  }
};

const charge = (order: any, adjustment_total: number) => async (tx: Db) => {
  await tx('adjustments').insert({ order_id: order.id, label: 'Porto', amount: adjustment_total });
  await tx('orders').where({ id: order.id }).increment({ adjustment_total, total: adjustment_total });
};

test('a change of an order and its history document it once', async () => {
  const order = await sell();
  const countCalls = async (tx: Db): Promise<number> => {
    const [calls = 0] = await tx('pg_stat_xact_user_functions')
      .where({ funcname: 'document_positions' })
      .pluck<(string | number)[]>('calls');
    return Number(calls);
  };
  // PostgreSQL also counts the transactions of the connection within the last second.
  let earlier = 0;
  const write = async (tx: Db) => {
    earlier = await countCalls(tx);
    await charge(order, 1)(tx);
  };
  expect((await readChange(order, write, countCalls)) - earlier).toBe(1);
});

test('a refund beside a change of the order is divided over the changed order', async () => {
  const order = await sell();
  await pay(order);
  const chargeAndRefund = async (tx: Db) => {
    await charge(order, 140.4)(tx);
    await tx('refunds').insert({ payment_id: order.payments[0].id, amount: 28.08, reason: '' });
    await tx('orders').where({ id: order.id }).decrement({ payment_total: 28.08 });
  };
  expect(await readChange(order, chargeAndRefund, (tx) => summarize(order, tx))).toEqual([
    INVOICE,
    ['correction', '140.40', [null, '140.40', '0', '140.40']],
    [
      ...['credit_note', '28.08'],
      ['0.19', '10.00', '1.90', '11.90'],
      ['0.07', '2.00', '0.14', '2.14'],
      [null, '14.04', '0', '14.04'],
    ],
  ]);
});
