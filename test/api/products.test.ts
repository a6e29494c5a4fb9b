import { aCustomer, anAdmin } from '../support/accounts.factory';
import { api, makeTestApp } from '../support/api';
import { testDb } from '../support/database';
import { aProduct, aVariant, defaultShippingCategoryId } from '../support/products.factory';
import { unique } from '../support/unique';

const INVALID = 'Invalid resource. Please fix errors and try again.';
const NOT_FOUND = { error: 'The resource you were looking for could not be found.' };
const DAY_MS = 86_400_000;
const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

async function admin() {
  return api(await anAdmin());
}

describe('creating a product', () => {
  test('query brackets are enough; the master carries price and sku', async () => {
    const name = unique('Canvas Tote');
    const category = await defaultShippingCategoryId();
    const reply = await (
      await admin()
    ).post(
      `/products?product[name]=${name}&product[price]=15.99&product[shipping_category_id]=${category}&product[sku]=${name}`,
    );

    expect(reply.status).toBe(201);
    const slug = name.toLowerCase().replace(' ', '-');
    const { id, available_on, master, ...rest } = reply.body;
    expect(rest).toEqual({
      name,
      description: null,
      price: '15.99',
      display_price: '$15.99',
      slug,
      meta_description: null,
      meta_keywords: null,
      shipping_category_id: category,
      taxon_ids: [],
      total_on_hand: 0,
      has_variants: false,
      variants: [],
      option_types: [],
      product_properties: [],
      classifications: [],
    });
    expect(Math.abs(Date.now() - Date.parse(available_on))).toBeLessThan(60_000);
    expect(master).toEqual({
      id: master.id,
      name,
      sku: name,
      price: '15.99',
      weight: '0.0',
      height: null,
      width: null,
      depth: null,
      is_master: true,
      slug,
      description: null,
      track_inventory: true,
      cost_price: null,
      display_price: '$15.99',
      options_text: '',
      in_stock: false,
      is_backorderable: true,
      is_orderable: true,
      total_on_hand: 0,
      is_destroyed: false,
      product_id: id,
      option_values: [],
      images: [],
    });
    expect((await (await admin()).get(`/products/${slug}`)).body).toEqual(reply.body);
  });

  test.each([
    ['{"product":{}}', { product: {} }],
    ['{}', {}],
    ['a wrapper that is no object', { product: 'x' }],
    ['a wrapper that is a list', { product: [] }],
    ['blank fields', { product: { name: ' ', price: '', shipping_category_id: '', shipping_category: ' ' } }],
  ])('%s is refused with every complaint at once', async (_what, body) => {
    const reply = await (await admin()).post('/products', body);
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual({
      error: INVALID,
      errors: {
        name: ["can't be blank"],
        price: ["can't be blank"],
        shipping_category_id: ["can't be blank"],
      },
    });
  });

  test.each([
    ['a negative price', { price: -1 }, { price: ['must be greater than or equal to 0'] }],
    ['a price in words', { price: 'cheap' }, { price: ['is not a number'] }],
    ['too high a price', { price: '1000000' }, { price: ['must be less than or equal to 999999.99'] }],
    ['a nested price', { price: { toString: 1 } }, { price: ['is not a number'] }],
    ['a long name', { name: 'x'.repeat(256) }, { name: ['is too long (maximum is 255 characters)'] }],
    ['a NUL byte', { description: 'a\u0000b' }, { description: ['is invalid'] }],
    [
      'an unknown shipping category',
      { shipping_category_id: 2147483647 },
      { shipping_category_id: ['is invalid'] },
    ],
    ['a shipping category in words', { shipping_category_id: 'x' }, { shipping_category_id: ['is invalid'] }],
    ['an unknown tax category', { tax_category_id: 2147483647 }, { tax_category_id: ['is invalid'] }],
    ['an unknown taxon', { taxon_ids: [2147483647] }, { taxon_ids: ['is invalid'] }],
    ['an unknown option type', { option_type_ids: [2147483647] }, { option_type_ids: ['is invalid'] }],
    ['a currency nobody knows', { cost_currency: 'dollars' }, { cost_currency: ['is invalid'] }],
    ['a negative weight', { weight: '-1' }, { weight: ['must be greater than or equal to 0'] }],
    ['a date that is none', { available_on: 'tomorrow' }, { available_on: ['is invalid'] }],
    ['a price of a variant', { variants: [{ price: 'x' }] }, { 'variants.price': ['is not a number'] }],
    [
      'an unknown value of a variant',
      { variants: { 0: { option_value_ids: [2147483647] } } },
      { 'variants.option_value_ids': ['is invalid'] },
    ],
    [
      'an option without a value',
      { variants: [{ options: [{ name: 'size', value: '' }] }] },
      { 'variants.options.value': ["can't be blank"] },
    ],
  ])('%s is refused and nothing is stored', async (_what, attributes, errors) => {
    const name = unique('Refused');
    const reply = await (
      await admin()
    ).post('/products', {
      product: { name, price: 1, shipping_category_id: await defaultShippingCategoryId(), ...attributes },
    });
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual({ error: INVALID, errors });
    expect(await testDb()('products').where({ name })).toEqual([]);
  });

  test('variants, options, properties, taxons and a named category come along', async () => {
    const caller = await admin();
    const [size, color, material, category] = ['size', 'color', 'material', 'Bulky'].map(unique);
    const taxonomy = await caller.post('/taxonomies', { taxonomy: { name: unique('Categories') } });
    const reply = await caller.post('/products', {
      product: {
        name: unique('Logo Shirt'),
        price: '20',
        shipping_category: category,
        taxon_ids: `${taxonomy.body.root.id}`,
        option_types: [unique('fit')],
        variants: {
          1: {
            sku: unique('SH-M'),
            price: 22.5,
            options: [
              { name: size, value: 'Medium' },
              { name: color, value: 'Red' },
            ],
          },
          0: {
            sku: unique('SH-S'),
            options: { 0: { name: size, value: 'Small' }, 1: { name: color, value: 'Red' } },
          },
        },
        product_properties_attributes: [
          { property_name: material, value: 'cotton' },
          { property_name: ' ', value: 'nothing' },
        ],
      },
    });

    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      price: '20.0',
      display_price: '$20.00',
      has_variants: true,
      taxon_ids: [taxonomy.body.root.id],
      variants: [
        { price: '20.0', options_text: `${size}: Small, ${color}: Red`, is_master: false },
        { price: '22.5', options_text: `${size}: Medium, ${color}: Red`, is_master: false },
      ],
      product_properties: [{ value: 'cotton', property_name: material, product_id: reply.body.id }],
      classifications: [
        { taxon_id: taxonomy.body.root.id, position: 1, taxon: { id: taxonomy.body.root.id, taxons: [] } },
      ],
    });
    const types = reply.body.option_types;
    expect(types.map((type: any) => type.presentation)).toEqual([expect.stringMatching(/^fit/), size, color]);
    expect(types[1].option_values.map((value: any) => value.name)).toEqual(['Small', 'Medium']);
    expect(reply.body.variants[0].option_values).toEqual([
      types[1].option_values[0],
      types[2].option_values[0],
    ]);
    const stored = await testDb()('shipping_categories').where({ name: category });
    expect(stored).toMatchObject([{ id: reply.body.shipping_category_id }]);
  });

  test('a taken sku of a nested variant undoes the whole product', async () => {
    const sku = unique('SKU');
    await aProduct({ sku });
    const name = unique('Undone');
    const reply = await (
      await admin()
    ).post('/products', {
      product: { name, price: 1, shipping_category: 'Default', variants: [{ sku: unique('A') }, { sku }] },
    });
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toEqual({ 'variants.sku': ['has already been taken'] });
    expect(await testDb()('products').where({ name })).toEqual([]);
  });

  test('an explicit null or future date is kept', async () => {
    expect((await aProduct({ available_on: null })).available_on).toBeNull();
    expect((await aProduct({ available_on: '2126-03-01' })).available_on).toBe('2126-03-01T00:00:00.000Z');
  });

  test('money is exact, whether it comes as a number or as text', async () => {
    expect((await aProduct({ price: 19.99 })).price).toBe('19.99');
    expect(await aProduct({ price: '0.005' })).toMatchObject({ price: '0.01', display_price: '$0.01' });
    expect(await aProduct({ price: 1234.5 })).toMatchObject({ price: '1234.5', display_price: '$1,234.50' });
  });

  test('guarded fields in the body change nothing', async () => {
    const product = await aProduct({ id: 99_999_999, deleted_at: '2020-01-01', total_on_hand: 5 });
    expect(product.id).not.toBe(99_999_999);
    expect(product).toMatchObject({ total_on_hand: 0, master: { is_destroyed: false } });
  });
});

