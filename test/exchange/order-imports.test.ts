import { Readable } from 'node:stream';
import { aCustomer, asAdmin, createAsAdmin, aClerk } from '../support/accounts.factory';
import { api, testApp } from '../support/api';
import { importCsv, uploadCsv } from '../support/csv';
import { testDb } from '../support/database';
import { expectNoViolations } from '../support/invariants';
import { aSellableVariant, getTotalOnHand } from '../support/orders.factory';
import { countQueries, listQueries } from '../support/queries';
import { unique } from '../support/unique';
import { readBatches } from '../../src/exchange/imports/import-batches';
import { applyOrderCells } from '../../src/exchange/imports/order-cells';
import { withTransaction } from '../../src/platform/database/transaction';

/* Files of kind `orders`: old sales, one row a line item. */

async function getOrder(number: string): Promise<any> {
  const reply = await (await asAdmin()).get(`/orders/${number}`);
  return reply.status === 200 ? reply.body : null;
}

const aNumber = () => unique('W').toUpperCase();

async function aVariantToImport(): Promise<{ id: number; sku: string }> {
  const sku = unique('old');
  return { ...(await aSellableVariant({ stock: 5, price: '99', product: { sku } })), sku };
}

async function aTaxRate(): Promise<string> {
  const name = unique('USt');
  const { id: tax_category_id } = await createAsAdmin('/tax_categories', {
    tax_category: { name: unique('taxed') },
  });
  const { id: zone_id } = await testDb()('zones').where({ name: 'North America' }).first('id');
  await createAsAdmin('/tax_rates', {
    tax_rate: { name, amount: '0.19', zone_id, tax_category_id, included_in_price: true },
  });
  return name;
}

test('an order of two lines is stored with its taxes, freight, payment and invoice, and leaves stock alone', async () => {
  const [one, other, rate] = [await aVariantToImport(), await aVariantToImport(), await aTaxRate()];
  const method = await createAsAdmin('/payment_methods', {
    payment_method: { name: unique('Bank'), gateway: 'check' },
  });
  const [number, user] = [aNumber(), await aCustomer()];
  const csv = [
    'number;email;completed_at;sku;quantity;price;tax_rate;tax;adjustment;adjustment_label;ship_total;ship_tax_rate;ship_tax;payment_method;invoice_number;total;ship_firstname;ship_lastname;ship_address1;ship_city;ship_zipcode;ship_phone;ship_country;ship_state',
    `${number};${user.email};2024-03-01T10:00:00Z;${one.sku};2;59,50;${rate};18,20;-5,00;Gutschein;4,90;${rate};0,78;${method.name};RE-17;138,90;Ann;Lee;1 Main St;Baltimore;21201;1;US;MD`,
    `${number};;;${other.sku};;20,00;${rate};3,19;;;;;;;;;;;;;;;;`,
  ].join('\n');
  const dry = await importCsv('orders', csv, { dry_run: 'true' });
  expect(dry).toMatchObject({ state: 'done', rows: 2, done: 2, failed: 0, errors: [], ignored_columns: [] });
  expect(await getOrder(number)).toBeNull();

  expect(await importCsv('orders', csv)).toMatchObject({ state: 'done', changed: 2, errors: [] });
  const order = await getOrder(number);
  expect(order).toMatchObject({
    state: 'complete',
    email: user.email,
    user_id: user.id,
    completed_at: '2024-03-01T10:00:00.000Z',
    item_total: '139.0',
    ship_total: '4.9',
    total: '138.9',
    included_tax_total: '22.17',
    payment_state: 'paid',
    shipment_state: 'shipped',
    payment_total: '138.9',
    ship_address: { city: 'Baltimore' },
  });
  expect(order.shipments[0].shipped_at).toBe('2024-03-01T10:00:00.000Z');
  const { documents } = (await (await asAdmin()).get(`/orders/${number}/documents`)).body;
  expect(documents).toMatchObject([{ kind: 'invoice', number: 'RE-17', total: '138.9' }]);
  expect([await getTotalOnHand(one.id), await getTotalOnHand(other.id)]).toEqual([5, 5]);
  await expectNoViolations();

  const again = await importCsv('orders', csv);
  expect(again).toMatchObject({ state: 'failed', done: 0, failed: 2 });
  expect(again.errors).toEqual([
    '2 number has already been taken',
    '3 null another row of the order has errors',
  ]);
});

