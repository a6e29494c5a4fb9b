import type { Knex } from 'knex';

/** The migrations that have run. Name and columns are those of knex, which wrote it in earlier versions. */
const TABLE = 'knex_migrations';

const PROGRESS = 'knex_migrations_progress';

/** The rows of TABLE that a replacement has removed from it. Only a database that had them has this table. */
const REPLACED = 'knex_migrations_replaced';

export type Direction = 'up' | 'down';

/** How far an unfinished migration has come. */
export interface Progress {
  name: string;
  direction: Direction;
  batch: number;
  /** The number of steps that have run. */
  steps: number;
  /** The last id that the next step has handled, if it works in batches. */
  position: number;
}

/** Creates the tables of this file if they do not exist. */
export async function createTables(db: Knex): Promise<void> {
  await db.raw(`
    CREATE TABLE IF NOT EXISTS ${TABLE} (
      id serial PRIMARY KEY, name varchar(255), batch integer, migration_time timestamptz);
    CREATE TABLE IF NOT EXISTS ${PROGRESS} (
      name text CONSTRAINT ${PROGRESS}_pkey PRIMARY KEY,
      direction text NOT NULL, batch integer NOT NULL, steps integer NOT NULL, position bigint NOT NULL);`);
}

/** What has been done to a database. */
export interface History {
  /** The names of the migrations that have run, in order. */
  applied: string[];
  /** The migration that an interruption left unfinished, in either direction; it is not among `applied`. */
  interrupted: string | null;
}

/** Reads the history of a database, which may be empty. */
export async function readHistory(db: Knex): Promise<History> {
  if (!(await db.schema.hasTable(TABLE))) return { applied: [], interrupted: null };
  const names: string[] = await db<{ id: number; name: string }>(TABLE).orderBy(`${TABLE}.id`).pluck('name');
  const progress = (await db.schema.hasTable(PROGRESS)) ? await findInterrupted(db) : null;
  const interrupted = progress?.name ?? null;
  return { applied: names.filter((name) => name !== interrupted), interrupted };
}

/** Returns the names of the migrations of the last run, newest first. */
export async function listLastBatch(db: Knex): Promise<string[]> {
  return db(TABLE)
    .where({ batch: db(TABLE).max('batch') })
    .orderBy('id', 'desc')
    .pluck('name');
}

/** Returns the number of the next run. */
export async function findNextBatch(db: Knex): Promise<number> {
  const [row] = await db(TABLE).max<{ last: number | null }[]>({ last: 'batch' });
  return (row?.last ?? 0) + 1;
}

/** Returns the interrupted migration; null if there is none. */
export async function findInterrupted(db: Knex): Promise<Progress | null> {
  const found = await db<Progress>(PROGRESS).first();
  return found === undefined ? null : { ...found, position: Number(found.position) };
}

/**
 * Notes the progress of a migration in the transaction of its step.
 * @param expected what was noted before; null for nothing
 * @throws if another instance has noted something else
 */
export async function noteProgress(tx: Knex, expected: Progress | null, progress: Progress): Promise<void> {
  if (expected === null) {
    await tx(PROGRESS).insert(progress);
    return;
  }
  const { name, steps, position } = expected;
  const changed = await tx(PROGRESS).where({ name, steps, position }).update(progress);
  if (changed !== 1) throw new Error(`another instance runs the migration ${name}`);
}

/** Notes the end of a migration, as `noteProgress`. */
export async function noteEnd(
  tx: Knex,
  expected: Progress | null,
  { name, direction, batch }: Progress,
): Promise<void> {
  if (expected !== null) {
    const { steps, position } = expected;
    const removed = await tx(PROGRESS).where({ name, steps, position }).delete();
    if (removed !== 1) throw new Error(`another instance runs the migration ${name}`);
  }
  if (direction === 'down') await tx(TABLE).where({ name }).delete();
  else await tx(TABLE).insert({ name, batch, migration_time: tx.fn.now() });
}

/** Notes one migration in place of all that have run, as old as the last of them. */
export async function noteReplacement(
  tx: Knex,
  { name, batch }: { name: string; batch: number },
): Promise<void> {
  await tx.raw(`CREATE TABLE ${REPLACED} AS TABLE ${TABLE}`);
  await tx(TABLE).delete();
  await tx(TABLE).insert({ name, batch, migration_time: tx(REPLACED).max('migration_time') });
}

/** Returns whether `noteReplacement` has been called for this database. */
export async function hasReplaced(db: Knex): Promise<boolean> {
  return db.schema.hasTable(REPLACED);
}

/** Undoes `noteReplacement`, so that the version with those migrations can open the database again. */
export async function undoReplacement(tx: Knex, name: string): Promise<void> {
  await tx(TABLE).where({ name }).delete();
  await tx.raw(`
    INSERT INTO ${TABLE} (name, batch, migration_time) SELECT name, batch, migration_time FROM ${REPLACED} ORDER BY id;
    DROP TABLE ${REPLACED}`);
}
