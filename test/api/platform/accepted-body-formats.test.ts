import request, { type Response, type Test } from 'supertest';
import { anAdmin } from '../../support/accounts.factory';
import { api, testApp } from '../../support/api';
import { aSellableVariant, orderInState } from '../../support/orders.factory';
import { aProduct, getDefaultShippingCategoryId } from '../../support/products.factory';
import { aTaxon, aTaxonomy } from '../../support/taxons.factory';
import { unique } from '../../support/unique';

/**
 * Request formats that existing clients send to create, update and delete records.
 * accepted-list-parameters.test.ts covers lists.
 */
const url = (path: string) => `/api/v1${path}`;
const http = () => request(testApp().app);

let token: string;

beforeAll(async () => {
  token = (await anAdmin()).token;
});

/** A create or an update, attribute by attribute, as a form sends it. */
interface Write {
  path: string;
  wrapper: string;
  attributes: Record<string, string>;
  /** The part of the reply that the test checks. */
  shown: object;
}

/** Creates in the catalog, in inventory and in orders. */
const CREATES: Record<string, () => Promise<Write>> = {
  products: async () => {
    const name = unique('Old');
    const attributes = {
      name,
      price: '12.50',
      shipping_category_id: String(await getDefaultShippingCategoryId()),
    };
    return { path: '/products', wrapper: 'product', attributes, shown: { name, price: '12.5' } };
  },
  'stock locations': () => {
    const name = unique('Old');
    const attributes = { name, city: 'Köln', active: '0', propagate_all_variants: 'false' };
    return Promise.resolve({
      path: '/stock_locations',
      wrapper: 'stock_location',
      attributes,
      shown: { name, city: 'Köln', active: false },
    });
  },
  'line items': async () => {
    const { id } = await aSellableVariant();
    const { number } = (await api({ token }).post('/orders')).body;
    return {
      path: `/orders/${number}/line_items`,
      wrapper: 'line_item',
      attributes: { variant_id: String(id), quantity: '2' },
      shown: { variant_id: id, quantity: 2 },
    };
  },
};

const UPDATES: Record<string, () => Promise<Write>> = {
  products: async () => ({
    path: `/products/${(await aProduct()).slug}`,
    wrapper: 'product',
    attributes: { price: '3', meta_title: 'Größe & "Maß"' },
    shown: { price: '3.0' },
  }),
  properties: async () => {
    const property = { name: unique('old'), presentation: 'before' };
    const { id } = (await api({ token }).post('/properties', { property })).body;
    const attributes = { presentation: 'after' };
    return { path: `/properties/${id}`, wrapper: 'property', attributes, shown: attributes };
  },
  orders: async () => {
    const { number } = (await api({ token }).post('/orders')).body;
    const attributes = { email: 'old@example.com', special_instructions: 'ring\ntwice' };
    return { path: `/orders/${number}`, wrapper: 'order', attributes, shown: attributes };
  },
};

const creates = Object.entries(CREATES);
const updates = Object.entries(UPDATES);

const buildBracketFields = ({ wrapper, attributes }: Write): [string, string][] =>
  Object.entries(attributes).map(([name, value]) => [`${wrapper}[${name}]`, value]);

const buildForm = (write: Write, extra: Record<string, string> = {}): string =>
  new URLSearchParams([...Object.entries(extra), ...buildBracketFields(write)]).toString();

const addMultipartFields = (test: Test, write: Write, extra: Record<string, string> = {}): Test => {
  for (const [name, value] of [...Object.entries(extra), ...buildBracketFields(write)])
    void test.field(name, value);
  return test;
};

/** The formats of a body; `extra` holds fields outside the record. */
const BODIES: [string, (test: Test, write: Write, extra?: Record<string, string>) => Test][] = [
  ['a form', (test, write, extra) => test.type('form').send(buildForm(write, extra))],
  ['multipart', addMultipartFields],
  ['JSON', (test, write, extra) => test.send({ ...extra, [write.wrapper]: write.attributes })],
  ['JSON without its wrapper', (test, write, extra) => test.send({ ...extra, ...write.attributes })],
];

function expectWritten(reply: Response, { shown }: Write, status: 200 | 201): void {
  expect([reply.status, reply.body]).toEqual([status, expect.objectContaining(shown)]);
}

