import { spawnSync } from 'node:child_process';
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { readErrorCode } from '../../error-code';
import { StartupError } from '../../startup-error';

/**
 * Takes a lock on a file for as long as this process lives, and writes our process id into it. The kernel holds the
 * lock (flock), so whatever kills us gives it back, and no process id can be mistaken for another. Children do not
 * inherit it. Where the flock program is missing, the process id in the file decides.
 * @returns gives the lock back.
 * @throws StartupError built by `explain` from the holder's process id, when another process holds it.
 */
export function lockFile(file: string, explain: (holder: string) => string): () => void {
  const handle = openSync(file, 'a+', 0o600);
  const holder = readFileSync(file, 'utf8').trim();
  // flock(2) belongs to the open file, which the child shares with us: it stays ours when the child has ended.
  const { status, error } = spawnSync('flock', ['-n', '3'], {
    stdio: ['ignore', 'ignore', 'ignore', handle],
  });
  const isTaken = error === undefined ? status !== 0 : isAlive(Number(holder));
  if (isTaken) {
    closeSync(handle);
    throw new StartupError(explain(holder === '' ? 'unknown' : holder));
  }
  ftruncateSync(handle);
  writeSync(handle, `${process.pid}\n`);
  return () => {
    ftruncateSync(handle);
    closeSync(handle);
  };
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return readErrorCode(error) === 'EPERM';
  }
}
