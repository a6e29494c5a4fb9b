import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { address, card } from '../../docs-content/sample-customer';
import { AREAS } from '../../src/access/scopes';
import { expectReachableByTab, expectSoundPage, openFace, waitForExpression } from '../support/face';
import { aPicture } from '../support/pictures';
import { startReceiver, type Receiver } from '../support/receiver';
import { buildSmtpError, startMailServer, type MailServer } from '../support/smtp-server';
import { CATALOG_FORMS, CUSTOMER_FORMS, fillForm, readNamed, SETTINGS_FORMS, visit } from './office-forms';

/*
 * The back office at /admin of the demo store, used in a browser as staff uses it.
 */

const ADMIN = {
  email: 'admin@example.com',
  password: 'office-test-password',
  token: 'office-test-admin-token',
};
const WIDTHS = [360, 1024, 1280];
/** Each has a part that the main pages lack. */
const OTHER_PAGES = [
  '/returns',
  '/products',
  '/categories',
  '/prices',
  '/stock/movements',
  '/customers',
  '/customers/1',
  '/promotions',
  '/reports',
  '/documents',
  '/staff',
  '/files',
  '/stock/count',
  '/audit',
  '/settings',
  '/settings/store',
  '/settings/stores',
  '/settings/option-types',
  '/settings/zones',
  '/settings/tax-rates',
  '/settings/tax-categories',
  '/settings/shipping-methods',
  '/settings/shipping-categories',
  '/settings/payment-methods',
  '/settings/locations',
  '/settings/return-reasons',
  '/settings/mails',
  '/settings/mails/shipped',
  '/settings/webhooks',
  '/settings/roles',
  '/account',
  '/search?search=mug',
  '/search?search=no-such',
  '/nowhere',
];

/** Has no mailbox until it is created. */
const LOST = 'lost@example.com';

let mails: MailServer;
let hasMailbox = false;
let receiver: Receiver;
const open = openFace(async () => {
  mails = await startMailServer((address) =>
    address !== LOST || hasMailbox ? null : buildSmtpError(550, 'no such mailbox'),
  );
  receiver = await startReceiver((reply) => void reply.writeHead(410).end());
  return {
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    ADMIN_TOKEN: ADMIN.token,
    MAIL_URL: mails.url,
    WEBHOOK_ALLOW_PRIVATE: 'true',
  };
});
afterAll(() => mails.stop());
afterAll(() => receiver.close());
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

/** Ends the session of the page at the store. */
async function endSession(): Promise<void> {
  const { token } = JSON.parse(String(await page.evaluate(`localStorage.getItem('office.sign-in')`)));
  await call('DELETE', '/sessions', undefined, { 'X-Store-Token': token });
}

/** Buys two mugs by card, after a card that was declined if wanted. @returns the number of the order */
async function buyMug({ isDeclinedFirst = false } = {}): Promise<string> {
  const { id } = (await call('GET', '/products/stoneware-mug')).variants[0];
  return buy([{ variant_id: id, quantity: 2 }], { isDeclinedFirst });
}

async function buy(line_items: object[], { isDeclinedFirst = false } = {}): Promise<string> {
  const order = { email: 'ann@example.com', line_items };
  const { number } = await call('POST', '/orders', { order });
  await call('PUT', `/checkouts/${number}/next`);
  await call('PUT', `/checkouts/${number}`, { order: { bill_address: address, use_billing: true } });
  const { payment_methods } = await call('PUT', `/checkouts/${number}/next`);
  const method = payment_methods.find(({ name }: any) => name === 'Credit Card').id;
  const pay = (source: object) =>
    call('PUT', `/checkouts/${number}`, {
      order: { payments_attributes: [{ payment_method_id: method }] },
      payment_source: { [method]: source },
    });
  if (isDeclinedFirst) {
    await pay({ ...card, number: '4000000000000002' });
    await expect(call('PUT', `/checkouts/${number}/next`)).rejects.toThrow('422');
  }
  // What was declined is followed by the next step at once.
  const { state } = await pay(card);
  if (state !== 'complete') await call('PUT', `/checkouts/${number}/next`);
  return number;
}

