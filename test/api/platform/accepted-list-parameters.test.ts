import request, { type Response } from 'supertest';
import { aCustomer, anAdmin } from '../../support/accounts.factory';
import { api, testApp } from '../../support/api';
import { aProduct } from '../../support/products.factory';
import { unique } from '../../support/unique';

/** Parameters that existing clients send to lists. */
const url = (path: string) => `/api/v1${path}`;
const http = () => request(testApp().app);

const LISTS = ['/products', '/countries', '/orders', '/stock_locations', '/users'];

let token: string;

beforeAll(async () => {
  token = (await anAdmin()).token;
  // Enough records for a list that is worth compressing.
  for (const n of [1, 2, 3, 4, 5, 6, 7, 8]) {
    await aCustomer();
    if (n > 2)
      await api({ token }).post('/stock_locations', { name: unique('old'), propagate_all_variants: false });
    if (n > 6) await api({ token }).post('/orders');
    if (n > 6) await aProduct();
  }
});

describe('parameters as generated clients send them', () => {
  const find = async (query: string): Promise<number[]> => {
    const reply = await http().get(url(`/products?${query}`));
    expect([reply.status, reply.headers['x-ignored-parameters']]).toEqual([200, undefined]);
    return reply.body.products.map(({ id }: { id: number }) => id).sort((a: number, b: number) => a - b);
  };

  test('repeated ids find all of them', async () => {
    const ids = [(await aProduct()).id, (await aProduct()).id];
    expect(await find(`ids=${ids[0]}&ids=${ids[1]}`)).toEqual(ids);
    expect(await find(`ids=${ids[0]}`)).toEqual([ids[0]]);
  });

  test('repeated lists within objects find all of them, and other repeated conditions the last one', async () => {
    const [one, other] = [await aProduct(), await aProduct()];
    expect(await find(`q[id_in]=${one.id}&q%5Bid_in%5D=${other.id}`)).toEqual([one.id, other.id]);
    expect(await find(`q[id_in]=${one.id}&q[id_in]=${other.id}&q[id_not_in]=${one.id}`)).toEqual([other.id]);
    expect(await find(`q[id_eq]=${one.id}&q[id_eq]=${other.id}`)).toEqual([other.id]);
    const name = unique('material');
    const product = await aProduct({
      product_properties_attributes: [{ property_name: name, value: 'linen' }],
    });
    expect(await find(`property[${name}]=linen&property[${name}]=silk`)).toEqual([product.id]);
  });

  test('q, option and property are objects, also as JSON', async () => {
    const product = await aProduct();
    const json = (value: object): string => encodeURIComponent(JSON.stringify(value));
    expect(await find(`q=${json({ name_eq: product.name })}`)).toEqual([product.id]);
    expect(await find(`option=${json({ color: 'no such color' })}`)).toEqual([]);
    expect(await find(`property=${json({ material: ['no such material'] })}`)).toEqual([]);
  });

  test('text that is no JSON object is reported', async () => {
    for (const text of ['{', '{name_eq:1}', '[1]', '"a"']) {
      const reply = await http().get(url(`/products?q=${encodeURIComponent(text)}`));
      expect([reply.status, reply.headers['x-ignored-parameters']]).toEqual([200, 'q']);
    }
    const proto = await http().get(url(`/products?q=${encodeURIComponent('{"__proto__":{"name_eq":"a"}}')}`));
    expect(proto.status).toBe(200);
    const deep = await http().get(
      url(`/products?q=${encodeURIComponent('{"a":'.repeat(40) + '1' + '}'.repeat(40))}`),
    );
    expect(deep.status).toBe(400);
  });
});

describe('the parameter ids', () => {
  /** Two records of each resource that accepts ids, and the array in the reply of its list. */
  const RESOURCES: [string, () => Promise<number[]>][] = [
    ['products', async () => [(await aProduct()).id, (await aProduct()).id]],
    [
      'option_types',
      () => createTwo('option_types', (name) => ({ option_type: { name, presentation: name } })),
    ],
    ['properties', () => createTwo('properties', (name) => ({ property: { name, presentation: name } }))],
    ['taxons', createTwoTaxons],
  ];

  async function createTwo(resource: string, bodyOf: (name: string) => object): Promise<number[]> {
    const make = async () =>
      (await api({ token }).post(`/${resource}`, bodyOf(unique('old')))).body.id as number;
    return [await make(), await make()];
  }

  async function createTwoTaxons(): Promise<number[]> {
    const { body } = await api({ token }).post('/taxonomies', { taxonomy: { name: unique('old') } });
    const make = async () =>
      (await api({ token }).post(`/taxonomies/${body.id}/taxons`, { taxon: { name: unique('old') } })).body
        .id as number;
    return [await make(), await make()];
  }

  test.each(RESOURCES)('%s: accepts 1,2 or an array; leaves out unknown ids and ignores q', async (name, make) => {
    const [a, b] = await make();
    const spellings = [
      `ids=${a},${b},2147483647`,
      `ids[]=${a}&ids[]=${b}&ids[]=x`,
      `ids[0]=${b}&ids[1]=${a}`,
      `ids=${a},${b}&q[name_eq]=nothing-is-called-so&_=1`,
    ];
    for (const spelling of spellings) {
      const { body } = await api({ token }).get(`/${name}?${spelling}`);
      const rows: { id: number }[] = Array.isArray(body) ? body : body[name];
      expect(rows.map(({ id }) => id).sort((x, y) => x - y)).toEqual([a, b]);
    }
  }); // prettier-ignore
});

