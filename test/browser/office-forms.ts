import type { Page } from 'playwright-core';

/** Sends a request to the API as the administrator, and returns its body. */
export type Call = (method: string, address: string, body?: object) => Promise<any>;

/** A form of the office: how it is filled in, and what the API has then. */
export interface OfficeForm {
  name: string;
  /** The address of its page in the office. */
  at: string;
  /** The button that opens it. */
  open: string | RegExp;
  /** A button of the form that is pressed first. */
  press?: string;
  /** By label: a text, whether a box is checked, or the name of a choice. */
  fields?: Readonly<Record<string, string | boolean>>;
  confirm: string | RegExp;
  /** Returns what was saved. */
  saved: (call: Call) => Promise<unknown>;
  expected: unknown;
}

const named = (list: readonly any[], name: string): any => list.find((one) => one.name === name);
const last = (list: readonly any[]): any => list.at(-1);

/** Expects a list at this path that has the record of a name, and returns the record. */
export const readNamed =
  (path: string, name: string, key = path.slice(1)) =>
  async (call: Call): Promise<any> => {
    const body = await call('GET', `${path}?per_page=100`);
    return named(Array.isArray(body) ? body : body[key], name);
  };

/** The settings, most of them by the same page for lists of records. */
export const SETTINGS_FORMS: readonly OfficeForm[] = [
  {
    name: 'a promotion',
    at: '/promotions',
    open: 'Add a promotion',
    fields: {
      Name: 'Spring',
      'Coupon code': 'SPRING',
      Gives: 'An amount off the order',
      Amount: '7.5',
      'Items cost at least (optional)': '30',
      'Once for each account': true,
      'Orders at most (optional)': '5',
      'Until (optional)': '2035-01-31T12:00',
    },
    confirm: 'Add the promotion',
    saved: readNamed('/promotions', 'Spring'),
    expected: {
      code: 'SPRING',
      usage_limit: 5,
      expires_at: expect.stringMatching(/^2035-0[12]-/),
      actions: [expect.objectContaining({ type: 'order_amount', amount: '7.5' })],
      rules: expect.arrayContaining([
        expect.objectContaining({ type: 'item_total', amount_min: '30.0' }),
        expect.objectContaining({ type: 'one_use_per_user' }),
      ]),
    },
  },
  {
    name: 'a zone of states',
    at: '/settings/zones',
    open: 'Add a zone',
    fields: {
      Name: 'New England',
      'Consists of': 'States',
      'States of': 'United States',
      Maine: true,
      'Find in States': 'verm',
      Vermont: true,
    },
    confirm: 'Add the zone',
    saved: readNamed('/zones', 'New England'),
    expected: {
      zone_members: ['Maine', 'Vermont'].map((name) =>
        expect.objectContaining({ zoneable_type: 'Store::State', name }),
      ),
    },
  },
  {
    name: 'a zone of countries instead of states',
    at: '/settings/zones',
    open: 'Edit New England',
    fields: { 'Consists of': 'Countries', 'Find in Countries': 'cana', Canada: true },
    confirm: 'Save',
    saved: readNamed('/zones', 'New England'),
    expected: {
      zone_members: [expect.objectContaining({ zoneable_type: 'Store::Country', name: 'Canada' })],
    },
  },
  {
    name: 'a tax category',
    at: '/settings/tax-categories',
    open: 'Add a tax category',
    fields: { Name: 'Books', 'Tax code': 'B1' },
    confirm: 'Add the tax category',
    saved: readNamed('/tax_categories', 'Books'),
    expected: { tax_code: 'B1', is_default: false },
  },
  {
    name: 'a tax rate',
    at: '/settings/tax-rates',
    open: 'Add a tax rate',
    fields: {
      'Name (optional)': 'Books in Canada',
      'Rate in percent': '5.5',
      Zone: 'New England',
      'Tax category': 'Books',
    },
    confirm: 'Add the tax rate',
    saved: readNamed('/tax_rates', 'Books in Canada'),
    expected: {
      amount: '0.055',
      zone_id: expect.any(Number),
      included_in_price: false,
      show_rate_in_label: true,
    },
  },
  {
    name: 'a shipping category',
    at: '/settings/shipping-categories',
    open: 'Add a shipping category',
    fields: { Name: 'Bulky' },
    confirm: 'Add the shipping category',
    saved: readNamed('/shipping_categories', 'Bulky'),
    expected: {},
  },
  {
    name: 'a shipping method',
    at: '/settings/shipping-methods',
    open: 'Add a shipping method',
    fields: {
      Name: 'Courier',
      'Tracking address': 'https://carrier.example/:tracking',
      Freight: 'The first unit, and less for more',
      'Amount of the first unit': '9',
      'Amount of each other unit': '2.5',
      'Units until the count restarts': '4',
      'New England': true,
    },
    confirm: 'Add the shipping method',
    saved: readNamed('/shipping_methods', 'Courier'),
    expected: {
      tracking_url: 'https://carrier.example/:tracking',
      calculator_type: 'flexi_rate',
      calculator_preferences: expect.objectContaining({
        first_item: '9.0',
        additional_item: '2.5',
        max_items: 4,
      }),
      zones: [expect.objectContaining({ name: 'New England' })],
    },
  },
  {
    name: 'a payment method',
    at: '/settings/payment-methods',
    open: 'Add a payment method',
    fields: {
      Name: 'Bank transfer',
      Provider: 'None: paid by check or transfer',
      'Shown to': 'Staff',
      Active: true,
    },
    confirm: 'Add the payment method',
    saved: readNamed('/payment_methods', 'Bank transfer'),
    expected: { gateway: 'check', display_on: 'back_end', active: true },
  },
  {
    name: 'a stock location',
    at: '/settings/locations',
    open: 'Add a stock location',
    fields: { Name: 'Annex', City: 'Bangor', Country: 'United States', Active: true },
    confirm: 'Add the stock location',
    saved: readNamed('/stock_locations', 'Annex'),
    expected: {
      city: 'Bangor',
      active: true,
      propagate_all_variants: true,
      default: false,
      country: expect.objectContaining({ iso: 'US' }),
    },
  },
  {
    name: 'a role',
    at: '/settings/roles',
    open: 'Add a role',
    fields: { Name: 'buyer', 'catalog: write': true, 'stock: read': true },
    confirm: 'Add the role',
    saved: readNamed('/roles', 'buyer'),
    expected: { scopes: ['catalog:write', 'stock:read'] },
  },
  {
    name: 'a return reason',
    at: '/settings/return-reasons',
    open: 'Add a reason',
    fields: { Name: 'Wrong color' },
    confirm: 'Add the reason',
    saved: readNamed('/return_authorization_reasons', 'Wrong color'),
    expected: { active: true },
  },
  {
    name: 'a store',
    at: '/settings/stores',
    open: 'Add a store',
    fields: {
      Name: 'Outlet',
      Code: 'outlet',
      Address: 'https://outlet.example',
      'Sender of mails': 'outlet@example.com',
    },
    confirm: 'Add the store',
    saved: readNamed('/stores', 'Outlet', 'stores'),
    expected: { code: 'outlet', is_default: false },
  },
  {
    name: 'an option type',
    at: '/settings/option-types',
    open: /^Add an? option type$/,
    fields: { Name: 'glaze', 'Shown as': 'Glaze', Values: 'clear: Clear\nsalt: Salt\nraku' },
    confirm: 'Add the option type',
    saved: readNamed('/option_types', 'glaze'),
    expected: {
      presentation: 'Glaze',
      option_values: [
        expect.objectContaining({ name: 'clear', presentation: 'Clear' }),
        expect.objectContaining({ name: 'salt', presentation: 'Salt' }),
        expect.objectContaining({ name: 'raku', presentation: 'raku' }),
      ],
    },
  },
  {
    name: 'a webhook',
    at: '/settings/webhooks',
    open: 'Add a webhook',
    fields: {
      Address: 'https://receiver.example/hook',
      Description: 'Ledger',
      Active: false,
      'All events': false,
      'order.paid': true,
    },
    confirm: 'Add the webhook',
    saved: async (call) => last((await call('GET', '/webhooks')).webhooks),
    expected: {
      url: 'https://receiver.example/hook',
      description: 'Ledger',
      events: ['order.paid'],
      active: false,
    },
  },
];