test('a page has its own title, begins at its top and has the focus when it is opened', async () => {
  await signIn();
  await page.setViewportSize({ width: 1440, height: 300 });
  await page.getByRole('heading', { name: 'Latest orders' }).scrollIntoViewIfNeeded();
  const areas = page.getByRole('navigation', { name: 'Areas' });
  await areas.getByRole('link', { name: 'Products', exact: true }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Products' }).waitFor();
  await waitForExpression(
    page,
    `document.title === 'Products – Back office' && document.activeElement.id === 'main' && scrollY === 0`,
  );
  await page.getByRole('link', { name: 'Stoneware Mug', exact: true }).click();
  await waitForExpression(page, `document.title === 'Stoneware Mug – Back office'`);
  await press('Sign out');
  await waitForExpression(page, `document.title === 'Back office'`);
  expect(problems).toEqual([]);
});

test('an order is found, captured, shipped and partly refunded, each once', async () => {
  const number = await buyMug();
  await signIn();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await page.getByRole('link', { name: /To capture/ }).click();
  await page.getByLabel('Find orders').fill(number);
  await page.getByRole('row', { name: new RegExp(`${number}.*Authorized`) }).waitFor();
  await page.getByRole('link', { name: number }).click();
  await page.getByRole('heading', { name: `Order ${number}` }).waitFor();
  await page.getByText('Payment Authorized').waitFor();

  await press('Capture');
  await page.getByText('is charged to the buyer').waitFor();
  // Twice on the button that charges: one charge.
  await page.getByRole('button', { name: 'Capture $41.00' }).dblclick();
  await press('Ship');
  await page.getByLabel('Tracking (optional)').fill('1Z-77');
  await press('Ship the parcel');
  await page.getByText('tracking 1Z-77').waitFor();
  // What has left is not removed from the order any more.
  expect(await page.getByRole('button', { name: /^Remove Stoneware Mug/ }).count()).toBe(0);
  await press(/^Change Stoneware Mug/);
  await page.getByText('Shipped: 2').waitFor();
  await press('Not now');
  await press('Refund');
  await page.getByLabel('Amount in USD').fill('100');
  await press('Refund $100.00');
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Amount in USD').fill('5');
  await page.getByLabel('Reason (optional)').fill('Scratched');
  await press('Refund $5.00');
  await page.getByText('Refunded $5.00').waitFor();
  // A goodwill: the order costs less and stays paid.
  await page.getByRole('cell', { name: '-$5.00' }).waitFor();
  expect(await call('GET', `/orders/${number}`)).toMatchObject({ payment_state: 'paid', total: '36.0' });
  expect(await page.getByRole('button', { name: 'Record a payment' }).count()).toBe(0);

  // One of the two mugs comes back, and its value is refunded at once.
  await press('Add a return');
  await page.getByLabel(/^Stoneware Mug/).fill('1');
  await page.getByLabel('The items have arrived').check();
  await page.getByLabel('Refund the credit now').check();
  await press('Receive and refund');
  await page.getByText('The items are received.').waitFor();
  await page.getByText('Received', { exact: true }).waitFor();
  const returns = (await call('GET', `/orders/${number}/return_authorizations`)).return_authorizations;
  expect(returns.map(({ state, amount }: any) => [state, amount])).toEqual([['received', '18.0']]);

  const order = await call('GET', `/orders/${number}`);
  expect([order.shipment_state, order.payment_total]).toEqual(['shipped', '18.0']);
  expect(order.payments.map(({ state }: any) => state)).toEqual(['completed']);
  expect(order.payments[0].refunds).toEqual([
    expect.objectContaining({ amount: '5.0', reason: 'Scratched' }),
    expect.objectContaining({ amount: '18.0' }),
  ]);

  // Without it, the buyer owes the amount again, and there is nothing to capture.
  await press('Refund');
  await page.getByLabel('Amount in USD').fill('1');
  await page.getByLabel('The order costs less by this amount').uncheck();
  await press('Refund $1.00');
  await page.getByText('Refunded: $1.00.').waitFor();
  await visit(page, `/orders?list=pay&search=${number}`);
  await page.getByText('No results.').waitFor();
  await visit(page, `/orders?list=due&search=${number}`);
  await page.getByRole('row', { name: new RegExp(`${number}.*Balance due`) }).waitFor();
  // What was done on another page is not said here.
  expect(await page.getByText('Refunded: $1.00.').count()).toBe(0);
  expect(problems).toEqual([]);
});

/** Follows a number of the dashboard. @returns the number */
async function followTask(name: string): Promise<number> {
  await page.getByRole('link', { name: 'Dashboard' }).click();
  const link = page.locator('.tasks').getByRole('link', { name: new RegExp(`^\\d+ ?${name}$`) });
  const count = parseInt((await link.textContent()) ?? '', 10);
  await link.click();
  return count;
}

/** Returns how many rows the list of a page has on all of its pages. */
async function countListed(heading: string): Promise<number> {
  await page.getByRole('heading', { name: heading, exact: true }).waitFor();
  await page.locator('tbody, main .notice').first().waitFor();
  const pager = page.getByText(/, \d+ in all/);
  if ((await pager.count()) === 0) return page.locator('tbody tr').count();
  return parseInt(/(\d+) in all/.exec((await pager.textContent()) ?? '')?.[1] ?? '', 10);
}

test('the dashboard plots sales and leads to what is to be done; refused mails are dismissed or sent again', async () => {
  // A parcel whose mug is to be returned, a mail that is refused, and a receiver that wants no more.
  const number = await buyMug();
  const { payments, shipments } = await call('GET', `/orders/${number}`);
  await call('PUT', `/orders/${number}/payments/${payments[0].id}/capture`);
  await call('PUT', `/shipments/${shipments[0].number}/ship`);
  const form = await call('GET', `/orders/${number}/return_requests/new`);
  const items = [{ ...form.items[0], quantity: 2, reason_id: form.return_authorization_reasons[0].id }];
  await call('POST', `/orders/${number}/return_requests`, { items, memo: 'Too small' });
  await call('POST', '/users', { user: { email: LOST, password: 'reads no mail at all' } });
  for (let mail = 0; mail < 2; mail++) await call('POST', '/passwords', { email: LOST });
  const webhook = { url: receiver.url, description: 'Former receiver', events: ['*'] };
  const { id } = await call('POST', '/webhooks', { webhook });
  await call('POST', `/webhooks/${id}/test`);
  while (
    (await call('GET', '/undelivered_mails')).total_count < 2 ||
    (await call('GET', `/webhooks/${id}`)).active
  )
    await page.waitForTimeout(50);

  await signIn();
  await page.getByText(/^[1-9]\d* orders in USD, \$/).waitFor();
  expect(await page.locator('.plot rect').count()).toBe(30);
  expect(Number(await page.locator('.plot rect').last().getAttribute('height'))).toBeGreaterThan(0);
  await page.getByRole('link', { name: 'All reports' }).click();
  await page.getByRole('heading', { name: 'Reports' }).waitFor();
  // Each of the 30 days, and the total.
  await page.getByRole('row', { name: /^Total/ }).waitFor();
  expect(await page.locator('tbody tr').count()).toBe(31);
  const tasks = [
    ['To ship', 'Orders'],
    ['To capture', 'Orders'],
    ['Backorders', 'Orders'],
    ['To refund', 'Orders'],
    ['Returns expected', 'Orders'],
    ['Return requests', 'Returns'],
    // The name of the location follows if there are several.
    ['Low stock(: default)?', 'Stock'],
  ] as const;
  for (const [task, heading] of tasks) {
    // The orders of the demo store may be still growing.
    while ((await followTask(task)) !== (await countListed(heading)));
  }
  // The customer's return is approved and received, and its credit is refunded.
  await followTask('Return requests');
  await page
    .getByRole('row', { name: new RegExp(number) })
    .getByRole('link')
    .click();
  await page.getByText('“Too small”').waitFor();
  expect(await page.getByText('Too small').count()).toBe(1);
  await press(/^Approve RA/);
  await press('Approve the return');
  await page.getByText(/^RA\d+ is approved\./).waitFor();
  // Only one has come, and it is damaged.
  const countMugs = async (): Promise<number> =>
    (await call('GET', '/stock_items?stock_location_id=1&q[variant_sku_eq]=KC-MUG-WHITE')).stock_items[0]
      .count_on_hand;
  const mugs = await countMugs();
  await press(/^Receive RA/);
  await page.getByLabel(/^Stoneware Mug.*\(of 2\)$/).fill('3');
  await press('Receive the items');
  await waitForExpression(page, `document.activeElement.matches(':invalid')`);
  await page.getByLabel(/^Stoneware Mug.*\(of 2\)$/).fill('1');
  await page.getByLabel('The items can be sold again').uncheck();
  await press('Receive the items');
  await page.getByText(', not to be sold again').waitFor();
  await page.getByRole('row', { name: 'Returned items -$18.00' }).waitFor();
  expect(await countMugs()).toBe(mugs);
  await press('Refund');
  await page.getByText('The store owes the buyer $18.00.').waitFor();
  await press('Refund $18.00');
  await page.getByText('Refunded: $18.00.').waitFor();
  await page.getByText('Refunded $18.00').waitFor();
  expect((await call('GET', `/orders/${number}`)).payment_state).toBe('paid');

  expect(await followTask('Failing webhooks')).toBeGreaterThan(0);
  await page.getByText('The receiver replied 410 Gone.').waitFor();
  // Other tests may have added webhooks.
  const failing = page.getByRole('row').filter({ hasText: receiver.url });
  await failing.getByRole('link', { name: 'Deliveries' }).click();
  await page.getByText(receiver.url, { exact: true }).waitFor();
  await page
    .getByRole('cell', { name: /^[A-Z][a-z]+ 410$/ })
    .first()
    .waitFor();

  expect(await followTask('Undelivered mails')).toBe(2);
  const refused = page.getByRole('row', { name: new RegExp(`New password.*${LOST}.*550 no such mailbox`) });
  await refused.first().getByRole('button', { name: 'Dismiss' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Dismiss' }).click();
  await page.getByText('1 mail could not be sent so far.').waitFor();
  hasMailbox = true;
  await press('Try again');
  await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click();
  await page.getByText('The store tries to send them.').waitFor();
  while (mails.received.every(({ to }) => !to.includes(LOST))) await page.waitForTimeout(50);
  await page.goto(`${url}/admin`, { waitUntil: 'networkidle' });
  await page.getByRole('heading', { name: 'Sales of 30 days' }).waitFor();
  expect(await page.getByRole('link', { name: /Undelivered/ }).count()).toBe(0);

  // A shop that has sold nothing yet.
  expect(await page.getByRole('heading', { name: 'Before the first sale' }).count()).toBe(0);
  const none = { orders: [], count: 0, total_count: 0, current_page: 1, pages: 0, per_page: 1 };
  await page.route('**/api/v1/orders?**', (route) => route.fulfill({ json: none }));
  await page.reload({ waitUntil: 'networkidle' });
  await page.getByRole('heading', { name: 'Before the first sale' }).waitFor();
  await page
    .getByRole('listitem')
    .filter({ hasText: /^Zones .*\d$/ })
    .waitFor();
  await page.locator('.steps').getByRole('link', { name: 'Stock locations' }).click();
  await page.getByRole('heading', { name: 'Stock locations' }).waitFor();
  expect(problems).toEqual([]);
});

test('a risky order is approved with a note, and canceled after the question, and not before', async () => {
  const number = await buyMug({ isDeclinedFirst: true });
  await signIn();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await page.goto(`${url}/admin/orders/${number}`, { waitUntil: 'networkidle' });
  await press('Add a note');
  await page.getByLabel('Note', { exact: true }).fill('Called the buyer');
  await press('Save the note');
  await page.locator('.note', { hasText: 'Called the buyer' }).waitFor();
  expect((await call('GET', `/orders/${number}`)).considered_risky).toBe(true);
  await page.getByText('Risky: a payment has failed.').waitFor();
  await page.getByText('History').click();
  await page.getByText('Cart → Complete').waitFor();
  await page.getByText('In progress → Authorized').waitFor();
  expect(await page.getByText('Cart → Cart').count()).toBe(0);
  // By the keyboard alone: the question takes the focus, and gives it back.
  const approve = page.getByRole('button', { name: 'Approve', exact: true });
  await approve.press('Enter');
  await page.getByRole('dialog', { name: 'Approve' }).waitFor();
  await page.keyboard.press('Escape');
  // A question that is closed is removed a moment later, and cannot be asked again before.
  await page.locator('dialog').waitFor({ state: 'detached' });
  await waitForExpression(page, `document.activeElement.textContent === 'Approve'`);
  await page.keyboard.press('Enter');
  await waitForExpression(page, `document.activeElement.textContent === 'Not now'`);
  await page.keyboard.press('Tab');
  await waitForExpression(page, `document.activeElement.textContent === 'Approve the order'`);
  await page.keyboard.press('Enter');
  await page.getByText(`Order ${number} is approved.`).waitFor();
  // The button is gone: its box has the focus.
  await waitForExpression(page, `document.activeElement.matches('section:has(.totals)')`);
  expect(await call('GET', `/orders/${number}`)).toMatchObject({
    considered_risky: false,
    metadata: { office_note: 'Called the buyer' },
  });
  await press('Cancel the order');
  await page.getByText('its items are restocked').waitFor();
  await press('Not now');
  expect((await call('GET', `/orders/${number}`)).state).toBe('complete');
  await press('Cancel the order');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the order' }).click();
  await page.getByText('Canceled', { exact: true }).first().waitFor();
  expect((await call('GET', `/orders/${number}`)).state).toBe('canceled');

  await visit(page, '/audit');
  await page.getByRole('link', { name: number, exact: true }).first().click();
  await page.getByRole('heading', { name: `Order ${number}` }).waitFor();
});

test('units move between parcels, and an order that is canceled and resumed is paid by check', async () => {
  const number = await buyMug();
  const readParcels = async () => (await call('GET', `/orders/${number}`)).shipments;
  const countStock = async (): Promise<number> =>
    (await call('GET', '/stock_items?stock_location_id=1&q[variant_sku_eq]=KC-MUG-WHITE')).stock_items[0]
      .count_on_hand;
  await signIn();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await page.goto(`${url}/admin/orders/${number}`, { waitUntil: 'networkidle' });
  await press('Split');
  await page.getByLabel('Units').fill('3');
  await press('Move 3');
  await page.getByText('Choose fewer units or another location.').waitFor();
  await page.getByLabel('Units').fill('1');
  await press('Move 1');
  await page.getByText(/^Units of H\d+ are moved\./).waitFor();
  const parcels = await readParcels();
  expect(parcels.map(({ manifest }: any) => manifest[0].quantity)).toEqual([1, 1]);
  // The other parcel is the first choice then.
  // Each button names its parcel now.
  await press(`Packing slip ${parcels[1].number}`);
  await press(`Split ${parcels[0].number}`);
  await press('Move 1');
  await page.getByRole('heading', { name: parcels[0].number, exact: true }).waitFor({ state: 'detached' });
  expect((await readParcels()).map((parcel: any) => [parcel.number, parcel.manifest[0].quantity])).toEqual([
    [parcels[1].number, 2],
  ]);

  const sold = await countStock();
  await call('PUT', `/orders/${number}/cancel`);
  expect(await countStock()).toBe(sold + 2);
  await page.reload({ waitUntil: 'networkidle' });
  const addFee = page.getByRole('button', { name: 'Add a discount or fee' });
  await page.getByRole('button', { name: 'Resume the order' }).waitFor();
  expect(await addFee.count()).toBe(0);
  await press('Resume the order');
  await page.getByRole('dialog').getByRole('button', { name: 'Resume the order' }).click();
  await page.getByText(`Order ${number} is resumed.`).waitFor();
  await addFee.waitFor();
  expect(await countStock()).toBe(sold);
  await press('Record a payment');
  await press('Record the balance');
  await page.getByText('The payment is recorded.').waitFor();
  // It is seen at the end of the page, too.
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  expect((await page.getByText('The payment is recorded.').boundingBox())?.y).toBeGreaterThan(0);
  await press(/^Capture P/);
  await press('Capture $41.00');
  await page.getByText('$41.00 is captured.').waitFor();
  const { payment_state, payment_total, payments } = await call('GET', `/orders/${number}`);
  expect([payment_state, payment_total]).toEqual(['paid', '41.0']);
  expect(payments.map(({ state, payment_method }: any) => [state, payment_method.name])).toEqual(
    expect.arrayContaining([
      ['void', 'Credit Card'],
      ['completed', 'Check'],
    ]),
  );

  // It can be canceled again, until a part of it has left.
  const cancel = page.getByRole('button', { name: 'Cancel the order' });
  await cancel.waitFor();
  await call('PUT', `/shipments/${parcels[1].number}/ship`);
  await call('POST', `/orders/${number}/line_items`, { line_item: { sku: 'FH-BOARD', quantity: 300 } });
  expect((await call('GET', `/orders/${number}`)).shipment_state).toBe('backorder');
  await page.reload({ waitUntil: 'networkidle' });
  await addFee.waitFor();
  expect(await cancel.count()).toBe(0);
  expect(problems).toEqual([]);
});

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
  expect(await price.inputValue()).toMatch(/^\d+\.\d\d$/);
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

  // Nor does a click elsewhere lose it.
  const leave = async (isSure: boolean): Promise<string> => {
    const asked = page.waitForEvent('dialog').then(async (dialog) => {
      await (isSure ? dialog.accept() : dialog.dismiss());
      return dialog.message();
    });
    await page.getByRole('link', { name: 'Orders', exact: true }).click();
    return asked;
  };
  expect(await leave(false)).toMatch(/^What you have typed is not saved\./);
  expect(await page.getByLabel('Title for search engines').inputValue()).toBe('Not saved yet');
  await leave(true);
  await page.getByRole('heading', { name: 'Orders' }).waitFor();
});

test('what someone else changes of a product meanwhile stays, and a price replaces only one that was seen', async () => {
  const { taxons } = await call('GET', '/taxons?per_page=100');
  const [first, theirs, mine] = taxons.filter(({ parent_id }: any) => parent_id !== null);
  const { id, slug, master } = await call('POST', '/products', {
    product: {
      name: 'Shared Stool',
      price: '20',
      shipping_category: 'Default',
      taxon_ids: [first.id],
    },
  });
  const variant = `/products/${id}/variants/${master.id}`;
  await signIn();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await visit(page, `/products/${slug}`);
  const price = page.getByLabel(/^Price of /);
  await price.waitFor();
  await call('PUT', variant, { variant: { price: '21' } });
  await price.fill('22');
  await price.press('Enter');
  await page.getByText('It is 21.00 now: someone else has changed it meanwhile.').waitFor();
  expect((await call('GET', variant)).price).toBe('21.0');
  // To repeat it is a decision.
  const saved = page.waitForResponse((reply) => reply.request().method() === 'PUT');
  await price.press('Enter');
  await saved;
  expect((await call('GET', variant)).price).toBe('22.0');

  await press(/^Edit Shared/);
  await call('PUT', variant, { variant: { barcode: '4006381333931' } });
  await page.getByLabel('Weight').fill('0.4');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText(/^Shared Stool is saved\./).waitFor();
  expect(await call('GET', variant)).toMatchObject({ barcode: '4006381333931', weight: '0.4' });

  // Categories are read in several requests, as when there are more than one can have.
  await page.route('**/api/v1/taxons?**', (route) =>
    route.continue({ url: route.request().url().replace('per_page=500', 'per_page=5') }),
  );
  await page.reload({ waitUntil: 'networkidle' });
  await press('Change the categories');
  const choices = page.getByRole('group', { name: 'Categories' }).getByRole('checkbox');
  await choices.first().waitFor();
  expect(await choices.count()).toBe(taxons.length);
  await call('PUT', `/products/${id}`, { product: { taxon_ids: [first.id, theirs.id] } });
  await page.getByLabel(mine.pretty_name.replaceAll('->', '›'), { exact: true }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('The categories are saved.').waitFor();
  expect(new Set((await call('GET', `/products/${slug}`)).taxon_ids)).toEqual(
    new Set([first.id, theirs.id, mine.id]),
  );
  expect(problems).toEqual([]);
});

test('the stock of a variant is counted', async () => {
  await signIn();
  await page.getByRole('link', { name: 'Stock', exact: true }).click();
  await page.getByLabel('Find stock').fill('KC-MUG-WHITE');
  const count = page.getByLabel('Units of KC-MUG-WHITE on hand');
  await count.waitFor();
  await page.waitForURL(/search=KC-MUG-WHITE/);
  // A link to the whole list empties the search field.
  await page.getByRole('link', { name: 'Stock', exact: true }).click();
  await page.waitForURL(/stock$/);
  await waitForExpression(page, `document.querySelector('[aria-label="Find stock"]').value === ''`);
  await page.getByLabel('Find stock').fill('KC-MUG-WHITE');
  await page.waitForURL(/search=KC-MUG-WHITE/);
  // More than the demo store has, whatever other tests have sold.
  const saved = page.waitForResponse((reply) => reply.request().method() === 'PUT');
  // Enter comes right after the last digit.
  await count.evaluate(async (field) => {
    Object.assign(field, { value: '7777' });
    field.dispatchEvent(new Event('input', { bubbles: true }));
    await Promise.resolve();
    await Promise.resolve();
    (field as unknown as { form: { requestSubmit: () => void } }).form.requestSubmit();
  });
  await saved;
  const { variants } = await call('GET', '/products/stoneware-mug');
  expect(variants.find(({ sku }: any) => sku === 'KC-MUG-WHITE').total_on_hand).toBe(7777);

  // What is sold while the page is open is not undone.
  await page.reload({ waitUntil: 'networkidle' });
  await call('POST', '/bulk/stock', {
    rows: [{ sku: 'KC-MUG-WHITE', stock_location_id: 1, adjust: -7 }],
  });
  await count.fill('7775');
  await count.press('Enter');
  await page.getByText(/^It is \d+ now: units were sold or received meanwhile\./).waitFor();
  expect(await count.inputValue()).toBe('7775');
  await Promise.all([
    page.waitForResponse((reply) => reply.request().method() === 'PUT'),
    count.press('Enter'),
  ]);
  const [item] = (await call('GET', '/stock_items?stock_location_id=1&q[variant_sku_eq]=KC-MUG-WHITE'))
    .stock_items;
  expect(item.count_on_hand).toBe(7775);
});

test('a master is not counted beside its variants, its price is that of the product, and prices have points', async () => {
  const { name, variants } = await call('GET', '/products/stoneware-mug');
  await signIn();
  await page.getByRole('link', { name: 'Stock', exact: true }).click();
  await page.getByLabel('Find stock').fill(name);
  await page.waitForURL(/search=/);
  const rows = page.getByRole('row', { name });
  while ((await rows.count()) !== variants.length);

  await page.getByRole('link', { name: 'Prices' }).click();
  await page.getByLabel('Products (name or SKU)').fill(name);
  // The whole text: the number of all variants may end with that of these.
  await page.getByText(`${variants.length + 1} variants have a price.`, { exact: true }).waitFor();
  expect(await page.getByText(`${name} (product)`, { exact: true }).count()).toBe(1);

  await page.goto(`${url}/admin/products/stoneware-mug`, { waitUntil: 'networkidle' });
  const price = page.getByLabel('Price of KC-MUG-WHITE', { exact: true });
  await price.fill('18,50');
  await price.press('Enter');
  await waitForExpression(page, `document.activeElement.matches(':invalid')`);
  expect(await price.getAttribute('title')).toBe('Write it with a point, such as 1250.50.');
  await price.fill('18.50');
  await waitForExpression(page, `document.activeElement.matches(':valid')`);
});

test('prices change together after a preview, a stocktake is saved, and parcels leave with pasted trackings', async () => {
  const number = await buyMug();
  await call(
    'PUT',
    `/orders/${number}/payments/${(await call('GET', `/orders/${number}`)).payments[0].id}/capture`,
  );
  const [parcel] = (await call('GET', `/orders/${number}`)).shipments;
  await signIn();
  await page.getByRole('link', { name: 'Prices' }).click();
  await page.getByLabel('Products (name or SKU)').fill('oak wall clock');
  await page.getByText('1 variant has a price').waitFor();
  const before = (await call('GET', '/products/oak-wall-clock')).price;
  await page.getByLabel('Change in percent').fill('0');
  expect(await page.getByRole('button', { name: /^Change \d/ }).count()).toBe(0);
  await page.getByLabel('Change in percent').fill('100');
  await page
    .getByRole('cell', { name: /^\$\d+\.00$/ })
    .nth(1)
    .waitFor();
  await press('Change 1 price');
  await page.getByRole('dialog').getByRole('button', { name: 'Change 1 price' }).click();
  await page.getByText('1 price changed.').waitFor();
  // A second click would be another change.
  expect(await page.getByLabel('Change in percent').inputValue()).toBe('');
  expect(await page.getByRole('button', { name: 'Change 1 price' }).count()).toBe(0);
  expect(Number((await call('GET', '/products/oak-wall-clock')).price)).toBe(2 * Number(before));

  await page.getByRole('link', { name: 'Stock', exact: true }).click();
  await page.getByRole('link', { name: 'Stocktake' }).click();
  // More than fit into the address of one request.
  const many = Array.from({ length: 450 }, (_none, at) => `NO-SUCH-ITEM-${at}`);
  await page.getByLabel('Counted units').fill(`${many.join('\n')}\n`);
  await page.getByText(`No product has this SKU: ${many.join(', ')}`).waitFor();
  await page.getByLabel('Counted units').fill('FH-CLOCK 1234\nFH-CLOK\nFH-CLOCK');
  await page.getByText('No product has this SKU: FH-CLOK').waitFor();
  expect(await page.getByRole('button', { name: 'Compare 2 SKUs' }).isDisabled()).toBe(true);
  // What was typed is still there later.
  await page.getByRole('link', { name: 'Stock', exact: true }).last().click();
  await page.getByRole('link', { name: 'Stocktake' }).click();
  await waitForExpression(page, `document.querySelector('textarea')?.value.includes('FH-CLOK') === true`);
  await page.getByLabel('Counted units').fill('FH-CLOCK 1234\nFH-CLOCK');
  await press('Compare 1 SKU');
  await page.getByRole('cell', { name: '1235', exact: true }).waitFor();
  await press('Save the count');
  await page.getByRole('dialog').getByRole('button', { name: 'Save the count' }).click();
  await page.getByText('The count of 1 SKU').waitFor();
  expect(await page.getByLabel('Counted units').inputValue()).toBe('');
  const [item] = (await call('GET', '/stock_items?stock_location_id=1&q[variant_sku_eq]=FH-CLOCK'))
    .stock_items;
  expect(item.count_on_hand + item.committed).toBe(1235);

  await page.getByRole('link', { name: 'Ship today' }).click();
  await press(/^Ship \d+$/);
  await page.getByLabel('Parcels and trackings').fill(`${parcel.number}\tZZ-1\nH-nowhere`);
  await press('Ship 2 parcels');
  await page.getByText('Nothing was changed. Line 2').waitFor();
  await page.getByLabel('Parcels and trackings').fill(`${parcel.number}\tZZ-1`);
  await press('Ship 1 parcel');
  await page.getByText('1 parcel shipped.').waitFor();
  expect(await call('GET', `/shipments/${parcel.number}`)).toMatchObject({
    state: 'shipped',
    tracking: 'ZZ-1',
  });
  expect(problems).toEqual([]);
});

test('an open order is changed by staff, and two tabs do not overwrite each other', async () => {
  const number = await buyMug();
  await signIn();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await page.goto(`${url}/admin/orders/${number}`, { waitUntil: 'networkidle' });
  const heads = page.getByRole('columnheader');
  expect(await heads.allTextContents()).toContain('Actions');
  await page.emulateMedia({ media: 'print' });
  expect(await heads.allTextContents()).not.toContain('Actions');
  await page.emulateMedia({ media: null });
  await press('Change Ship to');
  await page.getByLabel('Address, second line').fill('Rear door');
  await press('Save the address');
  await page.getByText('Rear door').waitFor();
  await press('Add a discount or fee');
  await page.getByLabel('Label').fill('Late delivery');
  await page.getByLabel('Amount in USD').fill('-4');
  await press('Add -$4.00');
  await page.getByText('Late delivery: -$4.00').waitFor();
  await press('Change the delivery');
  await page.getByLabel('Other freight in USD (optional)').fill('7.5');
  await press('Save the delivery');
  await page.getByText(', $7.50').waitFor();
  await press('Recalculate the taxes');
  await page.getByText('becomes').first().waitFor();
  await press('Not now');

  await press('Add an item');
  await page.getByLabel('SKU or name of the product').fill('no-such');
  await page.getByText('No product has this name or SKU.').waitFor();
  await press('Add 1 × no-such');
  await page.getByRole('alert').getByText('No product has the SKU no-such.').waitFor();
  await page.getByLabel('SKU or name of the product').fill('wall clock');
  await press('Oak Wall Clock');
  await page.getByText(/^Oak Wall Clock, \$/).waitFor();
  await page.getByRole('button', { name: 'Add 1 × FH-CLOCK' }).waitFor();
  await press('Not now');

  await press(/^Change Stoneware Mug/);
  await page.getByLabel('Units').fill('3');
  // Another tab is quicker.
  const [line] = (await call('GET', `/orders/${number}`)).line_items;
  await call('PUT', `/orders/${number}/line_items/${line.id}`, { line_item: { quantity: 1 } });
  await press('Set 3 × $18.00');
  await page.getByText('Someone else has changed this meanwhile').waitFor();
  expect((await call('GET', `/orders/${number}`)).line_items[0].quantity).toBe(1);
  // The page shows the change of the other tab now, so that repeating it is a decision.
  await page.getByText('has 1 × Stoneware Mug').waitFor();
  await press('Set 3 × $18.00');
  await page.getByText(/^Stoneware Mug.* is changed\./).waitFor();
  const order = await call('GET', `/orders/${number}`);
  expect([order.line_items[0].quantity, order.total, order.ship_address.address2]).toEqual([
    3,
    '57.5',
    'Rear door',
  ]);

  // The other tab has canceled the order: the question goes with its button, but not what was refused.
  await press(/^Change Stoneware Mug/);
  await page.getByLabel('Units').fill('4');
  await call('PUT', `/orders/${number}/cancel`);
  await press('Set 4 × $18.00');
  await page.getByText('Not done. Someone else has changed this meanwhile').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(problems).toEqual([]);
});

test('every form of settings, catalog and customers saves', async () => {
  await signIn();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  for (const form of [...SETTINGS_FORMS, ...CATALOG_FORMS, ...CUSTOMER_FORMS]) {
    await fillForm(page, form);
    expect({ [form.name]: await form.saved(call) }).toMatchObject({ [form.name]: form.expected });
  }
  // The form of an account leads to its page.
  await page.getByRole('heading', { name: 'theo@example.com' }).waitFor();
  await page.getByRole('cell', { name: 'All that the account may do' }).waitFor();
  await press('Change the roles');
  await page.getByLabel('support', { exact: true }).check();
  await press('Save the roles');
  await page.getByText('The roles are saved.').waitFor();
  await press('Add a token');
  await page.getByLabel('What it is for').fill('Till');
  await page.getByLabel('stock: read', { exact: true }).check();
  await press('Add the token');
  const token = await page.locator('.notice code').textContent();
  // The token acts within its scope.
  const statuses = await Promise.all(
    ['/stock_locations', '/orders'].map(
      async (path) =>
        (await fetch(`${url}/api/v1${path}`, { headers: { 'X-Store-Token': token ?? '' } })).status,
    ),
  );
  expect(statuses).toEqual([200, 401]);

  // A message names its field, not that it may be empty.
  await visit(page, '/promotions');
  await press('Edit Spring');
  await page.getByLabel('Orders at most (optional)').fill('-1');
  await press('Save');
  await page.getByText(/^Orders at most must be/).waitFor();
  await press('Not now');

  // What someone else has changed since the list was read is not overwritten.
  await visit(page, '/settings/tax-categories');
  await press('Edit Books');
  const readBooks = readNamed('/tax_categories', 'Books');
  const { id: books } = await readBooks(call);
  await call('PUT', `/tax_categories/${books}`, { tax_category: { tax_code: 'B2' } });
  await page.getByLabel('Description').fill('Printed');
  await press('Save');
  await page.getByText('Someone else has changed this meanwhile').waitFor();
  expect(await readBooks(call)).toMatchObject({ tax_code: 'B2', description: null });
  await page.getByRole('row', { name: /Books.*B2/ }).waitFor();
  await press('Not now');

  // Accounts are merged by their addresses.
  const [{ id: flora }] = (await call('GET', '/users?q[email_eq]=flora@example.com')).users;
  await call('POST', '/users', { user: { email: 'flora@old.example', password: 'grew all the flowers' } });
  await visit(page, `/customers/${flora}`);
  await press('Merge another account');
  await page.getByLabel('E-mail of the other account').fill('flora@new.example');
  await press(/^Merge flora@new/);
  await page.getByRole('alert').getByText('No account has the address flora@new.example.').waitFor();
  await page.getByLabel('E-mail of the other account').fill('flora@example.com');
  await press(/^Merge flora@example/);
  await page
    .getByRole('alert')
    .getByText('flora@example.com is the address of this account itself.')
    .waitFor();
  await page.getByLabel('E-mail of the other account').fill('Flora@OLD.example');
  await press(/^Merge Flora@OLD/);
  await page.getByText('The accounts are merged.').waitFor();
  expect((await call('GET', '/users?q[email_eq]=flora@old.example')).users).toEqual([]);

  await visit(page, '/staff');
  await page.getByRole('row', { name: /theo@example\.com.*buyer, support/ }).waitFor();
  expect(await page.getByText('flora@example.com').count()).toBe(0);

  // The wording of a mail is there to be changed, beside its preview.
  await visit(page, '/settings/mails');
  await page.getByRole('row', { name: /Your order \{\{ order\.number \}\} is on its way/ }).waitFor();
  await page.getByRole('link', { name: 'Parcel shipped' }).click();
  await page.getByLabel('Subject').fill('Parcel of {{ order.number }}');
  await press('Save the wording');
  await page.getByText('The wording is saved.').waitFor();
  await page.getByText(/^Parcel of R\d+$/).waitFor();
  const { subject, html, written_out } = await call('GET', '/mails/shipped');
  expect([subject, written_out.subject]).toEqual(Array(2).fill('Parcel of {{ order.number }}'));
  // What was not changed stays in the language of the store.
  expect([html, written_out.html].map((part) => part.includes('labels.'))).toEqual([true, false]);

  await visit(page, '/promotions');
  await page.getByRole('row', { name: /Spring.*from \$30\.00/ }).waitFor();
  await visit(page, '/settings/store');
  await page.getByLabel('Title for search engines').fill('Fine things');
  await press('Save Store');
  await page.getByText('Store: saved.').waitFor();
  await page.locator('input[type=file]').setInputFiles(await pictureFile('logo'));
  await page.getByText('Documents print the logo from now on.').waitFor();
  const { stores } = await call('GET', '/stores');
  expect(stores[0]).toMatchObject({ seo_title: 'Fine things', document_logo: expect.any(String) });
  await press('Remove the logo');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the logo' }).click();
  await page.getByText('Documents have no logo.').waitFor();
  for (const address of ['/orders/R0', '/products/none', '/nowhere']) {
    await visit(page, address);
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    await page.getByRole('link', { name: 'To the dashboard' }).click();
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  }
  expect(problems).toEqual([]);
});

/** Takes back a unit of a variant that has left. */
async function receiveUnit(number: string, variantId: number): Promise<void> {
  const form = await call('GET', `/orders/${number}/return_authorizations/new`);
  await call('POST', `/orders/${number}/return_authorizations`, {
    return_authorization: {
      items: [{ variant_id: variantId, quantity: 1 }],
      receive: true,
      stock_location_id: form.stock_locations[0].id,
      return_authorization_reason_id: form.return_authorization_reasons[0].id,
    },
  });
}

test('two tabs do not refund the same amount', async () => {
  const number = await buyMug();
  const { line_items, payments, shipments } = await call('GET', `/orders/${number}`);
  const payment = `/orders/${number}/payments/${payments[0].id}`;
  await call('PUT', `${payment}/capture`);
  await call('PUT', `/shipments/${shipments[0].number}/ship`);
  await receiveUnit(number, line_items[0].variant_id);
  await signIn();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await visit(page, `/orders/${number}`);
  await press('Refund');
  await page.getByText('The store owes the buyer $18.00.').waitFor();
  await call('PUT', `${payment}/credit?amount=18`);
  await press('Refund $18.00');
  await page.getByText('Someone else has changed this meanwhile.').waitFor();
  await page.getByText('Refunded $18.00').waitFor();
  const { refunds } = await call('GET', payment);
  expect(refunds).toHaveLength(1);
  expect(problems).toEqual([]);
});

test('the preview of recalculated taxes is never that of the address before', async () => {
  const { states } = await call('GET', '/states?q[name_eq]=Vermont&q[country_iso_eq]=US');
  const zone_members = [{ zoneable_type: 'Store::State', zoneable_id: states[0].id }];
  const { id: zone_id } = await call('POST', '/zones', { zone: { name: 'Vermont', zone_members } });
  const { tax_categories } = await call('GET', '/tax_categories');
  const tax_rate = { name: 'Vermont', amount: '0.06', zone_id, tax_category_id: tax_categories[0].id };
  const { id: rate } = await call('POST', '/tax_rates', { tax_rate });
  const number = await buyMug();
  await signIn();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await visit(page, `/orders/${number}`);
  await press('Recalculate the taxes');
  await page.getByText('Tax: $0.00 becomes $0.00').waitFor();
  await press('Not now');
  const ship_address = { ...address, city: 'Burlington', zipcode: '05401', state: { abbr: 'VT' } };
  await call('PUT', `/orders/${number}`, { order: { ship_address } });
  await page.route('**/retax*', async (route) => {
    await page.waitForTimeout(500);
    await route.continue();
  });
  await press('Recalculate the taxes');
  await page.getByText('Loading…').waitFor();
  expect(await page.getByText('becomes').count()).toBe(0);
  await page.getByText('Tax: $0.00 becomes $2.16').waitFor();
  await press('Not now');
  await call('DELETE', `/tax_rates/${rate}`);
  await call('DELETE', `/zones/${zone_id}`);

  // The state that the zone lost with it is no deletion of a second zone.
  await visit(page, '/audit');
  await page
    .getByRole('row', { name: `Changed zone ${zone_id}` })
    .first()
    .waitFor();
  expect(await page.getByRole('row', { name: `Deleted zone ${zone_id}` }).count()).toBe(1);
  expect(problems).toEqual([]);
});

test('the rows of the totals add up after a return of items with tax on top', async () => {
  const { id: zone_id } = await call('POST', '/zones', { zone: { name: 'Zone of old taxes' } });
  const { tax_categories } = await call('GET', '/tax_categories');
  const tax_rate = { name: 'Old tax', amount: '0.1', zone_id, tax_category_id: tax_categories[0].id };
  const { id: rate } = await call('POST', '/tax_rates', { tax_rate });
  const tax = { label: 'Old tax', amount: '3.60', tax_rate: rate };
  const shipment = { stock_location: 'default', shipped_at: '2026-01-02T12:00:00Z' };
  const { number, line_items } = await call('POST', '/orders', {
    order: {
      email: 'ann@example.com',
      completed_at: '2026-01-01T12:00:00Z',
      line_items: [{ sku: 'KC-MUG-RUST', quantity: 2, price: '18.00', adjustments: [tax] }],
      payments: [{ amount: '39.60', payment_method: 'Check' }],
      shipments: [shipment],
    },
  });
  await receiveUnit(number, line_items[0].variant_id);
  await signIn();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await visit(page, `/orders/${number}`);
  await page.getByRole('row', { name: 'Returned items -$19.80' }).waitFor();
  const rows = await page.getByRole('table', { name: 'Totals' }).getByRole('cell').allInnerTexts();
  const [total, ...parts] = rows.map((text) => Math.round(Number(text.replace('$', '')) * 100)).reverse();
  expect(parts.reduce((sum, part) => sum + part, 0)).toBe(total);

  const { stores } = await call('GET', '/stores');
  const showMoney = (currency_position: string, decimal_mark: string, thousands_separator: string) =>
    call('PUT', `/stores/${stores[0].id}`, {
      store: { currency_position, decimal_mark, thousands_separator },
    });
  await showMoney('after', ',', '.');
  await page.reload();
  await page.getByRole('row', { name: 'Items 36,00 $' }).waitFor();
  await page.getByRole('row', { name: 'Returned items -19,80 $' }).waitFor();
  await showMoney('before', '.', ',');
  expect(problems).toEqual([]);
});

test('a file is corrected after its check, and chosen again', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'store-office-'));
  const file = path.join(folder, 'prices.csv');
  const choose = async (): Promise<void> => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByLabel(/^CSV file/).click(),
    ]);
    await chooser.setFiles(file);
  };
  writeFileSync(
    file,
    `sku,price\n${Array.from({ length: 101 }, (_, row) => `no-such-${row},20\n`).join('')}`,
  );
  await signIn();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await visit(page, '/files');
  await page.getByLabel('What the file contains').selectOption({ label: 'Prices' });
  await choose();
  await press('Check the file');
  await page.getByText('Mistakes in 101 rows.').waitFor();
  await page.getByText('The first 100 of 101.').waitFor();
  writeFileSync(file, 'sku,price\nFH-CLOCK,20.25\n');
  utimesSync(file, new Date(), new Date(Date.now() + 5000));
  await press('Check the file');
  await page.getByText('The file has changed since it was chosen.').waitFor();
  await choose();
  await press('Check the file');
  await page.getByText('The file has no mistakes.').waitFor();
  await page.reload();
  await page.getByText('The file has no mistakes.').waitFor();
  await page.getByText('To import it, choose the file again.').waitFor();
  rmSync(folder, { recursive: true });
  expect(problems).toEqual([]);
});