describe('searches', () => {
  /** Lists that can be searched for two names. */
  const NAMED: [string, string, (name: string) => Promise<unknown>][] = [
    ['/products', 'name', (name) => aProduct({ name })],
    [
      '/stock_locations',
      'name',
      (name) =>
        api({ token }).post('/stock_locations', { stock_location: { name, propagate_all_variants: false } }),
    ],
    ['/properties', 'name', (name) => api({ token }).post('/properties', { name, presentation: name })],
  ];
  const rowsOf = (body: any): any[] => Object.values(body).find(Array.isArray) ?? [];

  describe.each(NAMED)('of %s', (path, attribute, make) => {
    const [word, a, b] = [unique('w'), 'a', 'b'];
    const search = async (query: string): Promise<string[]> => {
      const reply = await http().get(url(`${path}.json?${query}`)).set('X-Store-Token', token); // prettier-ignore
      expect(reply.status).toBe(200);
      return rowsOf(reply.body).map((row) => row.name);
    };

    beforeAll(async () => {
      await make(`${word}-${a}`);
      await make(`${word}-${b}`);
    });

    test.each(['q[m]=or', 'q[m]=OR', 'm=or'])('%s combines conditions with OR', async (mode) => {
      const conditions = `q[${attribute}_eq]=${word}-${a}&q[${attribute}_end]=${word}-${b}`;
      expect((await search(`${conditions}&${mode}`)).sort()).toEqual([`${word}-${a}`, `${word}-${b}`]);
      expect(await search(conditions)).toEqual([]);
    });

    test.each(['q[s]', 'q[sorts]', 'q[s][]', 'q[s][0]'])('%s sorts', async (sorts) => {
      const query = `q[${attribute}_start]=${word}&${sorts}=`;
      expect(await search(`${query}${attribute}+desc`)).toEqual([`${word}-${b}`, `${word}-${a}`]);
      expect(await search(`${query}${attribute}`)).toEqual([`${word}-${a}`, `${word}-${b}`]);
    });

    test('unknown parameters are ignored', async () => {
      const query = `q[${attribute}_start]=${word}`;
      const plain = await search(query);
      expect(await search(`${query}&_=1419876543210&utf8=%E2%9C%93&format=json&callback=f`)).toEqual(plain);
      expect(plain).toHaveLength(2);
    });
  });
});

describe.each(LISTS)('the list %s', (path) => {
  const get = (extra = '') => http().get(url(`${path}${extra}`)).set('X-Store-Token', token); // prettier-ignore

  test('accepts .json and a trailing slash', async () => {
    const plain = await get();
    for (const ending of ['.json', '/', '.json/']) {
      const reply = await get(ending);
      expect([reply.status, reply.body]).toEqual([200, plain.body]);
    }
  });

  test('accepts the key in the query or in the body', async () => {
    const { body } = await get();
    expect((await http().get(url(`${path}?token=${token}`))).body).toEqual(body);
    expect((await http().get(url(path)).type('form').send(`token=${token}`)).body).toEqual(body);
  });

  test('returns the headers of GET for HEAD', async () => {
    const [full, head] = [await get(), await http().head(url(path)).set('X-Store-Token', token)];
    expect([head.status, head.text]).toEqual([200, undefined]);
    for (const name of ['x-total-count', 'content-type', 'etag', 'link']) {
      expect(head.headers[name]).toBe(full.headers[name]);
    }
  });

  test('returns 304 until the list changes', async () => {
    const { headers } = await get();
    const again = await get().set('If-None-Match', headers['etag'] ?? '');
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await get().set('If-None-Match', 'W/"other"')).status).toBe(200);
  });
});

test.each(LISTS)('the list %s is compressed for clients that accept it', async (path) => {
  const getWithEncoding = async (encoding: string): Promise<Response> =>
    http().get(url(path)).set('X-Store-Token', token).set('Accept-Encoding', encoding);
  const [plain, zipped] = [await getWithEncoding('identity'), await getWithEncoding('gzip')];
  expect(Number(plain.headers['content-length'] ?? plain.text.length)).toBeGreaterThan(1024);
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(zipped.headers).toMatchObject({
    'content-encoding': 'gzip',
    vary: expect.stringContaining('Accept-Encoding'),
  });
  expect(zipped.body).toEqual(plain.body);
});
