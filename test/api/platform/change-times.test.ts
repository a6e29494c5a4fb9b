import { api } from '../../support/api';
import { aSignedUpCustomer, asAdmin } from '../../support/accounts.factory';
import { testDb } from '../../support/database';
import { uploadImage } from '../../support/images.factory';
import { aSellableVariant, orderInState, setStock } from '../../support/orders.factory';
import { anOptionType, aProduct, aVariant } from '../../support/products.factory';
import { aPaidOrder, aShippedOrder, getDefaultLocationId } from '../../support/shipments.factory';
import { unique } from '../../support/unique';

const readTime = async (table: string, id: number): Promise<number> =>
  Number((await testDb()(table).where({ id }).first('updated_at')).updated_at);

/** Returns whether `updated_at` of a record moved during the work. */
async function moves(table: string, id: number, work: () => Promise<unknown>): Promise<boolean> {
  const before = await readTime(table, id);
  await work();
  return (await readTime(table, id)) > before;
}

async function ok(reply: Promise<{ status: number; text: string; body: any }>): Promise<any> {
  const { status, text, body } = await reply;
  if (status >= 300) throw new Error(`${status} ${text}`);
  return body;
}

describe('updated_at of a variant and of its product moves', () => {
  let product: any;
  let variant: any;
  let type: any;
  let admin: Awaited<ReturnType<typeof asAdmin>>;
  let path: string;

  beforeAll(async () => {
    admin = await asAdmin();
    type = await anOptionType('Colour', 'navy', 'red');
    product = await aProduct({ option_type_ids: [type.id] });
    variant = await aVariant(product, { option_value_ids: [type.option_values[0].id] });
    path = `/products/${product.id}/variants/${variant.id}`;
  });

  const put = (attributes: object) => ok(admin.put(path, { variant: attributes }));

  test.each<[string, () => Promise<unknown>]>([
    ['price', () => put({ price: '31' })],
    ['bulk price', () => ok(admin.post('/bulk/prices', { rows: [{ variant_id: variant.id, price: '32' }] }))],
    ['option', () => put({ option_value_ids: [type.option_values[1].id] })],
    ['weight', () => put({ weight: '2' })],
    ['image', () => uploadImage(`/variants/${variant.id}/images`)],
    [
      'name of the product',
      () => ok(admin.put(`/products/${product.id}`, { product: { name: unique('Bag') } })),
    ],
  ])('with its %s', async (_what, change) => {
    const before = await readTime('products', product.id);
    expect(await moves('variants', variant.id, change)).toBe(true);
    expect((await readTime('products', product.id)) > before).toBe(true);
  });

  test('not with its stock, a sale, or the name of an option type', async () => {
    const sold = await aSellableVariant();
    const before = await readTime('products', sold.product_id);
    const work = async () => {
      await setStock(sold.id, { stock: 5 });
      await orderInState('complete', { lines: [{ variant_id: sold.id }] });
    };
    expect(await moves('variants', sold.id, work)).toBe(false);
    expect(await readTime('products', sold.product_id)).toBe(before);
    const rename = () =>
      ok(admin.put(`/option_types/${type.id}`, { option_type: { presentation: unique('Tint') } }));
    expect(await moves('variants', variant.id, rename)).toBe(false);
  });

  test('not of the other variants of the product', async () => {
    const other = await aVariant(product, { option_value_ids: [type.option_values[0].id] });
    expect(await moves('variants', other.id, () => put({ price: '33' }))).toBe(false);
  });
});

test('updated_at in the JSON of a variant is that of its row', async () => {
  const product = await aProduct();
  const shown = (await api().get(`/variants/${product.master.id}`)).body.updated_at;
  expect(Date.parse(shown)).toBe(await readTime('variants', product.master.id));
  const inProduct = (await api().get(`/products/${product.id}`)).body.master.updated_at;
  expect(inProduct).toBe(shown);
});

