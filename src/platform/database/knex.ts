import knex, { type Knex } from 'knex';
import { defaults } from 'pg';
import type { Logger } from 'pino';
import { readErrorCode } from '../error-code';
import { watchPool } from '../metrics/metrics';
import { buildApplicationName } from '../process-identity';
import { isTracing, startStatementSpan } from '../tracing';
import { SERVER_STATE, type ServerState } from './hosts';
import { isPlanOutdated, READ_ONLY_STATE } from './pg-errors';
import type { Pooler } from './pooler';
import { SessionPool } from './session-pool';
import { createSlowStatementLog } from './slow-statements';

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

/** A connection must be free or opened within this time. */
const ACQUIRE_MS: Record<TimeoutProfile, number> = { request: 2_500, maintenance: 30_000 };

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
  const settings = buildSessionSettings(options);
  // A pooler passes the transactions of one connection to different server connections, whose settings must not change.
  const beginWith = pooler === null ? [] : settings.map((setting) => `SET LOCAL ${setting}`);
  const sessions = new SessionPool({
    url,
    connectMs: CONNECT_MS,
    config: {
      max: poolSize,
      connectionTimeoutMillis: ACQUIRE_MS[timeouts],
      keepAlive: true,
      application_name: buildApplicationName(role),
      pipeline: true,
      ...(timeouts === 'request' && { query_timeout: QUERY_TIMEOUT_MS }),
    },
    settings: pooler === null ? settings : [],
    session: {
      canPrepare: pooler?.canPrepare !== false,
      mayRelaxCommits,
      beginWith,
      observers: [
        ...(isTracing() ? [startStatementSpan] : []),
        ...(slowStatementMs > 0 ? [createSlowStatementLog({ afterMs: slowStatementMs, log })] : []),
      ],
    },
  });
  const db = knex({
    client: 'pg',
    connectionPool: sessions,
    // Messages are logged, so they must contain the statement without its values.
    compileSqlOnError: false,
    // Knex warns when no connection is available, which the failed request logs anyway.
    log: {
      warn: (message) => log.debug(String(message)),
      error: (message) => log.error(String(message)),
      deprecate: (method, alternative) => log.warn({ method, alternative }, 'deprecated knex method'),
      debug: (message) => log.trace(String(message)),
    },
  });
  pools.set(db, sessions);
  const retire = () => sessions.retire();
  if (!isReadOnly) retirements.set(db, retire);
  db.on('query-error', (error: Error) => {
    // The server is no primary any more. New connections may lead to another one.
    if (!isReadOnly && readErrorCode(error) === READ_ONLY_STATE) retire();
    // The prepared statement fails on each connection that has it.
    if (isPlanOutdated(error)) retire();
  });
  if (timeouts === 'request') measuredPools.set(db, watchPool(sessions, poolName, poolSize));
  if (beginWith.length > 0 || mayRelaxCommits) poolsWithLocalSettings.add(db);
  return db;
}

const pools = new WeakMap<Knex, SessionPool>();

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

/**
 * What the program reads and relies on, whatever a database, a role or a server that is shared with others defaults to: the forms of
 * values, and that a statement which waited for a lock sees what was committed meanwhile.
 */
export const SESSION_FORMS: readonly string[] = [
  "datestyle = 'ISO'",
  "timezone = 'UTC'",
  "bytea_output = 'hex'",
  "default_transaction_isolation = 'read committed'",
];

// A Date is sent in UTC. In the time zone of the process, times before time zones lose the seconds of their offset.
defaults.parseInputDatesAsUTC = true;

function buildSessionSettings({ timeouts = 'request', isReadOnly = false }: DatabaseOptions): string[] {
  const limits = Object.entries(SERVER_LIMITS[timeouts]).map(([name, ms]) => `${name} = ${ms}`);
  const settings = [...SESSION_FORMS, ...limits, ...PLANNER_SETTINGS[timeouts]];
  return isReadOnly ? [...settings, 'default_transaction_read_only = on'] : settings;
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
    const closing = pools.get(db)?.destroy() ?? Promise.resolve();
    closing.then(() => db.destroy()).then(finish, finish);
  });
}