test('an ambiguous number of one row keeps its whole order out', async () => {
  const { sku } = await aVariantToImport();
  const number = aNumber();
  const rows = [`${number};old@example.com;2020-08-01;${sku};1;10,00`, `${number};;;${sku};1.000;10,00`];
  const csv = ['number;email;completed_at;sku;quantity;price', ...rows].join('\n');
  expect(await importCsv('orders', csv, { partial: 'true' })).toMatchObject({
    changed: 0,
    errors: [
      '2 null another row of the order has errors',
      '3 quantity is ambiguous: write thousands without a point, and decimals after a comma',
    ],
  });
  expect(await getOrder(number)).toBeNull();
});

test('the columns of the least file suffice, freight has the first method, and an unknown rate keeps its name', async () => {
  const { sku } = await aVariantToImport();
  const [number, other, added] = [aNumber(), aNumber(), aNumber()];
  const csv = [
    'number,email,completed_at,sku,quantity,price,tax_rate,rate,tax,tax_included,ship_total,invoice_number,currency,ship_tax_rate,ship_rate,ship_tax,ship_tax_included',
    `${number},old@example.com,2020-08-01,${sku},1,11.60,USt 16 %,0.16,1.60,true,3.50,A-1,EUR,USt 16 %,0.16,0.48,`,
    `${other},old@example.com,2020-08-02,${sku},3,2.50,,,,,,A-2,,,,,`,
    `${other},,,${sku},1,2.50,,,,,,,,,,,`,
    `${added},old@example.com,2020-08-03,${sku},1,11.60,USt 16 %,0.16,1.60,true,3.00,A-3,EUR,USt 16 %,0.16,0.48,false`,
  ].join('\n');
  expect(await importCsv('orders', csv)).toMatchObject({ state: 'done', changed: 4, errors: [] });
  const order = await getOrder(number);
  expect(order).toMatchObject({ total: '15.1', included_tax_total: '2.08', currency: 'EUR', user_id: null });
  expect(await getOrder(added)).toMatchObject({
    total: '15.08',
    included_tax_total: '1.6',
    additional_tax_total: '0.48',
  });
  expect(order.line_items[0].adjustments).toMatchObject([
    { label: 'USt 16 %', amount: '1.6', included: true },
  ]);
  expect(await getOrder(other)).toMatchObject({
    total: '10.0',
    payment_state: 'balance_due',
    total_quantity: 4,
  });
  await expectNoViolations();
});

test('an order that has not shipped takes stock', async () => {
  const [{ id, sku }, number] = [await aVariantToImport(), aNumber()];
  const csv = `number,email,completed_at,sku,quantity,price,shipped_at,documents\n${number},a@example.com,2026-01-02,${sku},2,10,,false\n`;
  expect(await importCsv('orders', csv)).toMatchObject({ state: 'done', errors: [] });
  expect(await getOrder(number)).toMatchObject({ shipment_state: 'pending' });
  expect(await getTotalOnHand(id)).toBe(3);
  await expectNoViolations();
});

