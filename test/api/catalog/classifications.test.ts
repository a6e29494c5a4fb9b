import { aCustomer, anAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { aProduct } from '../../support/products.factory';
import { countQueries } from '../../support/queries';
import { aTaxon, aTaxonomy } from '../../support/taxons.factory';

const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();

/** Creates a taxon with `count` products on sale, in creation order. */
async function createTaxonWithProducts(count: number) {
  const taxonomy = await aTaxonomy();
  const taxon = await aTaxon(taxonomy, { name: 'Shelf' });
  const products = [];
  for (let n = 0; n < count; n++) products.push(await aProduct({ taxon_ids: [taxon.id] }));
  return { taxonomy, taxon, products };
}

/** Lists the ids of the products that a caller sees in a taxon, in order. */
async function listVisibleProducts(taxon: { id: number }, caller = {}): Promise<number[]> {
  const reply = await api(caller).get(`/taxons/products?id=${taxon.id}`);
  expect(reply.status).toBe(200);
  return reply.body.products.map((product: { id: number }) => product.id);
}

async function listPositions(products: readonly { id: number }[], taxon: { id: number }): Promise<number[]> {
  const admin = api(await anAdmin());
  const all = [];
  for (const { id } of products) {
    const { body } = await admin.get(`/products/${id}`);
    all.push(body.classifications.find((one: any) => one.taxon_id === taxon.id)?.position);
  }
  return all;
}

describe('moving products within a taxon', () => {
  test('counts positions from 0, while the classifications of products count from 1', async () => {
    const { taxon, products } = await createTaxonWithProducts(3);
    const [a, b, c] = products;
    expect(await listPositions(products, taxon)).toEqual([1, 2, 3]);

    const reply = await api(await anAdmin()).put(
      `/classifications?product_id=${c.id}&taxon_id=${taxon.id}&position=0`,
    );
    expect([reply.status, reply.body]).toEqual([200, {}]);
    expect(await listVisibleProducts(taxon)).toEqual([c.id, a.id, b.id]);
    expect(await listPositions(products, taxon)).toEqual([2, 3, 1]);
  });

  test.each([
    [0, 1, [1, 0, 2]],
    [0, 2, [1, 2, 0]],
    [0, 99, [1, 2, 0]],
    [2, 1, [0, 2, 1]],
    [1, 1, [0, 1, 2]],
  ])('moves product %d to position %d', async (which, position, expected) => {
    const { taxon, products } = await createTaxonWithProducts(3);
    await api(await anAdmin()).put('/classifications', {
      product_id: products[which].id,
      taxon_id: taxon.id,
      position: String(position),
    });
    expect(await listVisibleProducts(taxon)).toEqual(expected.map((index) => products[index].id));
  });

  test('deleted products keep their position and are not counted', async () => {
    const admin = api(await anAdmin());
    const { taxon, products } = await createTaxonWithProducts(4);
    const [a, b, c, d] = products;
    await admin.delete(`/products/${b.id}`);
    await admin.put('/classifications', { product_id: d.id, taxon_id: taxon.id, position: 1 });
    expect(await listVisibleProducts(taxon)).toEqual([a.id, d.id, c.id]);
    const gone = { product_id: b.id, taxon_id: taxon.id, position: 0 };
    expect((await admin.put('/classifications', gone)).status).toBe(404);
  });

  test('concurrent moves leave positions without gaps', async () => {
    const admin = api(await anAdmin());
    const { taxon, products } = await createTaxonWithProducts(5);
    const replies = await Promise.all(
      products.map((product, n) =>
        admin.put('/classifications', { product_id: product.id, taxon_id: taxon.id, position: (n * 3) % 5 }),
      ),
    );
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200, 200, 200]);
    expect((await listPositions(products, taxon)).sort()).toEqual([1, 2, 3, 4, 5]);
  });

  test.each([
    [{}, ['product_id', 'taxon_id', 'position']],
    [{ product_id: 'x', taxon_id: 1, position: 0 }, ['product_id']],
    [{ product_id: 1, taxon_id: 1, position: 'first' }, ['position']],
    [{ product_id: 1, taxon_id: 1, position: -1 }, ['position']],
  ])('%j returns 422', async (body, fields) => {
    const reply = await api(await anAdmin()).put('/classifications', body);
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.errors)).toEqual(fields);
  });

  test('an unknown product returns 404; only admins may move products', async () => {
    const { taxon, products } = await createTaxonWithProducts(2);
    const stranger = await aProduct();
    const admin = api(await anAdmin());
    for (const body of [
      { product_id: stranger.id, taxon_id: taxon.id, position: 0 },
      { product_id: products[0].id, taxon_id: 2147483647, position: 0 },
    ]) {
      expect((await admin.put('/classifications', body)).status).toBe(404);
    }
    const move = { product_id: products[1].id, taxon_id: taxon.id, position: 0 };
    for (const caller of [{}, await aCustomer()]) {
      expect((await api(caller).put('/classifications', move)).status).toBe(401);
    }
    expect(await listVisibleProducts(taxon)).toEqual(products.map((product) => product.id));
  });
});