describe('slugs', () => {
  test('a taken one is followed by the sku, then by something random', async () => {
    const name = unique('Mug');
    const [plain, withSku, random] = [
      await aProduct({ name }),
      await aProduct({ name, sku: `${name}-1` }),
      await aProduct({ name }),
    ];
    expect(plain.slug).toBe(name.toLowerCase());
    expect(withSku.slug).toBe(`${name}-${name}-1`.toLowerCase());
    expect(random.slug).toMatch(new RegExp(`^${name}-[0-9a-f-]{36}$`, 'i'));
  });

  test('many at once get one each', async () => {
    const caller = await admin();
    const name = unique('Race');
    const replies = await Promise.all(
      Array.from({ length: 6 }, () =>
        caller.post('/products', { product: { name, price: 1, shipping_category: 'Default' } }),
      ),
    );
    expect(replies.map((reply) => reply.status)).toEqual(Array(6).fill(201));
    expect(new Set(replies.map((reply) => reply.body.slug)).size).toBe(6);
  });

  test('a given one is normalized, taken once, and made anew when blank', async () => {
    const slug = unique('given');
    const product = await aProduct({ slug: ` ${slug.toUpperCase()}! ` });
    expect(product.slug).toBe(slug);
    const caller = await admin();
    const taken = await caller.post('/products', {
      product: { name: 'X', price: 1, shipping_category: 'Default', permalink: slug },
    });
    expect([taken.status, taken.body.errors]).toEqual([422, { slug: ['has already been taken'] }]);
    const name = unique('Renamed');
    const changed = await caller.put(`/products/${product.id}`, { product: { name, slug: '' } });
    expect(changed.body.slug).toBe(name.toLowerCase());
    const other = await aProduct();
    const refused = await caller.put(`/products/${other.id}`, { product: { slug: changed.body.slug } });
    expect([refused.status, refused.body.errors]).toEqual([422, { slug: ['has already been taken'] }]);
  });

  test('a name without letters still gets one', async () => {
    expect((await aProduct({ name: '!!!' })).slug).toMatch(/^product-[0-9a-f]+/);
  });

  test('a rename keeps it; a former one leads to the product until another takes it', async () => {
    const caller = await admin();
    const former = unique('former');
    const product = await aProduct({ slug: former });
    await caller.put(`/products/${former}`, { product: { name: 'Anything' } });
    expect((await api().get(`/products/${former}`)).body.slug).toBe(former);

    const present = unique('present');
    await caller.put(`/products/${former}`, { product: { slug: present } });
    expect((await api().get(`/products/${present}`)).body.id).toBe(product.id);
    expect((await api().get(`/products/${former}`)).body.id).toBe(product.id);

    const successor = await aProduct({ slug: former });
    expect((await api().get(`/products/${former}`)).body.id).toBe(successor.id);
    await caller.delete(`/products/${successor.id}`);
    expect((await api().get(`/products/${former}`)).status).toBe(404);
  });

  test('a slug that looks like a number wins over an id', async () => {
    const byId = await aProduct();
    expect((await api().get(`/products/${byId.id}`)).body.id).toBe(byId.id);
    const bySlug = await aProduct({ slug: `${byId.id}` });
    expect((await api().get(`/products/${byId.id}`)).body.id).toBe(bySlug.id);
    await (await admin()).delete(`/products/${bySlug.id}`);
  });

  test('a product called new is reached by its id only', async () => {
    const product = await aProduct({ slug: 'new' });
    expect((await api().get('/products/new')).body).toEqual({
      attributes: [
        ...[
          'id',
          'name',
          'description',
          'price',
          'display_price',
          'available_on',
          'slug',
          'meta_description',
        ],
        ...['meta_keywords', 'shipping_category_id', 'taxon_ids', 'total_on_hand'],
      ],
      required_attributes: ['name', 'shipping_category', 'price'],
    });
    expect((await api().get(`/products/${product.id}`)).body.slug).toBe('new');
    await (await admin()).delete(`/products/${product.id}`);
  });
});

