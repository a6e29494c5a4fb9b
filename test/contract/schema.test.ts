import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import { migrations } from '../../migrations';
import { functionSet } from '../../migrations/functions';
import { describeSchema } from '../../scripts/schema-text';
import { closeDatabase, connectDatabase } from '../../src/platform/database/knex';
import { testDatabaseUrl } from '../setup/test-server';
import { createEmptyDatabase, dropClone, testDb } from '../support/database';
import { unique } from '../support/unique';

const FOLDER = path.resolve(__dirname, '../../migrations');
const SCHEMA = readFileSync(path.join(FOLDER, 'schema.sql'), 'utf8');

const namesOf = (kind: 'function' | 'trigger') =>
  functionSet.functions
    .filter((one) => one.kind === kind)
    .map(({ name }) => name)
    .toSorted();

/** What is in the folder besides migrations. */
const OTHER_FILES = ['functions.ts', 'index.ts', 'version-0.1.0.ts'];

test('every other file of migrations is a migration', () => {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.ts') && !OTHER_FILES.includes(name));
  expect(migrations.map(({ name }) => `${name}.ts`)).toEqual(files.toSorted());
});

test('schema.sql describes what the migrations build (npm run schema)', async () => {
  expect(await describeSchema(testDb())).toBe(SCHEMA);
});

test('functions, schema.sql and triggers build the same in an empty database', async () => {
  const name = unique('store_schema').toLowerCase().replaceAll(/\W/g, '_');
  await createEmptyDatabase(name);
  const log = pino({ level: 'silent' });
  const db = connectDatabase({ url: testDatabaseUrl(name), poolSize: 1, log, timeouts: 'maintenance' });
  const textOf = (kind: string) =>
    functionSet.functions.filter((one) => one.kind === kind).map(({ sql }) => sql);
  await db.raw(['SET check_function_bodies = off;', ...textOf('function')].join('\n'));
  await db.raw(SCHEMA);
  await db.raw(textOf('trigger').join('\n'));
  expect(await describeSchema(db)).toBe(SCHEMA);
  await closeDatabase(db);
  await dropClone(name);
});

test('migrations/functions contains every function and trigger', async () => {
  const functions: string[] = await testDb()('pg_proc')
    .whereRaw("pronamespace = 'public'::regnamespace")
    .whereRaw("NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')")
    .pluck('proname');
  expect(functions.toSorted()).toEqual(namesOf('function'));
  const { rows } = await testDb().raw<{ rows: { name: string }[] }>(`
    SELECT tgname || ' ON ' || tgrelid::regclass AS name FROM pg_trigger WHERE NOT tgisinternal`);
  expect(rows.map(({ name }) => name).toSorted()).toEqual(namesOf('trigger'));
});

test('functions are as their files say', async () => {
  const { rows } = await testDb().raw<{ rows: { text: string }[] }>(
    'SELECT prosrc AS text FROM pg_proc WHERE proname = ANY (?)',
    [namesOf('function')],
  );
  const written = functionSet.functions
    .filter(({ kind }) => kind === 'function')
    .map(({ sql }) => sql.slice(sql.indexOf('$$') + 2, sql.lastIndexOf('$$')));
  expect(written.toSorted()).toEqual(rows.map(({ text }) => text).toSorted());
});

test('triggers are written as PostgreSQL prints them, so that an upgrade recognizes those it need not replace', async () => {
  const { rows } = await testDb().raw<{ rows: { text: string }[] }>(
    'SELECT pg_get_triggerdef(oid, true) AS text FROM pg_trigger WHERE NOT tgisinternal',
  );
  const written = functionSet.functions
    .filter(({ kind }) => kind === 'trigger')
    .map(({ sql }) =>
      sql
        .replace(/^DROP .*\n/, '')
        .replace('CREATE OR REPLACE', 'CREATE')
        .replaceAll(/\s+/g, ' ')
        .replace(/;$/, ''),
    );
  expect(written.toSorted()).toEqual(rows.map(({ text }) => text.replaceAll(/\s+/g, ' ')).toSorted());
});

test('one function decides whether this transaction has written a row', () => {
  const deciding = functionSet.functions.filter(({ sql }) =>
    /xmin\s*(<>|=)|= pg_current_xact_id\(\)::xid/.test(sql),
  );
  expect(deciding.map(({ name }) => name)).toEqual(['is_own_write']);
});

test('migrations after the baseline contain no functions and triggers', () => {
  const [, ...newer] = migrations;
  const CREATES =
    /\bCREATE\s+(OR\s+REPLACE\s+)?(CONSTRAINT\s+)?(FUNCTION|PROCEDURE|TRIGGER)\b|pg_get_functiondef/i;
  const texts = newer.map(({ name }) => readFileSync(path.join(FOLDER, `${name}.ts`), 'utf8'));
  expect(newer.filter((_, index) => CREATES.test(texts[index] ?? '')).map(({ name }) => name)).toEqual([]);
  // What a migration imports.
  const folders = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name)).toEqual(['functions']);
});
