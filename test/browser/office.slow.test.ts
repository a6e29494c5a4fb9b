import type { Page } from 'playwright-core';
import { expectSoundPage, openFace } from '../support/face';

/*
 * The back office at /admin of the demo store, used in a browser as staff uses it.
 */

const ADMIN = {
  email: 'admin@example.com',
  password: 'office-test-password',
  token: 'office-test-admin-token',
};
const WIDTHS = [360, 1440];

const open = openFace({
  ...{ ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password, ADMIN_TOKEN: ADMIN.token },
});
let url: string;
let page: Page;
let problems: string[];

async function openPage(width: number): Promise<void> {
  ({ url, page, problems } = await open(width));
}

beforeEach(() => openPage(1440));

const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();

async function signIn({ email, password }: { email: string; password: string } = ADMIN): Promise<void> {
  await page.goto(`${url}/admin`, { waitUntil: 'networkidle' });
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await press('Sign in');
}

/** Sends a request to the API as the administrator. */
async function call(method: string, address: string, body?: object, headers: object = {}): Promise<any> {
  const reply = await fetch(`${url}/api/v1${address}`, {
    method,
    headers: { 'Content-Type': 'application/json', 'X-Store-Token': ADMIN.token, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const json: any = reply.status === 204 ? null : await reply.json();
  if (!reply.ok) throw new Error(`${method} ${address}: ${reply.status} ${JSON.stringify(json)}`);
  return json;
}

/** Buys a mug by card. @returns the number of the order */
async function buyMug(): Promise<string> {
  const { id } = (await call('GET', '/products/stoneware-mug')).variants[0];
  const address = {
    ...{
      firstname: 'Ann',
      lastname: 'Lee',
      address1: '1 Harbour Street',
      city: 'Portland',
      zipcode: '04101',
    },
    ...{ phone: '207-555-0100', country: 'US', state: 'ME' },
  };
  const order = { email: 'ann@example.com', line_items: [{ variant_id: id, quantity: 2 }] };
  const { number } = await call('POST', '/orders', { order });
  await call('PUT', `/checkouts/${number}/next`);
  await call('PUT', `/checkouts/${number}`, { order: { bill_address: address, use_billing: true } });
  const { payment_methods } = await call('PUT', `/checkouts/${number}/next`);
  const method = payment_methods.find(({ name }: any) => name === 'Credit Card').id;
  await call('PUT', `/checkouts/${number}`, {
    order: { payments_attributes: [{ payment_method_id: method }] },
    payment_source: {
      [method]: {
        number: '4111111111111111',
        month: '12',
        year: '2035',
        verification_value: '123',
        name: 'Ann Lee',
      },
    },
  });
  await call('PUT', `/checkouts/${number}/next`);
  return number;
}

test('an order is found, captured, shipped and partly refunded, each once', async () => {
  const number = await buyMug();
  await signIn();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await page.getByRole('link', { name: /To capture/ }).click();
  await page.getByLabel('Find orders').fill(number);
  await page.getByRole('link', { name: number }).click();
  await page.getByRole('heading', { name: `Order ${number}` }).waitFor();

  await press('Capture');
  await page.getByText('is charged to the buyer').waitFor();
  // Twice on the button that charges: one charge.
  await page.getByRole('button', { name: 'Capture 41.0 USD' }).dblclick();
  await press('Ship');
  await page.getByLabel('Tracking (optional)').fill('1Z-77');
  await press('Ship the parcel');
  await page.getByText('tracking 1Z-77').waitFor();
  await press('Refund');
  await page.getByLabel('Amount in USD').fill('100');
  await press('Refund 100 USD');
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Amount in USD').fill('5');
  await page.getByLabel('Reason (optional)').fill('Scratched');
  await press('Refund 5 USD');
  await page.getByText('Refunded 5.0 USD').waitFor();

  const order = await call('GET', `/orders/${number}`);
  expect([order.shipment_state, order.payment_total]).toEqual(['shipped', '36.0']);
  expect(order.payments.map(({ state }: any) => state)).toEqual(['completed']);
  expect(order.payments[0].refunds).toEqual([
    expect.objectContaining({ amount: '5.0', reason: 'Scratched' }),
  ]);
  expect(problems).toEqual([]);
}, 120_000);

test('an order is canceled after the question, and not before', async () => {
  const number = await buyMug();
  await signIn();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await page.goto(`${url}/admin/orders/${number}`, { waitUntil: 'networkidle' });
  await press('Cancel the order');
  await page.getByText('its items are restocked').waitFor();
  await press('Not now');
  expect((await call('GET', `/orders/${number}`)).state).toBe('complete');
  await press('Cancel the order');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the order' }).click();
  await page.getByText('Canceled', { exact: true }).first().waitFor();
  expect((await call('GET', `/orders/${number}`)).state).toBe('canceled');
}, 120_000);

test('two tabs do not overwrite the texts of a product', async () => {
  await signIn();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await page.goto(`${url}/admin/products/enamel-camp-mug`, { waitUntil: 'networkidle' });
  const slug = 'enamel-camp-mug';
  await page.getByLabel('Title for search engines').fill('From this tab');
  await call('PUT', `/products/${slug}`, { product: { meta_title: 'From the other tab' } });
  await press('Save');
  await page.getByText('Someone else has changed this product').waitFor();
  expect((await call('GET', `/products/${slug}`)).meta_title).toBe('From the other tab');
  await page.getByLabel('Title for search engines').fill('Agreed');
  await press('Save');
  await page.getByText('Saved.').waitFor();
  expect((await call('GET', `/products/${slug}`)).meta_title).toBe('Agreed');

  // A price that is saved keeps what was typed elsewhere.
  await page.getByLabel('Title for search engines').fill('Not saved yet');
  const price = page.getByLabel(/^Price of /).first();
  await price.fill('23.5');
  const reread = page.waitForResponse(
    (reply) => reply.request().method() === 'GET' && reply.url().includes(`/api/v1/products/`),
  );
  await page
    .getByRole('button', { name: /^Save Price of/ })
    .first()
    .click();
  await (await reread).finished();
  // The button of the row is disabled again once the new price is shown.
  await page.locator('.cell-form button:disabled').first().waitFor();
  expect(await page.getByLabel('Title for search engines').inputValue()).toBe('Not saved yet');
}, 120_000);

test('the stock of a variant is counted', async () => {
  await signIn();
  await page.getByRole('link', { name: 'Stock' }).click();
  await page.getByLabel('Find stock').fill('KC-MUG-WHITE');
  const count = page.getByLabel('Units of KC-MUG-WHITE on hand');
  await count.waitFor();
  await page.waitForURL(/search=KC-MUG-WHITE/);
  // A link to the whole list empties the search field.
  await page.getByRole('link', { name: 'Stock' }).click();
  await page.waitForURL(/stock$/);
  await page.waitForFunction(`document.querySelector('input[type=search]').value === ''`);
  await page.getByLabel('Find stock').fill('KC-MUG-WHITE');
  await page.waitForURL(/search=KC-MUG-WHITE/);
  await count.fill('77');
  await page
    .getByRole('row', { name: /KC-MUG-WHITE/ })
    .getByRole('button', { name: 'Save' })
    .click();
  await page.waitForResponse((reply) => reply.request().method() === 'PUT');
  const { variants } = await call('GET', '/products/stoneware-mug');
  expect(variants.find(({ sku }: any) => sku === 'KC-MUG-WHITE').total_on_hand).toBe(77);
}, 120_000);

test('customers and wrong passwords do not get in, and an ended session leads to the sign-in', async () => {
  await fetch(`${url}/api/v1/users`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ user: { email: 'dora@example.com', password: 'correct horse battery' } }),
  });
  await signIn({ email: 'dora@example.com', password: 'correct horse battery' });
  await page.getByText('The back office is for staff').waitFor();
  await signIn({ ...ADMIN, password: 'wrong wrong wrong' });
  await page.getByRole('alert').waitFor();
  await signIn();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await page.evaluate(`localStorage.setItem('office.sign-in', '{"token":"ended","email":"x"}')`);
  await page.goto(`${url}/admin/orders`);
  await page.getByLabel('Password').waitFor();
}, 120_000);

test.each(WIDTHS)(
  'no page at %i pixels is wider than the screen or has a serious fault of accessibility',
  async (width) => {
    const number = await buyMug();
    await openPage(width);
    await signIn();
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    for (const address of [
      '',
      '/orders',
      `/orders/${number}`,
      '/products',
      '/products/stoneware-mug',
      '/stock',
    ]) {
      await page.goto(`${url}/admin${address}`, { waitUntil: 'networkidle' });
      await expectSoundPage(page, address, width);
    }
    expect(problems).toEqual([]);
  },
  180_000,
);
