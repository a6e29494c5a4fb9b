import type { Knex } from 'knex';
import { migrations } from '../../migrations';
import { functionSet } from '../../migrations/functions';
import {
  FUNCTIONS,
  needsFunctions,
  type Installation,
  revertLastBatch,
  runPending,
} from '../platform/database/migrations/migrator';
import {
  hasReplaced,
  listLastBatch,
  readHistory,
  type History,
} from '../platform/database/migrations/progress';
import { replacesSome, type Migration } from '../platform/database/migrations/steps';
import { installQueue, needsQueue } from '../platform/queue/install-queue';
import { StartupError } from '../platform/startup-error';

/** The database belongs to a newer version of the program. */
export class MigrationsAheadError extends StartupError {}

/** The database has pending migrations. */
export class MigrationsPendingError extends StartupError {}

/** The database lacks migrations that this program no longer has. */
class MigrationsBehindError extends StartupError {}

const QUEUE: Installation = { name: 'queue', isNeeded: needsQueue, install: installQueue };

/**
 * Runs all pending migrations, each step of them in its own transaction, and then replaces the functions and triggers that
 * have changed. Several instances may call it at once: one migrates and the others wait. After an interruption, it continues
 * with the interrupted step. `db` needs timeouts 'maintenance' and two connections.
 * @param areFunctionsForced whether to replace also functions of a newer version of the program, as to undo a release. A start
 *   leaves them alone: an instance of the version before may restart beside one of the new version.
 * @returns the names of the migrations run, `functions` if those were replaced, and `queue` if its tables were created
 * @throws MigrationsAheadError if the database has migrations that this program does not know
 * @throws MigrationsBehindError if an earlier version of the program has to migrate it first
 * @throws StartupError if a table stays locked
 */
export async function migrate(db: Knex, { areFunctionsForced = false } = {}): Promise<string[]> {
  const wanted = { set: functionSet, isForced: areFunctionsForced };
  const { pending } = checkNotNewer(await readHistory(db));
  // A role that may not create tables can start the store once the owner has migrated.
  if (pending.length === 0 && !(await needsFunctions(db, wanted)) && !(await needsQueue(db))) return [];
  return runPending(db, migrations, checkNotNewer, wanted, [QUEUE]);
}

/**
 * Reverts the migrations of the last run. Requirements for `db` as for `migrate`.
 * @returns the names of the reverted migrations, newest first
 * @throws like `migrate`, and StartupError if that run created a store that has sold since
 */
export async function rollback(db: Knex): Promise<string[]> {
  return revertLastBatch(db, migrations, async (history) => {
    checkNotNewer(history);
    const baseline = migrations.find((migration) => replacesSome(migration, history.applied));
    if (baseline?.replaces !== undefined)
      throw new MigrationsBehindError(
        `The database is that of version ${baseline.replaces.version}: run that version to revert its migrations`,
      );
    if (history.interrupted === null && (await wouldDeleteSales(db)))
      throw new StartupError(
        'The last batch of migrations has created all tables: reverting it would delete this store, which has sold. To return to a former state, restore a backup; to delete the store, delete its database',
      );
  });
}

/** Returns whether reverting the last run drops sold orders. */
async function wouldDeleteSales(db: Knex): Promise<boolean> {
  const [first] = migrations;
  if (first === undefined || !(await db.schema.hasTable('orders')) || (await hasReplaced(db))) return false;
  if (!(await listLastBatch(db)).includes(first.name)) return false;
  return (await db('orders').whereNotNull('completed_at').first('id')) !== undefined;
}

/** Names of migrations, in order. */
export interface MigrationStatus {
  applied: string[];
  /** Migrations that the database lacks, `functions` if it has never had the functions of this program, and `queue`. */
  pending: string[];
  /** Migrations of a newer version of the program. */
  unknown: string[];
}

/** Returns the migrations of the database. Changes nothing. */
export async function getMigrationStatus(db: Knex): Promise<MigrationStatus> {
  const status = compare(await readHistory(db));
  const needed = [
    ...((await needsFunctions(db, { set: functionSet, isForced: false })) ? [FUNCTIONS] : []),
    ...((await needsQueue(db)) ? [QUEUE.name] : []),
  ];
  return { ...status, pending: [...status.pending, ...needed] };
}

/**
 * Checks that the database has exactly the migrations of this program.
 * @throws MigrationsPendingError, MigrationsAheadError
 */
export async function requireMigrated(db: Knex): Promise<void> {
  const { pending, unknown } = await getMigrationStatus(db);
  rejectUnknown(unknown);
  if (pending.length > 0)
    throw new MigrationsPendingError(
      `Migrations are pending (${pending.length}, starting with ${pending[0]}): run npm run migrate, or start the store`,
    );
}

function compare({ applied, interrupted }: History): MigrationStatus {
  const known = migrations.map(({ name }) => name);
  const noted = [...applied, ...(interrupted === null ? [] : [interrupted])];
  const replaced = migrations.flatMap((migration) =>
    replacesSome(migration, noted) ? listReplaced(migration, applied) : [],
  );
  return {
    applied: applied.filter((name) => known.includes(name)),
    pending: known.filter((name) => !applied.includes(name)),
    unknown: noted.filter((name) => !known.includes(name) && !replaced.includes(name)),
  };
}

/** @throws MigrationsBehindError if some of them have not been applied */
function listReplaced({ replaces }: Migration, applied: readonly string[]): readonly string[] {
  const missing = replaces?.names.find((name) => !applied.includes(name));
  if (replaces === undefined || missing === undefined) return replaces?.names ?? [];
  throw new MigrationsBehindError(
    `The database is older than version ${replaces.version} (it lacks ${missing}): start that version once, then this one`,
  );
}

function checkNotNewer(history: History): MigrationStatus {
  const status = compare(history);
  rejectUnknown(status.unknown);
  return status;
}

function rejectUnknown(unknown: readonly string[]): void {
  if (unknown.length === 0) return;
  throw new MigrationsAheadError(
    `The database is newer than this program (it has ${unknown.join(', ')}): run the newer version, or use it to revert these migrations`,
  );
}
