import knex, { type Knex } from 'knex';
import type { Client } from 'pg';
import type { Logger } from 'pino';

/** Where a read may happen: the pool, or a transaction (which is a Knex too). */
export type Db = Knex;

/**
 * How long a connection waits. `request`: a lost or frozen database must have answered the caller with 503 within
 * three seconds. `maintenance`: migrations, seeds and tools, which may take as long as they take.
 */
export type TimeoutProfile = 'request' | 'maintenance';

export interface DatabaseOptions {
  /** Asked once, at the first connection, when it is a function. */
  url: string | (() => Promise<string>);
  poolSize: number;
  log: Logger;
  /** `request` unless told. */
  timeouts?: TimeoutProfile;
}

const CONNECT_MS = 2_000;
const ACQUIRE_MS = 2_500;

/** Limits kept by the server; in milliseconds, 0 for none. A lock is given up before its statement is. */
const SERVER_LIMITS: Record<TimeoutProfile, Record<string, number>> = {
  request: { statement_timeout: 2_300, lock_timeout: 2_000, idle_in_transaction_session_timeout: 10_000 },
  maintenance: { statement_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0 },
};

/** Kept by the client, for a server that is frozen and cannot keep its own; a little above statement_timeout. */
const QUERY_TIMEOUT_MS = 2_500;

/**
 * Opens a pool; connects at the first query. numeric and bigint arrive as strings, timestamptz as Date, count(*) as
 * a string that callers cast. Broken and silent connections are thrown away, so it recovers without a restart; what
 * a lost database throws is recognised by `isDatabaseUnavailable`. Close it with `closeDatabase`.
 */
export function connectDatabase({ url, poolSize, log, timeouts: patience = 'request' }: DatabaseOptions): Knex {
  const connections = new Map<string, Client>();
  const settings = {
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    application_name: 'store',
    ...(patience === 'request' && { query_timeout: QUERY_TIMEOUT_MS }),
  };
  const db = knex({
    client: 'pg',
    connection:
      typeof url === 'string'
        ? { connectionString: url, ...settings }
        : async () => ({ connectionString: await url(), ...settings }),
    // Messages are logged: they show the statement, never the values in it.
    compileSqlOnError: false,
    acquireConnectionTimeout: patience === 'request' ? ACQUIRE_MS : 30_000,
    pool: {
      min: 0,
      max: poolSize,
      afterCreate: (connection: PooledClient, done: (error?: Error) => void) => {
        connections.set(connection.__knexUid, connection);
        connection.once('end', () => connections.delete(connection.__knexUid));
        setSessionLimits(connection, patience).then(() => done(), done);
      },
    },
    // The pool's warnings repeat, for every waiting request, what that request's own log line says.
    log: {
      warn: (message) => log.debug(String(message)),
      error: (message) => log.error(String(message)),
      deprecate: (method, alternative) => log.warn({ method, alternative }, 'deprecated knex method'),
      debug: (message) => log.trace(String(message)),
    },
  });
  db.on('query-error', (error: Error, query: { __knexUid: string }) => {
    // The server never answered: the connection's place in the protocol is unknown, and the ROLLBACK that is
    // about to be sent on it would wait as long again. (Knex puts the statement before the message.)
    if (error.message.endsWith(QUERY_TIMEOUT_MESSAGE)) destroySocket(connections.get(query.__knexUid));
  });
  return db;
}

/** What pg says when `query_timeout` has passed. */
export const QUERY_TIMEOUT_MESSAGE = 'Query read timeout';

/** Knex names each pooled connection; its query events carry that name. */
type PooledClient = Client & { __knexUid: string };

// Not as start-up parameters: PgBouncer refuses those, or drops them silently.
async function setSessionLimits(connection: Client, patience: TimeoutProfile): Promise<void> {
  const statements = Object.entries(SERVER_LIMITS[patience]).map(([name, ms]) => `SET ${name} = ${ms}`);
  await connection.query(statements.join('; '));
}

function destroySocket(connection: Client | undefined): void {
  if (connection === undefined) return;
  // `connection.stream` is pg's documented socket; the type declarations do not name it.
  const { stream } = (connection as unknown as { connection: { stream: { destroy(): void } } }).connection;
  stream.destroy();
}

/** Closes the pool, waiting at most `withinMs` for connections that do not say goodbye. Never throws. */
export async function closeDatabase(db: Knex, withinMs = 1_000): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, withinMs);
    const finish = () => {
      clearTimeout(timer);
      resolve();
    };
    db.destroy().then(finish, finish);
  });
}