test('settings typed in one group stay while another is saved, here or elsewhere', async () => {
  await signIn();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await visit(page, '/settings/store');
  const group = (name: string) => page.locator('details').filter({ hasText: name });
  const issuer = group('Documents: issuer');
  await issuer.locator('summary').click();
  await issuer.getByLabel('City').fill('Portland');
  await page.getByLabel('Time zone').fill('America/New_Yrok');
  await press('Save Store');
  // Once, beside its field.
  await page.getByText('Time zone ').and(page.locator('.field-error')).waitFor();
  expect(await page.getByRole('alert').allInnerTexts()).toEqual([expect.not.stringMatching(/time zone/i)]);
  await page.getByLabel('Time zone').fill('America/New_York');
  const reread = page.waitForResponse(
    async (reply) =>
      reply.request().method() === 'GET' &&
      reply.url().endsWith('/stores/1') &&
      (await reply.json()).time_zone === 'America/New_York',
  );
  await press('Save Store');
  await page.getByText('Store: saved.').waitFor();
  // Before the next change, which the page would show otherwise.
  await reread;
  expect(await issuer.getByLabel('City').inputValue()).toBe('Portland');

  await call('PUT', '/stores/1', { store: { issuer_bank: 'Casco Bank', issuer_phone: 'from the API' } });
  await issuer.getByLabel('Phone').fill('from the page');
  await press('Save Documents: issuer');
  await page.getByText('The page now shows their changes').waitFor();
  await waitForExpression(
    page,
    `[...document.querySelectorAll('input')].some(({ value }) => value === 'from the API')`,
  );
  expect(await issuer.getByLabel('Bank').inputValue()).toBe('Casco Bank');
  await press('Save Documents: issuer');
  await page.getByText('Documents: issuer: saved.').waitFor();
  // Again, with what was saved before.
  await issuer.getByLabel('Postal code').fill('04101');
  const saved = page.waitForResponse((reply) => reply.request().method() === 'PUT');
  await press('Save Documents: issuer');
  await saved;
  expect(await call('GET', '/stores/1')).toMatchObject({
    time_zone: 'America/New_York',
    issuer_city: 'Portland',
    issuer_bank: 'Casco Bank',
    issuer_phone: 'from the API',
    issuer_zipcode: '04101',
  });
  await call('PUT', '/stores/1', {
    store: {
      time_zone: 'UTC',
      issuer_city: null,
      issuer_bank: null,
      issuer_phone: null,
      issuer_zipcode: null,
    },
  });
  expect(problems).toEqual([]);
});

