import { readFileSync } from 'node:fs';
import {
  createStoreClient,
  StoreError,
  unwrap,
  type operations,
  type StoreClientOptions,
} from 'store-api-client';
import { aCustomer, anAdmin } from '../support/accounts.factory';
import { testApp } from '../support/api';
import { listen, type Listening } from '../support/listen';
import { aSellableVariant } from '../support/orders.factory';
import { aPicture } from '../support/pictures';
import { aProduct, aVariant } from '../support/products.factory';
import { unique } from '../support/unique';

let store: Listening;
/** The URLs requested since the test began, without the origin. */
let requestedUrls: string[] = [];

beforeAll(async () => {
  store = await listen(testApp().app);
});
afterAll(() => store.close());
beforeEach(() => {
  requestedUrls = [];
});

function client(options: Partial<StoreClientOptions> = {}) {
  return createStoreClient({
    baseUrl: store.url,
    fetch: (request) => {
      requestedUrls.push(decodeURIComponent(request.url.slice(store.url.length)));
      return fetch(request);
    },
    ...options,
  });
}

describe('the credentials of a call', () => {
  test('authenticate with the token', async () => {
    const { token, email } = await aCustomer();
    expect((await unwrap(client({ token }).GET('/api/v1/users/me'))).email).toBe(email);
  });

  test('may be a function, called for each request', async () => {
    const [ann, ben] = [await aCustomer(), await aCustomer()];
    const tokens = [ann.token, Promise.resolve(ben.token), null];
    const api = client({ token: () => tokens.shift() });
    expect((await unwrap(api.GET('/api/v1/users/me'))).id).toBe(ann.id);
    expect((await unwrap(api.GET('/api/v1/users/me'))).id).toBe(ben.id);
    expect((await api.GET('/api/v1/users/me')).response.status).toBe(401);
  });

  test('are overridden by the headers of the call', async () => {
    const [ann, ben] = [await aCustomer(), await aCustomer()];
    const headers = { 'X-Store-Token': ben.token };
    expect((await unwrap(client({ token: ann.token }).GET('/api/v1/users/me', { headers }))).id).toBe(ben.id);
  });

  test('may be the order token of a guest', async () => {
    const { number, token } = await unwrap(client().POST('/api/v1/orders'));
    const params = { path: { number } };
    const order = await unwrap(client({ orderToken: token }).GET('/api/v1/orders/{number}', { params }));
    expect(order.number).toBe(number);
    expect((await client().GET('/api/v1/orders/{number}', { params })).response.status).toBe(401);
  });
});

describe('parameters that the store ignores', () => {
  const path = '/api/v1/products';
  // The types refuse such names; a program in JavaScript does not.
  const misspelled = { query: { serch: 'mug', q: { nome_cont: 'mug' } } } as object;

  test('are reported once for each path and name', async () => {
    const messages: string[] = [];
    const api = client({ warn: (message) => messages.push(message) });
    for (let call = 0; call < 2; call += 1) await api.GET(path, { params: misspelled });
    expect(messages).toEqual([`GET ${path}: the store ignored serch, q.nome_cont.`]);
    await api.POST('/api/v1/orders', {
      body: { order: { bill_address: { zip: '04101', phone: '1' } } as object },
    });
    expect(messages[1]).toMatch(/^POST .* ignored order\.bill_address\.zip\. .*did you mean `zipcode`\?/);
  });

  test('are reported to the console in development only', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { NODE_ENV } = process.env;
    try {
      await client().GET(path, { params: misspelled });
      expect(warn).toHaveBeenCalledTimes(1);
      process.env['NODE_ENV'] = 'production';
      await client().GET(path, { params: misspelled });
      expect(warn).toHaveBeenCalledTimes(1);
      await client({ warn: false }).GET(path, { params: misspelled });
    } finally {
      process.env['NODE_ENV'] = NODE_ENV;
      warn.mockRestore();
    }
  });

  test('are errors with `strict`', async () => {
    const failed = unwrap(client({ strict: true, warn: false }).GET(path, { params: misspelled }));
    await expect(failed).rejects.toMatchObject({
      status: 422,
      code: 'invalid_resource',
      hint: '`serch` was ignored; did you mean `search`?',
      errors: { serch: ['is not a known parameter'], 'q.nome_cont': ['is not a known parameter'] },
    });
  });
});

describe('an error', () => {
  const invalid = async () => {
    const { token } = await anAdmin();
    return client({ token }).POST('/api/v1/properties', {
      body: { property: { name: '', presentation: 'P' } },
    });
  };

  test('is returned without data', async () => {
    const { data, error, response } = await invalid();
    expect([data, response.status]).toEqual([undefined, 422]);
    expect(error?.errors).toEqual({ name: ["can't be blank"] });
  });

  test('is thrown by unwrap with all details of the reply', async () => {
    const refusal: unknown = await unwrap(invalid()).catch((thrown: unknown) => thrown);
    expect(refusal).toBeInstanceOf(StoreError);
    expect(refusal).toMatchObject({
      name: 'StoreError',
      status: 422,
      message: 'Invalid resource. Please fix errors and try again.',
      errors: { name: ["can't be blank"] },
      retryAfter: null,
      requestId: expect.stringMatching(/\S/),
    });
  });

  test('without field errors has none', async () => {
    const missing = unwrap(client().GET('/api/v1/products/{id}', { params: { path: { id: unique('no') } } }));
    await expect(missing).rejects.toMatchObject({ status: 404, errors: {} });
  });
});

