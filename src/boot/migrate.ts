import type { Knex } from 'knex';
import { migrations, type Migration } from '../../migrations';
import { StartupError } from '../platform/startup-error';

/** The database was made by a newer version of the program. */
export class MigrationsAheadError extends StartupError {}

/** The database lacks migrations this program needs. */
export class MigrationsPendingError extends StartupError {}

/** Serializes migrations of all instances on one database: any constant nobody else uses. */
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
 * Brings the database up to date, each migration in a transaction of its own; does nothing when it is. Several
 * instances may call it at once, and after a kill in the middle it goes on with the migration that was cut off.
 * `db` needs patience 'maintenance' and two connections.
 * @returns the names of the migrations run.
 * @throws MigrationsAheadError when the database knows migrations this program does not.
 */
export async function migrate(db: Knex): Promise<string[]> {
  return withMigrationLock(db, async () => {
    await rejectNewerDatabase(db);
    return toNames(await db.migrate.latest(settings));
  });
}

/**
 * Takes back the migrations of the last run. `db` as for `migrate`.
 * @returns the names of the migrations taken back, newest first.
 * @throws MigrationsAheadError as `migrate`.
 */
export async function rollback(db: Knex): Promise<string[]> {
  return withMigrationLock(db, async () => {
    await rejectNewerDatabase(db);
    return toNames(await db.migrate.rollback(settings));
  });
}

/** Names of migrations, in the order they run or ran. */
export interface MigrationStatus {
  applied: string[];
  /** What the database still lacks. */
  pending: string[];
  /** What a newer version of the program has done to it. */
  unknown: string[];
}

/** How far the database is. Changes nothing. */
export async function getMigrationStatus(db: Knex): Promise<MigrationStatus> {
  const done = await listAppliedMigrations(db);
  const known = migrations.map(({ name }) => name);
  return {
    applied: done.filter((name) => known.includes(name)),
    pending: known.filter((name) => !done.includes(name)),
    unknown: done.filter((name) => !known.includes(name)),
  };
}

/** Changes nothing. @throws MigrationsPendingError or MigrationsAheadError unless the database is this program's */
export async function requireMigrated(db: Knex): Promise<void> {
  const { pending, unknown } = await getMigrationStatus(db);
  rejectUnknown(unknown);
  if (pending.length > 0)
    throw new MigrationsPendingError(
      `The database lacks ${pending.length} migrations, the first of them ${pending[0]}: run npm run migrate, or start the store`,
    );
}

async function withMigrationLock<T>(db: Knex, work: () => Promise<T>): Promise<T> {
  return db.transaction(async (lock) => {
    // Bound to the transaction, so that it is given back however this ends, behind PgBouncer too.
    await lock.raw('SELECT pg_advisory_xact_lock(?)', [LOCK_ID]);
    // Knex keeps a flag of its own in a table, which stays set when a process is killed; ours is the lock.
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
    `The database is newer than this program (it has ${unknown.join(', ')}): run the newer version, or roll these migrations back with it first`,
  );
}

function toNames(result: unknown): string[] {
  const list: unknown = Array.isArray(result) ? result[1] : [];
  return Array.isArray(list) ? list.map(String) : [];
}
