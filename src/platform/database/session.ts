import type { PoolClient, QueryResult } from 'pg';

/** The value of a `?` placeholder; an array for `= ANY(?)` and `unnest(?)`. */
export type Binding = string | number | boolean | Date | Buffer | null | string[] | number[];

/** A statement as PostgreSQL receives it. */
export interface SentStatement {
  text: string;
  /** The name under which it is prepared; not prepared without one. */
  name?: string;
  values?: unknown[];
  /** The milliseconds for which the client waits for the result, instead of the pool's. */
  query_timeout?: number;
}

/** What the callers of a session use of a result. */
export type StatementResult = Pick<QueryResult<object>, 'command' | 'rowCount' | 'rows' | 'fields'>;

export type Callback = (error: Error | null, result?: StatementResult) => void;

/** What runs statements: a session, or a transaction on it. Builders of knex call it as they call a client of pg. */
export interface Connection {
  query(statement: SentStatement, callback: Callback): void;
}

/** Is called with the text of a statement before it is sent. Returns what is called with its result; null for nothing. */
export type Observer = (text: string) => ((error: Error | null) => void) | null;

/** What a session sends differently from the driver. */
export interface SessionOptions {
  /** False behind a pooler that does not support prepared statements. */
  canPrepare: boolean;
  /** Whether `relaxCommit` has an effect. */
  mayRelaxCommits: boolean;
  /** Statements that every transaction begins with, such as SET LOCAL; empty for none. */
  beginWith: readonly string[];
  observers: readonly Observer[];
}

const RELAX_COMMIT = 'SET LOCAL synchronous_commit = off';

/** A result without rows, for statements that are not sent. */
const NOTHING: StatementResult = { command: '', rowCount: 0, rows: [], fields: [] };

/**
 * Sends the statements of one connection in pipeline mode: at once, in the order of the calls. BEGIN is sent together with
 * the first statement of the transaction, and a transaction without statements sends nothing.
 */
export class Session implements Connection {
  #begin: string | null = null;
  #isRelaxed = false;
  #isDestroyed = false;
  #isCollecting = false;

  constructor(
    readonly client: PoolClient,
    private readonly options: SessionOptions,
  ) {}

  /** Whether no transaction is open. */
  isIdle(): boolean {
    return this.client.getTransactionStatus() === 'I';
  }

  /** Lets the running transaction commit without waiting for the disk, if the pool allows it. */
  relaxCommit(): void {
    this.#isRelaxed = true;
  }

  get isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  /** Closes the connection at once. Statements in progress fail. */
  destroy(): void {
    this.#isDestroyed = true;
    this.client.connection.stream.destroy();
  }

  query(statement: SentStatement, callback: Callback): void {
    let report = callback;
    for (const observe of this.options.observers) {
      const end = observe(statement.text);
      if (end !== null) report = before(end, report);
    }
    this.#query(statement, report);
  }

  #query(statement: SentStatement, callback: Callback): void {
    const { text } = statement;
    if (/^BEGIN\b/.test(text)) {
      this.#begin = [text.replace(/;$/, ''), ...this.options.beginWith].join('; ');
      this.#isRelaxed = false;
      process.nextTick(callback, null, NOTHING);
      return;
    }
    const isEnd = /^(COMMIT|ROLLBACK);?$/.test(text);
    if (this.#begin !== null) {
      const begin = this.#begin;
      this.#begin = null;
      if (isEnd) process.nextTick(callback, null, NOTHING);
      else this.#sendWithBegin(begin, statement, callback);
    } else if (text.startsWith('COMMIT')) {
      // A statement of its own: in an aborted transaction it fails, and COMMIT must end the transaction all the same.
      if (this.options.mayRelaxCommits && this.#isRelaxed)
        this.#send({ text: RELAX_COMMIT }, () => undefined);
      this.#send({ text }, rejectRollback(callback));
    } else {
      this.#send(statement, callback);
    }
  }

  #sendWithBegin(begin: string, statement: SentStatement, callback: Callback): void {
    let failure: Error | null = null;
    this.#send({ text: begin }, (error) => {
      if (error == null) return;
      // Without BEGIN, the statement would not be part of a transaction.
      failure = error;
      this.destroy();
    });
    this.#send(statement, (error, result) => callback(failure ?? error, result));
  }

  #send(statement: SentStatement, callback: Callback): void {
    this.#collectPackets();
    const { text, name, values, query_timeout } = statement;
    if (name !== undefined && this.options.canPrepare) {
      this.client.query({ name, text, values: values ?? [] }, callback);
      return;
    }
    if (query_timeout !== undefined) {
      const limited = { text, values: values ?? [], query_timeout }; // the types of pg lack the limit in a literal
      this.client.query(limited, callback);
      return;
    }
    // Without an object, which pg would copy with its property descriptors.
    if (values === undefined) this.client.query(text, callback);
    else this.client.query(text, values, callback);
  }

  /**
   * What is written until the running JavaScript has ended leaves in one packet, because each write of a socket costs as
   * much CPU as a small statement.
   */
  #collectPackets(): void {
    if (this.#isCollecting) return;
    this.#isCollecting = true;
    const { stream } = this.client.connection;
    stream.cork();
    process.nextTick(() => {
      this.#isCollecting = false;
      stream.uncork();
    });
  }
}

function before(end: (error: Error | null) => void, callback: Callback): Callback {
  return (error, result) => {
    end(error);
    callback(error, result);
  };
}

/** PostgreSQL answers COMMIT with ROLLBACK, and without an error, if a statement of the transaction has failed. */
function rejectRollback(callback: Callback): Callback {
  return (error, result) => {
    const isRolledBack = result?.command === 'ROLLBACK';
    callback(error ?? (isRolledBack ? new Error('a statement of the transaction has failed') : null), result);
  };
}
