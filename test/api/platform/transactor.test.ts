import type { Knex } from 'knex';
import { pino } from 'pino';
import { closeDatabase, connectDatabase } from '../../../src/platform/database/knex';
import { queryPrepared } from '../../../src/platform/database/prepared';
import { withTransaction, type Tx } from '../../../src/platform/database/transaction';
import { ensureTestDatabase, testDb } from '../../support/database';
import { listQueries } from '../../support/queries';

const ctx = { db: testDb() };

const table = 'used_up_test';

beforeAll(async () => {
  await testDb().raw(`CREATE TABLE ${table} (id integer PRIMARY KEY, note text)`);
});

beforeEach(() => testDb()(table).delete());

const insert = async (tx: Tx, id: number) => {
  await tx(table).insert({ id });
};

/** Violates a deferred constraint, so that COMMIT fails. */
const deferFailure = async (tx: Tx) => {
  await tx.raw(
    `ALTER TABLE ${table} ADD CONSTRAINT ${table}_late UNIQUE (note) DEFERRABLE INITIALLY DEFERRED`,
  );
  await tx(table).insert([
    { id: 8, note: 'same' },
    { id: 9, note: 'same' },
  ]);
};

const ids = () => testDb()(table).orderBy('id').pluck('id');

describe('a transaction that has ended', () => {
  /** Returns a transaction after its end, with statements that it has built before. */
  const endAndReturn = async (end: 'commit' | 'rollback') => {
    const kept = await withTransaction(ctx, (tx) => {
      const built = [tx(table).insert({ id: 1 }), tx.raw(`INSERT INTO ${table} VALUES (2)`)];
      const used = { tx, built };
      return end === 'commit'
        ? Promise.resolve([used])
        : Promise.reject(Object.assign(new Error(), { used }));
    }).catch((error: { used: { tx: Tx; built: PromiseLike<unknown>[] } }) => [error.used]);
    const [used] = kept;
    if (used === undefined) throw new Error('the transaction did not run');
    return used;
  };

  test.each(['commit', 'rollback'] as const)(
    'refuses statements, also while its connection runs another: %s',
    async (end) => {
      const { tx, built } = await endAndReturn(end);
      const late = [
        ...built,
        tx(table).insert({ id: 3 }),
        tx.raw(`INSERT INTO ${table} VALUES (4)`),
        queryPrepared(tx, { name: 'test_used_up', sql: `INSERT INTO ${table} VALUES (5)` }, []),
      ];
      await withTransaction(ctx, async (other) => {
        await insert(other, 6);
        for (const statement of late) await expect(statement).rejects.toThrow('has already ended');
      });
      expect(await ids()).toEqual([6]);
    },
  );
});

describe('a pool of one connection', () => {
  const withPool = async (work: (db: Knex) => Promise<void>): Promise<void> => {
    const db = connectDatabase({
      url: await ensureTestDatabase(),
      poolSize: 1,
      log: pino({ level: 'silent' }),
    });
    try {
      await work(db);
    } finally {
      await closeDatabase(db);
    }
  };

  test('gets its connection back after every end of a transaction', () =>
    withPool(async (db) => {
      await withTransaction({ db }, (tx) => insert(tx, 1));
      await expect(withTransaction({ db }, () => Promise.reject(new Error('undo')))).rejects.toThrow('undo');
      const failing = (tx: Tx) => {
        tx.write({ name: null, sql: `INSERT INTO ${table} (id) VALUES (?)` }, [1]);
        return Promise.resolve();
      };
      await expect(withTransaction({ db }, failing)).rejects.toMatchObject({
        code: '23505',
      });
      await expect(withTransaction({ db }, deferFailure)).rejects.toMatchObject({ code: '23505' });
      await withTransaction({ db }, (tx) => insert(tx, 2));
      expect(await ids()).toEqual([1, 2]);
    }));

  test('replaces a connection that is lost in a transaction', () =>
    withPool(async (db) => {
      const lost = withTransaction({ db }, async (tx) => {
        await insert(tx, 1);
        await tx.raw('SELECT pg_terminate_backend(pg_backend_pid())');
      });
      await expect(lost).rejects.toThrow();
      await withTransaction({ db }, (tx) => insert(tx, 2));
      expect(await ids()).toEqual([2]);
    }));

  test('reports all statements of a transaction, however they are sent', () =>
    withPool(async (db) => {
      const sent = await listQueries(
        () =>
          withTransaction({ db }, async (tx) => {
            await insert(tx, 1);
            tx.write({ name: null, sql: `DELETE FROM ${table}` }, []);
          }),
        db,
      );
      expect(sent.map((sql) => sql.split(' ')[0])).toEqual(['BEGIN', 'insert', 'DELETE', 'COMMIT;']);
    }));
});

test('every builder of a transaction runs in it, also a copy', () =>
  withTransaction(ctx, async (tx) => {
    await insert(tx, 1);
    expect(await tx(table).clone().pluck('id')).toEqual([1]);
    expect(await tx.from(table).pluck('id')).toEqual([1]);
    expect(await tx.select('id').from(table)).toEqual([{ id: 1 }]);
    const found = tx.withMaterialized('found', tx(table).select('id')).from('found').pluck('id');
    expect(await found).toEqual([1]);
    expect(await tx.from(tx.unionAll([tx(table).select('id')], true).as('all')).pluck('id')).toEqual([1]);
  }));

describe('inside a transaction of knex', () => {
  const violate = (tx: Tx) => {
    tx.write({ name: 'test_taken', sql: `INSERT INTO ${table} VALUES (1)` }, []);
    return Promise.resolve();
  };

  test.each([
    ['its work', () => Promise.reject(new Error('refused'))],
    ['one of its writes', violate],
  ] as const)(
    'a transaction is a savepoint, and a failure of %s undoes nothing before it',
    async (_what, fail) => {
      const outer = await testDb().transaction();
      try {
        await outer(table).insert({ id: 1 });
        await withTransaction({ db: outer }, (tx) => insert(tx, 2));
        const failing = withTransaction({ db: outer }, async (tx): Promise<unknown> => {
          await insert(tx, 3);
          return fail(tx);
        });
        await expect(failing).rejects.toThrow(/refused|duplicate key/);
        expect(await outer(table).orderBy('id').pluck('id')).toEqual([1, 2]);
      } finally {
        await outer.rollback();
      }
      expect(await ids()).toEqual([]);
    },
  );
});
