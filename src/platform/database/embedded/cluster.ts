import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { explainRefusedFile, StartupError } from '../../startup-error';
import type { Binaries } from './binaries';
import { buildServerEnvironment } from './environment';
import { changeOwner, type RunAs } from './run-as';

/** The superuser and the database of the embedded server. */
const ROLE = 'store';
const DATABASE = 'postgres';

const Credentials = z.object({ port: z.int().nullable(), password: z.string() });
export type Credentials = z.output<typeof Credentials>;

/** Returns the paths of the embedded database in `dataDir`. */
export function buildPaths(dataDir: string) {
  return {
    cluster: path.join(dataDir, 'postgres'),
    initializing: path.join(dataDir, 'postgres.initializing'),
    credentials: path.join(dataDir, 'postgres.json'),
    log: path.join(dataDir, 'postgres.log'),
    lock: path.join(dataDir, 'postgres.lock'),
  };
}

/**
 * Returns the credentials of the embedded database, and creates the database first if it does not exist. It is created
 * under another name and renamed when complete, so an interrupted creation is not mistaken for a database.
 * @throws StartupError if initdb fails, or if the file with the password is missing
 */
export function ensureCluster(dataDir: string, binaries: Binaries, runAs: RunAs, fast: boolean): Credentials {
  const { cluster, initializing, credentials } = buildPaths(dataDir);
  if (!existsSync(path.join(cluster, 'PG_VERSION'))) {
    rmSync(initializing, { recursive: true, force: true });
    const password = randomBytes(24).toString('base64url');
    initialize(initializing, password, { binaries, runAs, fast });
    writeCredentials(dataDir, { port: null, password });
    renameSync(initializing, cluster);
  }
  changeOwner(runAs.owner, cluster);
  return readCredentials(credentials);
}

/** Returns the URL of the server of this folder, which may not be running; null if there has never been one. */
export function findLastKnownUrl(dataDir: string): string | null {
  const { credentials } = buildPaths(dataDir);
  if (!existsSync(credentials)) return null;
  const { port, password } = readCredentials(credentials);
  return port === null ? null : buildUrl(port, password);
}

/** Returns the URL of an embedded server. Contains the password. */
export function buildUrl(port: number, password: string): string {
  return `postgres://${ROLE}:${password}@127.0.0.1:${port}/${DATABASE}`;
}

function readCredentials(file: string): Credentials {
  try {
    return Credentials.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new StartupError(
      explainRefusedFile(error) ??
        `${file}, which holds the password of the embedded PostgreSQL, cannot be read: restore it, or move its folder away to start with an empty store`,
    );
  }
}

/** Replaces the file atomically. Only its owner can read it. */
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
  for (const target of [folder, passwordFile]) changeOwner(runAs.owner, target);
  const [file, args] = runAs.command(binaries.initdb, [
    `--pgdata=${folder}`,
    `--username=${ROLE}`,
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    // Sort order and case conversion must not depend on the locales of the machine.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    // One call for the whole file system instead of one for each file.
    ...(fast ? ['--no-sync'] : process.platform === 'linux' ? ['--sync-method=syncfs'] : []),
  ]);
  const { status, stderr, error } = spawnSync(file, args, {
    ...runAs.identity,
    cwd: folder,
    encoding: 'utf8',
    env: buildServerEnvironment(),
  });
  rmSync(passwordFile);
  if (status === 0) return;
  const reason =
    (stderr ?? '').split('\n').find((line) => /error|fatal|cannot/i.test(line)) ?? error?.message;
  throw new StartupError(
    `The embedded PostgreSQL cannot create its files in ${folder}: ${reason ?? 'initdb failed'}`,
  );
}
