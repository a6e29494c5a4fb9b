import { buildFunctionSet } from '../../src/platform/database/migrations/functions';
import { revertLastBatch, runPending } from '../../src/platform/database/migrations/migrator';
import { testDb } from '../support/database';
import { unique } from '../support/unique';

const accept = () => undefined;

/** Applies the files as a start of a program does, or as `store migrate`. @returns what was applied */
const apply = (files: readonly string[], { isForced = false, version = 'one' } = {}) =>
  runPending(testDb(), [], accept, { set: buildFunctionSet(files, [version]), isForced });

const aFunction = (name: string, value: number) =>
  `CREATE OR REPLACE FUNCTION ${name}() RETURNS integer LANGUAGE sql AS $$\n  SELECT ${value}\n$$;\n`;

/** Functions of triggers; each adds its number to the rows it sees. */
const marks = (name: string, value: number) =>
  `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.n := coalesce(NEW.n, 0) + ${value};
  RETURN NEW;
END $$;
`;
const fires = (trigger: string, name: string, event = 'INSERT') =>
  `CREATE OR REPLACE TRIGGER ${trigger} BEFORE ${event} ON marked FOR EACH ROW EXECUTE FUNCTION ${name}();\n`;

async function valueOf(call: string): Promise<unknown> {
  const { rows } = await testDb().raw<{ rows: { value: unknown }[] }>(`SELECT ${call} AS value`);
  return rows[0]?.value;
}

async function insertMarked(): Promise<number | null> {
  const [row] = await testDb()('marked').insert({ n: 0 }).returning<{ n: number }[]>('n');
  return row?.n ?? null;
}

const isFunction = async (name: string) => (await valueOf(`to_regproc('${name}')`)) !== null;

beforeEach(async () => {
  await testDb().raw('DROP TABLE IF EXISTS marked CASCADE; CREATE TABLE marked (n integer)');
});

test('changed functions are replaced, and what no file contains any more is dropped', async () => {
  const first = [aFunction('one', 1) + aFunction('two', 2), marks('mark', 5) + fires('marked_mark', 'mark')];
  expect(await apply(first)).toEqual(['functions']);
  expect(await insertMarked()).toBe(5);
  expect(await apply(first)).toEqual([]);
  expect(await apply([aFunction('one', 11)])).toEqual(['functions']);
  expect(await valueOf('one()')).toBe(11);
  expect(await insertMarked()).toBe(0);
  expect([await isFunction('two'), await isFunction('mark')]).toEqual([false, false]);
});

test('what a migration has created is replaced, and not dropped', async () => {
  // With its table, longer than a name may be.
  const trigger = fires('marked_'.padEnd(60, 'x'), 'mark_old');
  await testDb().raw(aFunction('of_migration', 1) + marks('mark_old', 1) + trigger);
  await apply([aFunction('of_migration', 2), marks('mark_old', 3) + trigger]);
  expect([await valueOf('of_migration()'), await insertMarked()]).toEqual([2, 3]);
  await apply([aFunction('other', 1)]);
  expect([await valueOf('of_migration()'), await insertMarked()]).toEqual([2, 3]);
});

test('the version before leaves the functions of the next one alone when it restarts, unless it is told to migrate', async () => {
  const [before, after] = [[aFunction('price', 1)], [aFunction('price', 2)]];
  await apply(before, { version: 'before' });
  await apply(after, { version: 'after' });
  expect(await apply(before, { version: 'before' })).toEqual([]);
  expect(await valueOf('price()')).toBe(2);
  // A later version with the text of the first one.
  expect(await apply(before, { version: 'later' })).toEqual(['functions']);
  expect(await valueOf('price()')).toBe(1);

  expect(await apply(after, { version: 'after', isForced: true })).toEqual(['functions']);
  expect(await valueOf('price()')).toBe(2);
  expect(await apply(after, { version: 'after', isForced: true })).toEqual([]);
});

