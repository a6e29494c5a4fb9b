import { anAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import {
  aProduct,
  anOptionType,
  getDefaultShippingCategoryId,
  receiveStock,
} from '../../support/products.factory';
import { countQueries } from '../../support/queries';
import { unique } from '../../support/unique';

let admin: ReturnType<typeof api>;

beforeAll(async () => {
  admin = api(await anAdmin());
});

/** Builds variants with all attributes, in combinations of colors and sizes. */
const buildRows = (count: number, word: string): object[] =>
  Array.from({ length: count }, (_none, index) => ({
    sku: `${word}-${index}`,
    ...(index % 2 === 0 && { price: `${index + 1}.5` }),
    weight: '1.25',
    options: [
      { name: `${word}-color`, value: ['red', 'green', 'blue'][index % 3] },
      { name: `${word}-size`, value: `S${Math.floor(index / 3)}` },
    ],
  }));

async function createProduct(word: string, variants: unknown): Promise<any> {
  const reply = await admin.post('/products', {
    product: { name: word, price: '9', shipping_category_id: await getDefaultShippingCategoryId(), variants },
  });
  expect(reply.status).toBe(201);
  return reply.body;
}

describe('many variants of one product', () => {
  test('are created with as many statements as two', async () => {
    const countCreateStatements = (count: number) =>
      countQueries(() => createProduct(unique('many'), buildRows(count, unique('many'))));
    await countCreateStatements(2);
    const two = await countCreateStatements(2);
    expect(await countCreateStatements(200)).toBe(two);
  });

  test('are updated with as many statements as two', async () => {
    const { id, variants } = await createProduct(unique('many'), buildRows(60, unique('many')));
    const countUpdateStatements = async (count: number): Promise<number> => {
      const word = unique('changed');
      const changes = buildRows(count, word).map((row, index) => ({ ...row, id: variants[index].id }));
      let reply: any;
      const statements = await countQueries(async () => {
        reply = await admin.put(`/products/${id}`, { product: { variants: changes } });
      });
      expect(reply.status).toBe(200);
      expect(reply.body.variants.slice(0, count).map(({ sku }: any) => sku)).toEqual(
        changes.map((_row, index) => `${word}-${index}`),
      );
      return statements;
    };
    await countUpdateStatements(2);
    const two = await countUpdateStatements(2);
    expect(await countUpdateStatements(60)).toBe(two);
  });

  test('each have their own price, options, position and stock', async () => {
    const word = unique('many');
    const { id, variants, option_types: types } = await createProduct(word, buildRows(7, word));
    expect(variants.map(({ sku }: any) => sku)).toEqual(buildRows(7, word).map((row: any) => row.sku));
    expect(variants.map(({ price }: any) => price)).toEqual([
      '1.5',
      '9.0',
      '3.5',
      '9.0',
      '5.5',
      '9.0',
      '7.5',
    ]);
    expect(variants.map(({ options_text: text }: any) => text.replaceAll(`${word}-`, ''))).toEqual(
      ['red, S0', 'green, S0', 'blue, S0', 'red, S1', 'green, S1', 'blue, S1', 'red, S2'].map((pair) =>
        pair.replace(/(\w+), (\w+)/, 'color: $1, size: $2'),
      ),
    );
    expect(types.map(({ name }: any) => name)).toEqual([`${word}-color`, `${word}-size`]);
    expect(types.map(({ option_values: values }: any) => values.map(({ name }: any) => name))).toEqual([
      ['red', 'green', 'blue'],
      ['S0', 'S1', 'S2'],
    ]);
    const listed = (await admin.get(`/products/${id}/variants`)).body.variants;
    for (const { stock_items: items } of listed) expect(items.length).toBeGreaterThan(0);
    const positions = await testDb()('variants').where({ product_id: id }).orderBy('id').pluck('position');
    expect(positions).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('follow existing variants, also when those were moved', async () => {
    const { id } = await createProduct(unique('many'), [{ position: 7 }, {}, { position: 3 }, {}, { position: 2147483647 }, {}]); // prettier-ignore
    const positions = await testDb()('variants').where({ product_id: id }).orderBy('id').pluck('position');
    expect(positions).toEqual([1, 7, 8, 3, 9, 2147483646, 2147483647]);
  });

  test('clear the stock of the master once, for the first of them', async () => {
    const product = await aProduct();
    await receiveStock(product.master.id, 4);
    const reply = await admin.put(`/products/${product.id}`, { product: { variants: [{}, {}, {}] } });
    const first = reply.body.variants[0].id;
    const movements = await testDb()('stock_movements')
      .join('stock_items', 'stock_items.id', 'stock_movements.stock_item_id')
      .where({ variant_id: product.master.id, quantity: -4 })
      .select('originator_type', 'originator_id');
    expect(movements).toEqual([{ originator_type: 'Store::Variant', originator_id: first }]);
    expect(reply.body.master.total_on_hand).toBe(0);
  });
});

describe('updating several variants', () => {
  test('changes only the named attributes; repeated rows of one id apply in turn', async () => {
    const word = unique('many');
    const { id, variants } = await createProduct(word, [
      { sku: `${word}-a`, weight: '2', height: '3', cost_price: '1', cost_currency: 'EUR', track_inventory: false },
      { sku: `${word}-b`, price: '4' },
      { sku: `${word}-c`, options: [{ name: `${word}-size`, value: 'S' }] },
    ]); // prettier-ignore
    const [a, b, c] = variants.map((variant: any) => variant.id);
    const reply = await admin.put(`/products/${id}`, {
      product: {
        variants: [
          { id: a, height: '', weight: '5' },
          { id: b, price: '6' },
          { id: a, sku: `${word}-z` },
          { id: c, options: [{ name: `${word}-color`, value: 'red' }] },
          { sku: `${word}-a` },
        ],
      },
    });
    expect(reply.status).toBe(200);
    expect(reply.body.variants).toMatchObject([
      { id: a, sku: `${word}-z`, weight: '5.0', height: null, cost_price: '1.0', track_inventory: false, price: '9.0' },
      { id: b, sku: `${word}-b`, weight: '0.0', price: '6.0', track_inventory: true },
      { id: c, sku: `${word}-c`, options_text: `${word}-size: S, ${word}-color: red` },
      { sku: `${word}-a`, price: '9.0' },
    ]); // prettier-ignore
  });

  test('named option values replace those of the same type and keep those of others', async () => {
    const [word, type] = [unique('many'), await anOptionType('Size', 'S', 'M', 'L')];
    const [s, m, l] = type.option_values.map(({ id }: any) => id);
    const { id, variants } = await createProduct(word, [
      { option_value_ids: [s] },
      { option_value_ids: String(m) },
    ]);
    const change = (row: object) => admin.put(`/products/${id}`, { product: { variants: [row] } });
    const reply = await change({ id: variants[0].id, option_value_ids: [l] });
    const values = reply.body.variants.map((variant: any) => variant.option_values.map((one: any) => one.id));
    expect(values).toEqual([[l], [m]]);
    const cleared = await change({ id: variants[1].id, option_value_ids: '' });
    expect(cleared.body.variants.map(({ options_text: text }: any) => text)).toEqual(['Size: L', '']);
  });

  test('two variants can swap their SKUs', async () => {
    const [one, other] = [unique('one'), unique('other')];
    const { id, variants } = await createProduct(unique('swap'), [{ sku: one }, { sku: other }]);
    const reply = await admin.put(`/products/${id}`, {
      product: { variants: variants.map(({ id, sku }: any) => ({ id, sku: sku === one ? other : one })) },
    });
    expect([reply.status, reply.body.variants?.map(({ sku }: any) => sku)]).toEqual([200, [other, one]]);
  });

  test.each<[string, (ids: number[]) => object[], object]>([
    ['a variant of another product', () => [{ id: 2147483647, sku: 'x' }], { 'variants.id': ['is invalid'] }],
    ['two values of one type', ([a, b]) => [{ option_value_ids: [a, b] }], { 'variants.option_values': ['is invalid'] }],
    ['an unknown value', ([a]) => [{ option_value_ids: [a] }, { option_value_ids: [2147483647] }], { 'variants.option_value_ids': ['is invalid'] }],
    ['an unknown tax category', () => [{}, { tax_category_id: 2147483647 }], { 'variants.tax_category_id': ['is invalid'] }],
    ['the same sku twice', () => [{ sku: 'twin' }, { sku: 'twin' }], { 'variants.sku': ['has already been taken'] }],
  ])('%s returns 422 and saves nothing of the request', async (_what, rowsOf, errors) => {
    const { option_values: values } = await anOptionType('Size', 'S', 'M');
    const product = await aProduct();
    const before = (await admin.get(`/products/${product.id}`)).body;
    const reply = await admin.put(`/products/${product.id}`, {
      product: { name: 'Changed', variants: rowsOf(values.map(({ id }: any) => id)) },
    });
    expect([reply.status, reply.body.errors]).toEqual([422, errors]);
    expect((await admin.get(`/products/${product.id}`)).body).toEqual(before);
  }); // prettier-ignore
});
