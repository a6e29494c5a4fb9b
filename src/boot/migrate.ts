import type { Knex } from 'knex';
import { migrations, type Migration } from '../../migrations';
import { StartupError } from '../platform/startup-error';

/** The database belongs to a newer version of the program. */
export class MigrationsAheadError extends StartupError {}

/** The database has pending migrations. */
export class MigrationsPendingError extends StartupError {}

/** The key of the advisory lock that serializes the migrations of all instances. */
const LOCK_ID = 7_340_129_118;

const TABLE = 'knex_migrations';

const settings: Knex.MigratorConfig = {
  tableName: TABLE,
  migrationSource: {
    getMigrations: () => Promise.resolve(migrations),
    getMigrationName: (migration: Migration) => migration.name,
    getMigration: (migration: Migration) => Promise.resolve(migration),
  },
};

/**
 * Runs all pending migrations, each in its own transaction. Several instances may call it at once. After an
 * interruption, it continues with the interrupted migration. `db` needs timeouts 'maintenance' and two connections.
 * @returns the names of the migrations run
 * @throws MigrationsAheadError if the database has migrations that this program does not know
 */
export async function migrate(db: Knex): Promise<string[]> {
  return withMigrationLock(db, async () => {
    await rejectNewerDatabase(db);
    return toNames(await db.migrate.latest(settings));
  });
}

/**
 * Reverts the migrations of the last run. Requirements for `db` as for `migrate`.
 * @returns the names of the reverted migrations, newest first
 * @throws MigrationsAheadError like `migrate`
 */
export async function rollback(db: Knex): Promise<string[]> {
  return withMigrationLock(db, async () => {
    await rejectNewerDatabase(db);
    return toNames(await db.migrate.rollback(settings));
  });
}

/** Names of migrations, in order. */
export interface MigrationStatus {
  applied: string[];
  /** Migrations that the database lacks. */
  pending: string[];
  /** Migrations of a newer version of the program. */
  unknown: string[];
}

/** Returns the migrations of the database. Changes nothing. */
export async function getMigrationStatus(db: Knex): Promise<MigrationStatus> {
  const applied = await listAppliedMigrations(db);
  const known = migrations.map(({ name }) => name);
  return {
    applied: applied.filter((name) => known.includes(name)),
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  };
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
      `The database has ${pending.length} pending migrations, starting with ${pending[0]}: run npm run migrate, or start the store`,
    );
}

async function withMigrationLock<T>(db: Knex, work: () => Promise<T>): Promise<T> {
  return db.transaction(async (lock) => {
    // A transaction-level lock is always released, also behind PgBouncer.
    await lock.raw('SELECT pg_advisory_xact_lock(?)', [LOCK_ID]);
    // The lock flag of knex stays set if a process is killed, so it is cleared; the advisory lock replaces it.
    await db.migrate.forceFreeMigrationsLock(settings);
    return work();
  });
}

async function listAppliedMigrations(db: Knex): Promise<string[]> {
  if (!(await db.schema.hasTable(TABLE))) return [];
  return db<{ id: number; name: string }>(TABLE).orderBy(`${TABLE}.id`).pluck('name');
}

async function rejectNewerDatabase(db: Knex): Promise<void> {
  rejectUnknown((await getMigrationStatus(db)).unknown);
}

function rejectUnknown(unknown: readonly string[]): void {
  if (unknown.length === 0) return;
  throw new MigrationsAheadError(
    `The database is newer than this program (it has ${unknown.join(', ')}): run the newer version, or use it to revert these migrations`,
  );
}

function toNames(result: unknown): string[] {
  const list: unknown = Array.isArray(result) ? result[1] : [];
  return Array.isArray(list) ? list.map(String) : [];
}
