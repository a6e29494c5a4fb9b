import type { Knex } from 'knex';
import { getClient } from '../../src/platform/database/knex-client';
import type { Session } from '../../src/platform/database/session';
import { testDb } from './database';

/**
 * Returns the number of statements that `work` sends to the database. Other tests of the file run before or
 * after it.
 */
export async function countQueries(work: () => Promise<unknown>, db: Knex = testDb()): Promise<number> {
  return (await listQueries(work, db)).length;
}

/** Returns the statements that `work` sends to the database, with numbered placeholders. */
export async function listQueries(work: () => Promise<unknown>, db: Knex = testDb()): Promise<string[]> {
  const sent: string[] = [];
  const note = ({ sql }: { sql: string }): void => {
    sent.push(sql);
  };
  db.on('query', note);
  try {
    await work();
  } finally {
    db.off('query', note);
  }
  return sent;
}

/** Returns the plans of the statements that begin with `start` among those that `work` sends, as they are planned afterwards. */
export async function explainQueries(start: string, work: () => Promise<unknown>): Promise<string[]> {
  const sent: { sql: string; bindings: Knex.RawBinding[] }[] = [];
  const note = (statement: { sql: string; bindings: Knex.RawBinding[] }): void => {
    if (statement.sql.startsWith(start)) sent.push(statement);
  };
  testDb().on('query', note);
  await work();
  testDb().off('query', note);
  const plans: string[] = [];
  for (const { sql, bindings } of sent) {
    const { rows } = await testDb().raw<{ rows: { 'QUERY PLAN': string }[] }>(
      `EXPLAIN ${sql.replace(/\$\d+/g, '?')}`,
      bindings,
    );
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
  }
  return plans;
}

/** Gives tables the statistics that autovacuum leaves when it has found no rows. PostgreSQL then joins by nested loops. */
export async function setEmptyStatistics(...tables: string[]): Promise<void> {
  await testDb()('pg_class').whereIn('relname', tables).update({ reltuples: 0, relpages: 1 });
}

/** Returns the number of round trips of `work` to the database. Statements that are sent together make one. */
export async function countWaits(work: () => Promise<unknown>): Promise<number> {
  const client = getClient(testDb());
  const acquire = client.acquireConnection.bind(client);
  const counted = new Map<Session, jest.SpyInstance>();
  let waits = 0;
  const count = (session: Session): void => {
    const query = session.query.bind(session);
    let isAnswered = true;
    const spy = jest.spyOn(session, 'query').mockImplementation((statement, callback) => {
      // BEGIN is sent with the next statement.
      if (/^BEGIN\b/.test(statement.text)) return query(statement, callback);
      if (isAnswered) waits++;
      isAnswered = false;
      return query(statement, (error, result) => {
        isAnswered = true;
        callback(error, result);
      });
    });
    counted.set(session, spy);
  };
  const spy = jest.spyOn(client, 'acquireConnection').mockImplementation(async () => {
    const session = (await acquire()) as Session; // a `SessionPool` lends them
    if (!counted.has(session)) count(session);
    return session;
  });
  try {
    await work();
  } finally {
    for (const one of [spy, ...counted.values()]) one.mockRestore();
  }
  return waits;
}
