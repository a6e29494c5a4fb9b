import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import {
  applyFunctions,
  createFunctionTables,
  forgetFunctions,
  hasFunctions,
  knowsFunctions,
  type FunctionSet,
} from './functions';
import {
  createTables,
  findInterrupted,
  findNextBatch,
  hasReplaced,
  listLastBatch,
  noteReplacement,
  readHistory,
  undoReplacement,
  type History,
  type Progress,
} from './progress';
import { withLockRetries } from './lock-retries';
import { runMigration } from './run-migration';
import { replacesSome, type Migration } from './steps';

/** The key of the advisory lock that serializes the migrations of all instances. */
const LOCK_ID = 7_340_129_118;

/** How often an instance asks for the lock. One that waited in a statement would keep CREATE INDEX CONCURRENTLY waiting. */
const POLL_MS = 200;

/** Called, and waited for, before anything changes, when no other instance migrates. */
type Check = (history: History) => unknown;

/** The name of the functions among those of migrations. They come last. */
export const FUNCTIONS = 'functions';

/** What a package creates by migrations of its own, after ours. Reverting leaves it as it is. */
export interface Installation {
  name: string;
  isNeeded: (db: Knex) => Promise<boolean>;
  install: (db: Knex) => Promise<void>;
}

/** The functions to apply after the migrations. */
export interface WantedFunctions {
  set: FunctionSet;
  /** Whether to apply a set again that another one has followed. */
  isForced: boolean;
}

/**
 * Runs the pending migrations in order, each step in a transaction of its own, and applies the functions. Several instances
 * may call it at once; the others wait. After an interruption it continues with the interrupted step. `check` accepts a database with
 * migrations that a later one replaces only if it has them all.
 * @returns the names of the migrations run, and FUNCTIONS if those were applied
 */
export async function runPending(
  db: Knex,
  migrations: readonly Migration[],
  check: Check,
  wanted?: WantedFunctions,
  installations: readonly Installation[] = [],
): Promise<string[]> {
  return withMigrationLock(db, async () => {
    await check(await readHistory(db));
    await createTables(db);
    await createFunctionTables(db);
    const finished = await finishInterrupted(db, migrations);
    const { applied } = await readHistory(db);
    const pending = migrations.filter(({ name }) => !applied.includes(name));
    const batch = finished?.batch ?? (await findNextBatch(db));
    for (const migration of pending)
      if (!(await adopt(db, migration, { applied, batch })))
        await runMigration(db, migration, { direction: 'up', batch, interrupted: null });
    const names = pending.map(({ name }) => name);
    if (wanted !== undefined && (await needsFunctions(db, wanted))) {
      await applyFunctions(db, wanted.set);
      names.push(FUNCTIONS);
    }
    for (const { name, isNeeded, install } of installations) {
      if (!(await isNeeded(db))) continue;
      await install(db);
      names.push(name);
    }
    return finished?.direction === 'up' ? [finished.name, ...names] : names;
  });
}

/** Returns whether `runPending` would apply these functions. */
export async function needsFunctions(db: Knex, { set, isForced }: WantedFunctions): Promise<boolean> {
  return !(await (isForced ? hasFunctions(db, set) : knowsFunctions(db, set)));
}

/**
 * Reverts the migrations of the last run, as `runPending`. An interrupted migration is finished first.
 * @returns the names of the reverted migrations, newest first
 */
export async function revertLastBatch(
  db: Knex,
  migrations: readonly Migration[],
  check: Check,
): Promise<string[]> {
  return withMigrationLock(db, async () => {
    await check(await readHistory(db));
    await createTables(db);
    await createFunctionTables(db);
    await forgetFunctions(db);
    const finished = await finishInterrupted(db, migrations);
    const isContinued = finished?.direction === 'down';
    const last = await listLastBatch(db);
    // A revert that was interrupted after the last migration of its run is complete.
    const names = isContinued && !(await hasBatch(db, finished.batch)) ? [] : last;
    for (const name of names) {
      const migration = findMigration(migrations, name);
      const batch = finished?.batch ?? (await findNextBatch(db)) - 1;
      if (migration.replaces !== undefined && (await hasReplaced(db)))
        await withLockRetries(db, (tx) => undoReplacement(tx, name));
      else await runMigration(db, migration, { direction: 'down', batch, interrupted: null });
    }
    return isContinued ? [finished.name, ...names] : names;
  });
}

/** Notes a migration whose work those that it replaces have done. @returns false if it has to run */
async function adopt(
  db: Knex,
  migration: Migration,
  { applied, batch }: { applied: readonly string[]; batch: number },
): Promise<boolean> {
  const { name, replaces } = migration;
  if (replaces === undefined || !replacesSome(migration, applied)) return false;
  await withLockRetries(db, async (tx) => {
    await replaces.adopt(tx);
    await noteReplacement(tx, { name, batch });
  });
  return true;
}

async function hasBatch(db: Knex, batch: number): Promise<boolean> {
  return (await findNextBatch(db)) - 1 === batch;
}

async function finishInterrupted(db: Knex, migrations: readonly Migration[]): Promise<Progress | null> {
  const interrupted = await findInterrupted(db);
  if (interrupted === null) return null;
  const { name, direction, batch } = interrupted;
  await runMigration(db, findMigration(migrations, name), { direction, batch, interrupted });
  return interrupted;
}

function findMigration(migrations: readonly Migration[], name: string): Migration {
  const found = migrations.find((migration) => migration.name === name);
  if (found === undefined) throw new Error(`there is no migration ${name}`);
  return found;
}

/** A transaction-level lock is always released, also behind PgBouncer. */
async function withMigrationLock<T>(db: Knex, work: () => Promise<T>): Promise<T> {
  for (;;) {
    const done = await db.transaction(async (lock) => {
      // Without bindings: a statement with bindings keeps its snapshot, for whose end CREATE INDEX CONCURRENTLY waits.
      const { rows } = await lock.raw<{ rows: { free: boolean }[] }>(
        `SELECT pg_try_advisory_xact_lock(${LOCK_ID}) AS free`,
      );
      return rows[0]?.free === true ? { result: await work() } : null;
    });
    if (done !== null) return done.result;
    await delay(POLL_MS);
  }
}
