import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { StartupError } from '../../startup-error';
import type { Binaries } from './binaries';
import { changeOwner, type RunAs } from './run-as';

/** The superuser and the database of the embedded server. */
export const ROLE = 'store';
export const DATABASE = 'postgres';

const Credentials = z.object({ port: z.int().nullable(), password: z.string() });
export type Credentials = z.output<typeof Credentials>;

/** The files of one embedded database under `dataDir`. */
export function buildPaths(dataDir: string) {
  return {
    cluster: path.join(dataDir, 'postgres'),
    half: path.join(dataDir, 'postgres.initializing'),
    credentials: path.join(dataDir, 'postgres.json'),
    log: path.join(dataDir, 'postgres.log'),
    lock: path.join(dataDir, 'postgres.lock'),
  };
}

/**
 * The credentials of the data folder, which is made first when it is not there. Made under another name and renamed
 * when complete, so what an interruption leaves is never taken for a database.
 * @throws StartupError when initdb fails, or the file with the password is gone.
 */
export function ensureCluster(dataDir: string, binaries: Binaries, runAs: RunAs, fast: boolean): Credentials {
  const { cluster, half, credentials } = buildPaths(dataDir);
  if (!existsSync(path.join(cluster, 'PG_VERSION'))) {
    rmSync(half, { recursive: true, force: true });
    const password = randomBytes(24).toString('base64url');
    initialize(half, password, { binaries, runAs, fast });
    writeCredentials(dataDir, { port: null, password });
    renameSync(half, cluster);
  }
  changeOwner(runAs.owner, cluster);
  return readCredentials(credentials);
}

/** How to reach the server of this folder, if it runs; null when the folder has never held one. */
export function findLastKnownUrl(dataDir: string): string | null {
  const { credentials } = buildPaths(dataDir);
  if (!existsSync(credentials)) return null;
  const { port, password } = readCredentials(credentials);
  return port === null ? null : buildUrl(port, password);
}

/** Where an embedded server is reached from this machine. Holds the password. */
export function buildUrl(port: number, password: string): string {
  return `postgres://${ROLE}:${password}@127.0.0.1:${port}/${DATABASE}`;
}

function readCredentials(file: string): Credentials {
  try {
    return Credentials.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new StartupError(
      `${file}, which holds the password of the embedded PostgreSQL, cannot be read: restore it, or move its folder away to start with an empty store`,
    );
  }
}

/** Replaces the file at once, readable by its owner only. */
export function writeCredentials(dataDir: string, credentials: Credentials): void {
  const file = buildPaths(dataDir).credentials;
  writeFileSync(`${file}.new`, `${JSON.stringify(credentials)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

interface ClusterOptions {
  binaries: Binaries;
  runAs: RunAs;
  fast: boolean;
}

function initialize(folder: string, password: string, { binaries, runAs, fast }: ClusterOptions): void {
  const passwordFile = `${folder}.password`;
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  for (const made of [folder, passwordFile]) changeOwner(runAs.owner, made);
  const [file, args] = runAs.command(binaries.initdb, [
    `--pgdata=${folder}`,
    `--username=${ROLE}`,
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    // The same order and upper/lower case on every machine, whatever locales it has.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    // One call for the whole file system, instead of one for each of a thousand files.
    ...(fast ? ['--no-sync'] : process.platform === 'linux' ? ['--sync-method=syncfs'] : []),
  ]);
  const { status, stderr, error } = spawnSync(file, args, {
    ...runAs.identity,
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, TZ: 'UTC' },
  });
  rmSync(passwordFile);
  if (status === 0) return;
  const reason =
    (stderr ?? '').split('\n').find((line) => /error|fatal|cannot/i.test(line)) ?? error?.message;
  throw new StartupError(
    `The embedded PostgreSQL cannot make its files in ${folder}: ${reason ?? 'initdb failed'}`,
  );
}
