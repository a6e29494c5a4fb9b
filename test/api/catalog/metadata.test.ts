import { aClerk, aCustomer, anAdmin, asAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { aSellableVariant, orderInState } from '../../support/orders.factory';
import { aProduct, aVariant } from '../../support/products.factory';
import { unique } from '../../support/unique';

const SECRET = { erp_id: '4711', nested: { list: [1, 'two', null, true] } };
const OPEN = { badge: 'new' };
const BOTH = { metadata: SECRET, public_metadata: OPEN };
const NONE = { metadata: {}, public_metadata: {} };

type Admin = Awaited<ReturnType<typeof asAdmin>>;
/** Sends the attributes of an update of one record. */
type Update = (client: ReturnType<typeof api>, attributes: object) => ReturnType<Admin['put']>;

interface Subject {
  update: Update;
  /** Reads the record as it is shown to the caller. */
  read: (client: ReturnType<typeof api>) => Promise<any>;
  /** A caller who may read the record and is no admin. */
  reader: ReturnType<typeof api>;
  wrapper: string;
}

/** Creates a record of each kind. */
async function makeSubjects(): Promise<Record<string, Subject>> {
  const product = await aProduct();
  const variant = await aVariant(product, { price: '3' });
  const cart = await orderInState('cart');
  const shopper = api({ orderToken: cart.token });
  const [line] = cart.line_items;
  const user = await aCustomer();
  const readOrder = async (client: ReturnType<typeof api>) =>
    (await client.get(`/orders/${cart.number}`)).body;
  const linePath = `/orders/${cart.number}/line_items/${line.id}`;
  return {
    product: {
      wrapper: 'product',
      update: (client, product_) => client.put(`/products/${product.id}`, { product: product_ }),
      read: async (client) => (await client.get(`/products/${product.id}`)).body,
      reader: api(),
    },
    variant: {
      wrapper: 'variant',
      update: (client, attributes) => client.put(`/variants/${variant.id}`, { variant: attributes }),
      read: async (client) => (await client.get(`/variants/${variant.id}`)).body,
      reader: api(),
    },
    order: {
      wrapper: 'order',
      update: (client, order) => client.put(`/orders/${cart.number}`, { order }),
      read: readOrder,
      reader: shopper,
    },
    'line item': {
      wrapper: 'line_item',
      update: (client, line_item) => client.put(linePath, { line_item }),
      read: async (client) => (await readOrder(client)).line_items[0],
      reader: shopper,
    },
    user: {
      wrapper: 'user',
      update: (client, attributes) => client.put(`/users/${user.id}`, { user: attributes }),
      read: async (client) => (await client.get(`/users/${user.id}`)).body,
      reader: api(user),
    },
  };
}

const KINDS = ['product', 'variant', 'order', 'line item', 'user'] as const;
let subjects: Record<string, Subject>;
let admin: Admin;

beforeEach(async () => {
  subjects = await makeSubjects();
  admin = await asAdmin();
});

function subjectOf(kind: string): Subject {
  const subject = subjects[kind];
  if (subject === undefined) throw new Error(kind);
  return subject;
}

describe.each(KINDS)('of a %s', (kind) => {
  test('metadata is empty at first, visible to admins, and public_metadata to everyone', async () => {
    const { update, read, reader } = subjectOf(kind);
    expect(await read(admin)).toMatchObject(NONE);
    const reply = await update(admin, BOTH);
    expect([reply.status, reply.body]).toMatchObject([200, BOTH]);
    expect(await read(admin)).toMatchObject(BOTH);
    const shown = await read(reader);
    expect(shown.public_metadata).toEqual(OPEN);
    expect(shown).not.toHaveProperty('metadata');
  });

  test('each is replaced as a whole, and only when it is sent', async () => {
    const { update, read } = subjectOf(kind);
    await update(admin, BOTH);
    await update(admin, { metadata: { other: 1 } });
    const shown = await read(admin);
    expect([shown.metadata, shown.public_metadata]).toEqual([{ other: 1 }, OPEN]);
    await update(admin, { public_metadata: {} });
    const left = await read(admin);
    expect([left.metadata, left.public_metadata]).toEqual([{ other: 1 }, {}]);
  });

  test('values that are no object, too large or not storable are refused', async () => {
    const { update, read } = subjectOf(kind);
    await update(admin, BOTH);
    const most = { text: 'x'.repeat(16_384 - '{"text":""}'.length) };
    for (const [value, message] of [
      [null, "can't be blank"],
      ['', 'is invalid'],
      ['{"a":1}', 'is invalid'],
      [[1], 'is invalid'],
      [7, 'is invalid'],
      [{ text: 'a\u0000b' }, 'is invalid'],
      [{ 'lone\ud800': 1 }, 'is invalid'],
      [{ text: `${most.text}x` }, 'is too long (maximum is 16384 bytes)'],
      [{ text: 'ü'.repeat(8_200) }, 'is too long (maximum is 16384 bytes)'],
    ]) {
      for (const name of ['metadata', 'public_metadata']) {
        const { status, body } = await update(admin, { [name]: value });
        expect([value, status, body.errors]).toEqual([value, 422, { [name]: [message] }]);
      }
    }
    expect(await read(admin)).toMatchObject(BOTH);
    expect((await update(admin, { metadata: most })).status).toBe(200);
    expect((await read(admin)).metadata).toEqual(most);
  });

  test('shoppers cannot write it', async () => {
    const { update, read, reader, wrapper } = subjectOf(kind);
    await update(admin, BOTH);
    const reply = await update(reader, { metadata: { mine: 1 }, public_metadata: { mine: 1 } });
    if (kind === 'product' || kind === 'variant') expect(reply.status).toBe(401);
    else {
      expect(reply.status).toBe(200);
      expect(reply.headers['x-ignored-parameters']).toBe(`${wrapper}.metadata, ${wrapper}.public_metadata`);
    }
    expect(await read(admin)).toMatchObject(BOTH);
  });
});

describe('creating records', () => {
  test('admins set it on products, variants, orders, line items and users', async () => {
    const { id: variant_id } = await aSellableVariant();
    const product = await aProduct({ ...BOTH, variants: [{ price: '5', metadata: { row: 1 } }] });
    expect(product).toMatchObject({ ...BOTH, master: NONE, variants: [{ metadata: { row: 1 } }] });
    expect(await aVariant(product, { price: '4', ...BOTH })).toMatchObject(BOTH);
    const order = await admin.post('/orders', {
      order: { ...BOTH, line_items: [{ variant_id, quantity: 2, metadata: { position: 10 } }] },
    });
    expect(order.body).toMatchObject({ ...BOTH, line_items: [{ metadata: { position: 10 } }] });
    const other = await aSellableVariant();
    const line = await admin.post(`/orders/${order.body.number}/line_items`, {
      line_item: { variant_id: other.id, ...BOTH },
    });
    expect([line.status, line.body]).toMatchObject([201, BOTH]);
    const user = await admin.post('/users', {
      user: { email: `${unique('erp')}@example.com`, password: 'secret12', ...BOTH },
    });
    expect([user.status, user.body]).toMatchObject([201, BOTH]);
  });

  test('an order that was sold elsewhere keeps it', async () => {
    const { id: variant_id } = await aSellableVariant();
    const { status, body } = await admin.post('/orders', {
      order: {
        ...BOTH,
        email: 'ann@example.com',
        completed_at: '2026-01-05',
        line_items: [{ variant_id, quantity: 1, ...BOTH }],
      },
    });
    expect([status, body]).toMatchObject([201, { ...BOTH, state: 'complete', line_items: [BOTH] }]);
  });

  test('shoppers and guests do not', async () => {
    const { id: variant_id } = await aSellableVariant();
    const order = await api().post('/orders', {
      order: { ...BOTH, line_items: [{ variant_id, quantity: 1, ...BOTH }] },
    });
    expect(order.status).toBe(201);
    expect(order.headers['x-ignored-parameters']).toBe(
      'order.metadata, order.public_metadata, order.line_items.0.metadata, order.line_items.0.public_metadata',
    );
    const user = await api().post('/users', {
      user: { email: `${unique('ann')}@example.com`, password: 'secret12', ...BOTH },
    });
    expect([user.status, user.body.public_metadata]).toEqual([201, {}]);
    expect((await admin.get(`/orders/${order.body.number}`)).body).toMatchObject({
      ...NONE,
      line_items: [NONE],
    });
    expect((await admin.get(`/users/${user.body.id}`)).body).toMatchObject(NONE);
  });
});

describe('orders', () => {
  test('metadata restarts no checkout and changes no sold order', async () => {
    for (const state of ['payment', 'complete'] as const) {
      const { number } = await orderInState(state);
      const { body: before } = await admin.get(`/orders/${number}`);
      const [line] = before.line_items;
      const { body } = await admin.put(`/orders/${number}`, {
        order: { ...BOTH, line_items: [{ id: line.id, ...BOTH }] },
      });
      expect(body).toMatchObject({ ...BOTH, state, total: before.total, line_items: [BOTH] });
      expect(body.shipments).toEqual(before.shipments);
      const { rows } = await testDb().raw('SELECT FROM order_changes WHERE order_id = ?', [before.id]);
      expect(rows).toEqual([]);
    }
  });

  test('a change of the metadata of a line item moves updated_at of its order', async () => {
    const { number, line_items } = await orderInState('complete');
    const { body: before } = await admin.get(`/orders/${number}`);
    await admin.put(`/orders/${number}/line_items/${line_items[0].id}`, {
      line_item: { metadata: { a: 1 } },
    });
    const { body: after } = await admin.get(`/orders/${number}`);
    expect(after.updated_at > before.updated_at).toBe(true);
    expect(after).toMatchObject({ line_items: [{ metadata: { a: 1 }, quantity: line_items[0].quantity }] });
  });

  test('a shopper who sends it with a complete order changes nothing and is not refused', async () => {
    const order = await orderInState('complete');
    const shopper = api({ orderToken: order.token });
    expect((await shopper.put(`/orders/${order.number}`, { order: BOTH })).status).toBe(200);
    expect((await admin.get(`/orders/${order.number}`)).body).toMatchObject(NONE);
  });

  test('line items of canceled orders get it too', async () => {
    const { number, line_items } = await orderInState('complete');
    await admin.put(`/orders/${number}/cancel`);
    const path = `/orders/${number}/line_items/${line_items[0].id}`;
    expect((await admin.put(path, { line_item: BOTH })).body).toMatchObject(BOTH);
    expect((await admin.put(path, { line_item: { ...BOTH, quantity: 9 } })).status).toBe(422);
  });

  test('a row of the same variant twice keeps what both set', async () => {
    const { id: variant_id } = await aSellableVariant();
    const { body } = await admin.post('/orders', {
      order: {
        line_items: [
          { variant_id, quantity: 1, metadata: { a: 1 } },
          { variant_id, quantity: 1, public_metadata: OPEN },
        ],
      },
    });
    expect(body.line_items).toMatchObject([{ quantity: 2, metadata: { a: 1 }, public_metadata: OPEN }]);
  });

  test('a change of one line item leaves the other alone', async () => {
    const rows = [(await aSellableVariant()).id, (await aSellableVariant()).id];
    const { body: cart } = await admin.post('/orders', {
      order: { line_items: rows.map((variant_id) => ({ variant_id, quantity: 1, ...BOTH })) },
    });
    const [first, second] = cart.line_items;
    await admin.put(`/orders/${cart.number}/line_items/${first.id}`, { line_item: NONE });
    const { line_items } = (await admin.get(`/orders/${cart.number}`)).body;
    expect(line_items).toMatchObject([NONE, { id: second.id, ...BOTH }]);
  });
});

describe('who sees metadata', () => {
  test('staff with the scope of the endpoint, not other staff or limited tokens', async () => {
    const { id } = await aProduct(BOTH);
    const read = async (client: ReturnType<typeof api>) => (await client.get(`/products/${id}`)).body;
    expect((await read(api(await aClerk(['catalog:read'])))).metadata).toEqual(SECRET);
    expect(await read(api(await aClerk(['orders:read'])))).not.toHaveProperty('metadata');
  });

  test('variants in orders show it as the order does', async () => {
    const variant = await aSellableVariant();
    await admin.put(`/variants/${variant.id}`, { variant: BOTH });
    const order = await orderInState('cart', { lines: [{ variant_id: variant.id, quantity: 1 }] });
    const shown = (await api({ orderToken: order.token }).get(`/orders/${order.number}`)).body;
    expect(shown.line_items[0].variant.public_metadata).toEqual(OPEN);
    expect(JSON.stringify(shown)).not.toContain('"metadata"');
    const { line_items } = (await admin.get(`/orders/${order.number}`)).body;
    expect(line_items[0].variant).toMatchObject(BOTH);
  });

  test('lists and `fields` know it', async () => {
    const { id } = await aProduct(BOTH);
    const { body } = await admin.get(`/products?ids=${id}&fields=id,metadata,public_metadata`);
    expect(body.products).toEqual([{ id, ...BOTH }]);
    const { body: shown } = await api().get(`/products?ids=${id}&fields=id,metadata,public_metadata`);
    expect(shown.products).toEqual([{ id, public_metadata: OPEN }]);
  });

  test('the kept JSON of a product follows changes of the product and of its variants', async () => {
    const product = await aProduct();
    const variant = await aVariant(product, { price: '3' });
    const read = async (client: ReturnType<typeof api>) => (await client.get(`/products/${product.id}`)).body;
    for (const step of [1, 2, 3]) {
      await admin.put(`/products/${product.id}`, {
        product: { metadata: { step }, public_metadata: { step } },
      });
      await admin.put(`/variants/${variant.id}`, {
        variant: { metadata: { step }, public_metadata: { step } },
      });
      const kept = { metadata: { step }, public_metadata: { step } };
      expect(await read(admin)).toMatchObject({ ...kept, variants: [kept] });
      const shown = await read(api());
      expect(shown).toMatchObject({ public_metadata: { step }, variants: [{ public_metadata: { step } }] });
      expect(JSON.stringify(shown)).not.toContain('"metadata"');
    }
  });

  test('a change of one product or variant leaves others alone', async () => {
    const [one, other] = [await aProduct(BOTH), await aProduct(BOTH)];
    const variants = [
      await aVariant(one, { price: '3', ...BOTH }),
      await aVariant(one, { price: '3', ...BOTH }),
    ];
    await admin.patch(`/products/${one.id}`, { product: NONE });
    await admin.patch(`/variants/${variants[0].id}`, { variant: NONE });
    expect((await admin.get(`/products/${other.id}`)).body).toMatchObject(BOTH);
    expect((await admin.get(`/products/${one.id}`)).body).toMatchObject({
      ...NONE,
      variants: [NONE, { id: variants[1].id, ...BOTH }],
    });
  });
});

describe('searching by metadata', () => {
  const encode = (value: unknown) => encodeURIComponent(JSON.stringify(value));

  test.each(['product', 'variant', 'order', 'user'])('admins find a %s by what it contains', async (kind) => {
    const { update, read } = subjectOf(kind);
    const erp_id = unique('erp');
    await update(admin, { metadata: { erp_id, lines: [{ n: 1 }, { n: 2 }], level: 3 } });
    const { id } = await read(admin);
    const find = async (value: unknown, client = admin) =>
      client.get(`/${kind}s?q[metadata_contains]=${encode(value)}`);
    for (const part of [{ erp_id }, { erp_id, level: 3 }, { erp_id, lines: [{ n: 2 }] }]) {
      const { body } = await find(part);
      expect([body.count, body[`${kind}s`].map((row: any) => row.id)]).toEqual([1, [id]]);
    }
    for (const part of [{ erp_id, level: '3' }, { erp_id: 'other' }, { erp_id, lines: [{ n: 3 }] }]) {
      expect((await find(part)).body.count).toBe(0);
    }
    expect((await find({})).body.count).toBeGreaterThan(0);
    const nested = await admin.get(`/${kind}s?q[metadata_contains][erp_id]=${erp_id}`);
    expect(nested.body.count).toBe(1);
    const excluded = await admin.get(
      `/${kind}s?q[m]=or&q[metadata_contains]=${encode({ erp_id })}&q[id_eq]=${id}`,
    );
    expect(excluded.body.count).toBe(1);
  });

  test.each(['abc', '{"erp_id":', '"4711"', '[1]', '7', '{"a":1e999}', `{"a":"\\u0000"}`])(
    'a value that is no JSON object matches nothing and is named: %s',
    async (value) => {
      await subjectOf('product').update(admin, { metadata: SECRET });
      const reply = await admin.get(`/products?q[metadata_contains]=${encodeURIComponent(value)}`);
      expect([reply.status, reply.body.total_count]).toEqual([200, 0]);
      expect(reply.headers['x-ignored-parameters']).toBe('q.metadata_contains');
    },
  );

  test('an empty value is ignored, and nothing is sorted or compared by it', async () => {
    for (const q of [
      'q[metadata_contains]=',
      'q[metadata_eq]={}',
      'q[metadata_cont]=4',
      'q[metadata_null]=1',
      'q[name_contains]={}',
    ]) {
      const reply = await admin.get(`/products?${q}`);
      expect([q, reply.status, reply.body.total_count > 0]).toEqual([q, 200, true]);
    }
    expect((await admin.get('/products?q[s]=metadata')).headers['x-ignored-conditions']).toBe('metadata');
    const { headers } = await admin.get('/orders?q[line_items_metadata_contains]={"a":1}');
    expect(headers['x-ignored-conditions']).toBe('line_items_metadata_contains');
  });

  test('for shoppers and other staff the condition is unknown', async () => {
    const erp_id = unique('erp');
    await subjectOf('product').update(admin, { metadata: { erp_id } });
    for (const client of [api(), api(await aCustomer()), api(await aClerk(['orders:read']))]) {
      for (const path of ['products', 'variants']) {
        const reply = await client.get(`/${path}?q[metadata_contains]=${encode({ erp_id: 'none' })}`);
        expect(reply.body.count).toBeGreaterThan(0);
        expect(reply.headers['x-ignored-conditions']).toBe('metadata_contains');
      }
    }
  });
});

test('the audit log has the values before and after', async () => {
  const boss = await anAdmin();
  for (const [kind, type] of [
    ['product', 'Store::Product'],
    ['variant', 'Store::Variant'],
    ['order', 'Store::Order'],
    ['line item', 'Store::Order'],
    ['user', 'Store::User'],
  ] as const) {
    await subjectOf(kind).update(api(boss), { metadata: { kind } });
    const [entry] = await testDb()('audit_log')
      .where({ user_id: boss.id, subject_type: type })
      .orderBy('id', 'desc');
    expect([kind, entry.changes]).toMatchObject([kind, { metadata: [{}, { kind }] }]);
  }
});

test('an export has it for staff, and an erasure clears it', async () => {
  const ann = await aCustomer();
  const order = await orderInState('complete', { caller: ann });
  await admin.put(`/users/${ann.id}`, { user: { metadata: { note: 'Bethesda' }, public_metadata: OPEN } });
  await admin.put(`/orders/${order.number}`, {
    order: { ...BOTH, line_items: [{ id: order.line_items[0].id, ...BOTH }] },
  });
  const exported = await admin.get(`/users/${ann.id}/export`);
  expect(exported.body).toMatchObject({
    user: { metadata: { note: 'Bethesda' } },
    orders: [{ ...BOTH, line_items: [BOTH] }],
  });
  const own = (await api(ann).get(`/users/${ann.id}/export`)).body;
  expect(own.user.public_metadata).toEqual(OPEN);
  expect(JSON.stringify(own)).not.toContain('"metadata"');
  expect((await admin.put(`/users/${ann.id}/erase`)).body).toMatchObject(NONE);
  expect((await admin.get(`/orders/${order.number}`)).body).toMatchObject({ ...NONE, line_items: [NONE] });
});
