import { spawnSync } from 'node:child_process';
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { isOtherProcess } from '../../other-process';
import { StartupError } from '../../startup-error';
import { isDiskFull } from '../../storage/disk-space';

/**
 * Locks a file until this process ends, and writes the process id into it. The kernel releases the lock (flock) even if
 * the process is killed. Child processes do not inherit it. Without the flock program, the process id in the file
 * decides.
 * @returns a function that releases the lock
 * @throws StartupError with the message of `explain`, if another process holds the lock, or if the disk is full
 */
export function lockFile(file: string, explain: (holder: string) => string): () => void {
  const handle = openSync(file, 'a+', 0o600);
  const holder = readFileSync(file, 'utf8').trim();
  // flock(2) locks the open file, which the child process shares, so the lock remains after the child has ended.
  const { status, error } = spawnSync('flock', ['-n', '3'], {
    stdio: ['ignore', 'ignore', 'ignore', handle],
  });
  const isTaken = error === undefined ? status !== 0 : isOtherProcess(Number(holder));
  if (isTaken) {
    closeSync(handle);
    throw new StartupError(explain(holder === '' ? 'unknown' : holder));
  }
  try {
    ftruncateSync(handle);
    writeSync(handle, `${process.pid}\n`);
  } catch (error) {
    closeSync(handle);
    if (!isDiskFull(error)) throw error;
    throw new StartupError(`The disk of ${path.dirname(file)} is full: free disk space`);
  }
  return () => {
    ftruncateSync(handle);
    closeSync(handle);
  };
}
