import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { TOTP } from 'otpauth';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import {
  expectReachableByTab,
  expectSoundPage,
  openFace,
  waitForExpression,
  type Window,
} from '../support/face';
import { aPicture } from '../support/pictures';
import { PAYPAL_KEYS, PAYPAL_SIGNATURE, startPaypal, type PaypalServer } from '../support/paypal-server';
import { STRIPE_PAGE_SCRIPT } from '../support/stripe-page';
import { startStripe, STRIPE_KEY, type StripeServer } from '../support/stripe-server';

/*
 * The shop at / of the demo store, used in a browser as a shopper uses it.
 */

const TOKEN = 'shop-test-admin-token';
const ADMIN = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'shop-test-password' };
const WIDTHS = [360, 1440];

let stripe: StripeServer;
let paypal: PaypalServer;
const open = openFace(async () => {
  stripe = await startStripe();
  paypal = await startPaypal();
  return {
    ...ADMIN,
    ADMIN_TOKEN: TOKEN,
    NODE_OPTIONS: `--require ${require.resolve('../support/provider-hosts.cjs')}`,
    STRIPE_PORT: String(stripe.port),
    PAYPAL_URL: paypal.url,
  };
});
let url: string;
let context: BrowserContext;
let findMailedLink: Window['findMailedLink'];
let page: Page;
let problems: string[];

async function openPage(width: number): Promise<void> {
  ({ url, context, page, problems, findMailedLink } = await open(width));
}

beforeEach(() => openPage(1440));
afterAll(() => Promise.all([stripe.close(), paypal.close()]));

const visit = (address: string) => page.goto(url + address, { waitUntil: 'networkidle' });
const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const press = (name: string | RegExp) => page.getByRole('button', { name }).click();

async function putIntoCart(slug: string): Promise<void> {
  await visit(`/products/${slug}`);
  await press('Add to cart');
  await page.getByRole('link', { name: 'View the cart' }).waitFor();
}

/** Acts as if the customer went back to the page, and the browser had kept it. */
async function returnToKeptPage(): Promise<void> {
  await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
}

async function fillAddress(): Promise<void> {
  await page.getByLabel('First name').fill('Ann');
  await page.getByLabel('Last name').fill('Lee');
  await page.getByLabel('Street and number').fill('1 Harbour Street');
  await page.getByLabel('Postal code').fill('04101');
  await page.getByLabel('City').fill('Portland');
  await page.getByLabel('State or region').selectOption({ label: 'Maine' });
  await page.getByLabel('Phone').fill('207-555-0100');
}

async function fillCard(number: string, expiry = '1/2035'): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Name on the card').fill('Ann Lee');
  await page.getByLabel('Valid until').fill('');
  await page.getByLabel('Valid until').pressSequentially(expiry);
  await page.getByLabel('Security code').fill('123');
  await press('Review the order');
}

