import { testApp, api } from '../../support/api';
import {
  aClerk,
  aCustomer,
  anAdmin,
  asAdmin,
  createAsAdmin,
  setPassword,
} from '../../support/accounts.factory';
import { importCsv, uploadCsv } from '../../support/csv';
import { testDb } from '../../support/database';
import { readResetToken } from '../../support/mail';
import { orderInState, aSellableVariant, setStock } from '../../support/orders.factory';
import { aProduct } from '../../support/products.factory';
import { aTaxon, aTaxonomy } from '../../support/taxons.factory';
import { unique } from '../../support/unique';

/** Sends a request as an administrator and returns the entries that it left. */
async function entriesOf(
  work: (admin: ReturnType<typeof api>) => Promise<any>,
  caller?: any,
): Promise<any[]> {
  const reply = await work(api(caller ?? (await anAdmin())));
  expect(reply.status).toBeLessThan(300);
  return listEntries(`q[request_id_eq]=${reply.headers['x-request-id']}`);
}

async function listEntries(query: string): Promise<any[]> {
  const { body } = await (await asAdmin()).get(`/audit_log?${query}&q[s]=id asc&per_page=100`);
  return body.audit_log;
}

test('a changed price names who, when, from where and with which token', async () => {
  const admin = await anAdmin();
  const made = await api(admin).post(`/users/${admin.id}/tokens`, { api_token: { name: 'till' } });
  const product = await aProduct({ price: '19.99' });
  const path = `/products/${product.id}`;
  const reply = await api({ token: made.body.token }).put(path, { product: { price: '24.99' } });

  const entries = await listEntries(
    `q[subject_type_eq]=Store::Variant&q[subject_id_eq]=${product.master.id}&q[action_eq]=update`,
  );
  expect(entries).toEqual([
    {
      id: expect.any(Number),
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      user_id: admin.id,
      user_email: admin.email,
      api_token_name: 'till',
      request_id: reply.headers['x-request-id'],
      address: expect.stringMatching(/127\.0\.0\.1|::1/),
      action: 'update',
      subject_type: 'Store::Variant',
      subject_id: product.master.id,
      changes: { amount: ['19.99', '24.99'] },
    },
  ]);
});

test.each([
  ['a setting', 'Store::Store', (admin: any) => admin.put('/stores/1', { store: { name: unique('Shop') } })],
  [
    'a promotion',
    'Store::Promotion',
    (admin: any) => admin.post('/promotions', { promotion: { name: unique('Sale'), code: unique('SALE') } }),
  ],
  ['a zone', 'Store::Zone', (admin: any) => admin.post('/zones', { zone: { name: unique('Zone') } })],
])('%s is found by its subject', async (_name, type, work) => {
  const entries = await entriesOf(work);
  expect(entries.map((entry) => entry.subject_type)).toContain(type);
});

test('a correction of stock shows the count before and after', async () => {
  const { id: variantId } = await aSellableVariant({ stock: 5 });
  await setStock(variantId, { stock: 8 });
  const item = await testDb()('stock_items').where({ variant_id: variantId }).first();
  const entries = await listEntries(`q[subject_type_eq]=Store::StockItem&q[subject_id_eq]=${item.id}`);
  expect(entries.at(-1).changes).toMatchObject({ count_on_hand: [5, 8] });
});

test('the writes of shoppers leave no entries, those of staff on the same order do', async () => {
  const order = await orderInState('complete');
  expect(await listEntries(`q[subject_type_eq]=Store::Order&q[subject_id_eq]=${order.id}`)).toEqual([]);
  const entries = await entriesOf((admin) => admin.put(`/orders/${order.number}/approve`));
  expect(entries).toMatchObject([
    {
      subject_type: 'Store::Order',
      subject_id: order.id,
      changes: { approved_at: [null, expect.anything()] },
    },
  ]);
});

test('a moved taxon has one entry with its positions, a moved product one for each position that changes', async () => {
  const taxonomy = await aTaxonomy();
  const [, , taxon] = [await aTaxon(taxonomy), await aTaxon(taxonomy), await aTaxon(taxonomy)];
  const path = `/taxonomies/${taxonomy.id}/taxons/${taxon.id}`;
  const entries = await entriesOf((admin) => admin.put(path, { taxon: { position: 0 } }));
  expect(entries).toMatchObject([
    { action: 'update', subject_type: 'Store::Taxon', subject_id: taxon.id, changes: { position: [2, 0] } },
  ]);
  expect(await entriesOf((admin) => admin.put(path, { taxon: { position: 0 } }))).toEqual([]);

  const [first, second] = [
    await aProduct({ taxon_ids: [taxon.id] }),
    await aProduct({ taxon_ids: [taxon.id] }),
  ];
  const move = { product_id: second.id, taxon_id: taxon.id, position: 0 };
  const moved = await entriesOf((admin) => admin.put('/classifications', move));
  expect(moved.map((entry) => [entry.subject_id, entry.changes])).toEqual(
    expect.arrayContaining([
      [first.id, { position: [1, 2] }],
      [second.id, { position: [2, 1] }],
    ]),
  );
});

