import PDFDocument from 'pdfkit';
import { asAdmin } from '../../support/accounts.factory';
import { api, makeTestApp } from '../../support/api';
import { testDb } from '../../support/database';
import { expectNoViolations } from '../../support/invariants';
import { aSellableVariant, orderInState } from '../../support/orders.factory';
import { readPdf } from '../../support/pdf';
import { testStorage } from '../../support/storage';

const list = async (order: any) =>
  (await api(order.caller).get(`/orders/${order.number}/documents`)).body.documents;

test('a complete order has an invoice, which prints what was sold', async () => {
  const order = await orderInState('complete', { email: 'zoë@example.com' });
  const documents = await list(order);
  expect(documents).toEqual([
    {
      kind: 'invoice',
      number: expect.stringMatching(/^INV-\d{6}$/),
      created_at: expect.any(String),
      total: order.total,
      url: expect.stringMatching(new RegExp(`^/api/v1/orders/${order.number}/documents/\\d+\\.pdf$`)),
    },
  ]);
  const reply = await api(order.caller).get(documents[0].url.replace('/api/v1', ''));
  expect(reply.headers['content-type']).toBe('application/pdf');
  expect(reply.headers['content-disposition']).toBe(`inline; filename="${documents[0].number}.pdf"`);
  const text = await readPdf(reply.body);
  for (const part of [
    `Invoice ${documents[0].number}`,
    `Order: ${order.number}`,
    'zoë@example.com',
    'Ann Lee',
    '12 Oak St',
    order.line_items[0].variant.name,
    '$15.99',
    order.display_item_total,
    order.display_ship_total,
    order.display_total,
    'Page 1 of 1',
  ]) {
    expect(text).toContain(part);
  }
  const invoice = await api(order.caller).get(`/orders/${order.number}/invoice.pdf`);
  expect(Buffer.compare(invoice.body, reply.body)).toBe(0);
});

test('a sale has the time of its invoice, also if it takes long or the clock of the program differs', async () => {
  const order = await orderInState('confirm');
  const app = makeTestApp({ now: () => new Date(Date.now() + 60_000) });
  const { body } = await api(order.caller, app).put(`/checkouts/${order.number}`, {});
  expect(body.state).toBe('complete');
  const [invoice] = await list(order);
  expect(body.completed_at).toBe(invoice.created_at);
});

test.each([
  ['US', '[0 0 612 792]'],
  ['DE', '[0 0 595.28 841.89]'],
])('the paper of a seller in %s has the size that is usual there', async (country, size) => {
  const admin = await asAdmin();
  const { id } = await testDb()('stores').where({ is_default: true }).first('id');
  const setCountry = (issuer_country_id: string | null) =>
    admin.put(`/stores/${id}`, { store: { issuer_country_id } });
  await setCountry(country);
  const order = await orderInState('complete');
  await setCountry(null);
  const { body } = await api(order.caller).get(`/orders/${order.number}/invoice.pdf`);
  expect(body.toString('latin1')).toContain(`/MediaBox ${size}`);
  expect(await readPdf(body)).toContain('Page 1 of 1');
});

test.each([
  ['ja', 'Tokyo', '東京都 中央区'],
  ['en', '東京都', 'Tokyo 中央区'],
])(
  'in %s, the state %s, whose code is a number, is printed by its name',
  async (document_locale, state_name, text) => {
    const admin = await asAdmin();
    const { id } = await testDb()('stores').where({ is_default: true }).first('id');
    await admin.put(`/stores/${id}`, { store: { document_locale } });
    const { id: variant_id } = await aSellableVariant({ price: '10' });
    const sold = await admin.post('/orders', {
      order: {
        completed_at: '2026-01-02T00:00:00Z',
        line_items: [{ variant_id }],
        bill_address: {
          firstname: '太郎',
          lastname: '山田',
          address1: '銀座2-2',
          city: '中央区',
          zipcode: '104-0061',
          phone: '03',
          country: 'JP',
          state_name,
        },
      },
    });
    expect(sold.status).toBe(201);
    await admin.put(`/stores/${id}`, { store: { document_locale: 'en' } });
    const { body } = await admin.get(`/orders/${sold.body.number}/invoice.pdf`);
    expect((await readPdf(body)).replace(/[\s\u00a0]+/g, ' ')).toContain(text);
  },
);

