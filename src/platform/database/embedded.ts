import { closeSync, openSync, realpathSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { openDataFolder } from '../data-folder';
import { isError } from '../error-code';
import { findBinaries } from './embedded/binaries';
import { ensureCluster, buildPaths, buildUrl, writeCredentials } from './embedded/cluster';
import { lockFile } from './embedded/folder-lock';
import { findFreePort, PostmasterRefused, startPostmaster } from './embedded/postmaster';
import type { Cluster, Postmaster } from './embedded/postmaster';
import { endProcesses } from './embedded/processes';
import { chooseRunAs } from './embedded/run-as';

export interface EmbeddedOptions {
  /** Made when missing; the database lives in its folder `postgres`. */
  dataDir: string;
  log: Logger;
  /** For tests: nothing survives a crash of the machine. */
  fast?: boolean;
}

export interface EmbeddedPostgres {
  /** Holds the password. Stays the same until `stop`. */
  url: string;
  /** Disconnects everybody, stops the server within about six seconds and gives the folder back. Repeatable. */
  stop: () => Promise<void>;
  /** Resolves with the exit code when the server has died and could not be started again; not after `stop`. */
  exited: Promise<number | null>;
}

const FAST_SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_wal_size=2GB'];

/** A server that dies more often within this time is given up. */
const RESTARTS = { atMost: 5, withinMs: 60_000 };

/**
 * Starts the embedded PostgreSQL on a free port of 127.0.0.1, on whatever a kill -9 has left in the folder, and
 * starts it again should it die. Only one process may use a folder. Runs as root too.
 * @throws StartupError: folder not writable or in use, or PostgreSQL does not run here.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { log, fast = false } = options;
  const dataDir = openDataFolder(options.dataDir);
  const paths = buildPaths(dataDir);
  const unlock = lockFile(
    paths.lock,
    (holder) =>
      `DATA_DIR ${dataDir} is in use by another process (${holder}): stop that one, or set another DATA_DIR`,
  );
  const logHandle = openSync(paths.log, 'w', 0o600);
  const release = () => {
    closeSync(logHandle);
    unlock();
  };
  try {
    const binaries = findBinaries();
    const runAs = chooseRunAs(binaries.postgres);
    await endOrphans(paths.cluster, log);
    const credentials = ensureCluster(dataDir, binaries, runAs, fast);
    const cluster: Cluster = {
      folder: realpathSync(paths.cluster),
      binaries,
      runAs,
      settings: fast ? FAST_SETTINGS : [],
      logFile: paths.log,
      logHandle,
    };
    const { postmaster, port } = await startOnFreePort(cluster, credentials.port);
    writeCredentials(dataDir, { ...credentials, port });
    log.debug({ port, run_as: runAs.name }, 'embedded PostgreSQL is ready');
    const url = buildUrl(port, credentials.password);
    return { url, ...supervise({ cluster, port, log, release }, postmaster) };
  } catch (error) {
    release();
    throw error;
  }
}

/** A server of this folder still runs when our predecessor was killed. We hold the lock, so nobody needs it. */
async function endOrphans(folder: string, log: Logger): Promise<void> {
  let cluster: string;
  try {
    cluster = realpathSync(folder);
  } catch {
    return;
  }
  log.debug({ cluster }, 'ending what an earlier run may have left');
  await endProcesses(cluster);
}

async function startOnFreePort(cluster: Cluster, preferred: number | null) {
  for (let attempt = 1; ; attempt += 1) {
    const port = await findFreePort(attempt === 1 ? preferred : null);
    try {
      return { port, postmaster: await startPostmaster(cluster, port) };
    } catch (error) {
      const isRaceForPort = error instanceof PostmasterRefused && error.reason === 'port taken';
      if (!isRaceForPort || attempt >= 5) throw error;
    }
  }
}

interface Supervised {
  cluster: Cluster;
  port: number;
  log: Logger;
  release: () => void;
}

function supervise({ cluster, port, log, release }: Supervised, first: Postmaster) {
  let current = first;
  let stopping: Promise<void> | undefined;
  const deaths: number[] = [];

  const watch = async (): Promise<number | null> => {
    for (;;) {
      const code = await current.exited;
      if (stopping !== undefined) return new Promise(() => {});
      deaths.push(Date.now());
      const recent = deaths.filter((time) => time > Date.now() - RESTARTS.withinMs);
      log.error({ code, deaths: recent.length }, 'embedded PostgreSQL has died');
      if (recent.length > RESTARTS.atMost) return code;
      const next = await restartPostmaster(cluster, port, log);
      if (next === null) return code;
      current = next;
    }
  };

  const stop = async () => {
    await endProcesses(cluster.folder);
    release();
  };
  return { exited: watch(), stop: () => (stopping ??= stop()) };
}

/** On the same port, since the pool knows no other. The backends of the dead server are ended first. */
async function restartPostmaster(cluster: Cluster, port: number, log: Logger): Promise<Postmaster | null> {
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    try {
      await endProcesses(cluster.folder);
      const postmaster = await startPostmaster(cluster, port);
      log.info({ attempt }, 'embedded PostgreSQL runs again');
      return postmaster;
    } catch (error) {
      log.warn({ attempt, reason: isError(error) ? error.message : 'unknown' }, 'restart failed');
      await delay(500);
    }
  }
  return null;
}
