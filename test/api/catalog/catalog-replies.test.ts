import request from 'supertest';
import { apiRouters } from '../../../src/routers';
import { foldCatalogRevisions } from '../../../src/catalog/catalog-revisions.repository';
import { anAdmin } from '../../support/accounts.factory';
import { api, makeTestApp, testApp, type Caller, type TestApp } from '../../support/api';
import { testDb } from '../../support/database';
import { orderInState, aSellableVariant } from '../../support/orders.factory';
import { aProduct, aVariant } from '../../support/products.factory';
import { countQueries } from '../../support/queries';
import { unique } from '../../support/unique';

/** Creates two instances of the program on one database, each with its own reply cache. */
function createTwoInstances(): {
  here: ReturnType<typeof api>;
  there: (caller?: Caller) => ReturnType<typeof api>;
} {
  const other = makeTestApp({});
  return { here: api(), there: (caller = {}) => api(caller, other) };
}

async function readRevision(): Promise<string> {
  const { rows } = await testDb().raw('SELECT sum(n) AS revision FROM catalog_revisions');
  return rows[0].revision;
}

const getRaw = (app: TestApp, path: string) => request(app.app).get(`/api/v1${path}`);

describe('a cached reply', () => {
  test('takes one statement', async () => {
    const { slug } = await aProduct();
    for (const path of [`/products/${slug}`, `/products?q[slug_eq]=${slug}`, `/products/${slug}/variants`]) {
      const made = await api().get(path);
      let again: unknown;
      expect(await countQueries(async () => (again = (await api().get(path)).body))).toBe(1);
      expect(again).toEqual(made.body);
    }
  });

  test('has the headers of the list: totals, links and ignored conditions', async () => {
    const word = unique('Linked');
    for (let n = 0; n < 3; n += 1) await aProduct({ name: word });
    const path = `/products?q[name_cont]=${word}&q[nonsense_eq]=1&per_page=2&order_token=secret`;
    const made = await api().get(path);
    const kept = await api().get(path);
    const names = ['x-total-count', 'x-page', 'x-per-page', 'x-pages', 'link', 'x-ignored-conditions'];
    expect(names.map((name) => kept.headers[name])).toEqual(names.map((name) => made.headers[name]));
    expect(kept.headers).toMatchObject({
      'x-total-count': '3',
      'x-pages': '2',
      'x-ignored-conditions': 'nonsense_eq',
      'cache-control': 'no-cache',
      link: expect.stringMatching(/rel="next"/),
    });
    expect(kept.headers['link']).not.toContain('secret');
    expect(kept.headers['x-request-id']).not.toBe(made.headers['x-request-id']);
  });

  test('is private for admins, and varies by the token', async () => {
    const { slug } = await aProduct();
    const admin = api(await anAdmin());
    for (const path of [`/products/${slug}`, '/products?per_page=1', '/option_types', '/products/new']) {
      for (const [caller, control] of [
        [api(), 'no-cache'],
        [admin, 'private, no-cache'],
        [api(), 'no-cache'],
      ] as const) {
        const { headers } = await caller.get(path);
        expect([path, headers['cache-control']]).toEqual([path, control]);
        expect(headers['vary']).toContain('X-Store-Token');
      }
    }
  });

  test('returns 304 for a matching ETag and 200 once the data has changed', async () => {
    const product = await aProduct();
    const path = `/products/${product.slug}`;
    const first = await getRaw(testApp(), path);
    const etag = first.headers['etag'] ?? '';
    expect(etag).toMatch(/^W\/"/);
    const second = await getRaw(testApp(), path).set('If-None-Match', etag);
    expect(second.status).toBe(304);
    expect(second.text).toBe('');
    expect(second.headers['etag']).toBe(etag);

    await api(await anAdmin()).put(path, { product: { description: 'changed' } });
    const third = await getRaw(testApp(), path).set('If-None-Match', etag);
    expect(third.status).toBe(200);
    expect(third.body.description).toBe('changed');
    expect(third.headers['etag']).not.toBe(etag);
  });

  test('is compressed only for clients that accept it, with the same content', async () => {
    const { slug } = await aProduct({ description: 'long '.repeat(500) });
    const path = `/products/${slug}`;
    for (let round = 0; round < 2; round += 1) {
      const gzipped = await getRaw(testApp(), path).set('Accept-Encoding', 'gzip');
      const plain = await getRaw(testApp(), path).set('Accept-Encoding', 'identity');
      expect(gzipped.headers['content-encoding']).toBe('gzip');
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(Number(gzipped.headers['content-length'])).toBeLessThan(Number(plain.headers['content-length']));
      expect(gzipped.body).toEqual(plain.body);
      expect(gzipped.headers['etag']).toBe(plain.headers['etag']);
      expect(gzipped.headers['vary']).toContain('Accept-Encoding');
    }
    const brotli = await getRaw(testApp(), path).set('Accept-Encoding', 'br').buffer(false);
    expect(brotli.status).toBe(200);
  });

  test('is returned for HEAD without its body', async () => {
    const { slug } = await aProduct();
    await getRaw(testApp(), `/products/${slug}`);
    const head = await request(testApp().app).head(`/api/v1/products/${slug}`);
    expect(head.status).toBe(200);
    expect(head.text ?? '').toBe('');
    expect(Number(head.headers['content-length'])).toBeGreaterThan(100);
  });

  test('of an admin is never returned to a shopper', async () => {
    const admin = await anAdmin();
    const word = unique('Secret');
    const product = await aProduct({ name: word, cost_price: '3.50' });
    const future = await aProduct({ name: word, available_on: '2100-01-01T00:00:00Z' });
    const path = `/products?q[name_cont]=${word}`;
    for (let round = 0; round < 2; round += 1) {
      const countVisible = await api(admin).get(path);
      expect(countVisible.body.products.map((one: any) => one.id)).toEqual([product.id, future.id]);
      expect(countVisible.body.products[0].master.cost_price).toBe('3.5');
      const toShopper = await api().get(path);
      expect(toShopper.body.products.map((one: any) => one.id)).toEqual([product.id]);
      expect(toShopper.body.products[0].master).not.toHaveProperty('cost_price');
      // A token in the query is part of the URL, so such replies are not cached.
      const byParameter = await api().get(`${path}&token=${admin.token ?? ''}`);
      expect(byParameter.body.total_count).toBe(2);
    }
    expect((await api({ token: 'nobody' }).get(path)).status).toBe(401);
  });

  test('is not created by an error: a new product is found immediately', async () => {
    const name = unique('Late Comer');
    const slug = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    for (let round = 0; round < 2; round += 1) {
      expect((await api().get(`/products/${slug}`)).status).toBe(404);
    }
    const product = await aProduct({ name });
    expect(product.slug).toBe(slug);
    expect((await api().get(`/products/${slug}`)).body.id).toBe(product.id);
  });
});

describe('a page of all products', () => {
  const path = '/products?per_page=500';
  const readPage = async (app: TestApp) => {
    const { products, total_count } = (await api({}, app).get(path)).body;
    return { ids: products.map(({ id }: { id: number }) => id), total_count };
  };

  test('reads only the stock again after a sale, on every instance', async () => {
    const variant = await aSellableVariant({ stock: 3 });
    const apps = [makeTestApp({}), makeTestApp({})];
    const before = await Promise.all(apps.map(readPage));
    await orderInState('complete', { lines: [{ variant_id: variant.id, quantity: 2 }] });
    for (const [at, app] of apps.entries()) {
      let page: unknown;
      // The revision of the catalog, and once in this process the states of the products.
      expect(await countQueries(async () => (page = await readPage(app)))).toBe(at === 0 ? 2 : 1);
      expect(page).toEqual(before[at]);
      const { products } = (await api({}, app).get(path)).body;
      const shown = products
        .flatMap((one: any) => [one.master, ...one.variants])
        .find((one: any) => one.id === variant.id);
      expect(shown.total_on_hand).toBe(1);
    }
  });

  test('has new, hidden and deleted products at once', async () => {
    const here = makeTestApp({});
    const there = api(await anAdmin(), makeTestApp({}));
    // A change, because another test keeps pages at a later time.
    await aProduct();
    const before = await readPage(here);
    const { id } = await aProduct();
    expect(await readPage(here)).toEqual({ ids: [...before.ids, id], total_count: before.total_count + 1 });
    await there.put(`/products/${id}`, { product: { available_on: '2999-01-01' } });
    expect(await readPage(here)).toEqual(before);
    await there.put(`/products/${id}`, { product: { available_on: '2020-01-01' } });
    expect((await readPage(here)).ids).toEqual([...before.ids, id]);
    await there.delete(`/products/${id}`);
    expect(await readPage(here)).toEqual(before);
  });
});

describe('an instance shows the changes of another instance immediately', () => {
  test('an updated and a deleted product', async () => {
    const { here, there } = createTwoInstances();
    const admin = there(await anAdmin());
    const product = await aProduct();
    const path = `/products/${product.id}`;
    for (const price of ['11.0', '12.0', '13.0']) {
      expect((await admin.put(path, { product: { price } })).status).toBe(200);
      expect((await here.get(path)).body.price).toBe(price);
    }
    expect((await admin.delete(path)).status).toBe(204);
    expect((await here.get(path)).status).toBe(404);
    expect((await here.get(`/products?ids=${product.id}`)).body.total_count).toBe(0);
  });

  test('a sku, its stock and its stock location', async () => {
    const { here, there } = createTwoInstances();
    const admin = there(await anAdmin());
    const product = await aProduct();
    const variant = await aVariant(product, { sku: unique('old') });
    const path = `/variants/${variant.id}`;
    await here.get(path);
    const sku = unique('new');
    await admin.put(path, { variant: { sku } });
    const [item] = (await here.get(path)).body.stock_items;
    expect((await here.get(path)).body.sku).toBe(sku);

    const location = `/stock_locations/${item.stock_location_id}`;
    const moved = await admin.post(`${location}/stock_movements`, {
      stock_movement: { stock_item_id: item.id, quantity: 7 },
    });
    expect(moved.status).toBe(201);
    expect((await here.get(path)).body).toMatchObject({ total_on_hand: 7, in_stock: true });
    expect((await here.get(`/products/${product.id}`)).body.total_on_hand).toBe(7);

    await admin.put(location, { stock_location: { active: false } });
    expect((await here.get(path)).body).toMatchObject({ total_on_hand: 0, in_stock: false });
    await admin.put(location, { stock_location: { active: true } });
    expect((await here.get(path)).body.total_on_hand).toBe(7);
  });

  test('stock sold by an order', async () => {
    const variant = await aSellableVariant({ stock: 3 });
    const { there } = createTwoInstances();
    expect((await there().get(`/variants/${variant.id}`)).body.total_on_hand).toBe(3);
    await orderInState('complete', { lines: [{ variant_id: variant.id, quantity: 2 }] });
    expect((await there().get(`/variants/${variant.id}`)).body.total_on_hand).toBe(1);
  });

  test('options, properties and taxons of a product', async () => {
    const { here, there } = createTwoInstances();
    const admin = there(await anAdmin());
    const taxonomy = (await admin.post('/taxonomies', { taxonomy: { name: unique('Kinds') } })).body;
    const product = await aProduct({
      taxon_ids: [taxonomy.root.id],
      product_properties_attributes: [{ property_name: unique('fabric'), value: 'wool' }],
      variants: [{ options: [{ name: unique('size'), value: 'S' }] }],
    });
    const path = `/products/${product.id}`;
    const before = (await here.get(path)).body;
    const [type] = before.option_types;
    const [property] = before.product_properties;

    await admin.put(`/option_values/${type.option_values[0].id}`, {
      option_value: { presentation: 'Small' },
    });
    expect((await here.get(path)).body.variants[0].options_text).toContain('Small');
    await admin.put(`/option_types/${type.id}`, { option_type: { presentation: 'How large' } });
    expect((await here.get(path)).body.option_types[0].presentation).toBe('How large');
    await admin.put(`${path}/product_properties/${property.id}`, { product_property: { value: 'silk' } });
    expect((await here.get(path)).body.product_properties[0].value).toBe('silk');
    const renamed = unique('Sorts');
    await admin.put(`/taxonomies/${taxonomy.id}`, { taxonomy: { name: renamed } });
    expect((await here.get(path)).body.classifications[0].taxon.name).toBe(renamed);
    expect((await here.get(`/taxonomies/${taxonomy.id}`)).body.name).toBe(renamed);
  });

  test('concurrent changes and reads end with the last state in every instance', async () => {
    const instances = [testApp(), makeTestApp({}), makeTestApp({})];
    const admin = await anAdmin();
    const { id } = await aProduct();
    const path = `/products/${id}`;
    let written = 0;
    const write = async () => {
      for (let n = 1; n <= 15; n += 1) {
        const reply = await api(admin, instances[n % 3]).put(path, { product: { price: `${n}.0` } });
        expect(reply.status).toBe(200);
        written = n;
      }
    };
    const read = async (instance: TestApp) => {
      while (written < 15) {
        const known = written;
        const reply = await api({}, instance).get(path);
        // Never older than the last commit before the request.
        if (known > 0) expect(Number(reply.body.price)).toBeGreaterThanOrEqual(known);
      }
    };
    await Promise.all([write(), ...instances.map(read)]);
    for (const instance of instances) expect((await api({}, instance).get(path)).body.price).toBe('15.0');
  });
});

describe('available_on and discontinue_on', () => {
  test('change the visible products without a write', async () => {
    let now = new Date('2040-01-01T00:00:00Z');
    const app = makeTestApp({ now: () => now });
    const word = unique('Seasonal');
    const product = await aProduct({
      name: word,
      available_on: '2040-01-02T00:00:00Z',
      discontinue_on: '2040-01-03T00:00:00Z',
    });
    const shown = async () => (await api({}, app).get(`/products?q[name_cont]=${word}`)).body.total_count;
    const listed = async () => {
      const { products, total_count } = (await api({}, app).get('/products?per_page=500')).body;
      expect(products).toHaveLength(total_count);
      return products.filter(({ id }: { id: number }) => id === product.id).length;
    };
    const at = async (time: string) => {
      now = new Date(time);
      expect(await listed()).toBe(await shown());
      return [await shown(), await shown(), (await api({}, app).get(`/products/${product.id}`)).status];
    };
    expect(await at('2040-01-01T00:00:00Z')).toEqual([0, 0, 404]);
    expect(await at('2040-01-01T23:59:59.999Z')).toEqual([0, 0, 404]);
    expect(await at('2040-01-02T00:00:00Z')).toEqual([1, 1, 200]);
    expect(await at('2040-01-02T23:59:59.999Z')).toEqual([1, 1, 200]);
    expect(await at('2040-01-03T00:00:00Z')).toEqual([0, 0, 404]);
  });
});

describe('the catalog revision', () => {
  test('changes with every table that catalog replies read', async () => {
    const { rows } = await testDb().raw(`
      SELECT event_object_table AS name FROM information_schema.triggers
      WHERE action_statement LIKE '%note_catalog_revision%' AND event_manipulation = 'UPDATE'`);
    const watched = new Set(rows.map((row: { name: string }) => row.name));
    const { db } = testApp().deps;
    const read = new Set<string>();
    const note = ({ sql }: { sql: string }) => {
      for (const [, name = ''] of sql.matchAll(/(?:from|join)\s+"?([a-z_]+)"?/gi)) read.add(name);
    };
    const taxonomy = (await api(await anAdmin()).post('/taxonomies', { taxonomy: { name: unique('T') } }))
      .body;
    const product = await aProduct({
      taxon_ids: [taxonomy.root.id],
      product_properties_attributes: [{ property_name: unique('p'), value: 'x' }],
      variants: [{ options: [{ name: unique('o'), value: 'x' }] }],
    });
    const paths = [
      `/products?q[shipping_category_name_cont]=e&q[taxons_name_cont]=x&q[variants_sku_cont]=x`,
      `/products?ids=${product.id}`,
      `/products/${product.slug}`,
      `/products/${product.id}/variants`,
      `/variants`,
      `/variants/${product.variants[0].id}`,
      `/products/${product.id}/images`,
      `/variants/${product.master.id}/images`,
      `/products/${product.id}/product_properties`,
      `/option_types`,
      `/option_types/${product.option_types[0].id}/option_values`,
      `/option_values`,
      `/properties`,
      `/taxonomies?set=nested`,
      `/taxonomies/${taxonomy.id}`,
      `/taxonomies/${taxonomy.id}/jstree`,
      `/taxonomies/${taxonomy.id}/taxons`,
      `/taxonomies/${taxonomy.id}/taxons/${taxonomy.root.id}`,
      `/taxonomies/${taxonomy.id}/taxons/${taxonomy.root.id}/jstree`,
      `/taxons`,
      `/taxons/products?id=${taxonomy.root.id}`,
    ];
    // Other cached endpoints, with ids that may not exist: the lists of new resources are read without being named here.
    const isNamed = (route: string): boolean => {
      const pattern = new RegExp(`^${route.replace(/:\w+/g, '[^/]+')}$`);
      return paths.some((path) => pattern.test(path.replace(/\?.*/, '')));
    };
    const others = apiRouters()
      .flatMap(({ endpoints }) => endpoints)
      .filter(({ cache, path }) => cache !== undefined && !isNamed(path))
      .map(({ path }) => path.replace(/:\w+/g, '1'));
    expect(others).toContain('/shipping_categories');
    db.on('query', note);
    for (const path of paths)
      expect({ path, status: (await api().get(path)).status }).toEqual({ path, status: 200 });
    for (const path of others)
      expect([path, [200, 404].includes((await api().get(path)).status)]).toEqual([path, true]);
    db.removeListener('query', note);
    const tables = await testDb()('pg_tables').where({ schemaname: 'public' }).pluck('tablename');
    const unwatched = tables.filter((name: string) => read.has(name) && !watched.has(name));
    expect(unwatched).toEqual(['catalog_revisions']);
    expect(read.size).toBeGreaterThan(15);
  });

  test('changes with bulk loads and TRUNCATE, not with a rolled back transaction', async () => {
    const before = await readRevision();
    await expect(
      testDb().transaction(async (tx) => {
        await tx('properties').insert({ name: unique('never'), presentation: 'Never' });
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await readRevision()).toBe(before);

    await testDb().raw(
      `INSERT INTO properties (name, presentation) SELECT ? || n, 'x' FROM generate_series(1, 100) AS n`,
      [unique('bulk')],
    );
    const loaded = await readRevision();
    expect(loaded).not.toBe(before);

    await testDb()
      .transaction(async (tx) => {
        await tx.raw('TRUNCATE product_slugs');
        const { rows } = await tx.raw('SELECT sum(n) AS revision FROM catalog_revisions');
        expect(rows[0].revision).not.toBe(loaded);
        throw new Error('undo');
      })
      .catch((error: Error) => expect(error.message).toBe('undo'));
  });

  test('is unchanged when its log is folded, also concurrently and during writes', async () => {
    for (let n = 0; n < 5; n += 1) await aProduct();
    const before = await readRevision();
    const open = await testDb().transaction();
    await open('properties').insert({ name: unique('open'), presentation: 'Open' });
    await Promise.all([1, 2, 3].map(() => foldCatalogRevisions(testDb())));
    expect(await readRevision()).toBe(before);
    await open.commit();
    const after = await readRevision();
    expect(after).not.toBe(before);

    await foldCatalogRevisions(testDb());
    const readLog = async () =>
      (await testDb().raw('SELECT id, kind, n FROM catalog_revisions ORDER BY kind')).rows;
    const rows = await readLog();
    expect(rows.map(({ kind }: { kind: string }) => kind)).toEqual([
      'product',
      'shared',
      'stock',
      'visibility',
    ]);
    expect(await readRevision()).toBe(after);
    await foldCatalogRevisions(testDb());
    expect(await readLog()).toEqual(rows);
  });

  test('folding the log keeps cached replies valid', async () => {
    const { slug } = await aProduct();
    await api().get(`/products/${slug}`);
    await foldCatalogRevisions(testDb());
    expect(await countQueries(() => api().get(`/products/${slug}`))).toBe(1);
  });
});
