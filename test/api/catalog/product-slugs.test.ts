import { asAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { aProduct } from '../../support/products.factory';
import { unique } from '../../support/unique';

describe('slugs', () => {
  test('a taken slug gets the sku appended, then a random suffix', async () => {
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

  test('concurrent creates get one slug each', async () => {
    const caller = await asAdmin();
    const name = unique('Race');
    const replies = await Promise.all(
      Array.from({ length: 6 }, () =>
        caller.post('/products', { product: { name, price: 1, shipping_category: 'Default' } }),
      ),
    );
    expect(replies.map((reply) => reply.status)).toEqual(Array(6).fill(201));
    expect(new Set(replies.map((reply) => reply.body.slug)).size).toBe(6);
  });

  test('an explicit slug is normalized, must be unique, and is generated if blank', async () => {
    const slug = unique('given');
    const product = await aProduct({ slug: ` ${slug.toUpperCase()}! ` });
    expect(product.slug).toBe(slug);
    const caller = await asAdmin();
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

  test('a name without letters gets a slug', async () => {
    expect((await aProduct({ name: '!!!' })).slug).toMatch(/^product-[0-9a-f]+/);
  });

  test('a new name keeps the slug; a former slug finds the product until another one takes it', async () => {
    const caller = await asAdmin();
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

  test('a numeric slug takes precedence over an id', async () => {
    const byId = await aProduct();
    expect((await api().get(`/products/${byId.id}`)).body.id).toBe(byId.id);
    const bySlug = await aProduct({ slug: `${byId.id}` });
    expect((await api().get(`/products/${byId.id}`)).body.id).toBe(bySlug.id);
    await (await asAdmin()).delete(`/products/${bySlug.id}`);
  });

  test('a product with the slug new is found by id only', async () => {
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
    await (await asAdmin()).delete(`/products/${product.id}`);
  });
});
