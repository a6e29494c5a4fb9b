import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { Logger } from 'pino';
import { readErrorCode, isError } from '../error-code';
import { decodePercent } from '../percent-encoding';
import { StartupError } from '../startup-error';
import { explainConnectProblem } from './connect-problems';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded';
import { findLastKnownUrl } from './embedded/cluster';
import { chooseHost, isPromotionPending, nameHosts, parseHosts } from './hosts';

const STARTING_UP = '57P03';
const STARTING_UP_TIMEOUT_MS = 20_000;
const CONNECT_MS = 5_000;

/** Where the settings say that the database is. */
export interface DatabasePlace {
  /** Null for the embedded database. */
  url: string | null;
  dataDir: string;
  /** The setting with the URL, for messages. Defaults to DATABASE_URL. */
  setting?: 'DATABASE_URL' | 'DATABASE_DIRECT_URL';
}

/**
 * Opens the database of this process. If `url` is null, starts the embedded database; otherwise waits until the server
 * at `url` accepts connections. Call `stop` at the end in both cases.
 * @throws StartupError if the database cannot be used
 */
export async function openDatabase(
  { url, dataDir, setting = 'DATABASE_URL' }: DatabasePlace,
  log: Logger,
): Promise<EmbeddedPostgres> {
  if (url === null) return startEmbeddedPostgres({ dataDir, log });
  await waitUntilReady(url, setting);
  return wrapExternal(url);
}

/**
 * Opens the database like `openDatabase`, but shares the embedded database of a running store. For command line tools.
 */
export async function joinDatabase(where: DatabasePlace, log: Logger): Promise<EmbeddedPostgres> {
  const running = where.url === null ? await findRunningEmbedded(where.dataDir) : null;
  return running === null ? openDatabase(where, log) : wrapExternal(running);
}

/**
 * Returns where migrations, commands and the queue connect: DATABASE_DIRECT_URL when it accepts connections, or else `url`.
 * @throws StartupError if DATABASE_DIRECT_URL cannot be used, or leads to another database
 */
export async function awaitDirectUrl(directUrl: string | null, url: string): Promise<string> {
  if (directUrl === null) return url;
  await waitUntilReady(directUrl, 'DATABASE_DIRECT_URL');
  if (await leadToDifferentDatabases(url, directUrl))
    throw new StartupError(
      'DATABASE_DIRECT_URL leads to another database than DATABASE_URL: name the same one in both',
    );
  return directUrl;
}

const KEYS = 2 ** 47;

/** Returns whether a lock that is held through one URL is free through the other. Standbys have locks of their own, so they are not compared. */
async function leadToDifferentDatabases(one: string, other: string): Promise<boolean> {
  return withClient(await chooseHost(one, CONNECT_MS), async (holder) =>
    withClient(await chooseHost(other, CONNECT_MS), async (finder) => {
      const key = randomInt(KEYS);
      // A pooler keeps the connection for a transaction.
      await holder.query('BEGIN');
      const held = await holder.query<{ is_standby: boolean }>(
        'SELECT pg_is_in_recovery() AS is_standby, pg_advisory_xact_lock($1)',
        [key],
      );
      const found = await finder.query<{ is_standby: boolean; is_free: boolean }>(
        'SELECT pg_is_in_recovery() AS is_standby, pg_try_advisory_xact_lock($1) AS is_free',
        [key],
      );
      const hasStandby = held.rows[0]?.is_standby === true || found.rows[0]?.is_standby === true;
      return !hasStandby && found.rows[0]?.is_free === true;
    }),
  );
}

/** Returns the URL of the embedded database of this folder if another process runs it; otherwise null. */
export async function findRunningEmbedded(dataDir: string): Promise<string | null> {
  const url = findLastKnownUrl(dataDir);
  return url !== null && (await canConnect(url)) ? url : null;
}

/** Returns whether the folder contains an embedded database, running or not. */
export function hasEmbedded(dataDir: string): boolean {
  return findLastKnownUrl(dataDir) !== null;
}

/** Wraps a database run by another process, which we neither stop nor supervise. */
function wrapExternal(url: string): EmbeddedPostgres {
  return { url, stop: () => Promise.resolve(), exited: new Promise(() => {}) };
}

/** Returns whether the server accepts the password. Another program on its port would not. */
async function canConnect(url: string): Promise<boolean> {
  return connectOnce(url).then(
    () => true,
    () => false,
  );
}

async function waitUntilReady(url: string, setting: string): Promise<void> {
  const deadline = Date.now() + STARTING_UP_TIMEOUT_MS;
  for (;;) {
    try {
      await connectOnce(await chooseHost(url, CONNECT_MS));
      return;
    } catch (error) {
      const mayPass = findConnectCode(error) === STARTING_UP || isPromotionPending(error);
      if (!mayPass || Date.now() > deadline)
        throw new StartupError(explainConnectError(error, url).replaceAll('DATABASE_URL', setting));
    }
    await delay(250);
  }
}

async function connectOnce(url: string): Promise<void> {
  await withClient(url, (client) => client.query('SELECT 1'));
}

/** Runs `use` with a connection of its own, which ends with it. */
async function withClient<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
  });
  client.on('error', () => undefined); // the query also reports a lost connection
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function findConnectCode(error: unknown): string {
  // pg tries all addresses of a host name and collects their errors.
  const first: unknown =
    isError(error) && 'errors' in error && Array.isArray(error.errors) ? error.errors[0] : error;
  return readErrorCode(first) ?? '';
}

/** Explains why the connection to DATABASE_URL failed. The message contains the server and the user, but not the password. */
function explainConnectError(error: unknown, text: string): string {
  const server = nameHosts(text);
  const url = new URL(parseHosts(text)?.urls[0] ?? text);
  if (isPromotionPending(error))
    return `None of the databases at ${server} is what target_session_attrs in DATABASE_URL asks for: promote one of them, or correct DATABASE_URL`;
  const database = decodePercent(url.pathname.slice(1));
  const code = findConnectCode(error);
  const known = explainConnectProblem(error, server);
  if (known !== null) return known;
  const isUnauthenticated = isError(error) && error.message.startsWith('SASL');
  if (code === '28P01' || code === '28000' || isUnauthenticated)
    return `The database at ${server} rejects user "${decodePercent(url.username)}": correct the user and the password in DATABASE_URL`;
  if (code === '3D000')
    return `There is no database "${database}" at ${server}: create it (createdb ${database}), or correct DATABASE_URL`;
  const reason = code === '' ? 'no response' : code;
  return `The database at ${server} cannot be reached (${reason}): start it, or correct DATABASE_URL`;
}
