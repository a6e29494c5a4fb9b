import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { killPrograms, startProgram, type Program } from '../support/program';
import { openBrowser } from '../support/playwright';

/*
 * The back office at /admin of the demo store, used in a browser as staff uses it.
 */

const ADMIN = {
  email: 'admin@example.com',
  password: 'office-test-password',
  token: 'office-test-admin-token',
};
const WIDTHS = [360, 1440];

let folder: string;
let url: string;
let program: Program | undefined;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let problems: string[];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'store-office-'));
  program = await startProgram({
    ...{ DATA_DIR: folder, SEED: 'demo', LOG_LEVEL: 'error' },
    ...{ ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password, ADMIN_TOKEN: ADMIN.token },
  });
  ({ url } = program);
  browser = await openBrowser();
}, 180_000);

afterAll(async () => {
  await browser?.close();
  // With its database, so that nothing writes into the folder any more.
  program?.child.kill('SIGTERM');
  await program?.exited;
  killPrograms();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(() => openPage(1440));

afterEach(() => context.close());

async function openPage(width: number): Promise<void> {
  context = await browser.newContext({ viewport: { width, height: 900 } });
  page = await context.newPage();
  page.setDefaultTimeout(20_000);
  problems = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // Refusals of the API, which the page shows in words, are noted by the browser too.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(message.text());
  });
}

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
  await page.getByText('goods go back to stock').waitFor();
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
}, 120_000);

test('a shelf is counted', async () => {
  await signIn();
  await page.getByRole('link', { name: 'Stock' }).click();
  await page.getByLabel('Find stock').fill('KC-MUG-WHITE');
  const count = page.getByLabel('Units of KC-MUG-WHITE on hand');
  await count.waitFor();
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
    await context.close();
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
      await page.locator('h1').waitFor();
      expect([address, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([
        address,
        width,
      ]);
      await page.evaluate(axe.source);
      const found = await page.evaluate(`axe.run().then(({ violations }) =>
      violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => id + ': ' + nodes[0].html))`);
      expect([address, found]).toEqual([address, []]);
    }
    expect(problems).toEqual([]);
  },
  180_000,
);
