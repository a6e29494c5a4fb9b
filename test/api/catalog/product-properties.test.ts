import { aCustomer, anAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { aProduct } from '../../support/products.factory';
import { countQueries } from '../../support/queries';
import { unique } from '../../support/unique';

const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();

/** Creates a product on sale with the properties material and fit, in that order. */
async function aShirt() {
  const [material, fit] = [unique('material'), unique('fit')];
  const product = await aProduct({
    product_properties_attributes: [
      { property_name: material, value: 'cotton' },
      { property_name: ' ', value: 'skipped' },
      { property_name: fit, value: 'slim' },
    ],
  });
  return { product, material, fit, path: `/products/${product.id}/product_properties` };
}

describe('reading product properties', () => {
  test('returns an envelope by position, below permalink or id', async () => {
    const { product, material, fit, path } = await aShirt();
    const reply = await api().get(`/products/${product.slug}/product_properties.json`);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      count: 2,
      total_count: 2,
      current_page: 1,
      per_page: 25,
      pages: 1,
      product_properties: [
        {
          id: expect.any(Number),
          product_id: product.id,
          property_id: expect.any(Number),
          value: 'cotton',
          property_name: material,
        },
        expect.objectContaining({ value: 'slim', property_name: fit }),
      ],
    });
    expect((await api().get(path)).body).toEqual(reply.body);
    expect(product.product_properties).toEqual(reply.body.product_properties);
  });

  test('searches, sorts and pages by property name and value', async () => {
    const { material, fit, path } = await aShirt();
    const listNames = async (query: string) =>
      (await api().get(`${path}?${query}`)).body.product_properties.map((row: any) => row.property_name);
    expect(await listNames(`q[property_name_cont]=${material.slice(2).toUpperCase()}`)).toEqual([material]);
    expect(await listNames('q[value_eq]=slim')).toEqual([fit]);
    expect(await listNames('q[s]=property_name desc')).toEqual([material, fit].sort().reverse());
    expect(await listNames('q[s]=property_name asc&per_page=1&page=2')).toEqual([[material, fit].sort()[1]]);
  });

  test('finds one by its id, then by the name of its property', async () => {
    const { product, path } = await aShirt();
    const [first, second] = product.product_properties;
    expect((await api().get(`${path}/${first.id}`)).body).toEqual(first);
    expect((await api().get(`${path}/${second.property_name}`)).body).toEqual(second);
    expect((await api().get(`${path}/${unique('none')}`)).status).toBe(404);
    const admin = api(await anAdmin());
    const named = await admin.post(path, {
      product_property: { property_name: String(first.id), value: 'a number as its name' },
    });
    expect(named.status).toBe(201);
    expect((await api().get(`${path}/${first.id}`)).body).toEqual(first);
    expect((await api().get(`${path}/${named.body.id}`)).body).toEqual(named.body);
  });

  test('those of another product return 404', async () => {
    const [here, there] = [await aShirt(), await aShirt()];
    const foreign = there.product.product_properties[0];
    const admin = api(await anAdmin());
    for (const key of [foreign.id, foreign.property_name]) {
      expect((await admin.get(`${here.path}/${key}`)).status).toBe(404);
      expect((await admin.put(`${here.path}/${key}`, { product_property: { value: 'x' } })).status).toBe(404);
      expect((await admin.delete(`${here.path}/${key}`)).status).toBe(404);
    }
    expect((await api().get(`${there.path}/${foreign.id}`)).body).toEqual(foreign);
  });

  test('new returns the required attributes', async () => {
    const { path } = await aShirt();
    expect((await api().get(`${path}/new`)).body).toEqual({
      attributes: ['id', 'product_id', 'property_id', 'value', 'property_name'],
      required_attributes: ['property_name'],
    });
    expect((await api().get('/products/none-such/product_properties/new')).status).toBe(404);
  });

  test('a list takes as many queries for two as for twenty', async () => {
    const { product, path } = await aShirt();
    await api().get('/properties'); // reads once when products appear next
    const before = await countQueries(() => api().get(path));
    await api(await anAdmin()).put(`/products/${product.id}`, {
      product: {
        product_properties_attributes: Array.from({ length: 18 }, () => ({ property_name: unique('p') })),
      },
    });
    expect(await countQueries(() => api().get(path))).toBe(before);
    expect((await api().get(path)).body.count).toBe(20);
  });
});

