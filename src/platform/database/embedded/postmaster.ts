import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '../../startup-error';
import type { Binaries } from './binaries';
import type { RunAs } from './run-as';

/** A data folder and how its server is run. */
export interface Cluster {
  /** Real path of the data folder. */
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
  /** Resolves with the exit code (null after a signal) when it has ended, for whatever reason. */
  exited: Promise<number | null>;
}

/** Why a start was refused, as far as trying again may help. */
export class PostmasterRefused extends StartupError {
  constructor(
    readonly reason: 'port taken' | 'still in use' | 'other',
    line: string,
  ) {
    super(line);
  }
}

/** Recovery after a crash replays the log first; while it does, the server is alive but not ready. */
const READY_WITHIN_MS = 120_000;

/**
 * Starts PostgreSQL on 127.0.0.1 and waits until it takes connections.
 * @throws PostmasterRefused with what its log says.
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
    // What a client sent may be a secret: neither statements nor values nor their errors go to the log.
    'log_min_messages=log',
    'log_min_error_statement=panic',
    'log_error_verbosity=terse',
    'log_checkpoints=off',
    'jit=off',
    // Before it recovers from a crash: as in initdb.
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
  // Detached: Ctrl-C in a terminal must reach us only, or the database would stop before its requests are answered.
  return spawn(file, args, {
    ...runAs.identity,
    cwd: folder,
    detached: true,
    stdio: ['ignore', logHandle, logHandle],
    env: { ...process.env, PGDATA: undefined, TZ: 'UTC' },
  });
}

/** Also sees to it that the server does not outlive us when we exit without having stopped it. */
function watchExit(child: ChildProcess): Promise<number | null> {
  const stopWithUs = () => child.kill('SIGINT');
  process.once('exit', stopWithUs);
  return new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
    child.once('error', () => resolve(null));
  }).finally(() => process.removeListener('exit', stopWithUs));
}

/** PostgreSQL keeps its state in the eighth line of postmaster.pid. */
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
  const reason = /could not bind|could not create any TCP/.test(log)
    ? 'port taken'
    : /pre-existing shared memory|lock file .* already exists/.test(log)
      ? 'still in use'
      : 'other';
  return new PostmasterRefused(reason, `The embedded PostgreSQL does not start: ${line} (see ${logFile})`);
}

/** A TCP port on 127.0.0.1 nobody listens on now; `preferred` if it is free. */
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