test('a reply without a body is undefined', async () => {
  const { token } = await anAdmin();
  const product = await aProduct();
  const deleted = client({ token }).DELETE('/api/v1/products/{id}', { params: { path: { id: product.id } } });
  expect(await unwrap(deleted)).toBeUndefined();
});

test('a body with a file in it is sent as multipart', async () => {
  const { token } = await anAdmin();
  const product = await aProduct();
  const image = await unwrap(
    client({ token }).POST('/api/v1/products/{product_id}/images', {
      params: { path: { product_id: product.id } },
      body: { 'image[attachment]': new Blob([await aPicture()]), 'image[alt]': 'Half red, half blue' },
    }),
  );
  expect([image.alt, image.attachment_width]).toEqual(['Half red, half blue', 360]);
});

describe('a search', () => {
  test('accepts lists, times and sorts, as records or as URL parameters', async () => {
    const prefix = unique('Mug');
    const [a, b] = [await aProduct({ name: `${prefix} A` }), await aProduct({ name: `${prefix} B` })];
    const named = async (query: Query) => (await list(query)).map(({ id }) => id);

    expect(await named({ q: { name_start: prefix, s: 'name desc' } })).toEqual([b.id, a.id]);
    expect(await named({ q: { id_in: [a.id, b.id], s: ['name asc', 'id'] } })).toEqual([a.id, b.id]);
    expect(await named({ q: { name_start: prefix, created_at_gt: new Date('2100-01-01') } })).toEqual([]);
    expect(await named({ q: { name_or_description_eq: `${prefix} A`, m: 'or' } })).toEqual([a.id]);
    expect(await named({ 'q[name_start]': prefix, 'q[id_not_in]': [a.id] })).toEqual([b.id]);
    expect(await named({ ids: [b.id] })).toEqual([b.id]);
  });

  test('sends JSON for what metadata contains', async () => {
    const admin = client(await anAdmin());
    const erp_id = unique('erp');
    const { id } = await aProduct({ metadata: { erp_id, level: 3 } });
    await aProduct({ metadata: { erp_id, level: '3' } });
    for (const query of [
      { q: { metadata_contains: { erp_id, level: 3 } } },
      { q: { metadata_contains: JSON.stringify({ erp_id, level: 3 }) } },
      { 'q[metadata_contains]': { erp_id, level: 3 } },
    ]) {
      const { products } = await unwrap(admin.GET('/api/v1/products', { params: { query } }));
      expect(products.map((product) => product.id)).toEqual([id]);
    }
  });

  type Query = NonNullable<operations['listProducts']['parameters']['query']>;

  async function list(query: Query) {
    const { data, response } = await client().GET('/api/v1/products', { params: { query } });
    expect(response.headers.get('X-Ignored-Conditions')).toBeNull();
    return data?.products ?? [];
  }
});

describe('a file', () => {
  test('is a text if it is CSV', async () => {
    const { token } = await anAdmin();
    const { slug } = await aProduct();
    const csv = await unwrap(client({ token }).GET('/api/v1/exports/products.csv'));
    expect(csv.startsWith('slug,name,')).toBe(true);
    expect(csv).toContain(slug);
  });

  test.each(listFiles())('of %s is read as %s', async (path, type) => {
    const fetch = (): Promise<Response> =>
      Promise.resolve(new Response('%PDF', { headers: { 'Content-Type': type } }));
    const get = client({ fetch, warn: false }).GET as (path: string) => Promise<{ data: unknown }>; // Any path.
    const { data } = await get(path);
    expect(data instanceof Blob ? await data.text() : data).toBe('%PDF');
    expect(data instanceof Blob).toBe(!type.startsWith('text/'));
  });

  test('that is refused is an error with its message', async () => {
    const { data, error } = await client().GET('/api/v1/documents.zip');
    expect(data).toBeUndefined();
    expect(error?.error).toBe('You are not authorized to perform that action.');
  });
});

/** Returns the path and the type of each file of the document. */
function listFiles(): [path: string, type: string][] {
  const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
    paths: Record<string, { get?: { responses: Record<string, { content?: object }> } }>;
  }; // Its own test validates it.
  return Object.entries(paths).flatMap(([path, { get }]) =>
    Object.keys(get?.responses['200']?.content ?? {})
      .filter((type) => type !== 'application/json')
      .map((type): [string, string] => [path, type]),
  );
}