const pictureFile = async (name: string) => ({
  name: `${name}.png`,
  mimeType: 'image/png',
  buffer: await aPicture(),
});

test('pictures and categories are ordered by drag, and a file is checked and imported', async () => {
  await signIn();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await visit(page, '/products/commuter-tumbler');
  await page.locator('.pictures li').first().waitFor();
  const readPictures = async (): Promise<number[]> =>
    (await call('GET', '/products/commuter-tumbler')).master.images.map(({ id }: any) => id);
  await page.locator('input[type=file]').setInputFiles(await pictureFile('third'));
  await page.getByText('The picture is added.').waitFor();
  // One that is refused does not stop the next, and only its name is shown.
  const count = (await readPictures()).length;
  const photo = { name: 'photo.heic', mimeType: 'image/heic', buffer: Buffer.from('ftypheic') };
  await page.locator('input[type=file]').setInputFiles([photo, await pictureFile('fourth')]);
  await page.getByText('photo.heic: Attachment is invalid. The others are added.').waitFor();
  expect(await page.getByText('The picture is added.').count()).toBe(0);
  const before = await readPictures();
  expect(before).toHaveLength(count + 1);
  const items = page.locator('.pictures').first().locator('li');
  await items.nth(before.length - 1).waitFor();
  await items.last().dragTo(items.first());
  await page.getByText('The picture is now number 1.').waitFor();
  expect(await readPictures()).toEqual([before.at(-1), ...before.slice(0, -1)]);

  // A picture of one variant, which shoppers see when they choose it.
  await press(/^Edit picture 1$/);
  await page.getByRole('dialog').getByLabel('Description').fill('In its box');
  const shows = page.getByLabel('Shows');
  const [, variant = ''] = await shows.locator('option').allInnerTexts();
  await shows.selectOption({ label: variant });
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('The picture is saved.').waitFor();
  const tumbler = await call('GET', '/products/commuter-tumbler');
  expect(tumbler.variants[0].images.map(({ alt }: any) => alt)).toContain('In its box');
  await press(new RegExp(`^Edit the picture of ${variant}$`));
  await press('Not now');

  await visit(page, '/categories');
  await press('Add a tree');
  await page.getByLabel('Name', { exact: true }).fill('Seasons');
  await press('Add the tree');
  await press('Rename the tree Seasons');
  await page.getByLabel('Name', { exact: true }).fill('Times of the year');
  await press('Save');
  await page.getByText('The tree is called Times of the year.').waitFor();
  await press('Delete the tree Times of the year');
  await press('Delete the tree');
  await page.getByText('The tree Times of the year is deleted.').waitFor();
  // Its rows would leave during the drag, and move the others.
  await page
    .getByRole('button', { name: 'Delete the tree Times of the year' })
    .waitFor({ state: 'detached' });
  const category = (name: string) =>
    page.locator('.tree-row > span').and(page.getByText(name, { exact: true }));
  await category('Candles').dragTo(category('Lighting'));
  await page.getByText('Candles is moved.').waitFor();
  const { taxons } = await call('GET', '/taxons?q[name_eq]=Candles');
  expect(taxons.map(({ pretty_name }: any) => pretty_name)).toEqual([expect.stringContaining('Lighting')]);

  await visit(page, '/files');
  await page.getByLabel('What the file contains').selectOption({ label: 'Prices' });
  await page.getByLabel(/^CSV file/).setInputFiles({
    name: 'prices.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('sku,price,prise\nKC-MUG-RUST,31.5,9\n'),
  });
  await press('Check the file');
  await page.getByText('This column is not read: prise').waitFor();
  await press('Import 1 row');
  await page.getByText('Imported: 1 row changed').waitFor();
  const { variants } = await call('GET', '/products/stoneware-mug');
  expect(variants.map(({ price }: any) => price)).toContain('31.5');

  const [saved] = await Promise.all([page.waitForEvent('download'), press('Prices')]);
  expect(saved.suggestedFilename()).toBe('prices.csv');
  expect(readFileSync(await saved.path(), 'utf8')).toMatch(/^\ufeffsku,/);
  expect(problems).toEqual([]);
});

