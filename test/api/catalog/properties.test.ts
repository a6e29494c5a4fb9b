import { aCustomer, anAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { aProduct } from '../../support/products.factory';
import { unique } from '../../support/unique';

async function aProperty(attributes: { name?: string; presentation?: string } = {}): Promise<any> {
  const reply = await api(await anAdmin()).post('/properties', {
    property: { name: unique('property'), presentation: 'Presentation', ...attributes },
  });
  expect(reply.status).toBe(201);
  return reply.body;
}

describe('properties', () => {
  test('are created, and found by id and by name', async () => {
    const name = unique('material');
    const reply = await api(await anAdmin()).post(
      `/properties?property[name]=${name}&property[presentation]=Material`,
    );
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({ id: expect.any(Number), name, presentation: 'Material' });
    expect((await api().get(`/properties/${reply.body.id}`)).body).toEqual(reply.body);
    expect((await api().get(`/properties/${name}.json`)).body).toEqual(reply.body);
    expect((await api().get(`/properties/${unique('none')}`)).status).toBe(404);
  });

  test('an id takes precedence over a numeric name', async () => {
    const first = await aProperty();
    const second = await aProperty({ name: String(first.id) });
    expect((await api().get(`/properties/${first.id}`)).body).toEqual(first);
    const orphan = await aProperty({ name: '99999999999' });
    expect((await api().get('/properties/99999999999')).body).toEqual(orphan);
    expect((await api().get(`/properties/${second.id}`)).body).toEqual(second);
  });

  test('the list is an envelope: by id, by page, by ids, by q', async () => {
    const presentation = unique('Shown');
    const b = await aProperty({ name: unique('b'), presentation });
    const a = await aProperty({ name: unique('a'), presentation });
    const mine = `q[presentation_eq]=${presentation}`;
    expect((await api().get(`/properties?${mine}`)).body).toMatchObject({
      count: 2,
      current_page: 1,
      pages: 1,
      properties: [b, a],
    });
    expect((await api().get(`/properties?${mine}&q[s]=name asc&per_page=1`)).body).toMatchObject({
      count: 1,
      pages: 2,
      properties: [a],
    });
    expect((await api().get(`/properties?ids=${a.id},2147483647&q[name_eq]=x`)).body.properties).toEqual([a]);
    expect((await api().get(`/properties?${mine}&q[name_cont]=${a.name.slice(3)}`)).body.properties).toEqual([
      a,
    ]);
  });

  test('new returns the required attributes', async () => {
    expect((await api().get('/properties/new')).body).toEqual({
      attributes: ['id', 'name', 'presentation'],
      required_attributes: ['name', 'presentation'],
    });
  });

  test('an update keeps attributes that it does not name', async () => {
    const admin = api(await anAdmin());
    const property = await aProperty();
    const reply = await admin.put(`/properties/${property.name}`, { property: { presentation: 'New' } });
    expect([reply.status, reply.body]).toEqual([200, { ...property, presentation: 'New' }]);
    const renamed = await admin.patch(`/properties/${property.name}`, { property: { name: unique('new') } });
    expect(renamed.body).toMatchObject({ id: property.id, presentation: 'New' });
  });

  test('names are unique', async () => {
    const admin = api(await anAdmin());
    const [one, other] = [await aProperty(), await aProperty()];
    const taken = { name: ['has already been taken'] };
    const made = await admin.post('/properties', { property: { name: one.name, presentation: 'P' } });
    expect([made.status, made.body.errors]).toEqual([422, taken]);
    const changed = await admin.put(`/properties/${other.id}`, { property: { name: one.name } });
    expect([changed.status, changed.body.errors]).toEqual([422, taken]);
  });

  test.each([
    [{}, { name: ["can't be blank"], presentation: ["can't be blank"] }],
    [{ property: { name: 'x', presentation: ' ' } }, { presentation: ["can't be blank"] }],
    [{ property: [] }, { name: ["can't be blank"], presentation: ["can't be blank"] }],
  ])('%j returns 422', async (body, errors) => {
    const reply = await api(await anAdmin()).post('/properties', body);
    expect([reply.status, reply.body.errors]).toEqual([422, errors]);
  });

  test('deleting one deletes its values of products', async () => {
    const admin = api(await anAdmin());
    const property = await aProperty();
    const product = await aProduct({
      product_properties_attributes: [{ property_name: property.name, value: 'v' }],
    });
    expect(product.product_properties).toHaveLength(1);
    const reply = await admin.delete(`/properties/${property.id}`);
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect((await admin.get(`/products/${product.id}`)).body.product_properties).toEqual([]);
    expect((await admin.delete(`/properties/${property.id}`)).status).toBe(404);
  });

  test('only admins may write; 404 comes before 422', async () => {
    const property = await aProperty();
    for (const caller of [{}, await aCustomer()]) {
      expect((await api(caller).post('/properties', {})).status).toBe(401);
      expect((await api(caller).put(`/properties/${property.id}`, {})).status).toBe(401);
      expect((await api(caller).delete('/properties/2147483647')).status).toBe(401);
    }
    const admin = api(await anAdmin());
    expect((await admin.put('/properties/2147483647', { property: { name: '' } })).status).toBe(404);
    expect((await admin.put(`/properties/${property.id}`, { property: { name: '' } })).status).toBe(422);
  });
});
