import type { Knex } from 'knex';
import type { Db } from './knex';
import { sendStatement, type Binding, type ConnectionSource } from './pooled-connection';

/** A statement with constant text. */
export interface PreparedStatement {
  /** Must be unique. */
  name: string;
  sql: string;
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
export async function queryPrepared<Row>(
  db: Db,
  { name, sql }: PreparedStatement,
  bindings: readonly Binding[],
): Promise<Row[]> {
  const used = known.get(name);
  return run(db, used?.sql === sql ? used : number({ name, sql }), bindings);
}

/** Runs a statement on a connection of the pool, or on that of a transaction. */
async function run<Row>(
  db: Db,
  { name, text }: Pick<NumberedStatement, 'text'> & { name?: string },
  values: readonly Binding[],
): Promise<Row[]> {
  const client = db.client as ConnectionSource; // see its declaration
  rejectIfCompleted(db);
  const connection = await client.acquireConnection();
  try {
    const statement = name === undefined ? { text, values } : { text, values, name };
    // The rows have the columns of the statement.
    return (await sendStatement(client, connection, statement)) as Row[];
  } finally {
    await client.releaseConnection(connection);
  }
}

/** A transaction of knex keeps its connection after its end, when another may use it. @throws Error */
function rejectIfCompleted(db: Db): void {
  // Only transactions have this member.
  if ('isCompleted' in db && (db as Knex.Transaction).isCompleted()) {
    throw new Error('the transaction has already ended');
  }
}

function number({ name, sql }: PreparedStatement): NumberedStatement {
  const statement = { name, sql, text: numberPlaceholders(sql) };
  known.set(name, statement);
  return statement;
}

function numberPlaceholders(sql: string): string {
  let position = 0;
  return sql.replaceAll('?', () => `$${(position += 1)}`);
}

/** A statement that is sent each time it is awaited. */
export class UnsentStatement<Row> implements PromiseLike<Row[]> {
  constructor(readonly send: () => Promise<Row[]>) {}

  then: PromiseLike<Row[]>['then'] = (done, failed) => this.send().then(done, failed);
}

/** The texts of composed statements with numbered placeholders. */
const composed = new Map<string, string>();

const MAX_COMPOSED = 500;

/**
 * Builds a statement of a transaction from constant parts, such as the names of the columns to write. It bypasses the
 * query builder of knex, and connections prepare it when it is repeated (`statement-names.ts`). Every `?` is a
 * placeholder.
 */
export function composeStatement<Row>(
  tx: Db,
  sql: string,
  bindings: readonly Binding[],
): UnsentStatement<Row> {
  let text = composed.get(sql);
  if (text === undefined) {
    if (composed.size >= MAX_COMPOSED) composed.clear();
    text = numberPlaceholders(sql);
    composed.set(sql, text);
  }
  const numbered = { text };
  return new UnsentStatement(() => run<Row>(tx, numbered, bindings));
}

/** Common list lengths. Each is a separate statement. */
const LIST_SIZES = [1, 2, 4, 8, 16];

/**
 * Runs a prepared statement for a list of ids, which follow the other bindings. Short lists are written out and padded
 * with the last id up to the next size: PostgreSQL assumes ten elements for an array parameter and would replan shorter
 * ones each time.
 */
export async function queryPreparedForIds<Row>(
  db: Db,
  { name, sql }: PreparedForIds,
  ids: readonly number[],
  bindings: readonly Binding[] = [],
): Promise<Row[]> {
  const last = ids.at(-1);
  if (last === undefined) return [];
  const size = LIST_SIZES.find((length) => length >= ids.length);
  if (size === undefined)
    return queryPrepared(db, { name, sql: sql('?::integer[]') }, [...bindings, [...ids]]);
  const padded = Array.from({ length: size }, (_, place) => ids[place] ?? last);
  const sized = `${name}_${size}`;
  const places = () => Array.from({ length: size }, () => '?').join(', ');
  const statement = known.get(sized) ?? number({ name: sized, sql: sql(`ARRAY[${places()}]::integer[]`) });
  return run(db, statement, [...bindings, ...padded]);
}
