import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BackupFile } from '../../platform/backup/manifest';
import { decodePercent } from '../../platform/percent-encoding';
import { CommandRefused } from '../failures';

/** The dump in the folder of a backup. */
export const DUMP_FILE = 'database.dump';

type Tool = 'pg_dump' | 'pg_restore';

/** A connection URL without its password, and the environment that passes the password. */
interface Login {
  url: string;
  env: NodeJS.ProcessEnv;
}

/** The first version that trusts the authorities of the system, as Node.js trusts its own. */
const FIRST_WITH_SYSTEM_AUTHORITIES = 16;

/**
 * Builds a login for a program of PostgreSQL that trusts the same authorities as the store. Other users can see the arguments of a
 * program, so the password is passed in its environment.
 */
function buildLogin(storeUrl: string, major: number): Login {
  const url = translateParameters(storeUrl);
  const { PATH, HOME, PGSSLROOTCERT, NODE_EXTRA_CA_CERTS } = process.env;
  const trusted = PGSSLROOTCERT ?? NODE_EXTRA_CA_CERTS;
  const usesSystem = major >= FIRST_WITH_SYSTEM_AUTHORITIES && url.includes('sslmode=verify-full');
  const env = { PATH, HOME, PGSSLROOTCERT: trusted ?? (usesSystem ? 'system' : undefined) };
  const [, before = '', password = '', after = ''] = /^(\w+:\/\/[^:@/]*):([^@/]*)(@.*)$/s.exec(url) ?? [];
  if (before === '') return { url, env };
  return { url: `${before}${after}`, env: { ...env, PGPASSWORD: decodePercent(password) } };
}

/** Replaces the parameters of a URL that only Node.js knows. */
function translateParameters(url: string): string {
  const [address = '', query] = url.split('?', 2);
  if (query === undefined) return url;
  const parameters = new URLSearchParams(query);
  parameters.delete('uselibpqcompat');
  if (parameters.get('sslmode') === 'no-verify') parameters.set('sslmode', 'require');
  // PostgreSQL reads a plus as a plus.
  return `${address}?${parameters.toString().replaceAll('+', '%20')}`;
}

/** Returns the major version of an installed program; null if it is not installed. */
function findMajorVersion(tool: Tool): number | null {
  const { stdout } = spawnSync(tool, ['--version'], { encoding: 'utf8' });
  const [, major] = /\(PostgreSQL\) (\d+)/.exec(stdout ?? '') ?? [];
  return major === undefined ? null : Number(major);
}

/**
 * Returns the major version of an installed program.
 * @throws CommandRefused if it is missing or older than the server; the message says what to run
 */
function requireTool(tool: Tool, major: number, instead: string): number {
  const found = findMajorVersion(tool);
  if (found !== null && found >= major) return found;
  const state = found === null ? 'is not installed' : `is of version ${found}`;
  throw new CommandRefused(
    `${tool} ${state} here, and the server needs ${major} or newer; install postgresql-client-${major}, or run where it is installed:\n${instead}`,
  );
}

/**
 * Writes the database to a file of pg_dump, as of one moment.
 * @returns that file
 * @throws CommandRefused if pg_dump is missing, too old, or fails
 */
export async function dumpDatabase(
  { url, serverVersion }: { url: string; serverVersion: number },
  folder: string,
): Promise<BackupFile[]> {
  const options = ['--format=custom', '--no-owner', '--no-privileges'];
  const installed = requireTool(
    'pg_dump',
    Math.floor(serverVersion / 10_000),
    `  pg_dump ${options.join(' ')} --file=${DUMP_FILE} "$DATABASE_URL"\nThen copy the folder files and the file secret_key of DATA_DIR.`,
  );
  const login = buildLogin(url, installed);
  const file = path.join(folder, DUMP_FILE);
  await runTool('pg_dump', [...options, `--file=${file}`, `--dbname=${login.url}`], login.env);
  await chmod(file, 0o600);
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return [{ path: DUMP_FILE, size: (await stat(file)).size, sha256: hash.digest('hex') }];
}

/**
 * Loads a file of pg_dump into the database, in one transaction.
 * @throws CommandRefused if pg_restore is missing, too old, or fails; nothing has changed then
 */
export async function loadDump(
  { url, major }: { url: string; major: number },
  file: string,
  { replaces }: { replaces: boolean },
): Promise<void> {
  const options = [
    '--no-owner',
    '--no-privileges',
    '--no-comments',
    '--exit-on-error',
    '--single-transaction',
    ...(replaces ? ['--clean', '--if-exists'] : []),
  ];
  const installed = requireTool(
    'pg_restore',
    major,
    `  pg_restore ${options.join(' ')} --dbname="$DATABASE_URL" ${DUMP_FILE}\nThen copy the folder files and the file secret_key to DATA_DIR.`,
  );
  const login = buildLogin(url, installed);
  await runTool('pg_restore', [...options, `--dbname=${login.url}`, file], login.env);
}

async function runTool(tool: Tool, args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(tool, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-10_000)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code === 0) return;
  const reason = errors.split('\n').find((line) => /error|fatal/i.test(line)) ?? `exit code ${String(code)}`;
  const remedy = /permission denied|must be owner/.test(reason)
    ? 'use the role that owns the tables (store_owner of docs/roles.sql) in DATABASE_URL'
    : 'correct the cause and retry';
  throw new CommandRefused(`${tool} failed (${reason.trim()}); nothing was changed, ${remedy}`);
}
