import type { PoolClient } from 'pg';
import { Session, type SentStatement } from '../../../src/platform/database/session';

type Callback = (error: Error | null, result: object) => void;

/** Creates a session that records what is sent and answers everything, except for the texts in `failing`. */
function createSession(
  options: { canPrepare?: boolean; mayRelaxCommits?: boolean; beginWith?: string[]; failing?: string[] } = {},
) {
  const { canPrepare = true, mayRelaxCommits = false, beginWith = [], failing = [] } = options;
  const sent: SentStatement[] = [];
  let isDestroyed = false;
  const client = {
    connection: { stream: { cork: () => {}, uncork: () => {}, destroy: () => (isDestroyed = true) } },
    query: (statement: string | SentStatement, ...rest: unknown[]) => {
      const one = typeof statement === 'string' ? { text: statement } : statement;
      sent.push(one);
      const callback = rest.at(-1) as Callback; // the session always passes one
      callback(failing.includes(one.text) ? new Error(`${one.text} failed`) : null, { rows: [] });
    },
  };
  // Only these members are used.
  const session = new Session(client as unknown as PoolClient, {
    canPrepare,
    mayRelaxCommits,
    beginWith,
    observers: [],
  });
  const query = (statement: SentStatement) =>
    new Promise((resolve, reject) => {
      session.query(statement, (error, result) => (error === null ? resolve(result) : reject(error)));
    });
  return {
    session,
    query,
    texts: () => sent.map(({ text }) => text),
    names: () => sent.map(({ name }) => name),
    timeouts: () => sent.map(({ query_timeout }) => query_timeout),
    isDestroyed: () => isDestroyed,
  };
}

test('BEGIN is sent with the first statement', async () => {
  const { query, texts } = createSession();
  await query({ text: 'BEGIN;' });
  expect(texts()).toEqual([]);
  await query({ text: 'SELECT 1' });
  await query({ text: 'COMMIT;' });
  expect(texts()).toEqual(['BEGIN', 'SELECT 1', 'COMMIT;']);
});

test.each(['COMMIT;', 'ROLLBACK'])('a transaction without statements sends nothing at %s', async (end) => {
  const { query, texts } = createSession();
  await query({ text: 'BEGIN;' });
  await query({ text: end });
  await query({ text: 'SELECT 1' });
  expect(texts()).toEqual(['SELECT 1']);
});

test('the isolation level and local settings are sent with BEGIN', async () => {
  const { query, texts } = createSession({ beginWith: ['SET LOCAL lock_timeout = 1'] });
  await query({ text: 'BEGIN TRANSACTION ISOLATION LEVEL repeatable read;' });
  await query({ text: 'SELECT 1' });
  expect(texts()[0]).toBe('BEGIN TRANSACTION ISOLATION LEVEL repeatable read; SET LOCAL lock_timeout = 1');
});

test('a failure of BEGIN fails the statement and closes the connection', async () => {
  const { query, isDestroyed } = createSession({ failing: ['BEGIN'] });
  await query({ text: 'BEGIN;' });
  await expect(query({ text: 'SELECT 1' })).rejects.toThrow('BEGIN failed');
  expect(isDestroyed()).toBe(true);
});

test('no statement has a name behind a pooler without prepared statements', async () => {
  const { query, names } = createSession({ canPrepare: false });
  await query({ text: 'SELECT $1', values: [1], name: 'one' });
  expect(names()).toEqual([undefined]);
});

test('a statement may have a time limit of its own', async () => {
  const { query, timeouts } = createSession();
  await query({ text: 'SELECT pg_sleep($1)', values: [5], query_timeout: 31_000 });
  await query({ text: 'SELECT 1', values: [] });
  expect(timeouts()).toEqual([31_000, undefined]);
});

test('a relaxed commit does not wait for the disk, and only once', async () => {
  const { session, query, texts } = createSession({ mayRelaxCommits: true });
  for (const isRelaxed of [true, false]) {
    await query({ text: 'BEGIN;' });
    if (isRelaxed) session.relaxCommit();
    await query({ text: 'SELECT 1' });
    await query({ text: 'COMMIT;' });
  }
  expect(texts()).toEqual([
    ...['BEGIN', 'SELECT 1', 'SET LOCAL synchronous_commit = off', 'COMMIT;'],
    ...['BEGIN', 'SELECT 1', 'COMMIT;'],
  ]);
});

test('a commit is durable unless the setting allows otherwise', async () => {
  const { session, query, texts } = createSession();
  await query({ text: 'BEGIN;' });
  session.relaxCommit();
  await query({ text: 'SELECT 1' });
  await query({ text: 'COMMIT;' });
  expect(texts()).toEqual(['BEGIN', 'SELECT 1', 'COMMIT;']);
});
