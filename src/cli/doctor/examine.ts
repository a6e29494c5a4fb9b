import type { Logger } from 'pino';
import type { Knex } from 'knex';
import { isWeakPassword } from '../../accounts/passwords';
import { examineEnvironment, type Config } from '../../config';
import { closeDatabase, connectDatabase } from '../../platform/database/knex';
import { getMigrationStatus } from '../../boot/migrate';
import { canOpenStore } from '../../boot/store-secret';
import {
  awaitDirectUrl,
  findRunningEmbedded,
  hasEmbedded,
  joinDatabase,
} from '../../platform/database/open-database';
import { StartupError } from '../../platform/startup-error';
import { countWorkers } from '../../platform/queue/queue-figures';
import { examineLinks } from './examine-links';
import { examineMail, examinePort, examineSecret, examineStorage } from './examine-machine';
import { examineTopology } from './examine-topology';
import type { ClockFacts, Facts, ReachableFacts, SecretFacts } from './facts';

/**
 * Collects the facts about everything the store needs. Changes nothing, except that a test file in DATA_DIR is written
 * and removed, and a stopped embedded database is started and stopped again.
 */
export async function examine(config: Config, env: NodeJS.ProcessEnv, log: Logger): Promise<Facts> {
  return {
    nodeVersion: process.versions.node,
    settings: {
      hasDatabaseUrl: config.databaseUrl !== null,
      hasSecretKey: config.secretKey !== null,
      trustsProxy: config.trustProxy !== 0,
      databasePoolSize: config.databasePoolSize,
      // The main process has one as well, for jobs.
      pools: config.workers === 1 ? 1 : config.workers + 1,
      hasInlineWorker: config.isReadOnly ? null : config.hasInlineWorker,
      hasMetricsToken: config.metricsToken !== null,
      allowsPrivateWebhooks: config.allowsPrivateWebhooks,
      hasWeakAdminPassword: config.admin.password !== null && (await isWeakPassword(config.admin.password)),
    },
    environment: examineEnvironment(env),
    storage: await examineStorage(config),
    secret: await examineSecret(config),
    mail: await examineMail(config),
    links: await examineLinks(config),
    port: await examinePort(config),
    ...(await examineDatabase(config, log)),
  };
}

async function examineDatabase(config: Config, log: Logger): Promise<Pick<Facts, 'database' | 'topology'>> {
  const kind = config.databaseUrl === null ? 'embedded' : 'external';
  try {
    if (kind === 'embedded' && !hasEmbedded(config.dataDir))
      return { database: { kind, state: 'missing' }, topology: null };
    const isStoreRunning = kind === 'embedded' && (await findRunningEmbedded(config.dataDir)) !== null;
    const database = await joinDatabase({ url: config.databaseUrl, dataDir: config.dataDir }, log);
    await awaitDirectUrl(config.databaseDirectUrl, database.url);
    const db = connectDatabase({ url: database.url, poolSize: 1, log, timeouts: 'request' });
    try {
      return {
        database: { kind, state: 'reachable', isStoreRunning, ...(await examineServer(db, config)) },
        topology: await examineTopology(db, config, log),
      };
    } finally {
      await closeDatabase(db);
      await database.stop();
    }
  } catch (error) {
    if (error instanceof StartupError)
      return { database: { kind, state: 'unreachable', refusal: error.message }, topology: null };
    throw error;
  }
}

interface ServerRow {
  version: number;
  encoding: string;
  can_create: boolean;
  denied: string[];
  has_trigrams: boolean;
  max_connections: number;
}

const SERVER = `
  SELECT current_setting('server_version_num')::integer AS version,
         current_setting('server_encoding') AS encoding,
         COALESCE(has_schema_privilege(current_schema(), 'CREATE'), false) AS can_create,
         EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') AS has_trigrams,
         ARRAY(SELECT relname::text FROM pg_class
                WHERE relnamespace = to_regnamespace(current_schema())
                  AND CASE
                        WHEN relkind IN ('r', 'p') THEN NOT (has_table_privilege(oid, 'SELECT')
                          AND (:only_reads OR has_table_privilege(oid, 'INSERT') AND has_table_privilege(oid, 'UPDATE')
                                              AND has_table_privilege(oid, 'DELETE')))
                        WHEN relkind = 'S' THEN NOT (:only_reads OR has_sequence_privilege(oid, 'USAGE')
                          AND has_sequence_privilege(oid, 'SELECT') AND has_sequence_privilege(oid, 'UPDATE'))
                      END
                ORDER BY relname) AS denied,
         current_setting('max_connections')::integer
           - current_setting('superuser_reserved_connections')::integer AS max_connections`;

async function examineServer(
  db: Knex,
  config: Config,
): Promise<Omit<ReachableFacts, 'kind' | 'state' | 'isStoreRunning'>> {
  const { rows } = await db.raw<{ rows: ServerRow[] }>(SERVER, { only_reads: config.isReadOnly });
  const [server] = rows;
  if (server === undefined) throw new Error('the server settings query returned no row');
  const { applied, pending, unknown } = await getMigrationStatus(db);
  const canRead = (table: string): boolean => applied.length > 0 && !server.denied.includes(table);
  const isUsable = applied.length > 0 && pending.length === 0 && server.denied.length === 0;
  return {
    serverVersion: server.version,
    encoding: server.encoding,
    canCreate: server.can_create,
    denied: server.denied,
    hasTrigrams: server.has_trigrams,
    maxConnections: server.max_connections,
    appliedMigrations: applied.length,
    pendingMigrations: pending,
    unknownMigrations: unknown,
    opensKey: isUsable && isReadable(await examineSecret(config)) ? await canOpenStore(config, db) : true,
    workers: isUsable ? await countWorkers(db) : null,
    clock: await examineClock(db, applied.length > 0),
    secureUrl: canRead('stores') ? await findSecureUrl(db) : null,
    testMethods: canRead('payment_methods') ? await findTestMethods(db) : [],
  };
}

/** Returns whether the secret key can be read, unless it is missing. */
function isReadable(secret: SecretFacts): boolean {
  return secret.source === 'setting' || !secret.exists || secret.readable;
}

async function findSecureUrl(db: Knex): Promise<string | null> {
  const store = await db<{ url: string }>('stores').whereLike('url', 'https://%').orderBy('id').first('url');
  return store?.url ?? null;
}

function findTestMethods(db: Knex): Promise<string[]> {
  const active = { gateway: 'bogus', active: true, deleted_at: null };
  return db('payment_methods').where(active).orderBy('id').pluck<string[]>('name');
}

async function examineClock(db: Knex, isMigrated: boolean): Promise<ClockFacts> {
  const sentAt = Date.now();
  const { rows } = await db.raw<{ rows: { now: Date }[] }>('SELECT clock_timestamp() AS now');
  const receivedAt = Date.now();
  const last = isMigrated
    ? await db('knex_migrations').max<{ at: Date | null }>({ at: 'migration_time' }).first()
    : undefined;
  return {
    processTime: (sentAt + receivedAt) / 2,
    databaseTime: rows[0]?.now.getTime() ?? Number.NaN,
    roundTripMs: receivedAt - sentAt,
    lastMigrationAt: last?.at?.getTime() ?? null,
  };
}