/** Calls the API as the administrator, or with another token. */
async function call(method: string, address: string, body?: object, token = TOKEN): Promise<any> {
  const reply = await fetch(`${url}/api/v1${address}`, {
    method,
    headers: { 'Content-Type': 'application/json', 'X-Store-Token': token },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect([method, address, reply.ok]).toEqual([method, address, true]);
  return reply.status === 204 ? null : reply.json();
}

/** Buys a mug with a card of the test gateway, as the customer of the token, who has bought before. */
async function buyByCard(number: string, token: string): Promise<void> {
  const { variants } = await call('GET', '/products/enamel-camp-mug');
  const line_items = [{ variant_id: variants[0].id, quantity: 1 }];
  const order = await call('POST', '/orders', { order: { line_items } }, token);
  const next = () => call('PUT', `/checkouts/${order.number}/next`, {}, token);
  await next();
  await next();
  const { payment_methods } = await next();
  const { id } = payment_methods.find(
    ({ method_type }: { method_type: string }) => method_type === 'gateway',
  );
  const card = { name: 'Bea Lee', number, verification_value: '123', month: '12', year: '2035' };
  const paid = {
    order: { payments_attributes: [{ payment_method_id: id }] },
    payment_source: { [id]: card },
  };
  await call('PUT', `/checkouts/${order.number}`, paid, token);
  expect((await next()).state).toBe('complete');
}

/** Makes a record of the account the default one. */
async function makeDefault(record: Locator): Promise<void> {
  await record.getByRole('button', { name: /^Make default/ }).click();
  await record.getByText('Default', { exact: true }).waitFor();
}

/** Counts the units of all variants of a product. */
async function count(slug: string, count_on_hand: number, backorderable: boolean): Promise<void> {
  const { master, variants } = await call('GET', `/products/${slug}`);
  const ids = [master, ...variants].map(({ id }) => id);
  const { stock_locations } = await call('GET', '/stock_locations');
  for (const { id } of stock_locations) {
    const path = `/stock_locations/${id}/stock_items`;
    const { stock_items } = await call('GET', `${path}?q[variant_id_in]=${ids.join(',')}`);
    for (const item of stock_items) {
      const stock_item = { count_on_hand, backorderable, force: true };
      await call('PUT', `${path}/${item.id}`, { stock_item });
    }
  }
}

const sellOut = (slug: string) => count(slug, 0, false);

/** Waits until an element of this kind, whose text or label is like this, has the focus. */
const waitForFocus = (tag: string, name: RegExp) =>
  waitForExpression(
    page,
    `((focused) => focused.tagName === '${tag}' &&
      ${String(name)}.test(focused.labels?.[0]?.innerText ?? focused.textContent))(document.activeElement)`,
  );

const readText = async (): Promise<string> => (await page.locator('main').innerText()).replace(/\s+/g, ' ');

// The five minutes of the README.
test('an order passes from an empty cart through both faces until it is delivered and partly returned', async () => {
  await visit('/');
  const search = page.getByRole('combobox', { name: 'Search products' });
  await search.fill('mugs');
  await page.keyboard.press('Enter');
  await heading('“mugs”').waitFor();
  expect(await search.inputValue()).toBe('mugs');
  await search.fill('no-such');
  await page.getByText('Nothing found for “no-such”.').waitFor();
  await search.fill('stonew');
  // The suggestions for the former words stay until the new ones are there.
  await page
    .getByRole('option')
    .first()
    .and(page.getByRole('option', { name: /Stoneware Mug/ }))
    .waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await heading('Stoneware Mug').waitFor();
  expect(await search.inputValue()).toBe('');
  await page.getByRole('radio', { name: 'Rust' }).check({ force: true });
  await page.getByLabel('Quantity').fill('2');
  await press('Add to cart');
  await page.getByRole('link', { name: 'View the cart' }).click();
  await page.getByText('Color: Rust').waitFor();

  await page.getByLabel('Coupon code').fill('WELCOME10');
  await press('Apply');
  await page.getByRole('row', { name: 'Promotion (Welcome) -$3.60' }).waitFor();
  const total = page.getByRole('row', { name: /^Total/ });
  expect(await total.innerText()).toMatch(/\$32\.40/);
  await press(/^Remove the code/);
  await total.getByText('$36.00').waitFor();
  await page.getByLabel('Coupon code').fill('welcome10');
  await press('Apply');
  await total.getByText('$32.40').waitFor();

  await page.getByRole('link', { name: 'Check out' }).click();
  await page.getByLabel('E-mail').fill('ann@example.com');
  await fillAddress();
  await press('Continue to delivery');
  await page.getByLabel(/UPS Two Day/).check();
  expect(await readText()).not.toContain('(USD)');
  await expectSoundPage(page, 'the delivery', 1440);
  await press('Continue to payment');
  await page.getByLabel('Card number').waitFor();
  await expectSoundPage(page, 'the payment', 1440);
  await fillCard('4000 0000 0000 0002', '0120');
  await page.getByText('This card has expired.').waitFor();
  await waitForFocus('INPUT', /^Valid until/);
  // Cards of guests are never saved.
  expect(await page.getByLabel('Save this card').count()).toBe(0);
  await fillCard('4000 0000 0000 0002', '0135');
  await press(/^Buy now/);
  await page.getByText('The payment was declined').waitFor();
  expect(await page.getByRole('button', { name: /^Buy now/ }).count()).toBe(0);
  await press('Pay in another way');
  await fillCard('4111 1111 1111 1111');
  await page.getByText('ending in 1111').waitFor();
  expect(await readText()).toMatch(/E-mail ann@example.com/);
  await press('Buy now for $42.40');
  await page.getByText('Thank you!').waitFor();
  expect(await readText()).toMatch(/Confirmed · Payment authorized/);

  // The order stays readable for who bought it, and for no other visitor.
  const address = page.url();
  await page.reload({ waitUntil: 'networkidle' });
  await heading(/^Order R/).waitFor();
  expect(await page.getByText('Thank you!').count()).toBe(0);
  await page.goBack();
  await heading('You have bought this').waitFor();
  await page.getByRole('link', { name: 'To the order' }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), press(/^Invoice INV-/)]);
  expect(download.suggestedFilename()).toMatch(/^INV-\d+\.pdf$/);
  expect(problems).toEqual([]);
  await openPage(1440);
  await page.goto(address, { waitUntil: 'networkidle' });
  await heading('This order cannot be shown').waitFor();
  const number = /R\d+/.exec(address)?.[0] ?? '';
  await page.getByRole('link', { name: 'Get the link again' }).click();
  await page.getByLabel('Order number').fill(number);
  await page.getByLabel('E-mail').fill('ann@example.com');
  await press('Send me the link');
  await page.getByText('If number and address belong together').waitFor();
  await page.goto(await findMailedLink('ann@example.com', /\/orders\/R\d+\?order_token=/));
  await heading(`Order ${number}`).waitFor();
  expect(page.url()).toBe(`${url}/orders/${number}`);

  const office = await context.newPage();
  office.setDefaultTimeout(60_000);
  const act = async (name: RegExp, confirm: RegExp, fill = async () => {}): Promise<void> => {
    await office.getByRole('button', { name }).click();
    const dialog = office.getByRole('dialog');
    await fill();
    await dialog.getByRole('button', { name: confirm }).click();
    await dialog.waitFor({ state: 'hidden' });
  };
  await office.goto(`${url}/admin`);
  await office.getByLabel('E-mail').fill(ADMIN.ADMIN_EMAIL);
  await office.getByLabel('Password').fill(ADMIN.ADMIN_PASSWORD);
  await office.getByRole('button', { name: 'Sign in' }).click();
  await office.getByRole('link', { name: /To capture/ }).click();
  await office.getByRole('link', { name: number }).click();
  await act(/^Capture/, /^Capture/);
  await act(/^Ship(?! to)/, /^Ship/, () => office.getByLabel('Tracking (optional)').fill('1Z-77'));
  await page.reload();
  await page.getByText('1Z-77').waitFor();
  expect(await readText()).toMatch(/· Paid.*Shipped on/);

  await page.getByText('Return items').click();
  await page.getByLabel('Reason').selectOption({ index: 1 });
  await press('Request the return');
  await page.getByText('Enter how many items you return.').waitFor();
  await page.getByLabel(/of 2 Stoneware Mug/).fill('1');
  await press('Request the return');
  await page.getByText(/^Your return request RA\d+ was sent\. This page will show the answer\.$/).waitFor();
  await page.getByText(/^RA\d+: waiting for our answer/).waitFor();
  expect(await page.getByLabel('Reason').isVisible()).toBe(false);
  await expectSoundPage(page, 'the order', 1440);
  await office.reload();
  await act(/^Approve RA/, /^Approve/);
  // There is no note.
  expect(await office.getByText('“”').count()).toBe(0);
  await act(/^Receive RA/, /^Receive/);
  await page.reload();
  await page.getByText(/^RA\d+: received/).waitFor();
  expect(await readText()).toMatch(/A refund is due/);
  await act(/^Refund/, /^Refund/, () => office.getByLabel('Amount in USD').fill('16.2'));
  await page.reload();
  await page.getByText(/· Paid/).waitFor();

  // A refund as goodwill: the buyer gets it and its document, and is not asked for it again.
  const { payments } = await call('GET', `/orders/${number}`);
  const { id } = payments.find(({ state }: { state: string }) => state === 'completed');
  await call('PUT', `/orders/${number}/payments/${id}/credit`, { amount: '5', reason: 'Goodwill' });
  await page.reload();
  await page.getByText(/· Partly refunded/).waitFor();
  expect(await readText()).toMatch(/Refunds .*\$16\.20 .*: Goodwill \$5\.00 .*(Credit note CN-\d+ ?){2}/);
});

