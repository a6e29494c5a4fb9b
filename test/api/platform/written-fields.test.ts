import { isDeepStrictEqual } from 'node:util';
import { aCustomer, asAdmin, createAsAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { uploadImage } from '../../support/images.factory';
import {
  aSellableVariant,
  buildMarylandAddress,
  getPaymentMethodId,
  GOOD_CARD,
  orderInState,
} from '../../support/orders.factory';
import { anOptionType, aProduct } from '../../support/products.factory';
import { aPromotion } from '../../support/promotions.factory';
import { aPaidOrder, aShippedOrder, getDefaultLocationId, readOrder } from '../../support/shipments.factory';
import { unique } from '../../support/unique';

/*
 * Every field that a request accepts is stored. A field that is added to a schema alone would be accepted and lost: these
 * resources have no definition from which all follows. Each new field needs a row here that reads it back.
 */

interface Field {
  send: unknown;
  /** What the record shows of it. */
  read: (record: any) => unknown;
  /** Defaults to what was sent. */
  stored?: unknown;
}

type Fields = Record<string, Field>;

const sameName = (name: string, send: unknown): Fields => ({
  [name]: { send, read: (record) => record[name] },
});

interface Body {
  properties: Record<string, { properties?: object; $ref?: string }>;
}

/** Returns the fields of a request body in the reference of the running code. */
async function listFields(body: string, wrapper: string): Promise<string[]> {
  const reply = await api().get('/openapi.json');
  const { schemas } = reply.body.components as { schemas: Record<string, Body> };
  return Object.keys(schemas[body]?.properties[wrapper]?.properties ?? {}).sort();
}

/** Writes each batch of fields at once, and checks that the record shows all of them. */
async function expectWritten(
  batches: readonly Fields[],
  write: (values: object) => Promise<unknown>,
): Promise<void> {
  for (const batch of batches) {
    const entries = Object.entries(batch);
    const record = await write(Object.fromEntries(entries.map(([name, { send }]) => [name, send])));
    const shown = Object.fromEntries(entries.map(([name, { read }]) => [name, read(record)]));
    expect(shown).toEqual(
      Object.fromEntries(
        entries.map(([name, field]) => [name, 'stored' in field ? field.stored : field.send]),
      ),
    );
  }
}

const namesOf = (batches: readonly Fields[]): string[] => [...new Set(batches.flatMap(Object.keys))].sort();

const METADATA: Fields = {
  ...sameName('metadata', { erp: 7 }),
  ...sameName('public_metadata', { gift: true }),
};

describe('taxons store every field', () => {
  async function buildFields(): Promise<{ batches: Fields[]; taxons: string }> {
    const taxonomy = await createAsAdmin('/taxonomies', { taxonomy: { name: unique('Range') } });
    const taxons = `/taxonomies/${taxonomy.id}/taxons`;
    const parent = await createAsAdmin(taxons, { taxon: { name: 'Bags' } });
    for (const name of ['Totes', 'Sacks'])
      await createAsAdmin(taxons, { taxon: { name, parent_id: parent.id } });
    const place = ({ place: found }: any): unknown => found;
    const batches: Fields[] = [
      {
        ...sameName('name', unique('Canvas')),
        ...sameName('parent_id', parent.id),
        ...sameName('description', 'Of canvas'),
        ...sameName('meta_title', 'Canvas bags'),
        ...sameName('meta_description', 'All canvas bags'),
        ...sameName('meta_keywords', 'canvas, bags'),
        permalink: { send: 'cloth', read: ({ permalink }) => permalink.split('/').at(-1) },
        child_index: { send: 1, read: place },
      },
      {
        ...sameName('name', unique('Linen')),
        ...sameName('parent_id', parent.id),
        position: { send: 0, read: place },
      },
    ];
    return { batches, taxons };
  }

  async function readTaxon(id: number): Promise<any> {
    const taxon = await testDb()('taxons').where({ id }).first('*');
    const siblings = await testDb()('taxons')
      .where({ parent_id: taxon.parent_id })
      .orderBy('lft')
      .pluck('id');
    return { ...taxon, place: siblings.indexOf(id) };
  }

  test('when they are created', async () => {
    const { batches, taxons } = await buildFields();
    expect(namesOf(batches)).toEqual(await listFields('CreateTaxonomyTaxonBody', 'taxon'));
    await expectWritten(batches, async (taxon) => readTaxon((await createAsAdmin(taxons, { taxon })).id));
  });

  test('when they are updated', async () => {
    const { batches, taxons } = await buildFields();
    expect(namesOf(batches)).toEqual(await listFields('UpdateTaxonomyTaxonBody', 'taxon'));
    const { id } = await createAsAdmin(taxons, { taxon: { name: 'Old' } });
    await expectWritten(batches, async (taxon) => {
      expect((await (await asAdmin()).put(`${taxons}/${id}`, { taxon })).status).toBe(200);
      return readTaxon(id);
    });
  });
});

describe('variants store every field', () => {
  async function buildFields(): Promise<{ batches: Fields[]; variants: string }> {
    const type = await anOptionType('Size', 'Small', 'Large');
    const product = await aProduct({ option_type_ids: [type.id] });
    const category = await createAsAdmin('/tax_categories', { tax_category: { name: unique('Books') } });
    const [small, large] = type.option_values;
    const batches: Fields[] = [
      {
        ...sameName('sku', unique('SKU')),
        ...sameName('barcode', '4006381333931'),
        ...sameName('weight', '1.50'),
        ...sameName('height', '2.50'),
        ...sameName('width', '3.50'),
        ...sameName('depth', '4.50'),
        ...sameName('cost_price', '5.50'),
        ...sameName('cost_currency', 'EUR'),
        ...sameName('price', '19.99'),
        ...sameName('position', 3),
        ...sameName('track_inventory', false),
        ...sameName('tax_category_id', category.id),
        ...sameName('option_value_ids', [small.id]),
        ...METADATA,
      },
      {
        options: {
          send: [{ name: type.name, value: large.name }],
          read: ({ option_value_ids }) => option_value_ids,
          stored: [large.id],
        },
      },
    ];
    return { batches, variants: `/products/${product.id}/variants` };
  }

  async function readVariant(id: number): Promise<any> {
    const variant = await testDb()('variants').where({ id }).first('*');
    const { amount } = await testDb()('prices').where({ variant_id: id }).first('amount');
    const option_value_ids = await testDb()('variant_option_values')
      .where({ variant_id: id })
      .pluck('option_value_id');
    return { ...variant, price: amount, option_value_ids };
  }

  test('when they are created', async () => {
    const { batches, variants } = await buildFields();
    expect(namesOf(batches)).toEqual(await listFields('CreateProductVariantBody', 'variant'));
    await expectWritten(batches, async (variant) =>
      readVariant((await createAsAdmin(variants, { variant })).id),
    );
  });

  test('when they are updated', async () => {
    const { batches, variants } = await buildFields();
    expect(namesOf(batches)).toEqual(await listFields('UpdateProductVariantBody', 'variant'));
    const { id } = await createAsAdmin(variants, { variant: { sku: unique('OLD') } });
    await expectWritten(batches, async (variant) => {
      expect((await (await asAdmin()).put(`${variants}/${id}`, { variant })).status).toBe(200);
      return readVariant(id);
    });
  });
});

describe('orders store every field', () => {
  const address = async (city: string): Promise<object> => ({ ...(await buildMarylandAddress()), city });
  const readCity =
    (kind: 'bill_address' | 'ship_address') =>
    (order: any): unknown =>
      order[kind].city;
  const readUnits = ({ line_items }: any): unknown => line_items.map(({ quantity }: any) => quantity);

  async function buildBuyer(): Promise<Fields> {
    const { id, email } = await aCustomer();
    return {
      ...sameName('email', email),
      ...sameName('user_id', id),
      ...sameName('special_instructions', 'Ring twice'),
      ...sameName('vat_id', 'DE129273398'),
      ...METADATA,
    };
  }

  async function buildContents(suffix: '' | '_attributes'): Promise<Fields> {
    const { id: variant_id } = await aSellableVariant();
    return {
      [`line_items${suffix}`]: { send: [{ variant_id, quantity: 3 }], read: readUnits, stored: [3] },
      [`bill_address${suffix}`]: {
        send: await address('Bethesda'),
        read: readCity('bill_address'),
        stored: 'Bethesda',
      },
      [`ship_address${suffix}`]: {
        send: await address('Rockville'),
        read: readCity('ship_address'),
        stored: 'Rockville',
      },
    };
  }

  test('when they are created', async () => {
    const imported = async (suffix: '' | '_attributes'): Promise<Fields> => ({
      ...(await buildContents(suffix)),
      [`adjustments${suffix}`]: {
        send: [{ label: 'Goodwill', amount: '-1' }],
        read: ({ adjustments }) => adjustments.map(({ label }: any) => label),
        stored: ['Goodwill'],
      },
      [`payments${suffix}`]: {
        send: [{ amount: '5', payment_method: 'Check' }],
        read: ({ payments }) => payments.map(({ amount }: any) => amount),
        stored: ['5.0'],
      },
      [`shipments${suffix}`]: {
        send: [
          {
            tracking: '1Z',
            cost: '4',
            shipping_method: 'UPS Ground (USD)',
            stock_location_id: await getDefaultLocationId(),
          },
        ],
        read: ({ shipments }) => shipments.map(({ tracking, cost }: any) => [tracking, cost]),
        stored: [['1Z', '4.0']],
      },
      completed_at: {
        send: '2025-12-24T10:00:00.000Z',
        read: ({ completed_at }) => new Date(completed_at).toISOString(),
      },
    });
    const batches: Fields[] = [
      {
        ...(await buildBuyer()),
        ...(await imported('')),
        ...sameName('currency', 'USD'),
        ...sameName('channel', 'fair'),
        invoice_number: { send: 'RE-17', read: ({ invoices }) => invoices[0].number },
        invoiced_at: { send: '2025-12-25T09:00:00.000Z', read: ({ invoices }) => invoices[0].created_at },
        ...sameName('number', unique('R').toUpperCase().replaceAll(/\W/g, '')),
      },
      {
        ...(await imported('_attributes')),
        documents: { send: false, read: ({ invoices }) => invoices[0].url !== null },
      },
      {
        bill_address: { send: await address('Laurel'), read: readCity('bill_address'), stored: 'Laurel' },
        use_billing: { send: true, read: readCity('ship_address'), stored: 'Laurel' },
      },
    ];
    expect(namesOf(batches)).toEqual(await listFields('CreateOrderBody', 'order'));
    await expectWritten(batches, async (order) => {
      const { number } = await createAsAdmin('/orders', { order });
      const { body } = await (await asAdmin()).get(`/orders/${number}/documents`);
      return { ...(await readOrder(number)), invoices: body.documents };
    });
  });

  test('when they are updated', async () => {
    const admin = await asAdmin();
    const { code } = await aPromotion({ actions: [{ type: 'order_percent', percent: '10' }] });
    const carts: Fields[] = [
      {
        ...(await buildBuyer()),
        ...(await buildContents('')),
        coupon_code: {
          send: code,
          read: ({ line_items }) => line_items[0].adjustments.length,
          stored: 1,
        },
      },
      await buildContents('_attributes'),
      {
        bill_address: { send: await address('Laurel'), read: readCity('bill_address'), stored: 'Laurel' },
        use_billing: { send: true, read: readCity('ship_address'), stored: 'Laurel' },
      },
    ];
    const update = async (number: string, order: object): Promise<unknown> => {
      const reply = await admin.put(`/orders/${number}`, { order });
      expect([reply.status, reply.text]).toEqual([200, expect.anything()]);
      return readOrder(number);
    };
    await expectWritten(carts, async (order) =>
      update((await createAsAdmin('/orders', { order: {} })).number, order),
    );

    const payment_method_id = await getPaymentMethodId('Credit Card');
    const buyer = await aCustomer();
    const [saved] = await testDb()('credit_cards')
      .insert({
        user_id: buyer.id,
        payment_method_id,
        month: '1',
        year: '2035',
        last_digits: '4242',
        name: 'Ann Lee',
        gateway_customer_profile_id: 'C1',
        gateway_payment_profile_id: 'P1',
      })
      .returning('id');
    const lastDigits = ({ payments }: any): unknown => payments.at(-1).source.last_digits;
    const payable = async (suffix: '' | '_attributes'): Promise<[any, Fields]> => {
      const order = await orderInState('payment');
      const [{ id, shipping_rates }] = order.shipments;
      const rate = shipping_rates.at(-1).id;
      return [
        order,
        {
          [`shipments${suffix}`]: {
            send: [{ id, selected_shipping_rate_id: rate }],
            read: ({ shipments }) => shipments[0].selected_shipping_rate.id,
            stored: rate,
          },
          [`payments${suffix}`]: {
            send: [{ payment_method_id }],
            read: ({ payments }) => payments.length,
            stored: 1,
          },
          payment_source: { send: { [payment_method_id]: GOOD_CARD }, read: lastDigits, stored: '1111' },
        },
      ];
    };
    const paid = [await payable(''), await payable('_attributes')] as const;
    for (const [order, fields] of paid) {
      await expectWritten([fields], (values) => update(order.number, values));
    }
    const existing: Fields = { existing_card: { send: saved.id, read: lastDigits, stored: '4242' } };
    const owned = await orderInState('payment', { caller: buyer });
    await expectWritten([existing], (values) => update(owned.number, values));
    const all = [...carts, ...paid.map(([, fields]) => fields), existing];
    expect(namesOf(all)).toEqual(await listFields('UpdateOrderBody', 'order'));
  });
});

/*
 * What GET shows can be sent back, as integrators do that change one field of a record: it is accepted, and changes nothing.
 */

/** The paths of records whose PUT refuses what GET shows, or adds it, by a rule of their own. */
const NOT_SENT_BACK = [
  '/api/v1/users/me/two_factor', // takes a code
  '/api/v1/users/me', // as /users/:id
  '/api/v1/stock_locations/{stock_location_id}/stock_items/{id}', // adds to the count, unless forced
];

describe('a record that is sent back', () => {
  /** Creates a record for each path. @returns its path and the wrapper of its attributes, by the path of the reference */
  async function createRecords(): Promise<Record<string, [path: string, wrapper: string]>> {
    const variant = await aSellableVariant();
    const type = await anOptionType('Size', 'S', 'M');
    const product = await aProduct({
      option_type_ids: [type.id],
      variants: [{ price: 3, option_value_ids: [type.option_values[0].id] }],
      product_properties_attributes: [{ property_name: unique('Fabric'), value: 'Linen' }],
    });
    const image = await uploadImage(`/products/${product.id}/images`);
    const taxonomy = await createAsAdmin('/taxonomies', { taxonomy: { name: unique('Range') } });
    const taxons = `/taxonomies/${taxonomy.id}/taxons`;
    const taxon = await createAsAdmin(taxons, { taxon: { name: 'Bags' } });
    const zones = (await api().get('/zones')).body.zones;
    const category = await createAsAdmin('/tax_categories', { tax_category: { name: unique('Tax') } });
    const rate = { name: unique('Rate'), amount: '0.05', zone_id: zones[0].id, tax_category_id: category.id };
    const relations = `/products/${product.id}/relations`;
    const relation = { related_id: variant.product_id, kind: 'related' };
    const location = await getDefaultLocationId();
    const movements = `/stock_locations/${location}/stock_movements`;
    const item = await testDb()('stock_items').where({ variant_id: variant.id }).first('id');
    const movement = { stock_item_id: item.id, quantity: 2, action: 'received' };
    const open = await orderInState('confirm');
    const shipped = await aShippedOrder();
    const unit = await testDb()('inventory_units').where({ order_id: shipped.id }).first('id');
    const returns = `/orders/${shipped.number}/return_authorizations`;
    const [reason] = (await (await asAdmin()).get('/return_authorization_reasons')).body
      .return_authorization_reasons;
    const returned = { stock_location_id: location, return_authorization_reason_id: reason.id, amount: 1 };
    const role = { name: unique('role'), scopes: ['orders:read'] };
    const webhook = { url: 'https://example.com/hook', events: ['order.paid'] };
    const made = async (list: string, wrapper: string, attributes: object): Promise<[string, string]> => [
      `${list}/${(await createAsAdmin(list, { [wrapper]: attributes })).id}`,
      wrapper,
    ];
    const first = async (list: string, wrapper: string): Promise<[string, string]> => [
      `/${list}/${(await (await asAdmin()).get(`/${list}`)).body[list][0].id}`,
      wrapper,
    ];
    const variantPath = `/variants/${product.variants[0].id}`;
    const value = type.option_values[0].id;
    const imagePath = `images/${image.body.id}`;
    return {
      'users/{id}': [`/users/${(await aCustomer()).id}`, 'user'],
      'roles/{id}': await made('/roles', 'role', role),
      'stores/{id}': await first('stores', 'store'),
      'webhooks/{id}': await made('/webhooks', 'webhook', webhook),
      'products/{id}': [`/products/${product.id}`, 'product'],
      'products/{product_id}/variants/{id}': [`/products/${product.id}${variantPath}`, 'variant'],
      'variants/{id}': [variantPath, 'variant'],
      'products/{product_id}/images/{id}': [`/products/${product.id}/${imagePath}`, 'image'],
      'variants/{variant_id}/images/{id}': [`/variants/${product.master.id}/${imagePath}`, 'image'],
      'option_types/{id}': [`/option_types/${type.id}`, 'option_type'],
      'option_values/{id}': [`/option_values/${value}`, 'option_value'],
      'option_types/{option_type_id}/option_values/{id}': [
        `/option_types/${type.id}/option_values/${value}`,
        'option_value',
      ],
      'taxonomies/{id}': [`/taxonomies/${taxonomy.id}`, 'taxonomy'],
      'taxonomies/{taxonomy_id}/taxons/{id}': [`${taxons}/${taxon.id}`, 'taxon'],
      'properties/{id}': [`/properties/${product.product_properties[0].property_id}`, 'property'],
      'products/{product_id}/product_properties/{id}': [
        `/products/${product.id}/product_properties/${product.product_properties[0].id}`,
        'product_property',
      ],
      'products/{product_id}/relations/{id}': await made(relations, 'relation', relation),
      'zones/{id}': await first('zones', 'zone'),
      'tax_categories/{id}': [`/tax_categories/${category.id}`, 'tax_category'],
      'tax_rates/{id}': await made('/tax_rates', 'tax_rate', rate),
      'shipping_categories/{id}': await first('shipping_categories', 'shipping_category'),
      'shipping_methods/{id}': await first('shipping_methods', 'shipping_method'),
      'payment_methods/{id}': await first('payment_methods', 'payment_method'),
      'return_authorization_reasons/{id}': [
        `/return_authorization_reasons/${reason.id}`,
        'return_authorization_reason',
      ],
      'stock_locations/{id}': [`/stock_locations/${location}`, 'stock_location'],
      'stock_locations/{stock_location_id}/stock_movements/{id}': await made(
        movements,
        'stock_movement',
        movement,
      ),
      'orders/{number}/payments/{id}': [`/orders/${open.number}/payments/${open.payments[0].id}`, 'payment'],
      'orders/{number}/addresses/{id}': [
        `/orders/${open.number}/addresses/${open.ship_address.id}`,
        'address',
      ],
      'orders/{number}': [`/orders/${shipped.number}`, 'order'],
      'promotions/{id}': [`/promotions/${(await aPromotion()).id}`, 'promotion'],
      'shipments/{number}': [`/shipments/${open.shipments[0].number}`, 'shipment'],
      'orders/{number}/return_authorizations/{id}': await made(returns, 'return_authorization', returned),
      'inventory_units/{id}': [`/inventory_units/${unit.id}`, 'inventory_unit'],
      'mails/{name}': ['/mails/order_confirmed', 'mail'],
    };
  }

  const withoutTimes = (record: object): unknown =>
    JSON.parse(JSON.stringify(record, (key, value) => (key === 'updated_at' ? undefined : value)));

  /** Sends a record back. @returns what was wrong, or changed */
  async function sendBack(path: string, wrapper: string): Promise<object | null> {
    const admin = await asAdmin();
    const { body, status } = await admin.get(path);
    const reply = await admin.put(path, { [wrapper]: body });
    if (status !== 200 || reply.status > 201) return { path, status, refusal: reply.body };
    const [before, after] = [withoutTimes(body), withoutTimes((await admin.get(path)).body)];
    return isDeepStrictEqual(before, after) ? null : { path, before, after };
  }

  test('is accepted and stays as it is, whatever it is', async () => {
    const records = await createRecords();
    const { paths } = (await api().get('/openapi.json')).body as { paths: Record<string, object> };
    const editable = Object.entries(paths)
      .filter(([, operations]) => 'get' in operations && 'put' in operations)
      .map(([path]) => path);
    expect([...Object.keys(records).map((path) => `/api/v1/${path}`), ...NOT_SENT_BACK].sort()).toEqual(
      editable.sort(),
    );
    const failures: object[] = [];
    for (const [path, wrapper] of Object.values(records)) {
      const failure = await sendBack(path, wrapper);
      if (failure !== null) failures.push(failure);
    }
    expect(failures).toEqual([]);
  });

  test('is accepted in every state of an order', async () => {
    const admin = await asAdmin();
    const canceled = await aPaidOrder();
    expect((await admin.put(`/orders/${canceled.number}/cancel`)).status).toBe(200);
    const orders = [canceled];
    for (const state of ['cart', 'address', 'delivery', 'payment', 'confirm', 'complete'] as const)
      orders.push(await orderInState(state));
    const failures = await Promise.all(orders.map(({ number }) => sendBack(`/orders/${number}`, 'order')));
    expect(failures.filter((failure) => failure !== null)).toEqual([]);
  });
});
