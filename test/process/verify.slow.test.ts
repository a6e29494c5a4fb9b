import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded';
import { closeDatabase, connectDatabase } from '../../src/platform/database/knex';
import { migrate } from '../../src/boot/migrate';
import { INVARIANTS } from '../../src/sales/verify/find-violations';
import { ownDatabaseUrl } from '../seeds/own-database';
import { runStoreProgram } from '../support/command-line';

const log = pino({ level: 'fatal' });

const verify = (env: Record<string, string>, ...flags: string[]) =>
  runStoreProgram(['verify', ...flags], env);

test('verify ends with 0 where all holds, and with 1 and a list where not', async () => {
  const DATABASE_URL = await ownDatabaseUrl();
  expect(await verify({ DATABASE_URL })).toEqual({
    code: 0,
    stdout: `All ${INVARIANTS.length} invariants hold.\n`,
    stderr: '',
  });

  const db = connectDatabase({ url: DATABASE_URL, poolSize: 1, log });
  const [order] = await db('orders')
    .insert({
      number: 'R100000001',
      token_seed: Buffer.alloc(16),
      token_hash: Buffer.alloc(32),
      currency: 'USD',
      item_total: '5.00',
      total: '5.00',
    })
    .returning<{ id: number }[]>('id');
  await closeDatabase(db);

  const listed = await verify({ DATABASE_URL });
  expect(listed.code).toBe(1);
  expect(listed.stdout).toContain('order_totals_are_sums: 1 violations in orders');
  expect(listed.stdout).toContain(`- ${order?.id}: R100000001: item_total is 5.00 instead of 0`);
  const { breaches } = JSON.parse((await verify({ DATABASE_URL }, '--json')).stdout);
  expect(breaches.map(({ invariant }: { invariant: string }) => invariant)).toEqual([
    'order_totals_are_sums',
    'history_ends_at_the_state',
  ]);
});

test('verify looks into the embedded database of a running store, and leaves it running', async () => {
  const DATA_DIR = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'store-verify-')));
  const postgres = await startEmbeddedPostgres({ dataDir: DATA_DIR, log, fast: true });
  const db = connectDatabase({ url: postgres.url, poolSize: 2, log, timeouts: 'maintenance' });
  try {
    await migrate(db);
    expect(await verify({ DATA_DIR })).toMatchObject({ code: 0, stderr: '' });
    await db.raw('SELECT 1');
  } finally {
    await closeDatabase(db);
    await postgres.stop();
  }
  expect(await verify({ DATA_DIR })).toMatchObject({ code: 0, stderr: '' });
  rmSync(DATA_DIR, { recursive: true, force: true });
});
