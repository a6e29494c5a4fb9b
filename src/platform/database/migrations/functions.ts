import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { withLockRetries } from './lock-retries';

/** A function or a trigger, which a program replaces without a migration. */
export interface SqlFunction {
  kind: 'function' | 'trigger';
  /** `note_audit`, or `orders_audit ON orders`: how DROP names it. */
  name: string;
  /** Creates it, or replaces one of that name. */
  sql: string;
}

/** The functions and triggers of a program, all of them. */
export interface FunctionSet {
  functions: readonly SqlFunction[];
  /** Tells it from the sets of other versions of the program. */
  hash: string;
}

/** What has been applied, by `FUNCTIONS`; written like the tables of progress.ts. */
const APPLIED = 'knex_migrations_functions';
const SETS = 'knex_migrations_function_sets';

const START =
  /^CREATE (?:OR REPLACE )?(?:(FUNCTION) (\w+)\(|(?:CONSTRAINT )?TRIGGER (\w+)\s[\s\S]*?\sON (\w+)\s)/;

/**
 * Parses files of statements, each of which begins with CREATE at the start of a line. Lines between them are comments.
 * @param migrations their names distinguish a set from an equal one of another version
 * @throws Error if a file contains anything else, or two statements create the same
 */
export function buildFunctionSet(files: readonly string[], migrations: readonly string[]): FunctionSet {
  const functions = files.flatMap((text) =>
    text
      .split(/^(?=CREATE )/m)
      .map(removeComments)
      .filter((statement) => statement !== '')
      .map(parseFunction),
  );
  const twice = functions.find(
    (one, index) => functions.findIndex(({ name }) => name === one.name) !== index,
  );
  if (twice !== undefined) throw new Error(`${twice.name} is created twice`);
  const hash = hashOf(JSON.stringify([migrations, functions.map(({ sql }) => sql).toSorted()]));
  return { functions, hash };
}

/** Removes the comments before the first statement and after the last line of this one. */
function removeComments(text: string): string {
  if (!text.startsWith('CREATE ')) return text.replaceAll(/^--.*$/gm, '').trim();
  return text.replace(/(\n(--.*)?)+$/, '');
}

function parseFunction(statement: string): SqlFunction {
  const found = START.exec(statement);
  if (found === null || !statement.endsWith(';'))
    throw new Error(`neither a function nor a trigger: ${statement.slice(0, 80)}`);
  const [, isFunction, functionName, trigger, table] = found;
  if (isFunction !== undefined) return { kind: 'function', name: functionName ?? '', sql: statement };
  const name = `${trigger ?? ''} ON ${table ?? ''}`;
  // A constraint trigger cannot be replaced.
  const isReplaced = statement.startsWith('CREATE OR REPLACE ');
  return {
    kind: 'trigger',
    name,
    sql: isReplaced ? statement : `DROP TRIGGER IF EXISTS ${name};\n${statement}`,
  };
}

/** Creates the tables of this file if they do not exist. */
export async function createFunctionTables(db: Knex): Promise<void> {
  await db.raw(`
    CREATE TABLE IF NOT EXISTS ${APPLIED} (
      name text CONSTRAINT ${APPLIED}_pkey PRIMARY KEY,
      kind text NOT NULL, hash text NOT NULL, is_added boolean NOT NULL);
    CREATE TABLE IF NOT EXISTS ${SETS} (
      hash text CONSTRAINT ${SETS}_pkey PRIMARY KEY, applied_at timestamptz(3) NOT NULL);`);
}

/**
 * Returns whether the database has had this set. An instance of the version before, which restarts beside one of the new
 * version, then leaves the functions of the new version alone.
 */
export async function knowsFunctions(db: Knex, { hash }: FunctionSet): Promise<boolean> {
  const { rows } = await db.raw<{ rows: { exists: boolean }[] }>(
    `SELECT to_regclass('${SETS}') IS NOT NULL AS exists`,
  );
  if (rows[0]?.exists !== true) return false;
  return (await db(SETS).where({ hash }).first()) !== undefined;
}

/** Returns whether this set was applied last. */
export async function hasFunctions(db: Knex, set: FunctionSet): Promise<boolean> {
  if (!(await knowsFunctions(db, set))) return false;
  const last = await db<{ hash: string }>(SETS).orderBy('applied_at', 'desc').first();
  return last?.hash === set.hash;
}

/** A row of APPLIED. */
interface Applied {
  name: string;
  kind: SqlFunction['kind'];
  /** Of the statement; empty if it must run again. */
  hash: string;
  /** Whether the files created it. What a migration created, a migration drops. */
  is_added: boolean;
}

/**
 * Brings functions and triggers to this set: all changed functions in one transaction, then each changed trigger in a
 * short one, because it locks its table, and last removes what earlier sets have added and this one lacks. Functions are
 * replaced without a lock on tables. Safe to repeat after an interruption.
 */
export async function applyFunctions(db: Knex, set: FunctionSet): Promise<void> {
  const applied = new Map((await db<Applied>(APPLIED)).map((row) => [row.name, row]));
  const existing = await readExisting(db);
  const changed = set.functions.filter(({ name, sql }) => applied.get(name)?.hash !== hashOf(sql));
  const toRow = ({ name, kind, sql }: SqlFunction): Applied => ({
    name,
    kind,
    hash: hashOf(sql),
    is_added: applied.get(name)?.is_added ?? !existing.has(name),
  });

  const functions = changed.filter(({ kind }) => kind === 'function');
  await run(db, functions.map(({ sql }) => sql).join('\n'), functions.map(toRow));
  const triggers = changed.filter(({ kind }) => kind === 'trigger');
  const isSame = ({ name, sql }: SqlFunction) => existing.get(name) === normalize(sql);
  await run(db, '', triggers.filter(isSame).map(toRow));
  for (const one of triggers.filter((trigger) => !isSame(trigger))) await run(db, one.sql, [toRow(one)]);

  const wanted = new Set(set.functions.map(({ name }) => name));
  await drop(
    db,
    [...applied.values()].filter(({ name }) => !wanted.has(name)),
  );
  await withLockRetries(db, async (tx) => {
    await tx(SETS)
      .insert({ hash: set.hash, applied_at: tx.raw("date_trunc('milliseconds', clock_timestamp())") })
      .onConflict('hash')
      .merge();
  });
}

/**
 * Prepares the revert of migrations: drops the triggers that the files have added, which may refer to what a migration has
 * created, and lets the next start, of whatever version, apply its functions and drop the others. Functions stay until then,
 * because others call them.
 */
export async function forgetFunctions(db: Knex): Promise<void> {
  const added = await db<Applied>(APPLIED).where({ kind: 'trigger', is_added: true });
  await drop(db, added);
  await withLockRetries(db, async (tx) => {
    await tx(APPLIED).update({ hash: '' });
    await tx(SETS).delete();
  });
}

async function run(db: Knex, sql: string, rows: readonly Applied[]): Promise<void> {
  if (rows.length === 0) return;
  await withLockRetries(db, async (tx) => {
    // A function may be created before another one that it calls. Knex reads a question mark as a binding.
    if (sql !== '') await tx.raw(`SET LOCAL check_function_bodies = off;\n${sql.replaceAll('?', '\\?')}`);
    await tx(APPLIED).insert(rows).onConflict('name').merge();
  });
}

/** Drops those that were added and forgets all: triggers first, because they depend on functions. */
async function drop(db: Knex, rows: readonly Applied[]): Promise<void> {
  for (const { kind, name, is_added } of rows.toSorted((one, other) => (one.kind > other.kind ? -1 : 1)))
    await withLockRetries(db, async (tx) => {
      if (is_added) await tx.raw(`DROP ${kind} IF EXISTS ${name}`);
      await tx(APPLIED).where({ name }).delete();
    });
}

/** The functions and triggers of the database by name; the statement that creates a trigger. */
async function readExisting(db: Knex): Promise<Map<string, string>> {
  const { rows } = await db.raw<{ rows: { name: string; sql: string }[] }>(`
    SELECT proname::text AS name, '' AS sql FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
    UNION ALL
    SELECT tgname::text || ' ON ' || relname::text, pg_get_triggerdef(pg_trigger.oid, true)
      FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
     WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace`);
  return new Map(rows.map(({ name, sql }) => [name, normalize(sql)]));
}

/** Removes what the text of PostgreSQL lacks: line breaks, OR REPLACE and the DROP of a constraint trigger. */
function normalize(sql: string): string {
  return sql
    .replace(/^DROP TRIGGER .*\n/, '')
    .replace('CREATE OR REPLACE', 'CREATE')
    .replaceAll(/\s+/g, ' ')
    .replace(/;$/, '');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
