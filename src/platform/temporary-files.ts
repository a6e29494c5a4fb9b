import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** No other program's files are called so. */
const PREFIX = 'store-upload-';

/** A path for a file that its maker removes again; only what a killed process left is found later. */
export function buildTemporaryPath(): string {
  return path.join(tmpdir(), `${PREFIX}${process.pid}-${randomUUID()}`);
}

/** Removes temporary files last written before `before`, in this machine's temporary folder. @returns how many */
export async function removeTemporaryFiles(before: Date): Promise<number> {
  let removed = 0;
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const file = path.join(tmpdir(), name);
    const info = await stat(file).catch(() => null); // gone meanwhile
    if (info === null || info.mtime >= before) continue;
    await rm(file, { force: true });
    removed += 1;
  }
  return removed;
}