describe('updated_at of a sold order moves', () => {
  test.each<
    [
      string,
      () => Promise<any>,
      (order: any) => [method: 'put' | 'post' | 'delete', path: string, body?: object],
    ]
  >([
    [
      'the quantity of a line',
      () => orderInState('complete'),
      (order) => [
        'put',
        `/orders/${order.number}/line_items/${order.line_items[0].id}`,
        { line_item: { quantity: 3 } },
      ],
    ],
    [
      'a removed line',
      () => orderInState('complete'),
      (order) => ['delete', `/orders/${order.number}/line_items/${order.line_items[0].id}`],
    ],
    [
      'a captured payment',
      () => orderInState('complete'),
      (order) => ['put', `/orders/${order.number}/payments/${order.payments[0].id}/capture`],
    ],
    [
      'a voided payment',
      () => orderInState('complete'),
      (order) => ['put', `/orders/${order.number}/payments/${order.payments[0].id}/void`],
    ],
    [
      'a credit',
      () => aPaidOrder(),
      (order) => ['put', `/orders/${order.number}/payments/${order.payments[0].id}/credit`, { amount: '1' }],
    ],
    [
      'the tracking code of a shipment',
      () => orderInState('complete'),
      (order) => ['put', `/shipments/${order.shipments[0].number}`, { shipment: { tracking: 'T1' } }],
    ],
    [
      'a shipped shipment',
      () => aPaidOrder(),
      (order) => ['put', `/shipments/${order.shipments[0].number}/ship`],
    ],
    [
      'a return',
      () => aShippedOrder(),
      (order) => [
        'post',
        `/orders/${order.number}/return_authorizations`,
        { return_authorization: order.returning },
      ],
    ],
    [
      'an adjustment',
      () => orderInState('complete'),
      (order) => [
        'post',
        `/orders/${order.number}/adjustments`,
        { adjustment: { label: 'Gift wrap', amount: '2' } },
      ],
    ],
    [
      'an address',
      () => orderInState('complete'),
      (order) => [
        'put',
        `/orders/${order.number}/addresses/${order.ship_address.id}`,
        { address: { firstname: 'Eve' } },
      ],
    ],
    ['an approval', () => orderInState('complete'), (order) => ['put', `/orders/${order.number}/approve`]],
    ['a cancellation', () => orderInState('complete'), (order) => ['put', `/orders/${order.number}/cancel`]],
  ])('with %s', async (_what, make, request) => {
    const admin = await asAdmin();
    const order = await make();
    order.returning = {
      stock_location_id: await getDefaultLocationId(),
      return_authorization_reason_id: (await testDb()('return_authorization_reasons').first('id')).id,
    };
    const [method, path, body] = request(order);
    const send = () => ok(method === 'delete' ? admin.delete(path) : admin[method](path, body ?? {}));
    expect(await moves('orders', order.id, send)).toBe(true);
  });

  test('with each change of a return', async () => {
    const admin = await asAdmin();
    const order = await aShippedOrder();
    const path = `/orders/${order.number}/return_authorizations`;
    const reason = (await testDb()('return_authorization_reasons').first('id')).id;
    const made = await ok(
      admin.post(path, {
        return_authorization: {
          stock_location_id: await getDefaultLocationId(),
          return_authorization_reason_id: reason,
        },
      }),
    );
    const steps: [string, () => Promise<unknown>][] = [
      ['memo', () => ok(admin.put(`${path}/${made.id}`, { return_authorization: { memo: 'torn' } }))],
      ['add', () => ok(admin.put(`${path}/${made.id}/add`, { variant_id: order.line_items[0].variant_id }))],
      ['receive', () => ok(admin.put(`${path}/${made.id}/receive`))],
    ];
    for (const [step, work] of steps) {
      const before = await readTime('return_authorizations', made.id);
      expect([step, await moves('orders', order.id, work)]).toEqual([step, true]);
      expect([step, (await readTime('return_authorizations', made.id)) > before]).toEqual([step, true]);
    }
    const second = await ok(
      admin.post(path, {
        return_authorization: {
          stock_location_id: await getDefaultLocationId(),
          return_authorization_reason_id: reason,
        },
      }),
    );
    expect(await moves('orders', order.id, () => ok(admin.delete(`${path}/${second.id}`)))).toBe(true);
  });

  test('with arriving stock that fills its backorders, and so does its shipment', async () => {
    const variant = await aSellableVariant({ stock: 0, backorderable: true });
    const order = await orderInState('complete', { lines: [{ variant_id: variant.id, quantity: 3 }] });
    const item = await testDb()('stock_items').where({ variant_id: variant.id, deleted_at: null }).first();
    const arrive = async () =>
      ok(
        (await asAdmin()).post(`/stock_locations/${item.stock_location_id}/stock_movements`, {
          stock_movement: { stock_item_id: item.id, quantity: 1 },
        }),
      );
    const shipment = await readTime('shipments', order.shipments[0].id);
    expect(await moves('orders', order.id, arrive)).toBe(true);
    expect((await readTime('shipments', order.shipments[0].id)) > shipment).toBe(true);
  });
});

