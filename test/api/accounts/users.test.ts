import { randomBytes } from 'node:crypto';
import { aCustomer, anAdmin, aSignedUpCustomer, asAdmin } from '../../support/accounts.factory';
import { anAddress, getPlaceIds } from '../../support/addresses.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { createOwnShop } from '../../support/own-shop';
import { unique } from '../../support/unique';
import { NOT_FOUND, invalid } from '../../support/error-bodies';

const NOT_ALLOWED = { error: 'You are not authorized to perform that action.' };
const anEmail = () => `${unique('user')}@example.com`;

describe('signing up', () => {
  test('returns id, email and the API token', async () => {
    const email = anEmail();
    const reply = await api().post('/users', { user: { email, password: 'secret12' } });

    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      id: expect.any(Number),
      email,
      token: expect.any(String),
      vat_id: null,
      public_metadata: {},
      created_at: expect.any(String),
      updated_at: expect.any(String),
      roles: ['customer'],
      bill_address: null,
      ship_address: null,
    });
    expect(reply.headers['cache-control']).toBe('private, no-store');
    const { token, ...shown } = reply.body;
    const me = await api({ token }).get('/users/me');
    expect(me.body).toEqual({ ...shown, scopes: [] });
  });

  test('an e-mail is unique ignoring the letter case, also for concurrent requests', async () => {
    const email = anEmail();
    const body = { email: `  ${email} `, password: 'secret12' };
    const replies = await Promise.all([1, 2, 3].map(() => api().post('/users', body)));
    replies.push(await api().post('/users', { user: { email: email.toUpperCase(), password: 'secret12' } }));

    expect(replies.map((reply) => reply.status).sort()).toEqual([201, 422, 422, 422]);
    for (const reply of replies.filter(({ status }) => status === 422)) {
      expect(reply.body.errors).toEqual({ email: ['has already been taken'] });
    }
  });

  test.each([
    ['nothing', {}, { email: ["can't be blank"], password: ["can't be blank"] }],
    ['a list for a wrapper', { user: [1] }, { email: ["can't be blank"], password: ["can't be blank"] }],
    ['an invalid e-mail address', { email: 'ann', password: 'secret12' }, { email: ['is invalid'] }],
    ['an object for an e-mail', { email: { a: 1 }, password: 'secret12' }, { email: ['is invalid'] }],
    ['a blank password', { email: 'a@example.com', password: '' }, { password: ["can't be blank"] }],
    [
      'seven characters',
      { email: 'a@example.com', password: 'x4kd-9q' },
      { password: ['is too short (minimum is 8 characters)'] },
    ],
    ['a common password', { email: 'a@example.com', password: 'iloveyou1' }, { password: ['is too common'] }],
    ['one in other case', { email: 'a@example.com', password: 'PassWord1' }, { password: ['is too common'] }],
    ...['Example-Store-2026!', 'Trudi.Blum-1', 'storeADMIN99', 'example99example'].map(
      (password): [string, object, object] => [
        `${password}, of words of the shop and the address`,
        { email: 'trudi.blum@example.com', password },
        { password: ['is too easy to guess'] },
      ],
    ),
    [
      '129 characters',
      { email: 'a@example.com', password: 'x'.repeat(129) },
      { password: ['is too long (maximum is 128 characters)'] },
    ],
    [
      'an incomplete address',
      { email: 'a@example.com', password: 'secret12', bill_address_attributes: { city: 'Bonn' } },
      {
        'bill_address.firstname': ["can't be blank"],
        'bill_address.lastname': ["can't be blank"],
        'bill_address.address1': ["can't be blank"],
        'bill_address.phone': ["can't be blank"],
        'bill_address.zipcode': ["can't be blank"],
        'bill_address.country': ["can't be blank"],
      },
    ],
  ])('%s returns 422', async (_what, body, errors) => {
    const reply = await api().post('/users', body);
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual(invalid(errors));
  });

  test('passwords have 8 to 128 characters', async () => {
    for (const password of ['x4kd-9qz', 'x'.repeat(128)]) {
      const email = anEmail();
      expect((await api().post('/users', { email, password })).status).toBe(201);
      expect((await api().post('/sessions', { email, password })).status).toBe(201);
    }
  });

  test.each([{ roles: ['admin'] }, { roles: { no: 1 } }, { roles: [null], role_ids: [1] }])(
    'customers cannot set roles and tokens: %j',
    async (extra) => {
      const reply = await api(await aCustomer()).post('/users', {
        user: { email: anEmail(), password: 'secret12', token: 'mine', id: 1, ...extra },
      });
      expect(reply.status).toBe(201);
      expect(reply.body).toMatchObject({ roles: ['customer'] });
      expect(reply.body.token).not.toBe('mine');
      expect((await api(reply.body).get('/users')).status).toBe(401);
    },
  );

  test('stores addresses, with the state found by its abbreviation', async () => {
    const { country_id, state_id } = await getPlaceIds('US', 'MD');
    const reply = await api().post('/users', {
      user: {
        email: anEmail(),
        password: 'secret12',
        bill_address_attributes: anAddress({ firstname: undefined, first_name: 'Bea', company: '' }),
        ship_address: anAddress({ country: undefined, country_id, state: undefined, state_id }),
      },
    });
    expect(reply.status).toBe(201);
    expect(reply.body.bill_address).toMatchObject({
      firstname: 'Bea',
      full_name: 'Bea Archer',
      company: null,
      state_id,
      state_name: null,
      state_text: 'MD',
      country: { iso: 'US', iso_name: 'UNITED STATES' },
      state: { name: 'Maryland', abbr: 'MD', country_id },
    });
    expect(reply.body.ship_address).toMatchObject({ country_id, state_id, zipcode: '20814' });
    expect(reply.body.ship_address.id).not.toBe(reply.body.bill_address.id);
  });

  test('new returns the attributes', async () => {
    expect((await api().get('/users/new')).body).toEqual({
      attributes: ['id', 'email', 'created_at', 'updated_at'],
      required_attributes: ['email'],
    });
  });
});

