import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CRON } from '../../src/boot/tasks';
import { testDatabaseUrl } from '../setup/test-server';
import { runStoreProgram } from '../support/command-line';
import { createEmptyDatabase } from '../support/database';
import { createShopper } from '../support/program-shopper';
import { expectFailedStart, killPrograms, startProgram, waitForOutput } from '../support/program';
import { queryUrl } from '../support/query-url';

const ROLES = readFileSync(path.resolve(__dirname, '../../docs/roles.sql'), 'utf8');
const GUIDE = readFileSync(path.resolve(__dirname, '../../docs/scaling.md'), 'utf8');
const ADMIN_TOKEN = 'token-of-two-roles';
const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'store-roles-')));

function urlOf(username: string): string {
  return Object.assign(new URL(testDatabaseUrl('store_two_roles')), { username, password: username }).href;
}

beforeAll(async () => {
  await createEmptyDatabase('store_two_roles');
  for (const sql of [
    ROLES,
    "ALTER ROLE store_owner PASSWORD 'store_owner'",
    "ALTER ROLE store_app PASSWORD 'store_app'",
    ROLES,
  ])
    await queryUrl(testDatabaseUrl('store_two_roles'), sql);
});

afterAll(() => {
  killPrograms();
  rmSync(folder, { recursive: true, force: true });
});

test('the guide sets parameters of the run-time role', async () => {
  const settings = GUIDE.match(/ALTER ROLE [^`]* SET [^`]*/g) ?? [];
  expect(settings).toHaveLength(3);
  // The roles are those of all databases of the server.
  for (const sql of settings) await queryUrl(testDatabaseUrl('store_two_roles'), `BEGIN; ${sql}; ROLLBACK`);
  expect(settings.filter((sql) => !sql.startsWith('ALTER ROLE store_app '))).toEqual([]);
});