describe.each(BODIES)('a request with %s', (_how, send) => {
  describe.each(creates)('creates %s', (_what, arrange) => {
    test('with the key in the header', async () => {
      const write = await arrange();
      const reply = await send(http().post(url(write.path)).set('X-Store-Token', token), write);
      expectWritten(reply, write, 201);
    });

    test('with the key in the query, the suffix .json and a cache-busting timestamp', async () => {
      const write = await arrange();
      const reply = await send(http().post(url(`${write.path}.json?token=${token}&_=1419876543210`)), write);
      expectWritten(reply, write, 201);
    });

    test('with the key in the body, Rails form fields and a trailing slash', async () => {
      const write = await arrange();
      const extra = { utf8: '✓', token, authenticity_token: 'x', commit: 'Create' };
      const reply = await send(http().post(url(`${write.path}/`)), write, extra);
      expectWritten(reply, write, 201);
    });

    test('returns 401 without a key or with an unknown key and creates nothing', async () => {
      const write = await arrange();
      expect((await send(http().post(url(write.path)), write)).status).toBe(401);
      const wrong = await send(http().post(url(write.path)), write, { token: 'nobody' });
      expect([wrong.status, wrong.body]).toEqual([401, { error: 'Invalid API key (nobody) specified.' }]);
    });
  });

  describe.each(updates)('updates %s', (_what, arrange) => {
    test.each(['put', 'patch'] as const)('by %s with the key in the body', async (verb) => {
      const write = await arrange();
      expectWritten(await send(http()[verb](url(`${write.path}.json`)), write, { token }), write, 200);
    });

    test.each(['put', 'PATCH'])('by a POST with _method=%s', async (_method) => {
      const write = await arrange();
      expectWritten(await send(http().post(url(write.path)), write, { _method, token }), write, 200);
    });

    test('by a POST with X-HTTP-Method-Override', async () => {
      const write = await arrange();
      const posted = http().post(url(write.path)).set('X-HTTP-Method-Override', 'PUT');
      expectWritten(await send(posted, write, { token }), write, 200);
    });
  });

  const deletable = updates.filter(([what]) => what !== 'orders');
  test.each(deletable)('a POST with _method=delete deletes %s', async (_what, arrange) => {
    const write = await arrange();
    const reply = await send(http().post(url(write.path)), write, { _method: 'delete', token });
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect((await api({ token }).get(write.path)).status).toBe(404);
  });
});

