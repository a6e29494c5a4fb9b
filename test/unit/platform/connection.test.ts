import type { Client } from 'pg';
import { optimizeTransactions, relaxCommitOf } from '../../../src/platform/database/connection';
import { createStatementNames } from '../../../src/platform/database/statement-names';

/** A statement, or a query of pg, which brings its callback. */
interface Sent {
  text: string;
  name?: string;
  callback?: Callback;
}

type Callback = (error: Error | null, result?: unknown) => void;

/** Creates a connection that records what is sent and answers everything, except for the texts in `failing`. */
function createConnection(
  options: { canPrepare?: boolean; mayRelaxCommits?: boolean; beginWith?: string[]; failing?: string[] } = {},
) {
  const { canPrepare = true, mayRelaxCommits = false, beginWith = [], failing = [] } = options;
  const sent: Sent[] = [];
  let isDestroyed = false;
  const client = {
    connection: { stream: { cork: () => {}, uncork: () => {}, destroy: () => (isDestroyed = true) } },
    query: (statement: Sent, callback = statement.callback) => {
      sent.push(statement);
      const fails = failing.includes(statement.text);
      callback?.(fails ? new Error(`${statement.text} failed`) : null, { rows: [] });
    },
  };
  const connection = client as unknown as Client; // only these members are used
  optimizeTransactions(connection, {
    names: canPrepare ? createStatementNames() : null,
    mayRelaxCommits,
    beginWith,
  });
  const query = (statement: object) =>
    new Promise((resolve, reject) => {
      client.query(statement as Sent, (error, result) => (error === null ? resolve(result) : reject(error)));
    });
  return {
    connection,
    query,
    texts: () => sent.map(({ text }) => text),
    names: () => sent.map(({ name }) => name),
    isDestroyed: () => isDestroyed,
  };
}

test('BEGIN is sent with the first statement', async () => {
  const { query, texts } = createConnection();
  await query({ text: 'BEGIN;' });
  expect(texts()).toEqual([]);
  await query({ text: 'SELECT 1' });
  await query({ text: 'COMMIT;' });
  expect(texts()).toEqual(['BEGIN', 'SELECT 1', 'COMMIT;']);
});

test.each(['COMMIT;', 'ROLLBACK'])('a transaction without statements sends nothing at %s', async (end) => {
  const { query, texts } = createConnection();
  await query({ text: 'BEGIN;' });
  await query({ text: end });
  await query({ text: 'SELECT 1' });
  expect(texts()).toEqual(['SELECT 1']);
});

test('the isolation level and local settings are sent with BEGIN', async () => {
  const { query, texts } = createConnection({ beginWith: ['SET LOCAL lock_timeout = 1'] });
  await query({ text: 'BEGIN TRANSACTION ISOLATION LEVEL repeatable read;' });
  await query({ text: 'SELECT 1' });
  expect(texts()[0]).toBe('BEGIN TRANSACTION ISOLATION LEVEL repeatable read; SET LOCAL lock_timeout = 1');
});

test('a failure of BEGIN fails the statement and closes the connection', async () => {
  const { query, isDestroyed } = createConnection({ failing: ['BEGIN'] });
  await query({ text: 'BEGIN;' });
  await expect(query({ text: 'SELECT 1' })).rejects.toThrow('BEGIN failed');
  expect(isDestroyed()).toBe(true);
});

test('statements with values that transactions repeat get a name', async () => {
  const { query, names } = createConnection();
  const statement = { text: 'SELECT $1', values: [1] };
  for (let time = 0; time < 3; time += 1) await query(statement);
  await query({ text: 'BEGIN;' });
  for (let time = 0; time < 3; time += 1) await query(statement);
  for (let time = 0; time < 3; time += 1) await query({ text: 'SELECT 2', values: [] });
  expect(names()).toEqual([
    ...[undefined, undefined, undefined],
    ...[undefined, undefined, undefined, expect.stringMatching(/^repeated_/)],
    ...[undefined, undefined, undefined],
  ]);
});

test('no statement has a name behind a pooler without prepared statements', async () => {
  const { query, names } = createConnection({ canPrepare: false });
  await query({ text: 'SELECT $1', values: [1], name: 'one' });
  expect(names()).toEqual([undefined]);
});

test('a relaxed commit does not wait for the disk, and only once', async () => {
  const { connection, query, texts } = createConnection({ mayRelaxCommits: true });
  for (const isRelaxed of [true, false]) {
    await query({ text: 'BEGIN;' });
    if (isRelaxed) relaxCommitOf(connection);
    await query({ text: 'SELECT 1' });
    await query({ text: 'COMMIT;' });
  }
  expect(texts()).toEqual([
    ...['BEGIN', 'SELECT 1', 'SET LOCAL synchronous_commit = off', 'COMMIT;'],
    ...['BEGIN', 'SELECT 1', 'COMMIT;'],
  ]);
});

test('a commit is durable unless the setting allows otherwise', async () => {
  const { connection, query, texts } = createConnection();
  await query({ text: 'BEGIN;' });
  relaxCommitOf(connection);
  await query({ text: 'SELECT 1' });
  await query({ text: 'COMMIT;' });
  expect(texts()).toEqual(['BEGIN', 'SELECT 1', 'COMMIT;']);
});

test('after a renewal, statements have other names and texts; one renewal serves all that were outdated', () => {
  const names = createStatementNames();
  const statement = { name: 'one', text: 'SELECT $1' };
  const { generation } = names.qualify(statement);
  names.renew(generation);
  names.renew(generation);
  expect(names.qualify(statement)).toEqual({ name: 'one_1', text: 'SELECT $1 /* 1 */', generation: 1 });
});
