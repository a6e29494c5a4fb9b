import { asAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { getDefaultShippingCategoryId } from '../../support/products.factory';
import { unique } from '../../support/unique';
import { UNKNOWN_ID } from '../../support/error-bodies';

describe('tax categories', () => {
  let admin: ReturnType<typeof api>;
  beforeAll(async () => {
    admin = await asAdmin();
  });

  const aCategory = async (attributes: object = {}): Promise<any> => {
    const made = await admin.post('/tax_categories', {
      tax_category: { name: unique('tax'), ...attributes },
    });
    expect(made.status).toBe(201);
    return made.body;
  };

  test('are created, found, read and updated', async () => {
    const name = unique('Books');
    const made = await aCategory({ name: ` ${name} `, tax_code: 'P0001', description: 'printed' });
    expect(made).toEqual({
      id: expect.any(Number),
      name,
      description: 'printed',
      tax_code: 'P0001',
      is_default: false,
    });
    const found = await admin.get(`/tax_categories?q[name_cont]=${name.toUpperCase()}&q[deleted_at_null]=0`);
    expect(found.body).toMatchObject({ tax_categories: [made], count: 1, current_page: 1, pages: 1 });
    expect(found.headers['x-ignored-conditions']).toBe('deleted_at_null');
    const changed = await admin.patch(`/tax_categories/${made.id}`, { tax_category: { description: null } });
    expect(changed.body).toEqual({ ...made, description: null });
    expect((await admin.get(`/tax_categories/${made.id}`)).body).toEqual(changed.body);
    expect((await admin.get('/tax_categories/new')).body).toEqual({
      attributes: ['id', 'name', 'description', 'tax_code', 'is_default'],
      required_attributes: ['name'],
    });
  });

  test('need a unique name', async () => {
    const { id, name } = await aCategory();
    const other = await aCategory();
    expect((await admin.post('/tax_categories', {})).body.errors).toEqual({ name: ["can't be blank"] });
    for (const reply of [
      await admin.post('/tax_categories', { name }),
      await admin.put(`/tax_categories/${other.id}`, { tax_category: { name } }),
    ])
      expect([reply.status, reply.body.errors]).toEqual([422, { name: ['has already been taken'] }]);
    expect((await admin.put(`/tax_categories/${id}`, { tax_category: { name: '' } })).status).toBe(422);
    expect((await admin.put(`/tax_categories/${UNKNOWN_ID}`, { tax_category: { name: '' } })).status).toBe(
      404,
    );
  });

  test('at most one is the default, also after concurrent requests', async () => {
    const made = await Promise.all([1, 2, 3, 4].map(() => aCategory({ is_default: true })));
    const listDefaults = async (): Promise<number[]> =>
      (await admin.get('/tax_categories?q[is_default_true]=1')).body.tax_categories.map(({ id }: any) => id);
    expect(await listDefaults()).toHaveLength(1);
    await admin.put(`/tax_categories/${made[0].id}`, { tax_category: { is_default: true } });
    expect(await listDefaults()).toEqual([made[0].id]);
    await admin.put(`/tax_categories/${made[0].id}`, { tax_category: { description: 'still' } });
    expect(await listDefaults()).toEqual([made[0].id]);
    await admin.put(`/tax_categories/${made[0].id}`, { tax_category: { is_default: false } });
    expect(await listDefaults()).toEqual([]);
  });

  test('cannot be deleted while a product, variant, rate or shipping method uses them, so that nothing becomes untaxed', async () => {
    const refusal = { base: ['Tax categories of products, shipping methods or tax rates cannot be deleted'] };
    const { id } = await aCategory();
    const shipping_category_id = await getDefaultShippingCategoryId();
    const product = await admin.post('/products', {
      product: { name: unique('Taxed'), price: '5', shipping_category_id, tax_category_id: id },
    });
    const remove = async () => admin.delete(`/tax_categories/${id}`);
    expect((await remove()).body.errors).toEqual(refusal);
    await admin.put(`/products/${product.body.id}`, { product: { tax_category_id: null } });

    const variant = await admin.post(`/products/${product.body.id}/variants`, {
      variant: { tax_category_id: id },
    });
    expect((await remove()).body.errors).toEqual(refusal);
    await admin.delete(`/products/${product.body.id}/variants/${variant.body.id}`);

    const rate = await admin.post('/tax_rates', { tax_rate: { amount: '0.1', tax_category_id: id } });
    expect((await remove()).body.errors).toEqual(refusal);
    await admin.delete(`/tax_rates/${rate.body.id}`);

    const method = await admin.post('/shipping_methods', {
      shipping_method: {
        name: unique('taxed'),
        calculator_type: 'flat_rate',
        tax_category_id: id,
        shipping_category_ids: [shipping_category_id],
      },
    });
    expect((await remove()).body.errors).toEqual(refusal);
    await admin.delete(`/shipping_methods/${method.body.id}`);

    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
    expect((await admin.get(`/tax_categories/${id}`)).status).toBe(404);
    expect((await admin.get(`/tax_categories?q[id_eq]=${id}`)).body.tax_categories).toEqual([]);
  });

  test('deleting one while a product starts to use it fails one of the two requests', async () => {
    const shipping_category_id = await getDefaultShippingCategoryId();
    for (const round of [1, 2, 3, 4]) {
      const { id } = await aCategory();
      const product = {
        name: unique(`Racing ${round}`),
        price: '5',
        shipping_category_id,
        tax_category_id: id,
      };
      const [removed, sold] = await Promise.all([
        admin.delete(`/tax_categories/${id}`),
        admin.post('/products', { product }),
      ]);
      expect([
        [204, 422],
        [422, 201],
      ]).toContainEqual([removed.status, sold.status]);
    }
  });

  test('once deleted cannot be used, and their name is released', async () => {
    const { id, name } = await aCategory();
    await admin.delete(`/tax_categories/${id}`);
    await aCategory({ name });
    const shipping_category_id = await getDefaultShippingCategoryId();
    const product = { name: unique('Late'), price: '5', shipping_category_id };
    const sold = await admin.post('/products', { product });
    const refused = [
      await admin.post('/products', { product: { ...product, tax_category_id: id } }),
      await admin.put(`/products/${sold.body.id}`, { product: { tax_category_id: id } }),
      await admin.post(`/products/${sold.body.id}/variants`, { variant: { tax_category_id: id } }),
      await admin.post('/tax_rates', { tax_rate: { amount: '0.1', tax_category_id: id } }),
    ];
    for (const reply of refused)
      expect([reply.status, reply.body.errors]).toEqual([422, { tax_category_id: ['is invalid'] }]);
  });

  test('are hidden from shoppers', async () => {
    for (const path of ['/tax_categories', '/tax_categories/new', '/tax_categories/1'])
      expect((await api().get(path)).status).toBe(401);
  });
});
