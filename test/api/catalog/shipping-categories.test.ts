import { anAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { aProduct } from '../../support/products.factory';
import { unique } from '../../support/unique';
import { UNKNOWN_ID } from '../../support/error-bodies';

describe('shipping categories', () => {
  test('are created by admins and read by everyone', async () => {
    const name = unique('Bulky');
    const made = await api(await anAdmin()).post('/shipping_categories', { shipping_category: { name } });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({ id: expect.any(Number), name });
    expect((await api().get(`/shipping_categories/${made.body.id}`)).body).toEqual(made.body);
    expect((await api().get(`/shipping_categories?q[name_eq]=${name}`)).body).toMatchObject({
      shipping_categories: [made.body],
      count: 1,
      pages: 1,
    });
    expect((await api().get('/shipping_categories/new')).body).toEqual({
      attributes: ['id', 'name'],
      required_attributes: ['name'],
    });
  });

  test('are renamed for every reader', async () => {
    const admin = api(await anAdmin());
    const { body } = await admin.post('/shipping_categories', { name: unique('Old') });
    await api().get(`/shipping_categories/${body.id}`);
    const name = unique('New');
    const renamed = await admin.put(`/shipping_categories/${body.id}`, { shipping_category: { name } });
    expect(renamed.body).toEqual({ id: body.id, name });
    expect((await api().get(`/shipping_categories/${body.id}`)).body).toEqual(renamed.body);
  });

  test('need a unique name', async () => {
    const admin = api(await anAdmin());
    const name = unique('Taken');
    const { body } = await admin.post('/shipping_categories', { name });
    expect((await admin.post('/shipping_categories', { name: ' ' })).body.errors).toEqual({
      name: ["can't be blank"],
    });
    const twice = await admin.post('/shipping_categories', { name });
    expect([twice.status, twice.body.errors]).toEqual([422, { name: ['has already been taken'] }]);
    const renamed = await admin.put(`/shipping_categories/${body.id}`, {
      shipping_category: { name: 'Default' },
    });
    expect(renamed.body.errors).toEqual({ name: ['has already been taken'] });
    expect((await admin.put(`/shipping_categories/${UNKNOWN_ID}`, { name: '' })).status).toBe(404);
  });

  test('are deleted with their shipping method assignments, but not while a product uses them', async () => {
    const admin = api(await anAdmin());
    const [used, free] = [
      (await admin.post('/shipping_categories', { name: unique('used') })).body,
      (await admin.post('/shipping_categories', { name: unique('free') })).body,
    ];
    const product = await aProduct({ shipping_category_id: used.id });
    await admin.delete(`/products/${product.id}`);
    const refused = await admin.delete(`/shipping_categories/${used.id}`);
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { base: ['Shipping categories of products cannot be deleted'] },
    ]);

    const method = await admin.post('/shipping_methods', {
      shipping_method: {
        name: unique('carrier'),
        calculator_type: 'flat_rate',
        shipping_category_ids: [used.id, free.id],
      },
    });
    expect((await admin.delete(`/shipping_categories/${free.id}`)).status).toBe(204);
    expect((await admin.delete(`/shipping_categories/${free.id}`)).status).toBe(404);
    expect((await admin.get(`/shipping_methods/${method.body.id}`)).body.shipping_categories).toEqual([used]);
  });
});