test('an import first checks its file, and can be canceled', async () => {
  const reply = { id: 7, kind: 'orders', dry_run: false, partial: false, ignored_columns: [], problem: null };
  const counts = { rows: 200, done: 0, changed: 0, unchanged: 0, failed: 0 };
  let json: object = { ...reply, ...counts, state: 'running', checked: 50 };
  await page.route('**/api/v1/imports/7', (route) => {
    const isCanceled = route.request().method() === 'DELETE';
    if (isCanceled) json = { ...json, state: 'canceled' };
    return isCanceled ? route.fulfill({ status: 204 }) : route.fulfill({ json });
  });
  await signIn();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await visit(page, '/files?import=7');
  await page.getByText('Checking: 50 of 200 rows').waitFor();
  json = { ...json, checked: 200, done: 75, changed: 75 };
  await page.getByText('Importing: 75 of 200 rows').waitFor();
  await press('Cancel the import');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the import' }).click();
  await page.getByText('Canceled. Imported: 75 rows.').waitFor();
  expect(problems).toEqual([]);
});

test('a clerk sees what their roles permit, and continues where the session ended', async () => {
  const clerk = { email: 'wilma@example.com', password: 'packs all the parcels' };
  await call('POST', '/users', { user: { ...clerk, roles: ['warehouse'] } });
  const number = await buyMug();
  await signIn(clerk);
  await page.getByRole('link', { name: 'Ship today' }).waitFor();
  expect(await page.getByRole('link', { name: 'Settings' }).count()).toBe(0);
  await page.goto(`${url}/admin/customers`, { waitUntil: 'networkidle' });
  await page.getByText('Your roles do not include this page').waitFor();
  await page.goto(`${url}/admin/orders/${number}`, { waitUntil: 'networkidle' });
  await page.getByRole('heading', { name: 'Payments' }).waitFor();
  expect(await page.getByRole('button', { name: 'Capture' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Packing slip' }).count()).toBe(1);
  // Nothing leads to pages that would be refused.
  const items = page.getByRole('table', { name: 'Items' });
  expect(await items.getByRole('rowheader', { name: 'Stoneware Mug' }).count()).toBe(1);
  expect(await items.getByRole('link').count()).toBe(0);
  expect(await items.getByRole('columnheader', { name: 'Actions' }).count()).toBe(0);
  await page.getByPlaceholder('Find orders', { exact: true }).waitFor();

  // Whoever handles a return sees why the items come back.
  const { line_items, payments, shipments } = await call('GET', `/orders/${number}`);
  await call('PUT', `/orders/${number}/payments/${payments[0].id}/capture`);
  await call('PUT', `/shipments/${shipments[0].number}/ship`);
  const { return_authorization_reasons, stock_locations } = await call(
    'GET',
    `/orders/${number}/return_authorizations/new`,
  );
  const [reason] = return_authorization_reasons;
  await call('POST', `/orders/${number}/return_authorizations`, {
    return_authorization: {
      items: [{ variant_id: line_items[0].variant_id, quantity: 1 }],
      stock_location_id: stock_locations[0].id,
      return_authorization_reason_id: reason.id,
    },
  });
  await page.reload({ waitUntil: 'networkidle' });
  await page.getByText(`, ${reason.name}`).waitFor();

  // Products that are not on sale yet have stock too.
  await call('POST', '/products', {
    product: {
      name: 'Spring Vase',
      sku: 'VASE-1',
      price: '30',
      available_on: '2035-03-01',
      shipping_category: 'Default',
    },
  });
  await page.goto(`${url}/admin/stock/count`, { waitUntil: 'networkidle' });
  await page.getByLabel('Counted units').fill('VASE-1 7');
  await press('Compare 1 SKU');
  await page.getByRole('cell', { name: '+7', exact: true }).waitFor();

  await endSession();
  await page.getByRole('link', { name: 'Ship today' }).click();
  await page.getByLabel('Password').waitFor();
  await press('Forgot the password?');
  await page.getByLabel('E-mail of the account').fill(clerk.email);
  await press('Send me the link');
  await page.getByText(`If ${clerk.email} has an account`).waitFor();
  while (mails.received.every(({ to }) => !to.includes(clerk.email))) await page.waitForTimeout(50);
  await page.getByLabel('Password').fill(clerk.password);
  await press('Sign in');
  await page.getByRole('heading', { name: 'Ship today' }).waitFor();
  expect(problems).toEqual([]);
});

test('the pick list counts each variant, also those without a SKU', async () => {
  const lines: { variant_id: number; quantity: number }[] = [];
  for (const [name, quantity] of [
    ['Plain Candle', 4],
    ['Plain Soap', 2],
  ] as const) {
    const product = { name, price: '5', available_on: '2026-01-01', shipping_category: 'Default' };
    const { master } = await call('POST', '/products', { product });
    const row = { variant_id: master.id, stock_location_id: 1, adjust: 10 };
    await call('POST', '/bulk/stock', { rows: [row] });
    lines.push({ variant_id: master.id, quantity });
  }
  const number = await buy(lines);
  const { payments } = await call('GET', `/orders/${number}`);
  await call('PUT', `/orders/${number}/payments/${payments[0].id}/capture`);
  await signIn();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await visit(page, '/ship');
  const list = page.getByRole('table', { name: 'Pick list' });
  await list.getByRole('row', { name: 'Plain Candle 4 1' }).waitFor();
  await list.getByRole('row', { name: 'Plain Soap 2 1' }).waitFor();
  // Who bought first is served first; a parcel changes with its products, too.
  const first = 'q[state_eq]=ready&q[order_state_not_in][]=canceled&q[s]=order_completed_at asc&per_page=1';
  const { order_id } = (await call('GET', `/shipments?${first}`)).shipments[0];
  const { completed_at } = await call('GET', `/orders/${order_id}`);
  const bought = new Date(completed_at).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });
  const row = page.getByRole('table', { name: 'Parcels' }).getByRole('row').nth(1);
  expect((await row.innerText()).replaceAll('\u202f', ' ')).toMatch(
    new RegExp(`${order_id}[^]*${bought.replaceAll('\u202f', ' ')}`),
  );
  expect(problems).toEqual([]);
});

test('reports have the orders of each currency', async () => {
  const { sku } = (await call('GET', '/products/stoneware-mug')).variants[0];
  const { tax_categories } = await call('GET', '/tax_categories');
  const tax_rate = { name: 'Book tax', amount: '0.055', tax_category_id: tax_categories[0].id };
  const { id } = await call('POST', '/tax_rates', { tax_rate });
  const tax = { label: 'Book tax', amount: '0.90', included: true, tax_rate: id };
  await call('POST', '/orders', {
    order: {
      email: 'erika@example.com',
      currency: 'EUR',
      completed_at: new Date().toISOString(),
      line_items: [{ sku, quantity: 1, price: '17.25', adjustments: [tax] }],
    },
  });
  await signIn();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await visit(page, '/reports');
  await page.getByRole('row', { name: /^Total .*\$/ }).waitFor();
  const currency = page.getByLabel('Currency');
  expect(await currency.inputValue()).toBe('USD');
  await currency.fill('eur');
  await currency.press('Enter');
  await page.getByRole('row', { name: /^Total 1 1 €17\.25/ }).waitFor();
  const [file] = await Promise.all([page.waitForEvent('download'), press('As CSV')]);
  expect(readFileSync(await file.path(), 'utf8')).toContain('17.25');
  await page.getByRole('navigation', { name: 'Reports' }).getByRole('link', { name: 'Payments' }).click();
  await page.getByText('Nothing in this period.').waitFor();
  const starts: (string | null)[] = [];
  page.on('request', (request) => starts.push(new URL(request.url()).searchParams.get('from')));
  const from = page.getByLabel('From');
  const typed = page.waitForRequest(/from=2021-/);
  await from.press('ArrowRight');
  await from.press('ArrowRight');
  await from.pressSequentially('2021');
  await typed;
  expect(starts.filter((start) => start !== null && start < '2021')).toEqual([]);
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('button').or(page.getByRole('navigation')).count()).toBe(0);
  expect(await page.getByRole('heading', { name: 'Reports' }).isVisible()).toBe(true);
  await page.emulateMedia({ media: null });
  await page.getByRole('navigation', { name: 'Reports' }).getByRole('link', { name: 'Taxes' }).click();
  const month = new Date().toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  await page.getByRole('row', { name: `${month} Book tax 5.5% €16.35 €0.90` }).waitFor();
  const booked = page.waitForRequest(/basis=booked/);
  await page.getByLabel('Changes and returns').selectOption('By their own date');
  await booked;
  expect(problems).toEqual([]);
});

