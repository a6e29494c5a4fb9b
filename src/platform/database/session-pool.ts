import type { Knex } from 'knex';
import { Client, Pool, type ClientConfig, type PoolClient, type PoolConfig } from 'pg';
import { noteLostConnection } from '../lost-connections';
import { createHostChoice, type HostChoice } from './hosts';
import { Session, type SessionOptions } from './session';

/** Idle connections are closed after this time. */
const IDLE_MS = 30_000;

/** The message of pg when no connection of the pool is released in time. */
const EXHAUSTED = 'timeout exceeded when trying to connect';

/** The message of the error when a session is not available in time. */
export const ACQUIRE_TIMEOUT_MESSAGE = 'Timeout acquiring a connection';

export interface SessionPoolOptions {
  /** May name several hosts (`hosts.ts`). A function is called once, for the first connection. */
  url: string | (() => Promise<string>);
  /** A connection must be opened, and each host must answer, within this time. */
  connectMs: number;
  /** Of the pool and its connections, for pg. A connection must be free or opened within `connectionTimeoutMillis`. */
  config: PoolConfig & { connectionTimeoutMillis: number };
  /** Settings of the connections, for `SET`. */
  settings: readonly string[];
  session: SessionOptions;
}

/**
 * The sessions of a database: a pool of pg in the form that knex acquires connections from. It connects when a session is
 * needed, to the host that is then right.
 */
export class SessionPool implements Knex.TarnPoolLike {
  readonly #pool: Pool;
  readonly #host: HostChoice;
  readonly #acquireMs: number;
  readonly #sessions = new WeakMap<PoolClient, Session>();
  /** Others are closed when they are released or acquired. */
  #usable = new WeakSet<Session>();

  constructor({ url, connectMs, config, settings, session }: SessionPoolOptions) {
    this.#acquireMs = config.connectionTimeoutMillis;
    this.#host = createHostChoice(url, { withinMs: connectMs, onMove: () => this.#retire() });
    // The time limit of a pool includes the wait for a free connection.
    class PunctualClient extends Client {
      constructor(given: ClientConfig = {}) {
        super({ ...given, connectionTimeoutMillis: connectMs });
      }
    }
    this.#pool = new Pool({ ...config, Client: PunctualClient, idleTimeoutMillis: IDLE_MS });
    this.#pool.on('error', () => undefined); // the client reports it too
    this.#pool.on('connect', (client) => {
      client.once('error', () => {
        this.#host.reopen();
        noteLostConnection();
      });
      // Without a listener, another error would end the process.
      client.on('error', () => undefined);
      applySettings(client, settings);
      const created = new Session(client, session);
      this.#sessions.set(client, created);
      this.#usable.add(created);
    });
  }

  /** @throws the error of pg or of the hosts */
  acquire(): { promise: Promise<Session> } {
    return { promise: this.#host.isOpen() ? this.#chooseAndConnect() : this.#connect() };
  }

  release(session: Session): boolean {
    session.client.release(session.isDestroyed || !this.#usable.has(session));
    return true;
  }

  /** Uses none of the current connections again. */
  retire(): void {
    this.#host.reopen();
    this.#retire();
  }

  #retire(): void {
    noteLostConnection();
    this.#usable = new WeakSet();
  }

  async #connect(): Promise<Session> {
    for (;;) {
      const session = await this.#pool.connect().then(
        (client) => this.#sessions.get(client),
        (error: Error) => {
          if (error.message === EXHAUSTED)
            throw new Error(`${ACQUIRE_TIMEOUT_MESSAGE}: all ${this.#pool.totalCount} are in use`);
          this.#host.reopen();
          throw error;
        },
      );
      if (session === undefined) throw new Error('a connection has no session');
      if (this.#usable.has(session)) return session;
      this.release(session);
    }
  }

  /** Both together must end within the time limit of the pool. */
  async #chooseAndConnect(): Promise<Session> {
    const connecting = this.#host.choose().then((url) => {
      this.#pool.options.connectionString = url;
      return this.#connect();
    });
    let timer: NodeJS.Timeout | undefined;
    const expired = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        connecting.then(
          (late) => this.release(late),
          () => undefined,
        );
        reject(new Error(ACQUIRE_TIMEOUT_MESSAGE));
      }, this.#acquireMs);
    });
    return Promise.race([connecting, expired]).finally(() => clearTimeout(timer));
  }

  // Knex recognizes a pool of its kind by the following ones; the metrics show them.

  /** Including those that are being opened. */
  numUsed(): number {
    return this.#pool.totalCount - this.#pool.idleCount;
  }

  numFree(): number {
    return this.#pool.idleCount;
  }

  numPendingAcquires(): number {
    return this.#pool.waitingCount;
  }

  /** Closes all connections, each when it is released. */
  async destroy(): Promise<void> {
    await this.#pool.end();
  }
}

/** Not startup parameters: PgBouncer rejects or silently drops them. Nothing waits for them: statements run in order. */
function applySettings(client: PoolClient, settings: readonly string[]): void {
  if (settings.length === 0) return;
  client.query(settings.map((setting) => `SET ${setting}`).join('; '), (error) => {
    // The statements that were sent after it fail with its error.
    if (error != null) client.connection.stream.destroy(error);
  });
}