const readProduct = (slug: string) => (call: Call) => call('GET', `/products/${slug}`);

/** The catalog: a product is made, described, put into categories and on sale. */
export const CATALOG_FORMS: readonly OfficeForm[] = [
  {
    name: 'a product',
    at: '/products',
    open: 'Add a product',
    fields: { Name: 'Soup Bowl', Price: '24', 'SKU (optional)': 'BOWL', 'Description (optional)': 'Deep.' },
    confirm: 'Add the product',
    saved: readProduct('soup-bowl'),
    expected: { price: '24.0', description: 'Deep.', available_on: null },
  },
  {
    name: 'the options of a product',
    at: '/products/soup-bowl',
    open: 'Add options',
    fields: {
      Glaze: true,
      'Another option (optional)': 'Rim',
      'Its values': 'wide\nnarrow',
    },
    confirm: 'Save the options',
    saved: readProduct('soup-bowl'),
    expected: { option_types: ['glaze', 'Rim'].map((name) => expect.objectContaining({ name })) },
  },
  {
    name: 'variants',
    at: '/products/soup-bowl',
    open: 'Add variants',
    press: 'All of Glaze',
    fields: { raku: false, wide: true, Price: '26' },
    confirm: 'Add 2 variants',
    saved: async (call) =>
      (await call('GET', '/products/soup-bowl')).variants.map(({ sku, price, options_text }: any) => [
        sku,
        price,
        options_text,
      ]),
    expected: [
      ['BOWL-CLEAR-WIDE', '26.0', 'Glaze: Clear, Rim: wide'],
      ['BOWL-SALT-WIDE', '26.0', 'Glaze: Salt, Rim: wide'],
    ],
  },
  {
    name: 'a variant that is deleted',
    at: '/products/soup-bowl',
    open: 'Delete Glaze: Salt, Rim: wide',
    confirm: 'Delete the variant',
    saved: async (call) => (await call('GET', '/products/soup-bowl')).variants.map(({ sku }: any) => sku),
    expected: ['BOWL-CLEAR-WIDE'],
  },
  {
    name: 'a property',
    at: '/products/soup-bowl',
    open: 'Add a property',
    fields: { Name: 'Clay', Value: 'Stoneware' },
    confirm: 'Add the property',
    saved: readProduct('soup-bowl'),
    expected: {
      product_properties: [expect.objectContaining({ property_name: 'Clay', value: 'Stoneware' })],
    },
  },
  {
    name: 'the shipping category of a product',
    at: '/products/soup-bowl',
    open: 'Change shipping and tax',
    fields: { 'Shipping category': 'Bulky', 'Tax category': 'Books' },
    confirm: 'Save',
    saved: async (call) => {
      const [{ products }, { shipping_categories }] = await Promise.all(
        ['/products?q[slug_eq]=soup-bowl', '/shipping_categories'].map((path) => call('GET', path)),
      );
      return named(shipping_categories, 'Bulky').id === products[0].shipping_category_id;
    },
    expected: true,
  },
  {
    name: 'a product on sale',
    at: '/products/soup-bowl',
    open: 'Put on sale',
    confirm: 'Put on sale',
    saved: readProduct('soup-bowl'),
    expected: { available_on: expect.any(String) },
  },
];