test('a trigger that is as it should be is left alone, and so is the lock of its table', async () => {
  const trigger = fires('marked_kept', 'mark_kept');
  const late = fires('marked_late', 'mark_kept', 'UPDATE');
  await testDb().raw(marks('mark_kept', 1) + trigger);
  const seller = await testDb().transaction();
  await seller('marked').insert({ n: 1 });
  // The first set finds the trigger of a migration, the second one its own.
  expect(await apply([marks('mark_kept', 1), trigger])).toEqual(['functions']);
  expect(await apply([marks('mark_kept', 2), trigger])).toEqual(['functions']);
  expect(await insertMarked()).toBe(2);

  let isDone = false;
  const applied = apply([marks('mark_kept', 2), trigger, late]).then(() => (isDone = true));
  // Others go on writing while it waits.
  for (let sales = 0; sales < 3; sales += 1) await insertMarked();
  expect(isDone).toBe(false);
  await seller.commit();
  await applied;
  const [{ n }] = await testDb()('marked').update({ n: 0 }).returning('n');
  expect(n).toBe(2);
});

test('constraint triggers are replaced', async () => {
  const constraint = (when: string) =>
    `CREATE CONSTRAINT TRIGGER marked_refused AFTER INSERT ON marked DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION refuse_mark();\n`;
  const refuse = `CREATE OR REPLACE FUNCTION refuse_mark() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'refused';
END $$;\n`;
  await apply([refuse, constraint('new.n = 0')]);
  await expect(insertMarked()).rejects.toThrow('refused');
  await apply([refuse, constraint('new.n = 1')]);
  expect(await insertMarked()).toBe(0);
});

test('a failed run applies the rest when it is repeated', async () => {
  const broken = fires('missing_mark', 'mark_twice').replace('ON marked', 'ON missing');
  const wanted = [aFunction('early', 7), marks('mark_twice', 1), broken];
  await expect(apply(wanted)).rejects.toThrow('missing');
  await expect(apply(wanted)).rejects.toThrow('missing');
  await testDb().raw('CREATE TABLE missing (n integer)');
  expect(await apply(wanted)).toEqual(['functions']);
  expect(await valueOf('early()')).toBe(7);
  await testDb().raw('DROP TABLE missing CASCADE');
});

test('a revert drops the triggers that files have added, and the next start applies all functions again', async () => {
  const helper = aFunction('helper', 1);
  await testDb().raw(aFunction('of_old', 1));
  const set = [helper, aFunction('of_old', 2), marks('mark_added', 4) + fires('marked_added', 'mark_added')];
  await apply(set);
  const migrations = [{ name: unique('empty'), up: [], down: [] }];
  await runPending(testDb(), migrations, accept);
  await revertLastBatch(testDb(), migrations, accept);
  expect(await insertMarked()).toBe(0);
  // Functions that a migration has created may call it.
  expect(await valueOf('helper()')).toBe(1);
  await testDb().raw(aFunction('of_old', 1));
  expect(await apply(set)).toEqual(['functions']);
  expect([await valueOf('of_old()'), await insertMarked()]).toEqual([2, 4]);
  // The version before has no helper.
  await apply([aFunction('of_old', 1)]);
  expect([await isFunction('helper'), await valueOf('of_old()')]).toEqual([false, 1]);
});

test.each([
  ['a table', 'CREATE TABLE t (n integer);\n', /neither a function nor a trigger: CREATE TABLE/],
  ['text before the first statement', 'DROP TABLE t;\n', /neither a function nor a trigger: DROP TABLE/],
  ['a statement without an end', aFunction('open_end', 1).replace('$$;\n', '$$'), /neither/],
  ['the same twice', aFunction('same', 1) + aFunction('same', 2), /same is created twice/],
])('files with %s are refused', (_name, text, message) => {
  expect(() => buildFunctionSet([text], [])).toThrow(message);
});

test('comments between statements change nothing', () => {
  const commented = `-- Prices.\n\n${aFunction('one', 1)}\n-- Taxes, \n-- and more.\n${aFunction('two', 2)}-- The end.\n`;
  expect(buildFunctionSet([commented], [])).toEqual(
    buildFunctionSet([aFunction('one', 1), aFunction('two', 2)], []),
  );
});
