import type { Knex } from 'knex';
import { pino } from 'pino';
import { migrations } from '../../migrations';
import { closeDatabase, connectDatabase } from '../../src/platform/database/knex';
import {
  migrate,
  MigrationsAheadError,
  MigrationsPendingError,
  getMigrationStatus,
  requireMigrated,
  rollback,
} from '../../src/boot/migrate';
import { SERVER_URL, testDatabaseUrl } from '../setup/test-server';

const log = pino({ level: 'silent' });
const all = migrations.map(({ name }) => name);
const allAndFunctions = [...all, 'functions'];
const open: Knex[] = [];
let databases = 0;
let url: string;

function connect(to: string | undefined): Knex {
  const db = connectDatabase({ url: to ?? '', poolSize: 2, log, timeouts: 'maintenance' });
  open.push(db);
  return db;
}

/** Returns tables, columns, indexes, constraints and triggers as comparable text. */
async function structureOf(db: Knex): Promise<string[]> {
  const found = await db.raw<{ rows: { line: string }[] }>(`
    SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable AS line
      FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    ORDER BY 1`);
  return found.rows.map(({ line }) => line);
}

beforeEach(async () => {
  const name = `store_migrate_${process.env.JEST_WORKER_ID ?? ''}_${(databases += 1)}`;
  await connect(process.env[SERVER_URL]).raw(`CREATE DATABASE ${name}`);
  url = testDatabaseUrl(name);
});

afterEach(() => Promise.all(open.splice(0).map((db) => closeDatabase(db))));

test('several instances migrate at once, and each migration runs once', async () => {
  const runs = await Promise.all([1, 2, 3].map(() => migrate(connect(url))));

  expect(runs.flat()).toEqual([...allAndFunctions, 'queue']);
  expect(await getMigrationStatus(connect(url))).toEqual({ applied: all, pending: [], unknown: [] });
  await requireMigrated(connect(url));
});

test('every migration is a transaction of its own, and an interrupted run continues', async () => {
  const db = connect(url);
  await migrate(db);
  const { rows } = await db.raw<{ rows: { transactions: number }[] }>(
    'SELECT count(DISTINCT xmin::text)::integer AS transactions FROM knex_migrations',
  );
  expect(rows).toEqual([{ transactions: all.length }]);
  await rollback(db);
  expect(await getMigrationStatus(db)).toEqual({ applied: [], pending: allAndFunctions, unknown: [] });
  await expect(requireMigrated(db)).rejects.toThrow(MigrationsPendingError);

  const resume = await pauseAfter(db, 20);
  const interrupted = migrate(connect(url)).catch((error: Error) => error);
  await untilPaused(db);
  await resume();
  await db.raw(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  expect(await interrupted).toBeInstanceOf(Error);
  const { applied, pending } = await getMigrationStatus(db);
  expect(applied.length).toBeGreaterThanOrEqual(20);
  expect([...applied, ...pending]).toEqual(allAndFunctions);
  const continued = await migrate(db);
  expect(allAndFunctions.slice(-continued.length)).toEqual(continued);
  expect(await getMigrationStatus(db)).toEqual({ applied: all, pending: [], unknown: [] });
  expect(await migrate(db)).toEqual([]);
}, 120_000);

/** Lets the next migrations wait once so many have run. @returns a function that ends this for later statements */
async function pauseAfter(db: Knex, count: number): Promise<() => Promise<void>> {
  await db.raw(`
    CREATE FUNCTION pause() RETURNS event_trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF (SELECT count(*) FROM knex_migrations) >= ${count} THEN PERFORM pg_sleep(100); END IF;
    END $$;
    CREATE EVENT TRIGGER pause ON ddl_command_start EXECUTE FUNCTION pause()`);
  return () => db.raw('DROP EVENT TRIGGER pause; DROP FUNCTION pause');
}

async function untilPaused(db: Knex): Promise<void> {
  for (;;) {
    const { rows } = await db.raw<{ rows: unknown[] }>(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`,
    );
    if (rows.length > 0) return;
  }
}

test('down reverts everything, and up creates the same structure again', async () => {
  const db = connect(url);
  await migrate(db);
  const structure = await structureOf(db);
  // Two migrations give an index the same name.
  for (const on of ['(number, id)', '(upper(number))'])
    expect(structure.filter((line) => line.endsWith(`ON public.documents USING btree ${on}`))).toHaveLength(
      1,
    );

  expect(await rollback(db)).toEqual([...all].reverse());
  const left = (await structureOf(db)).filter((line) => !line.includes('knex_migrations'));
  expect(left).toEqual([]);
  await migrate(db);
  expect(await structureOf(db)).toEqual(structure);
});

test('a database with newer migrations is not changed, in both directions', async () => {
  const db = connect(url);
  await migrate(db);
  await db('knex_migrations').insert({
    name: '29990101_0000_tomorrow',
    batch: 2,
    migration_time: new Date(0),
  });
  const structure = await structureOf(db);

  await expect(migrate(db)).rejects.toThrow(MigrationsAheadError);
  await expect(rollback(db)).rejects.toThrow(/it has 29990101_0000_tomorrow/);
  await expect(requireMigrated(db)).rejects.toThrow(MigrationsAheadError);
  expect(await getMigrationStatus(db)).toMatchObject({ pending: [], unknown: ['29990101_0000_tomorrow'] });
  expect(await structureOf(db)).toEqual(structure);
});
