import {
  aClerk,
  aCustomer,
  aLimitedToken,
  anAdmin,
  aSignedUpCustomer,
  asAdmin,
  setPassword,
} from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { aProduct } from '../../support/products.factory';
import { aSellableVariant, buildMarylandAddress } from '../../support/orders.factory';
import { unique } from '../../support/unique';

const NOT_ALLOWED = { error: 'You are not authorized to perform that action.' };
const anEmail = () => `${unique('user')}@example.com`;

async function roleNamed(name: string): Promise<{ id: number; name: string; scopes: string[] }> {
  const found = await (await asAdmin()).get(`/roles?q[name_eq]=${name}`);
  return found.body.roles[0];
}

describe('roles', () => {
  test('the store begins with the roles of its staff', async () => {
    const { body } = await (await asAdmin()).get('/roles?per_page=5');
    expect(body.roles.map(({ name, scopes }: { name: string; scopes: string[] }) => [name, scopes])).toEqual([
      ['admin', ['*']],
      ['customer', []],
      ['support', ['orders:write', 'customers:read', 'payments:read']],
      ['warehouse', ['stock:write', 'orders:read', 'shipments:write']],
      ['catalog', ['catalog:write']],
    ]);
  });

  test('a new role applies to its users from the next request on, also when it changes', async () => {
    const admin = await asAdmin();
    const name = unique('buyer');
    const made = await admin.post('/roles', { role: { name, scopes: ['stock:read'] } });
    expect([made.status, made.body]).toEqual([201, { id: expect.any(Number), name, scopes: ['stock:read'] }]);
    const clerk = await admin.post('/users', {
      user: { email: anEmail(), password: 'secret12', roles: [name] },
    });
    const asClerk = api(clerk.body);
    expect((await asClerk.get('/stock_locations')).status).toBe(200);
    const shown = await asClerk.get('/users/me');
    expect(shown.body.scopes).toEqual(['stock:read']);
    const kept = await asClerk.put('/users/me', { user: { vat_id: 'DE136695976' } });
    expect([kept.status, kept.body]).toEqual([
      200,
      { ...shown.body, vat_id: 'DE136695976', updated_at: expect.any(String) },
    ]);
    expect((await asClerk.post('/stock_locations', {})).body).toEqual(NOT_ALLOWED);

    await admin.put(`/roles/${made.body.id}`, { role: { scopes: ['stock:write'] } });
    expect((await asClerk.post('/stock_locations', {})).status).toBe(422);
    await admin.put(`/roles/${made.body.id}`, { role: { scopes: [] } });
    expect((await asClerk.get('/stock_locations')).body).toEqual(NOT_ALLOWED);
  });

  test.each([
    [{ name: 'x', scopes: ['stock'] }, { scopes: ['is invalid'] }],
    [{ name: 'x', scopes: ['*'] }, { scopes: ['is invalid'] }],
    [{ name: 'a,b' }, { name: ['is invalid'] }],
    [{ name: 'support' }, { name: ['has already been taken'] }],
    [{ name: 'admin' }, { name: ['has already been taken'] }],
    [{}, { name: ["can't be blank"] }],
  ])('%j returns 422', async (role, errors) => {
    const reply = await (await asAdmin()).post('/roles', { role });
    expect([reply.status, reply.body.errors]).toEqual([422, errors]);
  });

  test.each(['admin', 'customer'])('%s can be neither changed nor deleted', async (name) => {
    const admin = await asAdmin();
    const { id } = await roleNamed(name);
    for (const reply of [
      await admin.put(`/roles/${id}`, { role: { scopes: ['stock:write'] } }),
      await admin.delete(`/roles/${id}`),
    ]) {
      expect([reply.status, reply.body.errors]).toEqual([
        422,
        { base: [`The role ${name} cannot be changed`] },
      ]);
    }
  });

  test('a role is deleted when no user has it', async () => {
    const admin = await asAdmin();
    const { body: role } = await admin.post('/roles', { role: { name: unique('temporary') } });
    const { body: user } = await admin.post('/users', {
      user: { email: anEmail(), password: 'secret12', roles: [role.name] },
    });
    expect((await admin.delete(`/roles/${role.id}`)).body.errors).toEqual({
      base: ['The role is used by users'],
    });
    await admin.put(`/users/${user.id}`, { user: { roles: ['customer'] } });
    expect((await admin.delete(`/roles/${role.id}`)).status).toBe(204);
  });
});

