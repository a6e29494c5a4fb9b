import type { Logger } from 'pino';
import type { Knex } from 'knex';
import type { Config } from '../../config';
import { closeDatabase, connectDatabase } from '../../platform/database/knex';
import { migrationStatus } from '../../boot/migrate';
import { hasEmbedded, joinDatabase, runningEmbedded } from '../../platform/database/open-database';
import { StartupError } from '../../platform/startup-error';
import { examinePort, examineSecret, examineStorage } from './examine-machine';
import type { ClockFacts, DatabaseFacts, Facts, ReachableFacts } from './facts';

/**
 * Looks at all the store needs. Changes nothing, but for a file in DATA_DIR that is removed at once; an embedded
 * database that does not run is started, and stopped again.
 */
export async function examine(config: Config, log: Logger): Promise<Facts> {
  return {
    node_version: process.versions.node,
    settings: {
      has_database_url: config.databaseUrl !== null,
      has_secret_key: config.secretKey !== null,
      database_pool_size: config.databasePoolSize,
    },
    storage: await examineStorage(config),
    secret: await examineSecret(config),
    port: await examinePort(config),
    database: await examineDatabase(config, log),
  };
}

async function examineDatabase(config: Config, log: Logger): Promise<DatabaseFacts> {
  const kind = config.databaseUrl === null ? 'embedded' : 'external';
  try {
    if (kind === 'embedded' && !hasEmbedded(config.dataDir)) return { kind, state: 'not_made' };
    const runs_already = kind === 'embedded' && (await runningEmbedded(config.dataDir)) !== null;
    const database = await joinDatabase({ url: config.databaseUrl, dataDir: config.dataDir }, log);
    const db = connectDatabase({ url: database.url, poolSize: 1, log, patience: 'request' });
    try {
      return { kind, state: 'reachable', runs_already, ...(await examineServer(db)) };
    } finally {
      await closeDatabase(db);
      await database.stop();
    }
  } catch (error) {
    if (error instanceof StartupError) return { kind, state: 'unreachable', refusal: error.message };
    throw error;
  }
}

interface ServerRow {
  server_version_num: number;
  encoding: string;
  may_create: boolean;
  has_trigrams: boolean;
  connection_limit: number;
}

const SERVER = `
  SELECT current_setting('server_version_num')::integer AS server_version_num,
         current_setting('server_encoding') AS encoding,
         COALESCE(has_schema_privilege(current_schema(), 'CREATE'), false) AS may_create,
         EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') AS has_trigrams,
         current_setting('max_connections')::integer
           - current_setting('superuser_reserved_connections')::integer AS connection_limit`;

async function examineServer(db: Knex): Promise<Omit<ReachableFacts, 'kind' | 'state' | 'runs_already'>> {
  const { rows } = await db.raw<{ rows: ServerRow[] }>(SERVER);
  const [server] = rows;
  if (server === undefined) throw new Error('the database says nothing of itself');
  const { applied, pending, unknown } = await migrationStatus(db);
  return {
    ...server,
    applied_migrations: applied.length,
    pending_migrations: pending,
    unknown_migrations: unknown,
    clock: await examineClock(db, applied.length > 0),
  };
}

async function examineClock(db: Knex, isMigrated: boolean): Promise<ClockFacts> {
  const asked = Date.now();
  const { rows } = await db.raw<{ rows: { now: Date }[] }>('SELECT clock_timestamp() AS now');
  const heard = Date.now();
  const last = isMigrated
    ? await db('knex_migrations').max<{ at: Date | null }>({ at: 'migration_time' }).first()
    : undefined;
  return {
    process_at: (asked + heard) / 2,
    database_at: rows[0]?.now.getTime() ?? Number.NaN,
    round_trip_ms: heard - asked,
    last_migration_at: last?.at?.getTime() ?? null,
  };
}
