import { api } from '../../support/api';
import { asAdmin } from '../../support/accounts.factory';
import { testDb } from '../../support/database';
import { aSellableVariant, orderInState, showOrder } from '../../support/orders.factory';
import { readPdf } from '../../support/pdf';

const GERMAN = {
  currency_display: 'code',
  currency_position: 'after',
  decimal_mark: ',',
  thousands_separator: '.',
  date_format: 'DD.MM.YYYY',
  time_zone: 'Europe/Berlin',
};
const DEFAULT = {
  currency_display: 'symbol',
  currency_position: 'before',
  decimal_mark: '.',
  thousands_separator: ',',
  date_format: 'YYYY-MM-DD',
  time_zone: 'UTC',
};

const changeStore = async (store: object) => {
  const { id } = await testDb()('stores').where({ is_default: true }).first('id');
  return (await asAdmin()).put(`/stores/${id}`, { store });
};

afterEach(() => changeStore({ ...DEFAULT, invoice_issuer: null }));

test('amounts follow the format of the store, kept replies included', async () => {
  const variant = await aSellableVariant({ price: '1234.5' });
  const product = `/products/${variant.product_id}`;
  expect((await api().get(product)).body.display_price).toBe('$1,234.50');
  expect((await changeStore(GERMAN)).body).toMatchObject(GERMAN);
  const shown = (await api().get(product)).body;
  expect([shown.display_price, shown.master.display_price, shown.price]).toEqual([
    ...['1.234,50 USD', '1.234,50 USD', '1234.5'],
  ]);
  expect((await api().get('/config/money')).body).toMatchObject({ symbol: 'USD', symbol_position: 'after' });
  const cart = await api().post('/orders', {});
  expect(cart.body.display_total).toBe('0,00 USD');

  const order = await orderInState('complete', { lines: [{ variant_id: variant.id, quantity: 2 }] });
  const admin = await asAdmin();
  const expected = {
    display_item_total: '2.469,00 USD',
    display_ship_total: '5,00 USD',
    display_total: '2.474,00 USD',
  };
  expect(order).toMatchObject(expected);
  expect(await showOrder(order)).toMatchObject(expected);
  const { orders } = (await admin.get(`/orders?q[number_eq]=${order.number}`)).body;
  expect(orders[0]).toMatchObject(expected);
  expect(order.line_items[0].single_display_amount).toBe('1.234,50 USD');
  expect(order.shipments[0].selected_shipping_rate.display_cost).toBe('5,00 USD');
  const path = `/orders/${order.number}/payments/${order.payments[0].id}`;
  expect((await admin.get(path)).body.display_amount).toBe('2.474,00 USD');
  expect((await admin.put(`${path}/capture`)).body.display_amount).toBe('2.474,00 USD');
  const listed = (await admin.get(`/orders/${order.number}/payments`)).body.payments;
  expect(listed[0].display_amount).toBe('2.474,00 USD');
  const adjusted = await admin.post(`/orders/${order.number}/adjustments`, {
    adjustment: { label: 'Goodwill', amount: '-1.5' },
  });
  expect(adjusted.body.display_amount).toBe('-1,50 USD');
});

test('documents keep the format and the issuer of their day', async () => {
  await changeStore({
    ...GERMAN,
    document_locale: 'de',
    document_texts: { total: 'Summe' },
    invoice_issuer: 'Laden GmbH\nAm Ring 1\nUSt-IdNr. DE123456789',
  });
  const order = await orderInState('complete');
  await testDb()('orders').where({ id: order.id }).first('completed_at');
  await changeStore({
    ...DEFAULT,
    document_locale: 'en',
    document_texts: {},
    invoice_issuer: null,
    time_zone: 'America/New_York',
  });
  const text = await readPdf((await api(order.caller).get(`/orders/${order.number}/invoice.pdf`)).body);
  const printed = text.replaceAll('\u00a0', ' ');
  for (const part of [
    'Laden GmbH',
    'USt-IdNr. DE123456789',
    'Rechnung',
    'Summe',
    '15,99 $',
    '31,98 $',
    '36,98 $',
  ]) {
    expect(printed).toContain(part);
  }
  expect(printed).toMatch(/Bestelldatum: \d\d\.\d\d\.\d{4}/);
  expect(printed).not.toContain('Total');
});

test('unusable formats are refused', async () => {
  for (const [store, field] of [
    [{ time_zone: 'Mars/Olympus' }, 'time_zone'],
    [{ time_zone: '+02:00' }, 'time_zone'],
    // Names of Node.js that PostgreSQL does not have, or reads as those of other zones.
    [{ time_zone: 'AET' }, 'time_zone'],
    [{ time_zone: 'IST' }, 'time_zone'],
    [{ decimal_mark: ',' }, 'thousands_separator'],
    [{ decimal_mark: ';' }, 'decimal_mark'],
    [{ thousands_separator: '.' }, 'thousands_separator'],
    [{ currency_position: 'above' }, 'currency_position'],
    [{ currency_display: 'name' }, 'currency_display'],
    [{ date_format: 'DDMMYY' }, 'date_format'],
  ] as const) {
    const reply = await changeStore(store);
    expect([store, reply.status, Object.keys(reply.body.errors ?? {})]).toEqual([store, 422, [field]]);
  }
});

test('a store with documents cannot be deleted', async () => {
  const admin = await asAdmin();
  const before = await testDb()('stores').where({ is_default: true }).first('id');
  const made = await admin.post('/stores', {
    store: {
      name: 'Second',
      url: 'second.example.com',
      code: 'second',
      mail_from_address: 's@example.com',
      is_default: true,
    },
  });
  const order = await orderInState('complete');
  const { documents } = (await admin.get(`/orders/${order.number}/documents`)).body;
  expect(documents[0].number).toBe('INV-000001');
  await admin.put(`/stores/${before.id}`, { store: { is_default: true } });
  const reply = await admin.delete(`/stores/${made.body.id}`);
  expect([reply.status, Object.keys(reply.body.errors ?? {})]).toEqual([422, ['base']]);
});