test('the owner migrates; the run-time role sells, and may do nothing but read and write rows', async () => {
  const DATA_DIR = folder;
  const settings = { DATABASE_URL: urlOf('store_app'), DATA_DIR, SEED: 'demo', ADMIN_TOKEN };
  const tooEarly = await expectFailedStart({ PORT: '0', ...settings });
  expect(tooEarly.code).toBe(1);
  expect(tooEarly.stderr).toMatch(/^The database user may not set up the store \(permission denied.*owner/);

  const migrated = await runStoreProgram(['migrate'], { DATABASE_URL: urlOf('store_owner'), DATA_DIR });
  expect(migrated).toMatchObject({ code: 0, stderr: '' });
  const store = await startProgram(settings);
  const { products }: any = await (await fetch(`${store.url}/api/v1/products?per_page=50`)).json();
  const product = products.find((one: any) => one.total_on_hand > 10);
  const shopper = await createShopper(() => store.url);
  const variant = product.has_variants ? product.variants[0] : product.master;
  const number = await shopper.buy(variant.id);

  const headers = { 'X-Store-Token': ADMIN_TOKEN, 'Content-Type': 'application/json' };
  const send = async (method: string, pathname: string, body?: object) => {
    const repeatable = method === 'GET' ? {} : { 'Idempotency-Key': randomUUID() };
    const text = body === undefined ? null : JSON.stringify(body);
    const reply = await fetch(`${store.url}/api/v1${pathname}`, {
      method,
      headers: { ...headers, ...repeatable },
      body: text,
    });
    const json: any = reply.status === 204 ? null : await reply.json();
    expect({ pathname, isOk: reply.ok, json }).toEqual({ pathname, isOk: true, json });
    return json;
  };
  const { payments, shipments } = await send('GET', `/orders/${number}`);
  await send('PUT', `/orders/${number}/payments/${payments[0].id}/capture`);
  await send('PUT', `/shipments/${shipments[0].number}/ship`);
  const made = await send('POST', `/orders/${number}/return_authorizations`, {
    return_authorization: {
      stock_location_id: (await send('GET', '/stock_locations')).stock_locations[0].id,
      return_authorization_reason_id: (await send('GET', '/return_authorization_reasons'))
        .return_authorization_reasons[0].id,
    },
  });
  const returned = `/orders/${number}/return_authorizations/${made.id}`;
  await send('PUT', `${returned}/add`, { variant_id: variant.id, quantity: 1 });
  await send('PUT', `${returned}/receive`);
  await send('PUT', `/orders/${number}/payments/${payments[0].id}/credit?amount=1`);
  const renamed = { product: { name: 'Renamed by the run-time role' } };
  for (let time = 0; time < 2; time += 1) await send('PUT', `/products/${product.id}`, renamed);
  await send('GET', '/audit_log');
  // Each page raises feed_marks.
  expect((await send('GET', '/orders?cursor=')).orders).toContainEqual(expect.objectContaining({ number }));
  await send('POST', '/users', { user: { email: 'ann@example.com', password: 'correct horse battery' } });

  const form = new FormData();
  form.set('kind', 'prices');
  form.set('file', new Blob([`sku,price\n${variant.sku},47.11\n`]), 'prices.csv');
  const upload = { method: 'POST', headers: { 'X-Store-Token': ADMIN_TOKEN }, body: form };
  let imported: any = await (await fetch(`${store.url}/api/v1/imports`, upload)).json();
  while (imported.finished_at === null) imported = await send('GET', `/imports/${imported.id}`);
  expect(imported).toMatchObject({ failed: 0 });
  expect(await send('GET', `/variants/${variant.id}`)).toMatchObject({ price: '47.11' });

  const written = `SELECT (SELECT count(*) > 0 FROM documents) AS documents,
    (SELECT count(*) > 0 FROM order_changes) AS changes, (SELECT count(*) > 0 FROM audit_log) AS audit,
    (SELECT count(*) > 0 FROM idempotency_keys) AS kept_replies`;
  expect(await queryUrl(urlOf('store_app'), written)).toEqual([
    { documents: true, changes: true, audit: true, kept_replies: true },
  ]);
  // Other work has run at the start.
  await queryUrl(
    urlOf('store_app'),
    CRON.map(({ task }) => `SELECT graphile_worker.add_job('${task}');`).join('\n'),
  );
  const left = 'SELECT id FROM graphile_worker.jobs';
  while ((await queryUrl(urlOf('store_app'), left)).length > 0);
  expect(store.output()).not.toMatch(/permission denied|must be owner|job failed|queue is unavailable/);

  const examined = await runStoreProgram(['doctor'], { ...settings, SECRET_KEY: 'x'.repeat(32), PORT: '0' });
  expect(examined.stdout).not.toMatch(/^(problem|warning)/m);
  expect(examined).toMatchObject({ code: 0, stdout: expect.stringContaining('may not create tables') });
  await queryUrl(urlOf('store_owner'), 'REVOKE INSERT ON audit_log FROM store_app');
  expect((await runStoreProgram(['doctor'], settings)).stdout).toMatch(
    /^problem {2}database .*may not read and write audit_log\n.*docs\/roles\.sql/m,
  );
  await queryUrl(testDatabaseUrl('store_two_roles'), ROLES);

  // As the hourly job does.
  await queryUrl(
    urlOf('store_app'),
    `INSERT INTO idempotency_replies VALUES (reply_slot(-2), '\\x00', '\\x00'), (reply_slot(), '\\x00', '\\x00')`,
  );
  expect(await queryUrl(urlOf('store_app'), 'SELECT empty_expired_replies() > 0 AS freed')).toEqual([
    { freed: true },
  ]);
  expect(
    await queryUrl(
      urlOf('store_app'),
      "SELECT count(*)::integer AS kept FROM idempotency_replies WHERE digest = '\\x00'",
    ),
  ).toEqual([{ kept: 1 }]);

  const refusedBy = (sql: string) =>
    queryUrl(urlOf('store_app'), sql).then(
      () => sql,
      (error: Error) => error.message,
    );
  for (const sql of [
    'CREATE TABLE x (n integer)',
    'TRUNCATE orders',
    'TRUNCATE idempotency_replies',
    'DROP TABLE orders',
    'ALTER TABLE orders DISABLE TRIGGER ALL',
  ])
    expect(await refusedBy(sql)).toMatch(/permission denied|must be owner/);
  const roles = `SELECT count(*)::integer AS n FROM pg_roles WHERE rolname LIKE 'store\\__%' AND (rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication)`;
  expect(await queryUrl(urlOf('store_app'), roles)).toEqual([{ n: 0 }]);
  // While the orders of the demo are made, their times are not what they will be.
  await waitForOutput(store, 'demo orders created');
  expect(await runStoreProgram(['verify'], settings)).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^All \d+ invariants hold\.$/m),
    stderr: '',
  });
});

test('a store that a superuser has created passes to the owner', async () => {
  await createEmptyDatabase('store_two_roles_before');
  const admin = testDatabaseUrl('store_two_roles_before');
  const settings = { DATABASE_URL: admin, DATA_DIR: folder };
  expect(await runStoreProgram(['migrate'], settings)).toMatchObject({ code: 0 });
  await queryUrl(admin, ROLES);
  const objects = `
    SELECT pg_get_userbyid(relowner) AS owner, relkind IN ('r', 'S') AND NOT has_table_privilege('store_app', oid, 'UPDATE') AS is_denied
      FROM pg_class WHERE relnamespace = 'public'::regnamespace
    UNION ALL
    SELECT pg_get_userbyid(proowner), NOT has_function_privilege('store_app', oid, 'EXECUTE')
      FROM pg_proc
     WHERE pronamespace = 'public'::regnamespace
       AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')`;
  const counts = `SELECT owner, is_denied, count(*) > 100 AS are_many FROM (${objects}) AS object GROUP BY 1, 2`;
  expect(await queryUrl(admin, counts)).toEqual([{ owner: 'store_owner', is_denied: false, are_many: true }]);
});