describe('addresses of users', () => {
  test.each<[string, Record<string, unknown>, Record<string, string[]>]>([
    [
      'a state of another country',
      { state: undefined, state_id: 'CA-ON' },
      { 'bill_address.state': ['is invalid'] },
    ],
    [
      'an unknown state',
      { state: undefined, state_name: 'Atlantis' },
      { 'bill_address.state': ['is invalid'] },
    ],
    ['no state where one is due', { state: undefined }, { 'bill_address.state': ["can't be blank"] }],
    ['a zip code of another shape', { zipcode: 'K1A 0B1' }, { 'bill_address.zipcode': ['is invalid'] }],
    ['an unknown country', { country: { iso: 'XX' } }, { 'bill_address.country': ["can't be blank"] }],
    ['an unknown country id', { country_id: 2147483647 }, { 'bill_address.country': ["can't be blank"] }],
    ['a country that is no name', { country: 'Atlantis' }, { 'bill_address.country': ["can't be blank"] }],
    ['a NUL byte', { city: 'a\u0000' }, { 'bill_address.city': ['is invalid'] }],
  ])('%s returns 422 and changes nothing', async (_what, attributes, errors) => {
    const ann = await aCustomer();
    const { state_id } = await getPlaceIds('CA', 'ON');
    const address = anAddress(attributes);
    if (address['state_id'] === 'CA-ON') address['state_id'] = state_id;

    const reply = await (
      await asAdmin()
    ).put(`/users/${ann.id}`, {
      user: { email: anEmail(), bill_address_attributes: address },
    });

    expect([reply.status, reply.body.errors]).toEqual([422, errors]);
    expect((await api(ann).get('/users/me')).body).toMatchObject({ email: ann.email, bill_address: null });
  });

  test.each([
    [{ iso3: 'deu' }, { name: 'Bavaria' }, { state_name: 'Bavaria', state_text: 'Bavaria' }],
    [{ iso_name: 'GERMANY' }, { abbr: '' }, { state_name: null, state_text: null }],
    [{ name: 'Germany' }, undefined, { state: null, state_id: null }],
  ])('a country without required states: %j %j', async (country, state, shown) => {
    const ann = await aCustomer();
    const reply = await api(ann).put(`/users/${ann.id}`, {
      bill_address: anAddress({ country, state, zipcode: '80331', city: 'München' }),
    });
    expect(reply.status).toBe(200);
    expect(reply.body.bill_address).toMatchObject({ country: { iso: 'DE' }, city: 'München', ...shown });
  });

  test('an address with its id is updated in part, without it is replaced', async () => {
    const ann = await aCustomer();
    const caller = api(ann);
    const first = await caller.put(`/users/${ann.id}`, { user: { bill_address_attributes: anAddress() } });
    const { id } = first.body.bill_address;

    const changed = await caller.put(`/users/${ann.id}`, {
      user: { bill_address_attributes: { id, city: 'Rockville', company: 'Acme' } },
    });
    expect(changed.body.bill_address).toEqual({
      ...first.body.bill_address,
      city: 'Rockville',
      company: 'Acme',
    });

    const moved = await caller.put(`/users/${ann.id}`, {
      user: { bill_address_attributes: { id, country: { iso: 'CA' }, zipcode: 'K1A 0B1' } },
    });
    expect(moved.body.errors).toEqual({ 'bill_address.state': ["can't be blank"] });

    const replaced = await caller.put(`/users/${ann.id}`, {
      user: { bill_address_attributes: anAddress({ city: 'Laurel' }) },
    });
    expect(replaced.body.bill_address).toMatchObject({ city: 'Laurel', company: null });
    expect(replaced.body.bill_address.id).not.toBe(id);
    expect(await testDb()('addresses').where({ id })).toEqual([]);
  });

  test("the id of another user's address creates a new address", async () => {
    const [ann, bob] = [await aCustomer(), await aCustomer()];
    const bobs = await api(bob).put(`/users/${bob.id}`, { bill_address: anAddress() });
    const id: number = bobs.body.bill_address.id;

    const partial = await api(ann).put(`/users/${ann.id}`, { bill_address: { id, city: 'Elsewhere' } });
    expect(partial.status).toBe(422);
    const whole = await api(ann).put(`/users/${ann.id}`, { bill_address: anAddress({ id, city: 'Laurel' }) });
    expect(whole.body.bill_address.id).not.toBe(id);
    expect((await api(bob).get('/users/me')).body.bill_address).toEqual(bobs.body.bill_address);
  });
});