describe('the taxon_ids of a product', () => {
  test('replace the set: kept taxons keep the position, removed ones leave no gap', async () => {
    const admin = api(await anAdmin());
    const { taxonomy, taxon, products } = await createTaxonWithProducts(3);
    const [a, b] = products;
    const other = await aTaxon(taxonomy, { name: 'Other' });

    const added = await admin.put(`/products/${b.id}`, { product: { taxon_ids: `${taxon.id},${other.id}` } });
    expect(added.body.taxon_ids).toEqual([taxon.id, other.id]);
    expect(added.body.classifications).toMatchObject([
      { taxon_id: taxon.id, position: 2, taxon: { name: 'Shelf', taxons: [] } },
      { taxon_id: other.id, position: 1 },
    ]);

    await admin.put(`/products/${a.id}`, { product: { taxon_ids: '' } });
    expect(await listPositions(products, taxon)).toEqual([undefined, 1, 2]);
    await admin.put(`/products/${a.id}`, { product: { taxon_ids: [taxon.id] } });
    expect(await listPositions(products, taxon)).toEqual([3, 1, 2]);
  });

  test('with an unknown taxon change nothing', async () => {
    const { taxon, products } = await createTaxonWithProducts(1);
    const reply = await api(await anAdmin()).put(`/products/${products[0].id}`, {
      product: { name: 'Changed', taxon_ids: [2147483647] },
    });
    expect([reply.status, reply.body.errors]).toEqual([422, { taxon_ids: ['is invalid'] }]);
    expect(await listVisibleProducts(taxon)).toEqual([products[0].id]);
  });

  test('added concurrently get one position each', async () => {
    const taxon = await aTaxon(await aTaxonomy());
    const products = await Promise.all([1, 2, 3, 4].map(() => aProduct({ taxon_ids: [taxon.id] })));
    expect((await listPositions(products, taxon)).sort()).toEqual([1, 2, 3, 4]);
  });

  test('can be changed while products move: no request fails and no change is lost', async () => {
    const admin = api(await anAdmin());
    const taxonomy = await aTaxonomy();
    const taxons = [];
    for (const name of ['a', 'b', 'c', 'd']) taxons.push(await aTaxon(taxonomy, { name }));
    const ids = taxons.map(({ id }) => id);
    const products = await Promise.all([1, 2, 3, 4].map(() => aProduct()));

    const replies = await Promise.all([
      ...products.map(({ id }, n) =>
        admin.put(`/products/${id}`, { product: { taxon_ids: n % 2 ? ids : ids.toReversed() } }),
      ),
      ...taxons.map(({ id }, n) =>
        admin.put(`/taxonomies/${taxonomy.id}/taxons/${id}`, { taxon: { child_index: 3 - n } }),
      ),
    ]);

    expect(replies.map((reply) => reply.status)).toEqual(Array(8).fill(200));
    for (const taxon of taxons) {
      expect((await listPositions(products, taxon)).sort()).toEqual([1, 2, 3, 4]);
    }
  });

  test('deleting a taxon removes its classifications and keeps its products', async () => {
    const { taxonomy, taxon, products } = await createTaxonWithProducts(1);
    const admin = api(await anAdmin());
    expect((await admin.delete(`/taxonomies/${taxonomy.id}/taxons/${taxon.id}`)).status).toBe(204);
    const { status, body } = await admin.get(`/products/${products[0].id}`);
    expect([status, body.taxon_ids, body.classifications]).toEqual([200, [], []]);
  });
});

describe('products of a taxon', () => {
  test('are the products of exactly that taxon, in the products envelope, up to 500 per page', async () => {
    const { taxonomy, taxon, products } = await createTaxonWithProducts(2);
    const below = await aTaxon(taxonomy, { parent_id: taxon.id });
    await aProduct({ taxon_ids: [below.id] });
    const reply = await api().get(`/taxons/products.json?id=${taxon.id}`);
    expect(reply.body).toMatchObject({ count: 2, total_count: 2, current_page: 1, per_page: 500, pages: 1 });
    const alone = await Promise.all(products.map(({ id }) => api().get(`/products/${id}`)));
    expect(reply.body.products).toEqual(alone.map(({ body }) => body));
    const second = await api().get(`/taxons/products?id=${taxon.id}&per_page=1&page=2`);
    expect(second.body).toMatchObject({ count: 1, pages: 2, products: [{ id: products[1].id }] });
    const found = await api().get(`/taxons/products?id=${taxon.id}&q[name_eq]=${products[1].name}`);
    expect(found.body).toMatchObject({ total_count: 1, products: [{ id: products[1].id }] });
  });

  test('leave out products that the caller may not see', async () => {
    const { taxon, products } = await createTaxonWithProducts(1);
    const future = await aProduct({ taxon_ids: [taxon.id], available_on: TOMORROW });
    const gone = await aProduct({ taxon_ids: [taxon.id] });
    const admin = await anAdmin();
    await api(admin).delete(`/products/${gone.id}`);
    expect(await listVisibleProducts(taxon)).toEqual([products[0].id]);
    expect(await listVisibleProducts(taxon, await aCustomer())).toEqual([products[0].id]);
    expect(await listVisibleProducts(taxon, admin)).toEqual([products[0].id, future.id]);
  });

  test('an empty taxon has none, and an unknown taxon returns 404', async () => {
    const taxon = await aTaxon(await aTaxonomy());
    expect((await api().get(`/taxons/products?id=${taxon.id}`)).body).toMatchObject({ count: 0, pages: 0 });
    for (const query of ['?id=2147483647', '?id=abc', '?id=99999999999', '?id[a]=1', '']) {
      expect((await api().get(`/taxons/products${query}`)).status).toBe(404);
    }
  });

  test('take as many queries for one product as for five', async () => {
    const { taxon } = await createTaxonWithProducts(1);
    const countListQueries = () => countQueries(() => api().get(`/taxons/products?id=${taxon.id}`));
    const before = await countListQueries();
    for (let n = 0; n < 4; n++) await aProduct({ taxon_ids: [taxon.id] });
    expect(await countListQueries()).toBe(before);
    expect(await listVisibleProducts(taxon)).toHaveLength(5);
  });
});
