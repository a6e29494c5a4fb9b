import {
  LastStatement,
  startStatement,
  withTransaction,
  type Tx,
} from '../../src/platform/database/transaction';
import { testDb } from '../support/database';

const ctx = { db: testDb() };

const table = 'transaction_test';

beforeAll(async () => {
  await testDb().raw(`CREATE TABLE ${table} (id integer PRIMARY KEY, note text)`);
});

beforeEach(() => testDb()(table).delete());

const insert = async (tx: Tx, id: number) => {
  await tx(table).insert({ id });
};

const ids = () => testDb()(table).orderBy('id').pluck('id');

test('the last statement is committed and yields the result', async () => {
  const result = await withTransaction(ctx, async (tx) => {
    await insert(tx, 1);
    const statement = tx(table).insert({ id: 2 }).returning<{ id: number }[]>('id');
    return LastStatement.of(statement, ([row]) => row?.id);
  });
  expect(result).toBe(2);
  expect(await ids()).toEqual([1, 2]);
});

test('the error of the last statement surfaces, and nothing is committed', async () => {
  const failing = withTransaction(ctx, async (tx) => {
    await insert(tx, 1);
    return LastStatement.of(tx(table).insert({ id: 1 }), () => null);
  });
  await expect(failing).rejects.toMatchObject({ code: '23505' });
  expect(await ids()).toEqual([]);
});

test('an error of the code after the last statement surfaces, and nothing undoes the commit', async () => {
  const failing = withTransaction(ctx, (tx) =>
    Promise.resolve(
      LastStatement.of<unknown, never>(tx(table).insert({ id: 1 }), () => {
        throw new Error('after');
      }),
    ),
  );
  await expect(failing).rejects.toThrow('after');
  expect(await ids()).toEqual([1]);
});

test('the error of the first statement surfaces, and the connection can be used again', async () => {
  const failing = withTransaction(ctx, async (tx) => {
    await tx.raw('SELECT 1 / 0');
  });
  await expect(failing).rejects.toMatchObject({ code: '22012' });
  await withTransaction(ctx, (tx) => insert(tx, 1));
  expect(await ids()).toEqual([1]);
});

test('statements sent together all surface the error of the first that fails', async () => {
  const failing = withTransaction(ctx, async (tx) => {
    await Promise.all([insert(tx, 1), insert(tx, 1), insert(tx, 2)]);
  });
  await expect(failing).rejects.toMatchObject({ code: '23505' });
  expect(await ids()).toEqual([]);
});

test('a statement that was started before the last one is committed with it', async () => {
  const result = await withTransaction(ctx, async (tx) => {
    const started = await startStatement(tx, () => insert(tx, 1));
    const last = () => tx(table).insert({ id: 2 }).returning<{ id: number }[]>('id');
    return LastStatement.sending(
      async () => last(),
      ([row]) => row?.id,
      [started.result],
    );
  });
  expect(result).toBe(2);
  expect(await ids()).toEqual([1, 2]);
});

test('the error of a statement that was started before the last one surfaces, and nothing is committed', async () => {
  await withTransaction(ctx, (tx) => insert(tx, 1));
  const failing = withTransaction(ctx, async (tx) => {
    const started = await startStatement(tx, () => insert(tx, 1));
    return LastStatement.of(tx(table).insert({ id: 2 }), () => null, [started.result]);
  });
  await expect(failing).rejects.toMatchObject({ code: '23505' });
  expect(await ids()).toEqual([1]);
});

test('a deadlock at the last statement runs the work again', async () => {
  await withTransaction(ctx, (tx) => tx(table).insert([{ id: 1 }, { id: 2 }]));
  let waiting = 0;
  let meet: () => void = () => undefined;
  const met = new Promise<void>((resolve) => (meet = resolve));
  const runs: number[] = [];
  const change = (first: number, second: number) =>
    withTransaction(ctx, async (tx) => {
      runs.push(first);
      await tx(table)
        .where({ id: first })
        .update({ note: `first ${first}` });
      if ((waiting += 1) >= 2) meet();
      await met;
      const statement = tx(table)
        .where({ id: second })
        .update({ note: `second ${first}` });
      return LastStatement.of(statement, () => null);
    });
  await Promise.all([change(1, 2), change(2, 1)]);
  expect(runs).toHaveLength(3);
  const notes = await testDb()(table).orderBy('id').pluck('note');
  // Whichever ran last wrote both.
  expect(notes).toEqual(runs.at(-1) === 1 ? ['first 1', 'second 1'] : ['second 2', 'first 2']);
});

test('a repeated statement survives a migration that adds a column', async () => {
  const read = () =>
    withTransaction(ctx, (tx) => tx(table).where({ id: 1 }).forUpdate().first<object | undefined>());
  await withTransaction(ctx, (tx) => insert(tx, 1));
  for (let time = 0; time < 5; time += 1) await read();
  await testDb().raw(`ALTER TABLE ${table} ADD COLUMN added text`);
  expect(await read()).toEqual({ id: 1, note: null, added: null });
});
