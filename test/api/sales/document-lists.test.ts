import { unzipSync } from 'fflate';
import { aClerk, anAdmin, asAdmin } from '../../support/accounts.factory';
import { api, testApp } from '../../support/api';
import { testDb } from '../../support/database';
import { listen, type Listening } from '../../support/listen';
import { orderInState } from '../../support/orders.factory';
import { readPdf } from '../../support/pdf';

let server: Listening;

beforeAll(async () => {
  server = await listen(testApp().app);
});

afterAll(() => server.close());

test('documents of all orders are listed, found by number, kind, order and e-mail', async () => {
  const order = await orderInState('complete', { email: 'finder@example.com' });
  await orderInState('complete');
  const admin = await asAdmin();
  const { documents } = (await admin.get(`/documents?q[order_number_eq]=${order.number}`)).body;
  expect(documents).toEqual([
    expect.objectContaining({
      kind: 'invoice',
      order_number: order.number,
      email: 'finder@example.com',
      total: order.total,
      net_total: order.total,
      tax_total: '0.0',
      currency: 'USD',
    }),
  ]);
  const [{ number, url }] = documents;
  expect((await admin.get(url.replace('/api/v1', ''))).status).toBe(200);
  for (const query of [`number_eq]=${number}`, 'email_eq]=finder@example.com']) {
    expect((await admin.get(`/documents?q[${query}`)).body.documents).toEqual(documents);
  }
  const ofOrder = `q[order_number_eq]=${order.number}`;
  expect((await admin.get(`/documents?q[kind_eq]=correction&${ofOrder}`)).body.documents).toEqual([]);
  expect((await admin.get(`/documents?q[kind_eq]=invoice&${ofOrder}`)).body.documents).toEqual(documents);
  const clerk = api(await aClerk(['orders:read']));
  expect((await clerk.get('/documents')).status).toBe(401);
  expect((await api(await aClerk(['reports:read'])).get('/documents')).status).toBe(200);
});

test('the list is a CSV file, and the PDFs are a ZIP file', async () => {
  const orders = [await orderInState('complete'), await orderInState('complete')];
  const admin = await asAdmin();
  const query = `q[order_number_in][]=${orders[0].number}&q[order_number_in][]=${orders[1].number}`;
  const { documents } = (await admin.get(`/documents?${query}`)).body;
  const csv = (await admin.get(`/documents.csv?${query}`)).text.trim().split('\n');
  expect(csv[0]).toBe('number,kind,created_at,order_number,email,currency,net_total,tax_total,total');
  expect(csv.slice(1).map((line: string) => line.split(',').slice(0, 2))).toEqual(
    documents.map(({ number, kind }: any) => [number, kind]),
  );
  const { token } = await anAdmin();
  const reply = await fetch(`${server.url}/api/v1/documents.zip?${query}`, {
    headers: { 'X-Store-Token': token },
  });
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/zip']);
  const files = unzipSync(new Uint8Array(await reply.arrayBuffer()));
  expect(Object.keys(files)).toEqual(documents.map(({ number }: any) => `${number}.pdf`));
  const text = await readPdf(Buffer.from(files[`${documents[1].number}.pdf`] ?? []));
  expect(text).toContain(orders[1].number);
});

test('packing slips show what is in a parcel, without prices', async () => {
  const order = await orderInState('complete', { email: 'slip@example.com' });
  const other = await orderInState('complete');
  const admin = await asAdmin();
  const [shipment] = order.shipments;
  const single = await admin.get(`/shipments/${shipment.number}/packing_slip.pdf`);
  expect([single.status, single.headers['content-type']]).toEqual([200, 'application/pdf']);
  const text = await readPdf(single.body);
  for (const part of [
    `Packing slip ${shipment.number}`,
    order.number,
    order.line_items[0].variant.name,
    '12 Oak St',
  ]) {
    expect(text).toContain(part);
  }
  expect(text).not.toContain('15.99');
  const query = `q[order_number_in][]=${order.number}&q[order_number_in][]=${other.number}`;
  const both = await readPdf((await admin.get(`/shipments/packing_slips.pdf?${query}`)).body);
  expect(both.match(/Page 1 of 1/g)).toHaveLength(2);
  expect(both).toContain(other.shipments[0].number);
  const open = await orderInState('confirm');
  const paths = [`/shipments/${open.shipments[0].number}/packing_slip.pdf`, '/shipments/H0/packing_slip.pdf'];
  for (const path of paths) expect((await admin.get(path)).status).toBe(404);
  expect((await admin.get('/shipments/packing_slips.pdf?q[number_eq]=H0')).status).toBe(404);
  expect((await api(order.caller).get(`/shipments/${shipment.number}/packing_slip.pdf`)).status).toBe(401);
});

test('a canceled parcel without units has no packing slip among many', async () => {
  const [order, canceled] = [await orderInState('complete'), await orderInState('complete')];
  const admin = await asAdmin();
  const { number } = canceled.shipments[0];
  expect((await admin.put(`/shipments/${number}/cancel`)).status).toBe(200);
  const query = `q[order_number_in][]=${order.number}&q[order_number_in][]=${canceled.number}`;
  const slips = await readPdf((await admin.get(`/shipments/packing_slips.pdf?${query}`)).body);
  expect([slips.includes(order.shipments[0].number), slips.includes(number)]).toEqual([true, false]);
  const nothing = await admin.get(`/shipments/packing_slips.pdf?q[number_eq]=${number}`);
  expect(nothing.status).toBe(404);
});

test('more documents or packing slips than a file may have are refused', async () => {
  const order = await orderInState('complete');
  await testDb().raw(
    `INSERT INTO documents (order_id, kind, series, sequence, number, currency, total, snapshot)
     SELECT :order, 'credit_note', 'MANY-', n, 'MANY-' || n, 'USD', 0, '{}' FROM generate_series(1, 1001) n`,
    { order: order.id },
  );
  await testDb().raw(
    `INSERT INTO shipments (number, order_id, stock_location_id)
     SELECT 'HMANY' || n, order_id, stock_location_id FROM shipments, generate_series(1, 200) n WHERE order_id = :order`,
    { order: order.id },
  );
  const admin = await asAdmin();
  for (const [path, message] of [
    ['/documents.zip?q[number_start]=MANY-', 'matches more than 1000 documents'],
    [`/shipments/packing_slips.pdf?q[order_number_eq]=${order.number}`, 'matches more than 200 shipments'],
  ] as const) {
    const reply = await admin.get(path);
    expect([reply.status, reply.body.errors]).toEqual([422, { q: [message] }]);
  }
});
