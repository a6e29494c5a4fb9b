import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { migrations } from '../../migrations';
import { describeSchema } from '../../scripts/schema-text';
import { getMigrationStatus, migrate, requireMigrated, rollback } from '../../src/boot/migrate';
import { closeDatabase, connectDatabase } from '../../src/platform/database/knex';
import { runPending } from '../../src/platform/database/migrations/migrator';
import {
  listSteps,
  type Migration,
  type Statements,
  type Step,
} from '../../src/platform/database/migrations/steps';
import { findViolations } from '../../src/sales/verify/find-violations';
import { dropClone, testDb } from '../support/database';
import { killPrograms, startProgram } from '../support/program';
import { multiplyOrders } from './multiply-orders';
import { listQuadraticInvariants } from './quadratic-plans';
import { startVisitors } from './sql-visitors';
import { createVersion010 } from './version-0.1.0';

/** The default keeps the test below a hundred seconds on an idle machine; UPGRADE_ORDERS=100000 takes many minutes. */
const ORDERS = Number(process.env.UPGRADE_ORDERS ?? 5_000);

const SCHEMA = readFileSync(path.resolve(__dirname, '../../migrations/schema.sql'), 'utf8');

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
  try {
    await work();
  } finally {
    await visitors.stop();
  }
  const { visits, failures } = await visitors.stop();
  expect(visits).toBeGreaterThan(1);
  return failures;
}

/**
 * Books and documents a sold order with a return. @returns the tables of which that read more than a few rows one after another,
 * instead of those that an index finds
 */
async function listScannedTables(db: Knex): Promise<string[]> {
  const found: string[] = [];
  await db
    .transaction(async (tx) => {
      await tx.raw(`
        SELECT record_sale(id, NULL, 0, false)
          FROM (SELECT order_id AS id FROM return_authorizations WHERE state = 'received' LIMIT 1) AS returned`);
      const { rows } = await tx.raw<{ rows: { relname: string }[] }>(
        'SELECT relname FROM pg_stat_xact_user_tables WHERE seq_tup_read > 200 ORDER BY 1',
      );
      found.push(...rows.map(({ relname }) => relname));
      return tx.rollback();
    })
    .catch(() => undefined);
  return found;
}

/** Returns the times of the last changes that no migration is one of, as JSON shows them. */
async function readTimes(db: Knex): Promise<unknown> {
  const { rows } = await db.raw<{ rows: unknown[] }>(`
    SELECT name, md5(string_agg(time::text, ',' ORDER BY id)) AS times
      FROM (SELECT 'payments' AS name, id, date_trunc('milliseconds', updated_at) AS time FROM payments
            UNION ALL SELECT 'shipments', id, date_trunc('milliseconds', updated_at) FROM shipments
            UNION ALL SELECT 'state_changes', id, date_trunc('milliseconds', created_at) FROM state_changes) AS changes
     GROUP BY name ORDER BY name`);
  return rows;
}

const listMigrations = (db: Knex): Promise<object[]> =>
  db('knex_migrations').orderBy('id').select('name', 'batch', 'migration_time');

/** Returns the functions and triggers of a database, and whether files have added them. */
async function listFunctions(db: Knex): Promise<object> {
  const own = await db('pg_proc')
    .whereRaw("pronamespace = 'public'::regnamespace")
    .orderBy('proname')
    .pluck('proname');
  return {
    own,
    applied: await db('knex_migrations_functions').orderBy('name').select('name', 'hash', 'is_added'),
  };
}

test(
  'a grown store of version 0.1.0 is upgraded beside visitors, has what a new store has, and can go back',
  async () => {
    const url = await createVersion010(nameDatabase());
    const db = connect(url);
    await multiplyOrders(db, ORDERS);
    const before = await readTimes(db);
    const notedBefore = await listMigrations(db);
    const waits: Record<string, string[]> = {};
    for (const [index, { name }] of migrations.entries()) {
      const failures = await beside(url, () =>
        runPending(db, migrations.slice(0, index + 1), () => undefined),
      );
      if (failures.length > 0) waits[name] = failures;
    }
    const failures = await beside(url, async () => expect(await migrate(db)).toEqual(['functions', 'queue']));
    expect({ ...waits, functions: failures }).toEqual({ functions: [] });
    expect(await readTimes(db)).toEqual(before);
    expect(await describeSchema(db)).toBe(SCHEMA);
    expect(await listFunctions(db)).toEqual(await listFunctions(testDb()));
    await requireMigrated(db);
    await db.raw('ANALYZE');
    expect(await findViolations(db)).toEqual([]);
    expect(await listQuadraticInvariants(db)).toEqual([]);
    expect(await listScannedTables(db)).toEqual([]);
    const withoutHashes = 'SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off';
    expect(await listQuadraticInvariants(db, withoutHashes)).not.toEqual([]);

    const added = migrations.map(({ name }) => name);
    const reverted: string[] = [];
    while (reverted.length < added.length) reverted.push(...(await rollback(db)));
    expect(reverted).toEqual(added.toReversed());
    expect(await listMigrations(db)).toEqual(notedBefore);
    await expect(rollback(db)).rejects.toThrow(/is that of version 0\.1\.0: run that version/);
    expect(await migrate(db)).toEqual([...added, 'functions']);
    expect(await findViolations(db)).toEqual([]);
  },
  Math.max(15, ORDERS / 2_000) * 60_000,
);

test('a step locks one existing table against reading', async () => {
  const db = connect(await createVersion010(nameDatabase()));
  const several: string[] = [];
  const watched = migrations.map((migration): Migration => {
    const watch = async (tx: Knex, step: Statements) => {
      const { rows: tables } = await tx.raw<{ rows: { oid: number }[] }>(
        `SELECT oid FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`,
      );
      await step(tx);
      const { rows: locked } = await tx.raw<{ rows: { name: string }[] }>(
        `SELECT DISTINCT relation::regclass::text AS name FROM pg_locks
          WHERE pid = pg_backend_pid() AND mode = 'AccessExclusiveLock' AND relation = ANY (?) ORDER BY 1`,
        [tables.map(({ oid }) => oid)],
      );
      if (locked.length > 1) several.push(`${migration.name}: ${locked.map(({ name }) => name).join(', ')}`);
    };
    const up = listSteps(migration.up).map((step): Step =>
      typeof step === 'function' ? (tx) => watch(tx, step) : step,
    );
    return { ...migration, up };
  });
  await runPending(db, watched, () => undefined);
  expect(several).toEqual([]);
});

test('a store of an earlier version is refused, in every direction, and not changed', async () => {
  const db = connect(await createVersion010(nameDatabase()));
  await db('knex_migrations').where({ name: '20261128_4001_return_remainders' }).delete();
  const noted = await listMigrations(db);
  const older =
    'The database is older than version 0.1.0 (it lacks 20261128_4001_return_remainders): start that version once, then this one';
  for (const use of [migrate, rollback, requireMigrated, getMigrationStatus])
    await expect(use(db)).rejects.toThrow(older);
  expect(await listMigrations(db)).toEqual(noted);
  expect(await db.schema.hasTable('knex_migrations_replaced')).toBe(false);
});

test('a migration that holds a table longer than a second is found', async () => {
  const url = await createVersion010(nameDatabase());
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
});

test('two instances that start at once on a store of version 0.1.0 both serve it', async () => {
  const url = await createVersion010(nameDatabase());
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
});