test('the documents of a period are listed, and saved for the accountant', async () => {
  const order = await buyMug();
  const { payments, total } = await call('GET', `/orders/${order}`);
  await call('PUT', `/orders/${order}/payments/${payments[0].id}/capture`);
  const { number, created_at } = (await call('GET', `/orders/${order}/documents`)).documents[0];
  const day = created_at.slice(0, 10);
  await signIn();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await visit(page, `/documents?from=${day}&to=${day}&kind=invoice&search=${order}`);
  const row = page.getByRole('row', { name: `${number} Invoice` });
  await row
    .getByText(`$${Number(total).toFixed(2)}`)
    .last()
    .waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
  const save = async (name: string) => {
    const [file] = await Promise.all([page.waitForEvent('download'), press(name)]);
    return readFileSync(await file.path());
  };
  expect((await save('As CSV')).toString().trim().split('\n')).toHaveLength(2);
  expect(Object.keys(unzipSync(await save('All PDFs')))).toEqual([`${number}.pdf`]);
  expect((await save(number)).subarray(0, 5).toString()).toBe('%PDF-');
  await page.getByLabel('To').fill('2020-01-01');
  await page.getByText('No results.').waitFor();
  expect((await save('As CSV')).toString().trim().split('\n')).toHaveLength(1);
  expect(problems).toEqual([]);
});