test('updated_at of a line item stays when only another line item changes', async () => {
  const [tote, mug] = [await aSellableVariant(), await aSellableVariant()];
  const order = await orderInState('cart', { lines: [{ variant_id: tote.id }, { variant_id: mug.id }] });
  const [kept, changed] = order.line_items;
  const line_items = [
    { id: kept.id, quantity: kept.quantity },
    { id: changed.id, quantity: 3 },
  ];
  const send = () => ok(api(order.caller).put(`/orders/${order.number}`, { order: { line_items } }));
  expect(await moves('line_items', kept.id, send)).toBe(false);
});

test('updated_at of a shipment moves with its contents', async () => {
  const admin = await asAdmin();
  const order = await orderInState('complete');
  const [shipment] = order.shipments;
  const { variant_id } = order.line_items[0];
  const path = `/shipments/${shipment.number}`;
  for (const [step, quantity] of [
    ['add', 1],
    ['remove', 1],
  ] as const) {
    const work = () => ok(admin.put(`${path}/${step}`, { variant_id, quantity }));
    expect([step, await moves('shipments', shipment.id, work)]).toEqual([step, true]);
  }
});

test('updated_at of a payment moves with a refund', async () => {
  const order = await aPaidOrder();
  const [{ id }] = order.payments;
  const credit = async () =>
    ok((await asAdmin()).put(`/orders/${order.number}/payments/${id}/credit`, { amount: '1' }));
  expect(await moves('payments', id, credit)).toBe(true);
});

describe('updated_at of a user moves', () => {
  test('with a role, an e-mail address and an address', async () => {
    const admin = await asAdmin();
    const user = await aSignedUpCustomer();
    const change = (attributes: object) => () => ok(admin.put(`/users/${user.id}`, { user: attributes }));
    expect(await moves('users', user.id, change({ roles: ['support'] }))).toBe(true);
    const order = await orderInState('delivery', { caller: user });
    const { ship_address } = order;
    const address = {
      ...ship_address,
      id: undefined,
      country: undefined,
      state: undefined,
      firstname: 'Eve',
    };
    expect(await moves('users', user.id, change({ bill_address_attributes: address }))).toBe(true);
    const saved = (await admin.get(`/users/${user.id}`)).body.bill_address;
    const rename = () =>
      ok(admin.put(`/users/${user.id}/addresses/${saved.id}`, { address: { firstname: 'Ada' } }));
    expect(await moves('users', user.id, rename)).toBe(true);
    // Last, because it ends the tokens of the user.
    expect(await moves('users', user.id, change({ email: `${unique('eve')}@example.com` }))).toBe(true);
  });
});

test('updated_at of a stock item moves with each sale and with backorderable', async () => {
  const variant = await aSellableVariant();
  const item = await testDb()('stock_items').where({ variant_id: variant.id, deleted_at: null }).first();
  const sell = () => orderInState('complete', { lines: [{ variant_id: variant.id }] });
  expect(await moves('stock_items', item.id, sell)).toBe(true);
  const allow = async () =>
    ok((await asAdmin()).put(`/stock_items/${item.id}`, { stock_item: { backorderable: true } }));
  expect(await moves('stock_items', item.id, allow)).toBe(true);
});
