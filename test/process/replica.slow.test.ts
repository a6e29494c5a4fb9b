import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runStoreCommand } from '../support/command-line';
import { expectFailedStart, killPrograms, startProgram, type Program } from '../support/program';
import { queryUrl } from '../support/query-url';
import { startPair, startStandby, waitForStandby, type Pair } from '../support/standby';

const ADMIN_TOKEN = 'replica-admin-token';
const ADMIN = { 'X-Store-Token': ADMIN_TOKEN, 'Content-Type': 'application/json' };

let folder: string;
let pair: Pair;
let store: Program;

const settings = (url: string, dataDir: string) => ({
  DATABASE_URL: url,
  DATA_DIR: path.join(folder, dataDir),
  SEED: 'reference',
  ADMIN_TOKEN,
  SECRET_KEY: 'the same on every instance',
});

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'store-replica-')));
  pair = await startPair(folder);
  store = await startProgram({
    ...settings(pair.primary.url, 'store'),
    DATABASE_REPLICA_URL: pair.standby.url,
  });
  const category = await fetch(`${store.url}/api/v1/shipping_categories`, { headers: ADMIN });
  const { shipping_categories } = (await category.json()) as { shipping_categories: { id: number }[] }; // as documented
  const product = {
    name: 'Mug',
    price: 5,
    available_on: '2026-01-01',
    shipping_category_id: shipping_categories[0]?.id,
  };
  const created = await fetch(`${store.url}/api/v1/products`, {
    method: 'POST',
    headers: ADMIN,
    body: JSON.stringify({ product }),
  });
  expect(created.status).toBe(201);
});

afterAll(async () => {
  killPrograms();
  await pair.standby.stop();
  await pair.primary.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
});

let reads = 0;

/** Reads the name of the first product, past the cache. */
async function readName(from = store): Promise<{ status: number; id: number; name: string }> {
  const reply = await fetch(`${from.url}/api/v1/products?per_page=1&past_cache=${(reads += 1)}`);
  const { products }: any = await reply.json();
  return { status: reply.status, id: products[0].id, name: products[0].name };
}

async function rename(id: number, name: string, at = store): Promise<void> {
  const reply = await fetch(`${at.url}/api/v1/products/${id}`, {
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
  await waitForStandby(pair);
  const { id } = await readName();
  // The first connection may take longer than the store waits for its replica. The primary then serves the product, whose JSON
  // is kept: only a change makes the store read it again.
  for (let time = 0; (await countReaders(pair.standby.url)) === 0; time += 1) {
    await rename(id, `Read again ${time}`);
    await waitForStandby(pair);
    expect((await readName()).status).toBe(200);
  }
});

test('no read is behind a write, also while the replica lags', async () => {
  const { id } = await readName();
  for (let time = 0; time < 20; time += 1) {
    await rename(id, `Renamed ${time}`);
    expect((await readName()).name).toBe(`Renamed ${time}`);
  }
  await queryUrl(pair.standby.url, 'SELECT pg_wal_replay_pause()');
  await rename(id, 'Renamed behind the replica');
  expect((await readName()).name).toBe('Renamed behind the replica');
  await queryUrl(pair.standby.url, 'SELECT pg_wal_replay_resume()');
  await waitForStandby(pair);
  expect((await readName()).name).toBe('Renamed behind the replica');
});

test('two instances see the writes of each other at once, also while the replica lags', async () => {
  const other = await startProgram({
    ...settings(pair.primary.url, 'other'),
    DATABASE_REPLICA_URL: pair.standby.url,
  });
  const { id } = await readName(other);
  for (const isPaused of [false, true]) {
    await waitForStandby(pair);
    if (isPaused) await queryUrl(pair.standby.url, 'SELECT pg_wal_replay_pause()');
    for (let time = 0; time < 4; time += 1) {
      const [writer, reader] = time % 2 === 0 ? [store, other] : [other, store];
      const name = `Renamed by the other ${time}, ${isPaused}`;
      await rename(id, name, writer);
      expect((await readName(reader)).name).toBe(name);
      // The same request again, which either may have kept.
      const kept = await fetch(`${reader.url}/api/v1/products/${id}`);
      expect(await kept.json()).toMatchObject({ name });
    }
  }
  await queryUrl(pair.standby.url, 'SELECT pg_wal_replay_resume()');
  other.child.kill('SIGTERM');
  expect(await other.exited).toBe(0);
});

test('READ_ONLY serves reads from a replica, and rejects writes', async () => {
  await waitForStandby(pair);
  const reader = await startProgram({
    ...settings(pair.standby.url, 'reader'),
    READ_ONLY: 'true',
  });
  const list = await fetch(`${reader.url}/api/v1/products`, { headers: { 'X-Store-Token': ADMIN_TOKEN } });
  expect(list.status).toBe(200);
  const order = await fetch(`${reader.url}/api/v1/orders`, { method: 'POST' });
  expect([order.status, order.headers.get('retry-after')]).toEqual([503, '60']);
  expect((await fetch(`${reader.url}/health/ready`)).status).toBe(200);
  reader.child.kill('SIGTERM');
  expect(await reader.exited).toBe(0);
});

test('the doctor knows a standby and a replica', async () => {
  await waitForStandby(pair);
  const examine = async (env: Record<string, string>) => {
    const { stdout } = await runStoreCommand(['doctor', '--json'], {
      PORT: '0',
      SECRET_KEY: 'x'.repeat(32),
      ...env,
    });
    const { findings } = JSON.parse(stdout) as { findings: { subject: string; severity: string }[] }; // of our own making
    return Object.fromEntries(findings.map(({ subject, severity }) => [subject, severity]));
  };
  const replicated = { DATABASE_REPLICA_URL: pair.standby.url };
  expect(await examine({ ...settings(pair.primary.url, 'doctor'), ...replicated })).toMatchObject({
    connection: 'ok',
    replica: 'ok',
  });
  expect(await examine(settings(pair.standby.url, 'doctor'))).toMatchObject({ connection: 'problem' });
});

test('a start on a standby says so', async () => {
  const { code, stderr } = await expectFailedStart(settings(pair.standby.url, 'writer'));
  expect(code).toBe(1);
  expect(stderr).toMatch(/^The database is a standby, .*DATABASE_URL.*\n$/);
});

test('the store reads from the primary while the replica is dead', async () => {
  const { port } = new URL(pair.standby.url);
  await pair.standby.stop();
  for (let time = 0; time < 5; time += 1) expect((await readName()).status).toBe(200);
  expect(store.output()).toContain('replica failed, reading from the primary');
  pair.standby = await startStandby(folder);
  expect(new URL(pair.standby.url).port).toBe(port);
  while (!store.output().includes('replica works again')) expect((await readName()).status).toBe(200);
});