test('documents are found from completion on, by those who may read the order', async () => {
  const open = await orderInState('confirm');
  for (const path of ['documents', 'invoice.pdf']) {
    expect((await api(open.caller).get(`/orders/${open.number}/${path}`)).status).toBe(404);
  }
  const order = await orderInState('complete');
  const other = await orderInState('complete');
  const [document] = await list(order);
  const paths = [
    `/orders/${order.number}/documents`,
    `/orders/${order.number}/invoice.pdf`,
    document.url.replace('/api/v1', ''),
  ];
  for (const path of paths) {
    expect((await api({}).get(path)).status).toBe(401);
    expect((await api(other.caller).get(path)).status).toBe(401);
    expect((await (await asAdmin()).get(path)).status).toBe(200);
  }
  const id = /(\d+)\.pdf/.exec(document.url)?.[1];
  expect((await api(other.caller).get(`/orders/${other.number}/documents/${id}.pdf`)).status).toBe(404);
  expect((await api(order.caller).get('/orders/R000/documents')).status).toBe(404);
});

test('every refund has a credit note', async () => {
  const order = await orderInState('complete');
  const admin = await asAdmin();
  const payment = `/orders/${order.number}/payments/${order.payments[0].id}`;
  await admin.put(`${payment}/capture`);
  await admin.put(`${payment}/credit?amount=1.25&reason=Scratched`);
  await admin.put(`${payment}/credit?amount=2`);
  const [invoice, first, second] = await list(order);
  expect([first.kind, first.total, second.total]).toEqual(['credit_note', '1.25', '2.0']);
  const text = await readPdf((await admin.get(first.url.replace('/api/v1', ''))).body);
  for (const part of [
    `Credit note ${first.number}`,
    `Corrects invoice: ${invoice.number}`,
    'Reason: Scratched',
    '$1.25',
  ]) {
    expect(text).toContain(part);
  }
  await expectNoViolations({ order_ids: [order.id] });
});

test('a declined refund has none, and uses no number', async () => {
  const order = await orderInState('complete');
  const before = await testDb()('document_counters').select();
  const payment = `/orders/${order.number}/payments/${order.payments[0].id}`;
  expect((await (await asAdmin()).put(`${payment}/credit?amount=1`)).status).toBe(422);
  expect(await list(order)).toHaveLength(1);
  expect(await testDb()('document_counters').select()).toEqual(before);
});

test('an invoice stays as it was made', async () => {
  const order = await orderInState('complete');
  const admin = await asAdmin();
  const path = `/orders/${order.number}/invoice.pdf`;
  const before = await api(order.caller).get(path);
  const [line] = order.line_items;
  expect(
    (await admin.put(`/orders/${order.number}/line_items/${line.id}`, { line_item: { quantity: 1 } })).status,
  ).toBe(200);
  await admin.put(`/products/${line.variant.product_id}`, { product: { name: 'Renamed' } });
  expect(Buffer.compare((await api(order.caller).get(path)).body, before.body)).toBe(0);
  const row = testDb()('documents').where({ order_id: order.id });
  await expect(row.clone().update({ total: '1.00' })).rejects.toThrow('cannot be changed');
  await expect(row.clone().update({ sequence: 4711 })).rejects.toThrow('cannot be changed');
  await expect(row.clone().delete()).rejects.toThrow('cannot be deleted');
  await expectNoViolations({ order_ids: [order.id] });
});

test('an imported sale has an invoice', async () => {
  const admin = await asAdmin();
  const order = (
    await admin.post('/orders', { order: { completed_at: '2026-01-02T10:00:00Z', email: 'old@example.com' } })
  ).body;
  const { documents } = (await admin.get(`/orders/${order.number}/documents`)).body;
  expect(documents).toHaveLength(1);
  expect(await readPdf((await admin.get(`/orders/${order.number}/invoice.pdf`)).body)).toContain(
    'Order date: Jan 2, 2026',
  );
});

test('a document is rendered once, in a thread, and then read from storage', async () => {
  const order = await orderInState('complete');
  const storage = testStorage();
  const put = jest.spyOn(storage, 'put');
  const rendered = jest.spyOn(PDFDocument.prototype, 'end');
  const caller = api(order.caller, makeTestApp({ storage }));
  const path = `/orders/${order.number}/invoice.pdf`;
  const files = await Promise.all([caller.get(path), caller.get(path), caller.get(path)]);
  files.push(await caller.get(path));
  expect(put).toHaveBeenCalledTimes(1);
  expect(rendered).not.toHaveBeenCalled();
  for (const { status, body } of files) {
    expect(status).toBe(200);
    expect(Buffer.compare(body, files[0].body)).toBe(0);
  }
  await storage.remove('documents');
  expect(Buffer.compare((await caller.get(path)).body, files[0].body)).toBe(0);
  expect(put).toHaveBeenCalledTimes(2);
});

test('a document that cannot be stored is sent', async () => {
  const order = await orderInState('complete');
  const storage = testStorage();
  storage.put = () => Promise.reject(new Error('the disk is full'));
  const reply = await api(order.caller, makeTestApp({ storage })).get(`/orders/${order.number}/invoice.pdf`);
  expect(await readPdf(reply.body)).toContain(order.number);
});
