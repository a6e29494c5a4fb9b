import { randomBytes } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { migrations } from '../../migrations';
import { migrate, requireMigrated, rollback } from '../../src/boot/migrate';
import { closeDatabase, connectDatabase } from '../../src/platform/database/knex';
import { runPending } from '../../src/platform/database/migrations/migrator';
import type { Migration } from '../../src/platform/database/migrations/steps';
import { findViolations } from '../../src/sales/verify/find-violations';
import { dropClone } from '../support/database';
import { killPrograms, startProgram } from '../support/program';
import { createFirstVersion } from './first-version';
import { multiplyOrders } from './multiply-orders';
import { startVisitors } from './sql-visitors';

/** The default keeps the test below a hundred seconds on an idle machine; UPGRADE_ORDERS=100000 takes many minutes. */
const ORDERS = Number(process.env.UPGRADE_ORDERS ?? 5_000);

/** Nobody waits above a second for later migrations; earlier ones rewrite tables that grow. */
const isHeldToTheRule = ({ name }: Migration): boolean => name >= '20261123';

const databases: string[] = [];
const open: Knex[] = [];

function nameDatabase(): string {
  const name = `store_upgrade_${randomBytes(4).toString('hex')}`;
  databases.push(name);
  return name;
}

function connect(url: string): Knex {
  const db = connectDatabase({ url, poolSize: 2, log: pino({ level: 'silent' }), timeouts: 'maintenance' });
  open.push(db);
  return db;
}

afterEach(async () => {
  killPrograms();
  for (const db of open.splice(0)) await closeDatabase(db);
  for (const name of databases.splice(0)) await dropClone(name);
});

/** Runs `work` beside visitors. @returns the statements of theirs that failed, or waited for a lock above a second */
async function beside(url: string, work: () => Promise<unknown>): Promise<string[]> {
  const visitors = await startVisitors(url);
  await work().finally(visitors.stop);
  const { visits, failures } = await visitors.stop();
  expect(visits).toBeGreaterThan(1);
  return failures;
}

test(
  'a grown store of the first version is upgraded beside visitors, and the new migrations down and up again',
  async () => {
    const url = await createFirstVersion(nameDatabase());
    const db = connect(url);
    await multiplyOrders(db, ORDERS);
    const old = migrations.filter((migration) => !isHeldToTheRule(migration));
    await runPending(db, old, () => undefined);
    await db.raw('ANALYZE');

    const added = migrations.filter(isHeldToTheRule).map(({ name }) => name);
    const waits: Record<string, string[]> = {};
    for (const [index, name] of added.entries()) {
      const upTo = migrations.slice(0, old.length + index + 1);
      const failures = await beside(url, () => runPending(db, upTo, () => undefined));
      if (failures.length > 0) waits[name] = failures;
    }
    expect(waits).toEqual({});
    await requireMigrated(db);
    await db.raw('ANALYZE');
    expect(await findViolations(db)).toEqual([]);

    const reverted: string[] = [];
    while (reverted.length < added.length) reverted.push(...(await rollback(db)));
    expect(reverted).toEqual(added.toReversed());
    expect(await migrate(db)).toEqual(added);
    expect(await findViolations(db)).toEqual([]);
  },
  15 * 60_000,
);

test('a migration that holds a table longer than a second is found', async () => {
  const url = await createFirstVersion(nameDatabase());
  const db = connect(url);
  const visitors = await startVisitors(url);
  const slow: Migration = {
    name: '29990101_0000_slow',
    up: async (tx) => {
      await tx.raw('ALTER TABLE line_items ADD COLUMN slow integer');
      await visitors.firstFailure;
    },
    down: [],
  };
  await runPending(db, [slow], () => undefined);
  expect((await visitors.stop()).failures).toContainEqual(
    expect.stringMatching(/line_items.*: canceling statement due to lock timeout/s),
  );
}, 60_000);

test('two instances that start at once on a store of the first version both serve it', async () => {
  const url = await createFirstVersion(nameDatabase());
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'store-upgrade-')));
  const settings = { DATABASE_URL: url, DATA_DIR: folder, SECRET_KEY: 'the same on every instance' };
  const instances = await Promise.all([startProgram(settings), startProgram(settings)]);
  for (const instance of instances) {
    const { url: base, child, exited } = instance;
    expect((await fetch(`${base}/health/ready`)).status).toBe(200);
    const list = await fetch(`${base}/api/v1/products`);
    expect(await list.json()).toMatchObject({ total_count: expect.any(Number) });
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
    expect(instance.output()).not.toMatch(/deadlock|\n +at /);
  }
  rmSync(folder, { recursive: true, force: true });
  const db = connect(url);
  await requireMigrated(db);
  expect(await findViolations(db)).toEqual([]);
}, 180_000);
