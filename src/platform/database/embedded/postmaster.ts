import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '../../startup-error';
import type { Binaries } from './binaries';
import { buildServerEnvironment } from './environment';
import type { RunAs } from './run-as';

/** A data folder and how to run its server. */
export interface Cluster {
  /** The real path of the data folder. */
  folder: string;
  binaries: Binaries;
  runAs: RunAs;
  /** Extra settings, `name=value`. */
  settings: string[];
  logFile: string;
  /** Open for appending. */
  logHandle: number;
}

export interface Postmaster {
  /** Resolves with the exit code when the process has ended; null if a signal ended it. */
  exited: Promise<number | null>;
}

/** PostgreSQL refused to start. `reason` indicates whether a retry may help. */
export class PostmasterRefused extends StartupError {
  constructor(
    readonly reason: 'port taken' | 'other',
    line: string,
  ) {
    super(line);
  }
}

/** After a crash, the server replays its log before it is ready. */
const READY_WITHIN_MS = 120_000;

/**
 * Starts PostgreSQL on 127.0.0.1 and waits until it accepts connections.
 * @throws PostmasterRefused with the message of its log
 */
export async function startPostmaster(cluster: Cluster, port: number): Promise<Postmaster> {
  const logStart = statSync(cluster.logFile).size;
  const child = launch(cluster, port);
  const exited = watchExit(child);
  let code: number | null | undefined;
  void exited.then((value) => (code = value));

  const deadline = Date.now() + READY_WITHIN_MS;
  while (code === undefined && Date.now() < deadline) {
    if (isReady(cluster.folder, child.pid)) return { exited };
    await delay(15);
  }
  child.kill('SIGKILL');
  throw explainRefusal(cluster, readFileSync(cluster.logFile).subarray(logStart).toString());
}

function launch({ folder, binaries, runAs, settings, logHandle }: Cluster, port: number): ChildProcess {
  const all = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    // Clients may send secrets, so statements, values and their errors are not logged.
    'log_min_messages=log',
    'log_min_error_statement=panic',
    'log_error_verbosity=terse',
    'log_checkpoints=off',
    'jit=off',
    // Before recovery from a crash; as for initdb.
    ...(process.platform === 'linux' ? ['recovery_init_sync_method=syncfs'] : []),
    ...settings,
  ];
  const [file, args] = runAs.command(binaries.postgres, [
    '-D',
    folder,
    '-p',
    String(port),
    ...all.flatMap((setting) => ['-c', setting]),
  ]);
  // Detached, because Ctrl-C in a terminal must not stop the database before pending requests are complete.
  return spawn(file, args, {
    ...runAs.identity,
    cwd: folder,
    detached: true,
    stdio: ['ignore', logHandle, logHandle],
    env: buildServerEnvironment(),
  });
}

/** Returns the exit code as a promise. Stops the server if this process exits without stopping it. */
function watchExit(child: ChildProcess): Promise<number | null> {
  const stopWithUs = () => child.kill('SIGINT');
  process.once('exit', stopWithUs);
  return new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
    child.once('error', () => resolve(null));
  }).finally(() => process.removeListener('exit', stopWithUs));
}

/** Reads the server state from the eighth line of postmaster.pid. */
function isReady(folder: string, pid: number | undefined): boolean {
  try {
    const lines = readFileSync(path.join(folder, 'postmaster.pid'), 'utf8').split('\n');
    return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

function explainRefusal({ logFile }: Cluster, log: string): PostmasterRefused {
  const line =
    log
      .split('\n')
      .findLast((entry) => /FATAL|PANIC|error while loading|^(unshare|setpriv)/.test(entry))
      ?.replace(/^.*?(FATAL|PANIC):\s*/, '') ?? 'it did not become ready';
  const reason = /could not bind|could not create any TCP/.test(log) ? 'port taken' : 'other';
  return new PostmasterRefused(reason, `The embedded PostgreSQL does not start: ${line} (see ${logFile})`);
}

/** Finds a free TCP port on 127.0.0.1; `preferred` if it is free. */
export async function findFreePort(preferred: number | null): Promise<number> {
  const port = preferred === null ? null : await tryPort(preferred);
  return port ?? (await tryPort(0)) ?? 0;
}

function tryPort(wanted: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : null;
      server.close(() => resolve(port));
    });
  });
}
