import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chooseRunAs, changeOwner } from '../../src/platform/database/embedded/run-as';
import { endProcesses } from '../../src/platform/database/embedded/processes';
import { findFreePort } from '../../src/platform/database/embedded/postmaster';
import { queryUrl } from './query-url';

/** A PostgreSQL that the system has installed, with the programs of the same version. */
export interface SystemServer {
  /** Of a superuser without a password. */
  url: string;
  /** The folder with pg_dump. */
  bin: string;
  major: number;
  stop: () => Promise<void>;
}

/** Returns the folder of the newest PostgreSQL from the packages of Debian; null if none is installed. */
export function findSystemPostgres(): string | null {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return null;
  const versions = readdirSync(root)
    .map(Number)
    .sort((a, b) => b - a);
  const folders = versions.map((version) => path.join(root, String(version), 'bin'));
  return (
    folders.find((bin) =>
      ['postgres', 'initdb', 'pg_dump'].every((name) => existsSync(path.join(bin, name))),
    ) ?? null
  );
}

/** Starts a server on a new folder. `settings` are lines of postgresql.conf. */
export async function startSystemPostgres(
  bin: string,
  settings: readonly string[] = [],
): Promise<SystemServer> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'store-pg-')));
  const data = path.join(folder, 'data');
  const runAs = chooseRunAs(path.join(bin, 'postgres'));
  mkdirSync(data, { mode: 0o700 });
  changeOwner(runAs.owner, folder);
  const options = [
    '-D',
    data,
    '-U',
    'postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
  ];
  const [initdb, args] = runAs.command(path.join(bin, 'initdb'), options);
  const { status, stderr } = spawnSync(initdb, args, { ...runAs.identity, cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const port = await findFreePort(null);
  const lines = [
    "listen_addresses = '127.0.0.1'",
    "unix_socket_directories = ''",
    'fsync = off',
    ...settings,
  ];
  appendFileSync(path.join(data, 'postgresql.conf'), `${lines.join('\n')}\n`);
  const [postgres, serverArgs] = runAs.command(path.join(bin, 'postgres'), ['-D', data, '-p', String(port)]);
  spawn(postgres, serverArgs, { ...runAs.identity, cwd: data, stdio: 'ignore' });
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const isUp = () =>
    queryUrl(url, 'SELECT 1').then(
      () => true,
      () => false,
    );
  while (!(await isUp()));
  const stop = async () => {
    await endProcesses(realpathSync(data));
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  };
  return { url, bin, major: Number(/(\d+)\/bin$/.exec(bin)?.[1]), stop };
}