describe('users', () => {
  test('are listed and searched by admins', async () => {
    const [ann, admin] = [await aCustomer(), await anAdmin()];
    await api(ann).put(`/users/${ann.id}`, { ship_address: anAddress() });
    const found = await api(admin).get(
      `/users?q[email_cont]=${ann.email.toUpperCase()}&q[password_digest_start]=$&q[api_tokens_id_eq]=1`,
    );
    expect(found.body).toMatchObject({ count: 1, total_count: 1, current_page: 1, pages: 1 });
    const { scopes, ...me } = (await api(ann).get('/users/me')).body;
    expect(found.body.users).toEqual([{ ...me, metadata: {} }]);
    expect(scopes).toEqual([]);
    expect(found.headers['x-ignored-conditions']).toBe('password_digest_start, api_tokens_id_eq');

    const staff = await api(admin).get('/users?q[roles_name_not_eq]=customer&per_page=100');
    const ids = staff.body.users.map(({ id }: any) => id);
    expect([ids.includes(admin.id), ids.includes(ann.id)]).toEqual([true, false]);

    const newest = await api(admin).get('/users?q[s]=id%20desc&per_page=1');
    expect(newest.body.users[0].id).toBeGreaterThanOrEqual(admin.id);
  });

  test('are read by themselves and by admins', async () => {
    const [ann, bob, admin] = [await aCustomer(), await aCustomer(), await anAdmin()];
    for (const [caller, shown] of [
      [ann, {}],
      [admin, { metadata: {} }],
    ] as const) {
      expect((await api(caller).get(`/users/${ann.id}`)).body).toEqual({
        ...shown,
        public_metadata: {},
        vat_id: null,
        id: ann.id,
        email: ann.email,
        roles: ['customer'],
        bill_address: null,
        ship_address: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      });
    }
    for (const caller of [{}, bob]) {
      const attempts = [
        await api(caller).get(`/users/${ann.id}`),
        await api(caller).put(`/users/${ann.id}`, { email: 'not an address' }),
        await api(caller).put(`/users/${ann.id}`, { email: anEmail() }),
        await api(caller).delete(`/users/${ann.id}`),
        await api(caller).get(`/users/${ann.id}/tokens`),
        await api(caller).post(`/users/${ann.id}/tokens`, {}),
        await api(caller).delete(`/users/${ann.id}/tokens/1`),
      ];
      expect(attempts.map(({ status, body }) => [status, body])).toEqual(
        attempts.map(() => [404, NOT_FOUND]),
      );
    }
    expect((await api(admin).get('/users/2147483647')).status).toBe(404);
    expect((await api().get('/users/me')).body).toEqual(NOT_ALLOWED);
    expect((await api(bob).get('/users')).status).toBe(401);
  });

  test('change their e-mail to an unused one only', async () => {
    const [ann, bob] = [await aSignedUpCustomer(), await aCustomer()];
    const [email, current_password] = [anEmail(), ann.password];
    const changed = await api(ann).patch(`/users/${ann.id}.json`, { user: { email, current_password } });
    expect([changed.status, changed.body.email]).toEqual([200, email]);
    expect((await api(ann).put(`/users/${ann.id}`, {})).body.email).toBe(email);
    const taken = await api(ann).put(`/users/${ann.id}`, {
      email: bob.email.toUpperCase(),
      current_password,
    });
    expect(taken.body.errors).toEqual({ email: ['has already been taken'] });
    const blank = await api(ann).put(`/users/${ann.id}`, { email: '', password: null });
    expect(blank.body.errors).toEqual({ email: ["can't be blank"], password: ["can't be blank"] });
  });

  test('a new password revokes all other tokens, and the old password fails', async () => {
    const ann = await aSignedUpCustomer();
    const other = await api().post('/sessions', { email: ann.email, password: ann.password });
    const reply = await api(other.body).put(`/users/${ann.id}`, {
      user: { password: 'changed1', current_password: ann.password },
    });
    expect(reply.status).toBe(200);

    expect((await api(other.body).get('/users/me')).status).toBe(200);
    expect((await api(ann).get('/users/me')).status).toBe(401);
    expect((await api().post('/sessions', { email: ann.email, password: ann.password })).status).toBe(401);
    expect((await api().post('/sessions', { email: ann.email, password: 'changed1' })).status).toBe(201);
  });

  test('an admin who sets a password revokes all tokens of the user', async () => {
    const [ann, admin] = [await aSignedUpCustomer(), await anAdmin()];
    await api(admin).put(`/users/${ann.id}`, { user: { password: 'changed1' } });
    expect((await api(ann).get('/users/me')).status).toBe(401);
    expect((await api(admin).get('/users/me')).status).toBe(200);
  });

  test('admins change roles; customers cannot', async () => {
    const [ann, admin] = [await aCustomer(), await anAdmin()];
    const self = await api(ann).put(`/users/${ann.id}`, { user: { roles: ['admin'], role_ids: [1] } });
    expect(self.body.roles).toEqual(['customer']);

    const raised = await api(admin).put(`/users/${ann.id}`, { user: { roles: ['customer', 'admin'] } });
    expect(raised.body.roles).toEqual(['admin', 'customer']);
    expect((await api(ann).get('/users')).status).toBe(200);

    const lowered = await api(admin).put(`/users/${ann.id}`, { user: { roles: ['customer'] } });
    expect(lowered.body.roles).toEqual(['customer']);
    expect((await api(ann).get('/users')).status).toBe(401);

    for (const roles of [['emperor'], null, 5]) {
      const refused = await api(admin).put(`/users/${ann.id}`, { user: { roles } });
      expect([refused.status, refused.body.errors]).toEqual([422, { roles: ['is invalid'] }]);
    }
    const made = await api(admin).post('/users', {
      email: anEmail(),
      password: 'secret12',
      roles: ['admin'],
    });
    expect(made.body.roles).toEqual(['admin']);
  });

  test('the only admin can neither be deleted nor lose the role; one of two can', async () => {
    const shop = await createOwnShop();
    const { db, app } = shop;
    try {
      const boss = await anAdmin(db);
      await db('user_roles').whereNot({ user_id: boss.id }).delete();
      const path = `/users/${boss.id}`;
      const refused = await api(boss, app).put(path, { user: { roles: ['customer'] } });
      expect([refused.status, refused.body.errors]).toEqual([
        422,
        { roles: ['cannot be taken from the only admin'] },
      ]);
      const kept = await api(boss, app).delete(path);
      expect([kept.status, kept.body.errors]).toEqual([422, { base: ['The only admin cannot be deleted'] }]);
      const both = await api(boss, app).put(path, { user: { roles: ['customer', 'admin'] } });
      expect(both.body.roles).toEqual(['admin', 'customer']);

      const other = await anAdmin(db);
      const left = await Promise.all([
        api(boss, app).put(path, { user: { roles: ['customer'] } }),
        api(other, app).delete(`/users/${other.id}`),
      ]);
      const statuses = left.map(({ status }) => status);
      expect(statuses.filter((status) => status === 422)).toHaveLength(1);
      expect(statuses.filter((status) => status < 300)).toHaveLength(1);
    } finally {
      await shop.close();
    }
  });

  test('cannot be deleted with a complete order; an incomplete one becomes a guest order', async () => {
    const [ann, bob] = [await aCustomer(), await aCustomer()];
    const order = (user_id: number, completed_at: Date | null) => ({
      user_id,
      completed_at,
      number: unique('R'),
      currency: 'USD',
      token_seed: randomBytes(16),
      token_hash: randomBytes(32),
    });
    await testDb()('orders').insert(order(ann.id, new Date()));
    const [open] = await testDb()('orders').insert(order(bob.id, null)).returning('id');

    const refused = await api(ann).delete(`/users/${ann.id}`);
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toEqual({ base: ['Users with completed orders cannot be deleted'] });
    expect((await api(ann).get('/users/me')).status).toBe(200);

    expect((await api(bob).delete(`/users/${bob.id}`)).status).toBe(204);
    expect(await testDb()('orders').where({ id: open.id }).first('user_id')).toEqual({ user_id: null });
  });

  test('are deleted with addresses and tokens', async () => {
    const ann = await aCustomer();
    const { body } = await api(ann).put(`/users/${ann.id}`, { bill_address: anAddress() });
    const reply = await api(ann).delete(`/users/${ann.id}`);
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect((await api(ann).get('/users/me')).status).toBe(401);
    expect(await testDb()('addresses').where({ id: body.bill_address.id })).toEqual([]);
    expect((await api(await anAdmin()).delete(`/users/${ann.id}`)).status).toBe(404);
  });
});