test('a buyer confirms a payment that the bank wants confirmed', async () => {
  await putIntoCart('enamel-camp-mug');
  await visit('/checkout');
  await page.getByLabel('E-mail').fill('cleo@example.com');
  await fillAddress();
  // A double click is no decision about the delivery.
  await page.getByRole('button', { name: 'Continue to delivery' }).dblclick();
  await press('Continue to payment');
  await fillCard('4000 0025 0000 3155');
  await press(/^Buy now/);
  await page.getByText('Your bank requires you to confirm').waitFor();
  expect(await readText()).toMatch(/Payment Visa ending in 3155/);
  expect(await page.getByRole('button', { name: /^Buy now/ }).count()).toBe(0);
  // The buyer goes on shopping without having confirmed.
  await visit('/products/stoneware-mug');
  await press('Add to cart');
  await page.getByText('A payment of your cart waits for its confirmation.').waitFor();
  await visit('/cart');
  await page.getByLabel(/^Quantity of/).fill('2');
  await page.keyboard.press('Enter');
  await page.getByText('A payment of your cart waits for its confirmation.').waitFor();
  expect(await page.getByLabel(/^Quantity of/).inputValue()).toBe('1');
  await page.getByRole('link', { name: 'Check out' }).click();
  await page.getByText('Your bank requires you to confirm').waitFor();
  await page.reload({ waitUntil: 'networkidle' });
  await press('I have confirmed it');
  await page.getByText('Thank you!').waitFor();
  expect(problems).toEqual([]);
});

test('with Stripe, its form reads the card, and its script asks for the authentication', async () => {
  const readPolicy = async () => (await fetch(url)).headers.get('Content-Security-Policy') ?? '';
  expect(await readPolicy()).not.toContain('stripe');
  const preferences = { secret_key: STRIPE_KEY, webhook_secret: 'whsec_1', publishable_key: 'pk_test_1' };
  const payment_method = { name: 'Stripe', gateway: 'stripe', preferences };
  const { id } = await call('POST', '/payment_methods', { payment_method });
  expect(await readPolicy()).toContain("script-src 'self' https://js.stripe.com");
  const asked: string[] = [];
  let succeeds = false;
  await context.exposeFunction('authenticate', (secret: string) => {
    asked.push(secret);
    stripe.authenticate([...stripe.intents.keys()].at(-1) ?? '', succeeds);
  });
  const script = { contentType: 'text/javascript', body: STRIPE_PAGE_SCRIPT };
  await context.route('https://js.stripe.com/**', (route) => route.fulfill(script));
  await putIntoCart('enamel-camp-mug');
  await visit('/checkout');
  await page.getByLabel('E-mail').fill('dana@example.com');
  await fillAddress();
  await press('Continue to delivery');
  await press('Continue to payment');
  await page.getByRole('radio', { name: 'Stripe' }).check();
  const token = page.getByLabel(/^Token of pk_test_1 for \d+ usd/);
  await token.waitFor();
  await press('Review the order');
  await page.getByText('Your card number is incomplete.').waitFor();
  await token.fill('pm_3ds_1');
  await press('Review the order');
  await press(/^Buy now/);
  await press('Confirm with the bank');
  await page.getByText('The payment did not go through').waitFor();
  await press('Pay in another way');
  await page.getByRole('radio', { name: 'Stripe' }).check();
  await token.fill('pm_3ds_2');
  await press('Review the order');
  await page.getByText('ending in 4242').waitFor();
  await press(/^Buy now/);
  succeeds = true;
  await press('Confirm with the bank');
  await page.getByText('Thank you!').waitFor();
  expect(asked).toEqual(['pi_secret', 'pi_secret']);
  expect(problems.every((problem) => problem.startsWith('requested https://js.stripe.com/'))).toBe(true);
  await call('DELETE', `/payment_methods/${id}`);
  expect(await readPolicy()).not.toContain('stripe');
});

test('with PayPal, the buyer approves the payment there, and comes back to a complete order', async () => {
  const preferences = { ...PAYPAL_KEYS, return_url: `${url}/checkout` };
  const payment_method = { name: 'PayPal', gateway: 'paypal', preferences };
  const { id } = await call('POST', '/payment_methods', { payment_method });
  await context.route('https://paypal.example/**', (route) => {
    paypal.approve(route.request().url().split('/').at(-1) ?? '');
    const body = `<a href="${url}/checkout?token=t&PayerID=p">Return to the shop</a>`;
    return route.fulfill({ contentType: 'text/html', body });
  });
  await putIntoCart('enamel-camp-mug');
  await visit('/checkout');
  await page.getByLabel('E-mail').fill('finn@example.com');
  await fillAddress();
  await press('Continue to delivery');
  await press('Continue to payment');
  await page.getByRole('radio', { name: 'PayPal' }).check();
  await page.getByText('You approve the payment at PayPal').waitFor();
  await press('Review the order');
  // A wallet has no card number.
  await page.getByRole('button', { name: /^Buy now/ }).waitFor();
  expect(await readText()).toMatch(/Payment PayPal Change/);
  await press(/^Buy now/);
  await page.getByRole('link', { name: 'Continue to PayPal' }).click();
  await page.getByRole('link', { name: 'Return to the shop' }).click();
  await page.getByText('Thank you!').waitFor();
  const number = /R\d+/.exec(page.url())?.[0] ?? '';

  // The provider takes its time to capture: nothing is captured yet.
  const office = await context.newPage();
  office.setDefaultTimeout(60_000);
  await office.goto(`${url}/admin`);
  await office.getByLabel('E-mail').fill(ADMIN.ADMIN_EMAIL);
  await office.getByLabel('Password').fill(ADMIN.ADMIN_PASSWORD);
  await office.getByRole('button', { name: 'Sign in' }).click();
  await office.getByRole('link', { name: /To capture/ }).waitFor();
  await office.goto(`${url}/admin/orders/${number}`);
  await office.getByRole('button', { name: 'Capture' }).click();
  paypal.status = 'PENDING';
  await office
    .getByRole('dialog')
    .getByRole('button', { name: /^Capture/ })
    .click();
  await office.getByText('The provider has not decided yet.').waitFor();
  paypal.status = 'COMPLETED';
  expect(await office.getByText('is captured').count()).toBe(0);
  // An order that is not sold has no documents, which is no error.
  const { number: unsold } = await call('POST', '/orders', {});
  await office.goto(`${url}/admin/orders/${unsold}`);
  await office.getByText('Not bought yet').waitFor();
  await office.waitForLoadState('networkidle');
  expect(await office.getByText('Not found').count()).toBe(0);

  // The event of the provider completes the order before the buyer is back.
  await putIntoCart('enamel-camp-mug');
  await visit('/checkout');
  await page.getByLabel('E-mail').fill('gus@example.com');
  await fillAddress();
  await press('Continue to delivery');
  await press('Continue to payment');
  await page.getByRole('radio', { name: 'PayPal' }).check();
  await press('Review the order');
  await press(/^Buy now/);
  await page.getByRole('link', { name: 'Continue to PayPal' }).click();
  await page.getByRole('link', { name: 'Return to the shop' }).waitFor();
  const { orders } = await call('GET', '/orders?q[email_eq]=gus@example.com');
  const { payments } = await call('GET', `/orders/${orders[0].number}`);
  const resource = { id: 'any', purchase_units: [{ custom_id: payments[0].number }] };
  const signed = { auth_algo: 'x', cert_url: 'x', transmission_id: 'x', transmission_time: 'x' };
  const headers = { ...signed, transmission_sig: PAYPAL_SIGNATURE };
  const event = await fetch(`${url}/api/v1/gateways/${id}/events`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [`paypal-${name.replaceAll('_', '-')}`, value]),
      ),
    },
    body: JSON.stringify({ id: 'WH-EVENT', event_type: 'CHECKOUT.ORDER.APPROVED', resource }),
  });
  expect(event.status).toBe(200);
  await page.getByRole('link', { name: 'Return to the shop' }).click();
  await heading('You have bought this').waitFor();
  await page.getByRole('link', { name: 'To the order' }).click();
  await heading(`Order ${orders[0].number}`).waitFor();
  await call('DELETE', `/payment_methods/${id}`);
});

