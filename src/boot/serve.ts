import type { Express } from 'express';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { authenticate, identify } from '../accounts/authenticate';
import { buildApp } from '../app';
import { readCatalogRevision } from '../catalog/catalog-revisions.repository';
import type { Config } from '../config';
import { closeDatabase, connectDatabase, type DatabaseOptions } from '../platform/database/knex';
import { findPooler, type Pooler } from '../platform/database/pooler';
import { createReplicaReader, type ReplicaReader } from '../platform/database/replica';
import { listen } from '../platform/http/http-server';
import { createMessageClasses, useMessageClasses } from '../platform/http/message-classes';
import type { Lifecycle } from '../platform/lifecycle';
import type { Deps } from '../sales/context';
import { collectOwn } from '../platform/metrics/cluster-metrics';
import { sealStoredCredentials } from '../sales/payment-methods/payment-methods.service';
import { getProcessIdentity } from '../platform/process-identity';
import { startTracing } from '../platform/tracing';
import { findFace } from '../web/find-face';
import { createDeps } from './deps';
import { createStoreMetrics } from './metrics';
import { buildStartingApp } from './starting-app';

/** The databases of a process that runs use cases. */
export interface Connections {
  deps: Deps;
  /** Null without DATABASE_REPLICA_URL. */
  readFromReplica: ReplicaReader | null;
  replica: Knex | null;
}

export interface Program {
  config: Config;
  log: Logger;
  lifecycle: Lifecycle;
}

/** Connects a process to the database at `url`, and to the replica, and closes both when it stops. */
export async function connectStore({ config, log, lifecycle }: Program, url: string): Promise<Connections> {
  if (config.tracesUrl !== null) {
    const { version, instance } = getProcessIdentity();
    lifecycle.onStop(await startTracing({ endpoint: config.tracesUrl, version, instance }));
  }
  const shared = {
    poolSize: config.databasePoolSize,
    log,
    mayRelaxCommits: config.hasFastCarts,
    isReadOnly: config.isReadOnly,
    slowStatementMs: config.slowStatementMs,
  };
  const connect = (options: DatabaseOptions) => {
    const opened = connectDatabase(options);
    lifecycle.onStop(() => closeDatabase(opened));
    return opened;
  };
  const db = connect({ ...shared, url, pooler: await findPoolerOf(config, url) });
  const deps = await createDeps(config, db, log);
  if (!config.isReadOnly) await sealStoredCredentials(deps);
  lifecycle.onStop(() => {
    deps.mailer.close();
    return Promise.resolve();
  });
  if (config.databaseReplicaUrl === null) return { deps, readFromReplica: null, replica: null };
  const replicaUrl = config.databaseReplicaUrl;
  // The store starts without its replica.
  const pooler = await findPooler(replicaUrl).catch((): Pooler => ({ canPrepare: false }));
  const replica = connect({ ...shared, url: replicaUrl, pooler, isReadOnly: true, poolName: 'replica' });
  const readFromReplica = createReplicaReader({
    primary: db,
    replica,
    log,
    readRevision: readCatalogRevision,
  });
  return { deps, readFromReplica, replica };
}

/** Returns the pooler of the database; the embedded one has none. */
export async function findPoolerOf(
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  url: string,
): Promise<Pooler | null> {
  return databaseUrl === null ? null : findPooler(url);
}

/** The port of a process, which is open before its database is. */
export interface OpenPort {
  url: string;
  /** Serves the store at the port from now on, until the process stops. */
  serve: (connections: Connections) => void;
}

/**
 * Starts the HTTP server of a process. `collectMetrics` returns the metrics of all processes of the store. Until `serve` is called, it
 * only reports that the process runs.
 * @throws StartupError if the port cannot be used
 */
export async function openPort(
  { config, log, lifecycle }: Program,
  collectMetrics = collectOwn,
): Promise<OpenPort> {
  const { host, port, shutdownDelayMs } = config;
  const messageClasses = createMessageClasses();
  const handler = buildStartingApp(config, log);
  const server = await listen({ handler, host, port, messageClasses, shutdownDelayMs });
  const serve = (connections: Connections): void => {
    const app = buildStoreApp(config, lifecycle, connections, collectMetrics);
    useMessageClasses(app, messageClasses);
    server.handleWith(app);
    lifecycle.onStop(server.stop);
  };
  return { url: server.url, serve };
}

function buildStoreApp(
  config: Config,
  lifecycle: Lifecycle,
  { deps, readFromReplica, replica }: Connections,
  collect: () => Promise<string>,
): Express {
  return buildApp({
    deps,
    readFromReplica,
    authenticate: config.isReadOnly ? identify : authenticate,
    corsOrigins: config.corsOrigins,
    trustProxy: config.trustProxy,
    maxInFlight: config.maxInFlight,
    isReadOnly: config.isReadOnly,
    catalogMaxAge: config.catalogMaxAge,
    catalogStaleSeconds: config.catalogStaleSeconds,
    publicUrl: config.publicUrl,
    metrics: createStoreMetrics({
      db: deps.db,
      replica,
      log: deps.log,
      collect,
      token: config.metricsToken,
    }),
    shop: config.hasStorefront ? findFace('shop') : null,
    office: config.hasOffice ? findFace('office') : null,
    isRunning: lifecycle.isRunning,
  });
}
