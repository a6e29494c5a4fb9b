import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { closeDatabase, connectDatabase } from '../../src/platform/database/knex';
import { testDatabaseUrl } from '../setup/test-server';
import { createEmptyDatabase, dropClone } from '../support/database';

const KILLS = 5;

const PROGRAM = path.join(__dirname, 'killed-migration/migrate.ts');

const databases: string[] = [];
const open: Knex[] = [];
const children: ChildProcess[] = [];

/** @returns its URL */
async function createDatabase(): Promise<string> {
  const name = `store_killed_${randomBytes(4).toString('hex')}`;
  databases.push(name);
  await createEmptyDatabase(name);
  return testDatabaseUrl(name);
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
  const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM, url], {
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

/** Returns what has been noted of migrations, steps and batches. Every transaction of the runner changes it. */
async function readProgress(db: Knex): Promise<string> {
  const { rows } = await db.raw<{ rows: { found: string | null }[] }>(
    "SELECT to_regclass('knex_migrations_progress')::text AS found",
  );
  if (rows[0]?.found === null) return '';
  const noted = await db('knex_migrations_progress').select('name', 'steps', 'position');
  return JSON.stringify([noted, await db('knex_migrations').count()]);
}

/** Returns the rows of the tables that the migrations fill, and their indexes and constraints. */
async function readContents(db: Knex): Promise<unknown[]> {
  const { rows: structure } = await db.raw<{ rows: unknown[] }>(`
    SELECT pg_get_indexdef(indexrelid) || ' ' || indisvalid AS line FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
     WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
     WHERE connamespace = 'public'::regnamespace
    ORDER BY 1`);
  return [await db('sold').orderBy('id'), await db('noted').orderBy('n').pluck('n'), structure];
}

test('a migrating process that is killed at any moment leaves what the next one completes', async () => {
  const [calm, disturbed] = [await createDatabase(), await createDatabase()];
  expect(await startMigrating(calm).ended).toEqual([0, null]);

  const random = createRandom();
  const db = connect(disturbed);
  const moments: string[] = [];
  for (let kills = 0; kills < KILLS; kills += 1) {
    const { child, ended } = startMigrating(disturbed);
    let notes = 2 + Math.floor(random() * 80);
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
  process.stderr.write(`Killed after: ${moments.join('; ')}\n`);
  expect(new Set(moments).size).toBeGreaterThan(KILLS / 2);

  expect(await startMigrating(disturbed).ended).toEqual([0, null]);
  expect(await readContents(db)).toEqual(await readContents(connect(calm)));
  expect(await db('knex_migrations_progress')).toEqual([]);
});
