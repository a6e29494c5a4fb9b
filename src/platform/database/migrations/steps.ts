import type { Knex } from 'knex';

/** Statements that run in one transaction. They may run again from the start, so SQL must be their only effect. */
export type Statements = (knex: Knex) => Promise<void>;

/** Creates an index without locking its table. */
export interface IndexCreation {
  kind: 'create index';
  name: string;
  isUnique: boolean;
  /** Table, columns and condition, as they follow ON. */
  on: string;
}

/** Drops an index without locking its table. */
export interface IndexRemoval {
  kind: 'drop index';
  name: string;
}

/** The rows of a table with ids above `after`, up to and including `upTo`. */
export interface IdRange {
  after: number;
  upTo: number;
}

/** Changes the rows of a table in ranges of ids, each in a transaction of its own. */
export interface Batches {
  kind: 'batches';
  table: string;
  /** The number of rows of a range. */
  size: number;
  work: (knex: Knex, range: IdRange) => Promise<void>;
}

/** A part of a migration. What has run is noted with it, so an interrupted migration continues with the next one. */
export type Step = Statements | IndexCreation | IndexRemoval | Batches;

/** The steps of a migration in one direction, or the only one. */
export type Steps = Statements | readonly Step[];

/** Earlier migrations that one migration takes the place of. */
export interface Replaced {
  /** The last version of the program that has them. */
  version: string;
  names: readonly string[];
  /** What a database that has had them all needs to be as if it had been made by the one migration. */
  adopt: Statements;
}

/** A change of the structure of the database. */
export interface Migration {
  /** Stored in every database. */
  name: string;
  up: Steps;
  down: Steps;
  replaces?: Replaced;
}

/** What the file of a migration may export. */
const PARTS = ['up', 'down', 'replaces'];

/**
 * Returns the migration that the file of this name exports.
 * @throws Error if the name has no time, or the file exports anything but `up`, `down` and `replaces`
 */
export function readMigration(name: string, exported: unknown): Migration {
  const parts = Object.keys(exported as object).filter((key) => key !== '__esModule');
  const isComplete = parts.includes('up') && parts.includes('down');
  if (!isComplete || !parts.every((part) => PARTS.includes(part)))
    throw new Error(`migration ${name} must export up and down, and nothing else but replaces`);
  if (!/^\d{8}_\d{4}_[a-z0-9_]+$/.test(name))
    throw new Error(`migration ${name} must be named after its time, like 20261129_0100_document_digests`);
  return { name, ...(exported as Omit<Migration, 'name'>) };
}

/** Builds the step that creates an index. @param on table, columns and condition: `orders (email, id) WHERE ...` */
export function createIndex(name: string, on: string): IndexCreation {
  return { kind: 'create index', name, isUnique: false, on };
}

/** As `createIndex`, for a unique index. It fails if rows have the same values. */
export function createUniqueIndex(name: string, on: string): IndexCreation {
  return { kind: 'create index', name, isUnique: true, on };
}

/** Builds the step that drops an index. */
export function dropIndex(name: string): IndexRemoval {
  return { kind: 'drop index', name };
}

/** Builds the steps that give an index other columns or another condition. There is none in between. */
export function replaceIndex(name: string, on: string): Step[] {
  const successor = `${name}_new`;
  return [createIndex(successor, on), dropIndex(name), run(`ALTER INDEX ${successor} RENAME TO ${name}`)];
}

/** Builds the step that changes the rows of a table in ranges of ids. Rows that appear meanwhile may be left out. */
export function inBatches(
  table: string,
  work: Batches['work'],
  { size = 1_000 }: { size?: number } = {},
): Batches {
  return { kind: 'batches', table, size, work };
}

/** Builds the step that runs SQL in one transaction. */
export function run(sql: string): Statements {
  return async (knex) => void (await knex.raw(sql));
}

/**
 * Builds the step that checks the rows of a constraint that was added NOT VALID, without locking their table. If rows
 * break it, the constraint holds for new rows only, and `verify` lists the others.
 */
export function validate(table: string, constraint: string): Statements {
  return run(`
    DO $$ BEGIN
      ALTER TABLE ${table} VALIDATE CONSTRAINT ${constraint};
    EXCEPTION WHEN check_violation OR foreign_key_violation THEN
      RAISE WARNING 'rows of ${table} break ${constraint}; it holds for new rows only';
    END $$;`);
}

/** Returns the steps as a list. */
export function listSteps(steps: Steps): readonly Step[] {
  return typeof steps === 'function' ? [steps] : steps;
}

/** Returns whether the migration takes the place of some of these. */
export function replacesSome({ replaces }: Migration, names: readonly string[]): boolean {
  return replaces?.names.some((name) => names.includes(name)) ?? false;
}
