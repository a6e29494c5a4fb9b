import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Db } from './knex';
import { acquireSession, getClient, sendStatement } from './knex-client';
import { isPlanOutdated } from './pg-errors';
import type { Binding, SentStatement } from './session';

/** A statement with constant text. */
export interface PreparedStatement {
  /** Must be unique. Null: not prepared. */
  name: string | null;
  sql: string;
  /**
   * Unique constraints of values that the program has generated. If one of them is violated, `write` of a transaction
   * runs the whole transaction again.
   */
  generates?: readonly string[];
}

/** A statement for records with given ids. */
export interface PreparedForIds {
  /** Must be unique. */
  name: string;
  /** Returns the text. `ids` is the SQL of an integer array; use it once, after all other `?`. */
  sql: (ids: string) => string;
}

/** A prepared statement with its bindings, not sent yet. */
export interface BoundStatement {
  statement: PreparedStatement;
  bindings: readonly Binding[];
}

/** The statements that were sent, by name. */
const known = new Map<string, NumberedStatement>();

/** A statement as PostgreSQL receives it: each `?` is numbered. */
interface NumberedStatement {
  name: string;
  sql: string;
  text: string;
}

/**
 * Runs a prepared statement. Each connection parses it once, and PostgreSQL plans it once if the plan does not depend
 * on the values. Use it for large statements that take longer to plan than to run, and for those of every request: it
 * bypasses the query builder of knex, which reads the whole text each time. They must list their columns: a prepared
 * `*` fails on open connections after a migration adds a column. Connection poolers must support prepared
 * statements (PgBouncer 1.21 or newer). `?` always stands for a binding.
 */
export function queryPrepared<Row>(
  db: Db,
  { name, sql }: PreparedStatement,
  bindings: readonly Binding[],
): Promise<Row[]> {
  if (name === null) return run(db, { text: numberPlaceholders(sql) }, bindings);
  const used = known.get(name);
  return run(db, used?.sql === sql ? used : number({ name, sql }), bindings);
}

/** Runs a statement on a session of the pool, or in a transaction. */
function run<Row>(
  db: Db,
  { name, text }: Pick<NumberedStatement, 'text'> & { name?: string },
  bindings: readonly Binding[],
): Promise<Row[]> {
  const values = [...bindings];
  const statement = name === undefined ? { text, values } : { text, values, name };
  const rows = isSender(db) ? db.send(statement) : sendOnPool(db, statement);
  return rows as Promise<Row[]>; // with the columns of the statement
}

/** What a transaction sends its statements with. */
export interface StatementSender {
  /** Sends a statement as PostgreSQL receives it, before the call returns. @returns its rows */
  send: (statement: SentStatement) => Promise<object[]>;
}

function isSender(db: Db): db is Db & StatementSender {
  return 'send' in db;
}

/**
 * Sends a statement on a session of the pool, or on that of a transaction of knex. Sends it again, on a new session, if a
 * migration has changed its columns, because the first one had no effect.
 * @returns its rows
 */
export async function sendOnPool(db: Db, statement: SentStatement): Promise<object[]> {
  const send = async (): Promise<object[]> => {
    rejectIfCompleted(db);
    const client = getClient(db);
    const session = await acquireSession(client);
    try {
      return await sendStatement(client, session, statement);
    } finally {
      await client.releaseConnection(session);
    }
  };
  return send().catch((error: unknown) => {
    if (isPlanOutdated(error) && db.isTransaction !== true) return send();
    throw error;
  });
}

/** A transaction of knex keeps its session after its end, when another may use it. @throws Error */
function rejectIfCompleted(db: Db): void {
  // Only transactions have this member.
  if ('isCompleted' in db && (db as Knex.Transaction).isCompleted()) {
    throw new Error('the transaction has already ended');
  }
}

function number({ name, sql }: { name: string; sql: string }): NumberedStatement {
  const statement = { name, sql, text: numberPlaceholders(sql) };
  known.set(name, statement);
  return statement;
}

function numberPlaceholders(sql: string): string {
  let position = 0;
  return sql.replaceAll('?', () => `$${(position += 1)}`);
}

/** The statements that were composed, by text. */
const composed = new Map<string, PreparedStatement>();

/** Each connection prepares each of them. */
const MAX_COMPOSED = 300;

/**
 * Returns the statement of a text that is composed from constant parts, such as the names of the columns to write. The
 * first few hundred different texts are prepared, and others are not. Every `?` is a placeholder.
 */
export function composeStatement(sql: string): PreparedStatement {
  const known = composed.get(sql);
  if (known !== undefined) return known;
  if (composed.size >= MAX_COMPOSED) return { name: null, sql };
  const digest = createHash('sha256').update(sql).digest('base64url').slice(0, 24);
  const statement = { name: `composed_${digest}`, sql };
  composed.set(sql, statement);
  return statement;
}

/** Common list lengths. Each is a separate statement. */
const LIST_SIZES = [1, 2, 4, 8, 16];

/** Runs a prepared statement for a list of ids, as `bindIds` binds it. No statement for none. */
export async function queryPreparedForIds<Row>(
  db: Db,
  prepared: PreparedForIds,
  ids: readonly number[],
  others: readonly Binding[] = [],
): Promise<Row[]> {
  if (ids.length === 0) return [];
  const { statement, bindings } = bindIds(prepared, ids, others);
  return queryPrepared(db, statement, bindings);
}

/** The statements of lists of each length, by name. */
const sized = new Map<string, PreparedStatement>();

/**
 * Binds a prepared statement to a list of ids, at least one, which follow the other bindings. Short lists are written out
 * and padded with the last id up to the next size: PostgreSQL assumes ten elements for an array parameter and would replan
 * shorter ones each time.
 */
export function bindIds(
  { name, sql }: PreparedForIds,
  ids: readonly number[],
  bindings: readonly Binding[],
): BoundStatement {
  const last = ids.at(-1) ?? 0;
  const size = LIST_SIZES.find((length) => length >= ids.length);
  if (size === undefined) {
    return { statement: { name, sql: sql('?::integer[]') }, bindings: [...bindings, [...ids]] };
  }
  const padded = Array.from({ length: size }, (_, place) => ids[place] ?? last);
  const places = () => Array.from({ length: size }, () => '?').join(', ');
  const build = () => ({ name: `${name}_${size}`, sql: sql(`ARRAY[${places()}]::integer[]`) });
  const statement = sized.get(`${name}_${size}`) ?? build();
  sized.set(`${name}_${size}`, statement);
  return { statement, bindings: [...bindings, ...padded] };
}
