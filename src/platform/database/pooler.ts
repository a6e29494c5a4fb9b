import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { BackendKeyDataMessage } from 'pg-protocol/dist/messages';
import { chooseHost } from './hosts';

/** A connection pooler between this program and PostgreSQL, such as PgBouncer. */
export interface Pooler {
  /** Whether prepared statements work in transaction mode, as in PgBouncer 1.21 and newer. */
  canPrepare: boolean;
}

const TIMEOUT_MS = 5_000;

/** How often two connections must be found on one server connection, or apart, before the probe gives up. */
const PROBES = 10;

/**
 * Returns the pooler at a URL; null for a direct connection. A pooler is recognized by a process id that is not that of
 * the server process. Transaction mode is assumed, because session mode differs only in what it allows.
 */
export async function findPooler(url: string): Promise<Pooler | null> {
  return withClients(await chooseHost(url, TIMEOUT_MS), async (first, second, named) => {
    const { rows } = await first.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return rows[0]?.pid === named ? null : { canPrepare: await supportsPrepared(first, second) };
  });
}

/**
 * Prepares different statements under one name on two connections. A pooler without support passes both to the same
 * server connection, which refuses the second, or executes one for the other.
 */
async function supportsPrepared(first: Client, second: Client): Promise<boolean> {
  const name = `probe_${randomBytes(6).toString('hex')}`;
  const ask = async (client: Client, answer: string) => {
    const text = `SELECT pg_backend_pid() AS pid, '${answer}' AS answer`;
    const { rows } = await client.query<{ pid: number; answer: string }>({ name, text });
    return { pid: rows[0]?.pid, isRight: rows[0]?.answer === answer };
  };
  try {
    for (let probe = 0; probe < PROBES; probe += 1) {
      const [one, other] = [await ask(first, 'first'), await ask(second, 'second')];
      if (!one.isRight || !other.isRight) return false;
      if (one.pid === other.pid) return true;
    }
    return false;
  } catch {
    return false;
  }
}

/** Runs `work` with two clients and the process id that was named to the first one when it connected. */
async function withClients<T>(
  url: string,
  work: (first: Client, second: Client, named: number | null) => Promise<T>,
): Promise<T> {
  const limits = { connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS };
  const [first, second] = [
    new Client({ connectionString: url, ...limits }),
    new Client({ connectionString: url, ...limits }),
  ];
  let named: number | null = null;
  first.connection.once('backendKeyData', ({ processID }: BackendKeyDataMessage) => (named = processID));
  for (const client of [first, second]) client.on('error', () => undefined); // the queries also report it
  try {
    for (const client of [first, second]) await client.connect();
    return await work(first, second, named);
  } finally {
    for (const client of [first, second]) await client.end().catch(() => undefined);
  }
}