test('a canceled import names who canceled it, and its progress leaves no entry', async () => {
  const clerk = await anAdmin();
  const csv = 'sku,price\nunknown,1\n';
  const { id } = (await uploadCsv('prices', csv)).body;
  const entries = await entriesOf((as) => as.delete(`/imports/${id}`), clerk);
  expect(entries).toMatchObject([
    {
      user_id: clerk.id,
      action: 'update',
      subject_type: 'Store::Import',
      subject_id: id,
      changes: { state: ['queued', 'canceled'] },
    },
  ]);
  const done = await importCsv('prices', csv);
  expect(await listEntries(`q[subject_type_eq]=Store::Import&q[subject_id_eq]=${done.id}`)).toMatchObject([
    { action: 'create' },
  ]);
});

test('a price changed by a file names who sent the file', async () => {
  const product = await aProduct({ price: '19.99' });
  await importCsv('prices', `variant_id,price\n${product.master.id},24.99\n`);
  const entries = await listEntries(
    `q[subject_type_eq]=Store::Variant&q[subject_id_eq]=${product.master.id}&q[action_eq]=update`,
  );
  const { body: me } = await (await asAdmin()).get('/users/me');
  expect(entries).toMatchObject([
    { user_id: me.id, user_email: me.email, request_id: null, changes: { amount: ['19.99', '24.99'] } },
  ]);
});

test('what staff do outside the scopes of their roles names them too', async () => {
  const clerk = await aClerk(['stock:write']);
  const made = await entriesOf(
    (as) => as.post(`/users/${clerk.id}/tokens`, { api_token: { name: 'mine' } }),
    clerk,
  );
  expect(made).toMatchObject([
    {
      user_id: clerk.id,
      action: 'create',
      subject_type: 'Store::ApiToken',
      changes: { name: [null, 'mine'] },
    },
  ]);
  await setPassword(clerk, 'secret12');
  const email = `${unique('clerk')}@example.com`;
  const changed = await entriesOf(
    (as) => as.put('/users/me', { user: { email, current_password: 'secret12' } }),
    clerk,
  );
  expect(changed).toMatchObject([
    { user_id: clerk.id, changes: { email: [clerk.email, email] } },
    {
      user_id: clerk.id,
      subject_type: 'Store::ApiToken',
      changes: { revoked_at: [null, expect.anything()] },
    },
  ]);
});

test('a sign-in and a new password by mail name the member of staff', async () => {
  const clerk = await aClerk(['stock:write']);
  await setPassword(clerk, 'secret12');
  const signIn = await entriesOf((guest) =>
    guest.post('/sessions', { email: clerk.email.toUpperCase(), password: 'secret12' }), {}); // prettier-ignore
  expect(signIn).toMatchObject([
    {
      user_id: clerk.id,
      user_email: clerk.email,
      action: 'create',
      subject_type: 'Store::ApiToken',
      changes: { name: [null, 'sign-in'] },
    },
  ]);
  await api().post('/passwords', { email: clerk.email });
  const token = await readResetToken(clerk.email);
  const reset = await entriesOf((guest) => guest.put('/passwords', { token, password: 'another12' }), {});
  expect(reset).toContainEqual(
    expect.objectContaining({
      user_id: clerk.id,
      subject_type: 'Store::User',
      changes: { password_digest: ['***', '***'] },
    }),
  );
});

test('secrets are not in it', async () => {
  const admin = await anAdmin();
  const email = `${unique('clerk')}@example.com`;
  await entriesOf((as) => as.post('/users', { user: { email, password: 'their secret' } }), admin);
  const entries = await entriesOf(
    (as) => as.post(`/users/${admin.id}/tokens`, { api_token: { name: 'x' } }),
    admin,
  );
  expect(entries[0].changes.token_hash).toEqual([null, '***']);
  const { rows } = await testDb().raw(
    `SELECT changes FROM audit_log WHERE changes::text ~ 'argon2|secret12|their secret' OR changes ? 'token_seed'
      AND changes -> 'token_seed' ->> 1 <> '***'`.replace('changes ? ', 'changes \\? '),
  );
  expect(rows).toEqual([]);
});

