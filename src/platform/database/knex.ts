import knex, { type Knex } from 'knex';
import type { Client } from 'pg';
import type { Logger } from 'pino';
import { destroyConnection, optimizeTransactions } from './connection';
import { readErrorCode } from '../error-code';
import { buildApplicationName } from '../process-identity';
import { createHostChoice, SERVER_STATE, type ServerState } from './hosts';
import { READ_ONLY_STATE } from './pg-errors';
import { noteLostConnection } from '../lost-connections';
import type { PooledConnection } from './pooled-connection';
import type { Pooler } from './pooler';
import { logSlowStatements } from './slow-statements';
import { watchPool } from '../metrics/metrics';
import { traceStatements } from './traced-statements';
import { isTracing } from '../tracing';
import { createStatementNames } from './statement-names';

/** A connection for reads: the pool or a transaction. */
export type Db = Knex;

/**
 * The time limits of a connection. `request`: if the database is lost or frozen, the request must fail with 503 within
 * three seconds. `maintenance`: no limits, for migrations, seeds and tools.
 */
export type TimeoutProfile = 'request' | 'maintenance';

export interface DatabaseOptions {
  /** May name several hosts (`hosts.ts`). A function is called once, for the first connection. */
  url: string | (() => Promise<string>);
  poolSize: number;
  log: Logger;
  /** Defaults to `request`. */
  timeouts?: TimeoutProfile;
  /** Whether `relaxCommit` has an effect. Defaults to false. */
  mayRelaxCommits?: boolean;
  /** The pooler at `url`. Defaults to null: the connections lead to PostgreSQL. */
  pooler?: Pooler | null;
  /** Whether PostgreSQL must refuse writes. Not enforced behind a pooler. Defaults to false. */
  isReadOnly?: boolean;
  /** Statements that take longer are logged, in milliseconds. Defaults to 0: none are. */
  slowStatementMs?: number;
  /** What the process does, for `application_name`. Defaults to the role of a server process. */
  role?: string;
  /** Names the pool in metrics. Defaults to `primary`. */
  poolName?: string;
}

const CONNECT_MS = 2_000;
const ACQUIRE_MS = 2_500;

/**
 * Limits enforced by the server, in milliseconds; 0 means none. The lock timeout expires before the statement timeout.
 */
const SERVER_LIMITS: Record<TimeoutProfile, Record<string, number>> = {
  request: { statement_timeout: 2_300, lock_timeout: 2_000, idle_in_transaction_session_timeout: 10_000 },
  maintenance: { statement_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0 },
};

/** Enforced by the client, because a frozen server cannot enforce its own. Slightly longer than statement_timeout. */
const QUERY_TIMEOUT_MS = 2_500;

/**
 * Creates a pool, which connects at the first query. Values of type numeric and bigint are strings, including count(*);
 * timestamptz is Date. Broken and unresponsive connections are discarded, so the pool recovers without a restart.
 * `isDatabaseUnavailable` recognizes the errors of a lost database. Close the pool with `closeDatabase`.
 */