test('what is wrong with a value is said beside its field', async () => {
  const number = await buyMug();
  await signIn();
  const forms = [
    ['/promotions', 'Add a promotion', { Name: 'Too much', Percent: '101' }],
    ['/settings/shipping-methods', 'Add a shipping method', { Name: 'By bike', Amount: 'much' }],
    [`/orders/${number}`, 'Add a note', { Note: 'n'.repeat(17_000) }],
  ] as const;
  for (const [address, name, values] of forms) {
    await visit(page, address);
    await press(name);
    const dialog = page.getByRole('dialog');
    for (const [label, value] of Object.entries(values))
      await dialog.getByLabel(label, { exact: true }).fill(value);
    await dialog.locator('.question-buttons button').last().click();
    await dialog.locator('.field-error').waitFor();
    const field = dialog.getByLabel(Object.keys(values).at(-1) ?? '', { exact: true });
    expect([address, await field.getAttribute('aria-invalid')]).toEqual([address, 'true']);
  }
  await visit(page, '/products/enamel-camp-mug');
  await page.getByLabel('Description', { exact: true }).fill('d'.repeat(70_000));
  await press('Save');
  await page.getByText('Description is too long (maximum is 65535 characters)').waitFor();
  expect(problems).toEqual([]);
});

test('no page leads to one that the roles do not open', async () => {
  const password = 'only looks at it all';
  const onlooker = { email: 'olga@example.com', password };
  const packer = { email: 'paul@example.com', password };
  await call('POST', '/roles', { role: { name: 'onlooker', scopes: AREAS.map((area) => `${area}:read`) } });
  await call('POST', '/roles', { role: { name: 'packer', scopes: ['shipments:read'] } });
  await call('POST', '/users', { user: { ...onlooker, roles: ['onlooker'] } });
  await call('POST', '/users', { user: { ...packer, roles: ['packer'] } });
  const number = await buyMug();
  const { payments } = await call('GET', `/orders/${number}`);
  await call('PUT', `/orders/${number}/payments/${payments[0].id}/capture`);
  await signIn(packer);
  await page.getByRole('link', { name: 'Ship today' }).click();
  await page.getByRole('cell', { name: number }).waitFor();
  expect(await page.getByRole('link', { name: number }).count()).toBe(0);

  await openPage(1440);
  await signIn(onlooker);
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  const addresses = new Set(['/admin/']);
  for (const address of addresses) {
    // Not loaded anew, which takes longer than the check.
    await visit(page, address.replace(/^\/admin/, ''));
    await page.locator('main:not(:has-text("Loading…")) h1').waitFor();
    expect([address, await page.getByText(/No permission|not authorized/).count()]).toEqual([address, 0]);
    // Nor does it offer a change, but of the own password.
    const changes = page.getByRole('button', { name: /^(Add|Change (?!the password)|Delete|Edit|Save)/ });
    expect([address, await changes.count()]).toEqual([address, 0]);
    const links = await page
      .locator('a[href^="/admin/"]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    // Records of a list are alike.
    for (const link of links) if (link !== null && /^[a-z/-]+$/.test(link)) addresses.add(link);
  }
  expect(addresses).toContain('/admin/settings/mails/shipped');
  expect(problems).toEqual([]);
});

test('a clerk of the catalog reaches the option types', async () => {
  const clerk = { email: 'carla@example.com', password: 'adds another color' };
  await call('POST', '/users', { user: { ...clerk, roles: ['catalog'] } });
  await signIn(clerk);
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: /^Option types/ }).click();
  await page.getByRole('button', { name: 'Edit color' }).waitFor();
  expect(problems).toEqual([]);
});