describe('writing product properties', () => {
  test('a new name creates the property with that presentation', async () => {
    const product = await aProduct();
    const name = unique('material');
    const reply = await api(await anAdmin()).post(
      `/products/${product.slug}/product_properties?product_property[property_name]=${name}&product_property[value]=canvas`,
    );
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      id: expect.any(Number),
      product_id: product.id,
      property_id: expect.any(Number),
      value: 'canvas',
      property_name: name,
    });
    expect((await api().get(`/properties/${name}`)).body).toEqual({
      id: reply.body.property_id,
      name,
      presentation: name,
    });
  });

  test('an existing name updates the value: same record, 201', async () => {
    const { product, material, path } = await aShirt();
    const reply = await api(await anAdmin()).post(path, {
      product_property: { property_name: material, value: 'wool' },
    });
    expect([reply.status, reply.body]).toEqual([201, { ...product.product_properties[0], value: 'wool' }]);
    expect((await api().get(path)).body.count).toBe(2);
  });

  test('the same name sent concurrently is one record', async () => {
    const admin = api(await anAdmin());
    const [one, other] = [await aProduct(), await aProduct()];
    const name = unique('raced');
    const replies = await Promise.all(
      [one, other, one, other, one, other].map((product) =>
        admin.post(`/products/${product.id}/product_properties`, { property_name: name, value: 'v' }),
      ),
    );
    expect(replies.map((reply) => reply.status)).toEqual(Array(6).fill(201));
    expect(new Set(replies.map((reply) => reply.body.id)).size).toBe(2);
    expect(new Set(replies.map((reply) => reply.body.property_id)).size).toBe(1);
  });

  test('PUT updates the value, found by name or id; null clears it', async () => {
    const admin = api(await anAdmin());
    const { product, material, path } = await aShirt();
    const [first] = product.product_properties;
    const reply = await admin.put(`${path}/${material}?product_property[value]=cotton%20canvas`);
    expect([reply.status, reply.body]).toEqual([200, { ...first, value: 'cotton canvas' }]);
    const cleared = await admin.patch(`${path}/${first.id}`, { product_property: { value: null } });
    expect(cleared.body).toEqual({ ...first, value: null });
    const untouched = await admin.put(`${path}/${first.id}`, { product_property: {} });
    expect(untouched.body).toEqual({ ...first, value: null });
  });

  test('PUT with a property name changes the property, unless the product already has it', async () => {
    const admin = api(await anAdmin());
    const { product, material, fit, path } = await aShirt();
    const [first] = product.product_properties;
    const name = unique('fabric');
    const moved = await admin.put(`${path}/${material}`, { product_property: { property_name: name } });
    expect(moved.body).toMatchObject({ id: first.id, value: 'cotton', property_name: name });
    const taken = await admin.put(`${path}/${first.id}`, { product_property: { property_name: fit } });
    expect([taken.status, taken.body.errors]).toEqual([422, { property: ['has already been taken'] }]);
    const nested = await admin.put(`/products/${product.id}`, {
      product: { product_properties_attributes: [{ id: first.id, property_name: fit }] },
    });
    expect([nested.status, nested.body.errors]).toEqual([
      422,
      { 'product_properties.property': ['has already been taken'] },
    ]);
    const blank = await admin.put(`${path}/${first.id}`, { product_property: { property_name: '' } });
    expect([blank.status, blank.body.errors]).toEqual([422, { property: ["can't be blank"] }]);
  });

  test.each([
    [{}, { property: ["can't be blank"] }],
    [{ product_property: { property_name: '  ', value: 'x' } }, { property: ["can't be blank"] }],
    [
      { product_property: { property_name: 'x', value: 'y'.repeat(256) } },
      { value: ['is too long (maximum is 255 characters)'] },
    ],
    [{ product_property: { property_name: { toString: 1 } } }, { property_name: ['is invalid'] }],
  ])('%j returns 422 and stores nothing', async (body, errors) => {
    const { path } = await aShirt();
    const reply = await api(await anAdmin()).post(path, body);
    expect([reply.status, reply.body.errors]).toEqual([422, errors]);
    expect((await api().get(path)).body.count).toBe(2);
  });

  test('DELETE deletes the value and keeps the property', async () => {
    const admin = api(await anAdmin());
    const { material, path } = await aShirt();
    const reply = await admin.delete(`${path}/${material}`);
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect((await admin.delete(`${path}/${material}`)).status).toBe(404);
    expect((await api().get(path)).body.count).toBe(1);
    expect((await api().get(`/properties/${material}`)).status).toBe(200);
  });
});