/** Customers, with what programs sign in with. */
export const CUSTOMER_FORMS: readonly OfficeForm[] = [
  {
    name: 'a customer',
    at: '/customers',
    open: 'Add a customer',
    fields: { 'E-mail': 'flora@example.com', Password: 'grows all the flowers' },
    confirm: 'Add the customer',
    saved: async (call) => (await call('GET', '/users?q[email_eq]=flora@example.com')).users,
    expected: [expect.objectContaining({ email: 'flora@example.com' })],
  },
  {
    name: 'a member of staff',
    at: '/staff',
    open: 'Add a member of staff',
    fields: { 'E-mail': 'theo@example.com', Password: 'orders all the things', buyer: true },
    confirm: 'Add the member of staff',
    saved: async (call) => (await call('GET', '/users?q[email_eq]=theo@example.com')).users[0].roles,
    expected: ['buyer'],
  },
];

/** Goes to a page of the office as its links do, without loading it anew. */
export const visit = (page: Page, address: string): Promise<unknown> =>
  page.evaluate(`history.pushState(null, '', '/admin${address}')`);

/** Opens a form, fills it in and sends it, which closes it. */
export async function fillForm(page: Page, { at, open, press, fields = {}, confirm }: OfficeForm) {
  await visit(page, at);
  await page.getByRole('button', { name: open, exact: true }).click();
  const dialog = page.getByRole('dialog');
  if (press !== undefined) await dialog.getByRole('button', { name: press, exact: true }).click();
  for (const [label, value] of Object.entries(fields)) {
    const field = dialog.getByLabel(label, { exact: true });
    await field.waitFor();
    if (typeof value === 'boolean') await field.setChecked(value);
    else if ((await field.and(dialog.locator('select')).count()) > 0)
      await field.selectOption({ label: value });
    else await field.fill(value);
  }
  await dialog.getByRole('button', { name: confirm, exact: true }).click();
  const refusal = dialog.getByRole('alert');
  await dialog.and(page.locator(':not(:has([role=alert]))')).waitFor({ state: 'detached' });
  expect([open, await refusal.allTextContents()]).toEqual([open, []]);
}
