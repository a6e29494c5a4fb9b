import { asAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { aProduct } from '../../support/products.factory';
import { unique } from '../../support/unique';

describe('lists and searches', () => {
  /** Creates three products whose names share a unique word. */
  async function createThreeProducts(attributes: object[] = [{}, {}, {}]) {
    const word = unique('w').replace('-', '');
    const [a, b, c] = await Promise.all(
      attributes.map((extra, index) => aProduct({ name: `Thing ${'ABC'[index]} ${word}`, ...extra })),
    );
    return { word, a, b, c };
  }

  test('count is the size of the page, total_count of the result; a page after the last one is empty', async () => {
    const { word, a, b, c } = await createThreeProducts();
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

  test('the list without conditions counts and pages the same way', async () => {
    await createThreeProducts();
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

  test('percent signs, underscores and backslashes are literal', async () => {
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

  test('unknown conditions are ignored and reported', async () => {
    const { word } = await createThreeProducts();
    const reply = await api().get(
      `/products?q[name_cont]=${word}&q[bogus_eq]=1&q[name_eq]=&q[password_digest_start]=a&q[master_token_start]=a&q[cost_price_gt]=1`,
    );
    expect(reply.body.total_count).toBe(3);
    expect(reply.headers['x-ignored-conditions']).toBe(
      'bogus_eq, password_digest_start, master_token_start, cost_price_gt',
    );
  });

  test('a search by variants returns a product once', async () => {
    const sku = unique('SKU');
    const product = await aProduct({ variants: [{ sku: `${sku}-1` }, { sku: `${sku}-2` }] });
    const reply = await api().get(`/products?q[variants_sku_cont]=${sku}`);
    expect(reply.body).toMatchObject({ count: 1, total_count: 1, products: [{ id: product.id }] });
    const master = await api().get(`/products?q[sku_cont]=${sku}`);
    expect(master.body.total_count).toBe(0);
  });

  test('searches by name or sku, price, category and taxons', async () => {
    const caller = await asAdmin();
    const taxonomy = await caller.post('/taxonomies', { taxonomy: { name: unique('Taxon') } });
    const [taxon, category] = [taxonomy.body.root, unique('Category')];
    const { word, a, b, c } = await createThreeProducts([
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

  test('admins may search by cost price, also of variants; for others the condition is ignored', async () => {
    const product = await aProduct({ cost_price: 2, variants: [{ cost_price: 3 }] });
    const caller = await asAdmin();
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

  test('keep a total until the catalog changes, and read few products meanwhile', async () => {
    const db = testDb();
    const word = unique('late').replace('-', '');
    const made = [];
    for (let n = 0; n < 40; n += 1) made.push(await aProduct({ name: n < 20 ? 'early' : `${word} ${n}` }));
    await db.raw('ANALYZE products');
    let count = 0;
    const statements: string[] = [];
    const note = ({ sql }: { sql: string }) => statements.push(sql);
    const read = async (condition: string) => {
      statements.length = 0;
      db.on('query', note);
      // Another name each time, so that no cached reply matches.
      const { body } = await api().get(`/products?${condition}&per_page=1&n=${(count += 1)}`);
      db.removeListener('query', note);
      const readsFirst = statements.some((sql) => sql.includes('FROM products ORDER BY id LIMIT'));
      const readsAll = statements.some((sql) => sql.includes('with "found"'));
      return [body.products[0]?.id, body.total_count, { readsFirst, readsAll }];
    };
    const [cheapest, total] = await read('q[id_gt]=0');
    expect(await read('q[id_gt]=0')).toEqual([cheapest, total, { readsFirst: true, readsAll: false }]);
    expect(await read('q[id_gt]=00')).toEqual([cheapest, total, { readsFirst: true, readsAll: false }]);
    const [first, second] = made.slice(20).map(({ id }) => id);
    expect(await read(`q[name_cont]=${word}`)).toEqual([first, 20, { readsFirst: false, readsAll: true }]);
    // The first products have other names.
    expect(await read(`q[name_cont]=${word}`)).toEqual([first, 20, { readsFirst: true, readsAll: true }]);
    const admin = await asAdmin();
    await admin.put(`/products/${first}`, { product: { name: 'renamed' } });
    expect((await read(`q[name_cont]=${word}`)).slice(0, 2)).toEqual([second, 19]);
    await admin.delete(`/products/${second}`);
    expect((await read('q[id_gt]=0')).slice(0, 2)).toEqual([cheapest, Number(total) - 1]);
    expect((await admin.get('/products?q[id_gt]=0&per_page=1')).body.total_count).toBeGreaterThanOrEqual(
      Number(total) - 1,
    );
  });

  test('ids returns exactly the visible records and disables the search', async () => {
    const { a, b } = await createThreeProducts();
    const reply = await api().get(
      `/products?ids=${b.id},x,2147483647,${a.id}&q[name_cont]=nothing&per_page=1`,
    );
    expect(reply.body).toMatchObject({ count: 1, total_count: 2, pages: 2 });
  });
});