describe('who sees a product', () => {
  test.each(['no-such', '99999999999999', '0', '-1', '%00', 'a%2Fb', '2147483648'])(
    '%s is nobody',
    async (permalink) => {
      const reply = await api().get(`/products/${permalink}`);
      expect([reply.status, reply.body]).toEqual([404, NOT_FOUND]);
    },
  );

  test('shoppers see what is on sale, admins what will be', async () => {
    const caller = await admin();
    const [future, unset, gone, here] = [
      await aProduct({ available_on: daysFromNow(1) }),
      await aProduct({ available_on: null }),
      await aProduct({ discontinue_on: daysFromNow(-1) }),
      await aProduct({ discontinue_on: daysFromNow(1) }),
    ];
    const all = [future, unset, gone, here].map((product) => product.id);
    const ids = `ids=${all.join(',')}`;
    const listed = async (by: typeof caller, query: string) =>
      (await by.get(`/products?${query}`)).body.products.map((product: any) => product.id);

    for (const shopper of [api(), api(await aCustomer())]) {
      expect(await listed(shopper, `${ids}&show_discontinued=true&show_deleted=true`)).toEqual([here.id]);
      const shown = await Promise.all(all.map((id) => shopper.get(`/products/${id}`)));
      expect(shown.map((reply) => reply.status)).toEqual([404, 404, 404, 200]);
    }
    expect(await listed(caller, ids)).toEqual([future.id, unset.id, here.id]);
    expect(await listed(caller, `${ids}&show_discontinued=true`)).toEqual(all);
    expect(await listed(caller, `${ids}&show_discontinued=false`)).toEqual([future.id, unset.id, here.id]);
    for (const id of all) expect((await caller.get(`/products/${id}`)).status).toBe(200);
  });

  test('the clock opens and closes the sale', async () => {
    const product = await aProduct({ available_on: '2030-01-02', discontinue_on: '2030-01-04' });
    const at = (time: string) => api({}, makeTestApp({ now: () => new Date(time) }));
    const status = async (time: string) => (await at(time).get(`/products/${product.id}`)).status;
    expect(await status('2030-01-01T23:59:59.999Z')).toBe(404);
    expect(await status('2030-01-02T00:00:00.000Z')).toBe(200);
    expect(await status('2030-01-03T23:59:59.999Z')).toBe(200);
    expect(await status('2030-01-04T00:00:00.000Z')).toBe(404);
  });

  test("a product without a price in the store's currency is for admins only, who set one", async () => {
    const product = await aProduct();
    const caller = await admin();
    await testDb()('prices').where({ variant_id: product.master.id }).delete();
    expect((await api().get(`/products/${product.id}`)).status).toBe(404);
    expect((await api().get(`/products?ids=${product.id}`)).body.total_count).toBe(0);
    expect((await caller.get(`/products/${product.id}`)).body).toMatchObject({
      price: null,
      display_price: null,
    });
    await caller.put(`/products/${product.id}`, { product: { price: 3 } });
    expect((await api().get(`/products/${product.id}`)).body.display_price).toBe('$3.00');
  });

  test('prices follow the currency of the store, and yen have no decimals to show', async () => {
    const product = await aProduct();
    const yen = await testDb()('stores').where({ is_default: true }).update({ currency: 'JPY' });
    try {
      expect(yen).toBe(1);
      expect((await api().get(`/products/${product.id}`)).status).toBe(404);
      const reply = await (await admin()).put(`/products/${product.id}`, { product: { price: '1235' } });
      expect(reply.body).toMatchObject({ price: '1235.0', display_price: '¥1,235' });
      expect((await api().get(`/products/${product.id}`)).status).toBe(200);
    } finally {
      await testDb()('stores').where({ is_default: true }).update({ currency: 'USD' });
    }
    expect((await api().get(`/products/${product.id}`)).body.price).toBe('19.99');
  });

  test('what an article costs the shop is told to admins only', async () => {
    const product = await aProduct({ cost_price: '7.5', variants: [{ cost_price: 8 }] });
    expect(product).toMatchObject({ master: { cost_price: '7.5' }, variants: [{ cost_price: '8.0' }] });
    for (const shopper of [api(), api(await aCustomer())]) {
      expect((await shopper.get(`/products/${product.id}`)).text).not.toContain('cost_price');
      expect((await shopper.get(`/products?ids=${product.id}`)).text).not.toContain('cost_price');
    }
    expect((await (await admin()).get(`/products?ids=${product.id}`)).body.products).toEqual([product]);
  });

  test('only admins write, and to others nothing is known of what exists', async () => {
    const product = await aProduct();
    for (const caller of [api(), api(await aCustomer())]) {
      for (const id of [product.id, 2147483647]) {
        expect((await caller.post('/products', {})).status).toBe(401);
        expect((await caller.put(`/products/${id}`, { product: { price: 1 } })).status).toBe(401);
        expect((await caller.delete(`/products/${id}`)).status).toBe(401);
      }
    }
    expect((await api().get(`/products/${product.id}`)).body.price).toBe('19.99');
    expect((await api({ token: 'nobody' }).get('/products')).status).toBe(401);
  });
});