test('each wrong row is named by line and column, and an order is imported as a whole or not at all', async () => {
  const [{ sku }, rate] = [await aVariantToImport(), await aTaxRate()];
  const [fine, taken] = [aNumber(), aNumber()];
  const line = (number: string, cells: Record<string, string> = {}) => {
    const row: Record<string, string> = {
      number,
      email: 'a@example.com',
      completed_at: '2025-01-02',
      sku,
      quantity: '1',
      price: '10',
      ...cells,
    };
    return COLUMNS.map((name) => row[name] ?? '').join(',');
  };
  const COLUMNS = [
    ...['number', 'email', 'completed_at', 'sku', 'quantity', 'price', 'tax_rate', 'tax', 'total', 'paid'],
    ...['payment_method', 'adjustment', 'bill_city', 'ship_tax', 'stock_location', 'currency', 'invoiced_at'],
  ];
  const scattered = aNumber();
  const csv = [
    COLUMNS.join(','),
    line(fine, { total: '30' }),
    line(fine, { quantity: '2' }),
    line('A/1'),
    line(aNumber(), { sku: 'no-such' }),
    line(aNumber(), { price: '' }),
    line(aNumber(), { completed_at: '2999-01-01' }),
    line(aNumber(), { tax_rate: 'none', tax: '1' }),
    line(aNumber(), { tax_rate: rate }),
    line(aNumber(), { tax: '1' }),
    line(aNumber(), { total: '11' }),
    line(aNumber(), { paid: '5' }),
    line(aNumber(), { payment_method: 'Barter' }),
    line(aNumber(), { adjustment: '-1' }),
    line(aNumber(), { bill_city: 'Bonn' }),
    line(aNumber(), { ship_tax: '1' }),
    line(aNumber(), { stock_location: 'Moon' }),
    line(aNumber(), { currency: 'QQQ' }),
    line(aNumber(), { invoiced_at: '2025-01-03' }),
    line(aNumber(), { email: '' }),
    line(taken),
    line(taken, { price: '12' }),
    line(aNumber().replace(/^/, 'X'), { quantity: '0' }),
    line(scattered),
    line(aNumber()),
    line(scattered),
    line('TWO'),
    line('TWO', { email: 'b@example.com' }),
    `${line('LONG')},surplus`,
    line('LONG'),
  ].join('\n');
  const failed = await importCsv('orders', csv);
  expect(failed).toMatchObject({ state: 'failed', done: 0 });
  expect(failed.errors).toEqual([
    '4 number is invalid',
    '5 sku does not exist',
    "6 price can't be blank",
    '7 completed_at cannot be in the future',
    '8 tax_rate does not exist',
    "9 tax can't be blank",
    "10 tax_rate can't be blank",
    '11 total is 10.0 by the rows',
    "12 payment_method can't be blank",
    '13 payment_method does not exist',
    "14 adjustment_label can't be blank",
    expect.stringMatching(/^15 bill_/),
    ...failed.errors.filter((one: string) => one.startsWith('15 ')).slice(1),
    "16 ship_total can't be blank",
    "16 ship_tax_rate can't be blank",
    '17 stock_location does not exist',
    '18 currency is invalid',
    "19 invoice_number can't be blank",
    "20 email can't be blank",
    '21 price must be the same for all rows of a variant',
    '22 null another row of the order has errors',
    '23 quantity must be greater than or equal to 1',
    '24 number the rows of an order must follow each other',
    '26 number the rows of an order must follow each other',
    '27 null another row of the order has errors',
    '28 email differs from an earlier row of the order',
    '29 null has more cells than the header; quote text that has a separator',
    '30 null another row of the order has errors',
  ]);
  expect(await getOrder(fine)).toBeNull();

  const partial = await importCsv('orders', csv, { partial: 'true' });
  expect(partial).toMatchObject({ state: 'done', done: 3 });
  expect(await getOrder(fine)).toMatchObject({ total: '30.0' });
  for (const number of [taken, scattered, 'TWO', 'LONG']) expect(await getOrder(number)).toBeNull();
  await expectNoViolations();
});

test('needs the scopes of orders, shipments and payments', async () => {
  const csv = 'number,email,completed_at,sku,price\n';
  const send = async (scopes: string[]) => {
    return (
      await api(await aClerk(scopes)).multipart('post', '/imports', {
        fields: { kind: 'orders' },
        files: [{ part: 'file', bytes: Buffer.from(csv), name: 'orders.csv' }],
      })
    ).status;
  };
  expect(await send(['orders:write', 'shipments:write'])).toBe(401);
  expect(await send(['orders:write', 'shipments:write', 'payments:write'])).toBe(202);
  expect((await uploadCsv('orders', 'number,email,sku,price\n')).body.errors).toEqual({
    file: ['has no column completed_at'],
  });
});

