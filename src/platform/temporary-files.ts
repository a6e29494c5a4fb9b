import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isOtherProcess } from './other-process';

/** Unique to this program. */
const PREFIX = 'store-upload-';

/**
 * Returns a new path for a temporary file. The caller removes the file; a job removes the files of killed processes.
 */
export function buildTemporaryPath(): string {
  return path.join(tmpdir(), `${PREFIX}${process.pid}-${randomUUID()}`);
}

/**
 * Removes temporary files of this program that were last modified before `before`, unless another process that runs has made them:
 * its clock may differ. @returns their number
 */
export async function removeTemporaryFiles(before: Date): Promise<number> {
  let removed = 0;
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX) || isOtherProcess(parseInt(name.slice(PREFIX.length), 10))) continue;
    const file = path.join(tmpdir(), name);
    const info = await stat(file).catch(() => null); // removed by another process
    if (info === null || info.mtime >= before) continue;
    await rm(file, { force: true });
    removed += 1;
  }
  return removed;
}