describe('lists and searches', () => {
  /** Three products whose names share a word nobody else has. */
  async function three(attributes: object[] = [{}, {}, {}]) {
    const word = unique('w').replace('-', '');
    const [a, b, c] = await Promise.all(
      attributes.map((extra, index) => aProduct({ name: `Thing ${'ABC'[index]} ${word}`, ...extra })),
    );
    return { word, a, b, c };
  }

  test('count is of the page, pages of the whole; pages beyond the end are empty', async () => {
    const { word, a, b, c } = await three();
    const page = async (query: string) => (await api().get(`/products?q[name_cont]=${word}&${query}`)).body;
    expect(await page('per_page=2&page=2&q[s]=name asc')).toMatchObject({
      count: 1,
      total_count: 3,
      current_page: 2,
      per_page: 2,
      pages: 2,
      products: [{ id: c.id }],
    });
    expect(await page('per_page=2&page=9')).toEqual({
      count: 0,
      total_count: 3,
      current_page: 9,
      per_page: 2,
      pages: 2,
      products: [],
    });
    expect(await page('page=abc&per_page=0')).toMatchObject({ current_page: 1, per_page: 25, pages: 1 });
    const descending = await page('q[s]=name desc');
    expect(descending.products.map((product: any) => product.id)).toEqual([c.id, b.id, a.id]);
    const none = await api().get(`/products?q[name_cont]=${unique('nothing')}`);
    expect(none.body).toMatchObject({ count: 0, total_count: 0, pages: 0, products: [] });
  });

  test('the plain list counts and pages the same way', async () => {
    await three();
    const whole = (await api().get('/products?per_page=500')).body;
    expect(whole.total_count).toBe(whole.count);
    const first = await api().get('/products?per_page=2');
    expect(first.body).toMatchObject({ count: 2, total_count: whole.total_count });
    expect(first.headers['x-total-count']).toBe(String(whole.total_count));
    const beyond = await api().get('/products?per_page=2&page=100000');
    expect(beyond.body).toMatchObject({ count: 0, total_count: whole.total_count, current_page: 100_000 });
    const ids = whole.products.map((product: any) => product.id);
    expect(ids).toEqual([...ids].sort((a: number, b: number) => a - b));
  });

  test('percent signs, underscores and backslashes are text', async () => {
    const word = unique('lit').replace('-', '');
    const percent = await aProduct({ name: `100% ${word}` });
    await aProduct({ name: `1000 ${word}` });
    const found = async (text: string) =>
      (await api().get(`/products?q[name_cont]=${encodeURIComponent(text)}`)).body.products.map(
        (product: any) => product.id,
      );
    expect(await found(`100% ${word}`)).toEqual([percent.id]);
    expect(await found(`100_ ${word}`)).toEqual([]);
    expect(await found(`\\${word}`)).toEqual([]);
  });

  test('what means nothing filters nothing, and is named', async () => {
    const { word } = await three();
    const reply = await api().get(
      `/products?q[name_cont]=${word}&q[bogus_eq]=1&q[name_eq]=&q[password_digest_start]=a&q[master_token_start]=a&q[cost_price_gt]=1`,
    );
    expect(reply.body.total_count).toBe(3);
    expect(reply.headers['x-ignored-conditions']).toBe(
      'bogus_eq, password_digest_start, master_token_start, cost_price_gt',
    );
  });

  test('searching by variants shows a product once', async () => {
    const sku = unique('SKU');
    const product = await aProduct({ variants: [{ sku: `${sku}-1` }, { sku: `${sku}-2` }] });
    const reply = await api().get(`/products?q[variants_sku_cont]=${sku}`);
    expect(reply.body).toMatchObject({ count: 1, total_count: 1, products: [{ id: product.id }] });
    const master = await api().get(`/products?q[sku_cont]=${sku}`);
    expect(master.body.total_count).toBe(0);
  });

  test('name or sku, price, category, taxons: whatever belongs to the product', async () => {
    const caller = await admin();
    const taxonomy = await caller.post('/taxonomies', { taxonomy: { name: unique('Taxon') } });
    const [taxon, category] = [taxonomy.body.root, unique('Category')];
    const { word, a, b, c } = await three([
      { price: 5, sku: unique('SKU') },
      { price: 7, shipping_category: category },
      { price: 6, taxon_ids: [taxonomy.body.root.id], description: unique('Prose') },
    ]);
    const found = async (query: string) =>
      (await api().get(`/products?${query}`)).body.products.map((product: any) => product.id);
    expect(await found(`q[name_or_sku_cont]=${a.master.sku.toLowerCase()}`)).toEqual([a.id]);
    expect(await found(`q[name_or_sku_cont]=${word}`)).toEqual([a.id, b.id, c.id].sort((x, y) => x - y));
    expect(await found(`q[name_cont]=${word}&q[price_gt]=5&q[price_lteq]=6`)).toEqual([c.id]);
    expect(await found(`q[name_cont]=${word}&q[s]=price desc`)).toEqual([b.id, c.id, a.id]);
    expect(await found(`q[name_cont]=${word}&q[s]=master_sku desc`)).toEqual([
      a.id,
      ...[b.id, c.id].sort((x, y) => x - y),
    ]);
    expect(await found(`q[shipping_category_name_eq]=${category}`)).toEqual([b.id]);
    expect(await found(`q[taxons_name_cont]=${taxon.name}`)).toEqual([c.id]);
    expect(await found(`q[taxons_id_in][]=${taxon.id}`)).toEqual([c.id]);
    expect(await found(`q[classifications_taxon_id_eq]=${taxon.id}`)).toEqual([c.id]);
    expect(await found(`q[description_cont]=${c.description.toLowerCase()}`)).toEqual([c.id]);
    expect(await found(`q[id_eq]=${a.id}&q[slug_eq]=${b.slug}&q[m]=or`)).toEqual(
      [a.id, b.id].sort((x, y) => x - y),
    );
    expect(await found(`q[id_eq]=abc`)).toEqual([]);
  });

  test('admins may search by what an article costs, through variants too; to others that does not exist', async () => {
    const product = await aProduct({ cost_price: 2, variants: [{ cost_price: 3 }] });
    const caller = await admin();
    const mine = `q[id_eq]=${product.id}`;
    for (const [query, total] of [
      ['q[master_cost_price_lt]=2', 0],
      ['q[variants_cost_price_gt]=2', 1],
      ['q[variants_cost_price_gt]=3', 0],
    ] as const) {
      expect((await caller.get(`/products?${mine}&${query}`)).body.total_count).toBe(total);
      const guess = await api().get(`/products?${mine}&${query}`);
      expect(guess.body.total_count).toBe(1);
      expect(guess.headers['x-ignored-conditions']).toMatch(/cost_price/);
    }
  });

  test('ids are exactly those the caller may see, and put the search out of action', async () => {
    const { a, b } = await three();
    const reply = await api().get(
      `/products?ids=${b.id},x,2147483647,${a.id}&q[name_cont]=nothing&per_page=1`,
    );
    expect(reply.body).toMatchObject({ count: 1, total_count: 2, pages: 2 });
  });
});

