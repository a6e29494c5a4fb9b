import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Lists the running postgres processes of a data folder: the postmaster and its backends. They are identified by their
 * working directory, because a process id in a file may be outdated. `cluster` is a real path.
 */
export function listProcesses(cluster: string): number[] {
  return existsSync('/proc/self/cwd') ? listFromProc(cluster) : listFromPs(cluster);
}

function listFromProc(cluster: string): number[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.filter((id) => isPostgresIn(cluster, id)).map(Number);
}

/** A process that is ending has no executable while it still holds the shared memory, which the next server needs. */
function isPostgresIn(cluster: string, id: string): boolean {
  const isHere = readLink(`/proc/${id}/cwd`) === cluster;
  const executable = isHere ? readLink(`/proc/${id}/exe`)?.replace(/ \(deleted\)$/, '') : undefined;
  return isHere && (executable === undefined || path.basename(executable) === 'postgres');
}

/** Undefined for a process that has ended, is a zombie, or belongs to another user. */
function readLink(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}

/** Finds only the postmaster, by its command line; its backends end with it. */
function listFromPs(cluster: string): number[] {
  const { stdout } = spawnSync('ps', ['-axo', 'pid=,command='], { encoding: 'utf8' });
  return (stdout ?? '')
    .split('\n')
    .filter((line) => line.includes('postgres') && line.includes(`-D ${cluster} `))
    .map((line) => Number.parseInt(line.trim(), 10));
}

/** Returns the process id in the folder's postmaster.pid; null if there is none. */
export function findRecordedPostmaster(cluster: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8'), 10);
    return Number.isInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

/** The ways to stop PostgreSQL: disconnect all clients and checkpoint, abort, kill. */
const STEPS: { signal: NodeJS.Signals; timeoutMs: number }[] = [
  { signal: 'SIGINT', timeoutMs: 2_500 },
  { signal: 'SIGQUIT', timeoutMs: 700 },
  { signal: 'SIGKILL', timeoutMs: 3_000 },
];

/**
 * Ends all processes of a data folder within about six seconds, and removes postmaster.pid, which would prevent the
 * next start. Committed work is not lost: after a kill, the next start replays the log. The caller must hold the
 * folder's lock.
 */
export async function endProcesses(cluster: string): Promise<void> {
  for (const { signal, timeoutMs } of STEPS) {
    const running = listProcesses(cluster);
    if (running.length === 0) break;
    const postmaster = running.find((pid) => pid === findRecordedPostmaster(cluster));
    const isLast = signal === 'SIGKILL';
    for (const pid of postmaster === undefined || isLast ? running : [postmaster]) sendSignal(pid, signal);
    await waitUntilGone(cluster, timeoutMs);
  }
  rmSync(path.join(cluster, 'postmaster.pid'), { force: true });
}

async function waitUntilGone(cluster: string, ms: number): Promise<void> {
  const deadline = Date.now() + ms;
  while (listProcesses(cluster).length > 0 && Date.now() < deadline) await delay(20);
}

/** Sends a signal to a process that may have ended meanwhile. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has already ended.
  }
}