test('each order of a file takes as many statements, however many orders the file has', async () => {
  const [{ sku }, other, rate] = [await aVariantToImport(), await aVariantToImport(), await aTaxRate()];
  const order = (): Record<string, string>[] => {
    const number = aNumber();
    const line = { sku, quantity: '1', price: '10', tax_rate: rate, tax: '1.60' };
    const blank = { email: '', completed_at: '', ship_total: '' };
    const sale = { email: 'a@example.com', completed_at: '2025-01-02', ship_total: '4.90', ...line };
    return [
      { number, ...sale },
      { number, ...blank, ...line, sku: other.sku },
    ];
  };
  const count = (orders: number): Promise<number> => {
    const rows = Array.from({ length: orders }, order).flat();
    return countQueries(() =>
      withTransaction(testApp().deps, async (tx) => {
        const context = {
          deps: testApp().deps,
          user_id: null,
          keyOf: ({ number }: { number?: string }) => number ?? '',
        };
        const outcomes = await applyOrderCells(tx, rows, context);
        expect(outcomes.filter(({ status }) => status === 'failed')).toEqual([]);
      }),
    );
  };
  await count(1);
  const [one, two, four] = [await count(1), await count(2), await count(4)];
  const ofOne = two - one;
  expect(four - two).toBe(2 * ofOne);
  expect(ofOne).toBeGreaterThan(1);
  expect(ofOne).toBeLessThanOrEqual(30);
});

test('orders that have shipped lock no stock, which sales would wait for, with the time on one of their rows', async () => {
  const [one, other, number] = [await aVariantToImport(), await aVariantToImport(), aNumber()];
  const first = { email: 'a@example.com', completed_at: '2025-01-02', shipped_at: '2025-01-03' };
  const rows = [
    { number, ...first, sku: one.sku, price: '10' },
    { number, email: '', completed_at: '', shipped_at: '', sku: other.sku, price: '10' },
  ];
  const { deps } = testApp();
  const context = { deps, user_id: null, keyOf: () => number };
  const sent = await listQueries(() =>
    withTransaction(deps, async (tx) => {
      expect(await applyOrderCells(tx, rows, context)).toMatchObject([
        { status: 'changed' },
        { status: 'changed' },
      ]);
    }),
  );
  expect(sent.filter((sql) => sql.includes('UPDATE OF stock_items'))).toEqual([]);
});

test('orders that have not shipped lock their stock before the first of them is written', async () => {
  const order = { email: 'a@example.com', completed_at: '2025-01-02', shipped_at: '', price: '10' };
  const rows = await Promise.all(
    [aNumber(), aNumber()].map(async (number) => ({
      ...order,
      number,
      sku: (await aVariantToImport()).sku,
    })),
  );
  const { deps } = testApp();
  const keyOf = (row: { number?: string }) => row.number ?? '';
  const sent = await listQueries(() =>
    withTransaction(deps, async (tx) => {
      await applyOrderCells(tx, rows, { deps, user_id: null, keyOf });
    }),
  );
  const first = (text: string): number => sent.findIndex((sql) => sql.includes(text));
  expect(first('UPDATE OF stock_items')).toBeGreaterThan(-1);
  expect(first('UPDATE OF stock_items')).toBeLessThan(first('INSERT INTO orders'));
});

test('few orders are written at once: the commit of a batch makes their documents within the time limit of a statement', async () => {
  const file = ['number', ...[...Array(60).keys()].map((at) => `W${at}`)].join('\n');
  const sizes: number[] = [];
  for await (const batch of readBatches('orders', Readable.from([file]), new Map())) sizes.push(batch.length);
  expect(sizes).toEqual([25, 25, 10]);
});
