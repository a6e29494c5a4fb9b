import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded';
import { closeDatabase, connectDatabase } from '../../src/platform/database/knex';
import { migrate } from '../../src/platform/database/migrate';
import { INVARIANTS } from '../../src/sales/verify/find-breaches';
import { ownDatabaseUrl } from '../seeds/own-database';

const ROOT = path.resolve(__dirname, '../..');
const SLOW = 60_000;
const log = pino({ level: 'fatal' });

function verify(env: Record<string, string>, ...flags: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'src/cli/verify.ts', ...flags],
    { cwd: ROOT, encoding: 'utf8', env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env } },
  );
  return { status, stdout, stderr };
}

test(
  'verify ends with 0 where all holds, and with 1 and a list where not',
  async () => {
    const DATABASE_URL = await ownDatabaseUrl();
    expect(verify({ DATABASE_URL })).toEqual({
      status: 0,
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

    const listed = verify({ DATABASE_URL });
    expect(listed.status).toBe(1);
    expect(listed.stdout).toContain('order_totals_are_sums: broken by 1 of orders');
    expect(listed.stdout).toContain(`- ${order?.id}: R100000001: item_total is 5.00 instead of 0`);
    const { breaches } = JSON.parse(verify({ DATABASE_URL }, '--json').stdout);
    expect(breaches.map(({ invariant }: { invariant: string }) => invariant)).toEqual([
      'order_totals_are_sums',
      'history_ends_at_the_state',
    ]);
  },
  SLOW,
);

test(
  'verify looks into the embedded database of a running store, and leaves it running',
  async () => {
    const DATA_DIR = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'store-verify-')));
    const postgres = await startEmbeddedPostgres({ dataDir: DATA_DIR, log, fast: true });
    const db = connectDatabase({ url: postgres.url, poolSize: 2, log, patience: 'maintenance' });
    try {
      await migrate(db);
      expect(verify({ DATA_DIR })).toMatchObject({ status: 0, stderr: '' });
      await db.raw('SELECT 1');
    } finally {
      await closeDatabase(db);
      await postgres.stop();
    }
    expect(verify({ DATA_DIR })).toMatchObject({ status: 0, stderr: '' });
    rmSync(DATA_DIR, { recursive: true, force: true });
  },
  SLOW,
);

test('a flag it does not know is told how to ask', () => {
  expect(verify({}, '--fix')).toEqual({
    status: 1,
    stdout: '',
    stderr: 'Usage: npm run verify -- [--json]\n',
  });
});