describe('members of staff', () => {
  test('see admin data where they have the scope, and the data of shoppers elsewhere', async () => {
    const product = await aProduct();
    const masters = [];
    for (const scopes of [['catalog:read'], ['stock:write']]) {
      const { body } = await api(await aClerk(scopes)).get(`/products/${product.id}`);
      masters.push('cost_price' in body.master);
    }
    expect(masters).toEqual([true, false]);
  });

  test('read every order with orders:read, and change none', async () => {
    const guest = await api().post('/orders', {});
    const { number, token } = guest.body;
    const reader = api(await aClerk(['orders:read']));
    const read = await reader.get(`/orders/${number}`);
    expect(read.body).toMatchObject({ number, token: '', permissions: { can_update: false } });
    expect((await reader.get('/orders?per_page=1')).body.orders[0].token).toBe('');
    for (const reply of [
      await reader.put(`/orders/${number}`, { order: { email: 'a@example.com' } }),
      await reader.put(`/orders/${number}/approve`),
      await reader.post(`/orders/${number}/line_items`, {}),
    ]) {
      expect([reply.status, reply.body]).toEqual([401, NOT_ALLOWED]);
    }

    const writer = await api(await aClerk(['orders:write'])).get(`/orders/${number}`);
    expect(writer.body).toMatchObject({ token, permissions: { can_update: true } });
  });

  test('are customers with their own orders', async () => {
    const clerk = api(await aClerk(['orders:read']));
    const own = await clerk.post('/orders', {});
    expect(own.status).toBe(201);
    const shown = await clerk.get(`/orders/${own.body.number}`);
    expect(shown.body).toMatchObject({ token: own.body.token, permissions: { can_update: true } });
    expect((await clerk.put(`/orders/${own.body.number}`, { order: { email: anEmail() } })).status).toBe(200);
  });

  test('change customers with customers:write, but no e-mails, roles, passwords and tokens', async () => {
    const clerk = api(await aClerk(['customers:write']));
    const ann = await aSignedUpCustomer();
    const { email } = ann;
    const city = { ...(await buildMarylandAddress()), city: 'Bonn' };
    const changed = await clerk.put(`/users/${ann.id}`, { user: { email, ship_address_attributes: city } });
    expect([changed.status, changed.body.ship_address.city]).toEqual([200, 'Bonn']);
    for (const reply of [
      await clerk.put(`/users/${ann.id}`, { user: { email: anEmail() } }),
      await clerk.put(`/users/${ann.id}`, { user: { email: email.toUpperCase() } }),
      await clerk.put(`/users/${ann.id}`, { user: { password: 'another12' } }),
      await clerk.put(`/users/${ann.id}`, { user: { roles: ['admin'] } }),
      await clerk.post('/users', { user: { email: anEmail(), password: 'secret12', roles: ['admin'] } }),
      await clerk.get(`/users/${ann.id}/tokens`),
      await clerk.post(`/users/${ann.id}/tokens`, {}),
      await clerk.post(`/users/${ann.id}/tokens`, { api_token: { scopes: [] } }),
      await clerk.delete(`/users/${ann.id}/tokens/1`),
      await clerk.get('/roles'),
    ]) {
      expect([reply.status, reply.body]).toEqual([401, NOT_ALLOWED]);
    }
    expect((await api().post('/sessions', { email, password: ann.password })).status).toBe(201);
  });

  test('set with settings:write neither the address nor the sender of a store', async () => {
    const clerk = api(await aClerk(['settings:write']));
    const store = await testDb()('stores').where({ is_default: true }).first();
    const sent = { name: 'Shop', url: store.url, mail_from_address: store.mail_from_address };
    const changed = await clerk.put(`/stores/${store.id}`, { store: sent });
    expect([changed.status, changed.body.name]).toEqual([200, 'Shop']);
    const made = { ...sent, code: unique('code'), url: 'thief.example.com', default: true };
    const limited = api(await aLimitedToken('admin', ['settings:write']));
    for (const caller of [clerk, limited]) {
      for (const reply of [
        await caller.put(`/stores/${store.id}`, { store: { url: 'thief.example.com' } }),
        await caller.put(`/stores/${store.id}`, { store: { mail_from_address: 'thief@example.com' } }),
        await caller.post('/stores', { store: made }),
      ]) {
        expect([reply.status, reply.body]).toEqual([401, NOT_ALLOWED]);
      }
    }
    expect(await testDb()('stores').where({ is_default: true })).toMatchObject([
      { url: store.url, mail_from_address: store.mail_from_address },
    ]);
    const admin = api(await anAdmin());
    const kept = await admin.put(`/stores/${store.id}`, { store: { name: store.name, url: 'shop.example' } });
    expect(kept.body.url).toBe('shop.example');
    await admin.put(`/stores/${store.id}`, { store: { url: store.url } });
  });

  test('change, erase and delete no other member of staff', async () => {
    const clerk = await aClerk(['customers:write']);
    for (const other of [await anAdmin(), await aClerk(['stock:read'])]) {
      const before = await testDb()('users').where({ id: other.id }).first();
      for (const reply of [
        await api(clerk).put(`/users/${other.id}`, { user: { email: anEmail() } }),
        await api(clerk).put(`/users/${other.id}`, { user: { roles: [] } }),
        await api(clerk).put(`/users/${other.id}/erase`, { force: true }),
        await api(clerk).delete(`/users/${other.id}`),
      ]) {
        expect([reply.status, reply.body]).toEqual([401, NOT_ALLOWED]);
      }
      expect(await testDb()('users').where({ id: other.id }).first()).toEqual(before);
    }
    await setPassword(clerk, 'secret12');
    const own = await api(clerk).put(`/users/${clerk.id}`, {
      user: { email: anEmail(), password: 'another12', current_password: 'secret12' },
    });
    expect(own.status).toBe(200);
  });
});

