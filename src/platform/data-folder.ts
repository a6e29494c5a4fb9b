import { accessSync, constants, mkdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { readErrorCode } from './error-code';
import { StartupError } from './startup-error';

/** Creates the folder if it is missing and returns its real path. @throws StartupError if it is not writable */
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

/** Creates the folder and its parents. With `recursive`, mkdir of Node 20 never returns below /proc. */
function createFolder(folder: string): void {
  if (isFolder(folder)) return;
  createFolder(path.dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have created it.
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isDirectory() === true;
}
