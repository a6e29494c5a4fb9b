import path from 'node:path';
import { pino } from 'pino';
import { startEmbeddedPostgres } from '../src/platform/database/embedded';
import {
  findRecordedPostmaster,
  listProcesses,
  sendSignal,
} from '../src/platform/database/embedded/processes';
import { promote, startPair } from '../test/support/standby';

const log = pino({ level: 'silent' });

/** The database of the store, and what may happen to it. */
export interface Database {
  /** For the server of the store. */
  url: string;
  /** For its worker. */
  workerUrl: string;
  /** The server that has all commits. */
  directUrl: () => string;
  /** SIGKILL of PostgreSQL, which is started again. Resolves when it is dead. */
  kill: () => Promise<void>;
  freeze: () => void;
  unfreeze: () => void;
  /** How often the primary can fail. */
  failovers: number;
  /** Ends the primary as a machine that fails. Resolves when another server has taken its place. */
  failOver: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Sends a signal to the processes of a cluster. */
function signalAll(cluster: string, name: NodeJS.Signals): void {
  for (const pid of listProcesses(cluster)) sendSignal(pid, name);
}

/** Starts an embedded PostgreSQL with durable commits. */
export async function startDatabase(folder: string): Promise<Database> {
  const start = () => startEmbeddedPostgres({ dataDir: folder, log });
  const cluster = path.join(folder, 'postgres');
  let postgres = await start();
  const { url } = postgres;
  let isStopping = false;
  // The supervisor of the embedded PostgreSQL gives up after five deaths in a minute; here there may be more.
  const supervise = async (): Promise<void> => {
    for (;;) {
      await postgres.exited;
      if (isStopping) return;
      await postgres.stop();
      postgres = await start();
      if (postgres.url !== url) throw new Error('PostgreSQL has moved to another port');
    }
  };
  void supervise();
  return {
    url,
    workerUrl: url,
    directUrl: () => url,
    failovers: 0,
    kill: async () => {
      const victim = findRecordedPostmaster(cluster);
      if (victim === null) throw new Error('PostgreSQL is not running');
      process.kill(victim, 'SIGKILL');
      while (listProcesses(cluster).includes(victim)) await new Promise((resolve) => setImmediate(resolve));
    },
    freeze: () => signalAll(cluster, 'SIGSTOP'),
    unfreeze: () => signalAll(cluster, 'SIGCONT'),
    failOver: () => Promise.reject(new Error('there is no replica')),
    stop: async () => {
      isStopping = true;
      await postgres.stop();
    },
  };
}

/** Starts a primary and a synchronous replica of it. The primary can only fail, once: it freezes for good, as a machine that is cut off. */
export async function startReplicatedDatabase(folder: string): Promise<Database> {
  const pair = await startPair(folder, { isSynchronous: true });
  const cluster = path.join(folder, 'primary', 'postgres');
  const url = new URL(pair.primary.url);
  url.searchParams.set('target_session_attrs', 'read-write');
  const both = url.href.replace(url.host, `${url.host},${new URL(pair.standby.url).host}`);
  let isPromoted = false;
  const refuse = () => new Error('the primary only fails over');
  return {
    url: both,
    workerUrl: both,
    failovers: 1,
    directUrl: () => (isPromoted ? pair.standby.url : pair.primary.url),
    kill: () => Promise.reject(refuse()),
    freeze: () => {
      throw refuse();
    },
    unfreeze: () => {
      throw refuse();
    },
    failOver: async () => {
      signalAll(cluster, 'SIGSTOP');
      await promote(pair);
      isPromoted = true;
    },
    stop: async () => {
      await Promise.all([pair.primary.stop(), pair.standby.stop()]);
    },
  };
}