describe('changing a product', () => {
  test('what is named changes, the rest stays; null clears', async () => {
    const caller = await admin();
    const product = await aProduct({
      description: 'Old',
      meta_keywords: 'a, b',
      sku: unique('S'),
      weight: 2,
    });
    const reply = await caller.patch(`/products/${product.slug}`, {
      product: { description: null, sku: '', height: '1.255', available_on: '' },
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      ...product,
      description: null,
      available_on: null,
      master: { ...product.master, description: null, sku: '', height: '1.26' },
    });
  });

  test.each([
    [{ name: '' }, { name: ["can't be blank"] }],
    [{ price: null }, { price: ["can't be blank"] }],
    [{ shipping_category_id: '' }, { shipping_category_id: ["can't be blank"] }],
    [{ price: 'x', name: 'fine' }, { price: ['is not a number'] }],
    [{ variants: [{ id: 2147483647 }] }, { 'variants.id': ['is invalid'] }],
  ])('%j is refused and changes nothing', async (attributes, errors) => {
    const caller = await admin();
    const product = await aProduct();
    const reply = await caller.put(`/products/${product.id}`, { product: attributes });
    expect([reply.status, reply.body]).toEqual([422, { error: INVALID, errors }]);
    expect((await caller.get(`/products/${product.id}`)).body).toEqual(product);
    const missing = await caller.put('/products/no-such', { product: attributes });
    expect(missing.status).toBe(404);
  });

  test('a new price leaves the prices of the variants', async () => {
    const product = await aProduct({ price: 10, variants: [{}] });
    const reply = await (await admin()).put(`/products/${product.id}`, { product: { price: 12 } });
    expect(reply.body).toMatchObject({ price: '12.0', variants: [{ price: '10.0' }] });
  });

  test('variants are changed by id, or added', async () => {
    const product = await aProduct({ variants: [{ sku: unique('V') }] });
    const [variant] = product.variants;
    const reply = await (
      await admin()
    ).put(`/products/${product.id}`, {
      product: { variants: [{ id: variant.id, price: '3' }, { sku: unique('W') }] },
    });
    expect(reply.body.variants).toMatchObject([
      { id: variant.id, sku: variant.sku, price: '3.0' },
      { price: '19.99', sku: expect.stringMatching(/^W/) },
    ]);
    const other = await aProduct();
    const refused = await (
      await admin()
    ).put(`/products/${other.id}`, { product: { variants: [{ id: variant.id, price: 1 }] } });
    expect(refused.body.errors).toEqual({ 'variants.id': ['is invalid'] });
  });

  test('taxon_ids and option_type_ids replace the sets; blank clears; option_types adds', async () => {
    const caller = await admin();
    const taxonomy = await caller.post('/taxonomies', { taxonomy: { name: unique('T') } });
    const root = taxonomy.body.root.id;
    const [one, two] = [unique('one'), unique('two')];
    const product = await aProduct({ taxon_ids: [root], option_types: [one] });
    const typeNames = (body: any) => body.option_types.map((type: any) => type.name);
    expect(typeNames(product)).toEqual([one]);

    const added = await caller.put(`/products/${product.id}`, {
      product: { taxon_ids: '', option_types: [two, one] },
    });
    expect(added.body).toMatchObject({ taxon_ids: [], classifications: [] });
    expect(typeNames(added.body)).toEqual([one, two]);

    const [first, second] = added.body.option_types;
    const replaced = await caller.put(`/products/${product.id}`, {
      product: { option_type_ids: [second.id, first.id], taxon_ids: [root] },
    });
    expect(typeNames(replaced.body)).toEqual([two, one]);
    expect(replaced.body.taxon_ids).toEqual([root]);
    const cleared = await caller.put(`/products/${product.id}`, {
      product: { option_type_ids: [], taxon_ids: [] },
    });
    expect(cleared.body).toMatchObject({ option_types: [], taxon_ids: [] });
  });
});

