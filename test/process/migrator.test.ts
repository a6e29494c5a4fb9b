import type { Knex } from 'knex';
import { revertLastBatch, runPending } from '../../src/platform/database/migrations/migrator';
import { findInterrupted, readHistory } from '../../src/platform/database/migrations/progress';
import {
  createIndex,
  dropIndex,
  inBatches,
  run,
  validate,
  type Migration,
  type Step,
} from '../../src/platform/database/migrations/steps';
import { testDb } from '../support/database';
import { unique } from '../support/unique';

const accept = () => undefined;
const fail: Step = () => Promise.reject(new Error('killed'));

/** Creates a table with the ids 1 to `rows`. */
async function aTable(rows: number): Promise<string> {
  const table = unique('grown').toLowerCase().replaceAll(/\W/g, '_');
  await testDb().raw(`
    CREATE TABLE ${table} (id integer PRIMARY KEY, n integer);
    INSERT INTO ${table} (id) SELECT generate_series(1, ${rows})`);
  return table;
}

/** Marks the rows of a range, and adds one to those that were marked before. */
const fill = (table: string): Step =>
  inBatches(
    table,
    async (knex, { after, upTo }) => {
      await knex.raw(`UPDATE ${table} SET n = coalesce(n, 0) + 1 WHERE id > ${after} AND id <= ${upTo}`);
    },
    { size: 10 },
  );

const migration = (name: string, up: readonly Step[], down: readonly Step[] = []): Migration => ({
  name,
  up,
  down,
});

const migrateWith = (...migrations: Migration[]) => runPending(testDb(), migrations, accept);
const revert = (...migrations: Migration[]) => revertLastBatch(testDb(), migrations, accept);
const listColumn = (table: string, column: string): Promise<unknown[]> =>
  testDb()(table).orderBy('id').pluck(column);

test('an interrupted migration continues with the step that failed, and no step runs twice', async () => {
  const table = await aTable(35);
  const name = unique('interrupted');
  const count = run(`INSERT INTO ${table} SELECT max(id) + 1 FROM ${table}`);
  await expect(migrateWith(migration(name, [count, fill(table), fail]))).rejects.toThrow('killed');
  expect(await readHistory(testDb())).toMatchObject({ interrupted: name });

  expect(await migrateWith(migration(name, [count, fill(table), count]))).toEqual([name]);
  expect(await listColumn(table, 'n')).toEqual([...Array.from({ length: 36 }, () => 1), null]);
  expect(await findInterrupted(testDb())).toBeNull();
});

test('batches continue after the last one that was committed', async () => {
  const table = await aTable(45);
  const name = unique('batches');
  let left = 2;
  const failing = inBatches(
    table,
    async (knex, { after, upTo }) => {
      if ((left -= 1) < 0) throw new Error('killed');
      await knex.raw(`UPDATE ${table} SET n = 1 WHERE id > ${after} AND id <= ${upTo}`);
    },
    { size: 10 },
  );
  await expect(migrateWith(migration(name, [failing]))).rejects.toThrow('killed');
  expect(await findInterrupted(testDb())).toMatchObject({ steps: 0, position: 20 });
  expect((await listColumn(table, 'n')).filter((n) => n === 1)).toHaveLength(20);

  await migrateWith(migration(name, [fill(table)]));
  expect(await listColumn(table, 'n')).toEqual(Array.from({ length: 45 }, () => 1));
});

test('an index whose creation was interrupted is created again', async () => {
  const table = await aTable(3);
  await testDb()(table).update({ n: 1 });
  const index = `${table}_n_index`;
  await expect(testDb().raw(`CREATE UNIQUE INDEX CONCURRENTLY ${index} ON ${table} (n)`)).rejects.toThrow();
  const isValid = async () =>
    (await testDb().raw('SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(?)', [index])).rows;
  expect(await isValid()).toEqual([{ indisvalid: false }]);

  const name = unique('index');
  await migrateWith(migration(name, [createIndex(index, `${table} (n)`)], [dropIndex(index)]));
  expect(await isValid()).toEqual([{ indisvalid: true }]);
  await revert(migration(name, [], [dropIndex(index)]));
  expect(await isValid()).toEqual([]);
});

