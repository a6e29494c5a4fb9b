import { aProduct } from '../../support/products.factory';
import { asAdmin, createAsAdmin } from '../../support/accounts.factory';
import { testDb } from '../../support/database';
import { expectNoViolations } from '../../support/invariants';
import { GOOD_CARD, buildMarylandAddress, getPaymentMethodId } from '../../support/orders.factory';

/**
 * Amounts sold, paid or credited are rounded half up to the unit of the currency, once. The catalog keeps prices as
 * they were entered; they are rounded for display only. Hundredths are the smallest unit of the store, also for dinars,
 * which have thousandths.
 */

let admin: Awaited<ReturnType<typeof asAdmin>>;

beforeAll(async () => {
  admin = await asAdmin();
});

async function update(path: string, body?: object): Promise<any> {
  const reply = await admin.put(path, body);
  if (reply.status !== 200) throw new Error(`${path}: ${reply.text}`);
  return reply.body;
}

/** Sets the store's currency, with a tax of 8.25 percent and a shipping rate. @returns attributes for products */
async function setStoreCurrency(currency: string, postage: string): Promise<object> {
  const store = await testDb()('stores').where({ is_default: true }).first('id');
  await update(`/stores/${store.id}`, { store: { currency } });
  const zone = await testDb()('zones').where({ name: 'North America' }).first('id');
  const tax = await createAsAdmin('/tax_categories', { tax_category: { name: `taxed in ${currency}` } });
  await createAsAdmin('/tax_rates', {
    tax_rate: { name: 'VAT', amount: '0.0825', zone_id: zone.id, tax_category_id: tax.id },
  });
  const shipping = await createAsAdmin('/shipping_categories', {
    shipping_category: { name: `sent for ${currency}` },
  });
  await createAsAdmin('/shipping_methods', {
    shipping_method: {
      name: `Post in ${currency}`,
      calculator_type: 'flat_rate',
      calculator_preferences: { amount: postage },
      zone_ids: [zone.id],
      shipping_category_ids: [shipping.id],
    },
  });
  return { tax_category_id: tax.id, shipping_category_id: shipping.id };
}

async function stockMaster(product: any): Promise<number> {
  const item = await testDb()('stock_items').where({ variant_id: product.master.id }).first('id');
  await update(`/stock_items/${item.id}`, { stock_item: { count_on_hand: 10, force: true } });
  return product.master.id;
}

/** Places a guest order as an admin, paid by card. */
async function placeOrder(line: object, currency: string): Promise<any> {
  const address = await buildMarylandAddress();
  const { number } = await createAsAdmin('/orders', {
    order: { currency, user_id: null, line_items: [line] },
  });
  await update(`/checkouts/${number}/next`);
  await update(`/checkouts/${number}`, {
    order: { email: 'a@example.com', bill_address_attributes: address, use_billing: true },
  });
  await update(`/checkouts/${number}/next`);
  const id = await getPaymentMethodId('Credit Card');
  await update(`/checkouts/${number}`, {
    order: { payments_attributes: [{ payment_method_id: id }] },
    payment_source: { [id]: GOOD_CARD },
  });
  return update(`/checkouts/${number}`);
}

const expectConsistent = (order: { id: number }) => expectNoViolations({ order_ids: [order.id] });