test('the checkout names lines that have sold out and the items of parcels, and keeps the bill address', async () => {
  await count('brass-ballpoint-pen', 1, true);
  await putIntoCart('brass-ballpoint-pen');
  await visit('/checkout');
  await page.getByLabel('E-mail').fill('eve@example.com');
  // The country of the store, although the list of countries comes after it.
  await page.getByLabel('State or region').waitFor();
  expect(await page.getByLabel('Country').locator('option:checked').innerText()).toBe('United States');
  await fillAddress();
  await page.getByLabel('Postal code').fill('x');
  await press('Continue to delivery');
  await page.getByText('Postal code is invalid').waitFor();
  await waitForFocus('INPUT', /^Postal code/);
  await page.getByLabel('Postal code').fill('04101');
  await page.getByLabel('The invoice goes to the same address').uncheck();
  const bill = page.getByRole('group', { name: 'Bill to' });
  await bill.getByLabel('First name').fill('Bo');
  await bill.getByLabel('Last name').fill('Lee');
  await bill.getByLabel('Street and number').fill('2 Hill Road');
  await bill.getByLabel('Postal code').fill('04101');
  await bill.getByLabel('City').fill('Portland');
  await bill.getByLabel('State or region').selectOption({ label: 'Maine' });
  await bill.getByLabel('Phone').fill('207-555-0101');
  // Phones load pages anew that were out of sight.
  await page.reload();
  await page.getByLabel('E-mail').waitFor();
  expect(await page.getByLabel('E-mail').inputValue()).toBe('eve@example.com');
  await press('Continue to delivery');
  await page.getByRole('button', { name: 'Continue to payment' }).waitFor();
  await waitForFocus('H1', /^Checkout: Delivery$/);
  await page.goBack();
  expect(await bill.getByLabel('First name').inputValue()).toBe('Bo');
  await page.goForward();
  await page.getByRole('button', { name: 'Continue to payment' }).waitFor();
  await page.getByRole('link', { name: 'Address', exact: true }).click();
  expect(await bill.getByLabel('First name').inputValue()).toBe('Bo');
  await press('Continue to delivery');
  await page.getByRole('button', { name: 'Continue to payment' }).waitFor();
  const tab = await context.newPage();
  await tab.goto(`${url}/cart`);
  const quantity = tab.getByLabel('Quantity of Brass Ballpoint Pen');
  await quantity.fill('2');
  await quantity.press('Tab');
  await tab.getByRole('status').getByText('2 × Brass Ballpoint Pen.').waitFor();
  await tab.close();
  await press('Continue to payment');
  await page.getByText('The order has changed meanwhile').waitFor();
  await press('Continue to delivery');
  await page.getByRole('button', { name: 'Continue to payment' }).waitFor();
  expect(await readText()).toMatch(
    /Parcel 1 of 2 1 × Brass Ballpoint Pen(?! \(1).*Parcel 2 of 2 1 × Brass Ballpoint Pen[^(]*\(1 backordered\).*2 × /,
  );
  await sellOut('brass-ballpoint-pen');
  await press('Continue to payment');
  await page.getByRole('alert').getByText('sold out').waitFor();
  await page.getByRole('alert').getByRole('link', { name: 'Change the cart' }).click();
  await heading('Cart').waitFor();
  await page.getByText('Sold out', { exact: true }).waitFor();
});

/** Returns the token of the customer who is signed in. */
const readToken = async (): Promise<string> =>
  String(await page.evaluate(`JSON.parse(localStorage.getItem('shop.sign-in')).token`));

/** Returns all that the browser keeps for the shop, as JSON. */
const readKept = async (): Promise<string> =>
  String(await page.evaluate(`JSON.stringify([{ ...localStorage }, { ...sessionStorage }])`));

test('a new customer keeps the cart, finds the order in the account, and changes how to sign in', async () => {
  await putIntoCart('enamel-camp-mug');
  await page.getByRole('link', { name: 'Sign in' }).click();
  await press('Create an account');
  expect(await page.getByRole('link', { name: 'Forgot the password?' }).count()).toBe(0);
  await page.getByLabel('E-mail').fill('bea@example.com');
  await page.getByLabel('Password').fill('correct horse battery');
  await press('Create the account');
  await page.getByText('Enamel Camp Mug').first().waitFor();
  const first = await readToken();
  const { default_country_id: country_id } = await call('GET', '/config/store');
  const { states } = await call('GET', `/countries/${country_id}/states?q[abbr_eq]=ME`);
  const person = { firstname: 'Ann', lastname: 'Lee', phone: '207-555-0100' };
  const place = { address1: '1 Harbour Street', city: 'Portland', zipcode: '04101', country_id };
  const saved = { address: { ...person, ...place, state_id: states[0].id } };
  await call('POST', '/users/me/addresses', saved, first);
  await page.getByRole('link', { name: 'Check out' }).click();
  await heading('Checkout').waitFor();
  // The only saved address.
  await page.getByLabel('Saved address').waitFor();
  expect(await page.getByLabel('City').inputValue()).toBe('Portland');
  await press('Continue to delivery');
  await press('Continue to payment');
  // A card is saved only if its owner wants that.
  const readSaved = async () => (await call('GET', '/users/me/credit_cards', undefined, first)).count;
  await fillCard('4012 8888 8888 1881');
  await press('Change the payment');
  await page.getByLabel('Save this card for my next orders').check();
  expect(await readSaved()).toBe(0);
  await fillCard('4012 8888 8888 1881');
  await press('Change the payment');
  expect(await readSaved()).toBe(1);
  await page.getByRole('radio', { name: /^Visa ending in 1881/ }).waitFor();
  await page.getByLabel('Check', { exact: true }).check();
  await press('Review the order');
  await press(/^Buy now/);
  await page.getByText('Thank you!').waitFor();

  await page.getByRole('link', { name: 'Account' }).first().click();
  await page.getByRole('link', { name: /^R\d+/ }).click();
  await heading(/^Order R/).waitFor();
  // The browser stores no personal data of the buyer.
  const kept = await readKept();
  expect(kept).toContain(first);
  expect(kept).not.toMatch(/@|Harbour|Portland|horse/);

  // A sign-in that has ended becomes that of a guest, without an error.
  await page.evaluate(`localStorage.setItem('shop.sign-in', '{"token":"ended"}')`);
  await visit('/c/categories/kitchen');
  await page.getByRole('link', { name: 'Bags' }).first().click();
  await heading('Bags').waitFor();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Forgot the password?' }).click();
  await page.getByRole('button', { name: 'Send me the link' }).waitFor();
  // A link that has ended leads to a new one.
  await visit('/password?token=ended');
  await page.getByLabel('New password').fill('another horse battery');
  await press('Set the password');
  await page.getByText('This link has ended').waitFor();
  await page.getByRole('link', { name: 'Send me a new link' }).click();
  await page.getByLabel('E-mail').fill('bea@example.com');
  await press('Send me the link');
  await page.getByText('we have sent it a link').waitFor();
  await page.goto(await findMailedLink('bea@example.com', /\/password\?token=/));
  await page.getByLabel('New password').fill('another horse battery');
  await press('Set the password');
  await heading('Account').waitFor();
  await page.getByText('bea@example.com').waitFor();
  await page.getByRole('link', { name: /^R\d+/ }).waitFor();

  await press('Add an address');
  await fillAddress();
  await page.getByLabel('City').fill('Bath');
  await press('Save the address');
  await expectSoundPage(page, 'the account', 1440);
  const added = page.getByRole('listitem').filter({ hasText: 'Bath' });
  await makeDefault(added);
  // A checkout keeps both of its addresses.
  await makeDefault(page.getByRole('listitem').filter({ hasText: 'Portland' }).first());
  await added.getByRole('button', { name: /^Remove/ }).click();
  await added.waitFor({ state: 'detached' });

  const token = await readToken();
  for (const number of ['4111111111111111', '5555555555554444']) await buyByCard(number, token);
  await page.reload();
  const card = (digits: string) => page.getByRole('listitem').filter({ hasText: `ending in ${digits}` });
  await card('4444').waitFor();
  await makeDefault(card('1111'));
  await makeDefault(card('4444'));
  await card('1111')
    .getByRole('button', { name: /^Remove/ })
    .click();
  await card('1111').waitFor({ state: 'detached' });
  await page.reload();
  await card('4444').getByText('Default', { exact: true }).waitFor();
  expect(await card('1111').count()).toBe(0);

  await page.getByText('Change the password').first().click();
  await page.getByLabel('Current password').fill('forgotten horse battery');
  await page.getByLabel('New password').fill('third horse battery');
  await press('Change the password');
  await page.getByText(/^Current password ./).waitFor();
  await page.getByLabel('Current password').fill('another horse battery');
  await press('Change the password');
  await page.getByText('The password was changed.').waitFor();
  await expectSoundPage(page, 'the account with cards', 1440);

  // An account with two-factor sign-in.
  const { secret, recovery_codes } = await call('POST', '/users/me/two_factor', {}, token);
  await call('PUT', '/users/me/two_factor', { code: new TOTP({ secret }).generate() }, token);
  // As after a checkout that was not finished.
  await page.evaluate(`sessionStorage.setItem('addresses of R1', '{"ship":{"city":"Bath"}}')`);
  await page.evaluate(`localStorage.setItem('shop.coupons', '{"number":"R1","codes":["WELCOME10"]}')`);
  await press('Sign out');
  await page.getByRole('link', { name: 'Sign in' }).click();
  expect(await readKept()).not.toMatch(/Bath|WELCOME10/);
  await page.getByLabel('E-mail').fill('bea@example.com');
  await page.getByLabel('Password').fill('wrong horse battery');
  await press('Sign in');
  await page.getByRole('alert').waitFor();
  await waitForFocus('INPUT', /^Password/);
  // Password managers fill in fields without an event.
  await page.evaluate(`document.querySelector('[name=password]').value = 'third horse battery'`);
  await page.keyboard.press('Enter');
  await page.getByLabel('Code of your app').fill(recovery_codes[0]);
  await press('Sign in');
  await heading('Account').waitFor();
  expect(problems).toEqual([]);
});

test('filters stand in the address, further pages come while scrolling, and Back returns to the place', async () => {
  await visit('/search?sort=name+asc');
  await page.getByText(/^\d+ products$/).waitFor();
  const cards = page.locator('.card');
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  await waitUntil(async () => (await cards.count()) > 24);
  await cards.nth(30).scrollIntoViewIfNeeded();
  const readPlace = async () => Number(await page.evaluate('scrollY'));
  const place = await readPlace();
  await cards.nth(30).getByRole('link').click();
  await page.getByRole('button', { name: 'Add to cart' }).waitFor();
  expect(await readPlace()).toBeLessThan(50);
  await page.goBack();
  await waitUntil(async () => Math.abs((await readPlace()) - place) < 400);
  // Also where nothing of the list was kept.
  await page.reload();
  await waitUntil(async () => Math.abs((await readPlace()) - place) < 400);
  expect(await cards.count()).toBeGreaterThan(24);

  await page.getByRole('checkbox', { name: /^Navy/ }).check();
  await page.getByText('13 products', { exact: true }).waitFor();
  expect(page.url()).toContain('o.color=navy');
  await page.reload({ waitUntil: 'networkidle' });
  expect(await page.getByRole('checkbox', { name: /^Navy/ }).isChecked()).toBe(true);
  await page.getByText('13 products', { exact: true }).waitFor();
  // Each product is shown, and opened, in the color of the filter.
  await page.getByRole('checkbox', { name: /^Navy/ }).uncheck();
  await page.getByRole('checkbox', { name: /^Plum/ }).check();
  await page.getByRole('img', { name: 'Loopback Hoodie in Plum' }).click();
  await heading('Loopback Hoodie').waitFor();
  expect(await page.getByRole('radio', { name: 'Plum' }).isChecked()).toBe(true);
  await page.getByText('In stock', { exact: true }).waitFor();
  await page.goBack();
  await page.getByRole('checkbox', { name: /^Plum/ }).uncheck();
  await page.getByRole('checkbox', { name: /^Navy/ }).check();

  // A phone has a button to the products below the filters.
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByText('Filters (1)').click();
  // What is not a price is not ignored.
  await page.getByLabel('Highest price').fill('cheap');
  await press('Apply');
  await waitForExpression(page, `document.activeElement.matches('[name=max]:invalid')`);
  await page.getByLabel('Highest price').fill('40');
  await press('Apply');
  await page.getByText('Filters (2)').waitFor();
  await press(/^Show \d+ products?$/);
  await page.getByRole('checkbox', { name: /^Navy/ }).waitFor({ state: 'hidden' });
  expect(problems).toEqual([]);
});

test('a variant that is sold out is marked, and cannot be bought', async () => {
  await visit('/products/organic-cotton-tee');
  const out = page.getByLabel(/White.*sold out/);
  await out.check({ force: true });
  await page.getByText('Sold out', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Add to cart' }).isDisabled()).toBe(true);
});

test('variants with equal options are told apart by their item numbers, on the page and in the cart', async () => {
  const { variants } = await call('GET', '/products/enamel-camp-mug');
  const option_value_ids = variants[0].option_values.map(({ id }: { id: number }) => id);
  const variant = { sku: 'MUG-SECOND', price: '9.5', option_value_ids };
  const second = await call('POST', '/products/enamel-camp-mug/variants', { variant });
  const { stock_items } = await call('GET', `/variants/${second.id}`);
  const [{ stock_location_id, id }] = stock_items;
  const stock_item = { count_on_hand: 5, force: true };
  await call('PUT', `/stock_locations/${stock_location_id}/stock_items/${id}`, { stock_item });
  await putIntoCart('enamel-camp-mug');
  await page.getByLabel(/MUG-SECOND/).check({ force: true });
  await page.getByText('$9.50', { exact: true }).first().waitFor();
  await press('Add to cart');
  await page.getByRole('link', { name: 'View the cart' }).click();
  await page.getByText('Item no. MUG-SECOND').waitFor();
  await page.getByText(`Item no. ${variants[0].sku}`).waitFor();
  await call('DELETE', `/variants/${second.id}`);
});

test('while the API is away, the page shows an error, and recovers', async () => {
  await visit('/');
  await context.route('**/api/v1/**', (route) => route.abort());
  await page.getByRole('link', { name: 'Bags' }).first().click();
  await page.getByText('This could not be loaded.').waitFor();
  await context.unroute('**/api/v1/**');
  await press('Try again');
  await heading('Bags').waitFor();

  await visit('/products/full-zip-fleece-hoodie');
  await context.route('**/api/v1/**', (route) => route.abort());
  await press('Add to cart');
  await page.getByText('The store cannot be reached').waitFor();
  await context.unroute('**/api/v1/**');
  // A browser that knows that it has no network.
  await context.setOffline(true);
  await press('Add to cart');
  await page.getByText('The store cannot be reached').waitFor();
  await context.setOffline(false);
  await press('Add to cart');
  await page.getByRole('link', { name: 'View the cart' }).click();
  // Its variants have no pictures of their own.
  await page.locator('.lines img').waitFor();
});

test('a change of an item that another tab has removed says so, and its removal is no mistake', async () => {
  for (const slug of ['stoneware-mug', 'enamel-camp-mug', 'espresso-cup-trio']) {
    await visit(`/products/${slug}`);
    await press('Add to cart');
    await page.getByRole('link', { name: 'View the cart' }).waitFor();
  }
  await visit('/cart');
  const tab = await context.newPage();
  await tab.goto(`${url}/cart`, { waitUntil: 'networkidle' });
  const removeElsewhere = async (name: string): Promise<void> => {
    await tab.getByRole('button', { name: `Remove ${name}` }).click();
    await tab.getByText(`${name} was removed.`).waitFor();
  };
  await removeElsewhere('Enamel Camp Mug');
  await press('Remove Enamel Camp Mug');
  await page.getByText('Enamel Camp Mug was removed.').waitFor();
  await removeElsewhere('Stoneware Mug');
  await page.getByLabel('Quantity of Stoneware Mug').fill('3');
  await page.keyboard.press('Tab');
  await page.getByText('This item is no longer in your cart').waitFor();
  await page.getByLabel('Quantity of Stoneware Mug').waitFor({ state: 'detached' });
  await page.getByLabel('Quantity of Espresso Cup Trio').waitFor();
  await tab.getByRole('button', { name: 'Remove Espresso Cup Trio' }).click();
  await tab.getByText('Your cart is empty').waitFor();
  await returnToKeptPage();
  await page.getByText('Your cart is empty').waitFor();
  await tab.close();
});

test('a page that the browser kept shows the cart that was begun since', async () => {
  await putIntoCart('enamel-camp-mug');
  await visit('/cart');
  const { variants } = await call('GET', '/products/stoneware-mug');
  const line_items = [{ variant_id: variants[0].id, quantity: 2 }];
  const { number, token } = await call('POST', '/orders', { order: { line_items } });
  const cart = JSON.stringify({ number, token });
  await page.evaluate(`localStorage.setItem('shop.cart', ${JSON.stringify(cart)})`);
  await page.getByLabel('Quantity of Enamel Camp Mug').waitFor();
  await returnToKeptPage();
  await page.getByLabel('Quantity of Stoneware Mug').waitFor();
  await page.getByLabel('Quantity of Enamel Camp Mug').waitFor({ state: 'detached' });
});

test('a guest whose browser blocks storage buys, as long as the page stays open', async () => {
  await context.addInitScript(`for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, { get: () => { throw new DOMException('blocked', 'SecurityError'); } });`);
  await putIntoCart('enamel-camp-mug');
  await returnToKeptPage();
  await page.getByRole('link', { name: 'View the cart' }).click();
  await page.getByRole('link', { name: 'Check out' }).click();
  await page.getByLabel('E-mail').fill('dora@example.com');
  await fillAddress();
  await press('Continue to delivery');
  await press('Continue to payment');
  await fillCard('4111 1111 1111 1111');
  await press(/^Buy now/);
  await page.getByText('Thank you!').waitFor();
  await heading(/^Order R/).waitFor();
  expect(problems).toEqual([]);
});

test('all pictures of a product are shown', async () => {
  const { slug } = await call('POST', '/products', {
    product: { name: 'Album', price: '20', available_on: '2026-01-01', shipping_category: 'Default' },
  });
  for (let width = 101; width <= 112; width++) {
    const body = new FormData();
    body.set('image[attachment]', new Blob([await aPicture({ width })]), 'album.png');
    const headers = { 'X-Store-Token': TOKEN };
    expect((await fetch(`${url}/api/v1/products/${slug}/images`, { method: 'POST', headers, body })).ok).toBe(
      true,
    );
  }
  await visit(`/products/${slug}`);
  await press('Picture 12: Album');
  await page.getByRole('button', { name: 'Picture 12: Album', pressed: true }).waitFor();
});

test('a shop without products says so, and shows no empty rows', async () => {
  await visit('/cart');
  const none = { products: [], count: 0, total_count: 0, current_page: 1, pages: 0, per_page: 9 };
  await context.route('**/api/v1/products?**', (route) => route.fulfill({ json: none }));
  await page.getByRole('link', { name: 'Example Store' }).first().click();
  await page.getByText('There are no products yet.').waitFor();
  expect(await page.getByRole('link', { name: 'See all' }).count()).toBe(0);
});

test('a filter that leaves no product stays, with the focus and what was chosen', async () => {
  await visit('/c/categories/kitchen');
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await context.route('**/api/v1/products?**slate**', async (route) => {
    await held;
    await route.continue();
  });
  const capacity = page.getByLabel('350 ml');
  await capacity.check();
  await page.waitForURL(/o\.capacity=350ml/);
  await page.getByRole('status').getByText('1 product').waitFor();
  await page.getByLabel('Slate').check();
  await capacity.focus();
  release();
  await page.getByText('No product fits all filters.').waitFor();
  await waitForFocus('INPUT', /^350 ml\s+0$/);
  await capacity.uncheck();
  await page.getByRole('status').getByText('1 product').waitFor();
  await waitForFocus('INPUT', /^350 ml\s+0$/);
});

test('a product is chosen and bought with the keyboard alone, and what has the focus is seen', async () => {
  await visit('/c/categories/kitchen');
  const readFocus = async (): Promise<{ name: string; isSeen: boolean }> =>
    page.evaluate(`(() => {
      const element = document.activeElement;
      const seen = element.type === 'radio' ? element.nextElementSibling : element;
      const name = (element.labels?.[0] ?? element).innerText.split('\\n')[0];
      return { name, isSeen: getComputedStyle(seen).outlineStyle !== 'none' };
    })()`);
  const tabTo = async (name: string): Promise<void> => {
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press('Tab');
      const focus = await readFocus();
      expect(focus).toEqual({ ...focus, isSeen: true });
      if (focus.name === name) return;
    }
    throw new Error(`no Tab leads to ${name}`);
  };
  await tabTo('Skip to the content');
  await page.keyboard.press('Enter');
  await waitForFocus('MAIN', /Kitchen/);
  await tabTo('Slate');
  await page.keyboard.press('Space');
  await page.waitForURL(/o\.color=slate/);
  await tabTo('Highest price');
  await page.keyboard.type('40');
  await page.keyboard.press('Enter');
  await page.waitForURL(/max=40/);
  expect((await readFocus()).name).toBe('Highest price');
  // What clears the filters is gone then.
  await tabTo('Clear all');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Clear all' }).waitFor({ state: 'detached' });
  await waitForFocus('MAIN', /Kitchen/);
  await tabTo('Stoneware Mug');
  await page.keyboard.press('Enter');
  await heading('Stoneware Mug').waitFor();
  await tabTo('White');
  await page.keyboard.press('ArrowLeft');
  expect((await readFocus()).name).toBe('Slate');
  await tabTo('Add to cart');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'View the cart' }).waitFor();
  await tabTo('View the cart');
  await page.keyboard.press('Enter');
  await page.getByText('Color: Slate').waitFor();
  // A new page begins at its content.
  expect(await page.evaluate('document.activeElement.id')).toBe('content');
  const quantity = page.getByLabel('Quantity of Stoneware Mug');
  await quantity.fill('2');
  await quantity.press('Tab');
  await page.getByRole('status').getByText('2 × Stoneware Mug. The total is $36.00.').waitFor();
  await quantity.fill('100');
  await quantity.press('Tab');
  await page.getByRole('link', { name: 'Cart 100 items' }).getByText('99+', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Remove Stoneware Mug' }).press('Enter');
  await heading('Your cart is empty').waitFor();
  // What had the focus is gone.
  await waitForFocus('MAIN', /Your cart is empty/);
  expect(problems).toEqual([]);
});

test('pages are complete in the first HTML, for search engines', async () => {
  const read = async (address: string) => {
    const reply = await fetch(url + address);
    return {
      status: reply.status,
      html: await reply.text(),
      policy: reply.headers.get('Content-Security-Policy'),
    };
  };
  const product = await read('/products/stoneware-mug');
  expect(product.status).toBe(200);
  expect(product.html).toMatch(/<title>[^<]*Stoneware Mug – Example Store<\/title>/);
  expect(product.html).toMatch(new RegExp(`<link rel="canonical" href="${url}/products/stoneware-mug"`));
  expect(product.html).toMatch(/<h1>Stoneware Mug<\/h1>/);
  // The nearest category first.
  expect(product.html).toMatch(/You may also like.{0,300}href="\/products\/enamel-camp-mug"/s);
  // The first view: the page, and the scripts, the style and the font that it names.
  const folder = path.join(__dirname, '../../dist/web/shop/client');
  const files = [...product.html.matchAll(/"\/(shop-files\/[^"]+)"/g)].map(([, name]) =>
    path.join(folder, name ?? ''),
  );
  expect(files.length).toBeGreaterThan(2);
  const sizes = files.map((file) => statSync(existsSync(`${file}.gz`) ? `${file}.gz` : file).size);
  expect(sizes.reduce((sum, size) => sum + size, gzipSync(product.html).length)).toBeLessThan(100_000);
  const [, large = ''] = /(\/\S+\/xlarge\/\S+) 1200w/.exec(product.html) ?? [];
  const picture = await fetch(url + large, { headers: { Accept: 'image/webp' } });
  expect([picture.status, picture.headers.get('Content-Type')]).toEqual([200, 'image/webp']);
  const facts = [...product.html.matchAll(/application\/ld\+json">(.*?)<\/script>/g)].map(([, text]) =>
    JSON.parse(text ?? ''),
  );
  expect(facts.map((fact) => fact['@type'])).toEqual(['Product', 'BreadcrumbList']);
  expect(facts[0].offers).toMatchObject({ priceCurrency: 'USD', lowPrice: '18.0' });
  expect(product.policy).toMatch(/script-src 'self';/);
  const category = await read('/c/categories/kitchen?sort=newest');
  expect(category.html).toContain(`href="${url}/c/categories/kitchen"`);
  expect(category.html).toContain('/products/enamel-camp-mug');
  // Firefox fills the others in again when the page is reloaded, without telling its script.
  const fields = [product, category].flatMap(
    ({ html }) => html.match(/<(input|select|textarea)[^>]*>/g) ?? [],
  );
  expect(fields.filter((field) => !field.includes('autocomplete="off"'))).toEqual([]);
  expect(fields.length).toBeGreaterThan(10);
  const [, sitemap = ''] = /^Sitemap: (\S+)$/m.exec((await read('/robots.txt')).html) ?? [];
  expect(await (await fetch(sitemap)).text()).toContain(`<loc>${url}/products/stoneware-mug</loc>`);
  expect((await read('/c/none')).status).toBe(404);
  expect((await read('/products/none')).status).toBe(404);
  expect((await read('/cart')).html).toContain('name="robots" content="noindex"');
  // An address that does not exist: a page for people, an error for programs.
  const lost = await fetch(`${url}/none-such`, { headers: { Accept: 'text/html,*/*;q=0.8' } });
  expect([lost.status, lost.headers.get('Content-Type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect((await fetch(`${url}/none-such`)).headers.get('Content-Type')).toMatch(/json/);
  const call = await fetch(`${url}/api/v1/none-such`, { headers: { Accept: 'text/html' } });
  expect([call.status, call.headers.get('Content-Type')]).toEqual([404, expect.stringMatching(/json/)]);
});

const NONSENSE = [
  '/search?page=99999999999',
  '/search?page=-1',
  '/search?min=1&max=x',
  '/search?o.%00=a',
  `/search?o.color=${'a|'.repeat(2000)}`,
  `/search?search=${'a'.repeat(3000)}`,
  '/search?search=%ED%A0%80%00',
  '/c/%00',
  '/c/%zz',
  '/products/%00',
  `/products/${'a'.repeat(3000)}`,
].map((address) => ({ address, title: address.slice(0, 40) }));

test.each(NONSENSE)('a nonsensical address is no fault of the server: $title', async ({ address }) => {
  expect((await fetch(url + address)).status).toBeLessThan(500);
});

test('text of products cannot end the data of a page', async () => {
  const name = '</script><script>window.hit = 1</script>';
  const reply = await fetch(`${url}/api/v1/products`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Store-Token': TOKEN },
    body: JSON.stringify({
      product: {
        name,
        price: '5',
        shipping_category: 'Default',
        slug: 'hostile',
        available_on: '2020-01-01',
      },
    }),
  });
  expect(reply.status).toBe(201);
  await visit('/products/hostile');
  await heading(name).waitFor();
  expect(await page.evaluate(`'hit' in window`)).toBe(false);
  expect(problems).toEqual([]);
});

test.each(WIDTHS)(
  'no page at %i pixels is wider than the screen or has a serious fault of accessibility',
  async (width) => {
    await openPage(width);
    await page.emulateMedia({ colorScheme: width === 360 ? 'dark' : 'light', reducedMotion: 'reduce' });
    // A word that is longer than the screen is wide.
    const name = 'Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunt';
    const { slug } = await call('POST', '/products', {
      product: { name, price: '20', available_on: '2026-01-01', shipping_category: 'Default' },
    });
    await visit(`/products/${slug}`);
    await press('Add to cart');
    await page.getByRole('link', { name: 'View the cart' }).waitFor();
    // Also where the button is at the end of the screen.
    await visit('/products/organic-cotton-tee');
    await page.evaluate(`document.querySelector('.add-row').scrollIntoView({ block: 'end' })`);
    await press('Add to cart');
    const added = page.getByRole('link', { name: 'View the cart' });
    await added.waitFor();
    await waitUntil(async () => {
      const box = await added.boundingBox();
      return box !== null && box.y + box.height <= 900;
    });
    const addresses = [
      '/',
      '/c/categories/clothing',
      '/search?search=mug',
      '/products/organic-cotton-tee',
      `/products/${slug}`,
      '/cart',
    ];
    for (const address of [
      ...addresses,
      '/checkout',
      '/sign-in',
      '/orders/find',
      '/password',
      '/none-such',
    ]) {
      await visit(address);
      await expectSoundPage(page, address, width);
      // All steps in one line.
      if (address === '/checkout')
        expect(await page.evaluate(`document.querySelector('.steps').offsetHeight`)).toBeLessThan(40);
      if (width === 1440) {
        await expectReachableByTab(page, address);
        await expectZoomedPage(address);
      }
    }
  },
);

/** Expects a page that fits a window of 1280 pixels at a zoom of 200 %, of everything and of the text alone. */
async function expectZoomedPage(address: string): Promise<void> {
  const readWidth = () => page.evaluate('document.documentElement.scrollWidth');
  await page.setViewportSize({ width: 640, height: 450 });
  expect([address, 'page', await readWidth()]).toEqual([address, 'page', 640]);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
  expect([address, 'text', await readWidth()]).toEqual([address, 'text', 1280]);
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** Waits until the condition holds. */
async function waitUntil(condition: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`this never held: ${String(condition)}`);
    await page.waitForTimeout(50);
  }
}
