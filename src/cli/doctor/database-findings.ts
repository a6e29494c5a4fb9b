import type { ClockFacts, Facts, ReachableFacts } from './facts';
import { ok, problem, refusal, warning, type Finding } from './finding';

/** What the SQL of the program needs. */
const OLDEST_POSTGRES = 15;

/** Of the server's connections: for whoever looks after it, beside one store. */
const SPARE_CONNECTIONS = 5;

/** Milliseconds between the clocks. Dates of sale, coupons and sign-in limits compare times of both. */
const SKEW = { noticed: 2_000, harmful: 30_000 };

/** The first Node that runs the program came out then; a clock before it was never set. */
const EARLIEST = Date.UTC(2025, 2, 1);

/** Time passes between steps, clocks are corrected: no further back than this is a sign of nothing. */
const SET_BACK_MS = 5 * 60_000;

/** Whether there is a database, fit for the program; how far it is; and whether its clock and ours agree. */
export function databaseFindings({ database, settings }: Pick<Facts, 'database' | 'settings'>): Finding[] {
  if (database.state === 'not_made')
    return [
      ok('database', 'Embedded; the first start makes it'),
      ok('migrations', 'The first start runs them'),
    ];
  if (database.state === 'unreachable') return [refusal('database', database.refusal)];
  return [
    ...serverFindings(database, settings.database_pool_size),
    ...migrationFindings(database),
    ...clockFindings(database.clock),
  ];
}

function serverFindings(database: ReachableFacts, poolSize: number): Finding[] {
  const { server_version_num, encoding, may_create, has_trigrams, connection_limit } = database;
  const major = Math.floor(server_version_num / 10_000);
  const version = `PostgreSQL ${major}.${server_version_num % 10_000}`;
  const problems: Finding[] = [];
  const object = (message: string, advice: string) => problems.push(problem('database', message, advice));
  if (major < OLDEST_POSTGRES)
    object(`${version} is too old`, `upgrade it to PostgreSQL ${OLDEST_POSTGRES} or newer`);
  if (encoding !== 'UTF8')
    object(`Its texts are ${encoding}`, 'make a database with ENCODING UTF8, and move the data there');
  if (!may_create)
    object('Its user may not make tables', 'grant it CREATE on the database and the schema, or set another');
  if (!has_trigrams)
    object('The extension pg_trgm is not available', 'install the contrib package of this PostgreSQL');
  if (connection_limit < poolSize)
    object(
      `It allows ${connection_limit} connections, fewer than DATABASE_POOL_SIZE ${poolSize}`,
      'lower DATABASE_POOL_SIZE, or raise max_connections',
    );
  if (problems.length > 0) return problems;
  if (connection_limit < poolSize + SPARE_CONNECTIONS)
    return [
      warning(
        'database',
        `It allows ${connection_limit} connections, hardly more than DATABASE_POOL_SIZE ${poolSize}`,
        'lower DATABASE_POOL_SIZE, or raise max_connections, before another instance is started',
      ),
    ];
  return [ok('database', `${version}, ${whereabouts(database)}`)];
}

function whereabouts({ kind, runs_already }: ReachableFacts): string {
  if (kind === 'external') return 'external, answers';
  return runs_already ? 'embedded, of a running store' : 'embedded, starts and stops';
}

function migrationFindings(database: ReachableFacts): Finding[] {
  const { applied_migrations, pending_migrations, unknown_migrations } = database;
  if (unknown_migrations.length > 0)
    return [
      problem(
        'migrations',
        `The database is newer than this program (it has ${unknown_migrations.join(', ')})`,
        'run the newer version, or roll these migrations back with it first',
      ),
    ];
  if (pending_migrations.length === 0)
    return [ok('migrations', `Up to date, ${applied_migrations} have been run`)];
  return [
    problem(
      'migrations',
      `${pending_migrations.length} are to be run, the first of them ${pending_migrations[0]}`,
      'npm run migrate, or start the store, which does the same',
    ),
  ];
}

function clockFindings({ process_at, database_at, round_trip_ms, last_migration_at }: ClockFacts): Finding[] {
  const today = new Date(process_at).toISOString();
  if (process_at < EARLIEST)
    return [problem('clock', `It is not ${today}`, 'set the clock of this machine, best by NTP')];
  const skew = database_at - process_at;
  const apart = Math.max(0, Math.abs(skew) - round_trip_ms / 2);
  const words = `The clock of the database is ${Math.round(Math.abs(skew))} ms ${skew < 0 ? 'behind' : 'ahead of'} ours`;
  const advice = 'set the clocks of both machines, best by NTP';
  if (apart >= SKEW.harmful) return [problem('clock', words, advice)];
  if (last_migration_at !== null && last_migration_at > process_at + SET_BACK_MS)
    return [
      problem(
        'clock',
        `It is ${today}, before the last migration was run (${new Date(last_migration_at).toISOString()})`,
        'set the clock of this machine: it was, or is, wrong',
      ),
    ];
  if (apart >= SKEW.noticed) return [warning('clock', words, advice)];
  return [ok('clock', `${today}, and the database agrees`)];
}
