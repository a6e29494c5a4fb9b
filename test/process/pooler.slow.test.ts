import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from '../../src/platform/database/embedded/postmaster';
import { findPooler } from '../../src/platform/database/pooler';
import { ensureTestDatabase } from '../support/database';
import { expectNoViolations } from '../support/invariants';
import { aSellableVariant } from '../support/orders.factory';
import { createShopper } from '../support/program-shopper';
import { killPrograms, startProgram } from '../support/program';
import { queryUrl } from '../support/query-url';

const found = spawnSync('pgbouncer', ['--version'], { encoding: 'utf8' });
const isInstalled = found.status === 0;
const testWithPooler = isInstalled ? test : test.skip;
if (!isInstalled) process.stderr.write('pgbouncer is not installed: its tests are skipped\n');

/** Whether PgBouncer of this version passes prepared statements on in transaction mode. */
const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(found.stdout ?? '') ?? []).slice(1).map(Number);
const supportsPrepared = major > 1 || (major === 1 && minor >= 21);

let folder: string;
let pooler: ChildProcess | undefined;
let pooledUrl: string | undefined;
let directUrl: string;

/** Starts PgBouncer in transaction mode with fewer server connections than the store has. */
async function startPooler(): Promise<void> {
  const target = new URL(directUrl);
  const port = pooledUrl === undefined ? await findFreePort(null) : Number(new URL(pooledUrl).port);
  const file = path.join(folder, 'pgbouncer.ini');
  const { hostname, username, password, pathname } = target;
  writeFileSync(
    file,
    `[databases]
store = host=${hostname} port=${target.port} dbname=${pathname.slice(1)} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 5
max_client_conn = 200
${supportsPrepared ? 'max_prepared_statements = 200' : ''}
`,
  );
  // PgBouncer refuses to run as root.
  chmodSync(folder, 0o755);
  const isRoot = process.getuid?.() === 0;
  pooler = spawn('pgbouncer', [...(isRoot ? ['-u', 'nobody'] : []), '-q', file], { stdio: 'ignore' });
  pooledUrl = `postgres://store:any@127.0.0.1:${port}/store`;
  for (let attempt = 0; attempt < 500; attempt += 1) {
    if (await queryUrl(pooledUrl, 'SELECT 1').catch(() => null)) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error('pgbouncer did not start');
}

beforeAll(async () => {
  if (!isInstalled) return;
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'store-pooler-')));
  directUrl = await ensureTestDatabase();
  await startPooler();
});

afterAll(() => {
  killPrograms();
  pooler?.kill('SIGKILL');
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

testWithPooler('a pooler is recognized, and whether it supports prepared statements', async () => {
  expect(await findPooler(directUrl)).toBeNull();
  expect(await findPooler(pooledUrl ?? '')).toEqual({ canPrepare: supportsPrepared });
});

testWithPooler('checkouts work through the pooler, and no setting of a session stays behind', async () => {
  const variant = await aSellableVariant({ stock: 40 });
  const store = await startProgram({
    DATABASE_URL: pooledUrl ?? '',
    DATABASE_DIRECT_URL: directUrl,
    DATA_DIR: folder,
    SEED: 'none',
    CART_COMMITS: 'fast',
  });
  expect(store.output()).toContain('DATABASE_URL leads to a connection pooler');
  const shopper = await createShopper(() => store.url);
  const numbers: string[] = [];
  const buyAll = async (): Promise<void> => {
    for (let order = 0; order < 3; order += 1) numbers.push(await shopper.buy(variant.id));
  };
  await Promise.all(Array.from({ length: 8 }, buyAll));
  expect(new Set(numbers).size).toBe(24);
  store.child.kill('SIGTERM');
  expect(await store.exited).toBe(0);
  expect(store.output()).not.toContain('"status":500');
  await expectNoViolations();
  const defaults = { statement_timeout: '0', lock_timeout: '0', random_page_cost: '4' };
  for (const [name, value] of Object.entries(defaults)) {
    const [setting] = await queryUrl(pooledUrl ?? '', `SELECT current_setting('${name}') AS value`);
    expect([name, setting?.value]).toEqual([name, value]);
  }
});

testWithPooler(
  'connections of the pooler that are dead by now, and a pooler that starts again, cost no order and no restart',
  async () => {
    const variant = await aSellableVariant({ stock: 100 });
    const store = await startProgram({
      DATABASE_URL: pooledUrl ?? '',
      DATABASE_DIRECT_URL: directUrl,
      DATA_DIR: folder,
      SEED: 'none',
    });
    const read = async (): Promise<number> =>
      (await fetch(`${store.url}/api/v1/variants/${variant.id}?again=${Math.random()}`)).status;
    /** Reads until the store is served again. Nothing but 503 may come in between. */
    const recover = async (): Promise<void> => {
      const found = new Set<number>();
      for (;;) {
        const statuses = await Promise.all(Array.from({ length: 10 }, read));
        for (const status of statuses) found.add(status);
        if (statuses.every((status) => status === 200)) break;
      }
      expect([...found].filter((status) => status !== 200 && status !== 503)).toEqual([]);
      const shopper = await createShopper(() => store.url);
      expect(await shopper.buy(variant.id)).toMatch(/^R\d+$/);
    };
    await recover();
    // What a failover or a firewall does: the server is gone, and the pooler still lists its connections.
    await queryUrl(
      directUrl,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    await recover();
    const gone = new Promise((resolve) => pooler?.once('exit', resolve));
    pooler?.kill('SIGKILL');
    await gone;
    expect(await read()).toBe(503);
    await startPooler();
    await recover();
    store.child.kill('SIGTERM');
    expect(await store.exited).toBe(0);
    expect(store.output()).not.toContain('"status":500');
    await expectNoViolations();
  },
);
