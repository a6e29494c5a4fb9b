import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { requireMigrated } from '../../src/boot/migrate';
import { closeDatabase, connectDatabase } from '../../src/platform/database/knex';
import { findViolations } from '../../src/sales/verify/find-violations';
import { testDatabaseUrl } from '../setup/test-server';
import { cloneTemplate, dropClone } from '../support/database';
import { createFirstVersion } from './first-version';
import { multiplyOrders } from './multiply-orders';

const ORDERS = 300;
const KILLS = 5;

/** What differs between two runs without interruption. */
const VOLATILE = `'{created_at,updated_at,feed_at,version,snapshot,migration_time,batch,n,applied_at,last_used_at,revision}'::text[]`;

const databases: string[] = [];
const open: Knex[] = [];
const children: ChildProcess[] = [];

function nameDatabase(): string {
  const name = `store_killed_${randomBytes(4).toString('hex')}`;
  databases.push(name);
  return name;
}

function connect(url: string): Knex {
  const db = connectDatabase({ url, poolSize: 2, log: pino({ level: 'silent' }), timeouts: 'maintenance' });
  open.push(db);
  return db;
}

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const db of open.splice(0)) await closeDatabase(db);
  for (const name of databases.splice(0)) await dropClone(name);
});

/** Migrates in a process of its own. */
function startMigrating(url: string): { child: ChildProcess; ended: Promise<unknown[]> } {
  const child = spawn(process.execPath, ['bin/store.js', 'migrate'], {
    cwd: path.resolve(__dirname, '../..'),
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATABASE_URL: url },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  children.push(child);
  return { child, ended: once(child, 'close') };
}

/** Numbers between 0 and 1 that depend on the seed of jest alone. */
function createRandom(): () => number {
  let state = jest.getSeed() >>> 0;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

/** Returns how many steps, batches and migrations have been noted. It grows with every transaction of the runner. */
async function readProgress(db: Knex): Promise<string> {
  const { rows } = await db.raw<{ rows: { notes: string }[] }>(`
    SELECT (SELECT count(*) FROM knex_migrations) || coalesce(query_to_xml(
             CASE WHEN to_regclass('knex_migrations_progress') IS NOT NULL
                  THEN 'SELECT name, steps, position FROM knex_migrations_progress' ELSE 'SELECT 0' END, false, false, '')::text, '') AS notes`);
  return rows[0]?.notes ?? '';
}

/** Returns a digest of the rows of each table, and the structure, as comparable lines. */
async function readContents(db: Knex): Promise<string[]> {
  const tables: string[] = await db('pg_tables')
    .where({ schemaname: 'public' })
    .orderBy('tablename')
    .pluck('tablename');
  const lines: string[] = [];
  for (const table of tables) {
    const { rows } = await db.raw<{ rows: { line: string }[] }>(
      `SELECT ? || ' ' || count(*) || ' ' || coalesce(md5(string_agg(line, '' ORDER BY line)), '') AS line
         FROM (SELECT (to_jsonb(r) - ${VOLATILE})::text AS line FROM ?? AS r) AS lines`,
      [table, table],
    );
    lines.push(...rows.map(({ line }) => line));
  }
  const { rows: structure } = await db.raw<{ rows: { line: string }[] }>(`
    SELECT pg_get_indexdef(indexrelid) || ' ' || indisvalid AS line FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
     WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
     WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT pg_get_triggerdef(oid) || ' ' || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '')
      FROM information_schema.columns WHERE table_schema = 'public'
    ORDER BY 1`);
  return [...lines, ...structure.map(({ line }) => line)];
}

test(
  'a migrating process that is killed at any moment leaves what the next one completes',
  async () => {
    const template = nameDatabase();
    const grown = connect(await createFirstVersion(template));
    await multiplyOrders(grown, ORDERS);
    await closeDatabase(grown);
    const [calm, disturbed] = [nameDatabase(), nameDatabase()];
    await cloneTemplate(calm, template);
    await cloneTemplate(disturbed, template);
    expect(await startMigrating(testDatabaseUrl(calm)).ended).toEqual([0, null]);

    const random = createRandom();
    const db = connect(testDatabaseUrl(disturbed));
    const moments: string[] = [];
    for (let kills = 0; kills < KILLS; kills += 1) {
      const { child, ended } = startMigrating(testDatabaseUrl(disturbed));
      let notes = 2 + Math.floor(random() * 150);
      let hasEnded = false;
      void ended.then(() => (hasEnded = true));
      for (let before = await readProgress(db); notes > 0 && !hasEnded;) {
        const after = await readProgress(db);
        if (after !== before) notes -= 1;
        before = after;
      }
      child.kill('SIGKILL');
      const [code] = await ended;
      moments.push(await readProgress(db));
      if (code === 0) break;
    }
    process.stderr.write(
      `Killed after: ${moments.map((moment) => moment.replaceAll(/<[^>]*>|\s+/g, ' ')).join('; ')}\n`,
    );
    expect(new Set(moments).size).toBeGreaterThan(KILLS / 2);

    expect(await startMigrating(testDatabaseUrl(disturbed)).ended).toEqual([0, null]);
    await requireMigrated(db);
    expect(await readContents(db)).toEqual(await readContents(connect(testDatabaseUrl(calm))));
    expect(await findViolations(db)).toEqual([]);
  },
  10 * 60_000,
);