describe('API tokens of a user', () => {
  test('are created, listed without their secret, and revoked', async () => {
    const ann = await aCustomer();
    const caller = api(ann);
    const made = await caller.post(`/users/${ann.id}/tokens`, { api_token: { name: 'the till' } });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ name: 'the till', revoked_at: null, token: expect.any(String) });
    expect((await api(made.body).get('/users/me')).body.id).toBe(ann.id);

    const { token, ...row } = made.body;
    const listed = await caller.get(`/users/${ann.id}/tokens?q[token_hash_start]=a`);
    expect(listed.body).toMatchObject({ count: 2, total_count: 2 });
    expect(listed.body.tokens[0]).toEqual({ ...row, last_used_at: expect.any(String) });
    expect(listed.text).not.toContain(token);
    expect(listed.headers['x-ignored-conditions']).toBe('token_hash_start');

    expect((await caller.delete(`/users/${ann.id}/tokens/${row.id}`)).status).toBe(204);
    expect((await api({ token }).get('/users/me')).status).toBe(401);
    const { revoked_at } = (await caller.get(`/users/${ann.id}/tokens`)).body.tokens[0];
    expect(revoked_at).toEqual(expect.any(String));
    expect((await caller.delete(`/users/${ann.id}/tokens/${row.id}`)).status).toBe(204);
    expect((await caller.get(`/users/${ann.id}/tokens`)).body.tokens[0].revoked_at).toBe(revoked_at);
  });

  test('are found only below their own user, also by admins', async () => {
    const [ann, bob, admin] = [await aCustomer(), await aCustomer(), await anAdmin()];
    const made = await api(admin).post(`/users/${ann.id}/tokens`);
    expect([made.status, made.body.name]).toEqual([201, '']);
    expect((await api(admin).delete(`/users/${bob.id}/tokens/${made.body.id}`)).status).toBe(404);
    expect((await api(admin).post('/users/2147483647/tokens', { name: 'x'.repeat(300) })).status).toBe(404);
    expect((await api(admin).post(`/users/${ann.id}/tokens`, { name: 'x'.repeat(300) })).status).toBe(422);
    expect((await api(made.body).get('/users/me')).body.id).toBe(ann.id);
  });
});

describe('password_confirmation', () => {
  const refused = invalid({ password_confirmation: ["doesn't match Password"] });

  test('that differs is refused at sign-up and in updates', async () => {
    const email = `${unique('ann')}@example.com`;
    const user = { email, password: 'secret12', password_confirmation: 'secret13' };
    const reply = await api().post('/users', { user });
    expect([reply.status, reply.body]).toEqual([422, refused]);
    const made = await api().post('/users', { user: { ...user, password_confirmation: 'secret12' } });
    expect(made.status).toBe(201);
    const changed = await api({ token: made.body.token }).put(`/users/${made.body.id}`, {
      user: { password: 'secret99', password_confirmation: 'other' },
    });
    expect([changed.status, changed.body]).toEqual([422, refused]);
    expect((await api().post('/sessions', { email, password: 'secret12' })).status).toBe(201);
  });
});