describe.each(['form', 'multipart', 'query'])('lists and repeated fields in a %s', (format) => {
  const send = (test: Test, fields: [string, string][]): Test => {
    if (format === 'query') return test.query(new URLSearchParams(fields).toString());
    if (format === 'form') return test.type('form').send(new URLSearchParams(fields).toString());
    for (const [name, value] of fields) void test.field(name, value);
    return test;
  };

  test('a record of a list begins where an attribute comes again', async () => {
    const [one, two] = [await aSellableVariant(), await aSellableVariant()];
    const reply = await send(http().post(url('/orders')), [
      ['order[email]', 'ann@example.com'],
      ['order[line_items][][variant_id]', String(one.id)],
      ['order[line_items][][quantity]', '2'],
      ['order[line_items][][variant_id]', String(two.id)],
      ['order[line_items][][quantity]', '3'],
    ]);
    expect(reply.headers['x-ignored-parameters']).toBeUndefined();
    expect([reply.status, reply.body]).toMatchObject([
      201,
      {
        line_items: [
          { variant_id: one.id, quantity: 2 },
          { variant_id: two.id, quantity: 3 },
        ],
      },
    ]);
  });

  test('lists of records nest, and records may have lists', async () => {
    const [color, size] = [unique('color'), unique('size')];
    const reply = await send(http().post(url('/products')).set('X-Store-Token', token), [
      ['product[name]', unique('Nested')],
      ['product[price]', '5'],
      ['product[shipping_category]', 'Default'],
      ['product[variants][][options][][name]', color],
      ['product[variants][][options][][value]', 'red'],
      ['product[variants][][options][][name]', size],
      ['product[variants][][options][][value]', 'M'],
      ['product[variants][][price]', '6'],
    ]);
    expect([reply.status, reply.body]).toMatchObject([
      201,
      { variants: [{ price: '6.0', options_text: `${color}: red, ${size}: M` }] },
    ]);
  });

  test('lists in metadata stay lists, and records with numbers as keys stay records', async () => {
    const { slug } = await aProduct();
    const reply = await send(
      http()
        .put(url(`/products/${slug}`))
        .set('X-Store-Token', token),
      [
        ['product[metadata][one][]', 'a'],
        ['product[metadata][many][]', 'a'],
        ['product[metadata][many][]', 'b'],
        ['product[metadata][deep][rows][][tags][]', 'c'],
        ['product[metadata][by_id][7]', 'd'],
      ],
    );
    expect([reply.status, reply.body.metadata]).toEqual([
      200,
      { one: ['a'], many: ['a', 'b'], deep: { rows: [{ tags: ['c'] }] }, by_id: { 7: 'd' } },
    ]);
  });

  test('rows may have the time as index, as scripts of forms number new rows', async () => {
    const reply = await send(http().post(url('/products')).set('X-Store-Token', token), [
      ['product[name]', unique('Timed')],
      ['product[price]', '5'],
      ['product[shipping_category]', 'Default'],
      ['product[product_properties_attributes][1764457200123][property_name]', 'weave'],
      ['product[product_properties_attributes][1764457200123][value]', 'later'],
      ['product[product_properties_attributes][1764457200000][property_name]', 'fit'],
      ['product[product_properties_attributes][1764457200000][value]', 'sooner'],
    ]);
    expect(reply.headers['x-ignored-parameters']).toBeUndefined();
    expect([reply.status, reply.body]).toMatchObject([
      201,
      { product_properties: [{ value: 'sooner' }, { value: 'later' }] },
    ]);
  });

  test('the last one of a repeated field counts', async () => {
    const { slug } = await aProduct();
    const reply = await send(
      http()
        .put(url(`/products/${slug}`))
        .set('X-Store-Token', token),
      [
        ['product[price]', '1'],
        ['product[price]', '7'],
      ],
    );
    expect([reply.status, reply.body.price]).toEqual([200, '7.0']);
  });

  test('records nest up to ten levels; deeper ones are 400', async () => {
    const { slug } = await aProduct();
    const put = (depth: number) =>
      send(
        http()
          .put(url(`/products/${slug}`))
          .set('X-Store-Token', token),
        [[`a${'[][b]'.repeat(depth)}`, '1']],
      );
    expect((await put(4)).status).toBe(200);
    expect((await put(6)).status).toBe(400);
    expect((await put(20)).status).toBe(400);
  });
});

test('a list in a form replaces the one of the query', async () => {
  const taxonomy = await aTaxonomy();
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) ids.push(String((await aTaxon(taxonomy)).id));
  const rows = (...some: (string | undefined)[]) =>
    new URLSearchParams(some.map((id): [string, string] => ['product[taxon_ids][]', id ?? ''])).toString();
  const reply = await http()
    .put(`${url(`/products/${(await aProduct()).slug}`)}?${rows(ids[0], ids[1])}`)
    .set('X-Store-Token', token)
    .type('form')
    .send(rows(ids[2]));
  expect([reply.status, reply.body.taxon_ids]).toEqual([200, [Number(ids[2])]]);
});

describe('a form with a file', () => {
  const path = async () => `/products/${(await aProduct()).slug}/images`;
  const picture = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );

  test('accepts the key and _method before the file', async () => {
    const images = await path();
    const made = await http()
      .post(url(images))
      .field('utf8', '✓')
      .field('token', token)
      .attach('image[attachment]', picture, 'a.png')
      .field('image[alt]', 'front');
    expect([made.status, made.body.alt]).toEqual([201, 'front']);
    const changed = await http()
      .post(url(`${images}/${made.body.id}`))
      .field('_method', 'put')
      .field('token', token)
      .field('image[alt]', 'back')
      .attach('image[attachment]', picture, 'b.png');
    expect([changed.status, changed.body.alt]).toEqual([201, 'back']);
    expect(changed.body.attachment_file_name).toBe('b.png');
  });

  test('is rejected without a valid key before the file; a key after the file is ignored', async () => {
    const images = await path();
    const late = http().post(url(images)).attach('image[attachment]', picture, 'a.png').field('token', token);
    expect((await late).status).toBe(401);
    const bad = http().post(url(images)).field('token', 'x').attach('image[attachment]', picture, 'a.png');
    expect((await bad).status).toBe(401);
    expect((await api({ token }).get(images)).body.images).toEqual([]);
  });
});

