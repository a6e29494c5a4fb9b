import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureTestDatabase, testDb } from '../support/database';
import { expectNoViolations } from '../support/invariants';
import { aSellableVariant, getTotalOnHand } from '../support/orders.factory';
import { killPrograms, listWorkers, startProgram } from '../support/program';
import { createShopper } from '../support/program-shopper';

let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'store-worker-')));
});

afterAll(() => {
  killPrograms();
  rmSync(folder, { recursive: true, force: true });
});

test('one of two workers is killed under load: the other serves, and every order is completed once', async () => {
  const variant = await aSellableVariant({ stock: 1000 });
  const settings = { DATABASE_URL: await ensureTestDatabase(), DATA_DIR: folder, SEED: 'none' };
  const store = await startProgram({ ...settings, WORKERS: '2' });
  const shopper = await createShopper(() => store.url);
  const [killed = 0] = await listWorkers(store);

  const numbers: string[] = [];
  const buyAll = async (): Promise<void> => {
    for (let order = 0; order < 4; order += 1) {
      numbers.push(await shopper.buy(variant.id));
      if (numbers.length === 6) process.kill(killed, 'SIGKILL');
    }
  };
  await Promise.all(Array.from({ length: 6 }, buyAll));

  const completed = await testDb()('orders').whereNotNull('completed_at').pluck('number');
  expect(completed.sort()).toEqual([...numbers].sort());
  expect(await getTotalOnHand(variant.id)).toBe(1000 - numbers.length);
  store.child.kill('SIGTERM');
  expect(await store.exited).toBe(0);
  expect(store.output()).toContain('worker died, starting another one');
  expect(store.output()).not.toContain('"status":500');
  await expectNoViolations();
});
