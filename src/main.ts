import type { Logger } from 'pino';
import { authenticate } from './accounts/authenticate';
import { buildApp } from './app';
import { printBanner } from './boot/banner';
import { loadConfig, type Config } from './config';
import { createDeps } from './boot/deps';
import { startJobs } from './boot/jobs';
import { openDataFolder } from './platform/data-folder';
import { closeDatabase, connectDatabase } from './platform/database/knex';
import { openDatabase } from './platform/database/open-database';
import { listen, checkPort } from './platform/http/http-server';
import { createLifecycle, type Lifecycle } from './platform/lifecycle';
import { createLogger } from './platform/logger';
import { reportStartFailure } from './platform/startup-error';
import { prepareStore } from './boot/prepare-store';

async function main(): Promise<void> {
  const config = loadConfig();
  const log = createLogger({ level: config.logLevel, format: config.logFormat });
  const lifecycle = createLifecycle(log);
  await openStore(config, log, lifecycle).catch(lifecycle.failStart);
}

async function openStore(config: Config, log: Logger, lifecycle: Lifecycle): Promise<void> {
  await checkPort(config.host, config.port);
  openDataFolder(config.dataDir);

  const database = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir }, log);
  lifecycle.onStop(database.stop);
  void database.exited.then(() => lifecycle.stop(1));
  const generated = await prepareStore(config, database.url, log);

  const db = connectDatabase({
    ...{ url: database.url, poolSize: config.databasePoolSize, log },
    mayRelaxCommits: config.hasFastCarts,
  });
  lifecycle.onStop(() => closeDatabase(db));
  const deps = await createDeps(config, db, log);
  const app = buildApp({
    deps,
    authenticate,
    corsOrigins: config.corsOrigins,
    trustProxy: config.trustProxy,
    maxInFlight: config.maxInFlight,
    isRunning: lifecycle.isRunning,
  });
  const server = await listen({ handler: app, host: config.host, port: config.port });
  lifecycle.onStop(server.stop);
  const hasDemo = config.seed === 'demo';
  const jobs = startJobs(deps, lifecycle.isRunning, { hasDemo, cartMaxAgeDays: config.cartMaxAgeDays });
  for (const job of jobs) lifecycle.onStop(job.stop);
  printBanner(config, server.url, generated);
}

main().catch(reportStartFailure);
