import type { ClockFacts, Facts, ReachableFacts, SettingFacts } from './facts';
import { ok, problem, refusal, warning, type Finding } from './finding';

/** The oldest version that supports the program's SQL. */
const OLDEST_POSTGRES = 15;

/** What the queue needs beside the pools. */
const QUEUE_CONNECTIONS = 5;

/** Connections to leave for administration. */
const SPARE_CONNECTIONS = 5;

/** Clock skew in milliseconds. Product dates, coupons and sign-in limits compare times of both clocks. */
const SKEW = { warning: 2_000, problem: 30_000 };

/** The release of the oldest supported Node version; an earlier time means that the clock was never set. */
const EARLIEST = Date.UTC(2025, 2, 1);

/** Clock corrections of up to this size are normal. */
const SET_BACK_MS = 5 * 60_000;

/** Checks the database server, the migrations and the clock skew. */
export function checkDatabase({ database, settings }: Pick<Facts, 'database' | 'settings'>): Finding[] {
  if (database.state === 'missing')
    return [
      ok('database', 'embedded; the first start creates it'),
      ok('migrations', 'the first start runs all migrations'),
    ];
  if (database.state === 'unreachable') return [refusal('database', database.refusal)];
  return [...checkServer(database, settings), ...checkMigrations(database), ...checkClock(database.clock)];
}

function checkServer(
  database: ReachableFacts,
  { databasePoolSize, pools }: Pick<SettingFacts, 'databasePoolSize' | 'pools'>,
): Finding[] {
  const needed = databasePoolSize * pools + QUEUE_CONNECTIONS;
  const setting = `DATABASE_POOL_SIZE ${databasePoolSize}${pools === 1 ? '' : ` in ${pools} processes`} and ${QUEUE_CONNECTIONS} of the queue`;
  const { serverVersion, encoding, canCreate, denied, hasTrigrams, maxConnections } = database;
  const major = Math.floor(serverVersion / 10_000);
  const version = `PostgreSQL ${major}.${serverVersion % 10_000}`;
  const problems: Finding[] = [];
  const report = (message: string, advice: string) => problems.push(problem('database', message, advice));
  if (major < OLDEST_POSTGRES)
    report(`${version} is too old`, `upgrade to PostgreSQL ${OLDEST_POSTGRES} or newer`);
  if (encoding !== 'UTF8')
    report(`the encoding is ${encoding}`, 'create a database with ENCODING UTF8 and move the data there');
  // The role of the running store only reads and writes rows; the owner of the tables migrates.
  if (!canCreate && database.pendingMigrations.length > 0)
    report(
      'the database user may not create tables',
      'run npm run migrate as the owner of the tables (docs/roles.sql), or grant CREATE on the database and the schema',
    );
  if (denied.length > 0)
    report(
      `the database user may not read and write ${denied.slice(0, 3).join(', ')}${denied.length > 3 ? ` and ${denied.length - 3} more tables and sequences` : ''}`,
      'run docs/roles.sql as an administrator of the database, or connect as another user',
    );
  if (!hasTrigrams)
    report('the extension pg_trgm is not available', 'install the contrib package of this PostgreSQL');
  if (maxConnections < needed)
    report(
      `the server allows ${maxConnections} connections, fewer than ${setting}`,
      'lower DATABASE_POOL_SIZE or raise max_connections',
    );
  if (problems.length > 0) return problems;
  if (maxConnections < needed + SPARE_CONNECTIONS)
    return [
      warning(
        'database',
        `the server allows ${maxConnections} connections, few more than ${setting}`,
        'lower DATABASE_POOL_SIZE or raise max_connections before starting another instance',
      ),
    ];
  return [ok('database', `${version}, ${describeServer(database)}`)];
}

function describeServer({ kind, isStoreRunning, canCreate }: ReachableFacts): string {
  if (kind === 'external')
    return canCreate ? 'external, reachable' : 'external, reachable; the user may not create tables';
  return isStoreRunning ? 'embedded, in use by a running store' : 'embedded, starts and stops';
}

function checkMigrations(database: ReachableFacts): Finding[] {
  const { appliedMigrations, pendingMigrations, unknownMigrations } = database;
  if (unknownMigrations.length > 0)
    return [
      problem(
        'migrations',
        `the database is newer than this program (it has ${unknownMigrations.join(', ')})`,
        'run the newer version, or use it to revert these migrations',
      ),
    ];
  if (pendingMigrations.length === 0)
    return [ok('migrations', `up to date, ${appliedMigrations} migrations`)];
  return [
    problem(
      'migrations',
      `${pendingMigrations.length} pending, starting with ${pendingMigrations[0]}`,
      database.canCreate
        ? 'run npm run migrate, or start the store'
        : 'run npm run migrate as the owner of the tables (docs/roles.sql)',
    ),
  ];
}

function checkClock({ processTime, databaseTime, roundTripMs, lastMigrationAt }: ClockFacts): Finding[] {
  const time = new Date(processTime).toISOString();
  if (processTime < EARLIEST)
    return [problem('clock', `the clock of this machine is wrong (${time})`, 'set it, preferably with NTP')];
  const skew = databaseTime - processTime;
  const certainSkew = Math.max(0, Math.abs(skew) - roundTripMs / 2);
  const message = `the database clock is ${Math.round(Math.abs(skew))} ms ${skew < 0 ? 'behind' : 'ahead of'} this machine`;
  const advice = 'set the clocks of both machines, preferably with NTP';
  if (certainSkew >= SKEW.problem) return [problem('clock', message, advice)];
  if (lastMigrationAt !== null && lastMigrationAt > processTime + SET_BACK_MS)
    return [
      problem(
        'clock',
        `the current time ${time} is before the last migration (${new Date(lastMigrationAt).toISOString()})`,
        'check the clock of this machine',
      ),
    ];
  if (certainSkew >= SKEW.warning) return [warning('clock', message, advice)];
  return [ok('clock', `${time}, in sync with the database`)];
}
