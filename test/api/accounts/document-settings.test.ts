import { aCustomer, asAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { aPicture } from '../../support/pictures';
import { orderInState } from '../../support/orders.factory';

const changeStore = async (store: Record<string, unknown>) => {
  const admin = await asAdmin();
  const { id } = await testDb()('stores').where({ is_default: true }).first('id');
  return admin.put(`/stores/${id}`, { store });
};

test('a store has settings for its documents', async () => {
  const settings = {
    issuer_name: 'Laden GmbH',
    issuer_vat_id: 'DE123456789',
    issuer_iban: 'DE02 1203 0000 0000 2020 51',
    document_locale: 'de',
    document_tax_rounding: 'document',
    einvoice: true,
    document_texts: { invoice: 'Rechnung (Original)' },
    invoice_prefix: 'RE-',
    invoice_start: 1000,
    document_numbers_yearly: true,
  };
  const reply = await changeStore(settings);
  expect(reply.status).toBe(200);
  expect(reply.body).toMatchObject(settings);
  const defaults = {
    issuer_name: null,
    issuer_vat_id: null,
    issuer_iban: null,
    document_locale: 'en',
    document_tax_rounding: 'line',
    einvoice: false,
    document_texts: {},
    invoice_prefix: 'INV-',
    invoice_start: 1,
    document_numbers_yearly: false,
  };
  expect((await changeStore(defaults)).body).toMatchObject(defaults);
});

test.each([
  ['document_locale', { document_locale: 'tlh' }],
  ['document_tax_rounding', { document_tax_rounding: 'never' }],
  ['document_texts', { document_texts: { invoise: 'Tax invoice' } }],
  ['document_texts', { document_texts: { invoice: 7 } }],
  ['issuer_iban', { issuer_iban: 'DE02 1203 0000 0000 2020 52' }],
  ['issuer_country_id', { issuer_country_id: 2_000_000 }],
  ['issuer_vat_id', { issuer_vat_id: 'X'.repeat(21) }],
  ['invoice_start', { invoice_start: 0 }],
  ['invoice_prefix', { invoice_prefix: '../' }],
  ['correction_prefix', { correction_prefix: 'CN-' }],
])('an invalid %s is refused', async (field, store) => {
  const reply = await changeStore(store);
  expect(reply.status).toBe(422);
  expect(Object.keys(reply.body.errors)).toContain(field);
});

test('customers write the VAT id of their account, and of an order until it is complete; staff always', async () => {
  const customer = api(await aCustomer());
  const { body: user } = await customer.get('/users/me');
  expect(user.vat_id).toBeNull();
  expect((await customer.put(`/users/${user.id}`, { user: { vat_id: ' ATU12345678 ' } })).body.vat_id).toBe(
    'ATU12345678',
  );
  expect((await customer.put(`/users/${user.id}`, { user: { vat_id: 'X'.repeat(21) } })).status).toBe(422);
  expect((await customer.put(`/users/${user.id}`, { user: { vat_id: '' } })).body.vat_id).toBeNull();

  const order = await orderInState('confirm');
  const path = `/orders/${order.number}`;
  expect((await api(order.caller).put(path, { order: { vat_id: 'FR40303265045' } })).body.vat_id).toBe(
    'FR40303265045',
  );
  await api(order.caller).put(`/checkouts/${order.number}/advance`);
  expect((await api(order.caller).put(path, { order: { vat_id: 'DE1' } })).status).toBe(422);
  const admin = await asAdmin();
  expect((await admin.put(path, { order: { vat_id: 'DE123456789' } })).body.vat_id).toBe('DE123456789');
  expect((await admin.get(`/orders?q[vat_id_eq]=DE123456789`)).body.orders).toHaveLength(1);
});

test('documents print the logo of the store at their time', async () => {
  const { id } = await testDb()('stores').where({ is_default: true }).first('id');
  const admin = await asAdmin();
  const path = `/stores/${id}/logo`;
  const upload = (bytes: Buffer, part = 'logo') =>
    admin.multipart('post', path, { files: [{ part, bytes, name: 'logo.png' }], fields: {} });
  const invoiceOf = async (order: any): Promise<string> =>
    (await admin.get(`/orders/${order.number}/invoice.pdf`)).body.toString('latin1');
  const before = await orderInState('complete');
  expect((await upload(await aPicture({ width: 300, height: 100 }))).status).toBe(204);
  const { body } = await admin.get(`/stores/${id}`);
  expect(body.document_logo).toMatch(/^[0-9a-f]{64}$/);
  const order = await orderInState('complete');
  expect(await invoiceOf(order)).toContain('/Subtype /Image');
  expect(await invoiceOf(before)).not.toContain('/Subtype /Image');
  const slip = await admin.get(`/shipments/${order.shipments[0].number}/packing_slip.pdf`);
  expect(slip.body.toString('latin1')).toContain('/Subtype /Image');

  expect((await upload(Buffer.from('no picture'))).body.errors).toEqual({ logo: ['is invalid'] });
  expect((await admin.post(path, {})).body.errors).toEqual({ logo: ["can't be blank"] });
  expect((await admin.delete('/stores/999999/logo')).status).toBe(404);
  expect((await api(await aCustomer()).delete(path)).status).toBe(401);
  expect((await admin.put(`/stores/${id}`, { store: { document_logo: 'x' } })).body.document_logo).toBe(
    body.document_logo,
  );

  expect((await admin.delete(path)).status).toBe(204);
  expect((await admin.get(`/stores/${id}`)).body.document_logo).toBeNull();
  expect(await invoiceOf(await orderInState('complete'))).not.toContain('/Subtype /Image');
  await testDb()('stores').where({ id }).update({ document_logo: null });
  expect(await invoiceOf(order)).toContain('/Subtype /Image');
});