test('an interrupted revert is finished before anything else, by either command', async () => {
  const table = await aTable(1);
  const [first, second] = [unique('first'), unique('second')];
  const add = (n: number): Step => run(`UPDATE ${table} SET n = coalesce(n, 0) + ${n}`);
  const one = migration(first, [add(1)], [add(-1)]);
  const both = (isBroken: boolean) => [
    one,
    migration(second, [add(10), add(10)], [add(-10), isBroken ? fail : add(-10)]),
  ];
  await migrateWith(...both(false));
  await expect(revert(...both(true))).rejects.toThrow('killed');
  expect((await readHistory(testDb())).applied).not.toContain(second);
  expect(await revert(...both(false))).toEqual([second, first]);
  expect(await listColumn(table, 'n')).toEqual([0]);

  await migrateWith(...both(false));
  await expect(revert(...both(true))).rejects.toThrow('killed');
  expect(await migrateWith(...both(false))).toEqual([second]);
  expect(await listColumn(table, 'n')).toEqual([21]);
});

test('a locked table keeps others waiting only briefly, and the migration tries again', async () => {
  const table = await aTable(1);
  const name = unique('locked');
  const reader = await testDb().transaction();
  await reader.raw(`SELECT * FROM ${table}`);
  const migrated = migrateWith(migration(name, [run(`ALTER TABLE ${table} ADD COLUMN added text`)]));

  await waitForLock(table);
  const started = performance.now();
  await testDb().raw(`SELECT * FROM ${table}`);
  expect(performance.now() - started).toBeLessThan(1_000);
  await reader.rollback();
  expect(await migrated).toEqual([name]);
  expect(await listColumn(table, 'added')).toEqual([null]);
});

/** Waits until a statement waits for a lock on the table. */
async function waitForLock(table: string): Promise<void> {
  for (;;) {
    const { rows } = await testDb().raw<{ rows: unknown[] }>(
      'SELECT FROM pg_locks WHERE relation = CAST(? AS regclass) AND NOT granted',
      [table],
    );
    if (rows.length > 0) return;
  }
}

test('instances that start at once wait for the one that migrates, also while it creates an index', async () => {
  const table = await aTable(1_000);
  const name = unique('together');
  const steps: Step[] = [
    run(`ALTER TABLE ${table} ADD CONSTRAINT ${table}_n CHECK (n > 0) NOT VALID`),
    fill(table),
    createIndex(`${table}_index`, `${table} (n)`),
    validate(table, `${table}_n`),
  ];
  const runs = await Promise.all([1, 2, 3].map(() => migrateWith(migration(name, steps))));
  expect(runs.flat()).toEqual([name]);
  expect(new Set(await listColumn(table, 'n'))).toEqual(new Set([1]));
});

test('a step that another instance has run meanwhile is not run again', async () => {
  const table = await aTable(1);
  const name = unique('overtaken');
  const other = async (knex: Knex): Promise<void> => {
    await knex.raw(`UPDATE ${table} SET n = 5`);
    await testDb()('knex_migrations_progress').where({ name }).update({ steps: 2 });
  };
  await expect(migrateWith(migration(name, [fill(table), other]))).rejects.toThrow('another instance');
  expect(await listColumn(table, 'n')).toEqual([1]);
  await testDb()('knex_migrations_progress').where({ name }).delete();
});

test('a violated constraint is added for new rows', async () => {
  const table = await aTable(2);
  await testDb()(table).update({ n: -1 });
  const name = unique('violated');
  await migrateWith(
    migration(name, [
      run(`ALTER TABLE ${table} ADD CONSTRAINT ${table}_n CHECK (n > 0) NOT VALID`),
      validate(table, `${table}_n`),
    ]),
  );
  await expect(testDb()(table).insert({ id: 9, n: -1 })).rejects.toMatchObject({ constraint: `${table}_n` });
});
