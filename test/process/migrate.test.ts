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
import { generateOrderToken } from '../../src/sales/order/order-token';
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

test('a database that is not migrated is refused', async () => {
  const db = connect(url);
  expect(await getMigrationStatus(db)).toEqual({
    applied: [],
    pending: [...allAndFunctions, 'queue'],
    unknown: [],
  });
  await expect(requireMigrated(db)).rejects.toThrow(MigrationsPendingError);
});

test('down reverts everything, and up creates the same structure again', async () => {
  const db = connect(url);
  await migrate(db);
  const structure = await structureOf(db);
  expect(await rollback(db)).toEqual([...all].reverse());
  const left = (await structureOf(db)).filter((line) => !line.includes('knex_migrations'));
  expect(left).toEqual([]);
  expect(await getMigrationStatus(db)).toEqual({ applied: [], pending: allAndFunctions, unknown: [] });
  await migrate(db);
  expect(await structureOf(db)).toEqual(structure);
});

test('the run that created a store is not reverted once the store has sold', async () => {
  const db = connect(url);
  await migrate(db);
  const structure = await structureOf(db);
  await db.transaction(async (tx) => {
    await tx.raw("SET LOCAL session_replication_role = 'replica'"); // an order without its lines and payments
    await tx('orders').insert({
      number: 'R1',
      ...generateOrderToken(Buffer.alloc(32)),
      currency: 'USD',
      state: 'complete',
      completed_at: new Date(),
    });
  });

  await expect(rollback(db)).rejects.toThrow(/would delete this store, which has sold\. .*restore a backup/);
  expect(await structureOf(db)).toEqual(structure);
  await db('knex_migrations')
    .where({ name: all.at(-1) })
    .update({ batch: 2 });
  expect(await rollback(db)).toEqual([all.at(-1)]);
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
