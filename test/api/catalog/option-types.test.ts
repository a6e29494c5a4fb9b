import { aCustomer, anAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { anOptionType } from '../../support/products.factory';
import { countQueries } from '../../support/queries';
import { unique } from '../../support/unique';
import { invalid } from '../../support/error-bodies';

describe('option types', () => {
  test('an admin creates one with values in one request', async () => {
    const admin = api(await anAdmin());
    const name = unique('size');

    const reply = await admin.post('/option_types', {
      option_type: {
        name,
        presentation: 'Size',
        option_values_attributes: {
          0: { name: 's', presentation: 'Small' },
          1: { name: '', presentation: '' },
        },
      },
    });

    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      name,
      presentation: 'Size',
      option_values: [
        { name: 's', presentation: 'Small', option_type_name: name, option_type_presentation: 'Size' },
      ],
    });
    const shown = await api().get(`/option_types/${reply.body.id}.json`);
    expect(shown.body).toEqual(reply.body);
  });

  test('one request deletes, updates and adds values, many with as many statements as two', async () => {
    const admin = api(await anAdmin());
    const values = (count: number, word: string) =>
      Array.from({ length: count }, (_none, index) => ({
        name: `${word}${index}`,
        presentation: word.toUpperCase(),
      }));
    const create = async (count: number): Promise<any> => {
      const option_values_attributes = values(count, 'v');
      const option_type = { name: unique('size'), presentation: 'Size', option_values_attributes };
      return (await admin.post('/option_types', { option_type })).body;
    };
    const [few, many] = [await create(2), await create(40)];
    const change = (type: any) => {
      const [first, ...others] = type.option_values;
      const rows = [
        { id: first.id, _destroy: true },
        ...others.map(({ id }: any) => ({ id, presentation: 'changed' })),
        { name: first.name, presentation: 'again', position: 90 },
        ...values(type.option_values.length, 'new'),
        { name: ' ', presentation: '' },
      ];
      return admin.put(`/option_types/${type.id}`, { option_type: { option_values_attributes: rows } });
    };
    await change(await create(2));
    const statements = await countQueries(() => change(few));
    let changed: any;
    expect(await countQueries(async () => (changed = await change(many)))).toBe(statements);
    const shown = changed.body.option_values.map(({ name, presentation }: any) => [name, presentation]);
    expect(shown).toEqual([
      ...values(40, 'v').slice(1).map(({ name }) => [name, 'changed']), // prettier-ignore
      ['v0', 'again'],
      ...values(40, 'new').map(({ name }) => [name, 'NEW']),
    ]);
    expect(await countQueries(() => create(40))).toBe(await countQueries(() => create(2)));
  });

  test.each<[string, (other: number) => object[], object]>([
    ['a value of another type', (id) => [{ id, name: 'x' }], { option_values: ['is invalid'] }],
    ['a half-filled row', () => [{ name: 'x' }], { 'option_values.presentation': ["can't be blank"] }],
    ['the other half', () => [{ presentation: 'x' }], { 'option_values.name': ["can't be blank"] }],
    [
      'a name twice',
      () => [1, 2].map(() => ({ name: 'twin', presentation: 'Twin' })),
      { 'option_values.name': ['has already been taken'] },
    ],
  ])('%s returns 422 and saves nothing of the request', async (_what, rowsOf, errors) => {
    const admin = api(await anAdmin());
    const [type, other] = [await anOptionType('Size', 'S'), await anOptionType('Size', 'S')];
    const rows = [{ id: type.option_values[0].id, _destroy: true }, ...rowsOf(other.option_values[0].id)];
    const reply = await admin.put(`/option_types/${type.id}`, {
      option_type: { presentation: 'Changed', option_values_attributes: rows },
    });
    expect([reply.status, reply.body.errors]).toEqual([422, errors]);
    expect((await admin.get(`/option_types/${type.id}`)).body).toEqual(type);
  });

  test('a value cannot get the name of another one, and the error names the value', async () => {
    const { id, option_values } = await anOptionType('Size', 'S', 'M');
    const reply = await api(await anAdmin()).put(`/option_types/${id}`, {
      option_type: { option_values_attributes: [{ id: option_values[0].id, name: 'M' }] },
    });
    expect([reply.status, reply.body.errors]).toEqual([
      422,
      { 'option_values.name': ['has already been taken'] },
    ]);
  });

  test('values can swap their names in one request, and pass them on', async () => {
    const { id, option_values } = await anOptionType('Size', 'S', 'M', 'L', 'XL');
    const names = ['M', 'S', 'XL', 'XXL'];
    const reply = await api(await anAdmin()).put(`/option_types/${id}`, {
      option_type: {
        option_values_attributes: option_values.map((value: any, at: number) => ({
          id: value.id,
          name: names[at],
          presentation: names[at],
        })),
      },
    });
    expect(reply.body.option_values).toMatchObject(
      option_values.map((value: any, at: number) => ({ id: value.id, name: names[at] })),
    );
  });

  test('query brackets are accepted like a body', async () => {
    const name = unique('color');
    const reply = await api(await anAdmin()).post(
      `/option_types?option_type[name]=${name}&option_type[presentation]=Color`,
    );
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({ name, presentation: 'Color', option_values: [] });
  });

  test('the search returns a bare array', async () => {
    const name = unique('fit');
    await api(await anAdmin()).post('/option_types', { name, presentation: 'Fit' });
    const reply = await api().get(`/option_types?q[name_cont]=${name.slice(2).toUpperCase()}&q[bogus_eq]=1`);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject([{ name }]);
    expect(reply.headers['x-ignored-conditions']).toBe('bogus_eq');
  });

  test.each([
    ['nothing', {}, { name: ["can't be blank"], presentation: ["can't be blank"] }],
    [
      'a wrapper that is no object',
      { option_type: 'x' },
      { name: ["can't be blank"], presentation: ["can't be blank"] },
    ],
    ['only a name', { option_type: { name: 'x' } }, { presentation: ["can't be blank"] }],
    ['a NUL byte', { option_type: { name: 'a\u0000', presentation: 'A' } }, { name: ['is invalid'] }],
  ])('%s returns 422 and stores nothing', async (_what, body, errors) => {
    const reply = await api(await anAdmin()).post('/option_types', body);
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual(invalid(errors));
  });

  test('names are unique', async () => {
    const admin = api(await anAdmin());
    const name = unique('taken');
    await admin.post('/option_types', { name, presentation: 'A' });
    const reply = await admin.post('/option_types', { name, presentation: 'B' });
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toEqual({ name: ['has already been taken'] });
  });

  test('PATCH changes the named attributes; an unknown id returns 404 before the input is validated', async () => {
    const admin = api(await anAdmin());
    const made = await admin.post('/option_types', { name: unique('old'), presentation: 'Old' });
    const changed = await admin.patch(`/option_types/${made.body.id}`, {
      option_type: { presentation: 'New' },
    });
    expect(changed.body).toMatchObject({ name: made.body.name, presentation: 'New' });
    expect((await admin.put(`/option_types/${made.body.id}`, { option_type: { name: '' } })).status).toBe(
      422,
    );
    expect((await admin.put('/option_types/2147483647', { option_type: { name: '' } })).status).toBe(404);
    expect((await admin.get('/option_types/99999999999999')).status).toBe(404);
  });

  test('deleting a type deletes its values', async () => {
    const admin = api(await anAdmin());
    const made = await admin.post('/option_types', { name: unique('gone'), presentation: 'Gone' });
    const value = await admin.post(`/option_types/${made.body.id}/option_values`, {
      name: 'v',
      presentation: 'V',
    });
    expect(value.status).toBe(201);
    const reply = await admin.delete(`/option_types/${made.body.id}`);
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect((await admin.get(`/option_values/${value.body.id}`)).status).toBe(404);
  });

  test('only admins may write', async () => {
    const customer = await aCustomer();
    for (const caller of [{}, customer]) {
      expect((await api(caller).post('/option_types', {})).status).toBe(401);
      expect((await api(caller).put('/option_types/2147483647', {})).status).toBe(401);
      expect((await api(caller).delete('/option_types/2147483647')).status).toBe(401);
    }
    expect((await api({ token: 'nope' }).get('/option_types')).body).toEqual({
      error: 'Invalid API key (nope) specified.',
    });
  });
});
