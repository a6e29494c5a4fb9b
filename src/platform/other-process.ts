import { readErrorCode } from './error-code';

/** Returns whether a process with this id runs on this machine, other than this one. Without an effect on it. */
export function isOtherProcess(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return readErrorCode(error) === 'EPERM';
  }
}
