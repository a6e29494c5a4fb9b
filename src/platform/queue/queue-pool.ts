import type { Knex } from 'knex';
import { Pool, type ClientBase } from 'pg';
import { SESSION_FORMS } from '../database/knex';
import { acquireSession, getClient } from '../database/knex-client';
import { buildApplicationName } from '../process-identity';

const CONNECT_MS = 5_000;
/** A frozen server must not hold a worker for ever. The statements of the queue are short. */
const QUERY_MS = 10_000;

/**
 * Creates the connections of the queue, which needs the plain driver: connections of knex are in pipeline mode and receive no
 * notifications.
 */
export function createQueuePool(url: string, max: number): Pool {
  return buildPool({ connectionString: url, max });
}

/**
 * Lets a failed statement of the time table, which alone queries through the pool, end the worker as other failures do. The package
 * leaves a promise of it unhandled, which would end the process. So the statement is reported and returns no rows, once the worker
 * stops.
 */
export function reportFailedStatements(
  pool: Pool,
  { onFailure, untilStopping }: { onFailure: (error: unknown) => void; untilStopping: Promise<void> },
): void {
  type Query = (text: string, values?: unknown[]) => Promise<object>;
  // The time table uses this one of the overloads.
  const query = pool.query.bind(pool) as Query;
  const survive: Query = async (text, values) => {
    try {
      return await query(text, values);
    } catch (error) {
      onFailure(error);
      await untilStopping;
      return { rows: [] };
    }
  };
  pool.query = survive as Pool['query'];
}

/** Creates connections to the database of a pool of knex, for one short use. */
export async function createQueuePoolLike(db: Knex, max: number): Promise<Pool> {
  const client = getClient(db);
  const session = await acquireSession(client);
  try {
    const { user, host, port, database, password, ssl } = session.client;
    return buildPool({ user, host, port, database, password, ssl, max });
  } finally {
    await client.releaseConnection(session);
  }
}

function buildPool(config: object): Pool {
  // The pool waits for the promise, which its types do not say.
  const hooks: object = {
    onConnect: (client: ClientBase) =>
      client.query(SESSION_FORMS.map((setting) => `SET ${setting}`).join('; ')),
  };
  const pool = new Pool({
    ...config,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUERY_MS,
    keepAlive: true,
    application_name: buildApplicationName('queue'),
    ...hooks,
  });
  // The queue listens only while it works. Between that and `end`, a lost idle connection would end the program.
  pool.on('error', () => undefined);
  return pool;
}
