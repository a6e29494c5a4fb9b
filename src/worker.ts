import type { Logger } from 'pino';
import { connectStore } from './boot/serve';
import { requireMigrated } from './boot/migrate';
import { startWork } from './boot/work';
import { loadConfig, type Config } from './config';
import { closeDatabase, connectDatabase } from './platform/database/knex';
import { awaitDirectUrl, joinDatabase } from './platform/database/open-database';
import { createLifecycle, type Lifecycle } from './platform/lifecycle';
import { createLogger } from './platform/logger';
import { reportStartFailure, StartupError } from './platform/startup-error';

/** The longest interval of Node. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Works for a store whose servers run with WORKER=off (`npm run worker`). Several may run. */
async function main(): Promise<void> {
  const config = loadConfig();
  const log = createLogger({ level: config.logLevel, format: config.logFormat });
  const lifecycle = createLifecycle(log);
  await work(config, log, lifecycle).catch(lifecycle.failStart);
}

async function work(config: Config, log: Logger, lifecycle: Lifecycle): Promise<void> {
  if (config.isReadOnly)
    throw new StartupError('READ_ONLY=true: a worker writes; unset it, or run no worker');
  const database = await joinDatabase({ url: config.databaseUrl, dataDir: config.dataDir }, log);
  lifecycle.onStop(database.stop);
  void database.exited.then(() => lifecycle.stop(1));
  await checkMigrated(await awaitDirectUrl(config.databaseDirectUrl, database.url), log);
  const program = { config, log, lifecycle };
  await startWork(program, await connectStore(program, database.url), database.url);
  // A worker has no port, and its timers and lost connections keep no process alive: it waits for its database.
  setInterval(() => undefined, LONGEST_TIMER_MS);
  log.info('the worker is running');
}

async function checkMigrated(url: string, log: Logger): Promise<void> {
  const db = connectDatabase({ url, poolSize: 1, log, timeouts: 'maintenance' });
  try {
    await requireMigrated(db);
  } finally {
    await closeDatabase(db);
  }
}

main().catch(reportStartFailure);
