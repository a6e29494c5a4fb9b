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
  /** Created if missing; the database is in its subfolder `postgres`. */
  dataDir: string;
  log: Logger;
  /** For tests: turns off durability, so a crash of the machine loses data. */
  fast?: boolean;
}

export interface EmbeddedPostgres {
  /** Contains the password. Does not change until `stop`. */
  url: string;
  /** Closes all connections, stops the server within about six seconds and unlocks the folder. Repeatable. */
  stop: () => Promise<void>;
  /** Resolves with the exit code if the server has died and cannot be restarted. Stays pending after `stop`. */
  exited: Promise<number | null>;
}

const FAST_SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_wal_size=2GB'];

/** The number of restarts allowed within this time. */
const RESTARTS = { atMost: 5, withinMs: 60_000 };

/**
 * Starts the embedded PostgreSQL on a free port of 127.0.0.1 and restarts it if it dies. Recovers a folder whose
 * previous server was killed. Only one process may use a folder. Also works as root.
 * @throws StartupError if the folder is not writable or in use, or if PostgreSQL cannot run on this machine
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { log, fast = false } = options;
  const dataDir = openDataFolder(options.dataDir);
  const paths = buildPaths(dataDir);
  const unlock = lockFile(
    paths.lock,
    (holder) =>
      `DATA_DIR ${dataDir} is in use by another process (${holder}): stop that process, or set another DATA_DIR`,
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

/**
 * Ends a server of this folder that a killed process left running. This process holds the folder's lock, so it is
 * unused.
 */
async function endOrphans(folder: string, log: Logger): Promise<void> {
  let cluster: string;
  try {
    cluster = realpathSync(folder);
  } catch {
    return;
  }
  log.debug({ cluster }, 'ending processes left by an earlier run');
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

/**
 * Restarts on the same port, which the pool connects to. Ends the backends of the dead server first. Null if it fails.
 */
async function restartPostmaster(cluster: Cluster, port: number, log: Logger): Promise<Postmaster | null> {
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    try {
      await endProcesses(cluster.folder);
      const postmaster = await startPostmaster(cluster, port);
      log.info({ attempt }, 'embedded PostgreSQL restarted');
      return postmaster;
    } catch (error) {
      log.warn(
        { attempt, reason: isError(error) ? error.message : 'unknown' },
        'restart of the embedded PostgreSQL failed',
      );
      await delay(500);
    }
  }
  return null;
}
