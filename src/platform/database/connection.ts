import type { Client } from 'pg';
import { DescribedQuery, TextQuery, type Descriptions } from './described-query';
import { isPlanOutdated } from './pg-errors';
import type { StatementNames } from './statement-names';

/** What a connection sends differently from the driver. */
export interface ConnectionOptions {
  /** Null behind a pooler that does not support prepared statements. */
  names: StatementNames | null;
  /** Whether `relaxCommit` has an effect. */
  mayRelaxCommits: boolean;
  /** Statements that every transaction begins with, such as SET LOCAL; empty for none. */
  beginWith: readonly string[];
}

/** The arguments that knex passes to `query` of a connection. */
interface Statement {
  text: string;
  values?: unknown[];
  name?: string;
}

type Callback = (error: Error | null | undefined, result?: unknown) => void;

type Send = (statement: Statement, callback: Callback) => void;

/** The connections whose running transaction commits without waiting for the disk. */
const relaxed = new WeakSet<object>();

/** Lets the running transaction of a connection commit without waiting for the disk, if the pool allows it. */
export function relaxCommitOf(connection: object): void {
  relaxed.add(connection);
}

const RELAX_COMMIT = 'SET LOCAL synchronous_commit = off';

/** PostgreSQL answers COMMIT with ROLLBACK, and without an error, if a statement of the transaction has failed. */
function rejectRollback(callback: Callback): Callback {
  return (error, result) => {
    const isRolledBack = (result as { command?: string } | undefined)?.command === 'ROLLBACK'; // a result of pg
    callback(error ?? (isRolledBack ? new Error('a statement of the transaction has failed') : null), result);
  };
}

/** A result without rows, for statements that are not sent. */
const NOTHING = { command: '', rowCount: 0, rows: [], fields: [] };

/**
 * Makes a connection in pipeline mode send BEGIN together with the first statement of the transaction. A transaction
 * without statements sends nothing. Statements that transactions repeat are prepared. Call it before the first query.
 */
export function optimizeTransactions(
  connection: Client,
  { names, mayRelaxCommits, beginWith }: ConnectionOptions,
): void {
  // A query brings its callback.
  const sendQuery = connection.query.bind(connection) as unknown as (query: object) => void;
  const descriptions: Descriptions = new Map();
  let isInTransaction = false;
  const collect = createPacketCollector(getSocket(connection));
  const send: Send = (statement, callback) => {
    collect();
    const { text, values, name } = statement;
    if (name === undefined || names === null) {
      sendQuery(new TextQuery(text, values, callback));
      return;
    }
    const { generation, ...qualified } = names.qualify({ name, text });
    // Outside a transaction the statement has had no effect and is all there is to repeat.
    const mayRepeat = !isInTransaction;
    const received: Callback = (error, result) => {
      if (!isPlanOutdated(error)) return callback(error, result);
      names.renew(generation);
      if (mayRepeat && !isInTransaction) send(statement, callback);
      else callback(error, result);
    };
    sendQuery(new DescribedQuery({ ...qualified, values }, received, descriptions));
  };
  const prepare = (statement: Statement): Statement => {
    if (names === null) return removeName(statement);
    const { text, name, values = [] } = statement;
    if (!isInTransaction || name !== undefined || values.length === 0) return statement;
    const repeated = names.find(text);
    return repeated === null ? statement : { text, values, name: repeated };
  };
  let begin: string | null = null;

  const sendWithBegin = (text: string, statement: Statement, callback: Callback) => {
    let failure: Error | null = null;
    send({ text }, (error) => {
      if (error == null) return;
      // Without BEGIN, the statement would not be part of a transaction.
      failure = error;
      destroyConnection(connection);
    });
    send(statement, (error, result) => callback(failure ?? error, result));
  };

  const query: Send = (statement, callback) => {
    const { text } = statement;
    if (/^BEGIN\b/.test(text)) {
      begin = [text.replace(/;$/, ''), ...beginWith].join('; ');
      isInTransaction = true;
      relaxed.delete(connection);
      process.nextTick(callback, null, NOTHING);
      return;
    }
    const isEnd = /^(COMMIT|ROLLBACK);?$/.test(text);
    if (isEnd) isInTransaction = false;
    if (begin !== null) {
      const first = begin;
      begin = null;
      if (isEnd) process.nextTick(callback, null, NOTHING);
      else sendWithBegin(first, prepare(statement), callback);
    } else if (text.startsWith('COMMIT')) {
      // A statement of its own: in an aborted transaction it fails, and COMMIT must end the transaction all the same.
      if (mayRelaxCommits && relaxed.has(connection)) send({ text: RELAX_COMMIT }, () => undefined);
      send({ text }, rejectRollback(callback));
    } else {
      send(prepare(statement), callback);
    }
  };
  connection.query = query as Client['query']; // as above
}

/**
 * Creates a function to call before each statement. What is written until the running JavaScript has ended leaves in one
 * packet, because each write of a socket costs as much CPU as a small statement.
 */
function createPacketCollector(socket: Socket): () => void {
  let isCollecting = false;
  return () => {
    if (isCollecting) return;
    isCollecting = true;
    socket.cork();
    process.nextTick(() => {
      isCollecting = false;
      socket.uncork();
    });
  };
}

/** Closes a connection at once. Statements in progress fail. */
export function destroyConnection(connection: Client): void {
  getSocket(connection).destroy();
}

/** The methods of a socket that this file uses. */
interface Socket {
  cork(): void;
  uncork(): void;
  destroy(): void;
}

function getSocket(connection: Client): Socket {
  // `connection.stream` is the documented socket of pg; the type declarations lack it.
  return (connection as unknown as { connection: { stream: Socket } }).connection.stream;
}

function removeName({ text, values }: Statement): Statement {
  return { text, ...(values !== undefined && { values }) };
}
