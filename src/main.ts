import cluster from 'node:cluster';
import { setFlagsFromString } from 'node:v8';
import type { Logger } from 'pino';
import { printBanner } from './boot/banner';
import { loadConfig, type Config } from './config';
import { openDataFolder } from './platform/data-folder';
import type { Pooler } from './platform/database/pooler';
import { awaitDirectUrl, openDatabase } from './platform/database/open-database';
import { checkPort } from './platform/http/http-server';
import { createLifecycle, type Lifecycle } from './platform/lifecycle';
import { measureProcess } from './platform/metrics/metrics';
import { createLogger } from './platform/logger';
import { reportStartFailure } from './platform/startup-error';
import { prepareStore, requirePreparedStore } from './boot/prepare-store';
import { connectStore, findPoolerOf, openPort, type Connections, type Program } from './boot/serve';
import { startWork } from './boot/work';
import { runWorker, startWorkers } from './boot/workers';

// By default, V8 lets the heap grow to several times its contents before it collects garbage.
const HEAP_GROWTH = '--heap-growing-percent=80';

async function main(): Promise<void> {
  setFlagsFromString(HEAP_GROWTH);
  const config = loadConfig();
  const log = createLogger({ level: config.logLevel, format: config.logFormat });
  measureProcess();
  if (cluster.isWorker) return runWorker(config, log);
  const lifecycle = createLifecycle(log, config);
  await openStore(config, log, lifecycle).catch(lifecycle.failStart);
}

async function openStore(config: Config, log: Logger, lifecycle: Lifecycle): Promise<void> {
  const program = { config, log, lifecycle };
  const port = config.workers === 1 ? await openPort(program) : await openWorkers(program);
  openDataFolder(config.dataDir);

  const database = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir }, log);
  lifecycle.onStop(database.stop);
  void database.exited.then(() => lifecycle.stop(1));
  reportPooler(await findPoolerOf(config, database.url), config, log);
  const prepare = config.isReadOnly ? requirePreparedStore : prepareStore;
  const shopUrl = config.hasStorefront ? (config.publicUrl ?? port.url) : null;
  const directUrl = await awaitDirectUrl(config.databaseDirectUrl, database.url);
  const generated = await prepare(config, directUrl, log, shopUrl);

  const connections = await connectStore(program, database.url);
  await port.serve(connections, database.url);
  if (config.hasInlineWorker && !config.isReadOnly) await startWork(program, connections, database.url);
  printBanner(config, port.url, generated);
}

/** The port as `openPort` opens it, served by other processes. */
async function openWorkers({ config, log, lifecycle }: Program): Promise<{
  url: string;
  serve: (connections: Connections, databaseUrl: string) => Promise<void>;
}> {
  await checkPort(config.host, config.port);
  const workers = await startWorkers(config, log);
  const serve = async (_connections: Connections, databaseUrl: string): Promise<void> => {
    await workers.serve(databaseUrl);
    lifecycle.onStop(workers.stop);
  };
  return { url: workers.url, serve };
}

function reportPooler(pooler: Pooler | null, { databaseDirectUrl }: Config, log: Logger): void {
  if (pooler === null) return;
  const details = { prepared_statements: pooler.canPrepare, direct_url: databaseDirectUrl !== null };
  if (pooler.canPrepare) log.info(details, 'DATABASE_URL leads to a connection pooler');
  else {
    log.warn(
      details,
      'DATABASE_URL leads to a connection pooler without prepared statements; PgBouncer 1.21 or newer is faster',
    );
  }
}

main().catch(reportStartFailure);
