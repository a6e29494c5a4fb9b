import path from 'node:path';
import type { Logger } from 'pino';
import { authenticate } from './accounts/authenticate';
import { buildApp } from './app';
import { printBanner } from './banner';
import { loadConfig, type Config } from './config';
import type { Deps } from './context';
import { startJobs } from './jobs';
import { closeDatabase, connectDatabase } from './platform/database/knex';
import { openDatabase } from './platform/database/open-database';
import { listen, refuseTakenPort } from './platform/http/http-server';
import { createLifecycle, type Lifecycle } from './platform/lifecycle';
import { createLogger } from './platform/logger';
import { reportStartFailure } from './platform/startup-error';
import { localDisk } from './platform/storage/local-disk';
import { prepareStore } from './prepare-store';
import { updateFilledOrders } from './sales/orders/filled-backorders';
import { builtInGateways } from './sales/payments/gateways/registry';
import { loadSecretKey } from './secret-key';

async function main(): Promise<void> {
  const config = loadConfig();
  const log = createLogger({ level: config.logLevel, format: config.logFormat });
  const lifecycle = createLifecycle(log);
  await openStore(config, log, lifecycle).catch(lifecycle.failStart);
}

async function openStore(config: Config, log: Logger, lifecycle: Lifecycle): Promise<void> {
  await refuseTakenPort(config.host, config.port);

  const database = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir }, log);
  lifecycle.onStop(database.stop);
  void database.exited.then(() => lifecycle.stop(1));
  const generated = await prepareStore(config, database.url, log);

  const db = connectDatabase({ url: database.url, poolSize: config.databasePoolSize, log });
  lifecycle.onStop(() => closeDatabase(db));
  const deps: Deps = {
    db,
    log,
    now: () => new Date(),
    storage: localDisk(path.join(config.dataDir, 'files')),
    onBackordersFilled: updateFilledOrders,
    gateways: builtInGateways,
    secret: await loadSecretKey(config),
  };
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
  const fillsDemo = config.seed === 'demo';
  const jobs = startJobs(deps, lifecycle.isRunning, { fillsDemo });
  for (const job of jobs) lifecycle.onStop(job.stop);
  printBanner(config, server.url, generated);
}

main().catch(reportStartFailure);
