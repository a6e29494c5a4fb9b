import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startStore, type ServerProcess } from '../../bench/processes';
import { LIMITS } from '../../src/access/limits';
import { ensureTestDatabase } from '../support/database';

const folder = mkdtempSync(path.join(tmpdir(), 'store-bench-'));
const stores: ServerProcess[] = [];

async function start(folderName: string): Promise<ServerProcess> {
  const DATA_DIR = path.join(folder, folderName);
  const store = await startStore({ DATABASE_URL: await ensureTestDatabase(), DATA_DIR, SEED: 'none' });
  stores.push(store);
  return store;
}

afterAll(async () => {
  for (const store of stores) await store.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('the store of the benchmark serves any number of carts of one address', async () => {
  const store = await start('one');
  const statuses = new Set<number>();
  for (let sent = 0; sent <= LIMITS.guestCartFromAddress.attempts; sent += 1)
    statuses.add((await fetch(`${store.url}/api/v1/orders`, { method: 'POST' })).status);
  expect([...statuses]).toEqual([201]);
});

// A catalog is measured alone first, then beside a larger one.
test('stores of the benchmark with folders of their own use one database', async () => {
  const urls = [(await start('two')).url, (await start('three')).url];
  for (const url of urls) expect((await fetch(`${url}/api/v1/products`)).status).toBe(200);
});