/** What may stand in place of any wrapper or leaf. */
const ODDITIES: unknown[] = [
  null,
  [],
  {},
  '',
  5,
  -1,
  true,
  'x',
  { toString: 1 },
  [[]],
  [null],
  { 0: { 0: 1 } },
  1e400,
  'a\u0000',
];

describe('input of any shape', () => {
  const fields = [
    ...['name', 'description', 'price', 'available_on', 'discontinue_on', 'slug', 'permalink', 'meta_title'],
    ...['meta_description', 'meta_keywords', 'sku', 'weight', 'height', 'cost_price', 'cost_currency'],
    ...['shipping_category_id', 'shipping_category', 'tax_category_id', 'taxon_ids', 'option_type_ids'],
    ...['option_types', 'variants', 'product_properties_attributes'],
  ];

  test.each(ODDITIES.map((value) => [JSON.stringify(value), value]))(
    '%s in place of anything is an answer below 500',
    async (_text, value) => {
      const caller = await admin();
      const product = await aProduct({ variants: [{}] });
      const paths = [`/products/${product.id}`, `/products/${product.id}/variants/${product.variants[0].id}`];
      const bodies = [
        { product: value, variant: value },
        { product: Object.fromEntries(fields.map((field) => [field, value])) },
        { product: { variants: [{ sku: value, price: value, options: value, option_value_ids: value }] } },
        { product: { variants: { 0: { options: [{ name: value, value }], position: value } } } },
        { variant: { sku: value, price: value, options: value, option_value_ids: value, position: value } },
      ];
      for (const body of bodies) {
        for (const path of paths) expect((await caller.put(path, body)).status).toBeLessThan(500);
        expect((await caller.post(paths[0] + '/variants', body)).status).toBeLessThan(500);
        expect((await caller.post('/products', body)).status).toBeLessThan(500);
      }
      for (const field of fields) {
        const reply = await caller.put(`/products/${product.id}`, { product: { [field]: value } });
        expect([field, reply.status < 500]).toEqual([field, true]);
      }
    },
  );

  test('the last position there is leaves room for one more variant', async () => {
    const product = await aProduct({ variants: [{ position: 2147483647 }] });
    expect((await aVariant(product)).product_id).toBe(product.id);
  });

  test.each([
    '/variants?product_id=%00',
    '/variants?product_id[a]=1',
    '/products?show_deleted[a]=1&ids[a]=b',
  ])('%s is an answer below 500', async (path) => {
    expect((await api().get(path)).status).toBeLessThan(500);
  });
});