test('before there is a stock location, the pages of stock lead to adding one', async () => {
  await signIn();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  const none = { stock_locations: [], count: 0, total_count: 0, current_page: 1, pages: 0, per_page: 100 };
  await page.route('**/api/v1/stock_locations?**', (route) => route.fulfill({ json: none }));
  for (const address of ['/stock', '/stock/count', '/stock/movements']) {
    await page.goto(`${url}/admin${address}`, { waitUntil: 'networkidle' });
    await page.getByText('There are no stock locations.').waitFor();
    expect([address, await page.locator('h1').count()]).toEqual([address, 1]);
  }
  expect(problems).toEqual([]);
});

test('what has been typed when the session ends is saved after the next sign-in', async () => {
  const number = await buyMug();
  await signIn();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await page.goto(`${url}/admin/orders/${number}`, { waitUntil: 'networkidle' });
  await press('Add a note');
  await page.getByLabel('Note', { exact: true }).fill('Called the buyer');
  await endSession();
  await press('Save the note');
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  expect(await again.getByLabel('E-mail').inputValue()).toBe(ADMIN.email);
  await again.getByLabel('Password').fill(ADMIN.password);
  await again.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.note', { hasText: 'Called the buyer' }).waitFor();
  expect(problems).toEqual([]);
});

test('staff signs in with the code of an authenticator app, or with a recovery code', async () => {
  const clerk = { email: 'otto@example.com', password: 'has an app for this' };
  await call('POST', '/users', { user: { ...clerk, roles: ['support'] } });
  await signIn(clerk);
  await page.getByRole('link', { name: clerk.email }).click();
  const changed = 'has another one for this';
  const dialog = page.getByRole('dialog');
  await press('Change the password');
  await page.getByLabel('New password').fill(changed);
  await page.getByLabel('Current password').fill('has forgotten this');
  await dialog.getByRole('button', { name: 'Change the password' }).click();
  await dialog.getByText(/^Current password ./).waitFor();
  // Where the mistake is.
  await waitForExpression(page, `document.activeElement.labels?.[0]?.innerText === 'Current password'`);
  await page.getByLabel('Current password').fill(clerk.password);
  await page.keyboard.press('Enter');
  await page.getByText('The password is changed.').waitFor();
  await press('Set up');
  await page.getByLabel('Current password').fill(changed);
  await press('Make a secret');
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  const [secret = '', recovery = '', second = ''] = await page.locator('code').allTextContents();
  await press('Turn it on');
  await page.getByLabel('Code of the app').fill(new TOTP({ secret }).generate());
  await dialog.getByRole('button', { name: 'Turn it on' }).click();
  await page.getByText('10 recovery codes are left').waitFor();
  await press('Sign out');
  await page.getByLabel('E-mail').fill(clerk.email);
  await page.getByLabel('Password').fill(changed);
  await page.keyboard.press('Enter');
  const code = page.getByLabel('Code of your authenticator app');
  await code.waitFor();
  // The next thing to type.
  await waitForExpression(page, `document.activeElement.name === 'otp'`);
  // Another account may have no code.
  await page.getByLabel('E-mail').fill('');
  await page.getByLabel('E-mail').fill(clerk.email);
  await code.waitFor({ state: 'detached' });
  await press('Sign in');
  await code.fill('not-a-code');
  await press('Sign in');
  await page.getByRole('alert').waitFor();
  await code.fill(recovery);
  await press('Sign in');
  await page.getByText('9 recovery codes are left').waitFor();

  // Where the store requires it, another phone replaces the app.
  const { stores } = await call('GET', '/stores');
  const require_two_factor = (isRequired: boolean) =>
    call('PUT', `/stores/${stores[0].id}`, { store: { require_two_factor: isRequired } });
  await require_two_factor(true);
  try {
    await page.reload({ waitUntil: 'networkidle' });
    await press('Set it up again');
    await page.getByLabel('Code of the app').fill(second);
    await press('End the present app and codes');
    await page.getByText('Your store requires it. Set it up to go on.').waitFor();
    await page.getByRole('button', { name: 'Set up', exact: true }).waitFor();
  } finally {
    await require_two_factor(false);
  }
  expect(problems).toEqual([]);
});

test('an administrator resets the two-factor sign-in of a clerk who has lost the phone', async () => {
  const clerk = { email: 'olaf@example.com', password: 'has lost the phone' };
  const { id } = await call('POST', '/users', { user: { ...clerk, roles: ['support'] } });
  const { token } = await call('POST', '/sessions', clerk);
  const asClerk = { 'X-Store-Token': token };
  const { secret } = await call('POST', '/users/me/two_factor', {}, asClerk);
  await call('PUT', '/users/me/two_factor', { code: new TOTP({ secret }).generate() }, asClerk);
  await expect(call('POST', '/sessions', clerk)).rejects.toThrow('401');
  await signIn();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await visit(page, `/customers/${id}`);
  await press('Reset the two-factor sign-in');
  await press('Reset it');
  await page.getByText(`The two-factor sign-in of ${clerk.email} is reset.`).waitFor();
  await call('POST', '/sessions', clerk);
  await press('Reset the two-factor sign-in');
  await press('Reset it');
  await page.getByRole('alert').getByText(`${clerk.email} has no two-factor sign-in.`).waitFor();
  expect(problems).toEqual([]);
});

test('customers and wrong passwords do not get in, and an ended session leads to the sign-in', async () => {
  await fetch(`${url}/api/v1/users`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ user: { email: 'dora@example.com', password: 'correct horse battery' } }),
  });
  await page.goto(`${url}/admin`, { waitUntil: 'networkidle' });
  await waitForExpression(page, `document.activeElement.name === 'email'`);
  await signIn({ email: 'dora@example.com', password: 'correct horse battery' });
  await page.getByText('The back office is for staff').waitFor();
  await signIn({ ...ADMIN, password: 'wrong wrong wrong' });
  await page.getByRole('alert').waitFor();
  // Password managers fill in fields without an event, and press Enter.
  await page.evaluate(`document.querySelector('[type=email]').value = '${ADMIN.email}';
    document.querySelector('[type=password]').value = '${ADMIN.password}';
    document.querySelector('form').requestSubmit()`);
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await page.getByRole('link', { name: ADMIN.email }).waitFor();
  expect(await page.evaluate(`localStorage.getItem('office.sign-in')`)).not.toContain('@');
  await page.evaluate(`localStorage.setItem('office.sign-in', '{"token":"ended","user_id":0}')`);
  await page.goto(`${url}/admin/orders`);
  await page.getByLabel('Password').waitFor();
});

test.each(WIDTHS)(
  'no page at %i pixels is wider than the screen or has a serious fault of accessibility',
  async (width) => {
    // A word that is longer than its column.
    const name = 'Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunt';
    const { master } = await call('POST', '/products', {
      product: { name, price: '20', available_on: '2026-01-01', shipping_category: 'Default' },
    });
    const number = await buy([{ variant_id: master.id, quantity: 1 }]);
    await openPage(width);
    await signIn();
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    const main = [
      '',
      '/orders',
      `/orders/${number}`,
      '/products/stoneware-mug',
      '/stock',
      '/ship',
      '/customers/2',
    ];
    for (const address of width === 360 ? [...main, ...OTHER_PAGES] : main) {
      // Not loaded anew, which takes longer than the check.
      await visit(page, address === '' ? '/' : address);
      await page.locator('main:not(:has-text("Loading…")) h1').waitFor();
      await expectSoundPage(page, address, width);
      if (width === 1280) await expectReachableByTab(page, address);
    }
    // The form of a row, whose texts begin where those of other forms do.
    await visit(page, '/settings/zones');
    await press('Edit North America');
    await expectSoundPage(page, 'a form', width);
    expect(await page.evaluate(`getComputedStyle(document.querySelector('dialog label')).textAlign`)).toBe(
      'start',
    );
    expect(problems).toEqual([]);
  },
);
