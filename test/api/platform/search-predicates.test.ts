import { anAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { aProduct, aVariant } from '../../support/products.factory';
import { unique } from '../../support/unique';

/** Ends the names of the four products; unique, and of letters that no search below contains. */
const word = unique('w').replace(/[^w]/g, (sign) => 'cdfhjknpqrsuvwxyz'.charAt(parseInt(sign, 17) || 0));
/** The letters of the products by their ids. */
const letters = new Map<number, string>();
let ids: Record<string, number>;

beforeAll(async () => {
  const rows = {
    A: { name: `Alpha ${word}`, price: '1.50', meta_keywords: 'red', available_on: '2020-01-01' },
    B: { name: `beta ${word}`, price: '20', meta_keywords: '', available_on: '2020-06-01' },
    C: { name: `Gam_ma ${word}`, price: '300', meta_keywords: null, available_on: '2021-01-01T12:00:00Z' },
    D: { name: `100% d\\elta ${word}`, price: '20', meta_keywords: 'Red wine', available_on: '2022-01-01' },
  };
  for (const [letter, row] of Object.entries(rows)) {
    const product = await aProduct({ ...row, sku: `${letter}-${word}` });
    letters.set(product.id, letter);
    if (letter === 'A') await aVariant(product, { sku: `one8-${word}`, price: '7' });
    if (letter === 'A') await aVariant(product, { sku: `two-${word}`, price: '8' });
    if (letter === 'B') await aVariant(product, { sku: `three-${word}`, price: '9', track_inventory: false });
  }
  ids = Object.fromEntries([...letters].map(([id, letter]) => [letter, id]));
});

async function reply(query: string) {
  const answer = await api().get(`/products?per_page=500&${query.replaceAll('WORD', word)}`);
  expect(answer.status).toBe(200);
  return answer;
}

/** Returns the letters of the four products that the query finds, by id unless it sorts. */
async function find(query: string): Promise<string> {
  const answer = await reply(query);
  expect(answer.headers['x-ignored-conditions']).toBeUndefined();
  return answer.body.products.map((product: { id: number }) => letters.get(product.id) ?? '').join('');
}

const findOurs = (query: string) => find(`q[name_end]=WORD&${query}`);
const encode = encodeURIComponent;

test.each([
  ['name_eq', 'Alpha WORD', 'A'],
  ['name_eq', 'alpha WORD', ''],
  ['name_not_eq', 'Alpha WORD', 'BCD'],
  ['meta_keywords_not_eq', 'red', 'BD'],
  ['name_cont', 'ETA', 'B'],
  ['name_not_cont', 'ETA', 'ACD'],
  ['name_start', 'al', 'A'],
  ['name_not_start', 'al', 'BCD'],
  ['sku_end', 'WORD', 'ABCD'],
  ['meta_keywords_end', 'WINE', 'D'],
  ['meta_keywords_not_end', 'WINE', 'AB'],
  ['name_matches', '%m_m%', 'C'],
  ['name_does_not_match', '%A%WORD', ''],
  ['name_cont', '0% d', 'D'],
  ['name_cont', 'a_m', ''],
  ['name_cont', 'm_m', 'C'],
  ['name_cont', 'd\\e', 'D'],
  ['name_start', '%', ''],
  ['price_lt', '20', 'A'],
  ['price_lteq', '20.00', 'ABD'],
  ['price_gt', '20', 'C'],
  ['price_gteq', '20', 'BCD'],
  ['price_eq', '1.5', 'A'],
  ['available_on_lt', '2020-06-01', 'A'],
  ['available_on_lteq', '2020-06-01', 'AB'],
  ['available_on_eq', '2021-01-01T13:00:00+01:00', 'C'],
  ['name_lt', 'B', 'AD'],
  ['meta_keywords_null', 'true', 'C'],
  ['meta_keywords_null', 'false', 'ABD'],
  ['meta_keywords_not_null', '1', 'ABD'],
  ['meta_keywords_not_null', '0', 'C'],
  ['meta_keywords_present', 't', 'AD'],
  ['meta_keywords_present', 'f', 'BC'],
  ['meta_keywords_blank', 'true', 'BC'],
  ['meta_keywords_blank', 'false', 'AD'],
  ['name_or_meta_keywords_cont', 'e', 'ABD'],
  ['name_and_meta_keywords_cont', 'e', 'D'],
  ['variants_sku_start', 't', 'AB'],
  ['variants_price_gteq', '8', 'AB'],
  ['variants_sku_or_name_cont', 'gam', 'C'],
  ['variants_is_master_true', '1', ''],
  ['variants_including_master_is_master_true', '1', 'ABCD'],
  ['variants_including_master_is_master_false', '1', 'AB'],
  ['variants_track_inventory_false', '1', 'B'],
  ['variants_track_inventory_false', '0', 'A'],
  ['variants_track_inventory_eq', 'false', 'B'],
  ['variants_id_null', 'true', 'CD'],
  ['variants_id_null', 'false', 'AB'],
  ['variants_id_not_null', '0', 'CD'],
  ['variants_sku_present', 'f', 'CD'],
  ['variants_sku_blank', '1', 'CD'],
  ['variants_sku_blank', '0', 'AB'],
  ['variants_sku_or_meta_keywords_null', '1', 'CD'],
  ['variants_sku_and_variants_price_null', '1', 'CD'],
  ['variants_option_values_name_null', '1', 'ABCD'],
  ['master_sku_null', '1', ''],
  ['taxons_id_null', '1', 'ABCD'],
])('q[%s]=%s finds "%s"', async (condition, value, expected) => {
  expect(await findOurs(`q[${condition}]=${encode(value).replaceAll('WORD', word)}`)).toBe(expected);
});

test.each([
  ['name_cont_any', ['ALPHA', 'beta'], 'AB'],
  ['name_cont_all', ['a', 'm'], 'C'],
  ['name_not_cont_all', ['alpha', 'beta'], 'CD'],
  ['name_not_cont_any', ['alpha', 'beta'], 'ABCD'],
  ['name_start_any', ['al', '1'], 'AD'],
  ['sku_end_any', ['WORD', 'x'], 'ABCD'],
  ['name_matches_any', ['al%', '%m%'], 'AC'],
  ['price_eq_any', ['1.5', '300'], 'AC'],
  ['price_not_eq_all', ['1.5', '300'], 'BD'],
  ['price_lt_any', ['2', '30'], 'ABD'],
  ['price_gteq_all', ['2', '30'], 'C'],
  ['price_in', ['20', '300', 'abc'], 'BCD'],
  ['price_not_in', ['20', '300'], 'A'],
])('q[%s] accepts lists with empty and with index keys', async (condition, values, expected) => {
  const buildListQuery = (key: (index: number) => string) =>
    values.map((value, index) => `q[${condition}][${key(index)}]=${encode(value)}`).join('&');
  expect(await findOurs(buildListQuery(() => ''))).toBe(expected);
  expect(await findOurs(buildListQuery((index) => String(index)))).toBe(expected);
});

test('attributes of a record that does not exist are null', async () => {
  const { token } = await anAdmin();
  const call = api({ token });
  const option_value = { name: unique('lone'), presentation: 'Lone' };
  const { id, option_type_name } = (await call.post('/option_values', { option_value })).body;
  expect(option_type_name).toBeNull();
  const findValues = async (condition: string) =>
    (await call.get(`/option_values?q[id_eq]=${id}&q[${condition}`)).body.map(
      (value: { id: number }) => value.id,
    );
  expect(await findValues('option_type_name_null]=1')).toEqual([id]);
  expect(await findValues('option_type_name_not_null]=1')).toEqual([]);
  expect(await findValues('option_type_name_not_eq]=x')).toEqual([]);
});

describe('combining conditions', () => {
  test('requires all of them, unless q[m] or m is or', async () => {
    const [a, b] = [`q[name_eq]=Alpha WORD`, `q[sku_eq]=B-WORD`];
    expect(await find(`${a}&${b}`)).toBe('');
    expect(await find(`${a}&${b}&q[m]=or`)).toBe('AB');
    expect(await find(`${a}&${b}&m=OR`)).toBe('AB');
    expect(await find(`${a}&q[sku_eq]=A-WORD&q[m]=and`)).toBe('A');
  });

  test('requires the same variant, whether joined by "and" or in two conditions', async () => {
    expect(await findOurs('q[variants_sku_start]=one&q[variants_price_eq]=7')).toBe('A');
    expect(await findOurs('q[variants_sku_start]=one&q[variants_price_eq]=8')).toBe('');
    expect(await findOurs('q[variants_sku_and_variants_price_cont]=8')).toBe('');
  });

  test('returns a product once if several of its variants match', async () => {
    const { body } = await reply('q[variants_sku_end]=WORD&q[name_start]=Alpha');
    expect(body).toMatchObject({ count: 1, total_count: 1, products: [{ id: ids['A'] }] });
  });
});

describe('values', () => {
  test.each(['name_eq', 'name_not_eq', 'name_cont_any', 'price_in', 'price_not_in', 'name_blank', 'id_eq'])(
    'an empty value disables %s',
    async (condition) => {
      expect(await findOurs(`q[${condition}]=`)).toBe('ABCD');
      expect(await findOurs(`q[${condition}][]=`)).toBe('ABCD');
    },
  );

  test.each(['id_eq=abc', 'id_not_eq=abc', 'id_in[]=x', 'id_eq=99999999999', 'id_eq=1.5', 'price_gt=much'])(
    'a value that the column cannot hold matches nothing: %s',
    async (condition) => {
      const [name = '', value] = condition.split('=');
      expect(await findOurs(`q[${name.replace('[]', '')}]${name.endsWith('[]') ? '[]' : ''}=${value}`)).toBe(
        '',
      );
    },
  );

  test('a NUL, an invalid date and a single backslash as pattern match nothing', async () => {
    expect(await findOurs('q[sku_cont]=%00')).toBe('');
    expect(await findOurs('q[available_on_gt]=2020-13-01')).toBe('');
    expect(await findOurs('q[available_on_gt]=2020-02-30')).toBe('');
    expect(await findOurs('q[sku_matches]=%5C')).toBe('');
  });
});

describe('sorting', () => {
  test.each([
    ['name asc', 'DACB'],
    ['name DESC', 'BCAD'],
    ['price', 'ABDC'],
    ['price desc', 'CBDA'],
    ['meta_keywords asc', 'BDAC'],
    ['meta_keywords desc', 'CADB'],
    ['shipping_category_name asc', 'ABCD'],
    ['price desc,name asc', 'CDBA'],
  ])('by %s', async (sort, expected) => {
    expect(await findOurs(`q[s]=${encode(sort)}`)).toBe(expected);
    expect(await findOurs(`q[sorts]=${encode(sort)}`)).toBe(expected);
  });

  test('by several fields in a list', async () => {
    expect(await findOurs('q[s][]=price%20desc&q[s][]=name%20desc')).toBe('CBDA');
  });

  test('ignores and reports unknown fields', async () => {
    const list = await reply('q[name_end]=WORD&q[s]=bogus%20desc,name,taxons_nothing');
    expect(list.headers['x-ignored-conditions']).toBe('bogus, taxons_nothing');
    expect(list.body.products.map(({ id }: { id: number }) => letters.get(id)).join('')).toBe('DACB');
    const none = await reply('q[name_end]=WORD&q[s]=bogus%20desc');
    expect(none.body.products.map(({ id }: { id: number }) => letters.get(id)).join('')).toBe('ABCD');
  });

  test('accepts three fields of associated records, and ten in all', async () => {
    const three = 'variants_sku,variants_price desc,taxons_name';
    const most = await reply(`q[s]=${encode(three)},name`);
    expect(most.headers['x-ignored-conditions']).toBeUndefined();
    const more = await reply(
      `q[name_end]=WORD&q[s]=${encode(three)},taxons_id,classifications_taxon_id,name`,
    );
    expect(more.headers['x-ignored-conditions']).toBe('taxons_id, classifications_taxon_id');
    expect(more.body.total_count).toBe(4);
    const many = await reply(`q[s]=${Array(12).fill('id').join(',')}`);
    expect(many.headers['x-ignored-conditions']).toBe('id, id');
  });
});

test('only admins may search by cost price', async () => {
  const query = '/products?q[master_cost_price_gteq]=0&per_page=1';
  expect((await api().get(query)).headers['x-ignored-conditions']).toBe('master_cost_price_gteq');
  expect((await api(await anAdmin()).get(query)).headers['x-ignored-conditions']).toBeUndefined();
});

test('a search with thousands of conditions succeeds and reports the ignored ones', async () => {
  const chain = `${Array(120).fill('name').join('_or_')}_cont`;
  const list = await reply(`q[name_end]=WORD&q[${chain}]=a`);
  expect(list.headers['x-ignored-conditions']).toContain('name_or_name');
  expect(list.body.total_count).toBe(4);
});