describe('deleting a product', () => {
  test('takes it and its variants out of sight, frees slug and sku, and keeps the record', async () => {
    const caller = await admin();
    const sku = unique('SKU');
    const product = await aProduct({
      slug: unique('gone'),
      variants: [{ sku }],
      option_types: [unique('type')],
      product_properties_attributes: [{ property_name: 'material', value: 'wool' }],
    });
    const reply = await caller.delete(`/products/${product.slug}`);
    expect([reply.status, reply.text, reply.headers['content-type']]).toEqual([204, '', undefined]);

    expect((await caller.get(`/products/${product.id}`)).status).toBe(404);
    expect((await caller.delete(`/products/${product.id}`)).status).toBe(404);
    expect((await caller.put(`/products/${product.id}`, { product: { name: '' } })).status).toBe(404);
    expect((await caller.get(`/products?ids=${product.id}`)).body.products).toEqual([]);
    expect((await caller.get(`/variants/${product.variants[0].id}`)).status).toBe(404);

    const shown = await caller.get(`/products/${product.id}?show_deleted=true`);
    expect(shown.body).toMatchObject({
      id: product.id,
      price: '19.99',
      variants: [],
      has_variants: false,
      total_on_hand: 0,
      master: { is_destroyed: true, price: '19.99' },
      option_types: product.option_types,
      product_properties: product.product_properties,
    });
    expect(shown.body.slug).toMatch(new RegExp(`^\\d{10}_${product.slug}$`));
    const listed = await caller.get(`/products?ids=${product.id}&show_deleted=true`);
    expect(listed.body.products).toEqual([shown.body]);
    expect((await api().get(`/products/${product.id}?show_deleted=true`)).status).toBe(404);

    const successor = await aProduct({ slug: product.slug, sku });
    expect(successor).toMatchObject({ slug: product.slug, master: { sku } });
    const rows = await testDb()('variants').where({ product_id: product.id }).whereNull('deleted_at');
    expect(rows).toEqual([]);
    const stock = await testDb()('stock_items')
      .join('variants', 'variants.id', 'variant_id')
      .where({ product_id: product.id })
      .whereNull('stock_items.deleted_at');
    expect(stock).toEqual([]);
  });
});

test('what hangs on a product is found under it, with .json and a trailing slash', async () => {
  const product = await aProduct({ variants: [{}] });
  await aVariant(product);
  for (const path of [`/products/${product.slug}.json`, `/products/${product.slug}/`]) {
    expect((await api().get(path)).body).toMatchObject({ id: product.id, has_variants: true });
  }
  expect((await api().get('/products.json?per_page=1')).body.count).toBe(1);
});