test('credentials are in it only when they change', async () => {
  const admin = await asAdmin();
  const method = await createAsAdmin('/payment_methods', {
    payment_method: { name: unique('Cards'), gateway: 'bogus', preferences: { secret_key: 'one' } },
  });
  const change = (payment_method: object) => admin.put(`/payment_methods/${method.id}`, { payment_method });
  await change({ active: false });
  await change({ preferences: { secret_key: 'one' } });
  await change({ preferences: { secret_key: 'two' } });
  await change({ preferences: null });
  const { body } = await admin.get(
    `/audit_log?q[subject_type_eq]=Store::PaymentMethod&q[subject_id_eq]=${method.id}&q[action_eq]=update&q[s]=id`,
  );
  const changed = (changes: object): unknown => expect.objectContaining({ changes });
  expect(body.audit_log).toEqual([
    changed({ active: [true, false] }),
    changed({ preferences: ['***', '***'] }),
    changed({ preferences: ['***', '***'] }),
  ]);
});

test('a refused change leaves no entry', async () => {
  const product = await aProduct();
  const reply = await (
    await asAdmin()
  ).put(`/products/${product.id}`, {
    product: { name: 'new', slug: (await aProduct()).slug },
  });
  expect(reply.status).toBe(422);
  expect(await listEntries(`q[request_id_eq]=${reply.headers['x-request-id']}`)).toEqual([]);
});

test('a repeated request with an idempotency key leaves its entries once', async () => {
  const admin = await anAdmin();
  const headers = { 'Idempotency-Key': unique('key'), 'X-Request-Id': unique('request') };
  const client = api({ token: admin.token, headers });
  const body = { zone: { name: unique('Zone') } };
  const replies = [await client.post('/zones', body), await client.post('/zones', body)];
  expect(replies.map(({ status }) => status)).toEqual([201, 201]);
  const entries = await listEntries(`q[request_id_eq]=${headers['X-Request-Id']}`);
  expect(entries.filter(({ action }) => action === 'create')).toHaveLength(1);
});

test('entries stay when their author is deleted, and cannot be changed', async () => {
  const clerk = await anAdmin();
  const entries = await entriesOf((as) => as.post('/zones', { zone: { name: unique('Zone') } }), clerk);
  expect((await (await asAdmin()).delete(`/users/${clerk.id}`)).status).toBe(204);
  const [kept] = await listEntries(`q[id_eq]=${entries[0].id}`);
  expect(kept).toEqual(entries[0]);
  await expect(testDb()('audit_log').where({ id: kept.id }).update({ user_email: '' })).rejects.toThrow(
    'audit log',
  );
  await expect(testDb()('audit_log').where({ id: kept.id }).delete()).rejects.toThrow('audit log');
});

test('is open to staff with the scope of settings only', async () => {
  expect((await api().get('/audit_log')).status).toBe(401);
  expect((await api(await aCustomer()).get('/audit_log')).status).toBe(401);
  const admin = await anAdmin();
  for (const [scope, status] of [
    ['orders:write', 401],
    ['settings:read', 200],
  ] as const) {
    const made = await api(admin).post(`/users/${admin.id}/tokens`, { api_token: { scopes: [scope] } });
    expect((await api({ token: made.body.token }).get('/audit_log')).status).toBe(status);
  }
});

test('every table that staff can write has the trigger', async () => {
  const { rows } = await testDb().raw(`
    SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN (
      SELECT event_object_table FROM information_schema.triggers WHERE trigger_name LIKE '%_audit')
    ORDER BY tablename`);
  // Histories, keys, counters and what follows from audited rows.
  expect(rows.map(({ tablename }: any) => tablename)).toEqual([
    ...[
      'abandoned_carts',
      'audit_log',
      'book_entries',
      'catalog_revisions',
      'disputes',
      'document_counters',
      'document_logos',
      'document_offsets',
      'documents',
      'event_notes',
      'events',
      'gateway_events',
      'idempotency_keys',
      'idempotency_replies',
      ...[0, 1, 2, 3].map((slot) => `idempotency_replies_${slot}`),
      'import_errors',
      'job_runs',
    ],
    ...[
      'knex_migrations',
      'knex_migrations_function_sets',
      'knex_migrations_functions',
      'knex_migrations_progress',
      'listing_offers',
      'listing_properties',
      'listing_taxons',
    ],
    ...[
      'order_changes',
      'password_resets',
      'payment_operations',
      'product_listing_changes',
      'product_listings',
      'product_sales',
    ],
    ...[
      'product_slugs',
      'queue_workers',
      'rate_limits',
      'reference_revisions',
      'refund_credits',
      'return_remainders',
      'search_documents',
      'search_names',
    ],
    ...['search_vocabulary', 'secret_keys', 'seeds', 'shipment_numbers', 'shipping_rates', 'state_changes'],
    ...['stock_item_changes', 'webhook_deliveries'],
  ]);
  expect(testApp().deps.author).toBeUndefined();
});
