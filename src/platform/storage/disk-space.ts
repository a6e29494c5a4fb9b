import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { readErrorCode } from '../error-code';
import { FilesUnavailable, InsufficientStorage } from '../errors';

/** In bytes: the space that an upload of the maximum size needs. */
const UPLOAD_SPACE = 16 * 1024 * 1024;

/** Returns whether the error is that the disk or the user's share of it is full. */
export function isDiskFull(error: unknown): boolean {
  const code = readErrorCode(error);
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** The codes of a disk that fails, or that a fault has made read-only, and of a process with too many open files. */
const FAILURES = new Set(['EIO', 'EROFS', 'ESTALE', 'EMFILE', 'ENFILE']);

/** Converts an error of a disk to that of a storage. */
export function toDiskError(error: unknown): unknown {
  const code = readErrorCode(error) ?? '';
  if (FAILURES.has(code)) return new FilesUnavailable(code);
  return isDiskFull(error) ? new InsufficientStorage(error) : error;
}

/** Returns whether the disk of a folder has space for an upload. The folder need not exist yet. */
export async function hasSpaceIn(folder: string): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize >= UPLOAD_SPACE;
  } catch (error) {
    const parent = path.dirname(folder);
    if (readErrorCode(error) !== 'ENOENT' || parent === folder) throw error;
    return hasSpaceIn(parent);
  }
}