export function connectDatabase(options: DatabaseOptions): Knex {
  const { url, poolSize, log, timeouts = 'request', mayRelaxCommits = false, pooler = null } = options;
  const { slowStatementMs = 0, role, isReadOnly = false, poolName = 'primary' } = options;
  const connections = new Map<string, Client>();
  const names = pooler?.canPrepare === false ? null : createStatementNames();
  const session = buildSessionSettings(options);
  // A pooler passes the transactions of one connection to different server connections, whose settings must not change.
  const beginWith = pooler === null ? [] : session.map((setting) => `SET LOCAL ${setting}`);
  const settings = {
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    application_name: buildApplicationName(role),
    pipeline: true,
    ...(timeouts === 'request' && { query_timeout: QUERY_TIMEOUT_MS }),
  };
  const retired = new WeakSet<Client>();
  const retireConnections = () => {
    noteLostConnection();
    for (const connection of connections.values()) retired.add(connection);
  };
  const host = createHostChoice(url, { withinMs: CONNECT_MS, onMove: retireConnections });
  const retire = () => {
    host.reopen();
    retireConnections();
  };
  const db = knex({
    client: 'pg',
    connection: async () => ({
      connectionString: await host.choose(),
      ...settings,
      expirationChecker: host.isOpen,
    }),
    // Messages are logged, so they must contain the statement without its values.
    compileSqlOnError: false,
    acquireConnectionTimeout: timeouts === 'request' ? ACQUIRE_MS : 30_000,
    pool: {
      min: 0,
      max: poolSize,
      validate: (connection: Client) => !retired.has(connection),
      afterCreate: (connection: PooledConnection, done: (error?: Error) => void) => {
        connections.set(connection.__knexUid, connection);
        connection.once('end', () => connections.delete(connection.__knexUid));
        connection.once('error', () => {
          host.reopen();
          noteLostConnection();
        });
        applySettings(connection, pooler === null ? session : []).then(() => {
          optimizeTransactions(connection, { names, mayRelaxCommits, beginWith });
          if (isTracing()) traceStatements(connection);
          if (slowStatementMs > 0) logSlowStatements(connection, { afterMs: slowStatementMs, log });
          done();
        }, done);
      },
    },
    // The pool repeats its warning for each waiting request, which is logged anyway.
    log: {
      warn: (message) => log.debug(String(message)),
      error: (message) => log.error(String(message)),
      deprecate: (method, alternative) => log.warn({ method, alternative }, 'deprecated knex method'),
      debug: (message) => log.trace(String(message)),
    },
  });
  db.on('query-error', (error: Error, query: { __knexUid: string }) => {
    // The server did not respond, so the state of the connection is unknown, and the ROLLBACK that follows would wait
    // just as long. (Knex puts the statement before the message.)
    if (error.message.endsWith(QUERY_TIMEOUT_MESSAGE)) disconnect(connections.get(query.__knexUid));
    if (isReadOnly || readErrorCode(error) !== READ_ONLY_STATE) return;
    // The server is no primary any more. New connections may lead to another one.
    disconnect(connections.get(query.__knexUid));
    retire();
  });
  const { pool } = db.client as { pool: Pool }; // knex declares clients as any
  pool.on('createFail', host.reopen);
  if (timeouts === 'request') measuredPools.set(db, watchPool(pool, poolName, poolSize));
  if (!isReadOnly) retirements.set(db, retire);
  if (beginWith.length > 0 || mayRelaxCommits) poolsWithLocalSettings.add(db);
  return db;
}

/** The members of the pool of knex that this file uses. */
interface Pool {
  on(event: 'createFail', listener: () => void): void;
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}

/** Functions that end the measurement of a pool. */
const measuredPools = new WeakMap<Knex, () => void>();

const retirements = new WeakMap<Knex, () => void>();

/** Returns whether the database accepts writes. If it does not, none of the current connections is used again. */
export async function acceptsWrites(db: Knex): Promise<boolean> {
  const { rows } = await db.raw<{ rows: ServerState[] }>(SERVER_STATE);
  const isReadOnly = rows[0]?.is_read_only === true;
  if (isReadOnly) retirements.get(db)?.();
  return !isReadOnly;
}

const poolsWithLocalSettings = new WeakSet<Knex>();

/** Returns whether transactions of this pool have local settings. A statement outside a transaction lacks them. */
export function hasLocalSettings(db: Db): boolean {
  return poolsWithLocalSettings.has(db);
}

/** The error message of pg when `query_timeout` expires. */
export const QUERY_TIMEOUT_MESSAGE = 'Query read timeout';

/**
 * Requests: disks have no seek time any more. With the default of 4, PostgreSQL plans to read small tables as a whole, and prepared
 * statements keep that plan while the tables of a new shop grow, until they are analyzed.
 *
 * JIT compiles a statement whose estimated cost is high again each time it runs. That takes longer than any statement of a
 * request, and than those in the functions that migrations call for each order. Servers without LLVM accept the setting.
 */
const PLANNER_SETTINGS: Record<TimeoutProfile, readonly string[]> = {
  request: ['random_page_cost = 1.1', 'jit = off'],
  maintenance: ['jit = off'],
};

function buildSessionSettings({ timeouts = 'request', isReadOnly = false }: DatabaseOptions): string[] {
  const limits = Object.entries(SERVER_LIMITS[timeouts]).map(([name, ms]) => `${name} = ${ms}`);
  const settings = [...limits, ...PLANNER_SETTINGS[timeouts]];
  return isReadOnly ? [...settings, 'default_transaction_read_only = on'] : settings;
}

// Not startup parameters: PgBouncer rejects or silently drops them.
async function applySettings(connection: Client, settings: readonly string[]): Promise<void> {
  if (settings.length > 0) await connection.query(settings.map((setting) => `SET ${setting}`).join('; '));
}

function disconnect(connection: Client | undefined): void {
  noteLostConnection();
  if (connection !== undefined) destroyConnection(connection);
}

/** Closes the pool. Waits at most `withinMs` milliseconds for open connections. Never throws. */
export async function closeDatabase(db: Knex, withinMs = 1_000): Promise<void> {
  measuredPools.get(db)?.();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, withinMs);
    const finish = () => {
      clearTimeout(timer);
      resolve();
    };
    db.destroy().then(finish, finish);
  });
}
