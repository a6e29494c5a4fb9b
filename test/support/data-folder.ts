import { chmodSync, cpSync } from 'node:fs';
import path from 'node:path';

/** Copies the DATA_DIR of a stopped store with its embedded database. */
export function copyDataFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  // Node 22 and later do not copy the mode of folders, and PostgreSQL rejects a folder that other users may
  // open.
  chmodSync(path.join(to, 'postgres'), 0o700);
}
