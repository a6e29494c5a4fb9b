import { aCustomer, asAdmin } from '../../support/accounts.factory';
import { api, makeTestApp } from '../../support/api';
import { testDb } from '../../support/database';
import { aProduct } from '../../support/products.factory';
import { NOT_FOUND } from '../../support/error-bodies';

const DAY_MS = 86_400_000;
const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

describe('visibility of products', () => {
  test.each(['no-such', '99999999999999', '0', '-1', '%00', 'a%2Fb', '2147483648'])(
    '%s returns 404',
    async (permalink) => {
      const reply = await api().get(`/products/${permalink}`);
      expect([reply.status, reply.body]).toEqual([404, NOT_FOUND]);
    },
  );

  test('shoppers see products on sale, admins also future ones', async () => {
    const caller = await asAdmin();
    const [future, unset, gone, here] = [
      await aProduct({ available_on: daysFromNow(1) }),
      await aProduct({ available_on: null }),
      await aProduct({ discontinue_on: daysFromNow(-1) }),
      await aProduct({ discontinue_on: daysFromNow(1) }),
    ];
    const all = [future, unset, gone, here].map((product) => product.id);
    const ids = `ids=${all.join(',')}`;
    const listNames = async (by: typeof caller, query: string) =>
      (await by.get(`/products?${query}`)).body.products.map((product: any) => product.id);

    for (const shopper of [api(), api(await aCustomer())]) {
      expect(await listNames(shopper, `${ids}&show_discontinued=true&show_deleted=true`)).toEqual([here.id]);
      const shown = await Promise.all(all.map((id) => shopper.get(`/products/${id}`)));
      expect(shown.map((reply) => reply.status)).toEqual([404, 404, 404, 200]);
    }
    expect(await listNames(caller, ids)).toEqual([future.id, unset.id, here.id]);
    expect(await listNames(caller, `${ids}&show_discontinued=true`)).toEqual(all);
    expect(await listNames(caller, `${ids}&show_discontinued=false`)).toEqual([future.id, unset.id, here.id]);
    for (const id of all) expect((await caller.get(`/products/${id}`)).status).toBe(200);
  });

  test('available_on and discontinue_on limit the sale', async () => {
    const product = await aProduct({ available_on: '2030-01-02', discontinue_on: '2030-01-04' });
    const at = (time: string) => api({}, makeTestApp({ now: () => new Date(time) }));
    const status = async (time: string) => (await at(time).get(`/products/${product.id}`)).status;
    expect(await status('2030-01-01T23:59:59.999Z')).toBe(404);
    expect(await status('2030-01-02T00:00:00.000Z')).toBe(200);
    expect(await status('2030-01-03T23:59:59.999Z')).toBe(200);
    expect(await status('2030-01-04T00:00:00.000Z')).toBe(404);
  });

  test('only admins see a product without a price in the currency of the store, and may set one', async () => {
    const product = await aProduct();
    const caller = await asAdmin();
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

  test('deleted products are found and sorted by the price that they show', async () => {
    const caller = await asAdmin();
    const [dear, cheap, deleted] = [
      await aProduct({ price: '30' }),
      await aProduct({ price: '10' }),
      await aProduct({ price: '20' }),
    ];
    await caller.delete(`/products/${deleted.id}`);
    const query = `show_deleted=true&${[dear, cheap, deleted].map(({ id }) => `q[id_in][]=${id}`).join('&')}`;
    const list = async (part: string) => (await caller.get(`/products?${query}&${part}`)).body.products;
    const sorted = await list('q[s]=price asc');
    expect(sorted.map((product: any) => [product.id, product.price, product.price_range.min])).toEqual([
      [cheap.id, '10.0', '10.0'],
      [deleted.id, '20.0', '20.0'],
      [dear.id, '30.0', '30.0'],
    ]);
    expect((await list('q[price_eq]=20')).map((product: any) => product.id)).toEqual([deleted.id]);
    const variants = await caller.get(
      `/variants?show_deleted=true&q[product_id_eq]=${deleted.id}&q[price_eq]=20`,
    );
    expect(variants.body.variants.map((variant: any) => variant.price)).toEqual(['20.0']);
  });

  test('prices follow the currency of the store, and yen are displayed without decimals', async () => {
    const product = await aProduct();
    const yen = await testDb()('stores').where({ is_default: true }).update({ currency: 'JPY' });
    try {
      expect(yen).toBe(1);
      expect((await api().get(`/products/${product.id}`)).status).toBe(404);
      const reply = await (await asAdmin()).put(`/products/${product.id}`, { product: { price: '1235' } });
      expect(reply.body).toMatchObject({ price: '1235.0', display_price: '¥1,235' });
      expect((await api().get(`/products/${product.id}`)).status).toBe(200);
    } finally {
      await testDb()('stores').where({ is_default: true }).update({ currency: 'USD' });
    }
    expect((await api().get(`/products/${product.id}`)).body.price).toBe('19.99');
  });

  test('only admins see the cost price', async () => {
    const product = await aProduct({ cost_price: '7.5', variants: [{ cost_price: 8 }] });
    expect(product).toMatchObject({ master: { cost_price: '7.5' }, variants: [{ cost_price: '8.0' }] });
    for (const shopper of [api(), api(await aCustomer())]) {
      expect((await shopper.get(`/products/${product.id}`)).text).not.toContain('cost_price');
      expect((await shopper.get(`/products?ids=${product.id}`)).text).not.toContain('cost_price');
    }
    expect((await (await asAdmin()).get(`/products?ids=${product.id}`)).body.products).toEqual([product]);
  });

  test('only admins may write, and others get 401 for existing and unknown products', async () => {
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
