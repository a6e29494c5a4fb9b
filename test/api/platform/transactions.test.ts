import { pino } from 'pino';
import { closeDatabase, connectDatabase } from '../../../src/platform/database/knex';
import {
  Restart,
  runStatement,
  withTransaction,
  type TransactionHooks,
  type Tx,
} from '../../../src/platform/database/transaction';
import { Conflict } from '../../../src/platform/errors';
import { ensureTestDatabase, testDb } from '../../support/database';
import { countQueries } from '../../support/queries';

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

const INSERT = { name: 'test_insert', sql: `INSERT INTO ${table} (id) VALUES (?) RETURNING id` };

describe('a write that nothing waits for', () => {
  test('runs before later statements, and is committed', async () => {
    const seen = await withTransaction(ctx, (tx) => {
      tx.write(INSERT, [1]);
      tx.write(INSERT, [2]);
      return tx.query<{ id: number }>({ name: null, sql: `SELECT id FROM ${table} ORDER BY id` }, []);
    });
    expect(seen).toEqual([{ id: 1 }, { id: 2 }]);
    expect(await ids()).toEqual([1, 2]);
  });

  test('throws its error at the end, and nothing is committed', async () => {
    const failing = withTransaction(ctx, (tx) => {
      for (const id of [1, 1, 2]) tx.write(INSERT, [id]);
      return Promise.resolve('done');
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect(await ids()).toEqual([]);
  });

  test('is the cause of the failure of later statements', async () => {
    const failing = withTransaction(ctx, async (tx) => {
      tx.write(INSERT, [1]);
      tx.write(INSERT, [1]);
      await insert(tx, 2);
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect(await ids()).toEqual([]);
  });

  test('runs the work again if a generated value is taken, and at most three times', async () => {
    await withTransaction(ctx, (tx) => insert(tx, 1));
    const generated = { ...INSERT, name: 'test_generated', generates: [`${table}_pkey`] };
    const attempt = (values: number[]) =>
      withTransaction(ctx, (tx) => {
        tx.write(generated, [values.shift() ?? 1]);
        return Promise.resolve(values.length);
      });
    expect(await attempt([1, 1, 3, 4])).toBe(1);
    await expect(attempt([1, 1, 1, 4])).rejects.toBeInstanceOf(Conflict);
    expect(await ids()).toEqual([1, 3]);
    // Of other constraints and of statements with values of clients, the violation surfaces.
    const given = withTransaction(ctx, (tx) => Promise.resolve(tx.write(INSERT, [1])));
    await expect(given).rejects.toMatchObject({ code: '23505' });
  });

  test('belongs to its savepoint', async () => {
    const kept = await withTransaction(ctx, async (tx) => {
      const inner = withTransaction({ db: tx }, (nested) => {
        for (const id of [1, 1]) nested.write(INSERT, [id]);
        return Promise.resolve();
      });
      await expect(inner).rejects.toMatchObject({ code: '23505' });
      tx.write(INSERT, [2]);
      return 'kept';
    });
    expect(kept).toBe('kept');
    expect(await ids()).toEqual([2]);
  });
});

test('a restart of the work runs it again', async () => {
  let runs = 0;
  await withTransaction(ctx, async (tx) => {
    runs += 1;
    await insert(tx, runs);
    if (runs < 3) throw new Restart('once more');
  });
  expect(await ids()).toEqual([3]);
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

test('a deadlock at a write that nothing waits for runs the work again', async () => {
  await withTransaction(ctx, (tx) => tx(table).insert([{ id: 1 }, { id: 2 }]));
  let waiting = 0;
  let meet: () => void = () => undefined;
  const met = new Promise<void>((resolve) => (meet = resolve));
  const runs: number[] = [];
  const change = (first: number, second: number, other: () => Promise<void>) =>
    withTransaction(ctx, async (tx) => {
      runs.push(first);
      // Otherwise both could meet again, until the last attempt.
      if (runs.length > 2) await other();
      await tx(table)
        .where({ id: first })
        .update({ note: `first ${first}` });
      if ((waiting += 1) >= 2) meet();
      await met;
      tx.write({ name: null, sql: `UPDATE ${table} SET note = ? WHERE id = ?` }, [`second ${first}`, second]);
    });
  const one: Promise<void> = change(1, 2, () => another);
  const another: Promise<void> = change(2, 1, () => one);
  await Promise.all([one, another]);
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

describe('a transaction whose statement reaches its time limit', () => {
  const limited = (work: (tx: Tx) => Promise<unknown>) =>
    withTransaction(ctx, async (tx) => {
      await tx.raw('SET LOCAL statement_timeout = 250');
      await work(tx);
    });

  test('conflicts if the statement was waiting for a lock', async () => {
    // The second in a queue waits for two locks, and the time limit of locks begins again with the second one.
    await withTransaction(ctx, (tx) => insert(tx, 1));
    await withTransaction(ctx, async (holder) => {
      await holder(table).where({ id: 1 }).forUpdate();
      const locking = limited((tx) => tx(table).where({ id: 1 }).forUpdate());
      await expect(locking).rejects.toBeInstanceOf(Conflict);
      const updating = limited((tx) => tx(table).where({ id: 1 }).update({ note: 'changed' }));
      await expect(updating).rejects.toBeInstanceOf(Conflict);
    });
  });

  test('fails if the statement was slow', async () => {
    const slow = limited((tx) => tx.raw('SELECT pg_sleep(5)'));
    await expect(slow).rejects.toMatchObject({ code: '57014' });
  });
});

describe('a use case of one statement', () => {
  const insertOf = (id: number) => ({ statement: INSERT, bindings: [id] });
  const author = {
    user_id: null,
    user_email: 'a job',
    api_token_name: null,
    request_id: null,
    address: null,
  };

  test('runs without BEGIN and COMMIT, and is stored', async () => {
    const count = await countQueries(async () => {
      expect(await runStatement(ctx, insertOf(1))).toEqual([{ id: 1 }]);
    });
    expect([count, await ids()]).toEqual([1, [1]]);
  });

  test('stores nothing if it fails', async () => {
    await runStatement(ctx, insertOf(1));
    await expect(runStatement(ctx, insertOf(1))).rejects.toMatchObject({ code: '23505' });
    expect(await ids()).toEqual([1]);
  });

  test('names the author for the audit log', async () => {
    const sql = "SELECT current_setting('store.author')::json ->> 'user_email' AS author";
    const read = { statement: { name: 'test_author', sql }, bindings: [] };
    expect(await runStatement({ ...ctx, author }, read)).toEqual([{ author: 'a job' }]);
  });

  test('runs with the hooks of the request in one transaction', async () => {
    const results: unknown[] = [];
    const hooks: TransactionHooks = {
      recall: () => (results.length === 0 ? null : { result: results[0] }),
      isolationLevel: () => undefined,
      begin: (tx) => insert(tx, 1),
      end: async (tx, result) => {
        await insert(tx, 3);
        results.push(result);
      },
      committed: () => undefined,
    };
    const hooked = { ...ctx, transactionHooks: hooks };
    expect(await runStatement(hooked, insertOf(2))).toEqual([{ id: 2 }]);
    expect(await runStatement(hooked, insertOf(2))).toEqual([{ id: 2 }]);
    expect(await ids()).toEqual([1, 2, 3]);
    await testDb()(table).where({ id: 1 }).delete();
    results.length = 0;
    await expect(runStatement(hooked, insertOf(2))).rejects.toMatchObject({ code: '23505' });
    expect(await ids()).toEqual([2, 3]);
  });

  test('runs again after a serialization failure, and at most three times', async () => {
    await testDb().raw(`
      CREATE SEQUENCE test_attempts;
      CREATE FUNCTION test_fail(times integer) RETURNS bigint LANGUAGE plpgsql AS $$
      DECLARE attempt bigint := nextval('test_attempts');
      BEGIN
        IF attempt <= times THEN RAISE EXCEPTION 'conflict' USING ERRCODE = '40001'; END IF;
        RETURN attempt;
      END $$;`);
    const statement = { name: 'test_fail', sql: 'SELECT test_fail(?) AS attempt' };
    expect(await runStatement(ctx, { statement, bindings: [2] })).toEqual([{ attempt: '3' }]);
    await expect(runStatement(ctx, { statement, bindings: [6] })).rejects.toThrow('conflicting transactions');
  });

  test('conflicts if it waits for a lock for too long', async () => {
    const sql = `DO $$ BEGIN RAISE EXCEPTION 'canceling' USING ERRCODE = '55P03'; END $$`;
    const refused = runStatement(ctx, { statement: { name: 'test_lock', sql }, bindings: [] });
    await expect(refused).rejects.toBeInstanceOf(Conflict);
  });

  test('has the settings that the transactions of its pool begin with', async () => {
    const url = await ensureTestDatabase();
    const db = connectDatabase({
      url,
      poolSize: 1,
      log: pino({ level: 'silent' }),
      pooler: { canPrepare: true },
    });
    try {
      const statement = { name: 'test_timeout', sql: 'SHOW lock_timeout' };
      expect(await runStatement({ db }, { statement, bindings: [] })).toEqual([{ lock_timeout: '2s' }]);
    } finally {
      await closeDatabase(db);
    }
  });

  test('keeps its transaction in a pool that may relax commits', async () => {
    const log = pino({ level: 'silent' });
    const db = connectDatabase({
      url: await ensureTestDatabase(),
      poolSize: 1,
      log,
      mayRelaxCommits: true,
    });
    try {
      const count = await countQueries(() => runStatement({ db }, insertOf(9), { isRelaxed: true }), db);
      expect([count, await ids()]).toEqual([3, [9]]);
    } finally {
      await closeDatabase(db);
    }
  });
});
