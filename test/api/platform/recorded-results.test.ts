import { randomUUID } from 'node:crypto';
import { buildErrorReply } from '../../../src/errors/error-handler';
import { Conflict, NotFound, Unavailable } from '../../../src/platform/errors';
import { withTransaction } from '../../../src/platform/database/transaction';
import { runOnce } from '../../../src/platform/idempotency/run-once';
import { testApp } from '../../support/api';
import { testDb } from '../../support/database';
import { unique } from '../../support/unique';

/** What a request does between its transactions. */
interface Steps {
  /** Before the first transaction. */
  before?: () => unknown;
  /** After the last one. */
  after?: () => unknown;
}

/** Builds a request with a key of its own, which stores one tax category in each of its transactions. */
function aRequest(transactions = 1) {
  const { db, log, now, secret } = testApp().deps;
  const counted: number[] = [];
  const quota = {
    check: () => Promise.resolve(),
    count: (bytes: number) => Promise.resolve(void counted.push(bytes)),
  };
  const deps = { db, log, now, secret, errorReply: buildErrorReply, quota };
  const key = { scope: ['a client', randomUUID()], request: ['POST', '/countries'] };
  const names = Array.from({ length: transactions }, () => unique('Books'));
  const send = ({ before, after }: Steps = {}) =>
    runOnce(deps, key, async (transactionHooks) => {
      await before?.();
      const results: string[] = [];
      for (const name of names) {
        const result = await withTransaction({ db, transactionHooks }, async (tx) => {
          await tx('tax_categories').insert({ name });
          return name;
        });
        results.push(result);
      }
      await after?.();
      return { status: 201, headers: {}, body: results.join() };
    });
  const listStored = (): Promise<string[]> =>
    testDb()('tax_categories').whereIn('name', names).orderBy('id').pluck('name');
  return { names, send, counted, listStored };
}

const raise = (error: Error) => () => {
  throw error;
};

const killed = { after: raise(new TypeError('killed before its reply')) };

test('a repeated request recalls each result of its transactions once, in their order', async () => {
  const { names, send, listStored } = aRequest(3);
  await expect(send(killed)).rejects.toThrow(TypeError);
  expect(await send()).toMatchObject({ reply: { body: names.join() }, isReplayed: false });
  expect(await listStored()).toEqual(names);
});

test('a refusal after all recorded results is kept', async () => {
  const { send } = aRequest(2);
  await expect(send(killed)).rejects.toThrow(TypeError);
  await expect(send({ after: raise(new NotFound()) })).rejects.toThrow(NotFound);
  expect(await send()).toMatchObject({ reply: { status: 404 }, isReplayed: true });
});

test('a reply of 503 is not kept', async () => {
  const { names, send } = aRequest();
  await expect(send({ before: raise(new Unavailable('too many requests')) })).rejects.toThrow(Unavailable);
  expect(await send()).toMatchObject({ reply: { status: 201, body: names.join() }, isReplayed: false });
});

test('a request whose key another one has taken over commits nothing', async () => {
  const { send, listStored } = aRequest();
  const takeOver = () => testDb()('idempotency_keys').update({ claim: randomUUID() });
  await expect(send({ before: takeOver })).rejects.toThrow(Conflict);
  expect(await listStored()).toEqual([]);
});

test('a key that cannot be claimed for another reason than a lock is an error, and nothing is done', async () => {
  await testDb().raw(`CREATE FUNCTION lose_key() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'no room for keys'; END $$;
    CREATE TRIGGER lose_key BEFORE INSERT ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION lose_key()`);
  const { send, listStored } = aRequest();
  try {
    await expect(send()).rejects.toThrow('no room for keys');
  } finally {
    await testDb().raw('DROP FUNCTION lose_key CASCADE');
  }
  expect(await listStored()).toEqual([]);
});

test('a refusal that is not kept takes no space without results', async () => {
  const { send, counted } = aRequest();
  await expect(send({ before: raise(new Conflict('not now')) })).rejects.toThrow(Conflict);
  expect(counted).toEqual([]);
});

test('a kept reply takes the space of its key and of its bytes', async () => {
  const { names, send, counted } = aRequest();
  await send();
  expect(counted).toEqual([expect.any(Number)]);
  expect(counted[0]).toBeGreaterThan(600 + names.join().length);
});
