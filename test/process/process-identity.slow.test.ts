import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { ensureTestDatabase } from '../support/database';
import { killPrograms, listWorkers, startProgram, waitForOutput, type Program } from '../support/program';
import { queryUrl } from '../support/query-url';

const { version }: { version: string } = JSON.parse(readFileSync('package.json', 'utf8'));

let folder: string;
let store: Program;
let workers: number[];

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'store-identity-')));
  const DATABASE_URL = await ensureTestDatabase();
  store = await startProgram({ DATABASE_URL, DATA_DIR: folder, SEED: 'none', WORKERS: '2' });
  workers = await listWorkers(store);
});

afterAll(() => {
  killPrograms();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
});

test('every line of the log names the instance, the process and the version', async () => {
  await fetch(`${store.url}/api/v1/products`);
  await waitForOutput(store, '"route":"/api/v1/products"');

  const lines: any[] = store
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
  for (const line of lines) expect(line).toMatchObject({ instance: hostname(), version });
  const served = lines.find(({ route }) => route === '/api/v1/products');
  expect(workers).toContain(served.pid);
  expect([1, 2]).toContain(served.worker);
});

test('application_name names the instance and the worker', async () => {
  const names = async () =>
    (
      await queryUrl(
        await ensureTestDatabase(),
        `SELECT DISTINCT application_name FROM pg_stat_activity
          WHERE datname = current_database() AND application_name LIKE 'store %'`,
      )
    ).map(({ application_name }) => String(application_name));

  const expected = [
    `store ${hostname()}/${store.child.pid} main`,
    ...workers.map((pid) => expect.stringMatching(new RegExp(`^store ${hostname()}/${pid} worker [12]$`))),
  ];
  // New connections reach the workers in turn.
  const headers = { Connection: 'close' };
  while ((await names()).length < 3) await fetch(`${store.url}/api/v1/countries`, { headers });
  expect((await names()).sort()).toEqual(expect.arrayContaining(expected));
});