describe('tokens with limits', () => {
  const withToken = (token: string) => api({ token });

  test('do what their scopes include, and nothing else', async () => {
    const admin = await anAdmin();
    const made = await api(admin).post(`/users/${admin.id}/tokens`, {
      api_token: { name: 'till', scopes: ['stock:write', 'orders:read'], expires_at: '2126-01-01' },
    });
    expect(made.body).toMatchObject({
      name: 'till',
      scopes: ['stock:write', 'orders:read'],
      expires_at: '2126-01-01T00:00:00.000Z',
      last_used_at: null,
    });
    const till = withToken(made.body.token);
    expect((await till.get('/stock_locations')).status).toBe(200);
    expect((await till.get('/orders')).status).toBe(200);
    for (const path of ['/users', '/users/me', `/users/${admin.id}`, '/payments', '/stores', '/roles']) {
      expect([path, (await till.get(path)).body]).toEqual([path, NOT_ALLOWED]);
    }
    const listed = await api(admin).get(`/users/${admin.id}/tokens`);
    expect(listed.body.tokens[0]).toMatchObject({ scopes: ['stock:write', 'orders:read'] });
    expect(listed.body.tokens[0].last_used_at).not.toBeNull();
  });

  test('count as guests on public reads, and not on public writes', async () => {
    const till = await aLimitedToken('admin', ['stock:write']);
    const product = await aProduct();
    const shown = await api(till).get(`/products/${product.id}`);
    expect([shown.status, 'cost_price' in shown.body.master]).toEqual([200, false]);
    expect((await api(till).post('/orders', {})).body).toEqual(NOT_ALLOWED);
    const order = await api().post('/orders', {});
    const withOrderToken = api({ token: till.token, orderToken: order.body.token });
    expect((await withOrderToken.get(`/orders/${order.body.number}`)).status).toBe(200);
    expect((await api(till).get(`/orders/${order.body.number}`)).body).toEqual(NOT_ALLOWED);
  });

  test('have at most the permissions of their user', async () => {
    const customer = await aCustomer();
    const made = await api(customer).post(`/users/${customer.id}/tokens`, {
      api_token: { scopes: ['stock:write', 'orders:read'] },
    });
    const token = withToken(made.body.token);
    expect((await token.get('/stock_locations')).body).toEqual(NOT_ALLOWED);
    expect((await token.get('/orders')).body).toEqual(NOT_ALLOWED);
    expect((await token.get('/orders/mine')).status).toBe(200);
    const own = await api(customer).post('/orders', {});
    expect((await token.get(`/orders/${own.body.number}`)).body).toMatchObject({
      token: '',
      permissions: { can_update: false },
    });
    expect((await token.put(`/orders/${own.body.number}`, {})).body).toEqual(NOT_ALLOWED);
  });

  test('never act as an administrator for roles, tokens and passwords', async () => {
    const ann = await aSignedUpCustomer();
    const admin = await aLimitedToken('admin', ['customers:write', 'settings:write']);
    const limited = api(admin);
    expect((await limited.get(`/users/${ann.id}`)).status).toBe(200);
    for (const reply of [
      await limited.get('/roles'),
      await limited.post('/roles', { role: { name: unique('role') } }),
      await limited.post(`/users/${ann.id}/tokens`, {}),
      await limited.post(`/users/${admin.id}/tokens`, { api_token: { scopes: ['customers:write'] } }),
      await limited.put(`/users/${ann.id}`, { user: { password: 'another12' } }),
      await limited.put(`/users/${admin.id}`, { user: { password: 'another12' } }),
      await limited.put(`/users/${admin.id}`, { user: { email: anEmail() } }),
      await limited.put(`/users/${admin.id}`, { user: { roles: ['admin'] } }),
      await limited.delete(`/users/${admin.id}`),
      await limited.delete(`/users/${admin.id}/tokens/1`),
    ]) {
      expect([reply.status, reply.body]).toEqual([401, NOT_ALLOWED]);
    }
    expect((await limited.get(`/users/${admin.id}/tokens`)).status).toBe(200);
  });

  test('recall no reply of another token of their user', async () => {
    const admin = await anAdmin();
    const limited = await api(admin).post(`/users/${admin.id}/tokens`, {
      api_token: { scopes: ['customers:write'] },
    });
    const ann = await aCustomer();
    const headers = { 'Idempotency-Key': unique('key') };
    const path = `/users/${ann.id}/tokens`;
    expect((await api({ ...admin, headers }).post(path, {})).status).toBe(201);
    expect((await api({ token: limited.body.token, headers }).post(path, {})).body).toEqual(NOT_ALLOWED);
  });

  test('end when they expire', async () => {
    const customer = await aCustomer();
    const made = await api(customer).post(`/users/${customer.id}/tokens`, {
      api_token: { expires_at: '2126-01-01' },
    });
    expect((await withToken(made.body.token).get('/users/me')).status).toBe(200);
    await testDb()('api_tokens')
      .where({ id: made.body.id })
      .update({ expires_at: new Date(Date.now() - 1) });
    const expired = await withToken(made.body.token).get('/users/me');
    expect([expired.status, expired.body]).toEqual([
      401,
      { error: `Invalid API key (${made.body.token}) specified.` },
    ]);
  });

  test('without limits are as their user', async () => {
    const admin = await anAdmin();
    for (const api_token of [{}, { scopes: ['*'] }, { scopes: ['*', 'stock:read'] }, { scopes: null }]) {
      const made = await api(admin).post(`/users/${admin.id}/tokens`, { api_token });
      expect(made.body.scopes).toEqual(['*']);
      expect((await withToken(made.body.token).get('/roles')).status).toBe(200);
    }
  });

  test.each([
    [{ api_token: { scopes: [] } }, { scopes: ["can't be blank"] }],
    [{ api_token: { scopes: '' } }, { scopes: ["can't be blank"] }],
    [{ api_token: { scopes: ['read'] } }, { scopes: ['is invalid'] }],
    [{ api_token: { scopes: ['stock:write', 'stock'] } }, { scopes: ['is invalid'] }],
    [{ api_token: { scopes: { a: 1 } } }, { scopes: ['is invalid'] }],
    [{ api_token: { expires_at: '2020-01-01' } }, { expires_at: ['must be in the future'] }],
    [{ api_token: { expires_at: 'soon' } }, { expires_at: ['is invalid'] }],
    [{ api_token: {}, scopes: [] }, { scopes: ["can't be blank"] }],
    [{ scopes: ['read'], expires_at: '2020-01-01' }, { scopes: ['is invalid'] }],
  ])('%j is 422', async (body, errors) => {
    const customer = await aCustomer();
    const reply = await api(customer).post(`/users/${customer.id}/tokens`, body);
    expect([reply.status, reply.body.errors]).toEqual([422, errors]);
    const tokens = await testDb()('api_tokens').where({ user_id: customer.id });
    expect(tokens).toHaveLength(1);
  });

  test('apply their limits inside the wrapper and next to it', async () => {
    const customer = await aCustomer();
    const limits = { scopes: 'orders:read, stock:read', expires_at: '2126-01-01' };
    for (const body of [{ api_token: limits }, { api_token: { name: 'till' }, ...limits }, limits]) {
      const made = await api(customer).post(`/users/${customer.id}/tokens`, body);
      expect(made.body).toMatchObject({
        scopes: ['stock:read', 'orders:read'],
        expires_at: '2126-01-01T00:00:00.000Z',
      });
    }
  });

  test.each([
    ['another wrapper', { token: { scopes: ['stock:read'] } }],
    ['a misspelled limit', { api_token: { scope: ['stock:read'] } }],
    ['a misspelled date', { api_token: { expires: '2030-01-01' } }],
  ])('are not created without them by %s', async (_, body) => {
    const user = await aCustomer();
    const reply = await (await asAdmin()).post(`/users/${user.id}/tokens`, body);
    expect(reply.status).toBe(422);
    expect(await testDb()('api_tokens').where({ user_id: user.id })).toHaveLength(1);
  });

  test('import payments and shipments only with the scopes of payments and shipments', async () => {
    const admin = await anAdmin();
    const { id: variant_id } = await aSellableVariant();
    const order = { completed_at: '2025-12-24T10:00:00Z', line_items: [{ variant_id, quantity: 1 }] };
    const payments = [{ amount: '5', payment_method: 'Check', state: 'completed' }];
    const shipments = [{ shipped_at: '2025-12-25T10:00:00Z', inventory_units: [{ variant_id }] }];
    const importWith = async (scopes: string[], parts: object): Promise<number> => {
      const made = await api(admin).post(`/users/${admin.id}/tokens`, { api_token: { scopes } });
      return (await withToken(made.body.token).post('/orders', { order: { ...order, ...parts } })).status;
    };
    const before = await testDb()('orders').count();
    expect(await importWith(['orders:write', 'payments:read', 'shipments:write'], { payments })).toBe(401);
    expect(await importWith(['orders:write', 'payments:write'], { shipments })).toBe(401);
    expect(await testDb()('orders').count()).toEqual(before);
    expect(await importWith(['orders:write'], {})).toBe(201);
    expect(
      await importWith(['orders:write', 'payments:write', 'shipments:write'], { payments, shipments }),
    ).toBe(201);
  });
});
