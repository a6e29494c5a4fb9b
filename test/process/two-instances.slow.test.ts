import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { testDb } from '../support/database';
import { expectNoViolations } from '../support/invariants';
import { aSellableVariant, getTotalOnHand } from '../support/orders.factory';
import { createShopper } from '../support/program-shopper';
import { killPrograms, startInstances } from '../support/program';

let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'store-instances-')));
});

afterAll(() => {
  killPrograms();
  rmSync(folder, { recursive: true, force: true });
});

test('two instances on one database: one is killed under load, the other finishes every order once', async () => {
  const variant = await aSellableVariant({ stock: 1000 });
  const { one, other, alive, chooseUrl } = await startInstances(folder);
  const shopper = await createShopper(chooseUrl);

  const numbers: string[] = [];
  const buyAll = async (): Promise<void> => {
    for (let order = 0; order < 4; order += 1) {
      numbers.push(await shopper.buy(variant.id));
      if (numbers.length === 6) {
        one.child.kill('SIGKILL');
        alive.shift();
      }
    }
  };
  await Promise.all(Array.from({ length: 6 }, buyAll));

  const completed = await testDb()('orders').whereNotNull('completed_at').pluck('number');
  expect(completed.sort()).toEqual([...numbers].sort());
  expect(await getTotalOnHand(variant.id)).toBe(1000 - numbers.length);
  other.child.kill('SIGTERM');
  expect(await other.exited).toBe(0);
  expect(other.output()).not.toContain('"status":500');
  await expectNoViolations();
});