describe('each', () => {
  test('reads one page after another, each only when it is needed', async () => {
    const product = await aProduct();
    const skus = [1, 2, 3].map((index) => `${unique('SKU')}-${index}`);
    for (const sku of skus) await aVariant(product, { sku, options: [{ name: 'Size', value: sku }] });
    const path = { product_id: product.id };
    const query = { per_page: 2, q: { s: 'id asc', is_master_false: true } } as const;

    const seen: string[] = [];
    for await (const variant of client().each('/api/v1/products/{product_id}/variants', {
      params: { path, query },
    })) {
      seen.push(variant.sku);
      expect(requestedUrls).toHaveLength(seen.length > 2 ? 2 : 1);
    }
    expect(seen).toEqual(skus);
    expect(requestedUrls).toHaveLength(2);
  });

  test('ends at once if nothing matches', async () => {
    const found = client().each('/api/v1/products', { params: { query: { q: { name_eq: unique('no') } } } });
    expect(await found.next()).toEqual({ done: true, value: undefined });
    expect(requestedUrls).toHaveLength(1);
  });

  test('reads a feed by cursor, so that changes during the iteration hide no record', async () => {
    const { token } = await anAdmin();
    const admin = client({ token });
    const prefix = unique('Feed');
    const products = await Promise.all([1, 2, 3, 4].map(() => aProduct({ name: prefix })));
    const ids = products.map(({ id }) => id as number).sort((a, b) => a - b);
    const query = { per_page: 2, q: { name_eq: prefix } } as const;
    const seen: number[] = [];
    for await (const { id } of admin.each('/api/v1/products', { params: { query } })) {
      seen.push(id);
      // Moves the record behind the others, and would shift the pages of a list by page.
      const params = { path: { id: String(id) } };
      await unwrap(
        admin.PUT('/api/v1/products/{id}', {
          params,
          body: { product: { name: prefix, meta_title: unique('t') } },
        }),
      );
    }
    expect(seen.sort((a, b) => a - b)).toEqual(ids);
  });

  test('follows a feed from a cursor that it reports', async () => {
    const { token } = await anAdmin();
    const admin = client({ token });
    const prefix = unique('Follow');
    let cursor = '';
    const read = async () => {
      const names: string[] = [];
      const query = { cursor, q: { name_start: prefix } };
      const onCursor = (next: string) => void (cursor = next);
      for await (const { name } of admin.each('/api/v1/products', { params: { query }, onCursor }))
        names.push(name);
      return names;
    };
    const product = await aProduct({ name: `${prefix} A` });
    expect(await read()).toEqual([`${prefix} A`]);
    expect(await read()).toEqual([]);
    const params = { path: { id: String(product.id) } };
    await unwrap(admin.PUT('/api/v1/products/{id}', { params, body: { product: { name: `${prefix} B` } } }));
    expect(await read()).toEqual([`${prefix} B`]);
  });

  test('has the open orders too, but not when it follows the feed', async () => {
    const { token } = await anAdmin();
    const admin = client({ token });
    const email = `${unique('each')}@example.com`;
    await unwrap(client().POST('/api/v1/orders', { body: { order: { email } } }));
    const count = async (query: { cursor?: string }) => {
      let found = 0;
      const params = { query: { ...query, q: { email_eq: email } } };
      for await (const order of admin.each('/api/v1/orders', { params }))
        found += order.email === email ? 1 : 0;
      return found;
    };
    expect(await count({})).toBe(1);
    expect(await count({ cursor: '' })).toBe(0);
  });

  test('keeps an order that the query asks for', async () => {
    const prefix = unique('Sorted');
    const [a, b] = [await aProduct({ name: `${prefix} A` }), await aProduct({ name: `${prefix} B` })];
    const ids: number[] = [];
    const query = { per_page: 1, q: { name_start: prefix, s: 'name desc' } } as const;
    for await (const { id } of client().each('/api/v1/products', { params: { query } })) ids.push(id);
    expect(ids).toEqual([b.id, a.id]);
  });

  test('reads a list that is no feed by page', async () => {
    const query = { per_page: 100, q: { id_lteq: 150 } };
    const ids: number[] = [];
    for await (const { id } of client().each('/api/v1/countries', { params: { query } })) ids.push(id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(150);
    expect(requestedUrls).toHaveLength(2);
  });

  test('throws the error of the store', async () => {
    await expect(client().each('/api/v1/users').next()).rejects.toMatchObject({ status: 401 });
  });

  test('ends when its signal is aborted', async () => {
    const reading = client().each('/api/v1/countries', { signal: AbortSignal.abort(new Error('enough')) });
    await expect(reading.next()).rejects.toThrow('enough');
  });
});

test('numbers in a body arrive as numbers', async () => {
  const variant = await aSellableVariant();
  const order = await unwrap(
    client().POST('/api/v1/orders', {
      body: { order: { line_items: [{ variant_id: variant.id, quantity: 2 }] } },
    }),
  );
  expect(order.line_items[0]).toMatchObject({ variant_id: variant.id, quantity: 2 });
});
