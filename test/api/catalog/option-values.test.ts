import { asAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { anOptionType, aProduct, aVariant } from '../../support/products.factory';
import { unique } from '../../support/unique';
import { INVALID } from '../../support/error-bodies';

describe('creating', () => {
  test('below the type, by option_type_id inside or outside the wrapper', async () => {
    const client = await asAdmin();
    const type = await anOptionType('Size');
    const value = (name: string) => ({ name, presentation: name.toUpperCase() });
    const replies = [
      await client.post(`/option_types/${type.id}/option_values`, { option_value: value('s') }),
      await client.post('/option_values', { option_value: { ...value('m'), option_type_id: type.id } }),
      await client.post(`/option_values?option_type_id=${type.id}`, { option_value: value('l') }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(replies[0]?.body).toEqual({
      id: expect.any(Number),
      ...value('s'),
      option_type_name: type.name,
      option_type_id: type.id,
      option_type_presentation: 'Size',
    });
    const { body } = await api().get(`/option_types/${type.id}`);
    expect(body.option_values.map(({ name }: { name: string }) => name)).toEqual(['s', 'm', 'l']);
  });

  test('a type is optional', async () => {
    const { body, status } = await (
      await asAdmin()
    ).post('/option_values?option_value[name]=loose&option_value[presentation]=Loose');
    expect(status).toBe(201);
    expect(body).toMatchObject({
      option_type_id: null,
      option_type_name: null,
      option_type_presentation: null,
    });
  });

  test.each([
    ['nothing', {}, { name: ["can't be blank"], presentation: ["can't be blank"] }],
    ['an unknown type', { option_type_id: 2147483647 }, { option_type: ['is invalid'] }],
    ['an invalid type id', { option_type_id: 'abc' }, { option_type_id: ['is invalid'] }],
    ['a name that is not a string', { name: { toString: 1 } }, { name: ['is invalid'] }],
    ['a negative position', { position: -1 }, { position: ['must be greater than or equal to 0'] }],
  ])('%s returns 422', async (what, attributes, errors) => {
    const option_value = what === 'nothing' ? {} : { name: unique('v'), presentation: 'V', ...attributes };
    const { body, status } = await (await asAdmin()).post('/option_values', { option_value });
    expect([status, body]).toEqual([422, { error: INVALID, errors }]);
  });

  test('names are unique within a type', async () => {
    const client = await asAdmin();
    const [one, other] = [await anOptionType('One', 'red'), await anOptionType('Other')];
    const red = { option_value: { name: 'red', presentation: 'Red' } };
    const refused = await client.post(`/option_types/${one.id}/option_values`, red);
    expect([refused.status, refused.body.errors]).toEqual([422, { name: ['has already been taken'] }]);
    expect((await client.post(`/option_types/${other.id}/option_values`, red)).status).toBe(201);
  });
});

describe('reading', () => {
  test('returns a bare array by position, in full unless a page is requested', async () => {
    const type = await anOptionType('Length', 'c', 'a', 'b');
    const list = async (query: string) =>
      (await api().get(`/option_types/${type.id}/option_values?${query}`)).body.map(
        (value: { name: string }) => value.name,
      );
    expect(await list('')).toEqual(['c', 'a', 'b']);
    expect(await list('per_page=2&page=2')).toEqual(['b']);
    expect(await list('q[s]=name')).toEqual(['a', 'b', 'c']);
    expect(await list('q[name_in][]=a&q[name_in][]=b')).toEqual(['a', 'b']);
    const everywhere = await api().get(`/option_values?q[option_type_name_eq]=${type.name}`);
    expect(everywhere.body).toHaveLength(3);
    const ids = type.option_values.map(({ id }: { id: number }) => id);
    const named = await api().get(`/option_values?ids=${ids[2]},${ids[0]},2147483647`);
    expect(named.body.map(({ id }: { id: number }) => id).sort()).toEqual([ids[0], ids[2]].sort());
  });

  test('in full has no next page, however long it is', async () => {
    const names = Array.from({ length: 26 }, (_, n) => `value ${n}`);
    const { id } = await anOptionType('Many', ...names);
    for (const path of [`/option_types/${id}/option_values`, `/option_values?option_type_id=${id}`]) {
      const { body, headers } = await api().get(path);
      expect(body).toHaveLength(26);
      expect(headers['x-total-count']).toBe('26');
      for (const name of ['x-page', 'x-pages', 'link']) expect(headers).not.toHaveProperty(name);
    }
  });

  test('values are found only below their own type', async () => {
    const client = await asAdmin();
    const [type, other] = [await anOptionType('Mine', 'v'), await anOptionType('Other')];
    const [{ id }] = type.option_values;
    expect((await client.get(`/option_types/${type.id}/option_values/${id}`)).status).toBe(200);
    const elsewhere = `/option_types/${other.id}/option_values/${id}`;
    expect((await client.get(elsewhere)).status).toBe(404);
    expect((await client.put(elsewhere, { option_value: { name: '' } })).status).toBe(404);
    expect((await client.delete(elsewhere)).status).toBe(404);
    expect((await client.get(`/option_values/${id}`)).body.name).toBe('v');
    const nowhere = '/option_types/2147483647/option_values';
    for (const path of [nowhere, `${nowhere}/new`]) expect((await client.get(path)).status).toBe(404);
    expect((await client.post(nowhere, {})).status).toBe(404);
  });

  test('new returns the attributes; required ones are marked', async () => {
    const type = await anOptionType('New');
    for (const path of ['/option_values/new', `/option_types/${type.id}/option_values/new`]) {
      expect((await api().get(path)).body).toEqual({
        attributes: [
          ...['id', 'name', 'presentation', 'option_type_name', 'option_type_id'],
          'option_type_presentation',
        ],
        required_attributes: ['name', 'presentation'],
      });
    }
  });
});

test('updating changes the named attributes; a blank name returns 422', async () => {
  const client = await asAdmin();
  const type = await anOptionType('Fit', 'slim', 'wide');
  const [slim] = type.option_values;
  const changed = await client.patch(`/option_values/${slim.id}`, {
    option_value: { presentation: 'Slimmer' },
  });
  expect(changed.body).toMatchObject({ name: 'slim', presentation: 'Slimmer', option_type_id: type.id });
  const nested = `/option_types/${type.id}/option_values/${slim.id}`;
  const again = await client.put(nested, { option_value: { presentation: 'Slimmest' } });
  expect([again.status, again.body]).toEqual([200, { ...changed.body, presentation: 'Slimmest' }]);
  expect((await client.get(nested)).body).toEqual(again.body);
  const refused = await client.put(nested, {
    option_value: { name: ' ', presentation: '' },
  });
  expect(refused.body.errors).toEqual({ name: ["can't be blank"], presentation: ["can't be blank"] });
  const taken = await client.put(`/option_values/${slim.id}`, { option_value: { name: 'wide' } });
  expect(taken.body.errors).toEqual({ name: ['has already been taken'] });
});

test('the type of a value is fixed while variants have it', async () => {
  const client = await asAdmin();
  const [size, color] = [await anOptionType('Size', 's', 'm'), await anOptionType('Color', 'red')];
  const [{ id: small }, { id: medium }] = size.option_values;
  const variant = await aVariant(await aProduct(), { option_value_ids: [small, color.option_values[0].id] });
  const move = (id: number, option_type_id: number | null) =>
    client.put(`/option_values/${id}`, { option_value: { option_type_id } });
  for (const type of [color.id, null]) {
    const refused = await move(small, type);
    expect([refused.status, refused.body]).toEqual([
      422,
      { error: INVALID, errors: { option_type_id: ['cannot be changed while variants have this value'] } },
    ]);
  }
  expect((await move(small, size.id)).status).toBe(200);
  expect((await api().get(`/variants/${variant.id}`)).body.options_text).toBe('Size: s, Color: red');
  expect((await move(medium, color.id)).body).toMatchObject({ option_type_id: color.id });

  await client.delete(`/variants/${variant.id}`);
  expect((await move(small, color.id)).body).toMatchObject({ option_type_id: color.id });
});

test('deletes a value below its type too', async () => {
  const client = await asAdmin();
  const type = await anOptionType('Fit', 'slim', 'wide');
  const [slim, wide] = type.option_values;
  expect((await client.delete(`/option_types/${type.id}/option_values/${slim.id}`)).status).toBe(204);
  expect((await client.get(`/option_types/${type.id}/option_values`)).body).toEqual([wide]);
});

test('deleting a value keeps the variants that had it', async () => {
  const client = await asAdmin();
  const type = await anOptionType('Color', 'red');
  const [red] = type.option_values;
  const product = await aProduct();
  const variant = await aVariant(product, { option_value_ids: [red.id] });
  expect(variant.options_text).toBe('Color: red');
  const reply = await client.delete(`/option_values/${red.id}`);
  expect([reply.status, reply.text]).toEqual([204, '']);
  expect((await client.delete(`/option_values/${red.id}`)).status).toBe(404);
  const after = await api().get(`/products/${product.id}/variants/${variant.id}`);
  expect(after.body).toMatchObject({ option_values: [], options_text: '' });
});
