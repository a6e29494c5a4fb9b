import { asAdmin } from '../../support/accounts.factory';
import { testDb } from '../../support/database';
import { aProduct, getDefaultShippingCategoryId } from '../../support/products.factory';
import { unique } from '../../support/unique';
import { INVALID } from '../../support/error-bodies';

describe('creating a product', () => {
  test('accepts query brackets; price and sku belong to the master', async () => {
    const name = unique('Canvas Tote');
    const category = await getDefaultShippingCategoryId();
    const reply = await (
      await asAdmin()
    ).post(
      `/products?product[name]=${name}&product[price]=15.99&product[shipping_category_id]=${category}&product[sku]=${name}`,
    );

    expect(reply.status).toBe(201);
    const slug = name.toLowerCase().replace(' ', '-');
    const { id, available_on, created_at, updated_at, master, ...rest } = reply.body;
    expect(rest).toEqual({
      name,
      metadata: {},
      public_metadata: {},
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
      meta_title: null,
      in_stock: master.is_orderable,
      price_range: { min: '15.99', max: '15.99', display_min: '$15.99', display_max: '$15.99' },
    });
    const stored = await testDb()('products').where({ id }).first('created_at', 'updated_at');
    expect({ created_at, updated_at }).toEqual({
      created_at: stored.created_at.toISOString(),
      updated_at: stored.updated_at.toISOString(),
    });
    expect(Math.abs(Date.now() - Date.parse(available_on))).toBeLessThan(60_000);
    expect(master).toEqual({
      id: master.id,
      name,
      metadata: {},
      public_metadata: {},
      sku: name,
      price: '15.99',
      weight: '0.0',
      height: null,
      barcode: null,
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
      updated_at: expect.any(String),
      option_values: [],
      images: [],
    });
    expect((await (await asAdmin()).get(`/products/${slug}`)).body).toEqual(reply.body);
  });

  test.each([
    ['{"product":{}}', { product: {} }],
    ['{}', {}],
    ['a wrapper that is not an object', { product: 'x' }],
    ['a wrapper that is a list', { product: [] }],
    ['blank fields', { product: { name: ' ', price: '', shipping_category_id: '', shipping_category: ' ' } }],
  ])('%s returns 422 with all errors', async (_what, body) => {
    const reply = await (await asAdmin()).post('/products', body);
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
    ['a price that is not a number', { price: 'cheap' }, { price: ['is not a number'] }],
    [
      'a price that is too high',
      { price: '1000000' },
      { price: ['must be less than or equal to 999999.99'] },
    ],
    ['a nested price', { price: { toString: 1 } }, { price: ['is not a number'] }],
    ['a long name', { name: 'x'.repeat(256) }, { name: ['is too long (maximum is 255 characters)'] }],
    ['a NUL byte', { description: 'a\u0000b' }, { description: ['is invalid'] }],
    [
      'an unknown shipping category',
      { shipping_category_id: 2147483647 },
      { shipping_category_id: ['is invalid'] },
    ],
    [
      'a shipping category that is not an id',
      { shipping_category_id: 'x' },
      { shipping_category_id: ['is invalid'] },
    ],
    [
      'a shipping category that is no name',
      { shipping_category_id: undefined, shipping_category: { id: {} } },
      { shipping_category: ['is invalid'] },
    ],
    ['an unknown tax category', { tax_category_id: 2147483647 }, { tax_category_id: ['is invalid'] }],
    ['an unknown taxon', { taxon_ids: [2147483647] }, { taxon_ids: ['is invalid'] }],
    ['an unknown option type', { option_type_ids: [2147483647] }, { option_type_ids: ['is invalid'] }],
    ['a variant that is not an object', { variants: ['red'] }, { variants: ['is invalid'] }],
    ['a variant that is null', { variants: [{ price: 1 }, null] }, { variants: ['is invalid'] }],
    [
      'a property that is not an object',
      { product_properties_attributes: { 0: 'material' } },
      { product_properties: ['is invalid'] },
    ],
    ['text as a currency', { cost_currency: 'dollars' }, { cost_currency: ['is invalid'] }],
    ['an unknown currency', { cost_currency: 'EUO' }, { cost_currency: ['is invalid'] }],
    ['a negative weight', { weight: '-1' }, { weight: ['must be greater than or equal to 0'] }],
    ['an invalid date', { available_on: 'tomorrow' }, { available_on: ['is invalid'] }],
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
  ])('%s returns 422 and stores nothing', async (_what, attributes, errors) => {
    const name = unique('Refused');
    const reply = await (
      await asAdmin()
    ).post('/products', {
      product: { name, price: 1, shipping_category_id: await getDefaultShippingCategoryId(), ...attributes },
    });
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual({ error: INVALID, errors });
    expect(await testDb()('products').where({ name })).toEqual([]);
  });

  test('creates variants, options, properties, taxons and a named category in one request', async () => {
    const caller = await asAdmin();
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

  test('a taken sku of a nested variant fails the whole request', async () => {
    const sku = unique('SKU');
    await aProduct({ sku });
    const name = unique('Undone');
    const reply = await (
      await asAdmin()
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

  test('prices are exact as numbers and as strings', async () => {
    expect((await aProduct({ price: 19.99 })).price).toBe('19.99');
    expect(await aProduct({ price: '0.005' })).toMatchObject({ price: '0.01', display_price: '$0.01' });
    expect(await aProduct({ price: 1234.5 })).toMatchObject({ price: '1234.5', display_price: '$1,234.50' });
  });

  test('read-only fields in the body are ignored', async () => {
    const product = await aProduct({ id: 99_999_999, deleted_at: '2020-01-01', total_on_hand: 5 });
    expect(product.id).not.toBe(99_999_999);
    expect(product).toMatchObject({ total_on_hand: 0, master: { is_destroyed: false } });
  });
});
