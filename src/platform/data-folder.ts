import { accessSync, constants, mkdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { readErrorCode } from './error-code';
import { StartupError } from './startup-error';

/** Makes the folder where it is missing. @returns its real path. @throws StartupError when it cannot be written to */
export function openDataFolder(dataDir: string): string {
  try {
    createFolder(path.resolve(dataDir));
    accessSync(dataDir, constants.W_OK | constants.X_OK);
    return realpathSync(dataDir);
  } catch (error) {
    throw new StartupError(
      `DATA_DIR ${dataDir} is not a writable folder (${readErrorCode(error) ?? 'unknown'}): make it writable for this user, or set another DATA_DIR`,
    );
  }
}

/** With `recursive`, mkdir of Node 20 never returns where ENOENT is the refusal of the file system, as below /proc. */
function createFolder(folder: string): void {
  if (isFolder(folder)) return;
  createFolder(path.dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Somebody else may have made it meanwhile.
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isDirectory() === true;
}