describe('yen have no fractions', () => {
  let productAttributes: object;
  let variantId: number;

  beforeAll(async () => {
    productAttributes = await setStoreCurrency('JPY', '499.5');
    variantId = await stockMaster(
      await createAsAdmin('/products', {
        product: { name: 'Furoshiki', price: '618', ...productAttributes },
      }),
    );
  });

  test('prices are stored as entered and rounded where they are shown', async () => {
    const product = await createAsAdmin('/products', {
      product: { name: 'Noren', price: '617.5', ...productAttributes },
    });
    expect(product).toMatchObject({ price: '617.5', display_price: '¥618' });
    const variant = await createAsAdmin(`/products/${product.id}/variants`, {
      variant: { price: '617.494' },
    });
    expect(variant).toMatchObject({ price: '617.49', display_price: '¥617' });
  });

  test('rounds the prices of line items, set by an admin or taken from the variant', async () => {
    const order = await createAsAdmin('/orders', {
      order: { line_items: [{ variant_id: variantId, quantity: 3, price: '617.5' }] },
    });
    expect(order).toMatchObject({ currency: 'JPY', total: '1854.0', display_total: '¥1,854' });
    const path = `/orders/${order.number}/line_items/${order.line_items[0].id}`;
    expect((await update(path, { line_item: { price: '0.5' } })).price).toBe('1.0');

    const old = await createAsAdmin('/products', {
      product: { name: 'Obi', price: '1', ...productAttributes },
    });
    await testDb()('prices').where({ variant_id: old.master.id }).update({ amount: '617.50' });
    await stockMaster(old);
    const added = await createAsAdmin(`/orders/${order.number}/line_items`, {
      variant_id: old.master.id,
      quantity: 2,
    });
    expect(added).toMatchObject({ price: '618.0', total: '1236.0' });
    await expectConsistent(order);
  });

  test('rounds the price of a variant that is added to a shipment', async () => {
    const order = await placeOrder({ variant_id: variantId, quantity: 1 }, 'JPY');
    const cheap = await createAsAdmin('/products', {
      product: { name: 'Hashi', price: '10.55', ...productAttributes },
    });
    const variant_id = await stockMaster(cheap);
    const [shipment] = order.shipments;
    await update(`/shipments/${shipment.number}/add`, { variant_id, quantity: 2 });
    const shown = (await admin.get(`/orders/${order.number}`)).body;
    expect(shown.line_items.find((line: any) => line.variant_id === variant_id)).toMatchObject({
      price: '11.0',
      quantity: 2,
    });
    await expectConsistent(order);
  });

  test('rounds shipping, taxes, captures and credits', async () => {
    const order = await placeOrder({ variant_id: variantId, quantity: 2 }, 'JPY');
    expect(order).toMatchObject({
      state: 'complete',
      item_total: '1236.0',
      ship_total: '500.0',
      // 8.25 percent of 1236 are 101.97.
      tax_total: '102.0',
      total: '1838.0',
      display_total: '¥1,838',
      payments: [{ amount: '1838.0', display_amount: '¥1,838' }],
    });
    const payment = `/orders/${order.number}/payments/${order.payments[0].id}`;
    const captured = await update(`${payment}/capture`, { amount: '1000.5' });
    expect(captured).toMatchObject({ amount: '1001.0', display_amount: '¥1,001' });
    await update(`${payment}/credit`, { amount: '0.5' });
    await update(`${payment}/credit`, { amount: '99.49' });
    const shown = (await admin.get(`/orders/${order.number}`)).body;
    expect(shown.payment_total).toBe('901.0');
    const tooLittle = await admin.put(`${payment}/credit`, { amount: '0.49' });
    expect([tooLittle.status, tooLittle.body.errors]).toEqual([422, { amount: ['must be greater than 0'] }]);
    const named = await createAsAdmin(`/orders/${order.number}/payments`, {
      payment: { payment_method_id: await getPaymentMethodId('Check'), amount: '10.5' },
    });
    expect(named.amount).toBe('11.0');
    expect(
      (await update(`/orders/${order.number}/payments/${named.id}`, { payment: { amount: '3.5' } })).amount,
    ).toBe('4.0');
    await expectConsistent(order);
  });

  test('rounds returns', async () => {
    const order = await placeOrder({ variant_id: variantId, quantity: 1 }, 'JPY');
    await update(`/orders/${order.number}/payments/${order.payments[0].id}/capture`);
    await update(`/shipments/${order.shipments[0].number}/ship`);
    const reason = await testDb()('return_authorization_reasons').first('id');
    const path = `/orders/${order.number}/return_authorizations`;
    const opened = await createAsAdmin(path, {
      return_authorization: {
        stock_location_id: (await testDb()('stock_locations').first('id')).id,
        return_authorization_reason_id: reason.id,
        amount: '308.5',
      },
    });
    expect(opened.amount).toBe('309.0');
    expect((await update(`${path}/${opened.id}`, { return_authorization: { amount: '617.5' } })).amount).toBe(
      '618.0',
    );
    await update(`${path}/${opened.id}/add`, { variant_id: variantId, quantity: 1 });
    await update(`${path}/${opened.id}/receive`);
    expect((await admin.get(`/orders/${order.number}`)).body).toMatchObject({
      adjustments: [{ amount: '-618.0', display_amount: '-¥618' }],
      payment_state: 'credit_owed',
    });
    await expectConsistent(order);
  });
});

test('dinars are rounded to hundredths and shown with three digits', async () => {
  const settings = await setStoreCurrency('KWD', '1.2345');
  const product = await createAsAdmin('/products', {
    product: { name: 'Bisht', price: '1.2351', ...settings },
  });
  expect(product).toMatchObject({ price: '1.24', display_price: 'KWD1.240' });
  const variant_id = await stockMaster(product);
  const order = await placeOrder({ variant_id, quantity: 3, price: '1.2345' }, 'KWD');
  expect(order).toMatchObject({
    line_items: [{ price: '1.23' }],
    item_total: '3.69',
    ship_total: '1.23',
    // 8.25 percent of 3.69 are 0.304425.
    tax_total: '0.3',
    total: '5.22',
    display_total: 'KWD5.220',
    payments: [{ amount: '5.22' }],
  });
  const payment = `/orders/${order.number}/payments/${order.payments[0].id}`;
  expect((await update(`${payment}/capture`, { amount: '5.2150' })).amount).toBe('5.22');
  await update(`${payment}/credit`, { amount: '0.005' });
  expect((await admin.get(`/orders/${order.number}`)).body.payment_total).toBe('5.21');
  await expectConsistent(order);
});

test('a price with more than two decimals is rounded half up', async () => {
  const product = await aProduct({ price: '1.005' });
  expect(product.price).toBe('1.01');
});
