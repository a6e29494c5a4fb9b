import { appendFileSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/platform/database/embedded';
import { killPrograms, startProgram, type Program } from '../support/program';
import { queryUrl } from '../support/query-url';

const log = pino({ level: 'silent' });
const ADMIN_TOKEN = 'replica-admin-token';
const ADMIN = { 'X-Store-Token': ADMIN_TOKEN, 'Content-Type': 'application/json' };

let folder: string;
let primary: EmbeddedPostgres;
let replica: EmbeddedPostgres;
let store: Program;

/** Waits until the replica has replayed everything that the primary has written. */
async function waitForReplica(): Promise<void> {
  const [written] = await queryUrl(primary.url, 'SELECT pg_current_wal_lsn()::text AS lsn');
  for (;;) {
    const [row] = await queryUrl(
      replica.url,
      `SELECT pg_last_wal_replay_lsn() >= '${String(written?.lsn)}'::pg_lsn AS is_there`,
    );
    if (row?.is_there === true) return;
  }
}

const settings = (url: string, dataDir: string) => ({
  ...{ DATABASE_URL: url, DATA_DIR: path.join(folder, dataDir), SEED: 'demo', ADMIN_TOKEN },
});

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'store-replica-')));
  const [first, second] = [path.join(folder, 'primary'), path.join(folder, 'replica')];
  mkdirSync(first);
  mkdirSync(second);
  primary = await startEmbeddedPostgres({ dataDir: first, log, fast: true });
  await primary.stop();
  // A copy of a stopped primary is a base backup.
  cpSync(path.join(first, 'postgres'), path.join(second, 'postgres'), { recursive: true });
  cpSync(path.join(first, 'postgres.json'), path.join(second, 'postgres.json'));
  primary = await startEmbeddedPostgres({ dataDir: first, log, fast: true });
  const { port, username, password } = new URL(primary.url);
  writeFileSync(path.join(second, 'postgres', 'standby.signal'), '');
  appendFileSync(
    path.join(second, 'postgres', 'postgresql.auto.conf'),
    `\nprimary_conninfo = 'host=127.0.0.1 port=${port} user=${username} password=${password}'\n`,
  );
  replica = await startEmbeddedPostgres({ dataDir: second, log, fast: true });
  store = await startProgram({
    ...settings(primary.url, 'store'),
    DATABASE_REPLICA_URL: replica.url,
  });
}, 120_000);

afterAll(async () => {
  killPrograms();
  await replica.stop();
  await primary.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
}, 60_000);

let asked = 0;

/** Reads the name of the first product, past the cache. */
async function readName(): Promise<{ status: number; id: number; name: string }> {
  const reply = await fetch(`${store.url}/api/v1/products?per_page=1&past_cache=${(asked += 1)}`);
  const { products }: any = await reply.json();
  return { status: reply.status, id: products[0].id, name: products[0].name };
}

async function rename(id: number, name: string): Promise<void> {
  const reply = await fetch(`${store.url}/api/v1/products/${id}`, {
    method: 'PUT',
    headers: ADMIN,
    body: JSON.stringify({ product: { name } }),
  });
  expect(reply.status).toBe(200);
}

/** Returns how many connections of the store have last read something other than the revision from this database. */
async function countReaders(url: string): Promise<number> {
  const [row] = await queryUrl(
    url,
    `SELECT count(*)::integer AS n FROM pg_stat_activity
      WHERE application_name LIKE 'store %' AND query NOT LIKE '%catalog_revisions%' AND query ILIKE '%select%'`,
  );
  return Number(row?.n);
}

test('a replica that has caught up serves the catalog', async () => {
  await waitForReplica();
  const { id } = await readName();
  // The first connection may take longer than the store waits for its replica. The primary then serves the product, whose JSON
  // is kept: only a change makes the store read it again.
  for (let time = 0; (await countReaders(replica.url)) === 0; time += 1) {
    await rename(id, `Read again ${time}`);
    await waitForReplica();
    expect((await readName()).status).toBe(200);
  }
});

test('no read is behind a write, also while the replica lags', async () => {
  const { id } = await readName();
  for (let time = 0; time < 20; time += 1) {
    await rename(id, `Renamed ${time}`);
    expect((await readName()).name).toBe(`Renamed ${time}`);
  }
  await queryUrl(replica.url, 'SELECT pg_wal_replay_pause()');
  await rename(id, 'Renamed behind the replica');
  expect((await readName()).name).toBe('Renamed behind the replica');
  await queryUrl(replica.url, 'SELECT pg_wal_replay_resume()');
  await waitForReplica();
  expect((await readName()).name).toBe('Renamed behind the replica');
});

test('READ_ONLY serves reads from a replica, and rejects writes', async () => {
  await waitForReplica();
  const reader = await startProgram({
    ...settings(replica.url, 'reader'),
    READ_ONLY: 'true',
  });
  const list = await fetch(`${reader.url}/api/v1/products`, { headers: { 'X-Store-Token': ADMIN_TOKEN } });
  expect(list.status).toBe(200);
  const order = await fetch(`${reader.url}/api/v1/orders`, { method: 'POST' });
  expect([order.status, order.headers.get('retry-after')]).toEqual([503, '60']);
  expect((await fetch(`${reader.url}/health/ready`)).status).toBe(200);
  reader.child.kill('SIGTERM');
  expect(await reader.exited).toBe(0);
}, 60_000);

test('the store reads from the primary while the replica is dead', async () => {
  const { port } = new URL(replica.url);
  await replica.stop();
  for (let time = 0; time < 5; time += 1) expect((await readName()).status).toBe(200);
  expect(store.output()).toContain('replica failed, reading from the primary');
  replica = await startEmbeddedPostgres({ dataDir: path.join(folder, 'replica'), log, fast: true });
  expect(new URL(replica.url).port).toBe(port);
  while (!store.output().includes('replica works again')) expect((await readName()).status).toBe(200);
}, 60_000);