describe('product_properties_attributes of a product', () => {
  test('add, update by name or id, and delete', async () => {
    const admin = api(await anAdmin());
    const { product, fit } = await aShirt();
    const [first] = product.product_properties;
    const name = unique('care');
    const reply = await admin.put(`/products/${product.id}`, {
      product: {
        product_properties_attributes: {
          0: { id: first.id, _destroy: '1' },
          1: { property_name: fit, value: 'loose' },
          2: { property_name: name, value: 'cold' },
        },
      },
    });
    expect(reply.status).toBe(200);
    expect(reply.body.product_properties).toMatchObject([
      { property_name: fit, value: 'loose' },
      { property_name: name, value: 'cold' },
    ]);
  });

  test('rows with an id change the value, and the property if they name one', async () => {
    const admin = api(await anAdmin());
    const { product, material } = await aShirt();
    const [first, second] = product.product_properties;
    const name = unique('cut');
    const reply = await admin.put(`/products/${product.id}`, {
      product: {
        product_properties_attributes: [
          { id: first.id, value: null },
          { id: second.id, property_name: name },
        ],
      },
    });
    expect(reply.body.product_properties).toEqual([
      { ...first, value: null },
      { ...second, property_name: name, property_id: expect.any(Number) },
    ]);
    const taken = await admin.put(`/products/${product.id}`, {
      product: { product_properties_attributes: [{ id: second.id, property_name: material }] },
    });
    expect(taken.status).toBe(422);
  });

  test('take as many statements for twenty rows as for two', async () => {
    const admin = api(await anAdmin());
    const rows = (count: number) => Array.from({ length: count }, () => ({ property_name: unique('row') }));
    const send = async (count: number) => {
      const { id } = await aProduct();
      const product = { product_properties_attributes: rows(count) };
      return countQueries(() => admin.put(`/products/${id}`, { product }));
    };
    expect(await send(20)).toBe(await send(2));
  });

  test('an id of another product returns 422 and changes nothing', async () => {
    const admin = api(await anAdmin());
    const [here, there] = [await aShirt(), await aShirt()];
    const reply = await admin.put(`/products/${here.product.id}`, {
      product: {
        name: 'Changed',
        product_properties_attributes: [{ id: there.product.product_properties[0].id, _destroy: true }],
      },
    });
    expect([reply.status, reply.body.errors]).toEqual([422, { product_properties: ['is invalid'] }]);
    expect((await api().get(there.path)).body.count).toBe(2);
    expect((await api().get(`/products/${here.product.id}`)).body.name).toBe(here.product.name);
  });
});

describe('authorization', () => {
  test('properties of a product that is not on sale yet return 404 to shoppers, also for writes', async () => {
    const product = await aProduct({
      available_on: TOMORROW,
      product_properties_attributes: [{ property_name: 'secret', value: 'x' }],
    });
    const [property] = product.product_properties;
    for (const id of [product.id, product.slug]) {
      const path = `/products/${id}/product_properties`;
      for (const caller of [{}, await aCustomer()]) {
        const shopper = api(caller);
        for (const send of [
          () => shopper.get(path),
          () => shopper.get(`${path}/new`),
          () => shopper.get(`${path}/${property.id}`),
          () => shopper.post(path, { product_property: { property_name: 'x' } }),
          () => shopper.post(path, { product_property: { value: { a: 1 } } }),
          () => shopper.put(`${path}/${property.id}`, { product_property: { value: 'y' } }),
          () => shopper.delete(`${path}/${property.id}`),
        ]) {
          const reply = await send();
          expect([reply.status, reply.body.error]).toEqual([
            404,
            'The resource you were looking for could not be found.',
          ]);
        }
      }
    }
    const admin = api(await anAdmin());
    expect((await admin.get(`/products/${product.slug}/product_properties/secret`)).body).toEqual(property);
  });

  test('shoppers may read those of a visible product; only admins may write', async () => {
    const { product, material, path } = await aShirt();
    for (const caller of [{}, await aCustomer()]) {
      const shopper = api(caller);
      expect((await shopper.get(path)).status).toBe(200);
      for (const send of [
        () => shopper.post(path, { product_property: { property_name: material, value: 'stolen' } }),
        () => shopper.post(path, {}),
        () => shopper.post(path, { product_property: { value: { a: 1 } } }),
        () => shopper.put(`${path}/${material}`, { product_property: { value: 'stolen' } }),
        () => shopper.put(`${path}/none-such`, { product_property: { value: { a: 1 } } }),
        () => shopper.delete(`${path}/${material}`),
      ]) {
        expect((await send()).status).toBe(401);
      }
    }
    expect((await api().get(path)).body.product_properties).toEqual(product.product_properties);
  });

  test('those of a deleted product return 404 to admins too', async () => {
    const admin = api(await anAdmin());
    const { product, path } = await aShirt();
    await admin.delete(`/products/${product.id}`);
    expect((await admin.get(path)).status).toBe(404);
    expect((await admin.post(path, { product_property: { property_name: 'x' } })).status).toBe(404);
    expect((await admin.put(`${path}/1`, { product_property: { value: { a: 1 } } })).status).toBe(404);
  });
});