test('an order token in any kind of form gives access to its order', async () => {
  const { body } = await http().post(url('/orders.json'));
  const path = url(`/orders/${body.number}/empty.json`);
  const forms = [
    () => http().put(path).type('form').send(`order_token=${body.token}`),
    () => http().put(path).field('order_token', body.token),
    () => http().post(path).field('_method', 'put').field('order_token', body.token),
  ];
  for (const send of forms) expect((await send()).status).toBe(204);
  expect((await http().put(path).field('order_token', 'wrong')).status).toBe(401);
});

describe('lists inside a body', () => {
  /** Formats of the same two lines; later indexes are last even if they come first in the body. */
  const WAYS: [string, (a: number, b: number) => string | object][] = [
    ['index-keyed', (a, b) => formLines([['10', b, 3], ['2', a, 1]])], // prettier-ignore
    ['index-keyed by their Rails name', (a, b) => formLines([['0', a, 1], ['1', b, 3]], 'line_items_attributes')], // prettier-ignore
    ['an array', (a, b) => ({ order: { line_items: [line(a, 1), line(b, 3)] } })],
    ['an index-keyed object in JSON', (a, b) => ({ order: { line_items: { '1': line(b, 3), '0': line(a, 1) } } })],
  ]; // prettier-ignore
  const line = (variant_id: number, quantity: number) => ({ variant_id, quantity });
  const formLines = (lines: [string, number, number][], name = 'line_items') =>
    lines
      .flatMap(([index, variant, quantity]) => [
        `order[${name}][${index}][variant_id]=${variant}`,
        `order[${name}][${index}][quantity]=${quantity}`,
      ])
      .join('&');

  test.each(WAYS)('%s: creates and updates an order', async (_how, write) => {
    const [a, b] = [await aSellableVariant(), await aSellableVariant()];
    const body = write(a.id, b.id);
    const send = (test: Test) => {
      void test.set('X-Store-Token', token);
      return typeof body === 'string' ? test.type('form').send(body) : test.send(body);
    };
    const made = await send(http().post(url('/orders.json')));
    const wanted = [
      { variant_id: a.id, quantity: 1 },
      { variant_id: b.id, quantity: 3 },
    ];
    expect(made.body.line_items).toMatchObject(wanted);
    const { number } = (await api({ token }).post('/orders')).body;
    expect((await send(http().put(url(`/orders/${number}.json`)))).body.line_items).toMatchObject(wanted);
  });

  test.each(['[]', '[0]'])('creates variants and properties of a product, indexed by %s', async (index) => {
    const name = unique('Old');
    const reply = await http()
      .post(url('/products'))
      .type('form')
      .send(
        `token=${token}&product[name]=${name}&product[price]=5&product[shipping_category]=Default` +
          `&product[option_types][]=${name}` +
          `&product[variants]${index === '[]' ? '[0]' : index}[sku]=${name}-S` +
          `&product[variants][1][sku]=${name}-M&product[variants][1][options][0][name]=${name}` +
          `&product[variants][1][options][0][value]=M` +
          `&product[product_properties_attributes][0][property_name]=${name}` +
          `&product[product_properties_attributes][0][value]=wool`,
      );
    expect(reply.status).toBe(201);
    expect(reply.body.variants.map(({ sku }: any) => sku)).toEqual([`${name}-S`, `${name}-M`]);
    expect(reply.body.product_properties).toMatchObject([{ property_name: name, value: 'wool' }]);
  });

  test('sets zone members', async () => {
    const { countries } = (await api().get('/countries?per_page=2')).body;
    const name = unique('zone');
    const reply = await http()
      .post(url('/zones'))
      .set('X-Store-Token', token)
      .type('form')
      .send(
        [`zone[name]=${name}`]
          .concat(
            countries.flatMap(({ id }: any, index: number) => [
              `zone[zone_members][${index}][zoneable_type]=Store::Country`,
              `zone[zone_members][${index}][zoneable_id]=${id}`,
            ]),
          )
          .join('&'),
      );
    expect(reply.status).toBe(201);
    expect(reply.body.zone_members.map(({ zoneable_id }: any) => zoneable_id)).toEqual(
      countries.map(({ id }: any) => id),
    );
  });
});

test('a form completes an order in confirm', async () => {
  const order = await orderInState('confirm');
  const reply = await http()
    .post(url(`/checkouts/${order.number}.json/`))
    .field('_method', 'put')
    .field('order_token', order.caller.orderToken);
  expect([reply.status, reply.body.state]).toEqual([200, 'complete']);
});
