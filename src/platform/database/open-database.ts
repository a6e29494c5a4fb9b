import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { Logger } from 'pino';
import { readErrorCode, isError } from '../error-code';
import { StartupError } from '../startup-error';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded';
import { findLastKnownUrl } from './embedded/cluster';

const STARTING_UP = '57P03';
const STARTING_UP_TIMEOUT_MS = 20_000;

/**
 * The database of this process: the embedded one, started, when `url` is null; else the one it names, once it has
 * answered. Like any embedded one, it is given back by `stop`.
 * @throws StartupError saying what to do when there is none to be had.
 */
export async function openDatabase(
  { url, dataDir }: { url: string | null; dataDir: string },
  log: Logger,
): Promise<EmbeddedPostgres> {
  if (url === null) return startEmbeddedPostgres({ dataDir, log });
  await waitUntilReady(url);
  return wrapExternal(url);
}

/** As `openDatabase`, for tools: the embedded database of a store that is running is used beside it, and left running. */
export async function joinDatabase(
  where: { url: string | null; dataDir: string },
  log: Logger,
): Promise<EmbeddedPostgres> {
  const running = where.url === null ? await findRunningEmbedded(where.dataDir) : null;
  return running === null ? openDatabase(where, log) : wrapExternal(running);
}

/** The URL of the embedded database of this folder while somebody else runs it; null when nobody does. */
export async function findRunningEmbedded(dataDir: string): Promise<string | null> {
  const url = findLastKnownUrl(dataDir);
  return url !== null && (await canConnect(url)) ? url : null;
}

/** Whether the folder holds an embedded database, running or not. */
export function hasEmbedded(dataDir: string): boolean {
  return findLastKnownUrl(dataDir) !== null;
}

/** Somebody else's: not for us to stop, or to mourn. */
function wrapExternal(url: string): EmbeddedPostgres {
  return { url, stop: () => Promise.resolve(), exited: new Promise(() => {}) };
}

/** Whatever else may listen on that port by now does not know the password. */
async function canConnect(url: string): Promise<boolean> {
  return connectOnce(url).then(
    () => true,
    () => false,
  );
}

async function waitUntilReady(url: string): Promise<void> {
  const deadline = Date.now() + STARTING_UP_TIMEOUT_MS;
  for (;;) {
    try {
      await connectOnce(url);
      return;
    } catch (error) {
      if (findConnectCode(error) !== STARTING_UP || Date.now() > deadline) throw explainConnectError(error, new URL(url));
    }
    await delay(250);
  }
}

async function connectOnce(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 5_000 });
  client.on('error', () => undefined); // a connection lost meanwhile is reported by the query too
  try {
    await client.connect();
    await client.query('SELECT 1');
  } finally {
    await client.end().catch(() => undefined);
  }
}

function findConnectCode(error: unknown): string {
  // All addresses of a name were tried.
  const first: unknown =
    isError(error) && 'errors' in error && Array.isArray(error.errors) ? error.errors[0] : error;
  return readErrorCode(first) ?? '';
}

/** Names the server and the user, never the password. */
function explainConnectError(error: unknown, url: URL): StartupError {
  const server = `${url.hostname}:${url.port || '5432'}`;
  const database = decodeURIComponent(url.pathname.slice(1));
  const code = findConnectCode(error);
  const isUnauthenticated = isError(error) && error.message.startsWith('SASL');
  if (code === '28P01' || code === '28000' || isUnauthenticated)
    return new StartupError(
      `The database at ${server} refuses user "${decodeURIComponent(url.username)}": correct the user and the password in DATABASE_URL`,
    );
  if (code === '3D000')
    return new StartupError(
      `There is no database "${database}" at ${server}: create it (createdb ${database}), or correct DATABASE_URL`,
    );
  const reason = code === '' ? 'no answer' : code;
  return new StartupError(
    `The database at ${server} cannot be reached (${reason}): start it, or correct DATABASE_URL`,
  );
}
