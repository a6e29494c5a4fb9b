import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Config } from '@jest/types';
import type { Knex } from 'knex';
import { pino, type Logger } from 'pino';
import { loadFacts, loadReference } from '../../seeds/reference';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded';
import { closeDatabase, connectDatabase } from '../../src/platform/database/knex';
import { migrate } from '../../src/boot/migrate';
import { SERVER_URL, TEMPLATE, testDatabaseUrl, RUN_FOLDER } from './test-server';

declare global {
  // globalTeardown runs in the same process; jest passes no other value to it.
  var testServer: { stop: () => Promise<void>; folder: string } | undefined;
}

/** Starts one PostgreSQL for the whole run and prepares the template of the test files' databases. */
export default async function globalSetup(_all?: unknown, project?: Config.ProjectConfig): Promise<void> {
  const log = pino({ level: 'warn' });
  const folder = realpathSync(mkdtempSync(path.join(findQuickFolder(), 'store-test-')));
  startCleaner(folder);
  const given = process.env[SERVER_URL];
  const { url, stop } = given === undefined ? await startServer(folder, log) : borrowServer(given, log);
  globalThis.testServer = { stop, folder };
  process.env[SERVER_URL] = url;
  process.env[RUN_FOLDER] = folder;

  const server = connectDatabase({ url, poolSize: 1, log, timeouts: 'maintenance' });
  if (given === undefined && (project === undefined || !isSlow(project))) await planOnce(server);
  await server.raw('DROP DATABASE IF EXISTS ??', [TEMPLATE]);
  await server.raw('CREATE DATABASE ??', [TEMPLATE]);
  await closeDatabase(server);

  const template = connectDatabase({
    url: testDatabaseUrl(TEMPLATE),
    poolSize: 2,
    log,
    timeouts: 'maintenance',
  });
  await migrate(template);
  await loadFacts(template);
  await loadReference(template);
  await closeDatabase(template);
}

interface Server {
  url: string;
  stop: () => Promise<void>;
}

async function startServer(dataDir: string, log: Logger): Promise<Server> {
  const postgres = await startEmbeddedPostgres({ dataDir, log, fast: true });
  const stop = async (): Promise<void> => {
    await postgres.stop();
    // With --watch, the next run starts its own.
    Reflect.deleteProperty(process.env, SERVER_URL);
  };
  return { url: postgres.url, stop };
}

/** A server that someone else runs, such as one of another version. The run leaves its template there; the next one replaces it. */
function borrowServer(url: string, log: Logger): Server {
  log.warn('the tests use the server of %s', SERVER_URL);
  return { url, stop: () => Promise.resolve() };
}

/** Whether the tests are the slow ones. Their tables are large, so they are planned like those of a store. */
function isSlow({ testMatch }: Config.ProjectConfig): boolean {
  return testMatch.every((pattern) => pattern.includes('.slow.'));
}

/**
 * Lets PostgreSQL plan each prepared statement, and each statement of a function, once for each connection. It plans the first five
 * runs one by one, and most statements run no more often in a test file.
 */
async function planOnce(server: Knex): Promise<void> {
  await server.raw('ALTER SYSTEM SET plan_cache_mode = force_generic_plan');
  await server.raw('SELECT pg_reload_conf()');
}

/** What the largest tests need, with the WAL; in bytes. */
const NEEDED_MEMORY = 8 * 1024 ** 3;

/**
 * Returns the folder in memory where there is one and memory enough, otherwise that of temporary files. A database of a test
 * file has a thousand files: copying them takes 0.03 seconds there, and up to 0.8 seconds on a disk.
 */
function findQuickFolder(): string {
  const folder = '/dev/shm';
  try {
    const { bavail, bsize } = statfsSync(folder);
    if (Math.min(bavail * bsize, os.freemem()) > NEEDED_MEMORY) return folder;
  } catch {
    // Only Linux has it.
  }
  return os.tmpdir();
}

function startCleaner(folder: string): void {
  const cleaner = spawn(process.execPath, ['--import', 'tsx', path.join(__dirname, 'cleaner.ts'), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: path.resolve(__dirname, '../..'),
  });
  // Neither the process nor the pipe may keep the run alive. The pipe closes when the run ends.
  cleaner.unref();
  if ('unref' in cleaner.stdin && typeof cleaner.stdin.unref === 'function') cleaner.stdin.unref();
}
