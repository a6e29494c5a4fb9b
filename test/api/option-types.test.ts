import { aCustomer, anAdmin } from '../support/accounts.factory';
import { api } from '../support/api';
import { unique } from '../support/unique';

describe('option types', () => {
  test('an admin creates one with values, in one request', async () => {
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

  test('query brackets are as good as a body', async () => {
    const name = unique('color');
    const reply = await api(await anAdmin()).post(
      `/option_types?option_type[name]=${name}&option_type[presentation]=Color`,
    );
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({ name, presentation: 'Color', option_values: [] });
  });

  test('the search finds it in a bare array', async () => {
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
  ])('%s is refused and nothing is stored', async (_what, body, errors) => {
    const reply = await api(await anAdmin()).post('/option_types', body);
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual({ error: 'Invalid resource. Please fix errors and try again.', errors });
  });

  test('a name is taken once', async () => {
    const admin = api(await anAdmin());
    const name = unique('taken');
    await admin.post('/option_types', { name, presentation: 'A' });
    const reply = await admin.post('/option_types', { name, presentation: 'B' });
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toEqual({ name: ['has already been taken'] });
  });

  test('PATCH changes what it names; what is missing is 404 before its input is looked at', async () => {
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

  test('deleting takes the values along', async () => {
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

  test('only admins write', async () => {
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
