import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startStore, type ServerProcess } from '../../bench/processes';
import { LIMITS } from '../../src/access/limits';
import { ensureTestDatabase } from '../support/database';

const folder = mkdtempSync(path.join(tmpdir(), 'store-bench-'));
let store: ServerProcess | undefined;

afterAll(async () => {
  await store?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('the store of the benchmark serves any number of carts of one address', async () => {
  const url = await ensureTestDatabase();
  store = await startStore({ DATABASE_URL: url, DATA_DIR: folder, SEED: 'none' });
  const statuses = new Set<number>();
  for (let sent = 0; sent <= LIMITS.guestCartFromAddress.attempts; sent += 1)
    statuses.add((await fetch(`${store.url}/api/v1/orders`, { method: 'POST' })).status);
  expect([...statuses]).toEqual([201]);
}, 120_000);
