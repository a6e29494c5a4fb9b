import { aCustomer, anAdmin, asAdmin, createAsAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { INVALID } from '../../support/error-bodies';
import { expectNoViolations } from '../../support/invariants';
import { aSellableVariant, buildMarylandAddress, getTotalOnHand } from '../../support/orders.factory';
import { aStockItem, aStockLocation } from '../../support/stock.factory';
import { unique } from '../../support/unique';

/*
 * Orders that an admin imports with `completed_at`: sales that were made elsewhere, with their payments, shipments and
 * adjustments.
 */

const SOLD_AT = '2025-12-24T10:00:00.000Z';
const SHIPPED_AT = '2025-12-27T08:30:00.000Z';

async function importOrder(order: object): Promise<any> {
  const reply = await (await asAdmin()).post('/orders', { order: { completed_at: SOLD_AT, ...order } });
  if (reply.status !== 201) throw new Error(reply.text);
  expect(reply.headers['x-ignored-parameters']).toBeUndefined();
  return reply.body;
}

async function getNorthAmericaId(): Promise<number> {
  return (await testDb()('zones').where({ name: 'North America' }).first('id')).id;
}

async function aShippingMethod(): Promise<{ id: number; name: string }> {
  const category = await createAsAdmin('/shipping_categories', {
    shipping_category: { name: unique('class') },
  });
  return createAsAdmin('/shipping_methods', {
    shipping_method: {
      name: unique('Post'),
      calculator_type: 'flat_rate',
      calculator_preferences: { amount: '99' },
      zone_ids: [await getNorthAmericaId()],
      shipping_category_ids: [category.id],
    },
  });
}

const countMovements = async (variant_id: number): Promise<number> =>
  Number(
    (
      await testDb()('stock_movements')
        .join('stock_items', 'stock_items.id', 'stock_movements.stock_item_id')
        .where({ variant_id })
        .count({ count: '*' })
        .first()
    )?.['count'],
  );

test('a variant with two prices is refused, as a line item has one', async () => {
  const { id: variant_id } = await aSellableVariant({ stock: 9, price: '10' });
  const client = await asAdmin();
  const sell = (rows: object[], order = {}) =>
    client.post('/orders', { order: { line_items: rows.map((row) => ({ variant_id, ...row })), ...order } });
  const twoPrices = [{ price: '10' }, { price: '8.50', quantity: 2 }];
  for (const order of [{ completed_at: SOLD_AT }, {}]) {
    const reply = await sell(twoPrices, order);
    expect([reply.status, reply.body.errors]).toEqual([
      422,
      { 'line_items.price': ['must be the same for all rows of a variant'] },
    ]);
    const merged = await sell([{ price: '8.5' }, { price: '8.50', quantity: 2 }, {}], order);
    expect(merged.body.line_items).toMatchObject([{ price: '8.5', quantity: 4 }]);
  }
  const shopper = await api(await aCustomer()).post('/orders', {
    order: { line_items: twoPrices.map((row) => ({ variant_id, ...row })) },
  });
  expect(shopper.body.line_items).toMatchObject([{ price: '10.0', quantity: 3 }]);
});

describe('a shipped and paid sale', () => {
  test('is stored with payments, shipments and adjustments, and leaves stock alone', async () => {
    const { id: variant_id } = await aSellableVariant({ stock: 1, price: '99' });
    const [method, movements] = [await aShippingMethod(), await countMovements(variant_id)];
    const address = await buildMarylandAddress();
    const order = await importOrder({
      email: 'till@example.com',
      bill_address: address,
      ship_address: address,
      line_items: [{ variant_id, quantity: 3, price: '10' }],
      adjustments: [
        { label: 'Loyalty', amount: '-2.50' },
        { label: 'Sales tax', amount: 1.8 },
      ],
      payments: [
        {
          amount: '20',
          payment_method: 'Credit Card',
          response_code: 'abc',
          source: { month: 1, year: 2020, cc_type: 'visa', last_digits: '4242', name: 'Ann Lee' },
        },
        { amount: '14.20', payment_method: 'Check' },
      ],
      shipments: [
        {
          tracking: 'T1',
          shipping_method: method.name,
          cost: '4.90',
          stock_location: 'default',
          shipped_at: SHIPPED_AT,
        },
      ],
    });
    expect(order).toMatchObject({
      state: 'complete',
      completed_at: SOLD_AT,
      payment_state: 'paid',
      shipment_state: 'shipped',
      item_total: '30.0',
      ship_total: '4.9',
      adjustment_total: '-0.7',
      total: '34.2',
      payment_total: '34.2',
      tax_total: '0.0',
      adjustments: [
        { label: 'Loyalty', amount: '-2.5' },
        { label: 'Sales tax', amount: '1.8' },
      ],
      payments: [
        {
          amount: '20.0',
          state: 'completed',
          source: { month: '1', year: '2020', cc_type: 'visa', last_digits: '4242', name: 'Ann Lee' },
        },
        { amount: '14.2', state: 'completed', source: null, payment_method: { name: 'Check' } },
      ],
      shipments: [
        {
          tracking: 'T1',
          cost: '4.9',
          state: 'shipped',
          shipped_at: SHIPPED_AT,
          stock_location_name: 'default',
          selected_shipping_rate: { name: method.name, cost: '4.9' },
          manifest: [{ variant_id, quantity: 3, states: { shipped: 3 } }],
        },
      ],
    });
    expect([await getTotalOnHand(variant_id), await countMovements(variant_id)]).toEqual([1, movements]);
    await expectNoViolations({ order_ids: [order.id] });
    // It was sold as it was imported.
    const { body } = await (await asAdmin()).get(`/orders/${order.number}/history`);
    expect(body).toMatchObject({ changes_count: 0, changes: [] });
  });

  test('needs no stock, stock item or card', async () => {
    const { id: variant_id } = await aSellableVariant({ stock: 0, price: '5' });
    const location = await aStockLocation({ propagate_all_variants: false });
    const order = await importOrder({
      line_items_attributes: [{ variant_id }],
      payments_attributes: [{ amount: 5, payment_method: 'Credit Card', status: 'completed' }],
      shipments_attributes: [{ stock_location: location.name, shipped_at: SHIPPED_AT }],
      adjustments_attributes: { 0: { label: 'Rounding', amount: 0 } },
    });
    expect(order).toMatchObject({
      payment_state: 'paid',
      shipment_state: 'shipped',
      total: '5.0',
      payments: [{ source: null }],
      shipments: [{ stock_location_name: location.name, cost: '0.0' }],
    });
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('has adjustments of line items and shipments under both names', async () => {
    const { id: variant_id } = await aSellableVariant({ stock: 0, price: '5' });
    const imported = async (name: 'adjustments' | 'adjustments_attributes') =>
      importOrder({
        line_items: [{ variant_id, [name]: [{ label: 'Loyal', amount: '-1' }] }],
        shipments: [{ shipped_at: SHIPPED_AT, [name]: { 0: { label: 'Island', amount: '2' } } }],
      });
    for (const order of [await imported('adjustments'), await imported('adjustments_attributes')]) {
      expect(order).toMatchObject({
        total: '6.0',
        line_items: [{ adjustments: [{ label: 'Loyal', amount: '-1.0' }] }],
        shipments: [{ adjustments: [{ label: 'Island', amount: '2.0' }] }],
      });
      await expectNoViolations({ order_ids: [order.id] });
    }
  });

  test.each(['Check', 'Credit Card'])('can be returned and credited: %s', async (payment_method) => {
    const { id: variant_id } = await aSellableVariant({ stock: 1, price: '8' });
    const order = await importOrder({
      line_items: [{ variant_id, quantity: 2 }],
      payments: [{ amount: '16', payment_method }],
      shipments: [{ shipped_at: SHIPPED_AT }],
    });
    const admin = await asAdmin();
    const [reason] = await testDb()('return_authorization_reasons').select('id').limit(1);
    const stock_location_id = (await testDb()('stock_locations').where({ name: 'default' }).first('id')).id;
    const path = `/orders/${order.number}/return_authorizations`;
    const made = await admin.post(path, {
      return_authorization: { stock_location_id, return_authorization_reason_id: reason.id },
    });
    expect(made.status).toBe(201);
    const own = `${path}/${made.body.id}`;
    expect((await admin.put(`${own}/add`, { variant_id, quantity: 1 })).status).toBe(200);
    expect((await admin.put(`${own}/receive`)).body.state).toBe('received');
    const credit = await admin.put(`/orders/${order.number}/payments/${order.payments[0].id}/credit`);
    expect(credit.status).toBe(200);
    expect((await admin.get(`/orders/${order.number}`)).body).toMatchObject({
      total: '8.0',
      payment_total: '8.0',
      payment_state: 'paid',
    });
    await expectNoViolations({ order_ids: [order.id] });
  });
});

describe('a variant without inventory tracking', () => {
  const anUntrackedVariant = async (): Promise<number> => {
    const { id } = await aSellableVariant({ stock: 4, price: '10' });
    const tracking = await (await asAdmin()).put(`/variants/${id}`, { variant: { track_inventory: false } });
    expect(tracking.status).toBe(200);
    return id;
  };
  const countOnHand = async (variant_id: number): Promise<number> =>
    Number(
      (await testDb()('stock_items').where({ variant_id }).sum({ all: 'count_on_hand' }).first())?.['all'],
    );

  test('gives no stock back that its import did not take', async () => {
    const variant_id = await anUntrackedVariant();
    const [depot, stock] = [await aStockLocation({}), await countOnHand(variant_id)];
    const order = await importOrder({
      line_items: [{ variant_id, quantity: 9 }],
      shipments: [
        { stock_location: 'default', inventory_units: [{ variant_id, quantity: 4 }] },
        { stock_location: depot.name, inventory_units: [{ variant_id, quantity: 2 }] },
      ],
    });
    expect(await countOnHand(variant_id)).toBe(stock);
    const admin = await asAdmin();
    await admin.put(`/variants/${variant_id}`, { variant: { track_inventory: true } });
    expect((await admin.put(`/orders/${order.number}/cancel`)).body.state).toBe('canceled');
    expect(await countOnHand(variant_id)).toBe(stock);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('gives no stock back when a shipped import is returned', async () => {
    const variant_id = await anUntrackedVariant();
    const stock = await countOnHand(variant_id);
    const order = await importOrder({
      line_items: [{ variant_id, quantity: 2 }],
      shipments: [{ shipped_at: SHIPPED_AT }],
    });
    const admin = await asAdmin();
    await admin.put(`/variants/${variant_id}`, { variant: { track_inventory: true } });
    const [reason] = await testDb()('return_authorization_reasons').select('id').limit(1);
    const path = `/orders/${order.number}/return_authorizations`;
    const made = await admin.post(path, {
      return_authorization: {
        stock_location_id: (await testDb()('stock_locations').where({ name: 'default' }).first('id')).id,
        return_authorization_reason_id: reason.id,
      },
    });
    await admin.put(`${path}/${made.body.id}/add`, { variant_id, quantity: 2 });
    expect((await admin.put(`${path}/${made.body.id}/receive`)).body.state).toBe('received');
    expect(await countOnHand(variant_id)).toBe(stock);
    await expectNoViolations({ order_ids: [order.id] });
  });
});

describe('what has not shipped', () => {
  test('takes stock from the location of its shipment, backordered where possible', async () => {
    const { id: variant_id } = await aSellableVariant({ stock: 5, price: '10' });
    const depot = await aStockLocation({ propagate_all_variants: false, backorderable_default: true });
    await aStockItem({ stock_location_id: depot.id, variant_id, count_on_hand: 1, backorderable: true });
    const order = await importOrder({
      line_items: [{ variant_id, quantity: 4 }],
      shipments: [
        { stock_location: 'default', shipped_at: SHIPPED_AT, inventory_units: [{ variant_id }] },
        { stock_location: depot.name, tracking: 'T2' },
      ],
    });
    expect(order).toMatchObject({
      shipment_state: 'backorder',
      payment_state: 'balance_due',
      shipments: [
        { state: 'shipped', manifest: [{ quantity: 1 }] },
        { state: 'pending', tracking: 'T2', manifest: [{ states: { on_hand: 1, backordered: 2 } }] },
      ],
    });
    const counts = await testDb()('stock_items').where({ variant_id }).orderBy('id').pluck('count_on_hand');
    expect(counts).toEqual([5, -2]);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('and is in no shipment is packed without cost', async () => {
    const one = await aSellableVariant({ stock: 5, price: '10' });
    const other = await aSellableVariant({ stock: 5, price: '10' });
    const sku = unique('SKU');
    await testDb()('variants').where({ id: other.id }).update({ sku });
    const address = await buildMarylandAddress();
    const order = await importOrder({
      ship_address: address,
      line_items: [
        { variant_id: one.id, quantity: 2 },
        { sku, quantity: 2 },
      ],
      payments: [{ amount: '40', payment_method: 'Check' }],
      shipments: [{ shipped_at: SHIPPED_AT, inventory_units: [{ sku }, { sku, quantity: 1 }] }],
    });
    expect(order).toMatchObject({
      total: '40.0',
      ship_total: '0.0',
      shipment_state: 'partial',
      payment_state: 'paid',
      shipments: [
        { state: 'shipped', manifest: [{ variant_id: other.id, quantity: 2 }] },
        { state: 'ready', manifest: [{ variant_id: one.id, quantity: 2 }] },
      ],
    });
    expect([await getTotalOnHand(one.id), await getTotalOnHand(other.id)]).toEqual([3, 5]);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test.each(['in a shipment', 'in none'])('is refused without stock: %s', async (where) => {
    const { id: variant_id } = await aSellableVariant({ stock: 1 });
    const reply = await (
      await asAdmin()
    ).post('/orders', {
      order: {
        number: unique('R'),
        completed_at: SOLD_AT,
        line_items: [{ variant_id, quantity: 2 }],
        ...(where === 'in a shipment' && { shipments: [{ stock_location: 'default' }] }),
      },
    });
    expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, ['line_items.quantity']]);
    expect(await getTotalOnHand(variant_id)).toBe(1);
  });
});

describe('taxes and promotions of today', () => {
  test('do not apply, neither at the import nor when the order changes later', async () => {
    const category = await createAsAdmin('/tax_categories', { tax_category: { name: unique('taxed') } });
    const rate = {
      name: 'Tax',
      tax_category_id: category.id,
      zone_id: await getNorthAmericaId(),
      amount: '0.1',
    };
    await createAsAdmin('/tax_rates', { tax_rate: rate });
    const product = { tax_category_id: category.id };
    const { id: variant_id, product_id } = await aSellableVariant({ price: '20', product });
    await createAsAdmin('/promotions', {
      promotion: {
        name: unique('Sale'),
        rules: [{ type: 'product', product_ids: [product_id] }],
        actions: [{ type: 'line_percent', percent: '50' }],
      },
    });
    const address = await buildMarylandAddress();
    const order = await importOrder({
      email: 'ann@example.com',
      bill_address: address,
      ship_address: address,
      line_items: [{ variant_id }],
      shipments: [{}],
      payments: [{ amount: '20', payment_method: 'Check' }],
    });
    const sold = { total: '20.0', tax_total: '0.0', adjustment_total: '0.0', payment_state: 'paid' };
    expect(order).toMatchObject(sold);
    const admin = await asAdmin();
    const [shipment] = order.shipments;
    await admin.put(`/shipments/${shipment.number}`, { shipment: { tracking: 'T1' } });
    expect((await admin.put(`/shipments/${shipment.number}/ship`)).body.state).toBe('shipped');
    expect((await admin.get(`/orders/${order.number}`)).body).toMatchObject(sold);
    await expectNoViolations({ order_ids: [order.id] });
  });
});

describe('payments', () => {
  test.each([
    ['checkout', 'balance_due', '0.0'],
    ['pending', 'balance_due', '0.0'],
    ['completed', 'paid', '15.99'],
    ['failed', 'failed', '0.0'],
    ['void', 'balance_due', '0.0'],
    ['invalid', 'failed', '0.0'],
  ])('in state %s have an opening history', async (state, payment_state, payment_total) => {
    const { id: variant_id } = await aSellableVariant();
    const order = await importOrder({
      line_items: [{ variant_id }],
      payments: [{ amount: '15.99', payment_method: 'Check', state }],
    });
    expect(order).toMatchObject({ payment_state, payment_total, payments: [{ state }] });
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('that are pending can be captured, in part too', async () => {
    const { id: variant_id } = await aSellableVariant({ price: '20' });
    const order = await importOrder({
      line_items: [{ variant_id }],
      payments: [{ amount: '20', payment_method: 'Credit Card', state: 'pending', response_code: '12345' }],
    });
    const path = `/orders/${order.number}/payments/${order.payments[0].id}/capture`;
    const reply = await (await asAdmin()).put(path, { amount: '5' });
    expect([reply.status, reply.body]).toMatchObject([200, { state: 'completed', amount: '5.0' }]);
    await expectNoViolations({ order_ids: [order.id] });
  });

  test('keep no card number, and their card belongs to the order’s user', async () => {
    const ann = await aCustomer();
    const { id: variant_id } = await aSellableVariant();
    const order = await importOrder({
      user_id: ann.id,
      line_items: [{ variant_id }],
      payments: [
        {
          amount: '15.99',
          payment_method: 'Credit Card',
          source: { number: '4111 1111 1111 1111', month: '2', year: '30', verification_value: '123' },
        },
      ],
    });
    expect(order.payments[0].source).toMatchObject({ last_digits: '1111', year: '2030', name: '' });
    const [card] = await testDb()('credit_cards').where({ id: order.payments[0].source_id });
    expect(card).toMatchObject({ user_id: ann.id, is_default: false, gateway_customer_profile_id: null });
    expect(JSON.stringify([card, order])).not.toMatch(/4111 ?1111/);
    await expectNoViolations({ order_ids: [order.id] });
  });
});

test.each<[string, object, object]>([
  [
    'a card that is text',
    { payments: [{ amount: 1, payment_method: 'Credit Card', source: '4111111111111111' }] },
    { 'payments.source': ['is invalid'] },
  ],
  ['an address that is text', { ship_address: '12 Oak St, Bethesda' }, { ship_address: ['is invalid'] }],
  [
    'a list of addresses',
    { bill_address_attributes: [{ city: 'Bethesda' }] },
    { bill_address: ['is invalid'] },
  ],
  [
    'an unknown payment method',
    { payments: [{ amount: 1, payment_method: 'Nope' }] },
    { 'payments.payment_method': ["can't be blank"] },
  ],
  ['no payment method', { payments: [{ amount: 1 }] }, { 'payments.payment_method': ["can't be blank"] }],
  [
    'an unknown payment state',
    { payments: [{ amount: 1, payment_method: 'Check', state: 'processing' }] },
    { 'payments.state': ['is invalid'] },
  ],
  ['no amount', { payments: [{ payment_method: 'Check' }] }, { 'payments.amount': ["can't be blank"] }],
  [
    'a negative amount',
    { payments: [{ payment_method: 'Check', amount: '-1' }] },
    { 'payments.amount': ['must be greater than or equal to 0'] },
  ],
  [
    'a card of a check',
    { payments: [{ amount: 1, payment_method: 'Check', source: { month: 1, year: 2030 } }] },
    { 'payments.source': ['must be blank'] },
  ],
  [
    'an unreadable card',
    { payments: [{ amount: 1, payment_method: 'Credit Card', source: { month: 'x' } }] },
    { 'payments.Credit Card': ['Month is not a number', 'Year is not a number'] },
  ],
  ...[0, 13].map((month): [string, object, object] => [
    `a card of month ${month}`,
    { payments: [{ amount: 1, payment_method: 'Credit Card', source: { month, year: 2030 } }] },
    { 'payments.Credit Card': ['Card expiration is invalid'] },
  ]),
  [
    'a card number as profile',
    {
      payments: [
        {
          amount: 1,
          payment_method: 'Credit Card',
          source: { month: 1, year: 2030, gateway_customer_profile_id: '4111-1111-1111-1111' },
        },
      ],
    },
    { 'payments.Credit Card': ['Profile is invalid'] },
  ],
  [
    'an unknown stock location',
    { shipments: [{ stock_location: 'Nope' }] },
    { 'shipments.stock_location': ["can't be blank"] },
  ],
  [
    'an unknown shipping method',
    { shipments: [{ shipping_method: 'Nope' }] },
    { 'shipments.shipping_method': ["can't be blank"] },
  ],
  [
    'a cost without a method',
    { shipments: [{ cost: 5 }] },
    { 'shipments.shipping_method': ["can't be blank"] },
  ],
  [
    'a shipment in the future',
    { shipments: [{ shipped_at: '2999-01-01' }] },
    { 'shipments.shipped_at': ['cannot be in the future'] },
  ],
  [
    'a shipment without units',
    { shipments: [{ shipped_at: SHIPPED_AT }, { shipped_at: SHIPPED_AT }] },
    { 'shipments.inventory_units': ["can't be blank"] },
  ],
  [
    'units that the order does not have',
    { shipments: [{ inventory_units: [{ variant_id: 2147483647 }] }] },
    { 'shipments.inventory_units': ['are not in the order'] },
  ],
  [
    'an adjustment without label',
    { adjustments: [{ amount: 1 }] },
    { 'adjustments.label': ["can't be blank"] },
  ],
  [
    'an adjustment without amount',
    { adjustments: [{ label: 'x' }] },
    { 'adjustments.amount': ["can't be blank"] },
  ],
  [
    'adjustments below zero',
    { adjustments: [{ label: 'x', amount: '-100' }] },
    { total: ['must be greater than or equal to 0'] },
  ],
])('%s is refused, and nothing is stored', async (_name, parts, errors) => {
  const { id: variant_id } = await aSellableVariant({ stock: 3, price: '20' });
  const number = unique('R').toUpperCase();
  const order = { number, completed_at: SOLD_AT, line_items: [{ variant_id }], ...parts };
  const admin = api(await anAdmin());
  const reply = await admin.post('/orders', { order });
  expect([reply.status, reply.body]).toEqual([422, { error: INVALID, errors }]);
  expect((await admin.get(`/orders/${number}`)).status).toBe(404);
  expect(await getTotalOnHand(variant_id)).toBe(3);
});

describe('without completed_at', () => {
  test('payments, shipments and adjustments of an admin are stored in a cart', async () => {
    const { id: variant_id } = await aSellableVariant({ stock: 5, price: '10' });
    const method = await aShippingMethod();
    const admin = await asAdmin();
    const reply = await admin.post('/orders', {
      order: {
        line_items: [{ variant_id, quantity: 2 }],
        adjustments: [{ label: 'Gift', amount: '-1' }],
        payments: [{ amount: '4', payment_method: 'Check', state: 'checkout' }],
        shipments: [{ shipping_method: method.name, cost: '3' }],
      },
    });
    expect([reply.status, reply.body]).toMatchObject([
      201,
      {
        state: 'cart',
        completed_at: null,
        total: '22.0',
        payment_total: '0.0',
        adjustments: [{ amount: '-1.0' }],
        payments: [{ amount: '4.0', state: 'checkout' }],
        shipments: [{ cost: '3.0', state: 'pending', manifest: [{ quantity: 2, states: { on_hand: 2 } }] }],
      },
    ]);
    expect(await getTotalOnHand(variant_id)).toBe(5);
    await expectNoViolations({ order_ids: [reply.body.id] });

    const shipped = await admin.post('/orders', {
      order: { line_items: [{ variant_id }], shipments: [{ shipped_at: SHIPPED_AT }] },
    });
    expect([shipped.status, shipped.body.errors]).toEqual([
      422,
      { 'shipments.shipped_at': ['must be blank unless the order is complete'] },
    ]);
  });

  test('shoppers cannot send them', async () => {
    const { id: variant_id } = await aSellableVariant({ price: '10' });
    const reply = await api().post('/orders', {
      order: {
        line_items: [{ variant_id }],
        adjustments: [{ label: 'Gift', amount: '-10' }],
        payments: [{ amount: '10', payment_method: 'Check' }],
        shipments: [{ shipped_at: SHIPPED_AT }],
        invoice_number: 'RE-1',
        invoiced_at: SOLD_AT,
        documents: false,
      },
    });
    expect([reply.status, reply.body]).toMatchObject([
      201,
      { total: '10.0', payment_total: '0.0', adjustments: [], payments: [], shipments: [] },
    ]);
    expect(reply.headers['x-ignored-parameters']).toBe(
      'order.adjustments, order.payments, order.shipments, order.invoice_number, order.invoiced_at, order.documents',
    );
  });
});
